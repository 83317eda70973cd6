"""Lines of sight: all pairs of a map by bitboards, beside the ways one would try first.

All rivals work on the same map under the same rule (a hex higher than both ends blocks, woods on
the level of the higher end block, along a hexside both must block) and must find the same pairs.
Naive shapely is far too slow for all pairs: it is timed on a sample, and its time for all is that
of the sample times the share; in plain floats it also gets some pairs wrong, which is counted.
"""

import math
import random
import sys
import time
from collections.abc import Callable

import numpy as np
import shapely

from mapkit.bitboards import Board
from mapkit.grid import Grid
from mapkit.hexes import ORIGIN, Hex, disc, distance
from mapkit.kinds import Kinds
from mapkit.lines import hex_line
from mapkit.model import Ground, HexMap
from mapkit.numbering import Axis, Numbering
from mapkit.sight import Lookout, Obstacle, Reach, SightGround, SightPolicy, sight, when
from mapkit.sight.boards import SightBoards
from mapkit.sight.table import sight_table

RANGE, LEVELS = 10, 8
POLICY = SightPolicy(
    obstacles=(
        Obstacle("hill", when("level > higher_end")),
        Obstacle("woods", when("level = higher_end"), frozenset({"woods"})),
    ),
    reach=Reach(RANGE),
)
SAMPLE_PAIRS = 300


def hilly_map(columns: int, rows: int) -> HexMap:
    """Return a map of rolling hills with woods, so that some lines are clear and some are not."""
    dice = random.Random(1917)
    rule = Numbering(straight="rows", columns=Axis(digits=3), rows=Axis(digits=3))
    waves = [(dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.5), dice.uniform(0, 6)) for _ in range(5)]
    hexes = {}
    for column in range(columns):
        for row in range(rows):
            rise = sum(math.sin(x * column + y * row + z) for x, y, z in waves)
            level = min(max(round(LEVELS / 2 + rise * 1.2), 0), LEVELS - 1)
            terrain = "woods" if dice.random() < 0.25 else "clear"
            hexes[rule.hex_at(column, row)] = Ground(terrain, level)
    kinds = Kinds().with_ids("terrain", iter(["clear", "woods"]))
    return HexMap(Grid.regular("pointy", pitch_px=60), rule, hexes, kinds)


def best_ms(run: Callable[[], object], runs: int) -> float:
    """Return the best of some runs, the first left out: other work on the machine only adds."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def table_ms(ground: SightGround, runs: int) -> float:
    """Return how long all pairs take, the map laid out anew each time."""
    return best_ms(lambda: sight_table(SightBoards.lay_out(ground)), runs)


def numpy_templates(map_: HexMap) -> int:
    """All pairs with whole arrays: one shifted comparison for each hex of each line."""
    position = map_.numbering.position
    places = {hex_: position(hex_) for hex_ in map_.hexes}
    # Axial rows in an array padded on all sides; -1 stands off the map.
    low = min(hex_.q for hex_ in places), min(hex_.r for hex_ in places)
    wide = max(hex_.q for hex_ in places) - low[0] + 1, max(hex_.r for hex_ in places) - low[1] + 1
    level = np.full((wide[0] + 2 * RANGE, wide[1] + 2 * RANGE), -1, np.int8)
    woods = np.zeros_like(level)
    for hex_, ground in map_.hexes.items():
        at = hex_.q - low[0] + RANGE, hex_.r - low[1] + RANGE
        level[at], woods[at] = ground.level or 0, ground.terrain == "woods"
    # What a hex needs to be seen over: its level, and one more for woods.
    top = np.where(level >= 0, level + woods, -1)

    def window(array: np.ndarray, by: Hex) -> np.ndarray:
        return array[RANGE + by.q : RANGE + by.q + wide[0], RANGE + by.r : RANGE + by.r + wide[1]]

    here, clear = window(level, ORIGIN), 0
    for by in disc(ORIGIN, RANGE):
        if by <= ORIGIN:
            continue
        there = window(level, by)
        ends = np.maximum(here, there)
        free = (here >= 0) & (there >= 0)
        if distance(ORIGIN, by) > 1:
            for event in hex_line(ORIGIN, by):
                between = [hex_ for hex_ in event.hexes if hex_ not in (ORIGIN, by)]
                if event.kind in ("through", "along") and between:
                    lowest = window(top, between[0])
                    for hex_ in between[1:]:
                        lowest = np.minimum(lowest, window(top, hex_))
                    free &= lowest <= ends
        clear += 2 * int(free.sum())
    return clear


class Shapely:
    """The rivals that look at polygons: one pair at a time, or many pairs in one call."""

    def __init__(self, map_: HexMap) -> None:
        self.map = map_
        self.hexes = sorted(map_.hexes)
        self.polygons = np.array([shapely.Polygon(map_.grid.polygon(hex_)) for hex_ in self.hexes])
        self.tree = shapely.STRtree(self.polygons)
        self.tops = np.array(
            [(map_[h].level or 0) + (map_[h].terrain == "woods") for h in self.hexes]
        )

    def naive(self, pairs: list[tuple[Hex, Hex]]) -> list[bool]:
        """Judge each pair by itself: which polygons does the line lie in?"""
        return [self._naive(a, b) for a, b in pairs]

    def _naive(self, a: Hex, b: Hex) -> bool:
        if distance(a, b) <= 1:
            return True
        line = shapely.LineString([self.map.grid.centre(a), self.map.grid.centre(b)])
        ends = max(self.map[a].level or 0, self.map[b].level or 0)
        sides: dict[str, list[bool]] = {}
        for number in self.tree.query(line):
            hex_, polygon = self.hexes[number], self.polygons[number]
            if hex_ in (a, b):
                continue
            blocks = self.tops[number] > ends
            if shapely.relate_pattern(line, polygon, "T********"):
                if blocks:
                    return False
            else:
                shared = shapely.intersection(line, polygon)
                if shared.length > 0:
                    sides.setdefault(shapely.normalize(shared).wkt, []).append(blocks)
        return not any(len(pair) == 2 and all(pair) for pair in sides.values())

    def vectorised(self, pairs: list[tuple[Hex, Hex]]) -> list[bool]:
        """Judge all pairs in a few calls; a line along a hexside counts as lying in neither."""
        index = {hex_: number for number, hex_ in enumerate(self.hexes)}
        ends = [[self.map.grid.centre(a), self.map.grid.centre(b)] for a, b in pairs]
        lines = shapely.linestrings(np.array(ends))
        of_line, of_hex = self.tree.query(lines, predicate="intersects")
        depth = shapely.length(shapely.intersection(lines[of_line], self.polygons[of_hex]))
        first = np.array([index[a] for a, _ in pairs])
        last = np.array([index[b] for _, b in pairs])
        levels = np.array([self.map[hex_].level for hex_ in self.hexes])
        higher = np.maximum(levels[first], levels[last])
        met = (depth > 1e-9) & (of_hex != first[of_line]) & (of_hex != last[of_line])
        blocks = met & (self.tops[of_hex] > higher[of_line])
        clear = np.ones(len(pairs), bool)
        clear[of_line[blocks]] = False
        return list(clear)


def all_pairs(columns: int, rows: int) -> list[str]:
    """Return the lines of the table for all pairs of one map."""
    map_ = hilly_map(columns, rows)
    ground = SightGround(map_, POLICY)
    table = sight_table(ground)
    board = Board.of_map(map_, reach=RANGE)
    pairs = sum(
        board.moved(board.everything, by).bit_count() for by in disc(ORIGIN, RANGE) if by != ORIGIN
    )
    ours = table_ms(ground, 25)
    laid_out = best_ms(lambda: SightBoards.lay_out(ground), 25)
    arrays = best_ms(lambda: numpy_templates(map_), 15)
    assert numpy_templates(map_) == table.count(), "numpy and bitboards differ"
    rivals = Shapely(map_)
    dice = random.Random(3)
    hexes = sorted(map_.hexes)
    sample: list[tuple[Hex, Hex]] = []
    while len(sample) < SAMPLE_PAIRS:
        a, b = dice.choice(hexes), dice.choice(hexes)
        if 1 < distance(a, b) <= RANGE:
            sample.append((a, b))
    truth = [table.sees(a, b) for a, b in sample]
    lines = []
    for name, judge in [("naive", rivals.naive), ("vectorised", rivals.vectorised)]:
        start = time.perf_counter()
        found = judge(sample)
        whole = (time.perf_counter() - start) * 1000 * pairs / len(sample)
        wrong = sum(one != other for one, other in zip(found, truth, strict=True))
        lines.append(
            _row(f"shapely, {name} (from {len(sample)} pairs; {wrong} wrong)", whole, whole / ours)
        )
    name = f"all {pairs:,} pairs within {RANGE} of {columns}×{rows} hexes"
    return [
        _row(f"{name}: bitboards, map laid out", ours - laid_out, (ours - laid_out) / ours),
        _row("the same with laying the map out", ours, 1),
        _row("numpy, shifted arrays", arrays, arrays / ours),
        *lines,
    ]


def single_answers() -> list[str]:
    """Return the lines for one sight with its working, and one field of view."""
    map_ = hilly_map(60, 70)
    ground = SightGround(map_, POLICY)
    lookout = Lookout.over(ground)
    a = sorted(map_.hexes)[2000]
    b = next(hex_ for hex_ in map_.hexes if distance(a, hex_) == RANGE)
    one = best_ms(lambda: [sight(ground, a, b) for _ in range(50)], 9) / 50
    field = best_ms(lambda: [lookout.field(a) for _ in range(50)], 9) / 50
    rivals = Shapely(map_)
    near = [(a, hex_) for hex_ in map_.hexes if 0 < distance(a, hex_) <= RANGE]
    many = best_ms(lambda: rivals.vectorised(near), 3)
    return [
        _row(f"one sight over {RANGE} hexes, whole working", one, 1),
        _row(f"field of view, {len(near)} targets", field, 1),
        _row("the same by vectorised shapely", many, many / field),
    ]


def growth() -> list[str]:
    """Return the lines for maps of growing size, and the exponent fitted to them."""
    sizes, times = [], []
    lines = []
    for side in (32, 64, 128, 256):
        ground = SightGround(hilly_map(side, side), POLICY)
        spent = table_ms(ground, 7)
        sizes.append(math.log(side * side))
        times.append(math.log(spent))
        lines.append(_row(f"all pairs within {RANGE}, {side * side:,} hexes", spent, 1))
    exponent = np.polyfit(sizes, times, 1)[0]
    return [*lines, f"| fitted growth | hexes^{exponent:.2f} | |"]


def _row(what: str, spent_ms: float, ratio: float) -> str:
    shown = f"{spent_ms:,.2f} ms" if spent_ms < 10_000 else f"{spent_ms / 1000:,.0f} s"
    return f"| {what} | {shown} | {ratio:,.1f} |" if ratio != 1 else f"| {what} | {shown} | 1 |"


def main() -> None:
    """Print the table."""
    sys.stdout.write("| what | time | ratio |\n|---|---|---|\n")
    for lines in (all_pairs(60, 70), single_answers(), growth()):
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    large = table_ms(SightGround(hilly_map(300, 300), POLICY), 7)
    small = table_ms(SightGround(hilly_map(60, 70), POLICY), 25)
    sys.stdout.write(_row("all pairs of 300×300 hexes, beside 60×70", large, large / small) + "\n")


if __name__ == "__main__":
    main()
