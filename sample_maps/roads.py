"""Roads, trails and rails: the cheapest way over the land, through valleys, from town to town."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link, are_neighbours, neighbours
from sample_maps.curves import Line, Way, oriented, smooth_lines
from sample_maps.dice import Dice
from sample_maps.land import PITCH_PX, Land

WOBBLE = 0.17  # hexes; more, and a line between two hexes could miss their hexside

Cost = Callable[[Hex, Hex], int | None]


@dataclass
class Roads:
    """A growing net of ways; the kinds from the greatest down."""

    land: Land
    cost: Cost
    kinds: tuple[str, ...]
    links: dict[Link, str] = field(default_factory=dict)

    @property
    def hexes(self) -> set[Hex]:
        """All hexes of the map that a way runs through."""
        return {hex_ for link in self.links for hex_ in link if hex_ in self.land.hex_set}

    def join(self, kind: str, stops: Sequence[Hex]) -> None:
        """Build a way of one kind from stop to stop, along older ways where that pays.

        Between stops that touch it goes straight, over a river too.
        """
        for start, end in pairwise(stops):
            straight = [start, end] if are_neighbours(start, end) else None
            self._build(kind, straight or self._cheapest({start}, {end}))

    def reach(self, kind: str, hex_: Hex) -> None:
        """Build a way from a hex to the nearest part of the net."""
        if hex_ not in self.hexes:
            self._build(kind, self._cheapest({hex_}, self.hexes))

    def leave(self, kind: str, hex_: Hex) -> None:
        """Let a way run off the map from a hex at its edge."""
        off = [other for other in neighbours(hex_) if other not in self.land.hex_set]
        came = [h for link in self.links for h in link if hex_ in link and h != hex_]
        # Straight on looks best: away from where the way comes from.
        self._build(kind, [hex_, min(off, key=lambda other: (-_spread(other, came), other))])

    def prune(self, ends: Collection[Hex]) -> None:
        """Take back what leads nowhere: ways end at one of these hexes, or off the map."""
        while True:
            arms = Counter(hex_ for link in self.links for hex_ in link)
            loose = [
                link
                for link in self.links
                if any(
                    arms[hex_] == 1 and hex_ not in ends and hex_ in self.land.hex_set
                    for hex_ in link
                )
            ]
            if not loose:
                return
            for link in loose:
                del self.links[link]

    def even_out(self, places: Collection[Hex]) -> None:
        """Let ways change their kind only at places and junctions: the lesser kind gains."""
        while True:
            arms: dict[Hex, list[Link]] = defaultdict(list)
            for link in sorted(self.links):
                for hex_ in link:
                    arms[hex_].append(link)
            uneven = [
                pair
                for hex_, pair in sorted(arms.items())
                if len(pair) == 2
                and hex_ not in places
                and self.links[pair[0]] != self.links[pair[1]]
            ]
            if not uneven:
                return
            one, other = uneven[0]
            lesser = max(self.links[one], self.links[other], key=self.kinds.index)
            self.links[one] = self.links[other] = lesser

    def _build(self, kind: str, path: Sequence[Hex]) -> None:
        for a, b in pairwise(path):
            link = Link.between(a, b)
            old = self.links.get(link)
            if old is None or self.kinds.index(kind) < self.kinds.index(old):
                self.links[link] = kind

    def _cheapest(self, starts: set[Hex], ends: set[Hex]) -> list[Hex]:
        best = dict.fromkeys(starts, 0)
        came: dict[Hex, Hex] = {}
        heap = [(0, hex_) for hex_ in sorted(starts)]
        while heap:
            spent, here = heapq.heappop(heap)
            if here in ends:
                path = [here]
                while path[-1] in came:
                    path.append(came[path[-1]])
                return path[::-1]
            if spent > best[here]:
                continue
            for other in neighbours(here):
                step = self._step(here, other)
                if step is not None and spent + step < best.get(other, 1 << 60):
                    best[other] = spent + step
                    came[other] = here
                    heapq.heappush(heap, (spent + step, other))
        labels = [self.land.numbering.format_label(min(some)) for some in (starts, ends)]
        raise ValueError(f"no way leads from {labels[0]} to {labels[1]}")

    def _step(self, here: Hex, other: Hex) -> int | None:
        if other not in self.land.hex_set:
            return None
        step = self.cost(here, other)
        if step is not None and Link.between(here, other) in self.links:
            step = max(1, step * 3 // 10)
        return step


def lines(
    land: Land,
    links: Mapping[Link, str],
    kinds: Sequence[str],
    seed: int,
    *,
    fixed: Mapping[Hex, Point] = {},
) -> list[Line]:
    """Return the ways as curves: each link crosses its own hexside, near the middle.

    *fixed* gives the points of hexes where ways must meet, such as towns.
    """
    dice = Dice(seed)
    hexes = sorted({hex_ for link in links for hex_ in link})
    pull = {}
    for hex_ in hexes:
        x, y = land.grid.centre(hex_)
        aside = dice.spread(WOBBLE * PITCH_PX), dice.spread(WOBBLE * PITCH_PX)
        pull[hex_] = fixed.get(hex_, (x + aside[0], y + aside[1]))
    joints = {link: _crossing(land, link, pull) for link in sorted(links)}
    for link in sorted(links):
        for hex_ in link:
            if hex_ not in land.hex_set:
                pull[hex_] = _clipped(land, joints[link], pull[hex_])
    ways = [
        Way(link.a, link.b, kind, rank=-kinds.index(kind), joint=joints[link])
        for link, kind in sorted(links.items())
    ]
    return smooth_lines(oriented(ways), pull)


def crossings(links: Iterable[Link], water: Mapping[Hexside, str]) -> list[Hexside]:
    """Return the water hexsides that some links cross."""
    return sorted({Hexside(*link) for link in links} & water.keys())


def _crossing(land: Land, link: Link, pull: Mapping[Hex, Point]) -> Point:
    """Return where the line between two points cuts the hexside between their hexes."""
    (ax, ay), (bx, by) = (land.grid.corner(vertex) for vertex in Hexside(*link).vertices)
    (px, py), (qx, qy) = pull[link.a], pull[link.b]
    dx, dy, ex, ey = qx - px, qy - py, bx - ax, by - ay
    u = ((px - ax) * dy - (py - ay) * dx) / (ex * dy - ey * dx)
    u = min(0.8, max(0.2, u))
    return ax + u * ex, ay + u * ey


def _clipped(land: Land, start: Point, end: Point) -> Point:
    left, top, right, bottom = land.frame
    return min(max(end[0], left), right), min(max(end[1], top), bottom)


def _spread(hex_: Hex, others: Sequence[Hex]) -> int:
    """Return the squared distances to some hexes, added up."""
    steps = [(hex_.q - other.q, hex_.r - other.r) for other in others]
    return sum(q * q + r * r + q * r for q, r in steps)
