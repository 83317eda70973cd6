"""Front lines: two sides, the ground between them, and the trenches along it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Vertex, distance, neighbours
from sample_maps.curves import Line, Way, oriented, smooth_lines
from sample_maps.dice import Dice
from sample_maps.land import PITCH_PX, Land

WOBBLE = 0.05  # hexes


@dataclass(frozen=True)
class Front:
    """One side's front: all hexes behind it, its own front hexes, its trench hexsides.

    *facing* gives for every hexside the hex that holds the trench.
    """

    owner: str
    behind: frozenset[Hex]
    facing: Mapping[Hexside, Hex]

    @property
    def hexes(self) -> set[Hex]:
        """The hexes that hold the line."""
        return set(self.facing.values())


def front(
    land: Land, owner: str, line: Sequence[Hex], home: Hex, *, water: Collection[Hex] = ()
) -> Front:
    """Return the front along a chain of stations, with everything on the side of *home*.

    The line must part the dry land: its ends lie at the edge of the map or at *water*.
    """
    wall = {hex_ for hex_ in chained(line) if hex_ in land.hex_set}
    behind = _flood(land, home, wall.union(water)) | wall
    facing = {
        Hexside.between(hex_, other): hex_
        for hex_ in sorted(wall)
        for other in neighbours(hex_)
        if other in land.hex_set and other not in behind
    }
    return Front(owner, frozenset(behind), facing)


def no_mans_land(land: Land, one: Front, other: Front) -> list[Hex]:
    """Return the hexes between two fronts."""
    return [hex_ for hex_ in land.hexes if hex_ not in one.behind and hex_ not in other.behind]


def chained(stations: Sequence[Hex]) -> list[Hex]:
    """Return an unbroken chain of hexes through some stations."""
    chain = list(stations[:1])
    for station in stations[1:]:
        while chain[-1] != station:
            here = chain[-1]
            chain.append(
                min(
                    neighbours(here),
                    key=lambda hex_: (distance(hex_, station), _off(hex_, here, station), hex_),
                )
            )
    return chain


def hexside_lines(land: Land, sides: Iterable[Hexside], kind: str, seed: int) -> list[Line]:
    """Return hexsides as lines that wobble about them."""
    dice = Dice(seed)
    chosen = sorted(sides)
    pull: dict[Vertex, Point] = {}
    for vertex in sorted({vertex for side in chosen for vertex in side.vertices}):
        x, y = land.grid.corner(vertex)
        pull[vertex] = x + dice.spread(WOBBLE * PITCH_PX), y + dice.spread(WOBBLE * PITCH_PX)
    return smooth_lines(oriented([Way(*side.vertices, kind) for side in chosen]), pull)


def _flood(land: Land, home: Hex, wall: set[Hex]) -> set[Hex]:
    found, open_ = {home}, [home]
    while open_:
        for other in neighbours(open_.pop()):
            if other in land.hex_set and other not in wall and other not in found:
                found.add(other)
                open_.append(other)
    return found


def _off(hex_: Hex, start: Hex, end: Hex) -> int:
    """Return how far a hex stands off the straight line, as a whole number."""
    return abs((end.q - start.q) * (hex_.r - start.r) - (end.r - start.r) * (hex_.q - start.q))
