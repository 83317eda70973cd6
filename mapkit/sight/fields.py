"""All that one observer sees.

The table of a whole map works on all origins of one displacement; here there is one origin and
all displacements. Every place near the observer throws a *shadow*: the set of targets whose line
passes over it, the same wherever the observer stands. The shadows of all places that stand alike
are gathered first; then each height of target asks which of them count.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter

from mapkit.bitboards import Bits, indexes
from mapkit.hexes import ORIGIN, Hex, disc
from mapkit.model import HexMap
from mapkit.sight.boards import ANYWHERE, Classes, Layer, RuleBook, SightBoards
from mapkit.sight.comparisons import Height
from mapkit.sight.ground import Cover, SightGround
from mapkit.sight.lanes import Page, gate_book
from mapkit.sight.policy import SightPolicy
from mapkit.sight.ranges import End
from mapkit.sight.sighting import sight, sight_ground


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """What an observer sees for certain, his own hex included, and what he may see."""

    observer: Hex
    clear: tuple[Hex, ...]
    unknown: tuple[Hex, ...] = ()


def field_of_view(
    map_: "HexMap | SightGround | Lookout",
    a: Hex,
    policy: SightPolicy | None = None,
    *,
    within: int | None = None,
) -> FieldOfView:
    """Return all hexes that an observer in *a* sees.

    Many observers of one map are answered faster by one `Lookout`, which lays the map out once.
    """
    if not isinstance(map_, Lookout):
        return Lookout.over(sight_ground(map_, policy), within=within).field(a)
    if policy is not None or within is not None:
        raise TypeError("this lookout has policy and range already: ask without them")
    return map_.field(a)


@dataclass(frozen=True)
class Lookout:
    """A map prepared for many observers."""

    boards: SightBoards

    @classmethod
    def over(cls, ground: SightGround, *, within: int | None = None) -> "Lookout":
        """Return the lookout over a map."""
        return cls(SightBoards.lay_out(ground, within=within))

    def field(self, a: Hex) -> FieldOfView:
        """Return all hexes that an observer in *a* sees."""
        self.boards.ground.map.require(a)
        here = self.boards.board.index(a)
        policy = self.boards.ground.policy
        if policy.is_placed or policy.hindrance_blocks is not None:
            return self._line_by_line(a)
        clear = self._seen(a, here, sure=True)
        unknown = 0
        if not self.boards.knows_everything:
            unknown = self._seen(a, here, sure=False) & ~clear
        return FieldOfView(a, self._hexes(here, clear), self._hexes(here, unknown))

    def _line_by_line(self, a: Hex) -> FieldOfView:
        """Where places count by their spot on each line, every line is judged by itself."""
        ground = self.boards.ground
        targets = [hex_ for hex_ in disc(a, self.boards.reach) if hex_ in ground.map]
        verdicts = {target: sight(ground, a, target).verdict for target in targets}
        return FieldOfView(
            a,
            tuple(target for target in targets if verdicts[target] == "clear"),
            tuple(target for target in targets if verdicts[target] == "unknown"),
        )

    def _seen(self, a: Hex, here: int, *, sure: bool) -> Bits:
        shades, forks, standing = self._gathered(here)
        shadows: dict[object, Bits] = {}
        seen = 1  # an observer sees his own hex
        observer = self.boards.ground.end(a)
        for end, targets in zip(self._ends, standing[1:], strict=True):
            if not targets:
                continue
            if end.height not in shadows:
                blocks = self._blocking(observer.height, end.height, sure=sure)
                shadows[end.height] = _shadow(blocks, shades, forks)
            allowed = self.boards.allowed[observer, end]
            hexes = min(allowed.hexes if sure else allowed.at_most, self.boards.reach)
            near = targets & self._shadows.within[max(hexes, 0)]
            seen |= near ^ (near & shadows[end.height])
        return seen

    def _gathered(self, here: int) -> tuple[list[Bits], "_Forked", list[Bits]]:
        """The shadows around an observer, by the class of what throws them; ends by theirs."""
        margin = self._margin
        shades = [0] * len(self._classes)
        for layer, near, shadows in self._singles:
            for number, shadow in zip(near(layer[here : here + margin]), shadows, strict=True):
                shades[number] |= shadow
        forks: _Forked = defaultdict(int)
        for ways, shadow in self._forks:
            forks[tuple([_classes_at(here, way) for way in ways])] |= shadow
        standing = [0] * (len(self._ends) + 1)
        ends = self._targets(self._end_at[here : here + margin])
        for number, bit in zip(ends, self._shadows.bits, strict=True):
            standing[number] |= bit
        return shades, forks, standing

    def _blocking(self, observer: Height | None, target: Height | None, *, sure: bool) -> Classes:
        """Return the classes that block between such ends, or may."""
        key = observer, target, sure
        if key not in self._known:
            self._known[key] = sum(
                1 << number
                for number, (rules, cover) in enumerate(self._classes)
                if number > 0 and rules.blocks(cover, (observer, target), ANYWHERE, sure)
            )
        return self._known[key]

    def _hexes(self, here: int, bits: Bits) -> tuple[Hex, ...]:
        offsets = self._offsets
        return self.boards.board.at([here + offsets[index] for index in indexes(bits)])

    @cached_property
    def _shadows(self) -> "_Shadows":
        return _shadows(self.boards.ground.policy, self.boards.reach)

    @cached_property
    def _ends(self) -> tuple[End, ...]:
        return tuple(self.boards.ends)

    @cached_property
    def _classes(self) -> tuple[tuple[RuleBook, Cover], ...]:
        """Every class of every layer by its number; number 0 is empty ground."""
        nothing = RuleBook(()), Cover(None, ())
        return (
            nothing,
            *(
                (boards.rules, cover)
                for boards in self.boards.layers.values()
                for cover in boards.covers
            ),
        )

    @cached_property
    def _known(self) -> dict[tuple[Height | None, Height | None, bool], Classes]:
        return {}

    @cached_property
    def _layers(self) -> dict[Layer, list[int]]:
        """For each layer the number of the class at every bit, with a margin on both sides."""
        found, first = {}, 1
        for layer, boards in self.boards.layers.items():
            found[layer] = self._numbered(enumerate(boards.boards, first))
            first += len(boards.covers)
        return found

    @cached_property
    def _end_at(self) -> list[int]:
        return self._numbered(enumerate(self.boards.ends.values(), 1))

    @cached_property
    def _margin(self) -> int:
        """How many bits lie around an observer, to both sides and his own."""
        board = self.boards.board
        return 2 * (board.width - board.size) + 1

    def _numbered(self, sets: Iterable[tuple[int, Bits]]) -> list[int]:
        half = self._margin // 2
        numbers = [0] * (self.boards.board.size + self._margin)
        for number, bits in sets:
            for index in indexes(bits):
                numbers[index + half] = number
        return numbers

    def _near(self, by: Hex) -> int:
        """Where in the margin around an observer the hex *by* away stands."""
        return self.boards.board.offset(by) + self._margin // 2

    @cached_property
    def _offsets(self) -> list[int]:
        return [self.boards.board.offset(by) for by in self._shadows.targets]

    @cached_property
    def _targets(self) -> "_Pick":
        return _pick([self._near(by) for by in self._shadows.targets])

    @cached_property
    def _singles(self) -> list[tuple[list[int], "_Pick", list[Bits]]]:
        return [
            (self._layers[layer], _pick([self._near(by) for by in places]), list(places.values()))
            for layer, places in self._shadows.singles.items()
        ]

    @cached_property
    def _forks(self) -> list[tuple[tuple[tuple[tuple[list[int], int], ...], ...], Bits]]:
        return [
            (
                tuple(
                    tuple((self._layers[layer], self._near(hex_)) for layer, hex_ in way)
                    for way in ways
                ),
                shadow,
            )
            for ways, shadow in self._shadows.forks.items()
        ]


_Forked = dict[tuple[Classes, ...], Bits]  # shadows of forks, by the classes on each way
_Pick = Callable[[list[int]], tuple[int, ...]]


def _pick(places: list[int]) -> _Pick:
    """Return what picks these places out of a list, all in one go."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda numbers: tuple(numbers[place] for place in places)


def _classes_at(here: int, way: tuple[tuple[list[int], int], ...]) -> Classes:
    found = 0
    for layer, at in way:
        found |= 1 << layer[here + at]
    return found


def _shadow(blocks: Classes, shades: list[Bits], forks: _Forked) -> Bits:
    """Return all targets that are hidden behind what blocks."""
    shadow = 0
    for number in indexes(blocks):
        shadow |= shades[number]
    for ways, shade in forks.items():
        for way in ways:
            if not blocks & way:
                break
        else:
            shadow |= shade
    return shadow


@dataclass(frozen=True)
class _Shadows:
    """Which targets each place near an observer hides, for one policy and reach."""

    targets: tuple[Hex, ...]
    bits: tuple[Bits, ...]  # one for each target
    within: tuple[Bits, ...]  # the targets up to so many hexes away
    singles: dict[Layer, dict[Hex, Bits]]
    forks: dict[tuple[tuple[tuple[Layer, Hex], ...], ...], Bits]


@lru_cache(maxsize=64)
def _shadows(policy: SightPolicy, reach: int) -> _Shadows:
    targets = tuple(disc(ORIGIN, reach))
    within = tuple((1 << 3 * hexes * (hexes + 1) + 1) - 1 for hexes in range(reach + 1))
    singles: dict[Layer, dict[Hex, Bits]] = defaultdict(lambda: defaultdict(int))
    forks: dict[tuple[tuple[tuple[Layer, Hex], ...], ...], Bits] = defaultdict(int)
    book = gate_book(policy)
    for index, by in enumerate(targets):
        page: Page = book.page(by)
        layers = [layer for layer, _ in page.questions]
        for question, hexes in page.singles:
            for hex_ in hexes:
                singles[layers[question]][hex_] |= 1 << index
        for fork in page.forks:
            ways = tuple(tuple((layers[question], hex_) for question, hex_ in way) for way in fork)
            forks[ways] |= 1 << index
    bits = tuple(1 << index for index in range(len(targets)))
    return _Shadows(targets, bits, within, singles, forks)
