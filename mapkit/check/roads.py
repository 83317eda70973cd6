"""Roads and rails as nets of links: ends that lead nowhere, pieces that stand alone."""

from collections.abc import Iterator
from typing import NamedTuple

from mapkit.check.problems import Problem, warning
from mapkit.hexes import Hex, Link, neighbours
from mapkit.kinds import ROADS
from mapkit.model import HexMap

RAILS = frozenset({"rail"})
SETTLEMENTS = frozenset({"city", "town", "village"})


class Arm(NamedTuple):
    """One link as it leaves a hex, with the kinds of its net that run over it."""

    link: Link
    kinds: tuple[str, ...]


Net = dict[Hex, list[Arm]]


def check_roads(map_: HexMap) -> Iterator[Problem]:
    """Yield dead ends and lone links of roads and of rails, and roads that change kind."""
    signs = _Signs(map_)
    for family in (ROADS, RAILS):
        net = _net(map_, family)
        yield from _loose_ends(map_, net, signs)
        if family is ROADS:
            yield from _changes_of_kind(map_, net, signs)


class _Signs:
    """What a hex shows that explains why a road ends, or changes, there."""

    def __init__(self, map_: HexMap) -> None:
        self._map = map_
        self._terrain_roles = map_.kinds.roles("terrain")
        roles = map_.kinds.roles("links")
        # Nobody said what such a link is: it may well be the road going on.
        self._goes_on = {
            hex_
            for link, features in map_.links.items()
            if any(feature.kind not in roles for feature in features)
            for hex_ in link
        }
        roles = map_.kinds.roles("hexsides")
        self._landings = {
            hex_
            for side, features in map_.hexsides.items()
            if any(roles.get(feature.kind) == "ferry" for feature in features)
            for hex_ in side
        }

    def explain_end(self, hex_: Hex) -> bool:
        """Tell whether a road may end here: a place, the edge of the map, a ferry."""
        return (
            self.explain_change(hex_)
            or hex_ in self._landings
            or any(other not in self._map.hexes for other in neighbours(hex_))
        )

    def explain_change(self, hex_: Hex) -> bool:
        """Tell whether a road may become another here: a place, or a junction we cannot read."""
        ground = self._map.hexes.get(hex_)
        return (
            ground is None
            or bool(ground.features or ground.name)
            or self._terrain_roles.get(ground.terrain) in SETTLEMENTS
            or self.join_unread_link(hex_)
        )

    def join_unread_link(self, hex_: Hex) -> bool:
        """Tell whether a link without a role touches this hex."""
        return hex_ in self._goes_on


def _net(map_: HexMap, family: frozenset[str]) -> Net:
    ours = {kind for kind, role in map_.kinds.roles("links").items() if role in family}
    net: Net = {}
    for link, features in map_.links.items():
        kinds = tuple(sorted({feature.kind for feature in features} & ours))
        if kinds:
            for hex_ in link:
                net.setdefault(hex_, []).append(Arm(link, kinds))
    return net


def _loose_ends(map_: HexMap, net: Net, signs: _Signs) -> Iterator[Problem]:
    told: set[Link] = set()
    for hex_, arms in net.items():
        if len(arms) != 1 or signs.explain_end(hex_):
            continue
        (arm,) = arms
        kind = arm.kinds[0]
        start = arm.link.a if arm.link.b == hex_ else arm.link.b
        if len(net[start]) > 1 or signs.join_unread_link(start):
            yield warning("dead_end", map_.label(hex_), kind=kind)
        elif arm.link not in told:
            told.add(arm.link)
            yield warning("one_hex_road", map_.label_place(arm.link), kind=kind)


def _changes_of_kind(map_: HexMap, net: Net, signs: _Signs) -> Iterator[Problem]:
    for hex_, arms in net.items():
        if len(arms) != 2 or signs.explain_change(hex_):
            continue
        one, other = arms
        if not set(one.kinds) & set(other.kinds):
            first, second = sorted((one.kinds[0], other.kinds[0]))
            yield warning("road_changes", map_.label(hex_), one=first, other=second)
