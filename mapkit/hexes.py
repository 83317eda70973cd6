r"""Hexes, hexsides, vertices and links as integers: no picture, no numbers printed on a map.

Axial coordinates (q, r). Directions are counted anticlockwise as seen on the sheet:

        pointy-top rows                      flat-top columns

          2       1                               2
            \   /                             3   |   1
       3 ----  ---- 0                           \ | /
            /   \                               / | \
          4       5                           4   |   0
                                                  5

Direction 0 is (q+1, r): east on a pointy-top sheet, south-east on a flat-top one.
Hexside *i* of a hex faces direction *i*; vertex *i* stands between hexsides *i* and *i+1*.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

from mapkit.errors import NotationError


class Hex(NamedTuple):
    """One hex in axial coordinates."""

    q: int
    r: int

    def step(self, direction: int, length: int = 1) -> "Hex":
        """Return the hex *length* steps away in one of the six directions (0 to 5).

        >>> Hex(0, 0).step(2)
        Hex(q=0, r=-1)
        """
        dq, dr = DIRECTIONS[direction]
        return Hex(self.q + dq * length, self.r + dr * length)

    def moved(self, by: "Hex") -> "Hex":
        """Return this hex shifted by a displacement."""
        return Hex(self.q + by.q, self.r + by.r)


ORIGIN = Hex(0, 0)
DIRECTIONS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def distance(a: Hex, b: Hex) -> int:
    """Return the number of hexes from *a* to *b*, not counting *a* itself.

    >>> distance(Hex(0, 0), Hex(2, -1))
    2
    """
    dq, dr = a.q - b.q, a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def are_neighbours(a: Hex, b: Hex) -> bool:
    """Tell whether two hexes share a hexside."""
    return (b.q - a.q, b.r - a.r) in _DIRECTION_SET


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """Return the six neighbours, in the order of the directions.

    >>> neighbours(Hex(0, 0))[0]
    Hex(q=1, r=0)
    """
    return tuple(Hex(hex_.q + dq, hex_.r + dr) for dq, dr in DIRECTIONS)


def ring(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return the hexes exactly *radius* away, once around; the centre itself for 0.

    >>> len(ring(Hex(0, 0), 3))
    18
    """
    if radius == 0:
        return (centre,)
    found = []
    here = centre.step(4, radius)
    for direction in range(6):
        for _ in range(radius):
            found.append(here)
            here = here.step(direction)
    return tuple(found)


def disc(centre: Hex, radius: int) -> Iterator[Hex]:
    """Yield every hex within *radius*, the centre first, ring by ring.

    >>> sum(1 for _ in disc(Hex(4, 2), 2))
    19
    """
    for distance_ in range(radius + 1):
        yield from ring(centre, distance_)


class Hexside(NamedTuple):
    """The side between two neighbouring hexes; make it with `Hexside.between`.

    The two hexes stand in ascending order, so one hexside is one value.
    """

    a: Hex
    b: Hex

    @classmethod
    def between(cls, one: Hex, other: Hex) -> Self:
        """Return the hexside that two neighbours share.

        >>> Hexside.between(Hex(1, 0), Hex(0, 0)) == Hexside.between(Hex(0, 0), Hex(1, 0))
        True
        """
        return cls(*_ordered_pair(one, other, "a hexside"))

    @property
    def vertices(self) -> "tuple[Vertex, Vertex]":
        """The two ends of the hexside."""
        direction = DIRECTIONS.index(Hex(self.b.q - self.a.q, self.b.r - self.a.r))
        return vertex(self.a, direction - 1), vertex(self.a, direction)


class Link(NamedTuple):
    """The way from one hex into a neighbour (a road, a rail); make it with `Link.between`."""

    a: Hex
    b: Hex

    @classmethod
    def between(cls, one: Hex, other: Hex) -> Self:
        """Return the link of two neighbours, the same in both directions."""
        return cls(*_ordered_pair(one, other, "a link"))


class Vertex(NamedTuple):
    """The point where three hexes meet; make it with `Vertex.between`."""

    a: Hex
    b: Hex
    c: Hex

    @classmethod
    def between(cls, one: Hex, two: Hex, three: Hex) -> Self:
        """Return the vertex of three hexes that are neighbours of each other."""
        if not (
            are_neighbours(one, two) and are_neighbours(two, three) and are_neighbours(one, three)
        ):
            raise NotationError(
                f"no vertex lies between {tuple(one)}, {tuple(two)} and {tuple(three)}: "
                "name three hexes that all touch each other"
            )
        return cls(*sorted((one, two, three)))

    @property
    def hexsides(self) -> tuple[Hexside, Hexside, Hexside]:
        """The three hexsides that meet here."""
        return Hexside(self.a, self.b), Hexside(self.a, self.c), Hexside(self.b, self.c)


Place = Hex | Hexside | Vertex | Link


def hexsides(hex_: Hex) -> tuple[Hexside, ...]:
    """Return the six hexsides, in the order of the directions."""
    return tuple(Hexside.between(hex_, other) for other in neighbours(hex_))


def vertex(hex_: Hex, index: int) -> Vertex:
    """Return the vertex between the hexsides *index* and *index + 1* of a hex."""
    return Vertex(*sorted((hex_, hex_.step(index % 6), hex_.step((index + 1) % 6))))


def vertices(hex_: Hex) -> tuple[Vertex, ...]:
    """Return the six vertices, anticlockwise, beginning between directions 0 and 1."""
    return tuple(vertex(hex_, index) for index in range(6))


def _ordered_pair(one: Hex, other: Hex, what: str) -> tuple[Hex, Hex]:
    if not are_neighbours(one, other):
        raise NotationError(
            f"{tuple(one)} and {tuple(other)} are not neighbours: {what} needs two hexes that touch"
        )
    return (one, other) if one < other else (other, one)


_DIRECTION_SET = frozenset(DIRECTIONS)
