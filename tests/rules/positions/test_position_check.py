"""The check of a position: every fault is found, with its place, and a sound one has none."""

from dataclasses import replace

import pytest

from counters.model import Unit
from mapkit.model import Area, HexMap
from mapkit.numbering import Axis, Numbering
from mapkit.texts import use
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.pack import KindEntry
from rules.positions.position import Clock, Marker, Piece, Place, Position
from rules.positions.position_check import SEVERITIES, check_position, told_problems
from rules.positions.set_up import set_up
from rules.project import Project
from rules.registry import find_pack
from rules.scenarios.scenario_files import find_scenarios
from tests.boards import board, field

GAME = "strafexpedition"
SCENARIOS = find_scenarios(GAME)
PACK = find_pack(GAME)


def at(map_: HexMap, pack=PACK):
    return battlefield(Project(folder=None, name="x"), map_, pack)


SMALL = at(board(*[".2 .2 .2 .2"] * 4))


def unit(id_, label, class_="infantry", side="it", **more):
    known = {"formation": more.pop("formation", "")}
    steps = PACK.classes[class_].steps if class_ in PACK.classes else None
    return Piece(
        Unit(id_, id_.upper(), side, class_=class_, steps=steps, **known),
        Place("hex", label) if label else Place(),
        **more,
    )


def check(*pieces, ground=SMALL, **more):
    position = Position(GAME, pieces={one.unit.id: one for one in pieces}, **more)
    return check_position(position, ground, SCENARIOS)


def codes(problems):
    return [(one.severity, one.code, one.place) for one in problems]


def test_a_sound_position_has_no_problems():
    gun = unit("c", "0201", "field_artillery", statuses={"fire_mode": 1})
    trench = Marker("trench", "0101", side="it", n=3)
    found = check(unit("a", "0101"), unit("b", "0101"), gun, markers=(trench,), weather="rain")
    assert codes(found) == []


@pytest.mark.parametrize(
    ("piece", "code", "told"),
    [
        (unit("a", "0909"), "unknown_hex", "there is no hex 0909"),
        (unit("a", "0101", side="pink"), "unknown_word", "no side 'pink'; there is: ah, it"),
        (unit("a", "0101", "tank"), "unknown_word", "no class of units 'tank'"),
        (unit("a", "0101", formation="x"), "unknown_word", "no formation 'x'"),
        (unit("a", "0101", statuses={"asleep": 1}), "unknown_word", "no state 'asleep'"),
        (unit("a", "0101", hidden_from=("pink",)), "unknown_word", "no side 'pink'"),
        (unit("a", "0101", statuses={"fire_mode": 1}), "not_its_state", "on the fire side"),
        (unit("a", "0101", statuses={"activated": 3}), "not_counted", "but has 3"),
        (unit("a", "0101", steps_lost=2), "no_steps_left", "A has no steps left"),
        (unit("a", "0101", due=3), "too_early", "A arrives in turn 3"),
        (
            unit("a", "0101", "field_artillery", statuses={"fire_mode": 1, "move_mode": 1}),
            "states_exclude",
            "exclude each other",
        ),
    ],
)
def test_a_unit_that_cannot_be(piece, code, told):
    (problem,) = check(piece)
    assert (problem.severity, problem.code, problem.unit) == ("error", code, "a")
    assert told in problem.text


@pytest.mark.parametrize(("class_", "found"), [("cavalry", []), ("commander", ["faces_no_way"])])
def test_a_unit_that_faces_no_way(class_, found):
    scenarios = find_scenarios("custoza")
    ground = at(board(".1 .1"), scenarios.pack)
    position = Position("custoza", pieces={"a": unit("a", "0101", class_, "ah", facing=2)})
    problems = check_position(position, ground, scenarios)
    assert [one.code for one in problems if one.severity == "error"] == found


@pytest.mark.parametrize(
    ("marker", "code"),
    [
        (Marker("mine", "0101"), "unknown_word"),
        (Marker("trench", "0101", side="pink", n=1), "unknown_word"),
        (Marker("trench", "0101/0102", n=1), "marker_place"),
        (Marker("trench", "0909", n=1), "marker_off_map"),
        (Marker("trench", "0101"), "marker_number"),
        (Marker("trench", "0101", n=4), "marker_too_high"),
        (Marker("blown_bridge", "0101/0303"), "marker_off_map"),
    ],
)
def test_a_marker_that_cannot_be(marker, code):
    (problem,) = check(markers=(marker,))
    assert (problem.severity, problem.code, problem.place) == ("error", code, marker.at)


@pytest.mark.parametrize(
    "more",
    [
        {"weather": "hail"},
        {"scenario": "s9"},
        {"initiative": "pink"},
        {"points": {"pink": {"lp": 1}}},
        {"points": {"it": {"logistic_points": 1}}},
        {"control": {"0101": "pink"}},
        {"clock": Clock(phase="99")},
    ],
)
def test_words_of_the_head(more):
    (problem,) = check(**more)
    assert (problem.severity, problem.code) == ("error", "unknown_word")


def test_friend_and_enemy_in_one_hex():
    (problem,) = check(unit("a", "0101"), unit("b", "0101", side="ah"))
    assert (problem.code, problem.place) == ("enemies", "0101")
    assaulting = unit("b", "0101", side="ah", statuses={"assaulting": 1})
    assert check(unit("a", "0101"), assaulting) == ()  # 13.4.1: they enter the hex to assault


def test_too_many_in_a_hex():
    three = [unit(id_, "0101") for id_ in "abc"]
    (problem,) = check(*three)
    assert (problem.severity, problem.code, problem.place) == ("error", "overstacked", "0101")
    assert check(*three[:2]) == ()


def test_ground_that_a_class_can_never_enter():
    woods = KindEntry(costs={"artillery": "never", "infantry": 2}, cite="TEC")
    pack = PACK.model_copy(update={"terrain": {**PACK.terrain, "woods": woods}})
    gun = unit("g", "0201", "field_artillery", statuses={"fire_mode": 1})
    bare = at(board("w2 w2", ".2 .2"), pack)
    (problem,) = check(gun, unit("a", "0101"), ground=bare)
    assert (problem.severity, problem.code, problem.cite) == ("error", "ground", "TEC")
    road = at(board("w2 w2", ".2 .2", links={"road": "0101-0201"}), pack)
    (problem,) = check(gun, ground=road)
    assert (problem.severity, problem.code) == ("warning", "ground_by_road")


def test_reinforcements_that_are_due():
    late = replace(unit("a", ""), place=Place("off_map"), due=2)
    assert check(late) == ()
    assert codes(check(late, clock=Clock(turn=2))) == [("warning", "due", "off_map")]


def test_a_map_that_the_project_does_not_have():
    piece = replace(unit("a", "0101"), place=Place("hex", "0101", "east"))
    position = Position(GAME, pieces={"a": piece})
    (problem,) = check_position(position, SMALL, SCENARIOS, map_id="west", maps=["west"])
    assert "no map 'east'; there is: west" in problem.text
    both = check_position(position, SMALL, SCENARIOS, map_id="west", maps=["west", "east"])
    assert both == ()


def printed(columns, rows):
    """A board with the numbering of the game: 4 digits, row first, from the south."""
    map_ = board(*field(columns, rows, word=".2"), layout="pointy")
    numbering = Numbering(
        straight="rows", order="RRCC", rows=Axis(first=rows, step=-1), shoved="odd"
    )
    moved = {
        numbering.hex_at(q, r): map_[map_.numbering.hex_at(q, r)]
        for q in range(columns)
        for r in range(rows)
    }
    return replace(map_, numbering=numbering, hexes=moved)


WHOLE = at(printed(50, 40))


def placed(position, **where):
    pieces = dict(position.pieces)
    for id_, label in where.items():
        name = id_.replace("_", "-")
        pieces[name] = replace(pieces[name], place=Place("hex", label))
    return replace(position, pieces=pieces)


def of_set_up(position, ground=WHOLE):
    problems = check_position(position, ground, SCENARIOS)
    return {one.unit: one for one in problems if one.code.startswith("set_up")}


def test_a_set_up_as_printed_breaks_nothing():
    position = set_up(GAME, "s4")
    found = check_position(position, WHOLE, SCENARIOS)
    assert {one.severity for one in found} == {"warning"}
    assert {one.code for one in found} == {"to_be_placed"}
    named = ", ".join(one.unit for one in found).split(", ")
    unplaced = [id_ for id_, one in position.pieces.items() if one.place.kind == "unplaced"]
    assert sorted(named) == sorted(unplaced)


def test_a_unit_moved_from_its_hex_breaks_the_set_up():
    wrong = placed(set_up(GAME, "s4"), it_cagliari_64_i="1233")
    assert of_set_up(wrong)["it-cagliari-64-i"].severity == "error"
    playing = replace(wrong, clock=Clock(turn=1, phase="1"))
    assert of_set_up(playing) == {}
    assert of_set_up(replace(wrong, clock=Clock(turn=2))) == {}


def test_one_unit_in_each_of_some_hexes():
    one, other = {"it_taro_207_i": "3202"}, {"it_taro_207_ii": "3302"}
    assert of_set_up(placed(set_up(GAME, "s1"), **one, **other)) == {}
    both = of_set_up(placed(set_up(GAME, "s1"), **one, it_taro_207_ii="3202"))
    assert {id_: one.severity for id_, one in both.items()} == {
        "it-taro-207-i": "error",
        "it-taro-207-ii": "error",
    }


def test_within_some_hexes_of_a_place():
    near, far = (
        placed(set_up(GAME, "s1"), it_mt_xii_4="2515"),
        placed(set_up(GAME, "s1"), it_mt_xii_4="3215"),
    )
    assert of_set_up(near) == {}
    assert "5 hexes or less from 2415" in of_set_up(far)["it-mt-xii-4"].text


def test_what_only_the_printed_map_knows_is_to_be_looked_at():
    found = of_set_up(placed(set_up(GAME, "s1"), it_roma_79_i="3405"))["it-roma-79-i"]
    assert (found.severity, found.code) == ("note", "set_up_unchecked")


def test_near_named_units():
    """S1: the guns of the 37th Division stand at most one hex from some battalions."""
    start = placed(set_up(GAME, "s1"), it_37_div_field_1="3105")
    assert of_set_up(start)["it-37-div-field-1"].severity == "note"  # 3104 is next to it
    far = placed(set_up(GAME, "s1"), it_37_div_field_1="3125")
    assert of_set_up(far)["it-37-div-field-1"].severity == "error"


def test_the_playing_area_where_the_map_has_it():
    west = Area("West sector", "sector", hexes=(WHOLE.hex("3104"),))
    ground = at(replace(WHOLE.map, areas=(west,)))
    found = of_set_up(set_up(GAME, "s1"), ground)
    assert "it-taro-208-i" not in found  # 3104
    assert found["it-mt-viii-1"].severity == "error"  # 2903 lies outside


def test_front_line_trenches_are_named_at_set_up():
    found = check_position(set_up(GAME, "s1"), WHOLE, SCENARIOS)
    lines = [one.text for one in found if one.code == "front_line_trenches"]
    assert len(lines) == 2
    assert "Italian: trenches of level 1 along the front line" in lines[0]


def test_errors_come_first_and_are_counted():
    found = check(unit("a", "0909"), unit("b", "0101", side="pink"), scenario="s1")
    assert [SEVERITIES.index(one.severity) for one in found] == sorted(
        SEVERITIES.index(one.severity) for one in found
    )
    first, *lines = told_problems(found).splitlines()
    assert first.startswith("errors: 2, ")
    assert len(lines) == len(found)


@pytest.mark.parametrize("language", ["de", "it"])
def test_every_problem_is_told_in_every_language(language):
    wrong = placed(set_up(GAME, "s1"), it_mt_viii_1="9999", it_roma_79_i="3405")
    use(language)
    try:
        told = told_problems(check_position(wrong, WHOLE, SCENARIOS))
    finally:
        use(None)
    assert told.startswith({"de": "Fehler: ", "it": "errori: "}[language])


def test_a_position_of_another_game_is_refused():
    with pytest.raises(RulesError, match="the position is of 'custoza'"):
        check_position(Position("custoza"), SMALL, SCENARIOS)
