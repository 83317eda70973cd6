"""Watercourses as a net of hexsides: gaps in their run, and crossings with nothing to cross.

The nodes of the net are vertices. A stream that runs into a river is one water with it. A loose
end is a vertex where a single hexside of water stops inside the map, away from lake and sea:
a spring, or a gap. It is a gap where another water begins one or two hexsides further on.
"""

from collections.abc import Iterator

from mapkit.check.problems import Problem, warning
from mapkit.hexes import Hex, Hexside, Link, Vertex
from mapkit.kinds import CROSSINGS, ROADS, STANDING_WATER, WATERCOURSES
from mapkit.model import HexMap

_CARRIES_ROAD = {
    "bridge": ROADS - {"trail"} | {"rail"},
    "footbridge": ROADS | {"rail"},
    "ford": ROADS | {"rail"},
}


def check_rivers(map_: HexMap) -> Iterator[Problem]:
    """Yield the gaps of watercourses, nearest first: an end once joined is not asked again."""
    water = _Water(map_)
    loose = water.loose_ends()
    for find in (water.ends_one_apart, water.ends_short_of_water, water.ends_two_apart):
        joined: set[Vertex] = set()
        for ends, missing in find(loose):
            joined |= ends
            yield _gap(map_, missing)
        loose -= joined


def check_crossings(map_: HexMap) -> Iterator[Problem]:
    """Yield bridges, fords and ferries without water under them or without a road over them."""
    roles = map_.kinds.roles("hexsides")
    link_roles = map_.kinds.roles("links")
    for side, features in map_.hexsides.items():
        crossings = [feature.kind for feature in features if roles.get(feature.kind) in CROSSINGS]
        if not crossings:
            continue
        wet = _may_be_wet(map_, side, roles)
        over = {link_roles.get(road.kind) for road in map_.links.get(Link(*side), ())}
        for kind in crossings:
            if not wet:
                yield warning("crossing_without_water", map_.label_place(side), kind=kind)
            needs = _CARRIES_ROAD.get(roles[kind])
            # A link without a role may be the road; past the edge of the map none is drawn.
            at_edge = any(hex_ not in map_.hexes for hex_ in side)
            if needs and not over & (needs | {None}) and not at_edge:
                yield warning("crossing_without_road", map_.label_place(side), kind=kind)


Gap = tuple[set[Vertex], tuple[Hexside, ...]]  # the loose ends it joins, the hexsides it lacks


class _Water:
    """The net of all watercourses of a map."""

    def __init__(self, map_: HexMap) -> None:
        self._map = map_
        roles = map_.kinds.roles("hexsides")
        self._net: dict[Vertex, list[Vertex]] = {}
        self._taken: set[Hexside] = set()  # water, or something nobody gave a role
        self._ways_on: dict[Vertex, list[tuple[Hexside, Vertex]]] = {}
        for side, features in map_.hexsides.items():
            found = {roles.get(feature.kind) for feature in features}
            if found & WATERCOURSES:
                one, other = side.vertices
                self._net.setdefault(one, []).append(other)
                self._net.setdefault(other, []).append(one)
            if found & (WATERCOURSES | {None}):
                self._taken.add(side)
        self._course = self._number_courses()

    def loose_ends(self) -> set[Vertex]:
        """Return the vertices where water stops inside the map, and not at lake or sea."""
        standing = {
            kind
            for kind, role in self._map.kinds.roles("terrain").items()
            if role in STANDING_WATER
        }
        hexes = self._map.hexes
        return {
            end
            for end, onward in self._net.items()
            if len(onward) == 1
            and all(hex_ in hexes and hexes[hex_].terrain not in standing for hex_ in end)
        }

    def ends_one_apart(self, loose: set[Vertex]) -> Iterator[Gap]:
        """Yield each hexside between loose ends of two waters."""
        for end in loose:
            for side, beyond in self._free_sides(end):
                if end < beyond and beyond in loose and self._are_two(end, beyond):
                    yield {end, beyond}, (side,)

    def ends_short_of_water(self, loose: set[Vertex]) -> Iterator[Gap]:
        """Yield each hexside between a loose end and the run of another water."""
        for end in loose:
            for side, beyond in self._free_sides(end):
                if beyond in self._net and self._are_two(end, beyond):
                    yield {end}, (side,)

    def ends_two_apart(self, loose: set[Vertex]) -> Iterator[Gap]:
        """Yield each pair of hexsides between loose ends of two waters."""
        for end in loose:
            for first, middle in self._free_sides(end):
                for second, beyond in self._free_sides(middle):
                    if end < beyond and beyond in loose and self._are_two(end, beyond):
                        yield {end, beyond}, (first, second)

    def _number_courses(self) -> dict[Vertex, int]:
        course: dict[Vertex, int] = {}
        for number, source in enumerate(self._net):
            ahead = [] if source in course else [source]
            while ahead:
                here = ahead.pop()
                if here not in course:
                    course[here] = number
                    ahead += self._net[here]
        return course

    def _are_two(self, one: Vertex, other: Vertex) -> bool:
        # Two ends of one water lie close wherever it bends: that is no gap.
        return self._course[one] != self._course[other]

    def _free_sides(self, end: Vertex) -> list[tuple[Hexside, Vertex]]:
        """Return the hexsides without water that leave a vertex, with their other end."""
        if end not in self._ways_on:
            self._ways_on[end] = [
                (side, _beyond(side, behind))
                for side, behind in zip(end.hexsides, reversed(end), strict=True)
                if side not in self._taken
            ]
        return self._ways_on[end]


def _beyond(side: Hexside, behind: Hex) -> Vertex:
    """Return the vertex at the other end of a hexside, seen from the hex at this end."""
    a, b = side
    ahead = Hex(a.q + b.q - behind.q, a.r + b.r - behind.r)
    return Vertex(*sorted((a, b, ahead)))


def _gap(map_: HexMap, missing: tuple[Hexside, ...]) -> Problem:
    sides = sorted(map(map_.label_place, missing))
    return warning("river_gap", sides[0], n=len(sides), hexsides=", ".join(sides))


def _may_be_wet(map_: HexMap, side: Hexside, roles: dict[str, str]) -> bool:
    wet = WATERCOURSES | {"shore", None}  # without a role it may be a canal
    if any(roles.get(feature.kind) in wet for feature in map_.hexsides[side]):
        return True
    terrain = map_.kinds.roles("terrain")
    return any(
        hex_ in map_.hexes and terrain.get(map_.hexes[hex_].terrain) in STANDING_WATER
        for hex_ in side
    )
