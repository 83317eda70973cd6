"""How a map looks, as data: palettes, widths, textures and letters in TOML, checked at the door.

Lengths are in hex pitches (the distance between neighbouring centres), so that one style fits
every size. A style may say `extends = "plain"` and give only what differs. Every group has an
entry `other`: the neutral look of a kind without a role.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.drawing.errors import StyleError
from mapkit.kinds import ROLES, Group, Kind, Kinds

OTHER = "other"
_LIMIT_BYTES = 1_000_000
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Length = Annotated[float, Field(ge=0, le=4)]
Share = Annotated[float, Field(ge=0, le=1)]
Glyph = Literal[
    "block", "conifer", "crag", "dash", "dot", "furrow", "hillock", "mound", "peak", "reed",
    "rock", "tree", "tuft", "vine", "wave",
]  # fmt: skip
Pattern = Literal[
    "line", "rail", "hachures", "crenels", "teeth", "beads", "posts", "bridge", "footbridge",
    "ford", "ferry",
]  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Marks(_Strict):
    """One glyph strewn over a terrain, *spacing* apart, or in rows where *jitter* is 0."""

    glyph: Glyph
    spacing: Annotated[float, Field(ge=0.05, le=3)]
    size: Length
    jitter: Share = 0.6
    colour: Colour
    line: Colour | None = None
    light: Colour | None = None
    width: Length = 0.015
    share: Share = 1.0


class Hatch(_Strict):
    """Parallel lines over a terrain."""

    colour: Colour
    spacing: Annotated[float, Field(ge=0.03, le=1)]
    width: Length = 0.012
    angle_deg: float = 45.0


class TerrainLook(_Strict):
    """A terrain: its fill, and what lies on it.

    *over_levels* is how much of the fill covers the tint of the level below it, on a map that
    has levels. *lining* are lines inside the edge, as engravers draw a shore.
    """

    fill: Colour
    over_levels: Share = 1.0
    edge: Colour | None = None
    edge_width: Length = 0.02
    hatch: Hatch | None = None
    marks: tuple[Marks, ...] = ()
    lining: tuple[Length, ...] = ()
    lining_colour: Colour | None = None


class LineLook(_Strict):
    """A hexside or a link: a line, perhaps cased, dashed or dressed with a pattern."""

    colour: Colour
    width: Length
    casing: Colour | None = None
    casing_width: Length = 0.0
    dash: tuple[Length, ...] = ()
    pattern: Pattern = "line"
    spacing: Length = 0.12
    length: Length = 0.1
    glow: Colour | None = None
    glow_width: Length = 0.0
    glow_opacity: Share = 0.35
    wander: Share = 0.0
    offset: Length = 0.0


class SymbolLook(_Strict):
    """A feature of a hex: which drawing, how big, in which colours."""

    symbol: str
    size: Length = 0.3
    fill: Colour = "#ffffff"
    line: Colour = "#000000"
    width: Length = 0.02


class AreaLook(_Strict):
    """A named area: its edge, and letters over it.

    A *band* runs inside the edge, so that neighbours show both theirs; a *line* runs on the
    hexsides, once for two neighbours. Where a map has several kinds of one role, *second* is the
    look of all but the first.
    """

    colour: Colour
    edge: Literal["band", "line"] = "band"
    width: Length = 0.08
    opacity: Share = 0.5
    dash: tuple[Length, ...] = ()
    casing: Colour | None = None
    casing_width: Length = 0.0
    tint: Share = 0.0
    second: "AreaLook | None" = None


class Letters(_Strict):
    """One class of lettering."""

    family: Literal["Gentium Book Basic", "Cabin"] = "Cabin"
    bold: bool = False
    italic: bool = False
    size: Length
    colour: Colour
    halo: Colour | None = None
    halo_width: Length = 0.05
    spacing: Length = 0.0
    capitals: bool = False


class Levels(_Strict):
    """The tints of the levels, lowest first; fewer levels than *span* use a part of them."""

    tints: Annotated[tuple[Colour, ...], Field(min_length=2)]
    span: int = 5
    contour: Colour | None = None
    contour_width: Length = 0.012
    shade: Colour | None = None
    light: Colour | None = None
    relief_width: Length = 0.07
    relief_opacity: Share = 0.2
    hachures: Colour | None = None
    hachure_length: Length = 0.16
    hachure_spacing: Annotated[float, Field(ge=0.02, le=1)] = 0.06
    hachure_width: Length = 0.012


class HexGrid(_Strict):
    """The lines between the hexes."""

    colour: Colour
    width: Length
    opacity: Share = 1.0
    dot: Length = 0.0


class Ground(_Strict):
    """How whole-hex terrain is laid: to the hexsides, or softly along them."""

    edges: Literal["hex", "soft"] = "hex"
    wander: Share = 0.0


class SheetLook(_Strict):
    """The paper, its border, and the furniture at its foot."""

    paper: Colour
    ink: Colour
    margin: Length = 0.6
    rules: tuple[Length, ...] = (0.03,)
    rule_gaps: tuple[Length, ...] = (0.12,)


NUMBER_PLACES = {"top": -0.355, "bottom": 0.355}


class Style(_Strict):
    """Everything a drawing needs to know that is not on the map."""

    name: str
    title: str = ""
    sheet: SheetLook
    ground: Ground = Ground()
    grid: HexGrid
    numbers: Letters
    number_place: Literal["top", "bottom"] = "top"
    levels: Levels
    terrain: dict[str, TerrainLook]
    features: dict[str, SymbolLook]
    hexsides: dict[str, LineLook]
    links: dict[str, LineLook]
    areas: dict[str, AreaLook]
    letters: dict[str, Letters]

    def model_post_init(self, _: object) -> None:
        """Hold the style to the roles: each one there, and no other."""
        groups: tuple[Group, ...] = ("terrain", "features", "hexsides", "links", "areas")
        for group in groups:
            wanted, given = {*ROLES[group], OTHER}, set(getattr(self, group))
            if wanted != given:
                raise ValueError(f"{group}: {', '.join(sorted(wanted ^ given))} missing or unknown")
        if missing := LETTERINGS - set(self.letters):
            raise ValueError(f"letters: {', '.join(sorted(missing))} missing")


LETTERINGS = frozenset(
    {"city", "town", "village", "place", "peak", "water", "area", "title", "text", "value"}
)


@cache
def style_names() -> tuple[str, ...]:
    """Return the names of the styles that come with Mapkit.

    >>> style_names()
    ('antique', 'plain', 'textured')
    """
    entries = files("mapkit.drawing").joinpath("styles").iterdir()
    return tuple(sorted(entry.name[:-5] for entry in entries if entry.name.endswith(".toml")))


def load_style(name: str) -> Style:
    """Return a style by its name, or from a TOML file.

    Raises:
        StyleError: there is no such style, or a key of it is wrong.
    """
    if name in style_names():
        return _bundled(name)
    path = Path(name)
    if not name.endswith(".toml"):
        raise StyleError(
            f"no style '{name}'; there is: {', '.join(style_names())}, or a .toml file"
        )
    try:
        if path.stat().st_size > _LIMIT_BYTES:
            raise StyleError(f"{name} is too big for a style: check that it is the right file")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise StyleError(f"cannot read the style {name}: {reason}") from None
    return parse_style(text, name)


def parse_style(text: str, source: str) -> Style:
    """Return the style that a TOML text describes; *source* names it in messages."""
    try:
        return Style.model_validate(_data(text, source))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the style"
        problem = first["msg"].removeprefix("Value error, ")
        raise StyleError(f"{source}: {place}: {problem}") from None


@cache
def _bundled(name: str) -> Style:
    return parse_style(_bundled_text(name), f"{name}.toml")


def _bundled_text(name: str) -> str:
    return (
        files("mapkit.drawing")
        .joinpath("styles")
        .joinpath(f"{name}.toml")
        .read_text(encoding="utf-8")
    )


def _data(text: str, source: str) -> dict[str, Any]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StyleError(f"{source}: not TOML: {error}") from None
    basis = data.pop("extends", None)
    if basis is None:
        return data
    if basis not in style_names():
        raise StyleError(f"{source}: extends: no style '{basis}' comes with Mapkit")
    return _laid_over(_data(_bundled_text(basis), f"{basis}.toml"), data)


def _laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        both_tables = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _laid_over(merged[key], value) if both_tables else value
    return merged


class Looks:
    """The looks of one map's kinds in one style."""

    def __init__(self, style: Style, kinds: Kinds) -> None:
        self.style = style
        self._kinds = {
            group: {kind.id: kind for kind in kinds.group(group)} for group in GROUPS_WITH_LOOKS
        }

    def role(self, group: Group, kind_id: str) -> str:
        """Return the role of a kind, or `other`."""
        kind = self._kinds[group].get(kind_id)
        return (kind and kind.role) or OTHER

    def terrain(self, kind_id: str) -> TerrainLook:
        """Return the look of a terrain."""
        look = self.style.terrain[self.role("terrain", kind_id)]
        own = self._own_colour("terrain", kind_id)
        return look.model_copy(update={"fill": own}) if own else look

    def feature(self, kind_id: str) -> SymbolLook:
        """Return the look of a feature."""
        look = self.style.features[self.role("features", kind_id)]
        own = self._own_colour("features", kind_id)
        return look.model_copy(update={"fill": own}) if own else look

    def hexside(self, kind_id: str) -> LineLook:
        """Return the look of a hexside."""
        return self._line("hexsides", kind_id, self.style.hexsides)

    def link(self, kind_id: str) -> LineLook:
        """Return the look of a link."""
        return self._line("links", kind_id, self.style.links)

    def area(self, kind_id: str) -> AreaLook:
        """Return the look of an area."""
        role = self.role("areas", kind_id)
        look = self.style.areas[role]
        if look.second and kind_id != self._first("areas", role):
            look = look.second
        own = self._own_colour("areas", kind_id)
        return look.model_copy(update={"colour": own}) if own else look

    def _line(self, group: Group, kind_id: str, looks: dict[str, LineLook]) -> LineLook:
        look = looks[self.role(group, kind_id)]
        own = self._own_colour(group, kind_id)
        return look.model_copy(update={"colour": own}) if own else look

    def _first(self, group: Group, role: str) -> str | None:
        """The first kind that the map declares with a role."""
        declared = self._kinds[group].values()
        return next((kind.id for kind in declared if (kind.role or OTHER) == role), None)

    def _own_colour(self, group: Group, kind_id: str) -> str | None:
        """The kind's colour, where the style cannot tell it from another by its role."""
        kind = self._kinds[group].get(kind_id)
        if kind is None or not _COLOUR.fullmatch(kind.colour or ""):
            return None
        same = sum(other.role == kind.role for other in self._kinds[group].values())
        alone = kind.role is not None and same == 1
        return None if alone or kind.colour is None else kind.colour.lower()

    def kind(self, group: Group, kind_id: str) -> Kind:
        """Return a kind of the map, made up where the map does not declare it."""
        return self._kinds[group].get(kind_id) or Kind(kind_id)


GROUPS_WITH_LOOKS: tuple[Group, ...] = ("terrain", "features", "hexsides", "links", "areas")


def mixed(below: str, above: str, share: float) -> str:
    """Return the colour when *above* covers *below* by *share*.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(below[i : i + 2], 16), int(above[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def level_tint(levels: Levels, level: int, lowest: int, highest: int) -> str:
    """Return the tint of a level on a map whose levels run from *lowest* to *highest*."""
    span = max(highest - lowest, levels.span)
    place = (level - lowest) / span * (len(levels.tints) - 1)
    index = min(max(int(place), 0), len(levels.tints) - 2)
    return mixed(levels.tints[index], levels.tints[index + 1], min(max(place - index, 0.0), 1.0))
