"""A position on its map: what judges see of units and of the ground."""

import pytest

from counters.model import Face, Unit
from mapkit.hexes import Hexside
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.positions.on_the_map import field_with_markers, standings
from rules.positions.position import Marker, Piece, Place, Position
from rules.project import Project
from rules.registry import find_pack
from tests.boards import board

SE, C17 = find_pack("strafexpedition"), find_pack("caporetto-1917")
GUN = Unit(
    "gun",
    "Gun",
    "it",
    class_="field_artillery",
    steps=1,
    faces=(Face("front", {"movement": 4}), Face("fire", {"movement": 0})),
)


def field(pack, *rows, **more):
    map_ = board(*(rows or (". . .", ". . .", ". . .")), **more)
    return battlefield(Project(folder=None, name="x"), map_, pack)


def position(pack=SE, *pieces, markers=()):
    return Position(pack.id, pieces={one.unit.id: one for one in pieces}, markers=markers)


def test_only_units_on_hexes_of_the_map_stand():
    pieces = [
        Piece(Unit("a", "A", "it"), Place("hex", "0101")),
        Piece(Unit("b", "B", "it"), Place("hex", "0102", "west")),
        Piece(Unit("c", "C", "it"), Place("hex", "0102", "east")),
        Piece(Unit("d", "D", "it"), Place("off_map")),
        Piece(Unit("e", "E", "it"), Place("box", "eliminated")),
        Piece(Unit("f", "F", "it")),
    ]
    on_west = standings(position(SE, *pieces), field(SE), "west")
    assert [one.name for one in on_west] == ["a", "b"]
    assert [one.name for one in standings(position(SE, *pieces), field(SE))] == ["a", "b", "c"]


def test_the_face_that_is_up_has_the_values():
    fires = Piece(GUN, Place("hex", "0202"), {"fire_mode": 1})
    (gun,) = standings(position(SE, fires), field(SE))
    assert (gun.face, gun.value("movement"), gun.steps) == ("fire", 0, 1)
    (gun,) = standings(position(SE, Piece(GUN, Place("hex", "0202"))), field(SE))
    assert (gun.face, gun.value("movement"), gun.statuses) == ("front", 4, {"move_mode": 1})


def test_steps_are_those_left():
    unit = Unit("a", "A", "it", class_="infantry", steps=2)
    (one,) = standings(position(SE, Piece(unit, Place("hex", "0101"), steps_lost=1)), field(SE))
    assert (one.steps, one.face, one.formation) == (1, "reduced", "")


def test_a_hex_that_is_not_there_is_an_error():
    lost = position(SE, Piece(Unit("a", "A", "it"), Place("hex", "0909")))
    with pytest.raises(RulesError, match="a stands on no hex of the map"):
        standings(lost, field(SE))


def test_a_position_of_another_game_is_refused():
    with pytest.raises(RulesError, match="the position is of 'caporetto-1917'"):
        standings(position(C17), field(SE))


def test_a_trench_marker_digs_deepens_and_fills():
    trench = Marker("trench", "0202", side="it", n=2)
    ground = field_with_markers(field(SE), position(SE, markers=(trench,))).ground
    (feature,) = ground[ground.hex("0202")].features
    assert (feature.kind, feature.value, feature.owner) == ("trench", 2, "it")
    once = field_with_markers(field(SE), position(SE, markers=(trench,)))
    filled = position(SE, markers=(Marker("trench", "0202", n=0),))
    assert field_with_markers(once, filled).ground[ground.hex("0202")].features == ()


def test_a_marker_lowers_the_printed_trench_of_a_hexside_and_keeps_its_owner():
    place = "0202/0203"
    printed = field(C17, hexsides={"trench": place})
    lowered = position(C17, markers=(Marker("trench", place, n=1),))
    side = next(iter(printed.ground.hexsides))
    (feature,) = field_with_markers(printed, lowered).ground.hexsides[side]
    assert (feature.kind, feature.value) == ("trench", 1)
    gone = position(C17, markers=(Marker("trench", place, n=0),))
    assert side not in field_with_markers(printed, gone).ground.hexsides


def trenches(field_, label="0202"):
    return {(one.owner, one.value) for one in field_.ground[field_.hex(label)].features}


def test_trenches_of_both_sides_lie_in_one_hex():
    both = (Marker("trench", "0202", side="ah", n=2), Marker("trench", "0202", side="it", n=1))
    dug = field_with_markers(field(SE), position(SE, markers=both))
    assert trenches(dug) == {("ah", 2), ("it", 1)}
    filled = position(SE, markers=(Marker("trench", "0202", side="ah", n=0),))
    assert trenches(field_with_markers(dug, filled)) == {("it", 1)}
    all_filled = position(SE, markers=(Marker("trench", "0202", n=0),))
    assert trenches(field_with_markers(dug, all_filled)) == set()


def test_a_printed_trench_keeps_its_owner_and_an_unowned_one_is_taken_over():
    printed = field_with_markers(
        field(SE), position(SE, markers=(Marker("trench", "0202", side="it", n=1),))
    )
    theirs = position(SE, markers=(Marker("trench", "0202", side="ah", n=3),))
    assert trenches(field_with_markers(printed, theirs)) == {("it", 1), ("ah", 3)}
    nobodys = field_with_markers(field(SE), position(SE, markers=(Marker("trench", "0202", n=1),)))
    assert trenches(field_with_markers(nobodys, theirs)) == {("ah", 3)}


def test_a_blown_bridge_carries_nobody():
    place = "0101/0102"
    whole = field(C17, ".", ".", links={"road": "0101-0102"}, hexsides={"isonzo": place})
    blown = position(C17, markers=(Marker("blown_bridge", place),))
    broken = field_with_markers(whole, blown)
    here, there = whole.hex("0101"), whole.hex("0102")
    side = Hexside.between(here, there)
    assert {one.state for one in broken.ground.hexsides[side] if one.kind == "bridge"} == {"blown"}
    verdicts = [
        SupplyJudge(ground, "it", (), (), (there,)).rule(here).verdict for ground in (whole, broken)
    ]
    assert verdicts == ["in_supply", "out_of_supply"]


def test_markers_of_other_maps_and_off_the_map_change_nothing():
    before = field(SE)
    markers = (Marker("trench", "0202", "east", n=2), Marker("trench", "0909", n=2))
    after = field_with_markers(before, position(SE, markers=markers), "west")
    assert after.ground == before.ground


def test_the_map_itself_stays_as_it_is():
    before = field(SE)
    field_with_markers(before, position(SE, markers=(Marker("trench", "0202", n=2),)))
    assert before.ground[before.hex("0202")].features == ()
