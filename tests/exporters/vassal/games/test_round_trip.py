"""Positions as saved games and back: the same on what both can hold."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.model import GivenFile
from exporters.vassal.games.position_read import PositionReader
from exporters.vassal.games.position_written import write_position
from exporters.vassal.metadata import metadata
from exporters.vassal.saves.save_file import read_save, write_save
from mapkit.hexes import Hexside, neighbours
from rules.positions.places import OFF_MAP
from rules.positions.position import UNPLACED, Clock, Marker, Piece, Place, Position
from tests.exporters.vassal.games.small_modules import (
    GAME,
    MAP,
    UNITS,
    small_known,
    small_module,
)

MODULES = [small_module(), small_module(x0=51, y0=43, dx=68.7, dy=80.3)]
KNOWN = [small_known(module) for module in MODULES]
LABELS = sorted(MAP.label(hex_) for hex_ in MAP.hexes)
HEXSIDES = sorted(
    MAP.label_place(Hexside.between(hex_, near))
    for hex_ in MAP.hexes
    for near in neighbours(hex_)
    if near in MAP
)
PHASES = [Clock(phase=phase, step=step) for phase, step in KNOWN[0].binding.turns.phases]
hexes = st.sampled_from(LABELS).map(lambda label: Place("hex", label))
statuses = st.fixed_dictionaries(
    {},
    optional={
        "disorganization": st.integers(1, 4),
        "fire_mode": st.just(1),
        "activated": st.just(1),
    },
)
others = {"it": "ah", "ah": "it"}


def pieces_of(unit):
    return st.builds(
        Piece,
        st.just(unit),
        st.one_of(hexes, st.sampled_from([UNPLACED, Place("box", "eliminated")])),
        statuses,
        st.integers(0, 2),
        st.none() | st.integers(0, 5),
        st.sampled_from([(), (others[unit.side],)]),
    )


markers = st.one_of(
    st.builds(
        Marker,
        st.just("trench"),
        st.sampled_from(LABELS),
        side=st.sampled_from(["it", "ah"]),
        n=st.integers(0, 3),
    ),
    st.builds(Marker, st.just("blown_bridge"), st.sampled_from(HEXSIDES)),
)
positions = st.builds(
    Position,
    st.just(GAME),
    clock=st.builds(
        lambda turn, at: replace(at, turn=turn), st.integers(1, 40), st.sampled_from(PHASES)
    ),
    control=st.dictionaries(st.sampled_from(LABELS), st.sampled_from(["it", "ah"]), max_size=3),
    pieces=st.fixed_dictionaries({}, optional={unit.id: pieces_of(unit) for unit in UNITS}),
    markers=st.lists(markers, max_size=4, unique_by=lambda one: (one.at, one.side)).map(tuple),
)


def there_and_back(position, module=MODULES[0], known=KNOWN[0]):
    made = write_position(position, known, module)
    data = write_save(made.game, metadata("1.2", "", "Small"))
    game = read_save(GivenFile("x.vsav", data))
    return made, game, PositionReader(known).read(game)


@settings(max_examples=40, deadline=None)
@given(positions, st.sampled_from([0, 1]))
def test_a_position_comes_back(position, which):
    made, _, read = there_and_back(position, MODULES[which], KNOWN[which])
    assert made.dropped == ()
    assert read.untold == ()
    assert read.position == position


@settings(max_examples=15, deadline=None)
@given(positions)
def test_a_saved_game_keeps_its_places(position):
    _, first, read = there_and_back(position)
    _, second, _ = there_and_back(read.position)

    def spots(game):
        return sorted(
            (one.name, one.spot.x, one.spot.y) for one in game.pieces if one.spot.map == "Field"
        )

    assert spots(first) == spots(second)
    assert {one.spot for one in first.stacks} == {one.spot for one in second.stacks}


@settings(max_examples=15, deadline=None)
@given(positions)
def test_what_a_saved_game_cannot_hold_is_taken_from_the_position_before(position):
    whole = replace(
        position,
        scenario="s4",
        weather="clear",
        initiative="it",
        points={"it": {"lp": 4}},
        pieces={
            id_: replace(piece, due=3, placement="somewhere")
            for id_, piece in position.pieces.items()
        },
    )
    module = MODULES[0]
    made = write_position(whole, KNOWN[0], module)
    assert [one.key for one in made.dropped] == ["exporters.game.lost.unheld"]
    game = read_save(GivenFile("x.vsav", write_save(made.game, metadata("1.2", "", "Small"))))
    assert PositionReader(replace(KNOWN[0], before=whole)).read(game).position == whole


def test_pieces_of_one_hex_and_layer_lie_in_one_stack():
    where = Place("hex", "0305")
    standing = {unit.id: Piece(unit, where) for unit in UNITS[:3]}
    trench = Marker("trench", "0305", side="it", n=2)
    made, _, _ = there_and_back(Position(GAME, pieces=standing, markers=(trench,)))
    stacks = made.game.stacks
    assert sorted((len(one.members), one.layer) for one in stacks) == [(1, 2), (3, 1)]
    assert len({one.spot for one in stacks}) == 1


def test_pieces_in_a_box_lie_side_by_side_in_the_box_of_their_side():
    gone = {unit.id: Piece(unit, Place("box", "eliminated")) for unit in UNITS}
    made, _, _ = there_and_back(Position(GAME, pieces=gone))
    spots = {one.marks()["Id"]: one.spot for one in made.game.pieces}
    assert len(set(spots.values())) == len(UNITS)
    assert all((spot.x < 340) == id_.startswith("it") for id_, spot in spots.items())


def test_a_unit_without_a_piece_or_a_place_is_told():
    stranger = replace(UNITS[0], id="it-guards", name="Guards")
    given_ = {
        "it-guards": Piece(stranger, Place("hex", "0101")),
        "it-1": Piece(UNITS[0], OFF_MAP),
        "it-2": Piece(UNITS[1], Place("hex", "0999")),
    }
    made, _, read = there_and_back(Position(GAME, pieces=given_))
    told = {one.key.rpartition(".")[2]: one.told for one in made.dropped}
    assert "it-guards" in told["no_piece"]
    assert {one.values.get("what") for one in made.dropped} >= {"off_map", "0999"}
    assert read.position.pieces == {}


def test_copies_of_a_unit_come_from_one_slot():
    unit = UNITS[0]
    twice = {
        "it-1": Piece(unit, Place("hex", "0101")),
        "it-1#2": Piece(replace(unit, id="it-1#2"), Place("hex", "0203")),
    }
    made, _, read = there_and_back(Position(GAME, pieces=twice))
    assert made.dropped == ()
    assert read.position.pieces == twice
    assert [one.key.rpartition(".")[2] for one in read.untold] == ["copy"]


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        (Clock(3, "8", "C"), Clock(3, "8", "C")),
        (Clock(2), Clock(2, "1")),
        (Clock(4, "8"), Clock(4, "8", "A")),
    ],
)
def test_the_tracker_stands_at_the_moment_or_at_the_first_of_its_phase(clock, told):
    _, _, read = there_and_back(Position(GAME, clock=clock))
    assert read.position.clock == told


def test_a_moment_the_tracker_does_not_know_is_told():
    made, _, read = there_and_back(Position(GAME, clock=Clock(3, "99")))
    assert [one.key for one in made.dropped] == ["exporters.game.lost.turn"]
    assert [one.key for one in read.untold] == ["exporters.game.untold.turn"]
