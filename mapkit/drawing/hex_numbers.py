"""The number of every hex, with a halo where a line passes under it."""

from collections.abc import Iterable, Iterator

import numpy as np

from mapkit.drawing.chains import walk
from mapkit.drawing.fonts import text_attributes
from mapkit.drawing.frame import Frame
from mapkit.drawing.network import Network
from mapkit.drawing.style import NUMBER_PLACES, Style
from mapkit.drawing.svg import Sheet
from mapkit.drawing.symbols import Placed
from mapkit.grid import Point
from mapkit.hexes import Hex, neighbours

# Half the room of a number and what lines are wide, in pitches.
_ROOM = (0.26, 0.14)


def draw_numbers(sheet: Sheet, network: Network, moved: frozenset[Hex]) -> None:
    """Write the numbers; where a road, river, crag or trench runs under one it gets a halo.

    Those of the hexes in *moved* stand on the other side of the centre.
    """
    frame, style = network.frame, network.looks.style
    size = style.numbers.size * frame.pitch
    down = NUMBER_PLACES[style.number_place] * frame.pitch
    crowded = crowded_numbers(network) | moved if style.numbers.halo else frozenset[Hex]()
    for name, halo in (("hex-numbers", False), ("hex-numbers-on-lines", True)):
        attributes = text_attributes(style.numbers, size, halo=halo)
        with sheet.group(name, **attributes) as group:
            for hex_ in sorted(frame.map_.hexes):
                if (hex_ in crowded) == halo:
                    x, y = frame.centres[hex_]
                    y += (-down if hex_ in moved else down) + size * 0.35
                    group.text(frame.map_.label(hex_), round(x, 1), round(y, 1))


def moved_numbers(frame: Frame, style: Style, placed: Iterable[Placed]) -> frozenset[Hex]:
    """Return the hexes where a symbol, such as a peak drawn freely, stands on the number."""
    pitch, down = frame.pitch, NUMBER_PLACES[style.number_place] * frame.pitch
    found = set()
    for place in placed:
        reach = 0.5 * place.radius
        for hex_ in (place.hex_, *neighbours(place.hex_)):
            if hex_ in frame.map_.hexes:
                x, y = frame.centres[hex_]
                if (
                    abs(place.x - x) < 0.2 * pitch + reach
                    and abs(place.y - y - down) < 0.06 * pitch + reach
                ):
                    found.add(hex_)
    return frozenset(found)


def crowded_numbers(network: Network) -> frozenset[Hex]:
    """Return the hexes whose number lies on a line."""
    frame = network.frame
    pitch, down = frame.pitch, NUMBER_PLACES[network.looks.style.number_place] * frame.pitch
    points = np.array(
        [(x, y) for line in _lines(network) for x, y, _, _ in walk(line, 0.1 * pitch)]
    ).reshape(-1, 2)
    (a, b, c), (d, e, f), _ = frame.grid.homography
    found: set[Hex] = set()
    # The number belongs to the hex below the point, and that may be the next one.
    for shift in (-_ROOM[1] * pitch, 0.0, _ROOM[1] * pitch):
        q, r = frame.hexes_at(points[:, 0], points[:, 1] + shift)
        off_x = abs(points[:, 0] - (a * q + b * r + c))
        off_y = abs(points[:, 1] - (d * q + e * r + f) - down)
        near = (off_x < _ROOM[0] * pitch) & (off_y < _ROOM[1] * pitch)
        found |= {
            Hex(int(q_), int(r_)) for q_, r_ in zip(q[near].tolist(), r[near].tolist(), strict=True)
        }
    return frozenset(found & frame.map_.hexes.keys())


def _lines(network: Network) -> Iterator[tuple[Point, ...]]:
    """Yield every line that may pass under a number, hexsides as their two ends."""
    for drawn in (network.water, network.roads, network.line_shapes):
        for curves in drawn.values():
            yield from (curve.points for curve in curves)
    for kind, sides in network.sides.items():
        if kind not in network.line_shapes and kind not in network.water:
            yield from (network.frame.ends(side) for side, _ in sides)
