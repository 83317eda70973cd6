"""The map as plain frozen data: what lies in every hex, along every hexside, over every link.

One class for all: scanning makes a `HexMap`, geometry and rules read it, exporters render it.
It holds no drawing, no file and no rule. Every value can say where it comes from and how sure
that is (`Provenance`); what says nothing has the provenance of the whole map.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from mapkit.errors import UnknownHexError
from mapkit.grid import Grid, Point
from mapkit.hexes import Hex, Hexside, Link, Place
from mapkit.kinds import UNKNOWN, Kinds
from mapkit.notation import format_hex, parse_hex, spell
from mapkit.numbering import AnyNumbering

Source = Literal["scan", "person", "import"]
Touch = Literal["confirmed", "corrected"]
Value = Literal["terrain", "level", "name"]
Form = Literal["point", "line", "outline"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a value comes from.

    A scan states its *confidence* (0 to 1) and the *runner_up*; a person *confirmed* or
    *corrected* what was there. The *note* is for errata and doubts.
    """

    source: Source
    confidence: float | None = None
    runner_up: str | int | None = None
    touch: Touch | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if self.confidence is None:
            return
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence lies between 0 and 1, not at {self.confidence}")
        object.__setattr__(self, "confidence", float(self.confidence))  # 1 is written as 1.0


IMPORTED = Provenance("import")
CONFIRMED = Provenance("person", touch="confirmed")
CORRECTED = Provenance("person", touch="corrected")


BLOWN = "blown"


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing on a hex, a hexside or a link: a fort, a trench, a blown bridge, a road.

    *value* is its printed number (trench level, victory points), *owner* a side, *state* what
    became of it ("blown"), *facing* the hex that a hexside feature belongs to: a trench
    shields the troops in that hex.
    """

    kind: str
    value: int | None = None
    owner: str = ""
    state: str = ""
    facing: Hex | None = None
    name: str = ""
    note: str = ""
    provenance: Provenance | None = None

    @property
    def stands(self) -> bool:
        """Whether it is still there: a blown bridge carries nobody."""
        return self.state != BLOWN


NOTHING_STATED: Mapping[Value, Provenance] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies in one hex."""

    terrain: str = UNKNOWN
    level: int | None = None
    features: tuple[Feature, ...] = ()
    name: str = ""
    note: str = ""
    provenance: Mapping[Value, Provenance] = field(default_factory=lambda: NOTHING_STATED)


@dataclass(frozen=True, slots=True)
class Area:
    """A named part of the map: a sector is hexes, a front line is hexsides."""

    name: str
    kind: str
    hexes: tuple[Hex, ...] = ()
    hexsides: tuple[Hexside, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A drawn outline, line or point in picture pixels, which need not follow the hexes.

    *rings* holds one point, one line, or an outline and its holes (each closed: first = last).
    """

    kind: str
    form: Form
    rings: tuple[tuple[Point, ...], ...]
    name: str = ""
    level: int | None = None
    note: str = ""
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture the grid refers to: a path relative to the map's file, and its fingerprint.

    Where the scan was flattened first, *scan* names the original and *from_scan* the 3×3 matrix
    (row by row) that takes its pixels to this picture's.
    """

    path: str
    sha256: str
    width_px: int
    height_px: int
    scan: str = ""
    from_scan: tuple[float, ...] = ()


@dataclass(frozen=True)
class HexMap:
    """One map document. Hexsides and links may leave the map at its edge, by one hex."""

    grid: Grid
    numbering: AnyNumbering
    hexes: Mapping[Hex, Ground]
    kinds: Kinds = field(default_factory=Kinds)
    hexsides: Mapping[Hexside, tuple[Feature, ...]] = field(default_factory=dict)
    links: Mapping[Link, tuple[Feature, ...]] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    shapes: tuple[Shape, ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()
    picture: Picture | None = None
    provenance: Provenance = IMPORTED

    def __getitem__(self, hex_: Hex) -> Ground:
        self.require(hex_)
        return self.hexes[hex_]

    def __contains__(self, hex_: object) -> bool:
        return hex_ in self.hexes

    def require(self, *hexes: Hex) -> None:
        """Raise UnknownHexError for the first hex that is not on this map."""
        for hex_ in hexes:
            if hex_ not in self.hexes:
                raise UnknownHexError(f"hex {self.label(hex_)} is not on the map {self.named}")

    def label(self, hex_: Hex) -> str:
        """Return the printed label of a hex, or `(q,r)` where the numbering has none."""
        return self._labels.get(hex_) or format_hex(hex_, self.numbering)

    def label_place(self, place: Place) -> str:
        """Return the written form of a hex, hexside, vertex or link."""
        return spell(place, self.label)

    def hex(self, label: str) -> Hex:
        """Return the hex on this map with this label."""
        hex_ = parse_hex(label, self.numbering)
        if hex_ not in self.hexes:
            raise UnknownHexError(
                f"there is no hex {label} on the map {self.named}; its labels run from "
                f"{self._label_range}"
            )
        return hex_

    def provenance_of(self, hex_: Hex, value: Value) -> Provenance:
        """Return where one value of a hex comes from."""
        return self[hex_].provenance.get(value, self.provenance)

    @property
    def named(self) -> str:
        """The title in quotes, or a stand-in, for messages."""
        return repr(self.title) if self.title else "without a title"

    @cached_property
    def _labels(self) -> dict[Hex, str]:
        return {hex_: format_hex(hex_, self.numbering) for hex_ in self.hexes}

    @property
    def _label_range(self) -> str:
        labels = sorted(self._labels.values())
        return f"{labels[0]} to {labels[-1]}" if labels else "nothing: the map is empty"
