"""Stacking, command, activation and retreat from the command line."""

import json

import pytest
from PIL import Image

from mapkit.maps import save_map
from tests.boards import board, field

S = ("--game", "strafexpedition")
C = ("--game", "caporetto-1917")


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "plain.hexmap.json"
    save_map(path, board(*field(9, 9, word=".2"), links={"road": "0101-0201"}))
    return str(path)


def test_stacking_is_told_with_its_rules(mapkit_cli, map_file):
    units = ["--unit", "infantry", "--unit", "alpini", "--unit", "militia", "--unit", "fortress"]
    result = mapkit_cli("rules", "stack", map_file, "0303", *S, *units)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:3] == [
        "0303: too many stand there [12.1]",
        "  Italian: 3 of 2 (units) [12.1]",
        "  fortress: counts for nothing [12.6]",
    ]
    assert "[12.7]" in result.stdout


def test_stacking_of_both_sides_as_data(mapkit_cli, map_file):
    two = ["infantry:battalion"] * 2
    ours = [word for one in two for word in ("--unit", one)]
    theirs = [word for one in two for word in ("--enemy", one)]
    result = mapkit_cli("rules", "stack", map_file, "0303", *C, *ours, *theirs, "--json")
    data = json.loads(result.stdout)
    assert (data["verdict"], data["units"], set(data["sides"])) == ("within", 4, {"it", "ahg"})


def test_stacking_at_set_up(mapkit_cli, map_file):
    units = [word for n in "123" for word in ("--unit", f"infantry:battalion:{n}/I")]
    words = ["rules", "stack", map_file, "0303", *C, "--side", "AHG", *units, "--json"]
    assert json.loads(mapkit_cli(*words).stdout)["verdict"] == "over"
    data = json.loads(mapkit_cli(*words, "--scenario", "s1", "--set-up").stdout)
    assert data["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("lang", "told"),
    [("de", "0303: alle dürfen dort stehen"), ("it", "0303: possono starci tutte")],
)
def test_stacking_speaks_german_and_italian(mapkit_cli, map_file, lang, told):
    result = mapkit_cli("--lang", lang, "rules", "stack", map_file, "0303", *S, "--unit", "alpini")
    assert told in result.stdout


def test_command_of_several_units(mapkit_cli, map_file):
    words = ["--side", "it", "--range", "2", "--unit", "0404", "--unit", "0909"]
    result = mapkit_cli("rules", "command", map_file, "0303", *S, *words)
    assert "0404 is in command (Italian) [8.1]" in result.stdout
    assert "0909 is out of command (Italian) [8.1]" in result.stdout
    data = json.loads(mapkit_cli("rules", "command", map_file, "0303", *S, *words, "--json").stdout)
    assert [one["verdict"] for one in data] == ["in_command", "out_of_command"]


def test_command_without_a_range_asks_for_it(mapkit_cli, map_file):
    result = mapkit_cli("rules", "command", map_file, "0303", *S, "--side", "it")
    assert "give it with --range" in result.stdout


def test_the_whole_range_and_where_to_place(mapkit_cli, map_file):
    words = ["rules", "command", map_file, "0303", *S, "--side", "it", "--range", "1", "--json"]
    assert len(json.loads(mapkit_cli(*words).stdout)["covers"]) == 7
    placing = [*words, "--place", "--unit", "0304"]
    assert json.loads(mapkit_cli(*placing).stdout)["verdict"] == "unknown"  # no supply source
    legal = mapkit_cli(*placing, "--source", "0101")
    assert json.loads(legal.stdout)["verdict"] == "legal"


def test_activation_is_told(mapkit_cli):
    result = mapkit_cli("rules", "activation", "strafexpedition", "--side", "IT", "--guns", "13")
    assert result.stdout.startswith("the activation costs 4 points (Italian, guns: 13) [8.3]")
    words = ["--side", "it", "--guns", "3", "--unplanned", "--initiative", "3", "--json"]
    data = json.loads(mapkit_cli("rules", "activation", "caporetto-1917", *words).stdout)
    assert (data["verdict"], data["cost"], data["box"]) == ("allowed", 4, "1-5")
    wrong = mapkit_cli("rules", "activation", "strafexpedition", "--side", "french")
    assert wrong.exit_code == 1
    assert "there is: it, ah" in wrong.stderr


def test_retreat_is_told_and_as_data(mapkit_cli, map_file):
    words = ["--side", "it", "--class", "infantry", "--from", "0403"]
    result = mapkit_cli("rules", "retreat", map_file, "0404", *S, *words)
    assert result.stdout.startswith("infantry retreats from 0404 to one of the hexes named")
    assert "not to 0403: an assault came from there [13.4.5]" in result.stdout
    data = json.loads(mapkit_cli("rules", "retreat", map_file, "0404", *S, *words, "--json").stdout)
    assert data["to"] == ["0305", "0405", "0505"]
    back = ["--side", "ah", "--class", "infantry", "--attacked-from", "0403", "--json"]
    data = json.loads(mapkit_cli("rules", "retreat", map_file, "0404", *S, *back).stdout)
    assert (data["verdict"], data["to"]) == ("origin", "0403")


@pytest.fixture
def tione(mapkit_cli, tmp_path):
    """A project of Custoza whose owner has entered what a zone is, made up."""
    path = tmp_path / "tione.hexmap.json"
    save_map(path, board(*field(9, 9, word=".1")))
    folder = tmp_path / "tione"
    mapkit_cli("project", "new", str(folder), "--game", "custoza", "--map", str(path))
    owner = folder / "custoza.owner.toml"
    owner.write_text(OWNER, encoding="utf-8")
    file = folder / "project.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('game = "custoza"', f'game = "custoza"\nowner = "{owner.name}"'))
    return str(folder)


OWNER = """\
format = "mapkit-owner/1"
game = "custoza"
[values]
terrain.clear.cite = "TEC"
zones.exerted_by = ["combat"]
zones.only_where_it_could_move = false
zones.effects.on_entry = "go_on"
zones.effects.on_entry_cite = "11.1"
zones.cite = "11.1"
"""


def test_withdrawal_is_told_drawn_and_verified(mapkit_cli, tione, tmp_path):
    unit = (tione, "0505", "--side", "it", "--class", "infantry")
    near = ("--enemy", "0504:infantry")
    told = mapkit_cli("rules", "withdraw", *unit, *near)
    assert told.stdout.startswith("infantry withdraws from 0505 by one of the ways named")
    assert "[12.1]" in told.stdout
    data = json.loads(
        mapkit_cli("rules", "withdraw", *unit, *near, "--reacting-to", "0504", "--json").stdout
    )
    assert (data["verdict"], data["cites"][0]) == ("withdraws", "11.5.5")
    data = json.loads(
        mapkit_cli("rules", "withdraw", *unit, *near, "--failed-check", "--json").stdout
    )
    assert (data["verdict"], data["cites"][0]) == ("withdraws", "13.4")
    both = mapkit_cli("rules", "withdraw", *unit, "--reacting-to", "0504", "--failed-check")
    assert (both.exit_code, "one of the two" in both.stderr) == (1, True)
    picture, ruling = tmp_path / "w.png", tmp_path / "w.json"
    mapkit_cli("rules", "withdraw", *unit, *near, "--picture", str(picture), "--save", str(ruling))
    with Image.open(picture) as image:
        assert image.width > 200
    assert "to the last word" in mapkit_cli("rules", "verify", str(ruling), "--map", tione).stdout


@pytest.mark.parametrize("command", ["withdraw", "rout"])
def test_a_unit_without_a_position_is_no_hex(mapkit_cli, tione, command):
    for words in ((), ("--side", "it"), ("--side", "it", "--class", "infantry")):
        result = mapkit_cli("rules", command, tione, "it-29-pisa", *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "'it-29-pisa' is not a label of this map" in result.stderr


def test_a_rout_is_told_drawn_and_verified(mapkit_cli, tione, tmp_path):
    unit = (tione, "0505", "--side", "it", "--class", "infantry")
    assert "shows no supply source" in mapkit_cli("rules", "rout", *unit).stdout
    told = mapkit_cli("rules", "rout", *unit, "--source", "0509", "--enemy", "0507:infantry")
    assert told.stdout.startswith(
        "infantry in 0505 routs and is kept among the routed units [13.5]"
    )
    picture, ruling = tmp_path / "r.png", tmp_path / "r.json"
    files = ("--picture", str(picture), "--save", str(ruling))
    mapkit_cli("rules", "rout", *unit, "--source", "0509", "--enemy", "0509:infantry", *files)
    assert json.loads(ruling.read_text("utf-8"))["ruling"]["verdict"] == "eliminated"
    with Image.open(picture) as image:
        assert image.width > 200
    assert "to the last word" in mapkit_cli("rules", "verify", str(ruling), "--map", tione).stdout


def test_enemies_are_told_of_only_where_some_are_about(mapkit_cli, map_file):
    asked = ("rules", "command", map_file, "0303", *S, "--side", "it", "--range", "2")
    far = mapkit_cli(*asked, "--unit", "0909").stdout
    assert "no way of 2 hexes or fewer leads there [8.1]" in far
    assert "enemy" not in far
    assert "past the enemy" in mapkit_cli(*asked, "--unit", "0909", "--enemy", "0606").stdout


def test_other_assaults_of_the_activation_bar_a_retreat(mapkit_cli, map_file, tmp_path):
    """They do in one game and not in the other; a saved ruling keeps them."""
    saved = tmp_path / "ruling.json"
    words = ("--side", "it", "--class", "infantry", "--from", "0403", "--other-from", "0505")
    for game, barred in ((C, {"0403", "0505"}), (S, {"0403"})):
        asked = ("rules", "retreat", map_file, "0404", *game, *words, "--json")
        assert set(json.loads(mapkit_cli(*asked).stdout)["barred"]) == barred
    mapkit_cli("rules", "retreat", map_file, "0404", *C, *words, "--save", str(saved))
    assert json.loads(saved.read_text("utf-8"))["question"]["others"] == ["0505"]
    again = mapkit_cli("rules", "verify", str(saved), "--map", map_file)
    assert "to the last word" in again.stdout


@pytest.mark.parametrize(
    "question",
    [
        ("command", "0303", "--side", "it", "--range", "3", "--unit", "0505", "--enemy", "0404"),
        ("retreat", "0404", "--side", "it", "--class", "infantry", "--from", "0403"),
        ("retreat", "0404", "--side", "it", "--class", "infantry", "--attacked-from", "0403"),
    ],
)
def test_pictures(mapkit_cli, map_file, tmp_path, question):
    verb, *rest = question
    picture = tmp_path / "ruling.png"
    result = mapkit_cli("rules", verb, map_file, *rest, *S, "--picture", str(picture))
    assert result.exit_code == 0, result.stderr
    with Image.open(picture) as image:
        assert image.width > 200


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("stack", "0303", "--unit", "dragoons"), "has no units 'dragoons'"),
        (("retreat", "0404", "--side", "it", "--class", "infantry", "--from", "0101"), "0101"),
        (("command", "9999", "--side", "it"), "9999"),
    ],
)
def test_what_is_refused(mapkit_cli, map_file, words, told):
    verb, *rest = words
    result = mapkit_cli("rules", verb, map_file, *rest, *S)
    assert result.exit_code == 1
    assert told in result.stderr
