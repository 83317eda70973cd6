"""How long supply, movement and culprits take, beside networkx and scipy on the same questions.

Networks are compiled before the clock starts, for all three; what a question brings along
(units, zones, sources) is inside it. Every answer is compared with the others' before it is
timed. A column shows the best of some runs; the ratio is the multiple of our own time.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from mapkit.bitboards import Bits, Board, indexes
from mapkit.hexes import Hex, Hexside, Link
from mapkit.traces import (
    Block,
    Blockade,
    Leg,
    Movement,
    Network,
    Obstacle,
    Route,
    Toll,
    Way,
    find_culprits,
    movement_reach,
    open_hexes,
    path_finder,
    zone_around,
)

MOST_OFF_ROAD = 10
ALLOWANCE = 8  # points; a road hex costs half a point
GROWTH = [(32, 32), (64, 64), (128, 128), (256, 256)]


@dataclass(frozen=True)
class Land:
    """A map with roads, rivers and rough ground, an enemy and ten sources."""

    board: Board
    hexes: list[Hex]
    country: Network  # plain hexes, rivers uncrossable but for roads
    roads: Network
    march: Network  # points for movement
    units: list[Hex]
    obstacles: tuple[Obstacle, ...]
    friends: Bits
    sources: Bits


def land(columns: int, rows: int) -> Land:
    """Return a random land, the same every time."""
    dice = random.Random(1916)
    hexes = [Hex(q, row - q // 2) for q in range(columns) for row in range(rows)]
    board = Board(hexes)
    links = roads(dice, hexes, board)
    cost = {hex_: dice.choice([1, 1, 1, 2, 2, 3]) for hex_ in hexes}
    rivers = {Hexside.between(hex_, hex_.step(dice.randrange(6))) for hex_ in hexes[::9]}

    def by_foot(here: Hex, there: Hex) -> int | None:
        wet = (here, there) in rivers or (there, here) in rivers
        return None if wet and Link.between(here, there) not in links else 1

    def price(here: Hex, there: Hex) -> int | Fraction | None:
        if (here, there) in links or (there, here) in links:
            return Fraction(1, 2)
        return (
            cost[there] + 1 if (here, there) in rivers or (there, here) in rivers else cost[there]
        )

    units = dice.sample(hexes, len(hexes) // 100)
    return Land(
        board,
        hexes,
        Network.build(board, by_foot),
        Network.along(board, links),
        Network.build(board, price),
        units,
        tuple(
            Obstacle(f"u{n}", (Block(board.bit(hex_), zone_around(board, hex_)),))
            for n, hex_ in enumerate(units)
        ),
        board.of(dice.sample(hexes, len(hexes) // 60)),
        board.of(dice.sample(sorted({hex_ for link in links for hex_ in link}), 10)),
    )


def roads(dice: random.Random, hexes: list[Hex], board: Board) -> set[Link]:
    """Return winding roads from edge to edge."""
    found: set[Link] = set()
    for _ in range(max(4, math.isqrt(len(hexes)) // 5)):
        here, heading = dice.choice(hexes), dice.randrange(6)
        for turn in (0, 3):
            at, way = here, (heading + turn) % 6
            while (there := at.step((way + dice.choice([-1, 0, 0, 0, 1])) % 6)) in board:
                found.add(Link.between(at, there))
                at = there
    return found


def best_ms(run: Callable[[], object], runs: int) -> float:
    """Return the best of some runs, the first left out."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def supply(land_: Land) -> Callable[[], Bits]:
    """Ten sources, ten hexes off the road and any length by road: our way."""
    legs = (
        Leg("off-road", land_.country, most_hexes=MOST_OFF_ROAD),
        Leg("road", land_.roads, joins=land_.roads.hexes),
    )
    return lambda: open_hexes(
        Blockade(Route(legs), land_.obstacles, {"off-road": land_.friends}), land_.sources
    )


@dataclass(frozen=True)
class Question:
    """What networkx and scipy are told: the free hexes of both legs, by their bits."""

    off_road: frozenset[int]
    road: frozenset[int]
    joins: frozenset[int]
    sources: tuple[int, ...]

    @classmethod
    def of(cls, land_: Land) -> "Question":
        """Work out the free hexes once; they get it for nothing."""
        occupied, zone = 0, 0
        for obstacle in land_.obstacles:
            occupied |= obstacle.blocks[0].occupied
            zone |= obstacle.blocks[0].zone
        everything = land_.board.everything
        return cls(
            frozenset(indexes(everything & ~occupied & ~(zone & ~land_.friends))),
            frozenset(indexes(everything & ~occupied & ~zone)),
            frozenset(indexes(land_.roads.hexes)),
            tuple(indexes(land_.sources)),
        )


def supply_networkx(land_: Land) -> Callable[[], Bits]:
    """Ask the same of networkx, over graphs with every way turned round."""
    question = Question.of(land_)
    country, road = (turned_graph(network) for network in (land_.country, land_.roads))

    def run() -> Bits:
        ends = [at for at in question.sources if at in question.road]
        by_road = (
            nx.multi_source_dijkstra_path_length(
                road, ends, weight=lambda u, v, _: 1 if v in question.road else None
            )
            if ends
            else {}
        )
        joined = [at for at in by_road if at in question.joins and at in question.off_road]
        near = (
            nx.multi_source_dijkstra_path_length(
                country,
                joined,
                cutoff=MOST_OFF_ROAD,
                weight=lambda u, v, _: 1 if u in question.off_road else None,
            )
            if joined
            else {}
        )
        first = {at for here in by_road for at in road.successors(here)}
        return packed({*near, *first, *question.sources})

    return run


def supply_scipy(land_: Land) -> Callable[[], Bits]:
    """Ask the same of scipy, with the ways that are open as a sparse matrix."""
    question = Question.of(land_)
    size = land_.board.size
    country, road = (turned_arrays(network) for network in (land_.country, land_.roads))
    free, free_road, joins = (
        mask(size, bits) for bits in (question.off_road, question.road, question.joins)
    )

    def run() -> Bits:
        ends = [at for at in question.sources if free_road[at]]
        starts, finishes = road
        kept = free_road[finishes]
        matrix = csr_matrix((np.ones(kept.sum()), (starts[kept], finishes[kept])), (size, size))
        by_road = np.isfinite(dijkstra(matrix, indices=ends, min_only=True))
        first = np.zeros(size, bool)
        first[finishes[by_road[starts]]] = True
        joined = np.flatnonzero(by_road & joins & free)
        starts, finishes = country
        kept = free[starts]
        matrix = csr_matrix((np.ones(kept.sum()), (starts[kept], finishes[kept])), (size, size))
        reached = dijkstra(matrix, indices=joined, min_only=True, limit=MOST_OFF_ROAD)
        found = np.isfinite(reached) | first
        found[list(question.sources)] = True
        return packed(np.flatnonzero(found).tolist())

    return run


def turned_graph(network: Network) -> nx.DiGraph:
    """Return a network as a graph, every way turned round."""
    graph = nx.DiGraph()
    graph.add_nodes_from(indexes(network.board.everything))
    graph.add_edges_from((arc.to, at) for at, arcs in network.arcs.items() for arc in arcs)
    return graph


def turned_arrays(network: Network) -> tuple[np.ndarray, np.ndarray]:
    """Return the two ends of every way, turned round."""
    pairs = [(arc.to, at) for at, arcs in network.arcs.items() for arc in arcs]
    starts, finishes = np.array(pairs).T
    return starts, finishes


def mask(size: int, bits: frozenset[int]) -> np.ndarray:
    """Return a set as an array of truth values."""
    found = np.zeros(size, bool)
    found[list(bits)] = True
    return found


def packed(found: "set[int] | list[int]") -> Bits:
    """Return bits for their numbers."""
    buffer = bytearray(max(found, default=0) // 8 + 1)
    for at in found:
        buffer[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(buffer, "little")


def reach(land_: Land) -> tuple[Callable[[], Bits], Callable[[], Bits], Callable[[], Bits]]:
    """Return one unit's movement as we, networkx and scipy work it out."""
    start = land_.hexes[len(land_.hexes) // 2 + 20]
    enemy = land_.board.of(land_.units)
    toll = Toll("enemy", entering=enemy)
    movement = Movement((Way("march", land_.march),), ALLOWANCE, (toll,))
    at, taken = land_.board.index(start), frozenset(indexes(enemy))
    most = ALLOWANCE * land_.march.parts
    steps = [(here, arc.to, arc.cost) for here, arcs in land_.march.arcs.items() for arc in arcs]
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(steps)
    rows, columns, costs = np.array(steps).T
    free = ~mask(land_.board.size, taken)
    size = land_.board.size

    def by_networkx() -> Bits:
        found = nx.single_source_dijkstra_path_length(
            graph, at, most, lambda u, v, d: None if v in taken else d["weight"]
        )
        return packed(set(found))

    def by_scipy() -> Bits:
        kept = free[columns]
        matrix = csr_matrix((costs[kept], (rows[kept], columns[kept])), (size, size))
        found = dijkstra(matrix, indices=at, limit=most)
        return packed(np.flatnonzero(np.isfinite(found)).tolist())

    return lambda: movement_reach(movement, start).hexes, by_networkx, by_scipy


def row(what: str, hexes: int, runs: int, *ways: Callable[[], Bits], goal_ms: float = 0) -> float:
    """Print one row: our time, the others', and the ratios; return our time."""
    assert len({way() for way in ways}) == 1, f"{what}: the answers differ"
    times = [best_ms(way, runs) for way in ways]
    ratios = "".join(f"{t:>9.1f} ms{t / times[0]:>8.0f}×" for t in times[1:])
    goal = f"   goal {goal_ms:g} ms" if goal_ms else ""
    print(f"{hexes:>8}  {what:<40}{times[0]:>8.2f} ms{ratios}{goal}")
    return times[0]


def exponent(sizes: list[int], times: list[float]) -> float:
    """Return the exponent of the growth, fitted by least squares in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def grow() -> None:
    """Print how supply grows with the map."""
    print("\ngrowth of supply (10 sources)")
    sizes, times = [], []
    for columns, rows in GROWTH:
        land_ = land(columns, rows)
        sizes.append(len(land_.hexes))
        ways = supply(land_), supply_networkx(land_), supply_scipy(land_)
        assert len({way() for way in ways}) == 1, "the answers differ"
        times.append([best_ms(way, 5) for way in ways])
        print(f"{sizes[-1]:>8}  " + "".join(f"{t:>12.2f} ms" for t in times[-1]))
    fitted = [exponent(sizes, list(column)) for column in zip(*times, strict=True)]
    print("exponent  " + "".join(f"{power:>15.2f}" for power in fitted))


def single_answers(land_: Land) -> None:
    """Print what single answers cost: paths, and the culprits of a front in depth."""
    blockade = Blockade(
        Route(
            (
                Leg("off-road", land_.country, most_hexes=MOST_OFF_ROAD),
                Leg("road", land_.roads, joins=land_.roads.hexes),
            )
        ),
        land_.obstacles,
        {"off-road": land_.friends},
    )
    starts = random.Random(7).sample(land_.board.hexes(open_hexes(blockade, land_.sources)), 50)

    def paths() -> object:
        find = path_finder(blockade, land_.sources)
        return [find(land_.board.bit(start)) for start in starts]

    print(f"\npaths of 50 units, in all {best_ms(paths, 3):>8.2f} ms")
    board = Board(land_.hexes)
    line = Route((Leg("line", Network.open(board)),))
    for lines in (1, 2, 3, 4):
        stands = [h for h in land_.hexes if h.q in range(10, 10 + 4 * lines, 4) and h.r % 2]
        units = tuple(
            Obstacle(str(n), (Block(board.bit(hex_), zone_around(board, hex_)),))
            for n, hex_ in enumerate(stands)
        )
        ends = board.bit(land_.hexes[30]), board.bit(land_.hexes[-30])
        found = find_culprits(Blockade(line, units), *ends)
        assert found is not None
        ms = best_ms(lambda: find_culprits(Blockade(line, units), *ends), 2)  # noqa: B023  # timed in this turn
        how = "proven" if found.proven_smallest else "best found"
        front = f"{lines} lines of {len(stands) // lines} units"
        print(f"culprits, {front}: {found.size} {how:<12}{ms:>8.1f} ms")


def main() -> None:
    """Measure and print the tables."""
    others = f"{'networkx':>12}{'ratio':>9}{'scipy':>12}{'ratio':>9}"
    print(f"{'hexes':>8}  {'what':<40}{'mapkit':>11}{others}")
    small = land(60, 70)
    size = len(small.hexes)
    ways = supply(small), supply_networkx(small), supply_scipy(small)
    row("supply, 2 legs, 10 sources", size, 9, *ways, goal_ms=2)
    row("movement reach of one unit", size, 9, *reach(small), goal_ms=1)
    large = land(316, 317)
    ways = supply(large), supply_networkx(large), supply_scipy(large)
    row("supply, 2 legs, 10 sources", len(large.hexes), 3, *ways, goal_ms=60)
    everywhere = Route((Leg("line", large.country),))
    laid = Blockade(everywhere, large.obstacles)
    row(
        "flood of the whole map, obstacles laid",
        len(large.hexes),
        3,
        lambda: open_hexes(laid, large.sources),
        goal_ms=60,
    )
    grow()
    single_answers(small)


if __name__ == "__main__":
    main()
