"""Positions begun: every scenario sets up whole, and tables of units are read and refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Unit
from mapkit.errors import TableError
from rules.errors import RulesError
from rules.positions.places import format_place, parse_place
from rules.positions.points import points_word
from rules.positions.position import UNPLACED, Marker, Piece, Place
from rules.positions.position_file import dump_position, parse_position
from rules.positions.set_up import (
    begin,
    begin_from,
    certain_place,
    pieces_from_table,
    pieces_to_table,
    set_up,
)
from rules.registry import find_pack, pack_names
from rules.scenarios.deployment import SET_UP
from rules.scenarios.scenario_files import find_scenarios
from rules.schema.placement import Placement

GAMES = ("strafexpedition", "caporetto-1917")
SCENARIOS = [(game, one.id) for game in GAMES for one in find_scenarios(game).scenarios]
HEAD = b"id,name,side,class,place,statuses,steps_lost,hidden_from,turn,placement\n"


@pytest.mark.parametrize(("game", "id_"), SCENARIOS)
def test_every_scenario_sets_up_whole(game, id_):
    scenario = find_scenarios(game).find(id_)
    position = set_up(game, id_)
    assert len(position.pieces) == len(scenario.deployed)
    for row in scenario.deployed:
        piece = position.pieces[row.unit.id]
        certain = certain_place(scenario.placements[row.placement])
        where = certain if row.turn == SET_UP else Place("off_map")
        assert (piece.unit, piece.place, piece.due) == (row.unit, where, row.turn)
        assert piece.placement == row.placement
        said = {one.kind for one in row.statuses}
        assert set(piece.statuses) == said - {"reduced"}
        assert piece.steps_lost == ("reduced" in said)
    assert parse_position(dump_position(position), "x") == position


@pytest.mark.parametrize(("game", "id_"), SCENARIOS)
def test_every_scenario_lays_its_markers_and_points(game, id_):
    scenario = find_scenarios(game).find(id_)
    position = set_up(game, id_)
    hexes = {(hex_, one.side) for one in scenario.trenches for hex_ in one.hexes}
    assert {(one.at, one.side) for one in position.markers if one.kind == "trench"} == hexes
    blown = {one.at for one in position.markers if one.kind == "blown_bridge"}
    assert blown == {one.hexside for one in scenario.file.bridges_blown}
    counted = {
        (side, word): n for side, kinds in position.points.items() for word, n in kinds.items()
    }
    pools = [one for one in scenario.file.points if not one.unlimited]
    assert counted == {(one.side, points_word(one)): one.start for one in pools}
    assert position.weather == scenario.file.weather.on(1)


def test_strafexpedition_scenario_4():
    position = set_up("strafexpedition", "s4")
    cagliari = position.pieces["it-cagliari-64-i"]
    assert (cagliari.place, cagliari.steps_lost) == (Place("hex", "1232"), 1)
    assert position.pieces["ah-field-artillery-1"].place == UNPLACED
    assert Marker("trench", "1333", side="it", n=1) in position.markers
    assert position.points == {"it": {"logistics_points": 5}, "ah": {"logistics_points": 7}}


@pytest.mark.parametrize(
    ("hexes", "more", "or_else", "where"),
    [
        (("0305",), (), (), Place("hex", "0305")),
        (("0305", "0306"), (), (), UNPLACED),
        (("0305",), ({"kind": "from_enemies", "n": 2},), (), UNPLACED),
        (("0305",), (), ({"all_of": ({"kind": "map_edge", "edge": "N"},)},), UNPLACED),
    ],
    ids=["one hex", "a choice", "a condition", "another way in"],
)
def test_only_one_hex_without_conditions_is_certain(hexes, more, or_else, where):
    all_of = ({"kind": "hexes", "hexes": hexes}, *more)
    placement = Placement.model_validate({"all_of": all_of, "or_else": or_else, "cite": "9.0"})
    assert certain_place(placement) == where


def test_the_later_of_two_trenches_in_a_hex_counts():
    markers = set_up("strafexpedition", "s1").markers
    assert [one.n for one in markers if one.at == "3122"] == [2]


def test_caporetto_1917_scenario_2_begins_without_two_bridges():
    position = set_up("caporetto-1917", "s2")
    assert [one.at for one in position.markers] == ["1524/1624", "3926/3927"]
    assert (position.initiative, position.weather) == ("ahg", "first_turn")


@pytest.mark.parametrize("game", pack_names())
def test_any_game_begins_without_a_scenario(game):
    position = begin(find_pack(game), ())
    assert (position.game, position.pieces) == (game, {})


@pytest.mark.parametrize(("game", "id_"), SCENARIOS)
def test_a_table_of_units_is_read_back(game, id_):
    position, pack = set_up(game, id_), find_pack(game)
    table = pieces_to_table(position, pack)
    read = pieces_from_table(table, pack, source="x.csv")
    assert {piece.unit.id: piece for piece in read} == position.pieces


def test_states_steps_facing_and_words_of_no_game_go_through_a_table():
    pack, unit = find_pack("strafexpedition"), Unit("a", "A", "it", class_="infantry", steps=2)
    piece = Piece(
        unit,
        Place("hex", "1233", "west"),
        {"disorganization": 2, "activated": 1},
        steps_lost=1,
        facing=0,
        hidden_from=("ah",),
        due=3,
    )
    table = pieces_to_table(begin(pack, [piece]), pack)
    assert pieces_from_table(table, pack, source="x.csv") == (piece,)
    strange = replace(piece, statuses={"asleep": 1})
    assert b"asleep" in pieces_to_table(begin(pack, [strange]), pack)
    with pytest.raises(TableError, match="'7' is no facing"):
        pieces_from_table(b"id,name,side,facing\na,A,it,7\n", pack, source="x.csv")


def test_a_table_fills_in_what_a_scenario_leaves_open():
    row = b"it-cagliari-64-i,64/I,it,infantry,1233,disorganization 2; activated,1,ah,,\n"
    more = b"it-new,New,it,alpini,,,,,2,\n"
    position = begin_from(find_pack("strafexpedition"), "s4", HEAD + row + more, source="x.csv")
    assert len(position.pieces) == len(set_up("strafexpedition", "s4").pieces) + 1
    cagliari = position.pieces["it-cagliari-64-i"]
    assert cagliari.place == Place("hex", "1233")
    assert cagliari.statuses == {"disorganization": 2, "activated": 1}
    assert (cagliari.hidden_from, cagliari.steps_lost) == (("ah",), 1)
    new = position.pieces["it-new"]
    assert (new.place, new.due, new.unit.steps) == (UNPLACED, 2, 2)


def test_every_bad_cell_is_told():
    rows = (
        b"a,A,pink,infantry,,,,,,\n"
        b"b,B,it,tank,,,,,,\n"
        b"c,C,it,infantry,,asleep,,,,\n"
        b"d,D,it,infantry,,,many,,,\n"
        b"e,E,it,infantry,,,,pink,,\n"
        b"f,F,it,infantry,,,,,,nowhere\n"
    )
    with pytest.raises(TableError) as caught:
        begin_from(find_pack("strafexpedition"), "s4", HEAD + rows, source="x.csv")
    for told in (
        "no side 'pink'; there is: it, ah",
        "no class of unit 'tank'",
        "'asleep' is no state of a unit; there is: disorganization",
        "'many' is no number of steps_lost",
        "no placement 'nowhere'",
    ):
        assert told in str(caught.value)
    assert len(caught.value.problems) == 6


def test_two_units_of_one_id_are_refused():
    piece = next(iter(set_up("strafexpedition", "s4").pieces.values()))
    with pytest.raises(RulesError, match="two units have the id"):
        begin(find_pack("strafexpedition"), [piece, Piece(piece.unit)])


@given(
    st.sampled_from(["", "west"]).flatmap(
        lambda map_: st.builds(
            Place, st.just("hex"), st.from_regex("[0-9]{4}", fullmatch=True)
        ).map(lambda place: Place("hex", place.at, map_))
    )
    | st.builds(Place, st.sampled_from(["box", "edge"]), st.sampled_from(["N", "eliminated"]))
    | st.sampled_from([Place("off_map"), UNPLACED])
)
def test_a_written_place_is_read_back(place):
    assert parse_place(format_place(place)) == place
