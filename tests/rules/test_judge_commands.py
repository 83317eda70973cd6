"""The judges from the command line: words, data, pictures, and what is refused."""

import json

import pytest
from PIL import Image

from mapkit.maps import save_map
from tests.boards import board

GAME = ("--game", "strafexpedition")


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "hills.hexmap.json"
    rows = [".2 .2 .2 .2", ".4 .2 w2 .2", ".2 .2 .2 .S2"]
    save_map(path, board(*rows, links={"road": "0202-0303-0403"}))
    return path


def test_sight_is_told_with_its_rules(mapkit_cli, map_file):
    result = mapkit_cli("rules", "sight", str(map_file), "0101", "0103", *GAME)
    assert result.exit_code == 0
    first, *_ = result.stdout.splitlines()
    assert first == "0101 does not see 0103: the line is blocked [13.2.2]"
    assert "0102 blocks, higher ground: level 4 > higher end 2 [13.2.2]" in result.stdout


def test_sight_speaks_german_and_italian(mapkit_cli, map_file):
    german = mapkit_cli("--lang", "de", "rules", "sight", str(map_file), "0101", "0103", *GAME)
    assert "0101 sieht 0103 nicht" in german.stdout
    italian = mapkit_cli("--lang", "it", "rules", "sight", str(map_file), "0101", "0103", *GAME)
    assert "0101 non vede 0103" in italian.stdout


def test_sight_as_data(mapkit_cli, map_file):
    result = mapkit_cli(
        "rules", "sight", str(map_file), "0101", "0103", *GAME, "--weather", "rain", "--json"
    )
    data = json.loads(result.stdout)
    assert (data["verdict"], data["blocked_by"], data["range"]) == ("blocked", ["0102"], 2)
    assert data["weather"] == "rain"
    assert {"trace", "margin", "cites", "assumptions", "rests_on", "distance"} <= data.keys()


@pytest.mark.parametrize(
    "question",
    [("sight", "0101", "0103"), ("supply", "0101", "--side", "it", "--enemy", "0102")],
)
def test_a_picture_is_drawn_and_never_drawn_over(mapkit_cli, map_file, tmp_path, question):
    noun, *rest = question
    picture = tmp_path / "ruling.png"
    words = ["rules", noun, str(map_file), *rest, *GAME, "--picture", str(picture)]
    assert mapkit_cli(*words).exit_code == 0
    with Image.open(picture) as image:
        assert image.width > 200
    again = mapkit_cli(*words)
    assert again.exit_code == 1
    assert "--force" in again.stderr


def test_supply_is_told_with_its_way(mapkit_cli, map_file):
    result = mapkit_cli("rules", "supply", str(map_file), "0101", *GAME, "--side", "it")
    assert result.exit_code == 0
    assert "0101 is in supply (Italian) [10.2]" in result.stdout
    assert "it ends at the source 0403 [10.2.3]" in result.stdout


def test_supply_as_data_names_the_culprits(mapkit_cli, map_file):
    result = mapkit_cli(
        "rules", "supply", str(map_file), "0101", *GAME, "--side", "AH", "--enemy", "0402", "--json"
    )
    data = json.loads(result.stdout)
    assert (data["verdict"], data["culprits"]) == ("out_of_supply", [["0402"]])


def test_a_friend_and_another_source(mapkit_cli, map_file):
    words = ["rules", "supply", str(map_file), "0101", *GAME, "--side", "it", "--json"]
    more = ["--friend", "0201", "--enemy", "0402", "--source", "0202"]
    assert json.loads(mapkit_cli(*words, *more).stdout)["verdict"] == "in_supply"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("0101", "0103"), "name the game with --game"),
        (("0101", "9999", *GAME), "there is no hex 9999"),
        (("0101", "0103", "--game", "chess"), "no rules pack 'chess'"),
        (("0101", "0103", *GAME, "--weather", "hail"), "no weather 'hail'"),
        (("0101", "0103", *GAME, "--map", "other"), "no map 'other'"),
    ],
)
def test_what_cannot_be_asked_is_one_clear_line(mapkit_cli, map_file, words, message):
    result = mapkit_cli("rules", "sight", str(map_file), *words)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1


def test_no_map_is_one_clear_line(mapkit_cli, tmp_path):
    result = mapkit_cli("rules", "sight", str(tmp_path / "none"), "0101", "0103", *GAME)
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_project_rules_by_its_owners_choices(mapkit_cli, tmp_path):
    source = tmp_path / "cliff.hexmap.json"
    save_map(source, board(*[".8", *[".1"] * 9]))
    folder = tmp_path / "cliff"
    made = mapkit_cli("project", "new", str(folder), *GAME, "--map", str(source))
    assert made.exit_code == 0
    words = ["rules", "sight", str(folder), "0101", "0110", "--json"]
    assert json.loads(mapkit_cli(*words).stdout)["verdict"] == "clear"
    listed = json.loads(mapkit_cli("rules", "assumptions", "strafexpedition", "--json").stdout)
    six = next(
        (one["id"], other["id"])
        for one in listed
        for other in one["alternatives"]
        if other["changes"].get("sight.reach.cap") == 6
    )
    (folder / "mine.owner.toml").write_text(
        'format = "mapkit-owner/1"\ngame = "strafexpedition"\n'
        f'[assumptions]\n{six[0]} = "{six[1]}"\n',
        encoding="utf-8",
    )
    project = folder / "project.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text('owner = "mine.owner.toml"\n' + text, encoding="utf-8")
    ruling = json.loads(mapkit_cli(*words).stdout)
    assert (ruling["verdict"], ruling["range"]) == ("out_of_range", 6)
    (folder / "mine.owner.toml").write_text("nonsense", encoding="utf-8")
    checked = mapkit_cli("project", "check", str(folder))
    assert checked.exit_code == 1
    assert "mine.owner.toml" in checked.stdout


def test_reach_is_told_with_what_is_missing(mapkit_cli, map_file, tmp_path):
    words = ["rules", "reach", str(map_file), "0101", *GAME, "--side", "it"]
    unit = ["--class", "infantry", "--points", "4"]
    result = mapkit_cli(*words, *unit, "--to", "0103", "--picture", str(tmp_path / "reach.png"))
    assert result.exit_code == 0
    assert result.stdout.startswith("nobody can tell how far the unit comes from 0101")
    assert "terrain.clear.costs.infantry in your owner file" in result.stdout
    with Image.open(tmp_path / "reach.png") as image:
        assert image.width > 200
    data = json.loads(mapkit_cli(*words, *unit, "--enemy", "0201", "--json").stdout)
    assert (data["verdict"], data["points"]) == ("unknown", "4")
    refused = mapkit_cli(*words, "--class", "tanks", "--points", "4")
    assert refused.exit_code == 1
    assert "no class 'tanks'" in refused.stderr


def test_a_field_of_view_is_every_line_of_sight(mapkit_cli, map_file, tmp_path):
    picture = tmp_path / "field.png"
    result = mapkit_cli(
        "rules", "field", str(map_file), "0101", *GAME, "--json", "--picture", str(picture)
    )
    seen = set(json.loads(result.stdout)["sees"])
    for column in range(1, 5):
        for row in range(1, 4):
            label = f"{column:02}{row:02}"
            if label != "0101":
                one = mapkit_cli("rules", "sight", str(map_file), "0101", label, *GAME, "--json")
                assert (label in seen) == (json.loads(one.stdout)["verdict"] == "clear")
    with Image.open(picture) as image:
        assert image.width > 200
    told = mapkit_cli("rules", "field", str(map_file), "0101", *GAME)
    assert f"0101 sees {len(seen)} other hexes [13.2.2]" in told.stdout


def test_a_friend_and_an_enemy_in_one_hex_is_one_clear_line(mapkit_cli, map_file):
    words = ["rules", "supply", str(map_file), "0101", *GAME, "--side", "it"]
    result = mapkit_cli(*words, "--friend", "0201", "--enemy", "0201")
    assert result.exit_code == 1
    assert "both stand in 0201" in result.stderr


def test_guns_in_one_hex_with_a_battalion_are_told_apart(mapkit_cli, map_file):
    ran = mapkit_cli(
        "rules", "supply", map_file, "0101", "--side", "it", "--class", "headquarters",
        "--enemy", "0103", "--gun", "0103:8", "--gun", "0103:6", *GAME,
    )  # fmt: skip
    assert ran.exit_code == 0, ran.stderr
