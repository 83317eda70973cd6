"""Observers, fire lines, zones and whole sides from the command line."""

import json

import pytest
from PIL import Image

from mapkit.maps import save_map
from tests.boards import board

GAME = ("--game", "strafexpedition")
OTHER = ("--game", "caporetto-1917")


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "hills.hexmap.json"
    rows = [".2 .2 .2 .2", ".4 .2 w2 .2", ".2 .2 .2 .S2"]
    save_map(path, board(*rows, links={"road": "0202-0303-0403"}))
    return path


def test_observers_are_told_and_drawn(mapkit_cli, map_file, tmp_path):
    words = ["0303", *GAME, "--side", "it"]
    hq = ["--hq", "0301", "--range", "1"]
    picture = tmp_path / "seen.png"
    where = str(map_file)
    drawn = ["--picture", str(picture)]
    result = mapkit_cli("rules", "observers", where, *words, *hq, "--enemy", "0402", *drawn)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("0303 is observed [13.2.2]")
    assert "sees it, but lies outside the command range: " in result.stdout
    assert "sees it, but an enemy stands there: 0402 [13.2.2]" in result.stdout
    with Image.open(picture) as image:
        assert image.width > 200
    data = json.loads(mapkit_cli("rules", "observers", where, *words, "--json").stdout)
    assert data["verdict"] == "unknown"
    assert {post["may"] for post in data["posts"]} == {"unknown"}


def test_a_fire_line_is_told(mapkit_cli, map_file):
    words = ["rules", "fire-line", str(map_file), "0101", "0103", *OTHER, "--side", "it"]
    light = ["--class", "light_artillery", "--reach", "6", "--friend", "0101:light_artillery"]
    result = mapkit_cli(*words, *light)
    assert result.exit_code == 0, result.stderr
    assert "the direct line from 0101 to 0103 is blocked [12.1]" in result.stdout
    assert "0102 blocks it: level 4 > higher end 2 [12.1]" in result.stdout
    assert "light artillery never fires indirectly [12.1]" in result.stdout
    data = json.loads(mapkit_cli(*words, "--class", "heavy_artillery", "--json").stdout)
    assert (data["line"], data["verdict"]) == ("blocked", "not_observed")
    other = mapkit_cli("rules", "fire-line", str(map_file), "0101", "0103", *GAME, "--side", "it",
                       "--class", "field_artillery")  # fmt: skip
    assert "does not tell direct from indirect fire" in other.stdout


def test_a_zone_is_told_and_drawn(mapkit_cli, map_file, tmp_path):
    words = ["rules", "zones", str(map_file), "0202:infantry", *OTHER, "--side", "it"]
    picture = tmp_path / "zone.png"
    result = mapkit_cli(*words, "--picture", str(picture))
    assert result.exit_code == 0, result.stderr
    assert "the zone of control of 0202 covers 5 hexes [3.0]" in result.stdout
    assert "not 0302: woods [3.0]" in result.stdout
    with Image.open(picture) as image:
        assert image.width > 200
    german = mapkit_cli("--lang", "de", *words)
    assert "die Kontrollzone von 0202 umfasst 5 Hexfelder" in german.stdout
    hail = mapkit_cli("rules", "zones", str(map_file), "0202", "--side", "it", "--weather", "hail")
    assert hail.exit_code == 1


def test_the_supply_of_a_whole_side(mapkit_cli, map_file):
    words = ["rules", "supply-side", str(map_file), *GAME, "--side", "it"]
    units = ["--friend", "0101:alpini", "--friend", "0402:infantry", "--enemy", "0401:infantry"]
    fed = mapkit_cli(*words, *units)
    assert fed.exit_code == 0, fed.stderr
    assert "2 units, 2 in supply" in fed.stdout
    cut = mapkit_cli(*words, *units, "--enemy", "0303:infantry")
    assert "2 units, 0 in supply" in cut.stdout
    assert "restored if 0303 would go [10.2.2]" in cut.stdout
    assert "look up its morale" in cut.stdout
    data = json.loads(mapkit_cli(*words, *units, "--json").stdout)
    assert [one["unit"] for one in data] == ["0101", "0402"]


def test_the_supply_of_a_position(mapkit_cli, map_file, tmp_path):
    from counters.model import Unit
    from rules.positions.position import Piece, Place, Position
    from rules.positions.position_store import save_position

    def piece(id_, side, hex_):
        return Piece(Unit(id_, id_, side, class_="infantry"), Place("hex", hex_))

    path = tmp_path / "may.position.json"
    pieces = {"a": piece("a", "it", "0101"), "b": piece("b", "ah", "0303")}
    save_position(path, Position("strafexpedition", pieces=pieces, control={"0403": "ah"}))
    about = [str(map_file), *GAME, "--side", "it", "--position", str(path)]
    result = mapkit_cli("rules", "supply-side", *about)
    assert result.exit_code == 0, result.stderr
    assert "a: 0101 is out of supply (Italian) [10.2]" in result.stdout
    assert "restored if b would go [10.2.2]" in result.stdout


def test_a_unit_with_its_values_hears_what_is_due(mapkit_cli, map_file):
    words = ["rules", "supply", str(map_file), "0101", *GAME, "--side", "it"]
    unit = ["--class", "infantry", "--value", "morale=3", "--status", "disorganization=2"]
    result = mapkit_cli(*words, *unit, "--enemy", "0303:infantry", "--enemy", "0201:infantry")
    assert "0101 surrenders (phase 5)" in result.stdout
    wrong = mapkit_cli(*words, "--class", "infantry", "--value", "morale=high")
    assert wrong.exit_code == 1
    assert "a whole number or a fraction is missing" in wrong.stderr
    assert mapkit_cli(*words, *unit[:2], "--status", "asleep").exit_code == 1


def test_guns_over_the_road_of_a_headquarters(mapkit_cli, map_file):
    words = ["rules", "supply", str(map_file), "0101", *GAME, "--side", "it"]
    hq = ["--class", "headquarters", "--gun", "0401:4"]
    result = mapkit_cli(*words, *hq)
    assert result.exit_code == 0, result.stderr
    assert "enemy guns interdict it" in result.stdout
    assert "0401 commands " in result.stdout


def test_many_hexes_are_listed_in_part(mapkit_cli, tmp_path):
    path = tmp_path / "plain.hexmap.json"
    save_map(path, board(*[" ".join([".1"] * 9)] * 9))
    told = mapkit_cli("rules", "field", str(path), "0505", *GAME).stdout
    assert "seen: 0101 " in told
    assert "more; --json lists all" in told
