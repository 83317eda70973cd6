"""The table in the browser: the same rulings as the command line, and nothing for strangers."""

import json
import re
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
from mapkit.texts import Language, use
from rules.assistant.app import table_app
from rules.assistant.serving import ServingPlace, open_port, qr_code
from rules.assistant.table import Table, open_table
from rules.errors import RulesError
from tests.boards import board
from tests.rules.assistant.browser import browser

LAND = (
    "1 1 1 1 1 1 1",
    "1 1 w3 1 1 1 1",
    "1 1 1 1 1 1 1",
)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    use("en")
    yield
    use(None)


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
    for name in ("table.css", "table.js", "table.svg"):
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
    marks = {"tap_enemy", "tap_friend"}  # put together from the mark in hand
    assert used | marks | set(data["judges"]) == set(data["words"])


def test_a_tap_gets_the_ruling_of_the_command_line(
    client: TestClient, map_file: Path, mapkit_cli
) -> None:
    asked = client.get("/ask/sight", params={"a": "0202", "b": "0402", "weather": "rain"}).json()
    said = mapkit_cli(
        "rules", "sight", map_file, "0202", "0402", "--game", "strafexpedition",
        "--weather", "rain", "--json",
    )  # fmt: skip
    assert asked == json.loads(said.stdout)


def test_supply_with_enemies_tapped(client: TestClient) -> None:
    ruling = client.get("/ask/supply", params={"a": "0101", "side": "it", "enemy": ["0202"]}).json()
    assert ruling["question"] == "supply"


def test_a_field_of_view_needs_one_tap(client: TestClient) -> None:
    ruling = client.get("/ask/field", params={"a": "0101"}).json()
    assert (ruling["question"], "0102" in ruling["sees"]) == ("field", True)


@pytest.mark.parametrize("spoken", ["en", "de", "it"])
def test_nothing_on_the_page_speaks_of_the_command_line(
    client: TestClient, spoken: Language
) -> None:
    use(spoken)
    asked = [
        client.get("/ask/sight", params={"a": "0101", "b": "0701"}),
        client.get("/ask/field", params={"a": "0101"}),
        client.get("/ask/supply", params={"a": "0101", "side": "it", "enemy": ["0202"]}),
    ]
    for answer in asked:
        ruling = answer.json()
        told = [*(reason["text"] for reason in ruling["reasons"]), *ruling["missing"]]
        assert told
        assert not [line for line in told if re.search(r"(?<!\w)--\w|HEX|ESAGONO|KLASSE", line)]
    words = client.get("/table.json").json()["words"].values()
    assert not [word for word in words if "--" in word]


def test_the_page_speaks_german(client: TestClient) -> None:
    use("de")
    data = client.get("/table.json").json()
    assert data["sides"] == {"it": "Italiener", "ah": "Österreich-Ungarn"}
    assert data["weather"]["clear"] == "klar"
    assert data["values"]["woods"] == "Wald"
    ruling = client.get("/ask/supply", params={"a": "0101", "side": "it"}).json()
    assert "(Italiener)" in ruling["reasons"][0]["text"]
    assert ruling["reasons"][0]["values"]["side"] == "Italian"  # data is the same in any language


def test_all_a_ruling_assumes_can_be_told(client: TestClient) -> None:
    known = client.get("/table.json").json()["assumptions"]
    ruling = client.get("/ask/sight", params={"a": "0202", "b": "0402"}).json()
    assert ruling["assumptions"]
    assert all(known[name]["question"] and known[name]["answer"] for name in ruling["assumptions"])


def test_the_page_can_learn_which_open_points_bear_on_a_ruling(client: TestClient) -> None:
    """0202 sees 0402 by no answer: the hill blocks. How far one sees downhill changes nothing."""
    question = {"a": "0202", "b": "0402"}
    ruling = client.get("/ask/sight", params=question).json()
    bearing = client.get("/bearing/sight", params=question).json()
    assert list(bearing) == ruling["assumptions"]
    assert bearing["sight-beyond-six"] == []
    assert client.get("/bearing/sight", params={"a": "9999", "b": "0402"}).status_code == 400


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
        told = json.load(answer)["reasons"][0]["text"]
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


@pytest.mark.program("chromium")
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desk"])
def test_every_judge_works_by_touch(
    served: ServingPlace, program, tmp_path: Path, size: tuple[int, int]
) -> None:
    with browser(program("chromium"), tmp_path / "browser", *size) as page:
        page.open(served.address)
        page.touch_hex("0202")
        page.touch_hex("0402")
        assert page.ask("state.shown.blocked_by") == ["0302"]
        assert page.ask("places(state.shown).every(inView)")
        page.press("#judges button[value=field]")
        assert page.ask("state.shown.sees.length") > 0
        page.press("#judges button[value=supply]")
        page.press("#enemy")
        page.touch_hex("0102")
        assert page.ask("state.shown.question") == "supply"
        assert page.ask("state.units.map((one) => one.hex)") == ["0102"]
        page.touch_hex("0102")
        assert page.ask("state.units.length") == 0
        page.press("#again")
        assert page.ask("[state.tapped.length, at('verdict').textContent]") == [0, ""]


@pytest.mark.program("chromium")
def test_all_of_an_answer_is_brought_onto_the_screen(
    served: ServingPlace, program, tmp_path: Path
) -> None:
    with browser(program("chromium"), tmp_path / "browser", 390, 844) as page:
        page.open(served.address)
        page.ask("zoom(4), lookAt(state.table.hexes['0101'])")
        page.touch_hex("0101")
        page.ask("lookAt(state.table.hexes['0703'])")
        page.touch_hex("0703")
        assert page.ask("places(state.shown).length") >= 2
        assert page.ask("places(state.shown).every(inView)")


@pytest.mark.program("chromium")
def test_a_bad_first_hex_does_not_make_the_second_the_observer(
    served: ServingPlace, program, tmp_path: Path
) -> None:
    with browser(program("chromium"), tmp_path / "browser", 390, 844) as page:
        page.open(f"{served.address}?judge=sight&a=9999&b=0402")
        assert "9999" in page.ask("at('verdict').textContent")
        assert page.ask("at('over').querySelectorAll('polyline').length") == 0
        page.touch_hex("0101")
        assert page.ask("state.tapped") == ["0101"]


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
