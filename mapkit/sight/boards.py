"""A map laid out on bitboards by what matters for sight.

Hexes that stand alike as ends of a line form one class, hexes that block alike another. A policy
is asked once for each pair of classes, never for each pair of hexes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import compress

from mapkit.bitboards import Bits, Board, shifted
from mapkit.hexes import Hex, Hexside
from mapkit.sight.comparisons import Height, Situation, Spot, all_hold
from mapkit.sight.gates import side_groups
from mapkit.sight.ground import Cover, SightGround
from mapkit.sight.maybe import Applies, both
from mapkit.sight.policy import Obstacle, SideObstacle
from mapkit.sight.ranges import UNLIMITED, Allowed, End

# Hexes, inherent, or some side obstacles and where their side leads.
Layer = str | tuple[tuple[int, ...], Hex]
Classes = int  # a set of cover classes, one bit each


# The spot that stands for all, where a policy does not ask.
ANYWHERE = Spot(1, 1, 2, (1, 1), Fraction(0), Fraction(1))


Heights = tuple[Height | None, Height | None]


@dataclass(eq=False)
class CoverBoards:
    """The hexes (or the hexsides of one direction) by what could block there."""

    covers: tuple[Cover, ...]
    boards: tuple[Bits, ...]
    rules: "RuleBook"
    _strips: dict[tuple[Classes, ...], "Shifts"] = field(default_factory=dict, repr=False)

    def blocking(self, heights: Heights, spot: Spot, *, maybe: bool) -> Classes:
        """Return the classes that block between these ends; with *maybe* also those that may."""
        blocks = self.rules.blocks
        return sum(
            1 << index
            for index, cover in enumerate(self.covers)
            if blocks(cover, heights, spot, maybe)
        )

    def hindering(self, heights: Heights, spot: Spot, least: int, *, maybe: bool) -> Classes:
        """Return the classes that hinder by *least* or more."""
        hinders = self.rules.hinders
        return sum(
            1 << index
            for index, cover in enumerate(self.covers)
            if hinders(cover, heights, spot, maybe) >= least
        )

    def strips(self, groups: tuple[Classes, ...], width: int) -> "Shifts":
        """Return the boards of several groups of classes, each in a strip, by how far moved."""
        if groups not in self._strips:
            wide = 0
            for strip, classes in enumerate(groups):
                for index, board in enumerate(self.boards):
                    if classes >> index & 1:
                        wide |= board << strip * width
            self._strips[groups] = Shifts(wide)
        return self._strips[groups]


class RuleBook:
    """What some obstacles say of each kind of cover: worked out once, then looked up."""

    def __init__(self, rules: Sequence[Obstacle | SideObstacle]) -> None:
        self._rules = tuple(rules)
        self._blocks: dict[tuple[Cover, Heights, Spot, bool], bool] = {}
        self._hinders: dict[tuple[Cover, Heights, Spot, bool], int] = {}

    def blocks(self, cover: Cover, heights: Heights, spot: Spot, maybe: bool) -> bool:
        """Tell whether such a cover blocks; with *maybe* whether it may."""
        key = cover, heights, spot, maybe
        known = self._blocks.get(key)
        if known is None:
            said = self._said(cover, heights, spot)
            known = any(_counts(holds, maybe) for rule, holds in said if rule.hinders is None)
            self._blocks[key] = known
        return known

    def hinders(self, cover: Cover, heights: Heights, spot: Spot, maybe: bool) -> int:
        """Return by how much such a cover hinders; with *maybe* at most."""
        key = cover, heights, spot, maybe
        known = self._hinders.get(key)
        if known is None:
            said = self._said(cover, heights, spot)
            known = sum(rule.hinders or 0 for rule, holds in said if _counts(holds, maybe))
            self._hinders[key] = known
        return known

    def _said(
        self, cover: Cover, heights: Heights, spot: Spot
    ) -> Iterator[tuple[Obstacle | SideObstacle, Applies]]:
        situation = Situation(*heights, spot)
        for rule, present in zip(self._rules, cover.present, strict=True):
            if present is not False:
                standing = cover.standing(rule.height)
                compared = [comparison.compare(standing, situation) for comparison in rule.when]
                yield rule, both(present, all_hold(compared))


@lru_cache(maxsize=256)
def rule_book(rules: tuple[Obstacle | SideObstacle, ...]) -> RuleBook:
    """Return the one rule book of these obstacles: it is the same on every map."""
    return RuleBook(rules)


class Shifts(dict[int, Bits]):
    """One set by how far it is moved; worked out when first asked for."""

    def __init__(self, bits: Bits) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, by: int) -> Bits:
        self[by] = shifted(self._bits, by)
        return self[by]


@dataclass
class SightBoards:
    """A map on bitboards, for lines of up to *reach* hexes."""

    ground: SightGround
    board: Board
    reach: int
    ends: dict[End, Bits]
    layers: dict[Layer, CoverBoards]
    allowed: dict[tuple[End, End], Allowed]

    @classmethod
    def lay_out(cls, ground: SightGround, *, within: int | None = None) -> "SightBoards":
        """Return the boards of a map, for the policy's greatest range, or *within* fewer hexes."""
        map_, policy = ground.map, ground.policy
        alike = ground.alike_hexes()
        ends = {ground.end(hexes[0]) for hexes in alike}
        allowed = {(one, other): ground.allowed(one, other) for one in ends for other in ends}
        reach = _reach(map_.hexes, allowed.values(), within)
        beside = (hex_ for side in map_.hexsides for hex_ in side) if policy.sides else ()
        board = Board((*map_.hexes, *beside), reach=reach + 1)
        by_end: dict[End, Bits] = defaultdict(int)
        by_cover: dict[Cover, Bits] = defaultdict(int)
        for hexes in alike:
            bits, cover = board.of(hexes), ground.cover(hexes[0])
            by_end[ground.end(hexes[0])] |= bits
            if cover is not None:
                by_cover[cover] |= bits
        return cls(
            ground,
            board,
            reach,
            dict(by_end),
            {
                "hexes": _cover_boards(by_cover, policy.obstacles, inherent=False),
                "inherent": _cover_boards(by_cover, policy.obstacles, inherent=True),
                **_side_boards(ground, board),
            },
            allowed,
        )

    @cached_property
    def land(self) -> Bits:
        """The hexes of the map: the board may hold more, beside its edge."""
        found = 0
        for bits in self.ends.values():
            found |= bits
        return found

    @cached_property
    def knows_everything(self) -> bool:
        """Whether no level or terrain that matters is unknown."""
        covers = [cover for boards in self.layers.values() for cover in boards.covers]
        return all(
            cover.level is not None and None not in cover.present for cover in covers
        ) and all(end.height is not None and None not in end.limited for end in self.ends)


def _counts(holds: Applies, maybe: bool) -> bool:
    return holds is True or (maybe and holds is None)


def _reach(hexes: Iterable[Hex], allowed: Iterable[Allowed], within: int | None) -> int:
    """The farthest anyone sees: by the rule, by what was asked for, by the size of the map."""
    axes = [[q for q, _ in hexes], [r for _, r in hexes], [q + r for q, r in hexes]]
    across = max((max(axis) - min(axis) for axis in axes if axis), default=0)
    farthest = max((one.at_most for one in allowed), default=0)
    return min(farthest, across, UNLIMITED if within is None else within)


def _cover_boards(
    by_cover: dict[Cover, Bits],
    obstacles: tuple[Obstacle, ...],
    *,
    inherent: bool,
) -> CoverBoards:
    counted = [rule.inherent or not inherent for rule in obstacles]
    found: dict[Cover, Bits] = defaultdict(int)
    for cover, bits in by_cover.items():
        present = tuple(compress(cover.present, counted))
        if any(here is not False for here in present):
            found[Cover(cover.level, present)] |= bits
    rules = rule_book(tuple(compress(obstacles, counted)))
    return CoverBoards(tuple(found), tuple(found.values()), rules)


def _side_boards(ground: SightGround, board: Board) -> dict[Layer, CoverBoards]:
    """The hexsides of each group of side obstacles in each of three directions.

    A hexside is marked at its first hex.
    """
    obstacles = ground.policy.sides
    found: dict[Layer, CoverBoards] = {}
    for group in side_groups(obstacles):
        classes: dict[Hex, dict[Cover, list[Hex]]] = {
            toward: defaultdict(list) for toward in (Hex(0, 1), Hex(1, -1), Hex(1, 0))
        }
        for side in ground.map.hexsides:
            cover = ground.side_cover(side)
            if cover is not None and any(cover.present[number] for number in group):
                alike = Cover(cover.level, tuple(cover.present[number] for number in group))
                classes[side_direction(side)][alike].append(side.a)
        rules = rule_book(tuple(obstacles[number] for number in group))
        for toward, by_cover in classes.items():
            boards = tuple(map(board.of, by_cover.values()))
            found[group, toward] = CoverBoards(tuple(by_cover), boards, rules)
    return found


def side_direction(side: Hexside) -> Hex:
    """Return the step from a hexside's first hex to its second."""
    return Hex(side.b.q - side.a.q, side.b.r - side.a.r)
