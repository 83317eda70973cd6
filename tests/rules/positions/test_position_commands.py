"""Positions from the command line: begun, changed, undone, compared, checked, drawn."""

import json
from dataclasses import replace

import pytest
from PIL import Image

from mapkit.maps import save_map
from rules.positions.position import Marker, Place
from rules.positions.position_store import load_position
from tests.boards import board, field
from tests.rules.positions.test_position_check import printed

UNIT = "it-cagliari-64-i"


@pytest.fixture
def game(mapkit_cli, tmp_path):
    path = tmp_path / "game.position.json"
    made = mapkit_cli("rules", "position", "new", "strafexpedition", "--scenario", "s4", "-o", path)
    assert (made.exit_code, made.stdout) == (0, "")
    assert "38 units, 27 on the map" in made.stderr
    return path


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "alps.hexmap.json"
    save_map(path, printed(50, 40))
    return path


def test_a_position_is_shown_by_hex_and_by_formation(mapkit_cli, game):
    by_hex = mapkit_cli("rules", "position", "show", game).stdout
    assert "1232\n  64/I (Infantry): reduced, 1 step lost [it-cagliari-64-i]" in by_hex
    assert "1331 trench 1 (Italian)" in by_hex
    assert "to be placed: behind the front line" in by_hex
    by_formation = mapkit_cli("rules", "position", "show", game, "--by", "formation").stdout
    assert "  1232 64/I (Infantry)" in by_formation
    data = json.loads(mapkit_cli("rules", "position", "show", game, "--json").stdout)
    assert (data["turn"], len(data["units"]), len(data["markers"])) == (1, 38, 8)
    gun = next(one for one in data["units"] if one["id"] == "it-field-artillery-1")
    assert (gun["place"], gun["statuses"]) == ("unplaced", {"move_mode": 1})


def test_the_units_are_written_as_a_table_that_begins_the_game_again(mapkit_cli, game, tmp_path):
    table, again = tmp_path / "units.csv", tmp_path / "again.position.json"
    mapkit_cli("rules", "position", "set", game, UNIT, "disorganization=2", "facing=3")
    written = mapkit_cli("rules", "position", "show", game, "--csv", table)
    assert (written.exit_code, written.stdout) == (0, ""), written.stderr
    assert "38 units" in written.stderr
    words = ("rules", "position", "new", "strafexpedition", "--units", table, "-o", again)
    assert mapkit_cli(*words).exit_code == 0
    assert load_position(again).pieces == load_position(game).pieces
    kept = table.read_bytes()
    refused = mapkit_cli("rules", "position", "show", game, "--csv", table)
    assert (refused.exit_code, table.read_bytes()) == (1, kept)
    assert "exists; give --force" in refused.stderr
    assert mapkit_cli("rules", "position", "show", game, "--csv", table, "--force").exit_code == 0


def test_changes_undone_and_made_again(mapkit_cli, game):
    start = load_position(game)
    for done in (
        mapkit_cli("rules", "position", "place", game, UNIT, "it-ancona-70-i", "1233"),
        mapkit_cli("rules", "position", "set", game, UNIT, "disorganization=2", "activated"),
        mapkit_cli("rules", "position", "set", game, UNIT, "hidden_from=ah", "facing=3"),
        mapkit_cli("rules", "position", "mark", game, "trench", "1233", "2", "--side", "it"),
        mapkit_cli("rules", "position", "turn", game, "2", "--phase", "5"),
        mapkit_cli("rules", "position", "weather", game, "rain"),
        mapkit_cli("rules", "position", "points", game, "it", "logistics_points", "3"),
        mapkit_cli("rules", "position", "control", game, "it", "1233", "1234"),
        mapkit_cli("rules", "position", "note", game, "the", "rain", "sets", "in"),
    ):
        assert (done.exit_code, done.stdout) == (0, ""), done.stderr
        assert "made and saved" in done.stderr
    now = load_position(game)
    piece = now.pieces[UNIT]
    assert piece.place == now.pieces["it-ancona-70-i"].place == Place("hex", "1233")
    assert piece.statuses == {"disorganization": 2, "activated": 1}
    assert (piece.steps_lost, piece.hidden_from, piece.facing) == (1, ("ah",), 3)
    assert Marker("trench", "1233", side="it", n=2) in now.markers
    assert (now.clock.turn, now.clock.phase, now.weather) == (2, "5", "rain")
    assert now.points["it"] == {"logistics_points": 3}
    assert now.control == {"1233": "it", "1234": "it"}
    assert (now.log[0].turn, now.log[0].text) == (2, "the rain sets in")
    for _ in range(9):
        assert mapkit_cli("rules", "position", "undo", game).exit_code == 0
    assert load_position(game) == start
    for _ in range(9):
        assert mapkit_cli("rules", "position", "redo", game).exit_code == 0
    assert load_position(game) == now


def test_the_weather_follows_the_calendar(mapkit_cli, tmp_path):
    path = tmp_path / "game.position.json"
    mapkit_cli("rules", "position", "new", "caporetto-1917", "--scenario", "1", "-o", path)
    mapkit_cli("rules", "position", "turn", path, "2")
    assert load_position(path).weather == "light_rain"


def test_a_marker_is_taken_away(mapkit_cli, game):
    before = len(load_position(game).markers)
    words = ("mark", game, "trench", "1331", "--side", "it", "--remove")
    assert mapkit_cli("rules", "position", *words).exit_code == 0
    assert len(load_position(game).markers) == before - 1


@pytest.mark.parametrize(
    "words",
    [
        ("place", UNIT, "9999"),
        ("control", "it", "1233", "9999"),
        ("mark", "trench", "9999", "1"),
        ("mark", "blown_bridge", "9998/9999"),
    ],
)
def test_a_hex_that_no_map_at_hand_has_is_refused(mapkit_cli, game, map_file, tmp_path, words):
    before = game.read_bytes()
    verb, *rest = words
    refused = mapkit_cli("rules", "position", verb, game, *rest, "--on", map_file)
    assert (refused.exit_code, refused.stdout, game.read_bytes()) == (1, "", before)
    assert "there is no hex 999" in refused.stderr
    assert refused.stderr.count("\n") == 1
    folder = tmp_path / "alps"
    mapkit_cli("project", "new", folder, "--game", "strafexpedition", "--map", map_file)
    beside = folder / "game.position.json"
    beside.write_bytes(before)
    assert "there is no hex" in mapkit_cli("rules", "position", verb, beside, *rest).stderr
    if verb != "mark":
        assert mapkit_cli("rules", "position", verb, game, *rest).exit_code == 0, "nobody can tell"


def test_a_unit_lies_in_a_box_of_the_display_or_of_a_formation(mapkit_cli, game):
    for box in ("box:surrendered", "box:6-10", "box:cagliari"):
        assert mapkit_cli("rules", "position", "place", game, UNIT, box).exit_code == 0


def test_the_map_of_another_game_is_refused(mapkit_cli, game, map_file, tmp_path):
    folder = tmp_path / "isonzo"
    mapkit_cli("project", "new", folder, "--game", "caporetto-1917", "--map", map_file)
    refused = mapkit_cli("rules", "position", "place", game, UNIT, "1233", "--on", folder)
    assert refused.exit_code == 1
    assert "the position is of 'strafexpedition'" in refused.stderr


def test_a_unit_goes_by_its_name_where_that_is_enough(mapkit_cli, game):
    assert mapkit_cli("rules", "position", "place", game, "64/i", "box:eliminated").exit_code == 0
    assert load_position(game).pieces[UNIT].place == Place("box", "eliminated")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("place", "nobody", "1233"), "the position has no unit 'nobody'"),
        (("place", "Field artillery 1", "1233"), "several units are called"),
        (("place", "cagliari", "1233"), "did you mean it-cagliari-63-i"),
        (("place", UNIT, "box:nowhere"), "no box 'nowhere'; there is: surrendered, eliminated"),
        (("place", UNIT, "edge:Q"), "no edge of the map 'Q'; there is: N, NE"),
        (("place", UNIT, "banana"), "or write box:NAME, edge:N, off_map or unplaced"),
        (("set", UNIT, "asleep"), "has no state 'asleep'"),
        (("set", UNIT, "fire_mode"), "cannot be 'fire_mode'"),
        (("set", UNIT, "steps_lost=5"), "write 0 to 2"),
        (("set", UNIT, "facing=9"), "write 0 to 5"),
        (("set", UNIT, "hidden_from=pink"), "has no side 'pink'"),
        (("mark", "mine", "1233"), "has no marker 'mine'; there is: trench"),
        (("mark", "trench", "1233"), "needs its number [18.1]"),
        (("mark", "trench", "1233", "4"), "goes up to 3"),
        (("mark", "trench", "1233/1234", "1"), "lies on a hex, and 1233/1234 is a hexside"),
        (("mark", "trench", "0101", "--remove"), "no marker 'trench' lies on 0101"),
        (("turn", "99"), "there is no turn 99; the last is 2"),
        (("turn", "2", "--phase", "99"), "has no phase '99'"),
        (("weather", "hail"), "has no weather 'hail'"),
        (("points", "pink", "lp", "3"), "has no side 'pink'"),
        (("points", "it", "logistic_points", "3"), "there is: logistics_points"),
        (("control", "pink", "1233"), "has no side 'pink'"),
        (("undo",), "nothing to undo"),
        (("redo",), "nothing to redo"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(mapkit_cli, game, words, told):
    before = game.read_bytes()
    verb, *rest = words
    result = mapkit_cli("rules", "position", verb, game, *rest)
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
    assert game.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new", "chess", "-o", "x.position.json"), "no rules pack 'chess'"),
        (("new", "strafexpedition", "--scenario", "s9", "-o", "x.position.json"), "no scenario"),
        (("show", "nothing.position.json"), "nothing.position.json"),
    ],
)
def test_a_wrong_beginning_is_refused(mapkit_cli, words, told):
    result = mapkit_cli("rules", "position", *words)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_new_game_does_not_overwrite_one(mapkit_cli, game):
    words = ("new", "strafexpedition", "--scenario", "s1", "-o", game)
    refused = mapkit_cli("rules", "position", *words)
    assert (refused.exit_code, "--force" in refused.stderr) == (1, True)
    assert mapkit_cli("rules", "position", *words, "--force").exit_code == 0
    assert load_position(game).scenario == "s1"


def test_a_game_begins_from_a_project_and_a_table(mapkit_cli, map_file, tmp_path):
    folder, table = tmp_path / "alps", tmp_path / "units.csv"
    named = ("project", "new", str(folder), "--game", "strafexpedition", "--map", str(map_file))
    assert mapkit_cli(*named).exit_code == 0
    table.write_text("id,name,side,class,place\na,A,it,infantry,1233\n", encoding="utf-8")
    out = tmp_path / "own.position.json"
    made = mapkit_cli("rules", "position", "new", folder, "--units", table, "-o", out)
    assert made.exit_code == 0, made.stderr
    assert load_position(out).pieces["a"].place == Place("hex", "1233")
    assert mapkit_cli("rules", "position", "check", folder, out).exit_code == 0
    bare = mapkit_cli("rules", "position", "new", map_file, "-o", tmp_path / "x.position.json")
    assert (bare.exit_code, "names no game" in bare.stderr) == (1, True)


def test_two_positions_are_compared(mapkit_cli, game, tmp_path):
    before = tmp_path / "before.position.json"
    before.write_bytes(game.read_bytes())
    same = mapkit_cli("rules", "position", "diff", before, game)
    assert (same.exit_code, same.stdout) == (0, "the positions are the same\n")
    mapkit_cli("rules", "position", "place", game, UNIT, "1233")
    mapkit_cli("rules", "position", "set", game, UNIT, "disorganization=2")
    mapkit_cli("rules", "position", "weather", game, "rain")
    told = mapkit_cli("rules", "position", "diff", before, game).stdout
    assert f"{UNIT} place: 1232 → 1233" in told
    assert f"{UNIT} statuses: reduced → disorganization 2; reduced" in told
    assert "weather: nothing → rain" in told
    data = json.loads(mapkit_cli("rules", "position", "diff", before, game, "--json").stdout)
    assert {one["what"] for one in data} == {"unit", "weather"}


def test_a_position_is_checked_on_its_map(mapkit_cli, game, map_file):
    sound = mapkit_cli("rules", "position", "check", map_file, game)
    assert (sound.exit_code, sound.stdout.splitlines()[0]) == (
        0,
        "errors: 0, warnings: 2, to look at: 0",
    )
    mapkit_cli("rules", "position", "place", game, UNIT, "1432")
    wrong = mapkit_cli("rules", "position", "check", map_file, game, "--json")
    assert wrong.exit_code == 1
    found = {one["code"] for one in json.loads(wrong.stdout)}
    assert {"enemies", "set_up_broken"} <= found


def test_a_position_is_drawn_and_never_drawn_over(mapkit_cli, game, map_file, tmp_path):
    picture = tmp_path / "game.png"
    words = ("draw", map_file, game, "-o", picture, "--px", "40")
    assert mapkit_cli("rules", "position", *words).exit_code == 0
    with Image.open(picture) as image:
        assert image.width > 200
    assert "--force" in mapkit_cli("rules", "position", *words).stderr
    svg = tmp_path / "game.svg"
    mapkit_cli(
        "rules",
        "position",
        "draw",
        map_file,
        game,
        "-o",
        svg,
        "--seen-by",
        "AH",
        "--around",
        "1232",
    )
    assert "64/I" in svg.read_text(encoding="utf-8")


def test_recover_chooses(mapkit_cli, game):
    mapkit_cli("rules", "position", "weather", game, "rain")
    again = mapkit_cli("rules", "position", "recover", game, "--choose", "keep_file")
    assert again.exit_code == 0


def test_a_map_without_the_hexes_says_so(mapkit_cli, game, tmp_path):
    small = tmp_path / "small.hexmap.json"
    save_map(small, replace(board(*field(3, 3)), title="small"))
    result = mapkit_cli("rules", "position", "draw", small, game, "-o", tmp_path / "x.png")
    assert (result.exit_code, "stands on no hex of the map" in result.stderr) == (1, True)
