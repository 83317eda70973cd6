"""Small random worlds for traces, and slow, simple judges of them.

A world keeps its rules as it drew them, hex by hex. The judges read those, never the compiled
networks, and walk a graph in which every state of a trace is a node of its own.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import networkx as nx

from mapkit.bitboards import Board
from mapkit.hexes import DIRECTIONS, Hex, Hexside, neighbours
from mapkit.traces import Block, Blockade, Leg, Network, Obstacle, Route

Prices = Mapping[tuple[Hex, Hex], Fraction]
SCALE = 10**5  # more than any leg of a small world can cost: keeps the legs' weights apart


@dataclass(frozen=True)
class LegRule:
    name: str
    prices: Prices
    first: Prices | None
    most_hexes: int | None
    most_points: Fraction | None
    over: frozenset[Hex] | None
    joins: frozenset[Hex] | None
    zones: str
    start_is_free: bool


@dataclass(frozen=True)
class World:
    """Everything about a question, as it was drawn."""

    board: Board
    legs: tuple[LegRule, ...]
    most_zones: int
    obstacles: tuple[Obstacle, ...]
    exempt: Mapping[str, frozenset[Hex]]
    sources: frozenset[Hex]
    hexes: tuple[Hex, ...] = field(default=())

    @property
    def blockade(self) -> Blockade:
        legs = tuple(
            Leg(
                rule.name,
                self._network(rule.prices),
                most_hexes=rule.most_hexes,
                most_points=rule.most_points,
                over=None if rule.over is None else self.board.of(rule.over),
                joins=None if rule.joins is None else self.board.of(rule.joins),
                first=None if rule.first is None else self._network(rule.first),
                zones=rule.zones,
                start_is_free=rule.start_is_free,
            )
            for rule in self.legs
        )
        exempt = {leg: self.board.of(hexes) for leg, hexes in self.exempt.items()}
        return Blockade(Route(legs, self.most_zones), self.obstacles, exempt)

    def _network(self, prices: Prices) -> Network:
        return Network.build(self.board, lambda here, there: prices.get((here, there)))


def random_world(seed: int, *, tight: bool = False) -> World:
    """Draw a world. In a *tight* one more obstacles stand in the way of longer traces."""
    dice = random.Random(seed)
    board, hexes = _random_board(dice)
    names = ["off-road", "road", "rail"][: dice.choice([1, 1, 2, 2, 3])]
    legs = tuple(_random_leg(dice, name, hexes, tight=tight) for name in names)
    count = dice.randint(2, 7) if tight else dice.randint(0, 5)
    obstacles = tuple(_random_obstacle(dice, f"u{n}", board, hexes, names) for n in range(count))
    return World(
        board,
        legs,
        dice.choice([0, 0, 1, 2]),
        obstacles,
        {name: _some(dice, hexes, 0.15) for name in names if dice.random() < 0.6},
        frozenset(dice.sample(hexes, 1 if tight else min(len(hexes), dice.randint(1, 3)))),
        hexes,
    )


def _random_board(dice: random.Random) -> tuple[Board, tuple[Hex, ...]]:
    columns, rows = dice.randint(2, 5), dice.randint(2, 5)
    lean = dice.choice([0, 2])
    hexes = [Hex(q, r - (q // 2 if lean else 0)) for q in range(columns) for r in range(rows)]
    kept = tuple(hex_ for hex_ in hexes if dice.random() < 0.92) or (hexes[0],)
    return Board(kept), kept


def _random_leg(dice: random.Random, name: str, hexes: tuple[Hex, ...], *, tight: bool) -> LegRule:
    menu = dice.choice([[1], [1, 2], [Fraction(1, 2), 1, 3], [0, 1, 2], [Fraction(2, 3), 1]])
    share = dice.choice([0.6, 0.85, 1.0])
    two_way = dice.random() < 0.5
    prices = _random_prices(dice, hexes, menu, share, two_way=two_way)
    first = None
    if dice.random() < 0.3:
        base = prices if dice.random() < 0.5 else {}
        first = {**base, **_random_prices(dice, hexes, [*menu, Fraction(1, 4)], 0.5)}
    limited = dice.choice(["", "", "hexes", "points", "both"])
    return LegRule(
        name,
        prices,
        first,
        dice.randint(1, 8 if tight else 5) if limited in {"hexes", "both"} else None,
        Fraction(dice.randint(1, 16), 2) if limited in {"points", "both"} else None,
        None if dice.random() < 0.8 else _some(dice, hexes, 0.8),
        None if dice.random() < 0.4 else _some(dice, hexes, 0.5),
        dice.choice(["block", "block", "count", "count", "ignore"]),
        dice.random() < 0.7,
    )


def _random_prices(dice, hexes, menu, share, *, two_way=False) -> Prices:
    here = set(hexes)
    found = {}
    for one in hexes:
        for other in neighbours(one):
            if other in here and dice.random() < share:
                found[one, other] = Fraction(dice.choice(menu))
                if two_way:
                    found[other, one] = found[one, other]
    return found


def _random_obstacle(dice, name, board, hexes, legs) -> Obstacle:
    where = dice.choice(hexes)
    blocks = []
    for _ in range(dice.choice([1, 1, 2])):
        around = [hex_ for hex_ in neighbours(where) if hex_ in board]
        zone = [hex_ for hex_ in around if dice.random() < 0.8] if dice.random() < 0.7 else []
        sides = [Hexside.between(where, h) for h in neighbours(where) if dice.random() < 0.1]
        blocks.append(
            Block(
                board.bit(where) if dice.random() < 0.8 else 0,
                board.of(zone),
                tuple(sides),
                () if dice.random() < 0.6 else tuple(dice.sample(legs, 1)),
            )
        )
    return Obstacle(name, tuple(blocks))


def _some(dice, hexes, share) -> frozenset[Hex]:
    return frozenset(hex_ for hex_ in hexes if dice.random() < share)


class State(NamedTuple):
    """Where a trace stands; counts are kept only where they are limited."""

    leg: int
    hex: Hex
    hexes: int
    points: Fraction
    zones: int
    fresh: bool


END = "end"


class Judge:
    """Decides one world state by state, with some obstacles removed."""

    def __init__(self, world: World, removed: frozenset[str] = frozenset()) -> None:
        self.world = world
        self.obstacles = [one for one in world.obstacles if one.id not in removed]

    def is_open(self, start: Hex) -> bool:
        graph, root = self.graph(start)
        return root in graph and nx.has_path(graph, root, END) if END in graph else False

    def best_path(self, start: Hex) -> tuple[tuple[Hex, ...], tuple[str, ...]] | None:
        """Return hexes and the leg of every step of the path that the search prefers."""
        graph, root = self.graph(start)
        if END not in graph or root not in graph or not nx.has_path(graph, root, END):
            return None
        paths = nx.all_shortest_paths(graph, root, END, weight="weight")
        best = min(map(self._told, paths), key=lambda told: told[0])
        return best[1], best[2]

    def graph(self, start: Hex) -> tuple[nx.DiGraph, State]:
        """Return every state a trace from *start* can be in, and the first of them."""
        graph = nx.DiGraph()
        root = State(0, start, 0, Fraction(0), 0, True)
        if not self.world.legs[0].start_is_free and self._is_blocked(0, start):
            return graph, root
        graph.add_node(root)
        waiting, seen = [root], {root}
        while waiting:
            state = waiting.pop()
            for after, weight in self._moves(state):
                graph.add_edge(state, after, weight=weight)
                if after != END and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return graph, root

    def _moves(self, state: State) -> Iterator[tuple[State | str, int]]:
        legs = self.world.legs
        leg = legs[state.leg]
        if state.leg == len(legs) - 1 and state.hex in self.world.sources:
            yield END, 0
        if state.leg + 1 < len(legs):
            after = legs[state.leg + 1]
            joins = after.joins is None or state.hex in after.joins
            excused = state.fresh and after.start_is_free
            if joins and (excused or not self._is_blocked(state.leg + 1, state.hex)):
                yield state._replace(leg=state.leg + 1, hexes=0, points=Fraction(0)), 0
        prices = leg.first if state.fresh and leg.first is not None else leg.prices
        for there in neighbours(state.hex):
            price = prices.get((state.hex, there))
            if price is None or self._is_blocked(state.leg, there):
                continue
            if self._is_shut(state.leg, state.hex, there):
                continue
            hexes = state.hexes + 1 if leg.most_hexes is not None else 0
            points = state.points + price if leg.most_points is not None else Fraction(0)
            zones = state.zones + self._counts(state.leg, there)
            if (
                hexes > (leg.most_hexes or 0)
                or points > (leg.most_points or 0)
                or zones > self.world.most_zones
            ):
                continue
            weighed = int(price * 12) if leg.most_points is not None else 0
            weight = (weighed * SCALE + 1) * SCALE ** (2 * (len(legs) - 1 - state.leg))
            yield State(state.leg, there, hexes, points, zones, False), weight

    def _is_blocked(self, leg: int, hex_: Hex) -> bool:
        rule = self.world.legs[leg]
        if rule.over is not None and hex_ not in rule.over:
            return True
        bit = self.world.board.bit(hex_)
        strict = rule.zones == "block" or (rule.zones == "count" and not self.world.most_zones)
        return any(
            block.occupied & bit or (strict and self._is_in_zone(rule, block, hex_))
            for block in self._blocks(rule)
        )

    def _counts(self, leg: int, hex_: Hex) -> bool:
        rule = self.world.legs[leg]
        if rule.zones != "count" or not self.world.most_zones:
            return False
        return any(self._is_in_zone(rule, block, hex_) for block in self._blocks(rule))

    def _is_in_zone(self, rule: LegRule, block: Block, hex_: Hex) -> bool:
        if hex_ in self.world.exempt.get(rule.name, ()):
            return False
        return bool(block.zone & self.world.board.bit(hex_))

    def _is_shut(self, leg: int, here: Hex, there: Hex) -> bool:
        side = Hexside.between(here, there)
        return any(side in block.hexsides for block in self._blocks(self.world.legs[leg]))

    def _blocks(self, rule: LegRule) -> Iterator[Block]:
        for obstacle in self.obstacles:
            for block in obstacle.blocks:
                if not block.legs or rule.name in block.legs:
                    yield block

    def _told(self, path: list) -> tuple[list[int], tuple[Hex, ...], tuple[str, ...]]:
        states = path[:-1]
        hexes, legs, directions = [states[0].hex], [], []
        for state, after in pairwise(states):
            if state.leg == after.leg:
                hexes.append(after.hex)
                legs.append(self.world.legs[after.leg].name)
                offset = Hex(after.hex.q - state.hex.q, after.hex.r - state.hex.r)
                directions.append(DIRECTIONS.index(offset))
        return directions, tuple(hexes), tuple(legs)
