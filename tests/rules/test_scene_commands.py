"""The judges asked about a game in progress: by unit, in its weather, saved and verified."""

import json

import pytest
import typer.main

from counters.model import Face, Unit
from mapkit.maps import save_map
from rules.positions.position import Marker, Piece, Place, Position
from rules.positions.position_store import load_position, save_position
from rules.rules_commands import rules_commands
from tests.boards import board, field

GAME = "strafexpedition"


def piece(id_, side, class_, at, statuses=None, **values):
    unit = Unit(id_, id_.title(), side, class_=class_, faces=(Face("front", values),))
    return Piece(unit, Place("hex", at), statuses or {})


PIECES = (
    piece("it-1", "it", "infantry", "0505", {"disorganization": 1}, combat=4, movement=5, morale=6),
    piece("it-hq", "it", "headquarters", "0507", command_range=4),
    piece("it-gun", "it", "field_artillery", "0508", {"fire_mode": 1}, range=8),
    piece("ah-1", "ah", "infantry", "0605", combat=9, morale=6),
)
OFF = Piece(Unit("it-2", "Late", "it", class_="alpini"), Place("off_map"))


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "plain.hexmap.json"
    save_map(path, board(*field(9, 9, word=".2"), links={"road": "0501-0502-0503"}))
    return path


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.position.json"
    pieces = {one.unit.id: one for one in (*PIECES, OFF)}
    save_position(path, Position(GAME, "s4", weather="rain", pieces=pieces))
    return path


@pytest.fixture
def ask(mapkit_cli, map_file, game):
    def run(judge, *words):
        return mapkit_cli("rules", judge, map_file, *words, "--position", game)

    return run


ON_MAP = {
    "sight": ("it-1", "ah-1"),
    "field": ("it-1",),
    "supply": ("it-1",),
    "reach": ("it-1",),
    "stack": ("it-1",),
    "command": ("it-hq", "--unit", "it-1"),
    "retreat": ("it-1", "--from", "ah-1"),
    "withdraw": ("it-1",),
    "rout": ("it-1",),
    "observers": ("ah-1", "--side", "it", "--hq", "it-hq"),
    "fire-line": ("it-gun", "ah-1", "--hq", "it-hq"),
    "zones": ("ah-1",),
    "may": None,  # its task comes before the unit
    "combat": None,
}


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        ("sight", "clear"),
        ("field", "field"),
        ("supply", "unknown"),
        ("reach", "unknown"),
        ("stack", "within"),
        ("command", "in_command"),
        ("retreat", "retreats"),
        ("withdraw", "unknown"),  # no such rule in this game
        ("rout", "unknown"),
        ("observers", "observed"),
        ("fire-line", "no_rule"),
        ("zones", "zone"),
    ],
)
def test_a_unit_stands_where_the_position_says(ask, judge, verdict):
    result = ask(judge, *ON_MAP[judge], "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["verdict"] == verdict


def test_the_game_of_a_bare_map_and_the_weather_are_those_of_the_position(ask):
    data = json.loads(ask("sight", "it-1", "0905", "--json").stdout)
    assert (data["weather"], data["range"]) == ("rain", 2)
    other = json.loads(ask("sight", "it-1", "0905", "--weather", "clear", "--json").stdout)
    assert (other["weather"], other["range"]) == ("clear", 6)


def test_what_the_counter_prints_is_read_and_may_be_named_instead(ask):
    dry = ("--weather", "clear")
    assert "with 5 points" in ask("reach", "it-1", *dry).stdout
    assert "with 3 points" in ask("reach", "it-1", *dry, "--points", "3").stdout
    assert "nobody knows its allowance" in ask("reach", "ah-1").stderr
    assert "3 of 4 hexes" in ask("command", "it-hq", "--unit", "it-1").stdout
    assert "3 of 5 hexes" in ask("command", "it-hq", "--range", "5", "--unit", "it-1").stdout


def test_counters_named_on_the_spot_are_added(ask):
    alone = json.loads(ask("retreat", "it-1", "--from", "ah-1", "--json").stdout)
    more = ("--enemy", "0404", "--friend", "0506")
    pressed = json.loads(ask("retreat", "it-1", "--from", "ah-1", *more, "--json").stdout)
    assert "0404" in alone["to"]
    assert "0404" in pressed["barred"]
    assert "0605" in pressed["barred"]
    clash = ask("supply", "it-1", "--enemy", "0505")
    assert (clash.exit_code, clash.stdout) == (1, "")
    assert "both stand in 0505" in clash.stderr


def test_a_unit_of_the_position_comes_into_the_stack(ask):
    data = json.loads(ask("stack", "0505", "--json").stdout)
    joined = ("--unit", "it-2", "--unit", "infantry")
    more = json.loads(ask("stack", "0505", *joined, "--json").stdout)
    assert (data["units"], more["units"], more["verdict"]) == (1, 3, "over")


def test_a_marker_of_the_position_is_on_the_ground_and_in_the_certificate(
    mapkit_cli, ask, game, tmp_path
):
    position = load_position(game)
    laid = Position(
        GAME, "s4", pieces=position.pieces, markers=(Marker("trench", "0505", side="it", n=2),)
    )
    save_position(game, laid, force=True)
    ruling = tmp_path / "ruling.json"
    assert ask("sight", "it-1", "ah-1", "--save", ruling).exit_code == 0
    assert json.loads(ruling.read_text("utf-8"))["position"]["markers"][0]["at"] == "0505"
    tested = json.loads(mapkit_cli("rules", "verify", ruling, "--json").stdout)
    assert (tested["outcome"], tested["why"]) == ("not_verifiable", "position")
    assert tested["asked_again"]


def test_who_holds_a_source_is_part_of_a_question_about_supply(mapkit_cli, game, tmp_path):
    first, *rows = field(12, 4, word=".2")
    either_sides = f"{first.rpartition(' ')[0]} .S2"  # 1201 belongs to whoever holds it [10.2.3]
    map_file, ruling = tmp_path / "held.hexmap.json", tmp_path / "ruling.json"
    save_map(map_file, board(either_sides, *rows, links={"road": "1101-1201"}))
    unit = piece("it-1", "it", "infantry", "1102")
    for holder, verdict in (("it", "in_supply"), ("ah", "unknown")):
        held = Position(GAME, "s4", pieces={"it-1": unit}, control={"1201": holder})
        save_position(game, held, force=True)
        words = ("rules", "supply", map_file, "it-1", "--position", game, "--force")
        told = json.loads(mapkit_cli(*words, "--save", ruling, "--json").stdout)
        assert told["verdict"] == verdict
        tested = json.loads(mapkit_cli("rules", "verify", ruling, "--json").stdout)
        assert (tested["why"], tested["asked_again"]) == ("position", True), tested


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("supply", "0605", "--side", "it"), "0605: the enemy stands there; ask for a hex of 'it'"),
        (("supply", "it-3"), "'it-3' is no hex of the map, and the position has no unit 'it-3'"),
        (("supply", "it-2"), "it-2 does not stand on this map; its place is: off_map"),
        (("supply", "0101"), "whose unit is it in 0101? say --side"),
        (("supply", "it-1", "--side", "ah"), "it-1 is of the side 'it', not 'ah'"),
        (("supply", "it-1", "--class", "alpini"), "--class: the position tells it of it-1"),
        (("supply", "0101", "--side", "it", "--value", "morale=3"), "name its --class too"),
        (
            ("supply", "0101", "--side", "it", "--class", "infantry", "--value", "moral=3"),
            "no printed value 'moral'; there is: ",
        ),
        (
            ("reach", "0505"),
            "which unit in 0505? name its --class, or a unit by its id (it-1 stands there)",
        ),
        (("retreat", "0505", "--from", "0605"), "which unit in 0505? name its --class"),
        (("withdraw", "it-1", "--reacting-to", "0101"), "0101: no enemy stands there"),
        (("withdraw", "it-1", "--enemy", "0505"), "a friend and an enemy both stand in 0505"),
        (("rout", "it-1", "--enemy", "0505"), "a friend and an enemy both stand in 0505"),
        (("observers", "0605", "--side", "it", "--range", "3"), "name it with --hq HEX"),
        (("command", "it-hq", "--source", "0501"), "add --place"),
        (("fire-line", "it-gun", "0605", "--reach", "3"), "--reach: the position tells it"),
    ],
)
def test_what_contradicts_the_position_is_one_clear_line(ask, words, message):
    result = ask(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_project_names_its_positions(mapkit_cli, map_file, game, tmp_path):
    folder = tmp_path / "project"
    assert mapkit_cli("project", "new", folder, "--game", GAME, "--map", map_file).exit_code == 0
    (folder / "may-15.position.json").write_bytes(game.read_bytes())
    file = folder / "project.toml"
    listed = 'positions = ["may-15.position.json"]\n' + file.read_text("utf-8")
    file.write_text(listed, "utf-8")
    words = ("rules", "zones", folder, "it-1", "--position")
    assert mapkit_cli(*words, "may-15").exit_code == 0
    nobody = mapkit_cli(*words, "june")
    assert nobody.exit_code == 1
    assert "there is no position file june; the project 'project' lists: may-15" in nobody.stderr


def test_a_position_of_another_game_is_refused(mapkit_cli, map_file, game):
    words = ("rules", "zones", map_file, "it-1", "--game", "caporetto-1917", "--position", game)
    result = mapkit_cli(*words)
    assert result.exit_code == 1
    assert "the position is of 'strafexpedition'" in result.stderr


def questions(map_file, game):
    """Every command that saves a ruling, with a question to save."""
    played = ("--position", game)
    asked = {judge: (map_file, *words, *played) for judge, words in ON_MAP.items() if words}
    return asked | {
        "may": (map_file, "rally", "it-1", *played),
        "combat": (map_file, "assault", "--at", "it-1", "--from", "ah-1", "--roll", "3", *played),
        "table": (GAME, "reaction", "--value", "initiative=4", "--roll", "3"),
        "activation": (GAME, "--side", "it", "--guns", "13", *played),
        "victory": (map_file, game, "--final"),
    }


def test_every_command_with_save_is_among_the_questions(map_file, game):
    commands = typer.main.get_command(rules_commands).commands
    saving = {
        name
        for name, one in commands.items()
        if any("--save" in option.opts for option in one.params)
    }
    assert saving == set(questions(map_file, game))


@pytest.mark.parametrize(
    "judge", [*ON_MAP, "table", "activation", "victory", "may game", "combat game", "placement"]
)
@pytest.mark.parametrize("ending", ["json", "html"])
def test_a_saved_ruling_is_reproduced(mapkit_cli, map_file, game, tmp_path, judge, ending):
    words = {
        **questions(map_file, game),
        "may game": (GAME, "rally", "--side", "it", "--with", "disorganization=1"),
        "combat game": (GAME, "assault", "--attack", "11", "--defend", "3", "--seed", "7"),
        "placement": (map_file, "it-hq", "--place", "--unit", "it-1", "--position", game),
    }[judge]
    verb = {"placement": "command"}.get(judge, judge.partition(" ")[0])
    ruling = tmp_path / f"ruling.{ending}"
    told = mapkit_cli("rules", verb, *words)
    assert told.exit_code == 0, told.stderr
    assert mapkit_cli("rules", verb, *words, "--save", ruling).stdout == told.stdout
    result = mapkit_cli("rules", "verify", ruling, "--json")
    tested = json.loads(result.stdout)
    assert (result.exit_code, tested["asked_again"]) == (0, True), tested
    assert tested["outcome"] == (
        "verified" if judge in ("sight", "field", "supply") else "not_verifiable"
    )


@pytest.mark.parametrize("judge", ["stack", "table", "activation", "combat"])
def test_a_declared_ruling_binds(mapkit_cli, map_file, game, tmp_path, judge):
    log = tmp_path / "game.protocol.jsonl"
    assert mapkit_cli("rules", "protocol", "start", log).exit_code == 0
    words = ("rules", judge, *questions(map_file, game)[judge], "--declare", log)
    assert "declared: no. 1" in mapkit_cli(*words).stderr
    assert "asked before: no. 1" in mapkit_cli(*words).stderr
    assert mapkit_cli("rules", "protocol", "check", log).exit_code == 0


def test_a_forged_ruling_without_a_map_differs(mapkit_cli, map_file, game, tmp_path):
    ruling = tmp_path / "ruling.json"
    words = questions(map_file, game)["activation"]
    assert mapkit_cli("rules", "activation", *words, "--save", ruling).exit_code == 0
    text = ruling.read_text("utf-8")
    ruling.write_text(text.replace('"guns": 13', '"guns": 1'), "utf-8")
    result = mapkit_cli("rules", "verify", ruling, "--json")
    assert (result.exit_code, json.loads(result.stdout)["outcome"]) == (1, "differs")


def test_several_rulings_are_declared_but_not_saved_in_one_file(ask, mapkit_cli, tmp_path):
    two = ("command", "it-hq", "--unit", "it-1", "--unit", "it-gun")
    refused = ask(*two, "--save", tmp_path / "two.json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "holds one ruling, and these are 2" in refused.stderr
    log = tmp_path / "game.protocol.jsonl"
    mapkit_cli("rules", "protocol", "start", log)
    assert "no. 2 of" in ask(*two, "--declare", log).stderr


def test_the_points_a_side_holds_are_those_of_the_position(mapkit_cli, game):
    held = Position(GAME, "s4", points={"it": {"logistics_points": 2}})
    save_position(game, held, force=True)
    words = ("rules", "activation", GAME, "--side", "it", "--guns", "13")
    assert mapkit_cli(*words).stdout.startswith("the activation costs 4 points")
    poor = mapkit_cli(*words, "--position", game).stdout
    assert poor.startswith("no activation")
    assert "the box of the display: 11-15" in poor


def test_a_retreat_tells_why_not_to_hexes_of_a_lesser_kind(ask):
    told = ask("retreat", "it-1", "--from", "ah-1", "--friend", "0504").stdout
    assert "not to 0504: it is of kind C, and A comes first" in told
