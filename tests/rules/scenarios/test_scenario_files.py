"""A scenario of one's own is two files, and every fault in them is told."""

import pytest

from mapkit.errors import MapkitError
from rules.errors import PackError
from rules.pack import load_pack
from rules.scenarios.deployment import SET_UP, parse_statuses
from rules.scenarios.scenario_files import load_scenarios

PACK = """
id = "skirmish"
title = "Skirmish at the Ford"
[layout]
order = "CCRR"
straight = "columns"
shoved = "even"
columns_run = "E"
rows_run = "S"
confirmed = true
cite = "2.1"
[sides]
red = { title = "Red", nationalities = ["red"], cite = "1.0" }
blue = { title = "Blue", nationalities = ["blue", "green"], cite = "1.0" }
[classes]
band = { title = "Band", steps = 3, cite = "1.0" }
[statuses]
reduced = { title = "reduced", steps_lost = 1, cite = "5.0" }
disorganization = { title = "Disorganization", counted = true, cite = "5.1" }
"""
SCENARIO = """
id = "ford"
number = 1
title = "The ford"
cite = "9.0"
area = { cite = "9.0" }
order = { sides = ["red", "blue"], cite = "9.0" }
weather = { cite = "9.0" }
[turns]
unit = "hour"
count = 3
first = { date = 1500-02-28, hour = 22 }
last = { date = 1500-03-01, hour = 0 }
cite = "9.0"
[placements.bank]
all_of = [{ kind = "near_formation", n = 3 }, { kind = "columns", last = 4 }]
cite = "9.0"
[victory]
cite = "9.0"
outcomes = [{ winner = "red", when = { kind = "otherwise" }, cite = "9.0" }]
"""
UNITS = "id,name,side,class,nationality,turn,placement,statuses,note\n"


@pytest.fixture
def own(tmp_path):
    (tmp_path / "pack.toml").write_text(PACK, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()

    def load(scenario=SCENARIO, units=None, name="ford"):
        (tmp_path / "scenarios" / f"{name}.toml").write_text(scenario, encoding="utf-8")
        if units is not None:
            path = tmp_path / "scenarios" / f"{name}.csv"
            path.write_text(UNITS + units, encoding="utf-8")
        return load_scenarios(tmp_path, load_pack(tmp_path, "skirmish"))

    return load


def test_a_new_scenario_is_two_files(own):
    scenarios = own(
        units="r1,First,red,band,,,bank,reduced,\nb1,Ferry,blue,band,green,2,hex-0305,,x\n"
    )
    first, second = scenarios.find("ford").deployed
    assert (first.unit.steps, first.unit.nationality, first.turn) == (3, "red", SET_UP)
    assert (second.unit.nationality, second.turn, second.note) == ("green", 2, "x")
    assert scenarios.find("ford").placements["hex-0305"].hexes == ("0305",)
    assert scenarios.find("ford").file.turns.moment(3).hour == 0


def test_every_bad_row_is_told(own):
    rows = (
        "a,A,pink,band,,,bank,,\nb,B,red,tank,,,bank,,\nc,C,red,band,,9,bank,,\n"
        "d,D,red,band,,,nowhere,,\ne,E,red,band,,,bank,asleep,\nf,F,red,band,,,bank,reduced 2,\n"
    )
    with pytest.raises(PackError) as caught:
        own(units=rows)
    for told in (
        "ford.csv: 6 faults:",
        "units!A2 (a): no side 'pink'; there is: red, blue",
        "units!A3 (b): no class of unit 'tank'; there is: band",
        "units!A4 (c): no turn '9'; write 1 to 3; nothing is the set-up",
        "units!A5 (d): no placement 'nowhere'; define it in ford.toml, or name a hex: hex-0305",
        "units!A6 (e): 'asleep' is no state of a unit; there is: reduced, ",
        "units!A7 (f): the state 'reduced' takes no number",
    ):
        assert told in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('id = "ford"', 'id = "brook"', "'brook' is not the name of its file"),
        ('sides = ["red", "blue"]', 'sides = ["red", "pink"]', "the game has no side 'pink'"),
        ('winner = "red"', 'winner = "pink"', "the game has no side 'pink'"),
        ("count = 3", "count = 4", "turn 4 is not"),
        ('kind = "near_formation"', 'kind = "near_home"', "placements.bank.all_of.0"),
        ("last = 4", "last = 4, n = 2", "placements.bank.all_of.1.columns.n"),
        ("[victory]", 'missing = { units = "x" }\n[victory]', "placements.bank.missing"),
        ("area = ", "missing = { units = 'x' }\narea = ", "missing part 'x'"),
        ("area = ", "assumptions = ['x']\narea = ", "open question 'x'"),
        ("area = ", "use = { trenches = ['x'] }\narea = ", "scenario 'x'"),
        ("all_of = [", 'all_of = [{ kind = "hexes", hexes = ["305"] }, ', "hexes.0"),
        (
            "[victory]",
            "[events]\nfirst_turn = 4\ncite = '9.0'\n[victory]",
            "turn 4 is past the end",
        ),
        ("area = ", "area = [", "broken TOML"),
    ],
)
def test_a_scenario_that_does_not_fit_says_where(own, old, new, told):
    assert old in SCENARIO
    with pytest.raises(PackError) as caught:
        own(SCENARIO.replace(old, new))
    assert told in str(caught.value)


def test_no_scenarios_is_no_error(tmp_path):
    (tmp_path / "pack.toml").write_text(PACK, encoding="utf-8")
    scenarios = load_scenarios(tmp_path, load_pack(tmp_path, "skirmish"))
    assert scenarios.scenarios == ()
    with pytest.raises(MapkitError, match="there is: none"):
        scenarios.find("ford")


@pytest.mark.parametrize("text", ["asleep", "disorganization", "disorganization x", "reduced 1"])
def test_a_state_that_is_none(own, text):
    with pytest.raises(ValueError, match="state"):
        parse_statuses(text, own().pack.statuses)
