"""The names of rivers, written along them."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from shapely.geometry import LineString

from mapkit.drawing.chains import walk
from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.lettering import NAME_COST, SYMBOL_COST, Box, Obstacles
from mapkit.drawing.network import Network
from mapkit.drawing.svg import Sheet, polyline
from mapkit.grid import Point

_MOST_BENT = 5.0  # a stretch that is disliked more has no name written along it
_CROSSED = 0.04  # how much roads and hex numbers under the letters are disliked
_STEPS = 25
_MOST_BOWED = 0.1  # of its length: a name that bows more has letters that touch


def draw_water_names(sheet: Sheet, network: Network, obstacles: Obstacles) -> None:
    """Write the names of rivers along them, where they run straight enough and long enough."""
    frame, letters = network.frame, network.looks.style.letters["water"]
    size = letters.size * frame.pitch
    for index, (name, lines) in enumerate(sorted(_named_water(network).items())):
        words = written(name, letters)
        width = text_width(words, letters, size)
        raised = _best_stretch(lines, width * 1.1, size, frame.pitch, obstacles)
        if raised is None:
            continue
        attributes = text_attributes(letters, size, anchor="middle")
        attributes.pop("text_anchor")
        path = polyline(_lengthened(raised, size))
        sheet.text_along(words, f"river-{index}", path, **attributes)
        for box in _boxes(raised, size):
            obstacles.add(box, NAME_COST)


def _named_water(network: Network) -> dict[str, list[Sequence[Point]]]:
    """The lines of every river that has a name."""
    found: dict[str, list[Sequence[Point]]] = defaultdict(list)
    for shape in network.frame.map_.shapes:
        if shape.form == "line" and shape.name and shape.kind in network.water:
            drawn = LineString(network.frame.from_map(shape.rings[0]).tolist())
            found[shape.name] += network.within_the_land(drawn)
    named = defaultdict(set)
    for kind in network.water:
        for side, feature in network.sides.get(kind, []):
            if feature.name and feature.name not in found:
                middle = network.frame.middle(side)
                named[kind, feature.name].add((round(middle[0]), round(middle[1])))
    for (kind, name), middles in sorted(named.items()):
        for curve in network.water[kind]:
            near = [
                index
                for index, (x, y) in enumerate(curve.points)
                if (round(x), round(y)) in middles
                or any(math.dist((x, y), m) < 0.12 * network.frame.pitch for m in middles)
            ]
            if near:
                found[name].append(curve.points[near[0] : near[-1] + 1])
    return found


def _best_stretch(
    lines: Iterable[Sequence[Point]],
    width: float,
    size: float,
    pitch: float,
    obstacles: Obstacles,
) -> list[Point] | None:
    """Find the straightest stretch of *width* where the letters are clear of symbols and names.

    They stand above the water, or else below it.
    """
    best: tuple[float, list[Point]] | None = None
    above, below = 0.12 * pitch, -(0.1 * pitch + 0.6 * size)
    for line in lines:
        even = _evenly(line, 0.12 * pitch)
        count = int(width / (0.12 * pitch)) + 1
        for start in range(0, len(even) - count, 3):
            part = even[start : start + count]
            direct = math.dist(part[0], part[-1])
            steep = abs(part[-1][1] - part[0][1]) / (direct or 1.0)
            bent = (width - direct) / width * 10 + steep
            if bent > _MOST_BENT or (best is not None and bent >= best[0]):
                continue
            if part[0][0] > part[-1][0]:
                part = part[::-1]
            for dislike, off in ((0.0, above), (0.4, below)):
                raised = _beside(part, off, width)
                costs = [obstacles.cost(box) for box in _boxes(raised, size)]
                blocked = sum(cost >= SYMBOL_COST for cost in costs)
                crossed = sum(min(cost, SYMBOL_COST) for cost in costs)
                score = bent + dislike + blocked * 3 + crossed * _CROSSED
                if score <= _MOST_BENT and (best is None or score < best[0] - 1e-9):
                    best = score, raised
    return None if best is None else best[1]


def _boxes(line: Sequence[Point], size: float) -> list[Box]:
    """Return the room of letters of *size* that stand on a line, cut into a dozen boxes."""
    half = size * 0.5
    return [
        (x - half, y - size * 0.8, x + half, y + size * 0.3)
        for x, y in line[:: max(len(line) // 12, 1)]
    ]


def _evenly(line: Sequence[Point], step: float) -> list[Point]:
    return [(x, y) for x, y, _, _ in walk(line, step)]


def _lengthened(line: list[Point], by: float) -> list[Point]:
    """Return the line drawn out straight at both ends: letters beyond a path are not written."""

    def beyond(end: Point, inner: Point) -> Point:
        length = math.dist(end, inner) or 1.0
        return (
            end[0] + (end[0] - inner[0]) / length * by,
            end[1] + (end[1] - inner[1]) / length * by,
        )

    reach = min(4, len(line) - 1)
    return [beyond(line[0], line[reach]), *line, beyond(line[-1], line[-1 - reach])]


def _beside(line: Sequence[Point], off: float, width: float) -> list[Point]:
    """Return one gentle bow of *width* beside a line, *off* to its left: above where it runs right.

    Letters that follow every turn of a river lean into each other.
    """
    (x0, y0), (x1, y1) = line[0], line[-1]
    length = math.dist((x0, y0), (x1, y1)) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    along = np.array([(x - x0) * ux + (y - y0) * uy for x, y in line]) / length
    aside = np.array([(x - x0) * uy - (y - y0) * ux for x, y in line])
    # The bow is 4·t·(1-t) high over a base line that may lean.
    shapes = np.stack([np.ones_like(along), along, 4 * along * (1 - along)], axis=1)
    base, lean, bow = np.linalg.lstsq(shapes, aside, rcond=None)[0].tolist()
    bow = min(max(bow, -_MOST_BOWED * length), _MOST_BOWED * length)
    bends = aside - (base + lean * along + bow * shapes[:, 2])
    base += off + float(bends.max() if off > 0 else bends.min())
    spare = max(width / length - 1, 0.0) / 2
    found = []
    for t in np.linspace(-spare, 1 + spare, _STEPS).tolist():
        side = base + lean * t + bow * 4 * t * (1 - t)
        found.append((x0 + ux * t * length + uy * side, y0 + uy * t * length - ux * side))
    return found
