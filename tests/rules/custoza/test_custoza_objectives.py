"""Custoza's secret Strategic Objectives (24.2, 26.2), and who controls what at the start (23)."""

from dataclasses import replace

import pytest

from mapkit import texts
from mapkit.grid import Grid
from mapkit.hexes import Hexside
from mapkit.model import Feature, Ground, HexMap
from rules.errors import RulesError
from rules.judges.victory import rule_victory
from rules.pack_state import state_of
from rules.positions.position import Place, Position
from rules.positions.set_up import set_up
from rules.registry import find_pack
from rules.scenarios.scenario_files import find_scenarios
from rules.scenarios.scenario_show import told_sheet
from rules.told import told_ruling

GAME = "custoza"
VALEGGIO, VILLAFRANCA = ["2529", "2430"], ["4929", "5029", "5030", "5129"]
GATHER = ["2315", "2309", "3105"]
EAST = ["2625", "3125", "3923"]
CAMPAIGNS = ["s1", "s2", "s3", "s4", "s5"]


def held(side, *hexes):
    return dict.fromkeys(hexes, side)


def ruled(scenario, control, points, maps=(), **more):
    position = Position(GAME, scenario, control=control, points=points, **more)
    return rule_victory(position, maps, over=True)


def chosen(it, ah, **recorded):
    """The numbers of both objectives, and what players record: `ah_corps_gone_south=1`."""
    points = {"it": {"objective": it}, "ah": {"objective": ah}}
    for word, n in recorded.items():
        points[word[:2]][word[3:]] = n
    return points


def river_map(bridges=("2005/2105",), river=True):
    """A sheet of the game's size with the Mincio between columns 20 and 21."""
    numbering = find_pack(GAME).layout.any_numbering()
    rows = range(1, 35)
    hexes = {
        numbering.parse_label(f"{column:02}{row:02}"): Ground("clear")
        for column in range(10, 71)
        for row in rows
    }
    sides = {}
    west = {hex_ for hex_ in hexes if int(numbering.format_label(hex_)[:2]) <= 20}
    for hex_ in west if river else ():
        for direction in range(6):
            other = hex_.step(direction)
            if other in hexes and other not in west:
                sides[Hexside.between(hex_, other)] = (Feature("mincio"),)
    for label in bridges:
        side = Hexside.between(*map(numbering.parse_label, label.split("/")))
        sides[side] = (*sides.get(side, ()), Feature("bridge"))
    return HexMap(
        grid=Grid.regular("flat", pitch_px=60), numbering=numbering, hexes=hexes, hexsides=sides
    )


@pytest.mark.parametrize(
    ("scenario", "control", "points", "winner"),
    [
        pytest.param(
            "s1", held("it", *VALEGGIO, *VILLAFRANCA), chosen(1, 3), "it", id="alone fulfils"
        ),
        pytest.param(
            "s1", held("it", *GATHER) | held("ah", "1705"), chosen(2, 2, ah_loc_at_peschiera=1),
            "draw", id="both fulfil",
        ),
        pytest.param(
            "s1", held("it", *GATHER) | held("ah", "1705"), chosen(2, 2, ah_loc_at_peschiera=0),
            "it", id="Peschiera without communications",
        ),
        pytest.param(
            "s1", held("it", *GATHER) | held("ah", "1705"), chosen(2, 2), "unknown",
            id="nobody recorded the communications",
        ),
        pytest.param(
            "s2", held("ah", *VALEGGIO, *VILLAFRANCA), chosen(1, 3, ah_corps_gone_south=1), "ah",
            id="a corps gone, as players record",
        ),
        pytest.param(
            "s4", held("it", "1705", *EAST), chosen(2, 2), "it", id="Peschiera of 1866 is 1705"
        ),
        pytest.param(
            "s4", held("ah", "1705", *EAST), chosen(2, 2), "ah", id="the hills of Custoza"
        ),
        pytest.param(
            "s4", held("ah", "1705", "2625", "3125") | held("it", "3923"), chosen(2, 2), "draw",
            id="neither fulfils",
        ),
        pytest.param(
            "s3", held("ah", *EAST), chosen(1, 2, it_peschiera_cut_off=0), "ah",
            id="not cut off, as players record",
        ),
    ],
)  # fmt: skip
def test_who_alone_fulfils_his_objective_wins(scenario, control, points, winner):
    assert ruled(scenario, control, points).verdict == winner


def test_without_the_choices_only_a_sure_answer_is_given():
    every = held("it", *VALEGGIO, *VILLAFRANCA, "1705", "3923", "2625", "3125", "1526", "1621")
    every |= held("it", "1513")
    ruling = ruled("s3", every, {"it": {"objective": 3}, "ah": {"mincio_bridges_held": 0}})
    assert ruling.verdict == "it", "none of the enemy's three is fulfilled, whichever he chose"
    ruling = ruled("s3", every, {"it": {"objective": 3}})
    assert ruling.verdict == "unknown"
    assert any("Austro-Hungarian" in one.told() for one in ruling.missing)


def test_an_objective_that_there_is_not():
    with pytest.raises(RulesError, match="objective 4; there are 1 to 3"):
        ruled("s1", {}, chosen(4, 1))


def across(position, formations, west):
    """The units of some formations stand in 1510 or, where *west* fails, in 3010."""
    pieces = {
        name: replace(piece, place=Place("hex", "1510" if west(name) else "3010"))
        if piece.unit.formation in formations
        else replace(piece, place=Place("hex", "3020"))
        for name, piece in position.pieces.items()
        if piece.unit.side == "ah"
    }
    occupiers = [name for name, piece in pieces.items() if piece.unit.formation == "ah48-simbschen"]
    infantry = [name for name in occupiers if pieces[name].unit.class_ == "infantry"]
    for name, label in zip(infantry, VALEGGIO, strict=False):
        pieces[name] = replace(pieces[name], place=Place("hex", label))
    return replace(position, pieces=pieces, points=chosen(2, 1), control=held("ah", *GATHER))


RESERVE = {"ah48-haller", "ah48-taxis"}


def test_a_whole_corps_beyond_the_mincio():
    start, sheet = set_up(GAME, "s1"), [river_map()]
    over = across(start, RESERVE, lambda _: True)
    assert rule_victory(over, sheet, over=True).verdict == "ah"
    assert rule_victory(over, [], over=True).verdict == "unknown", "no map, no bank"
    assert rule_victory(over, [river_map(river=False)], over=True).verdict == "unknown"
    half = across(start, {"ah48-haller"}, lambda _: True)
    assert rule_victory(half, sheet, over=True).verdict == "draw", "Haller and Taxis are one Corps"
    one_east = next(
        name
        for name, piece in over.pieces.items()
        if piece.unit.formation in RESERVE and piece.unit.class_ == "infantry"
    )
    assert (
        rule_victory(across(start, RESERVE, lambda name: name != one_east), sheet, over=True)
    ).verdict == "draw"
    collapsed = {
        name: replace(piece, statuses={"collapsed": 1})
        if piece.unit.class_ == "commander" and piece.unit.formation in RESERVE
        else piece
        for name, piece in over.pieces.items()
    }
    fallen = replace(over, pieces=collapsed)
    assert rule_victory(fallen, sheet, over=True).verdict == "draw", "a Collapsed Corps is none"


def test_a_corps_that_left_is_for_the_players_to_place():
    start = set_up(GAME, "s1")
    control = held("ah", *VALEGGIO, *VILLAFRANCA, *GATHER)

    def gone(spare):
        pieces = {
            name: replace(piece, place=spare(piece))
            for name, piece in start.pieces.items()
            if piece.unit.side == "ah"
        }
        return replace(start, pieces=pieces, control=control, points=chosen(2, 3))

    def out(piece, *, routed="routed"):
        if piece.unit.formation != "ah48-ii":
            return Place("hex", "3020")
        return Place("box", routed) if piece.unit.class_ == "cavalry" else Place("edge", "S")

    assert rule_victory(gone(lambda piece: Place("hex", "3020")), over=True).verdict == "draw"
    assert rule_victory(gone(out), over=True).verdict == "unknown"
    ours = gone(out)
    ours = replace(ours, points=chosen(2, 3, ah_corps_gone_south=1))
    assert rule_victory(ours, over=True).verdict == "ah"


def test_the_east_end_of_every_bridge():
    sheet = [river_map(("2005/2105", "2012/2112"))]
    both = held("ah", "2105", "2112") | held("it", "1705", "2005")
    assert ruled("s4", both, chosen(3, 1) | {"it": {"objective": 1, "peschiera_cut_off": 0}},
                 sheet).verdict == "ah"  # fmt: skip
    one = held("ah", "2105") | held("it", "2112", "3923")
    points = chosen(1, 1, it_peschiera_cut_off=0)
    assert ruled("s4", one, points, sheet).verdict == "draw"
    assert ruled("s4", both, points).verdict == "unknown", "without a map nobody sees the bridges"


def test_scenario_5_begins_with_objective_3():
    assert set_up(GAME, "s5").points["it"] == {"objective": 3}
    assert "it" not in set_up(GAME, "s1").points


@pytest.mark.parametrize(
    ("scenario", "side", "n"),
    [
        *[("small-1", "it", 7), ("small-2", "it", 7), ("small-3", "ah", 8), ("s1", "it", 1)],
        *[("s2", "it", 1), ("s3", "ah", 1), ("s4", "ah", 1), ("s5", "it", 1)],
    ],
)
def test_control_at_the_start(scenario, side, n):
    control = set_up(GAME, scenario).control
    assert set(control.values()) == {side}
    assert len(control) == n
    if n == 1:
        assert set(control) == {"1705"}


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("scenario", CAMPAIGNS)
def test_objectives_are_told_and_nobody_says_points(scenario, language):
    texts.use(language)
    try:
        scenarios = find_scenarios(GAME)
        sheet = told_sheet(scenarios, scenarios.find(scenario), "formation")
        ends = texts.say("rules.scenario.ends", when="")[:20]
        assert ends not in sheet
        assert "1526" in sheet or "4707" in sheet
        assert told_ruling(find_pack(GAME), rule_victory(set_up(GAME, scenario), over=True))
    finally:
        texts.use(None)


def test_what_rests_on_a_missing_rule_is_not_called_complete():
    assert state_of(GAME).part("victory").state == "partial"
