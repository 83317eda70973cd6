"""What the figures of a scan's report show: a picture of every stage, and its legend."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN, Group, Kind
from mapkit.model import HexMap
from mapkit.scan.doubts import DOUBTFUL, ReadValue, Word, values_of
from mapkit.scan.report_colours import UNREAD, of_role, ramp, strengthened, told_apart
from mapkit.scan.report_pictures import (
    Base,
    features_picture,
    grid_picture,
    lines_picture,
    mean_colours,
    painted_picture,
)
from mapkit.scan.sheet import Pixels
from mapkit.scan.teaching import NONE, What
from mapkit.texts import say

GROUP_OF: dict[What, Group] = {
    "terrain": "terrain",
    "feature": "features",
    "hexside": "hexsides",
    "link": "links",
}


@dataclass(frozen=True, eq=False)
class Shown:
    """One kind of thing on the map, its colour in the figures, and where it was read.

    *values* begin with what the scan is surest of.
    """

    what: What
    value: Word
    title: str
    colour: str
    values: tuple[ReadValue, ...]

    def below(self, limit: float) -> int:
        """Return of how many the scan is less sure than a limit."""
        return sum(one.confidence < limit for one in self.values)


@dataclass(frozen=True, eq=False)
class Figure:
    """A picture for the page; *name* is what its file is called."""

    name: str
    title: str
    caption: str
    picture: Pixels
    legend: tuple[Shown, ...] = ()


def title_of(map_: HexMap, what: What, value: Word) -> str:
    """Return what the legend of the map calls a value."""
    if value in (None, NONE):
        return say("mapkit.scan.report.none")
    if what == "level":
        return say("mapkit.scan.report.level", level=value)
    if what == "terrain" and value == UNKNOWN:
        return say("mapkit.scan.report.unread")
    titles = {kind.id: kind.title for kind in map_.kinds.group(GROUP_OF[what])}
    return titles.get(str(value)) or str(value)


def all_shown(map_: HexMap, base: Base) -> tuple[Shown, ...]:
    """Return every kind of thing that the map knows or has, in the order of its legend."""
    found: dict[tuple[What, Word], list[ReadValue]] = {}
    for one in values_of(map_):
        found.setdefault((one.what, one.value), []).append(one)
    return tuple(
        Shown(
            what,
            value,
            title_of(map_, what, value),
            colour,
            tuple(sorted(found.get((what, value), ()), key=_surest)),
        )
        for (what, value), colour in _colours(map_, base, list(found)).items()
    )


def figures(map_: HexMap, base: Base, shown: tuple[Shown, ...]) -> Iterator[Figure]:
    """Yield a figure for every stage that read something."""
    labels = {hex_: map_.label(hex_) for hex_ in map_.hexes}
    yield _figure("grid", grid_picture(base, labels))
    for name, what in (("terrain", "terrain"), ("levels", "level")):
        kinds = [one for one in shown if one.what == what]
        if any(one.values and one.value not in (None, UNKNOWN) for one in kinds):
            yield _figure(name, _painted(base, kinds), kinds)
    lines = [one for one in shown if one.what in ("hexside", "link")]
    if any(one.values for one in lines):
        yield _figure("lines", lines_picture(base, _drawn(lines)), lines)
    features = [one for one in shown if one.what == "feature"]
    if any(one.values for one in features):
        yield _figure("features", features_picture(base, _by_hex(features)), features)


def _figure(name: str, picture: Pixels, legend: Iterable[Shown] = ()) -> Figure:
    title, caption = (say(f"mapkit.scan.report.{key}") for key in (name, f"{name}_caption"))
    return Figure(name, title, caption, picture, tuple(legend))


def _painted(base: Base, kinds: list[Shown]) -> Pixels:
    colours = dict(_places(kinds))
    words = {
        value.place: str(value.value)
        for one in kinds
        if one.what == "level" and one.value is not None
        for value in one.values
        if isinstance(value.place, Hex)
    }
    return painted_picture(
        base, colours, words=words, doubtful=[hex_ for hex_, _ in _places(kinds, DOUBTFUL)]
    )


def _drawn(lines: list[Shown]) -> Iterator[tuple[Hexside | Link, str, bool]]:
    for one in lines:
        for value in one.values:
            if not isinstance(value.place, Hex):
                yield value.place, one.colour, value.confidence < DOUBTFUL


def _places(kinds: list[Shown], limit: float = math.inf) -> Iterator[tuple[Hex, str]]:
    """The hexes with one of these kinds that are less sure than a limit, and their colours."""
    for one in kinds:
        for value in one.values:
            if isinstance(value.place, Hex) and value.confidence < limit:
                yield value.place, one.colour


def _by_hex(features: list[Shown]) -> dict[Hex, list[str]]:
    found: dict[Hex, list[str]] = {}
    for hex_, colour in _places(features):
        found.setdefault(hex_, []).append(colour)
    return found


def _surest(one: ReadValue) -> float:
    return -one.confidence


def _colours(
    map_: HexMap, base: Base, words: list[tuple[What, Word]]
) -> dict[tuple[What, Word], str]:
    """Every value with its colour, in the order of the legend; what is unread comes last."""
    levels = ramp([word for what, word in words if what == "level" and isinstance(word, int)])
    found: dict[tuple[What, Word], str] = told_apart(_wished(map_, "terrain", words, base))
    found |= {("level", level): colour for level, colour in levels.items()}
    found |= told_apart(_wished(map_, "feature", words))
    # Hexsides and links are shown in one picture.
    found |= told_apart(_wished(map_, "hexside", words) | _wished(map_, "link", words))
    unread: list[tuple[What, Word]] = [("terrain", UNKNOWN), ("level", None)]
    return found | {one: UNREAD for one in unread if one in words}


def _wished(
    map_: HexMap, what: What, words: list[tuple[What, Word]], base: Base | None = None
) -> dict[tuple[What, Word], str | None]:
    """The colour that would suit each kind: its own, its role's, on a *base* that of its hexes."""
    kinds = {kind.id: kind for kind in map_.kinds.group(GROUP_OF[what])}
    for word in sorted(str(word) for sort, word in words if sort == what and word != UNKNOWN):
        kinds.setdefault(word, Kind(word))
    wished = {kind.id: kind.colour or of_role(kind.role) for kind in kinds.values()}
    if base is not None:
        terrain = {h: g.terrain for h, g in map_.hexes.items() if g.terrain in wished}
        wished |= strengthened(mean_colours(base, terrain))
    return {(what, word): colour for word, colour in wished.items()}
