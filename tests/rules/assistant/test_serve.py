"""The table in the browser: the same rulings as the command line, and nothing for strangers."""

import json
import subprocess
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.testclient import TestClient

from mapkit.document.writing import dump_map
from rules.assistant.app import table_app
from rules.assistant.serving import ServingPlace, open_port, qr_code
from rules.assistant.table import Table, open_table
from rules.errors import RulesError
from tests.boards import board

LAND = (
    "1 1 1 1 1 1 1",
    "1 1 w3 1 1 1 1",
    "1 1 1 1 1 1 1",
)


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    file = tmp_path / "hill.hexmap.json"
    file.write_bytes(dump_map(board(*LAND, layout="pointy")))
    return file


@pytest.fixture
def table(map_file: Path) -> Table:
    return open_table(map_file, "strafexpedition")


@pytest.fixture
def client(table: Table) -> TestClient:
    return TestClient(table_app(table, ("testserver",)))


def test_the_page_and_all_it_needs_come_from_this_machine(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name in ("table.css", "table.js"):
        assert f"/page/{name}" in page.text
        assert client.get(f"/page/{name}").status_code == 200
    assert "http" not in page.text.replace("http://www.w3.org/2000/svg", "")
    assert client.get("/map.webp").content[8:12] == b"WEBP"
    assert page.headers["content-security-policy"] == "default-src 'self'"


def test_the_page_knows_each_hex_and_each_word(client: TestClient, table: Table) -> None:
    data = client.get("/table.json").json()
    assert set(data["hexes"]) == {table.field.map.label(hex_) for hex_ in table.field.map.hexes}
    for label, (x, y) in data["hexes"].items():
        assert table.field.map.label(table.drawing.grid.hex_at(x, y)) == label
    script = client.get("/page/table.js").text + client.get("/").text
    used = {word for word in data["words"] if f"words.{word}" in script or f'"{word}"' in script}
    assert used | set(data["judges"]) == set(data["words"])


def test_a_tap_gets_the_ruling_of_the_command_line(
    client: TestClient, map_file: Path, mapkit_cli
) -> None:
    asked = client.get("/ask/sight", params={"a": "0202", "b": "0402", "weather": "rain"}).json()
    said = mapkit_cli(
        "rules", "sight", map_file, "0202", "0402", "--game", "strafexpedition",
        "--weather", "rain", "--json",
    )  # fmt: skip
    told = asked.pop("told")
    assert asked == json.loads(said.stdout)
    assert told.startswith("0202")


def test_supply_with_enemies_tapped(client: TestClient) -> None:
    ruling = client.get("/ask/supply", params={"a": "0101", "side": "it", "enemy": ["0202"]}).json()
    assert ruling["question"] == "supply"


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("/ask/sight?a=0101&b=9999", "9999"),
        ("/ask/sight?a=0101", "needs one 'b'"),
        ("/ask/sight?a=0101&b=0102&weather=frogs", "no weather 'frogs'"),
        ("/ask/oracle?a=0101", "no judge 'oracle'"),
        ("/ask/supply?a=0101&side=fr", "no side 'fr'"),
    ],
)
def test_a_bad_question_is_one_clear_line(client: TestClient, address: str, fault: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert fault in answer.json()["error"]


@pytest.mark.parametrize("name", ["..%2Fapp.py", "table.py", "%2Fetc%2Fpasswd", "no.html"])
def test_no_other_file_is_handed_out(client: TestClient, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


def test_a_strange_name_for_this_machine_is_refused(table: Table) -> None:
    stranger = TestClient(table_app(table, ("127.0.0.1",)), base_url="http://evil.example")
    assert stranger.get("/table.json").status_code == 400


def test_a_taken_port_is_told() -> None:
    with (
        open_port(0, lan=False) as place,
        pytest.raises(RulesError, match="--port"),
        open_port(place.port, lan=False),
    ):
        pass


def test_a_map_without_a_game_asks_for_one(map_file: Path) -> None:
    with pytest.raises(RulesError, match="--game"):
        open_table(map_file)


def test_the_address_as_a_code_for_phones() -> None:
    lines = qr_code("http://192.168.0.7:8016/").splitlines()
    assert len(lines) > 10
    assert len({len(line) for line in lines if line.strip()}) <= 2


@pytest.fixture
def served(table: Table) -> Iterator[ServingPlace]:
    with open_port(0, lan=False) as place:
        app = table_app(table, (place.host,))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place.socket]})
        thread.start()
        yield place
        server.should_exit = True
        thread.join()


@pytest.mark.program("chromium")
def test_a_real_browser_shows_the_ruling(served: ServingPlace, program, tmp_path: Path) -> None:
    with urlopen(f"{served.address}ask/sight?a=0202&b=0402") as answer:
        told = json.load(answer)["told"].splitlines()[0]
    shown = subprocess.run(
        [
            program("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
            f"--user-data-dir={tmp_path / 'browser'}", "--virtual-time-budget=10000",
            "--dump-dom", f"{served.address}?judge=sight&a=0202&b=0402",
        ],
        capture_output=True, text=True, check=True, timeout=120,
    ).stdout  # fmt: skip
    assert told in unescape(shown)
    assert 'class="bad"' in shown
    assert shown.count("<polygon") == 3  # the two ends and what blocks
    assert shown.count("<polyline") == 2


def test_serve_says_where_and_stops_cleanly(
    map_file: Path, mapkit_cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[Table, str]] = []
    monkeypatch.setattr(
        "rules.assistant.serving.serve_until_stopped",
        lambda table, place: served.append((table, place.address)),
    )
    said = mapkit_cli("serve", map_file, "--game", "strafexpedition", "--port", "0", "--lan")
    ((table, address),) = served
    assert said.stdout == f"{address}\n"
    assert table.field.pack.id == "strafexpedition"
    assert said.exit_code == 0
    refused = mapkit_cli("serve", map_file)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "--game" in refused.stderr
