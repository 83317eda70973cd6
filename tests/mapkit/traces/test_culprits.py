"""Who cuts a trace: examples, and every subset of obstacles tried on small worlds."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.bitboards import Board
from mapkit.hexes import Hex, Hexside, ring
from mapkit.traces import (
    Block,
    Blockade,
    Leg,
    Network,
    Obstacle,
    Route,
    find_culprits,
    find_path,
    trace,
    zone_around,
)
from tests.mapkit.traces.worlds import Judge, World, random_world

CENTRE = Hex(0, 0)
LANE = [Hex(q, 0) for q in range(8)]


def lane(*obstacles, most_zones=0, width=1):
    """Ask for a line along a lane one hex wide, or two, from its west end to its east end."""
    board = Board([Hex(h.q, r) for h in LANE for r in range(width)])
    leg = Leg("line", Network.open(board), zones="count")
    return board, Route((leg,), most_zones)


def blocked(board, id_, *, occupied=(), zone=(), hexsides=()):
    """An obstacle by the places of the lane it blocks."""
    hexes = [board.of(LANE[place] for place in places) for places in (occupied, zone)]
    return Obstacle(id_, (Block(*hexes, tuple(hexsides)),))


def culprits(board, route, *obstacles, **exempt):
    blockade = Blockade(route, obstacles, exempt)
    return find_culprits(blockade, board.bit(LANE[0]), board.bit(LANE[-1]))


def test_a_unit_with_its_whole_zone_counts_once():
    board, route = lane()
    found = culprits(board, route, blocked(board, "a", occupied=[3], zone=[2, 4]))
    assert found.sets == (("a",),)
    assert (found.more, found.proven_smallest, found.at_least) == (False, True, 1)


def test_a_hex_under_two_zones_is_free_when_both_are_gone():
    board, route = lane()
    units = [blocked(board, "a", zone=[2, 3]), blocked(board, "b", zone=[3, 4])]
    assert culprits(board, route, *units).sets == (("a", "b"),)


def test_an_exempt_hex_is_free_of_zones_but_not_of_its_occupant():
    board, route = lane()
    units = [blocked(board, "a", occupied=[3]), blocked(board, "b", zone=[2, 3])]
    friends = board.of([LANE[2], LANE[3]])
    assert culprits(board, route, *units).sets == (("a", "b"),)
    assert culprits(board, route, *units, line=friends).sets == (("a",),)


def test_a_hexside_is_an_obstacle_as_well():
    board, route = lane()
    blown = blocked(board, "bridge", hexsides=[Hexside.between(LANE[4], LANE[5])])
    unit = blocked(board, "unit", occupied=[5])
    assert culprits(board, route, blown).sets == (("bridge",),)
    assert culprits(board, route, blown, unit).sets == (("bridge", "unit"),)


def test_it_is_not_a_cut_of_a_flow():
    """Three lanes, a unit on each, and one whose zone lies over all: two must go, not three."""
    board = Board([Hex(q, r) for q in range(5) for r in range(3)])
    apart = [
        Hexside.between(Hex(q, r), n)
        for q in range(1, 4)
        for r in range(3)
        for n in (Hex(q, r + 1), Hex(q + 1, r - 1))
        if n in board
    ]
    walls = set(apart)
    lanes = Network.build(board, lambda a, b: None if Hexside.between(a, b) in walls else 1)
    units = [Obstacle(f"u{r}", (Block(board.bit(Hex(2, r))),)) for r in range(3)]
    long_arm = Obstacle("arm", (Block(zone=board.of(Hex(3, r) for r in range(3))),))
    blockade = Blockade(Route((Leg("line", lanes),)), (*units, long_arm))
    found = find_culprits(blockade, board.bit(Hex(0, 1)), board.bit(Hex(4, 1)))
    assert found.sets == (("u0", "arm"), ("u1", "arm"), ("u2", "arm"))


def test_where_zones_are_counted_lifting_one_passed_before_helps():
    board, route = lane(most_zones=1)
    units = [blocked(board, "a", zone=[2]), blocked(board, "b", zone=[5])]
    assert culprits(board, route, *units).sets == (("a",), ("b",))


def test_a_long_way_round_may_be_too_long():
    """The lane is two hexes wide; around the unit would take one hex more than allowed."""
    board, _ = lane(width=2)
    unit = blocked(board, "a", occupied=[3])
    for most, sets in ((8, ((),)), (7, (("a",),))):
        route = Route((Leg("line", Network.open(board), most_hexes=most),))
        assert culprits(board, route, unit).sets == sets


@pytest.mark.parametrize(("gates", "more"), [(1, False), (5, False), (6, True), (7, True)])
def test_five_sets_are_listed_and_more_are_told_of(gates, more):
    """A ring of gates, each shut by two units."""
    gaps = ring(CENTRE, 2)[:gates]
    board = Board([CENTRE, *ring(CENTRE, 1), *gaps, *ring(CENTRE, 3)])
    pairs = [(f"a{n}", f"b{n}") for n in range(gates)]
    units = [
        Obstacle(id_, (Block(board.bit(gap)),))
        for gap, pair in zip(gaps, pairs, strict=True)
        for id_ in pair
    ]
    blockade = Blockade(Route((Leg("line", Network.open(board)),)), tuple(units))
    found = find_culprits(blockade, board.bit(CENTRE), board.of(ring(CENTRE, 3)))
    assert found.sets == tuple(pairs[:5])
    assert (found.more, found.proven_smallest) == (more, True)


def test_where_the_ground_itself_forbids_nobody_is_to_blame():
    board = Board([*LANE[:3], *LANE[5:]])
    route = Route((Leg("line", Network.open(board)),))
    unit = Obstacle("a", (Block(board.bit(LANE[1])),))
    found = trace(Blockade(route, (unit,)), LANE[0], board.bit(LANE[-1]))
    assert (found.verdict, found.path, found.culprits) == ("no_way", None, None)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_beyond_three_the_best_found_is_labelled(count):
    board, route = lane()
    units = [blocked(board, f"u{place}", occupied=[place]) for place in range(1, 1 + count)]
    spare = [blocked(board, f"s{place}", zone=[place]) for place in range(1, 1 + count)]
    found = culprits(board, route, *units[:-1], *spare[-1:])
    assert found.size == count
    assert found.proven_smallest == (count <= 3)
    assert min(count, 4) <= found.at_least <= count


def test_rings_of_many_units_are_searched_through():
    """Rings of units with zones around: one of each ring must go, whichever."""
    radii = (4, 8, 12)
    board = Board([CENTRE, *(hex_ for radius in range(1, 16) for hex_ in ring(CENTRE, radius))])
    units = [
        Obstacle(f"{radius}:{n}", (Block(board.bit(hex_), zone_around(board, hex_)),))
        for radius in radii
        for n, hex_ in enumerate(ring(CENTRE, radius)[::2])
    ]
    route = Route((Leg("line", Network.open(board)),))
    for count, radius in enumerate(radii, start=1):
        inner = tuple(unit for unit in units if int(unit.id.partition(":")[0]) <= radius)
        ends = board.bit(CENTRE), board.of(ring(CENTRE, 15))
        found = find_culprits(Blockade(route, inner), *ends)
        assert (found.size, found.proven_smallest, found.more) == (count, True, True)
        for removed in found:
            assert {id_.partition(":")[0] for id_ in removed} == set(map(str, radii[:count]))


def test_dense_rings_beyond_the_exact_search_give_sets_that_do_restore():
    """Shoulder to shoulder every gap takes several units; what is found must at least work."""
    board = Board([CENTRE, *(hex_ for radius in range(1, 10) for hex_ in ring(CENTRE, radius))])
    stands = [*ring(CENTRE, 4), *ring(CENTRE, 7)]
    units = tuple(
        Obstacle(str(n), (Block(board.bit(hex_), zone_around(board, hex_)),))
        for n, hex_ in enumerate(stands)
    )
    route = Route((Leg("line", Network.open(board)),))
    ends = board.bit(CENTRE), board.of(ring(CENTRE, 9))
    found = find_culprits(Blockade(route, units), *ends)
    assert not found.proven_smallest
    assert 3 < found.at_least <= found.size < 8
    for removed in found:
        assert len(removed) == found.size
        kept = tuple(unit for unit in units if unit.id not in removed)
        assert find_path(Blockade(route, kept), *ends)


def every_smallest(world: World, start: Hex) -> list[tuple[str, ...]] | None:
    """Try all subsets of the obstacles, the small ones first."""
    ids = [obstacle.id for obstacle in world.obstacles]
    for size in range(len(ids) + 1):
        subsets = combinations(ids, size)
        found = [one for one in subsets if Judge(world, frozenset(one)).is_open(start)]
        if found:
            return found
    return None


def compare(seed: int) -> int | None:
    """Compare with brute force in one random world; return the size of the answer."""
    world = random_world(seed, tight=True)
    start = random.Random(seed).choice(world.hexes)
    expected = every_smallest(world, start)
    found = find_culprits(world.blockade, world.board.bit(start), world.board.of(world.sources))
    if expected is None or found is None:
        assert found == expected
        return None
    size = len(expected[0])
    if size <= 3:
        assert set(found.sets) <= set(expected)
        assert len(set(found.sets)) == min(5, len(expected))
        assert (found.more, found.proven_smallest) == (len(expected) > 5, True)
    else:
        assert not found.proven_smallest
        assert found.at_least <= size <= found.size
        for removed in found:
            assert len(removed) == found.size
            assert Judge(world, frozenset(removed)).is_open(start)
    return size


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_culprits_are_what_trying_every_subset_finds(seed):
    compare(seed)


def test_every_size_of_answer_turns_up():
    """The comparison proves little unless each answer appears often enough in it."""
    sizes = Counter(compare(seed) for seed in range(120))
    assert {size: sizes[size] >= 5 for size in (0, 1, 2, 3, None)} == dict.fromkeys(
        (0, 1, 2, 3, None), True
    ), sizes


@pytest.mark.slow
def test_culprits_in_many_more_worlds():
    sizes = Counter(compare(seed) for seed in range(10_000, 10_600))
    assert min(sizes[size] for size in (0, 1, 2, 3, None)) >= 20, sizes
    assert sum(sizes[size] for size in (4, 5, 6)) >= 20, sizes
