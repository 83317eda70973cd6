"""What the digitiser is told about the lines of a map: legend samples, and a few examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mapkit.hexes import Hexside, Link
from mapkit.kinds import CROSSINGS, ROADS, WATERCOURSES, known_word

FACING = frozenset({"trench"})

LineGroup = Literal["hexsides", "links", "areas"]
Rect = tuple[float, float, float, float]  # x, y, width, height in pixels of the flat sheet


class LineKind(NamedTuple):
    """One kind of line: a river along hexsides, a road over links, the edge of an area."""

    group: LineGroup
    id: str


@dataclass(frozen=True, slots=True)
class LineSwatch:
    """The sample of one kind in the printed legend, and where it lies on the sheet."""

    group: LineGroup
    kind: str
    rect: Rect


@dataclass(frozen=True)
class LineTeaching:
    """All that is known before reading: none of it need be given, but something must.

    An example names a place and the kind that lies there; None says that nothing does. *roles*
    tells what a mapmaker would call a kind whose own word is not a well-known one.
    """

    hexsides: tuple[tuple[Hexside, str | None], ...] = ()
    links: tuple[tuple[Link, str | None], ...] = ()
    swatches: tuple[LineSwatch, ...] = ()
    roles: Mapping[LineKind, str] = field(default_factory=dict)

    def kinds(self) -> tuple[LineKind, ...]:
        """Return every kind that something teaches, in the order of the teaching."""
        return tuple(dict.fromkeys(self._taught()))

    def role(self, kind: LineKind) -> str | None:
        """Return what a mapmaker would call a kind, or None."""
        return self.roles.get(kind) or known_word(kind.group, kind.id).role

    def is_crossing(self, kind: LineKind) -> bool:
        """Tell whether a kind leads over water: a bridge, a ford."""
        return kind.group == "hexsides" and self.role(kind) in CROSSINGS

    def reach(self, kind: LineKind) -> int | None:
        """Return how far a kind reaches into either hex, in samples; None: it runs along."""
        if self.is_crossing(kind):
            return 8
        return 15 if kind.group == "links" else None

    def is_facing(self, kind: LineKind) -> bool:
        """Tell whether a kind belongs to one of the two hexes: a trench shields one of them."""
        return kind.group == "hexsides" and self.role(kind) in FACING

    def family(self, kind: LineKind) -> str:
        """Return a word shared by the kinds of which a place holds one at most."""
        role = self.role(kind)
        for family, roles in (("water", WATERCOURSES), ("way", ROADS), ("crossing", CROSSINGS)):
            if kind.group != "areas" and role in roles:
                return family
        return f"{kind.group} {kind.id}"

    def _taught(self) -> Iterator[LineKind]:
        for swatch in self.swatches:
            yield LineKind(swatch.group, swatch.kind)
        for _, word in self.hexsides:
            if word is not None:
                yield LineKind("hexsides", word)
        for _, word in self.links:
            if word is not None:
                yield LineKind("links", word)
