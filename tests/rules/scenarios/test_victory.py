"""Who has won: every outcome of every scenario, and what stays open."""

import pytest

from mapkit.hexes import neighbours
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.victory import Score, decide

SE, C17 = "strafexpedition", "caporetto-1917"
MOST = ["3303", "3002", "2602", "2401", "2006", "2106", "2405", "2503"]
NINE = ["1105", "1801", "1312", "2401", "2602", "3702", "4503", "5101", "6217"]


def decided(game, name, **score):
    scenarios = find_scenarios(game)
    victory = scenarios.find(name).file.victory
    numbering = scenarios.pack.layout.numbering()
    return decide(victory, scenarios.scoring, Score(**score), numbering)


def winner(game, name, **score):
    outcome = decided(game, name, **score).outcome
    return outcome and (outcome.winner, outcome.wing, outcome.complete)


@pytest.mark.parametrize(
    ("game", "name", "side", "points", "expected"),
    [
        (SE, "s1", "ah", 16, "ah"),
        (SE, "s1", "ah", 15, "draw"),
        (SE, "s1", "ah", 12, "draw"),
        (SE, "s1", "ah", 11, "it"),
        (SE, "s2", "ah", 8, "ah"),
        (SE, "s2", "ah", 7, "draw"),
        (SE, "s2", "ah", 6, "draw"),
        (SE, "s2", "ah", 5, "it"),
        (SE, "s5", "ah", 120, "ah"),
        (SE, "s5", "ah", 119, "draw"),
        (SE, "s5", "ah", 91, "draw"),
        (SE, "s5", "ah", 90, "it"),
        (C17, "s2", "ahg", 121, "ahg"),
        (C17, "s2", "ahg", 120, "draw"),
        (C17, "s2", "ahg", 90, "draw"),
        (C17, "s2", "ahg", 89, "it"),
    ],
)
def test_by_points(game, name, side, points, expected):
    assert winner(game, name, over=True, points={side: points}) == (expected, None, False)
    assert winner(game, name, points={side: points}) is None, "the game is not over"


def test_without_a_count_nothing_is_decided():
    found = decided(SE, "s1", over=True)
    assert found.outcome is None
    assert [outcome.when.kind for outcome in found.unknown] == ["controls", "controls", "points"]


def test_breakthroughs():
    far = ["1468", "1469", "1470", "1471", "0146", "0247", "0238", "0239"]
    assert winner(SE, "s5", control=dict.fromkeys(far, "ah")) == ("ah", None, True)
    assert winner(SE, "s5", control=dict.fromkeys(far[1:], "ah")) is None
    home = ["3502", "3603", "4018", "4019"]
    assert winner(SE, "s1", control=dict.fromkeys(home, "it")) == ("it", None, True)


@pytest.mark.parametrize(
    ("held", "expected"),
    [(("1741", "1744"), "ah"), (("1741",), "it"), ((), "it"), (("1741", "1744", "1850"), "ah")],
)
def test_monte_cengio(held, expected):
    control = {label: "ah" if label in held else "it" for label in ("1741", "1744", "1850")}
    assert winner(SE, "s3", over=True, control=control) == (expected, None, False)


def test_monte_novegno():
    numbering = find_scenarios(SE).pack.layout.numbering()
    around = map(numbering.format_label, neighbours(numbering.parse_label("1235")))
    control = dict.fromkeys([*around, "1434", "1435", "1332", "1333"], "it")
    assert winner(SE, "s4", over=True, control=control)[0] == "it"
    assert winner(SE, "s4", over=True, control=control | {"1333": "ah"})[0] == "draw"
    assert winner(SE, "s4", over=True, control=control | {"1134": "ah", "1333": "ah"})[0] == "ah"
    assert winner(SE, "s4", over=True, control={"1333": "ah"}) is None, "1134 is not known"


def test_most_of_some_hexes():
    control = dict.fromkeys(MOST, "it")
    assert winner(C17, "s3", over=True, control=control)[0] == "it"
    four = control | dict.fromkeys(["2602", "3303", "3002", "2401"], "ahg")
    assert winner(C17, "s3", over=True, control=four)[0] == "ahg", "2602 counts double: 5 to 4"
    even = control | dict.fromkeys(["2503", "3303", "3002", "2401"], "ahg")
    assert winner(C17, "s3", over=True, control=even)[0] == "it"


def test_as_many_as_the_enemy_are_not_most():
    hexes = ["3906", "4005", "4207", "4610", "4809", "5306", "5308"]
    control = dict.fromkeys(hexes[:3], "ahg") | dict.fromkeys(hexes[3:6], "it")
    assert winner(C17, "s4", over=True, control=control) is None, "5308 is not known"
    assert winner(C17, "s4", over=True, control=control | {"5308": "nobody"}) is None
    assert winner(C17, "s4", over=True, control=control | {"5308": "it"})[0] == "it"


def test_six_of_nine_hexes():
    control = dict.fromkeys(NINE, "it")
    assert winner(C17, "s2", control=control | dict.fromkeys(NINE[:6], "ahg")) == (
        "ahg",
        None,
        True,
    )
    assert winner(C17, "s2", control=control | dict.fromkeys(NINE[:5], "ahg")) is None


def test_wings():
    points = {("ahg", "left"): 30, ("ahg", "right"): 28}
    assert winner(C17, "s1", over=True, wing_points=points) == ("ahg", "left", False)
    assert winner(C17, "s1", over=True, wing_points=points | {("ahg", "left"): 28}) is None
    right = dict.fromkeys(NINE[4:], "ahg")
    assert winner(C17, "s1", control=right) == ("ahg", "right", True)


def test_a_halted_offensive_lets_the_points_decide():
    assert winner(C17, "s2", idle_turns={"ahg": 2}, points={"ahg": 100})[0] == "draw"
    assert winner(C17, "s2", idle_turns={"ahg": 1}, points={"ahg": 100}) is None
