"""Movement: examples drawn in letters, and random marches against a graph of all states."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.bitboards import Board
from mapkit.hexes import DIRECTIONS, Hex, neighbours
from mapkit.traces import (
    WHOLE,
    Movement,
    Network,
    NoWay,
    Toll,
    Way,
    Why,
    movement_reach,
    moves_to,
    refused,
    why_not,
)
from tests.boards import field
from tests.mapkit.traces.table import Table

HALF = Fraction(1, 2)
PRICE = {"clear": 1, "woods": 2, "hills": 3, "lake": NoWay("deep"), "rough": WHOLE}


def country(table):
    """Terrain by the hex entered, and one point more over a river."""

    def cost(here, there):
        price = PRICE[table.map[there].terrain]
        if isinstance(price, int) and table.has("river", here, there):
            return price + 1
        if table.has("crags", here, there):
            return NoWay("crags")
        return price

    return Way("country", Network.build(table.board, cost))


def road(table, **where):
    return Way("road", Network.along(table.board, table.links("road"), cost=HALF), **where)


def costs(table, movement, start):
    """Return what each hex in reach costs: {"0101": 1}."""
    reach = movement_reach(movement, table.hex(start))
    return {table.map.label(one.hex): one.spent for one in reach.arrivals()}


def test_terrain_and_hexsides_are_paid_for():
    table = Table(". w . .", hexsides={"river": "0201/0301"})
    assert costs(table, Movement((country(table),), 4), "0101") == {"0101": 0, "0201": 2, "0301": 4}


def test_a_road_pays_its_own_price_for_hex_and_hexside():
    table = Table(". w . .", hexsides={"river": "0201/0301"}, links={"road": "0101-0201-0301"})
    movement = Movement((country(table), road(table)), 1)
    assert costs(table, movement, "0101") == {"0101": 0, "0201": HALF, "0301": 1}
    moves = moves_to(movement_reach(movement, table.hex("0101")), table.hex("0301"))
    assert [(m.way, m.cost, m.spent) for m in moves] == [("road", HALF, HALF), ("road", HALF, 1)]


def test_a_road_rate_is_lost_where_it_may_not_be_used():
    table = Table(". w .", links={"road": "0101-0201-0301"})
    not_woods = table.board.everything & ~table.bits("0201")
    movement = Movement((country(table), road(table, into=not_woods)), 3)
    assert costs(table, movement, "0101") == {"0101": 0, "0201": 2, "0301": Fraction(5, 2)}
    both_ends = Movement((country(table), road(table, into=not_woods, out_of=not_woods)), 3)
    assert costs(table, both_ends, "0101") == {"0101": 0, "0201": 2, "0301": 3}


def test_leaving_a_zone_costs_more_and_entering_one_stops():
    table = Table(". . . . .")
    zone = table.bits("0201 0301")
    leave = Toll("zone", 1, leaving=zone)
    free = Movement((country(table),), 4, (leave,))
    assert costs(table, free, "0101") == {"0101": 0, "0201": 1, "0301": 3}
    assert costs(table, replace(free, stops=zone), "0101") == {"0101": 0, "0201": 1}
    assert costs(table, replace(free, stops=zone), "0301") == {
        "0201": 2, "0301": 0, "0401": 2, "0501": 3
    }  # fmt: skip
    moves = moves_to(movement_reach(free, table.hex("0101")), table.hex("0301"))
    assert [move.tolls for move in moves] == [(), ("zone",)]


def test_a_pinned_unit_stays():
    table = Table(". . .")
    movement = Movement((country(table),), 4, pinned=table.bits("0101"), minimum_move=True)
    assert costs(table, movement, "0101") == {"0101": 0}
    assert costs(table, movement, "0201") == {"0101": 1, "0201": 0, "0301": 1}
    reach = movement_reach(movement, table.hex("0101"))
    assert [r.why for r in refused(reach).values()] == [Why.PINNED]


def test_tolls_forbid_and_go_from_zone_to_zone():
    table = Table(". . . .")
    zone = table.bits("0201 0301")
    enemy = Toll("enemy", entering=table.bits("0401"))
    between = Toll("zone to zone", None, leaving=zone, entering=zone)
    assert costs(table, Movement((country(table),), 9, (enemy,)), "0101").keys() == {
        "0101", "0201", "0301"
    }  # fmt: skip
    movement = Movement((country(table),), 9, (enemy, between))
    reach = movement_reach(movement, table.hex("0101"))
    (refusal,) = why_not(reach, table.hex("0301"))
    assert (refusal.why, refusal.name) == (Why.BARRED, "zone to zone")
    assert why_not(reach, table.hex("0401")) == ()


@pytest.mark.parametrize(
    ("start", "needs", "zone", "reached"),
    [
        pytest.param("0201", "full", "", True, id="from the hex beside it"),
        pytest.param("0101", "full", "", False, id="not after a step that cost something"),
        pytest.param("0201", "full", "0201", False, id="not with a toll to pay as well"),
        pytest.param("0201", "first_step", "0201", True, id="toll or not, as the first step"),
        pytest.param("0101", "first_step", "", False, id="and only as the first"),
    ],
)
def test_an_entry_may_take_the_whole_allowance(start, needs, zone, reached):
    table = Table(". . r .")
    leave = Toll("zone", 1, leaving=table.bits(zone))
    movement = Movement((country(table),), 5, (leave,), whole_needs=needs)
    reach = movement_reach(movement, table.hex(start))
    arrival = reach.arrival(table.hex("0301"))
    assert (arrival and (arrival.how, arrival.spent, arrival.left)) == (
        ("whole", 5, 0) if reached else None
    )
    assert not reach.hexes & table.bits("0401")
    if reached:
        (move,) = moves_to(reach, table.hex("0301"))
        assert (move.cost, move.spent) == (5, 5)
    else:
        (refusal,) = why_not(reach, table.hex("0301"))
        assert (refusal.why, refusal.needs) == (Why.NEEDS_WHOLE, 5)


def test_a_free_step_leaves_the_whole_allowance():
    table = Table(". . r", links={"road": "0101-0201"})
    rail = Way("rail", Network.along(table.board, table.links("road"), cost=0))
    reach = movement_reach(Movement((country(table), rail), 5), table.hex("0101"))
    assert [move.way for move in moves_to(reach, table.hex("0301"))] == ["rail", "country"]


@pytest.mark.parametrize(
    ("row", "reached"),
    [(". h .", "0201"), (". r .", "0201"), (". l .", ""), (". . .", "0201")],
)
def test_one_hex_is_always_allowed_where_it_is_not_forbidden(row, reached):
    table = Table(row)
    movement = Movement((country(table),), HALF)
    assert costs(table, movement, "0101").keys() - {"0101"} <= {"0201"}
    moving = replace(movement, minimum_move=True)
    assert costs(table, moving, "0101").keys() - {"0101"} == set(reached.split())
    reach = movement_reach(moving, table.hex("0101"))
    if reached and row != ". r .":
        assert reach.arrival(table.hex("0201")).how == "minimum"
        assert moves_to(reach, table.hex("0201"))[0].spent == HALF


def test_thirds_are_exact():
    table = Table(*field(7, 1))
    third = Way("march", Network.build(table.board, lambda *_: Fraction(1, 3)))
    assert costs(table, Movement((third,), 1), "0101") == {
        "0101": 0, "0201": Fraction(1, 3), "0301": Fraction(2, 3), "0401": 1
    }  # fmt: skip
    mixed = Movement((third,), 1, (Toll("mud", Fraction(1, 2), entering=table.bits("0301")),))
    assert costs(table, mixed, "0101") == {"0101": 0, "0201": Fraction(1, 3)}
    assert costs(table, replace(mixed, allowance=Fraction(7, 6)), "0101")["0301"] == Fraction(7, 6)


def test_every_refusal_says_why():
    """From 0202 with 2 points: dear hills, a lake, crags, an enemy, and a zone beyond."""
    table = Table(
        ". h . .",
        "l . . .",
        ". . . .",
        hexsides={"crags": "0202/0203"},
    )
    enemy = Toll("enemy", entering=table.bits("0103"))
    movement = Movement((country(table),), 2, (enemy,), stops=table.bits("0302 0303"))
    reach = movement_reach(movement, table.hex("0202"))
    why = {table.map.label(hex_): refusal for hex_, refusal in refused(reach).items()}
    told = {label: (r.why, r.needs, r.left, r.name) for label, r in why.items()}
    assert told["0201"] == (Why.TOO_DEAR, 3, 2, "")
    assert told["0102"] == (Why.NO_WAY, None, None, "deep")
    assert told["0103"] == (Why.BARRED, None, None, "enemy")
    assert told["0401"] == (Why.MUST_STOP, 1, 1, "")
    crags = why_not(reach, table.hex("0203"))
    assert (Why.NO_WAY, "crags") in [(r.why, r.name) for r in crags]


def test_of_equally_cheap_ways_the_fewest_hexes_and_the_lower_direction():
    table = Table(*field(3, 3))
    reach = movement_reach(Movement((country(table),), 5), table.hex("0102"))
    moves = moves_to(reach, table.hex("0302"))
    assert [table.map.label(move.hex) for move in moves] == ["0202", "0302"]
    dear = Way("dear", Network.build(table.board, lambda a, b: 2 if b == table.hex("0202") else 1))
    reach = movement_reach(Movement((dear,), 5), table.hex("0102"))
    moves = moves_to(reach, table.hex("0302"))
    assert [table.map.label(move.hex) for move in moves] == ["0201", "0302"]


def test_what_does_not_fit_is_refused():
    table, other = Table(". ."), Table(". .")
    with pytest.raises(ValueError, match="at least one way"):
        Movement((), 3)
    with pytest.raises(ValueError, match="one and the same Board"):
        Movement((country(table), country(other)), 3)
    with pytest.raises(ValueError, match="whole number or a Fraction"):
        Movement((country(table),), 2.5)
    with pytest.raises(ValueError, match="whole number or a Fraction"):
        Movement((country(table),), 3, (Toll("bonus", -1),))


@dataclass(frozen=True)
class March:
    """A random unit, as it was drawn: prices by step and way, sets as hexes."""

    board: Board
    hexes: tuple[Hex, ...]
    prices: tuple[dict, ...]
    usable: tuple[tuple[frozenset[Hex], frozenset[Hex]], ...]
    tolls: tuple[tuple[Fraction | None, frozenset[Hex], frozenset[Hex]], ...]
    stops: frozenset[Hex]
    pinned: frozenset[Hex]
    allowance: Fraction
    minimum_move: bool
    whole_needs: str
    start: Hex

    @property
    def movement(self):
        of = self.board.of
        ways = tuple(
            Way(
                f"way {n}",
                Network.build(self.board, lambda a, b, n=n: self.prices[n].get((a, b))),
                of(out_of),
                of(into),
            )
            for n, (out_of, into) in enumerate(self.usable)
        )
        tolls = tuple(
            Toll(f"toll {n}", points, of(leaving), of(entering))
            for n, (points, leaving, entering) in enumerate(self.tolls)
        )
        return Movement(
            ways,
            self.allowance,
            tolls,
            of(self.stops),
            of(self.pinned),
            self.minimum_move,
            self.whole_needs,
        )

    def step(self, here, there):
        """Return the price of a step or None, whether it may take everything, and its tolls."""
        tolls = [p for p, out, into in self.tolls if here in out and there in into]
        if there not in self.hexes or None in tolls:
            return None, False, 0
        offers = [
            prices.get((here, there))
            for prices, (out, into) in zip(self.prices, self.usable, strict=True)
            if here in out and there in into
        ]
        paid = [offer + sum(tolls) for offer in offers if offer not in {None, WHOLE}]
        return min(paid, default=None), WHOLE in offers, sum(tolls)


def random_march(seed):
    dice = random.Random(seed)
    columns, rows = dice.randint(2, 6), dice.randint(2, 5)
    hexes = tuple(
        Hex(q, r - q // 2) for q in range(columns) for r in range(rows) if dice.random() < 0.95
    ) or (Hex(0, 0),)

    def some(share):
        return frozenset(hex_ for hex_ in hexes if dice.random() < share)

    menus = [[1, 2, WHOLE], [HALF, 1, 3], [0, 1], [Fraction(1, 3), 1, 2, WHOLE]]
    prices = []
    for share in (0.9, 0.4)[: dice.randint(1, 2)]:
        menu = dice.choice(menus)
        steps = [(h, n) for h in hexes for n in neighbours(h) if n in hexes]
        prices.append({step: dice.choice(menu) for step in steps if dice.random() < share})
    toll_points = [None, HALF, 1, 2, 0]
    return March(
        Board(hexes),
        hexes,
        tuple(prices),
        tuple((some(0.9), some(0.9)) for _ in prices),
        tuple((dice.choice(toll_points), some(0.5), some(0.5)) for _ in range(dice.randint(0, 3))),
        some(dice.choice([0, 0.2])),
        some(dice.choice([0, 0.1])),
        Fraction(dice.randint(0, 16), 2),
        dice.random() < 0.4,
        dice.choice(["full", "first_step"]),
        dice.choice(hexes),
    )


SCALE = 10**4


class Marcher:
    """Moves a march through a graph of (hex, whether a step was taken), weighed by networkx."""

    def __init__(self, march):
        self.march = march
        self.graph = nx.DiGraph()
        self.graph.add_node((march.start, False))
        for here in march.hexes:
            for there in neighbours(here):
                price, *_ = march.step(here, there)
                if price is None:
                    continue
                weight = int(price * 12) * SCALE + 1
                if here == march.start and here not in march.pinned:
                    self.graph.add_edge((here, False), (there, True), weight=weight)
                if here not in march.stops and here != march.start:
                    self.graph.add_edge((here, True), (there, True), weight=weight)
        self.weights = nx.single_source_dijkstra_path_length(self.graph, (march.start, False))

    def paid(self):
        """Return what each hex costs that is paid for step by step."""
        found = {}
        for (hex_, moved), weight in self.weights.items():
            spent = Fraction(weight // SCALE, 12)
            if spent <= self.march.allowance and not (moved and hex_ == self.march.start):
                found[hex_] = spent
        return found

    def arrivals(self):
        march, found = self.march, {hex_: (s, "paid") for hex_, s in self.paid().items()}
        moves = march.start not in march.pinned
        for here, spent in self.paid().items():
            goes_on = moves if here == march.start else here not in march.stops
            fits = here == march.start if march.whole_needs == "first_step" else spent == 0
            if not (goes_on and fits and march.allowance):
                continue
            for there in neighbours(here):
                _, whole, tolls = march.step(here, there)
                if whole and (march.whole_needs == "first_step" or not tolls):
                    found.setdefault(there, (march.allowance, "whole"))
        for there in neighbours(march.start) if moves and march.minimum_move else ():
            price, whole, _ = march.step(march.start, there)
            if price is not None or whole:
                found.setdefault(there, (march.allowance, "minimum"))
        return found

    def best_path(self, hex_):
        goal = (hex_, True)
        paths = nx.all_shortest_paths(self.graph, (self.march.start, False), goal, weight="weight")
        return min(([node[0] for node in path][1:] for path in paths), key=self._directions)

    def _directions(self, path):
        steps = zip([self.march.start, *path], path, strict=False)
        return [DIRECTIONS.index(Hex(b.q - a.q, b.r - a.r)) for a, b in steps]


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_reach_is_what_a_graph_of_all_states_says(seed):
    march = random_march(seed)
    reach = movement_reach(march.movement, march.start)
    found = {one.hex: (one.spent, one.how) for one in reach.arrivals()}
    assert found == Marcher(march).arrivals()
    assert reach.hexes == march.board.of(found)


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_every_path_is_the_best_and_adds_up(seed):
    march = random_march(seed)
    reach = movement_reach(march.movement, march.start)
    marcher = Marcher(march)
    for one in reach.arrivals():
        moves = moves_to(reach, one.hex)
        if one.how == "paid" and one.hex != march.start:
            assert [move.hex for move in moves] == marcher.best_path(one.hex)
            assert sum(move.cost for move in moves) == one.spent
        if moves:
            assert moves[-1].hex == one.hex
            assert moves[-1].spent == one.spent


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_every_hex_beside_the_reach_is_refused_with_a_true_reason(seed):
    march = random_march(seed)
    reach = movement_reach(march.movement, march.start)
    reasons = refused(reach)
    inside = set(march.board.hexes(reach.hexes))
    beside = {n for hex_ in inside for n in neighbours(hex_) if n in march.hexes}
    assert reasons.keys() == beside - inside
    for hex_ in reasons:
        for refusal in why_not(reach, hex_):
            price, whole, tolls = march.step(refusal.came_from, hex_)
            at_start = refusal.came_from == march.start
            if refusal.why in {Why.NO_WAY, Why.BARRED}:
                assert (price, whole) == (None, False)
            elif refusal.why is Why.TOO_DEAR:
                assert refusal.needs == price > refusal.left
            elif refusal.why is Why.NEEDS_WHOLE:
                assert (price, whole) == (None, True)
                late = march.whole_needs == "first_step" and not at_start
                assert refusal.left < march.allowance or tolls or late or not march.allowance
            elif refusal.why is Why.MUST_STOP:
                spent_all = reach.arrival(refusal.came_from).how != "paid"
                assert refusal.came_from in march.stops or spent_all
            else:
                assert at_start
                assert march.start in march.pinned


def test_random_marches_show_everything_they_should():
    shares = Counter()
    for seed in range(300):
        march = random_march(seed)
        reach = movement_reach(march.movement, march.start)
        shares.update({one.how for one in reach.arrivals() if one.hex != march.start})
        shares.update({refusal.why for refusal in refused(reach).values()})
    assert min(shares[key] for key in ("paid", "whole", "minimum", *Why)) >= 10, shares
