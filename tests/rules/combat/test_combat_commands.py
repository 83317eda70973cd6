"""The combat desk from the command line: words, data, three languages, and what is refused."""

import json

import pytest

from counters.model import Face, Unit
from mapkit.maps import save_map
from rules.positions.position import Piece, Place, Position
from rules.positions.position_store import save_position
from rules.registry import find_pack
from tests.boards import board
from tests.rules.combat.invented import COLUMNS, FIRE_COLUMNS, FIRE_ROWS, ROWS
from tests.rules.own_game import PACK

SE = "strafexpedition"
PROJECT = """
format = "mapkit-project/1"
name = "Hills"
game = "strafexpedition"
owner = "hills.owner.toml"
[[maps]]
id = "hills"
file = "hills.hexmap.json"
"""
OWNER = """
format = "mapkit-owner/1"
game = "strafexpedition"
[values]
tables.assault.shifts.woods.amount = -1
tables.assault.shifts.uphill.by_value = { "1-9" = -1 }
tables.assault.shifts.attacker_morale.by_value = { "<=9" = 0 }
tables.assault.shifts.defender_morale.by_value = { "<=9" = 0 }
[tables]
assault = "assault.csv"
fire = "fire.csv"
"""


@pytest.fixture
def project(tmp_path):
    """A project whose owner entered invented tables."""
    rows = [".2 .2 .2 .2", ".2 .2 w3 .2", ".2 .2 .2 .2"]
    save_map(tmp_path / "hills.hexmap.json", board(*rows))
    (tmp_path / "project.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "hills.owner.toml").write_text(OWNER, encoding="utf-8")
    for name, columns, lines in (
        ("assault", COLUMNS, ROWS),
        ("fire", FIRE_COLUMNS, FIRE_ROWS),
    ):
        text = [";".join(("die", *columns)), *(";".join((row, *lines[row])) for row in lines)]
        (tmp_path / f"{name}.csv").write_text("\n".join(text), encoding="utf-8")
    return tmp_path


def test_a_combat_is_told_as_a_referee_would(mapkit_cli):
    result = mapkit_cli(
        "rules", "combat", SE, "assault", "--attack", "7", "--defend", "1", "--with", "rain"
    )
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[0] == "Assault: column 5:1 of the Assault Table [13.4.3]"
    assert "7 against 1 is 7:1 [13.4.3]" in lines
    assert "Rain: −1, column 6:1 [9.1]" in lines
    assert "read the result in column 5:1 on: Assault Table, a card" in lines
    assert "not counted: Current Morale of the attacker; give it with --with [13.4.3]" in lines


def test_an_automatic_result_needs_no_card(mapkit_cli):
    result = mapkit_cli(
        "rules",
        "combat",
        "caporetto-1917",
        "assault",
        "--attack",
        "1",
        "--defend",
        "3",
        "--attacker",
        "I/20:class=infantry,steps=1,morale=2",
    )
    assert result.stdout.startswith("Assault: no roll, the attacker suffers D2R/1 at once")
    assert "I/20 surrenders [15.4" in result.stdout
    assert "card" not in result.stdout.replace("waits for the card", "")


def test_with_entered_tables_the_odds_are_drawn(mapkit_cli, project):
    result = mapkit_cli(
        "rules",
        "combat",
        project,
        "assault",
        "--attack",
        "10",
        "--defend",
        "2",
        "--roll",
        "4",
        "--defender",
        "Alpini:class=alpini,steps=2,morale=4",
    )
    assert result.exit_code == 0
    assert "a roll of 4: - | 1D2R" in result.stdout
    assert "Alpini stays: steps lost 1, left 1, disorganization 2" in result.stdout
    assert "- | 2D3R  1/6  ████" in result.stdout
    assert "On average: defender.points 5/3 (1.67), defender.steps 1" in result.stdout


def test_the_map_tells_the_circumstances(mapkit_cli, project):
    result = mapkit_cli(
        "rules",
        "combat",
        project,
        "assault",
        "--attack",
        "10",
        "--defend",
        "2",
        "--at",
        "0302",
        "--from",
        "0202",
        "--json",
    )
    data = json.loads(result.stdout)
    assert [line["word"] for line in data["shifts"]["lines"]] == ["woods", "uphill"]
    assert data["verdict"] == "2:1"
    assert {one["place"] for one in data["rests_on"]} == {"0302", "0202"}


def test_units_of_a_position_fight(mapkit_cli, project):
    def piece(name, side, hex_, **values):
        unit = Unit(name, name, side, class_="infantry", steps=2, faces=(Face("front", values),))
        return Piece(unit, Place("hex", hex_))

    pieces = {
        "attacker": piece("attacker", "it", "0202", combat=8, morale=5),
        "defender": piece("defender", "ah", "0302", combat=2, morale=4),
    }
    save_position(project / "game.position.json", Position("strafexpedition", pieces=pieces))
    result = mapkit_cli(
        "rules",
        "combat",
        project,
        "assault",
        "--at",
        "0302",
        "--from",
        "0202",
        "--position",
        project / "game.position.json",
        "--weather",
        "rain",
        "--roll",
        "6",
        "--json",
    )
    data = json.loads(result.stdout)
    assert data["ratio_told"] == "4:1"
    assert [line["word"] for line in data["shifts"]["lines"] if line["amount"]] == [
        "rain",
        "woods",
        "uphill",
    ]
    assert data["verdict"] == "1:1.75"
    assert data["result"] == "- | D1R"
    assert data["units"]["defender"]["points"] == 1


def test_a_seed_rolls_the_same_each_time(mapkit_cli, project):
    told = [
        mapkit_cli(
            "rules", "combat", project, "bombardment", "--attack", "5", "--seed", "7", "--json"
        ).stdout
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert json.loads(told[0])["roll"] in range(1, 7)


def test_a_check_is_a_table_too(mapkit_cli):
    result = mapkit_cli("rules", "table", SE, "command-zone-roll", "--roll", "3")
    assert result.stdout.splitlines()[0] == (
        "Command Range through an enemy zone of control: a roll of 3 is blocked in that hex [8.1]"
    )
    data = json.loads(mapkit_cli("rules", "table", SE, "reaction", "--value", "4", "--json").stdout)
    assert data["odds"] == {
        "the Brigade acts at once": "4/6",
        "the HQ goes back; the Brigade may act later": "2/6",
    }


def test_events_are_told_with_what_they_do(mapkit_cli):
    result = mapkit_cli("rules", "table", SE, "daily", "--with", "turn-track=1", "--roll", "6")
    assert "The Russians succeed in Galicia" in result.stdout
    assert "3. The game is over" in result.stdout
    silent = mapkit_cli("rules", "table", SE, "daily", "--roll", "6").stdout
    assert "not counted: Modifier of the day; give it with --with" in silent


def test_the_tables_are_listed_with_what_is_entered(mapkit_cli, project):
    assert (
        "not entered; printed on: Assault Table, a card" in mapkit_cli("rules", "table", SE).stdout
    )
    assert "not entered" not in mapkit_cli("rules", "table", project).stdout
    data = json.loads(mapkit_cli("rules", "table", SE, "--json").stdout)
    assert {row["kind"] for row in data} == {"table", "check", "events"}


@pytest.fixture
def bare_game(tmp_path, monkeypatch):
    (tmp_path / "skirmish").mkdir()
    (tmp_path / "skirmish" / "pack.toml").write_text(PACK, encoding="utf-8")
    monkeypatch.setenv("MAPKIT_PACKS", str(tmp_path))
    yield "skirmish"
    find_pack.cache_clear()


def test_a_game_without_tables_says_so(mapkit_cli, bare_game):
    assert "holds no tables yet" in mapkit_cli("rules", "table", bare_game).stdout


def test_the_desk_speaks_german_and_italian(mapkit_cli):
    question = ("rules", "combat", SE, "assault", "--attack", "11", "--defend", "3")
    assert "Spalte 3.5:1" in mapkit_cli("--lang", "de", *question).stdout
    assert "colonna 3.5:1" in mapkit_cli("--lang", "it", *question).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("combat", SE, "duel", "--attack", "1"), "has no combat 'duel'; there is: bombardment, "),
        (("combat", SE, "assault", "--attack", "1"), "Assault: give the factors with --defend N"),
        (
            ("combat", SE, "assault", "--attack", "x", "--defend", "1"),
            "'x' is no number of factors",
        ),
        (("combat", SE, "assault", "--attack", "-1", "--defend", "1"), "no fewer than 0"),
        (
            ("combat", SE, "assault", "--attack", "1", "--defend", "1", "--with", "snow"),
            "Assault knows no circumstance 'snow'; there is: attacker_morale, ",
        ),
        (
            ("combat", SE, "assault", "--attack", "1", "--defend", "1", "--with", "trench=x"),
            "'trench=x': after = stands a whole number",
        ),
        (
            ("combat", SE, "bombardment", "--attack", "mg=2"),
            "--attack knows no 'mg'; there is: bom",
        ),
        (("combat", SE, "bombardment", "--attack", "2", "--roll", "9"), "1d6 cannot show 9"),
        (("table", SE, "chess"), "has no table 'chess'; there is: assault, fire, star, "),
        (("table", SE, "reaction"), "Reaction of a Brigade is held against a number"),
        (("table", SE, "assault"), "the Assault Table needs a column, a ratio or a number"),
        (
            ("table", SE, "assault", "--column", "9:1"),
            "has no column '9:1' that we know; there is: 1:2",
        ),
        (("table", SE, "star", "--roll", "2", "--seed", "1"), "either --roll or --seed"),
        (("table", SE, "reaction"), "give --value initiative=N"),
        (
            ("table", SE, "reaction", "--value", "morale=4"),
            "held against no 'morale'; give --value",
        ),
        (
            ("table", SE, "reaction", "--value", "initiative=x"),
            "no whole number; give --value init",
        ),
        (("table", SE, "reaction", "--by", "green"), "does not read --by; there is: --value"),
        (
            ("table", SE, "assault", "--value", "4"),
            "assault does not read --value; there is: --col",
        ),
        (("table", SE, "assault", "--column", "5:1", "--ratio", "3:1"), "contradict: give one"),
        (("table", SE, "assault", "--ratio", "3:1", "--procedure", "duel"), "no combat 'duel'"),
        (("table", SE, "star", "--roll", "2", "--roll", "3"), "star is rolled once"),
        (("combat", SE, "assault", "--attack", "0", "--defend", "1"), "nobody attacks with 0"),
        (
            ("combat", SE, "assault", "--attack", "1", "--defend", "1", "--defender", "A:step=2"),
            "'A:step=2': no 'step' is known; there is: steps, points, class, ",
        ),
        (("table", "chess"), "no rules pack 'chess'"),
    ],
)
def test_what_is_refused_is_one_clear_line(mapkit_cli, words, message):
    result = mapkit_cli("rules", *words)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_roll_that_decides_nothing_is_not_passed_over(mapkit_cli):
    words = ("--attack", "11", "--defend", "3", "--roll", "4")
    told = mapkit_cli("rules", "combat", SE, "assault", *words).stdout
    assert "the roll of 4 decides nothing: the cells it would be read in are not at hand" in told
    told = mapkit_cli("rules", "table", SE, "assault", "--ratio", "11:3", "--roll", "4").stdout
    assert "the roll of 4 decides nothing" in told
    words = ("--attack", "2", "--defend", "9", "--roll", "4")
    told = mapkit_cli("rules", "combat", "caporetto-1917", "assault", *words).stdout
    assert "the roll of 4 is not needed" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--from", "0101"), "nobody attacks 0302: no enemy of its holder stands in 0101"),
        ((), "from where is 0302 attacked? name --from HEX"),
    ],
)
def test_a_combat_in_which_nobody_attacks_is_refused(mapkit_cli, project, words, message):
    unit = Unit("it-1", "1", "it", class_="infantry", faces=(Face("front", {"combat": 4}),))
    file = project / "game.position.json"
    save_position(file, Position(SE, pieces={"it-1": Piece(unit, Place("hex", "0302"))}))
    asked = ("rules", "combat", project, "assault", "--at", "0302", "--position", file, *words)
    refused = mapkit_cli(*asked)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert message in refused.stderr


def test_a_place_needs_the_hex_that_is_hit(mapkit_cli, project):
    result = mapkit_cli(
        "rules", "combat", project, "assault", "--attack", "1", "--defend", "1", "--from", "0202"
    )
    assert result.exit_code == 2
