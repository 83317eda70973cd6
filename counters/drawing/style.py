"""How counters look, as data: colours, the arrangement of values, symbols; checked at the door.

Lengths are in hundredths of the counter's side, so that one style fits every size. A place is
left, top, width and height. A style may say `extends = "classic"` and give only what differs.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from counters.symbols import SymbolGroup as Group
from counters.symbols import find_symbol

Hex: TypeAlias = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Colour: TypeAlias = Annotated[
    str,
    Field(
        pattern="^(#[0-9a-f]{6}|ground|ink|bar|pale|dark|paper|auto|symbol_fill|symbol_ink)$",
        description="A colour, or one of the counter's own: ground, ink, bar (its formation), "
        "pale and dark (shades of the ground), paper (white), the symbol's, or auto (what reads "
        "best on what lies below)",
    ),
]
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Length: TypeAlias = Annotated[float, Field(ge=0, le=100)]
Place: TypeAlias = tuple[Length, Length, Length, Length]
Shape: TypeAlias = Literal["none", "box", "round", "circle", "shield", "triangle", "diamond"]
OTHER = "other"
FRONT = "front"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sourced(_Strict):
    """What says where it comes from: a rule of the game, or our own choice."""

    cite: str = Field(default="", description="The rule that says so")
    assumed: bool = Field(default=False, description="Our sources are silent: our own choice")


class _Slot(Sourced):
    at: Place
    shape: Shape = "none"
    plate: Colour = "pale"
    line: Colour | None = None
    ink: Colour = "auto"
    size: Annotated[float, Field(ge=4, le=60)] = 24.0
    bold: bool = True
    italic: bool = False


class ValueSlot(_Slot):
    """One printed value; what nobody knows is an empty dotted box."""

    draw: Literal["value"]
    value: str
    also: tuple[str, ...] = Field(default=(), description="Other names of the same value")
    fixed: int | None = Field(default=None, description="What the rules say it always is")


class RowSlot(_Slot):
    """Several values in one row, 3–2–6."""

    draw: Literal["row"]
    values: Annotated[tuple[str, ...], Field(min_length=1, max_length=6)]
    also: dict[str, tuple[str, ...]] = Field(default={}, description="Other names of a value")
    fixed: dict[str, int] = Field(default={}, description="What the rules say it always is")
    separator: str = "-"


class TextSlot(_Slot):
    """A text: {name}, {formation}, {class}, {echelon}, {nationality}, {side}, {face}, {id}."""

    draw: Literal["text"]
    text: str = "{name}"
    least: Annotated[float, Field(ge=4, le=60)] = 8.0
    lines: Annotated[int, Field(ge=1, le=4)] = 1
    turn: Literal[0, 90, -90] = 0
    align: Literal["left", "middle", "right"] = "middle"


class BadgeSlot(_Slot):
    """One of the counter's badges, those left out that have a sign; without it there is nothing."""

    draw: Literal["badge"]
    number: Annotated[int, Field(ge=1, le=9)] = 1
    least: Annotated[float, Field(ge=4, le=60)] = 7.0


class SignSlot(_Slot):
    """A shape without a word that stands for one badge: a white triangle for "GHQ"."""

    draw: Literal["sign"]
    badge: str = Field(description="The badge, as the table of units has it; case does not matter")


class PlainSlot(_Slot):
    """What needs no word: symbol, echelon, a formation's bar and stripe, plate, mark."""

    draw: Literal["symbol", "echelon", "bar", "stripe", "plate", "mark"]


Slot: TypeAlias = Annotated[
    ValueSlot | RowSlot | TextSlot | BadgeSlot | SignSlot | PlainSlot, Field(discriminator="draw")
]


class Layout(Sourced):
    """What stands where on one face, drawn in this order."""

    slots: dict[str, Slot]


class Palette(Sourced):
    """The colours of a side or nationality."""

    ground: Hex
    ink: Hex = "#1a1a1a"
    symbol_fill: Hex | None = None
    symbol_ink: Hex | None = None
    bar: Hex | None = None


class FaceLook(Sourced):
    """How a face other than the front differs: a paler ground, a stripe across it."""

    paler: Share = 0.0
    stripe: Hex | None = None
    stripe_at: Place = (0, 40, 100, 14)


class FormationLook(Sourced):
    """The colours and the short name of a formation."""

    colour: Hex | None = None
    stripe: Hex | None = Field(default=None, description="A second colour, beside that of the bar")
    name: str = ""
    title: str = Field(default="", description="In full, where there is room and no name")


class Arrangement(Sourced):
    """The layout of a group of classes, those of its other faces, and which faces it has."""

    layout: str
    faces: dict[str, str] = Field(default={}, description="The layout of a face by its name")
    sides: Annotated[tuple[str, ...], Field(min_length=1, max_length=4)] = (FRONT,)


class ClassLook(Sourced):
    """One class of the game: what is said here goes before what its group says."""

    symbol: str | None = None
    group: Group | None = None
    layout: str | None = None
    faces: dict[str, str] | None = None
    sides: Annotated[tuple[str, ...], Field(min_length=1, max_length=4)] | None = None
    mark: str | None = Field(default=None, description="An icon beside the symbol")
    bar: bool = Field(default=True, description="Whether it shows the bar of its formation")

    def model_post_init(self, _: object) -> None:
        """Hold symbol and mark to what there is."""
        for word in (self.symbol, self.mark):
            if word is not None and find_symbol(word) is None:
                raise ValueError(
                    f"there is no symbol '{word}'; `mapkit counters symbols` lists all"
                )


class CounterStyle(_Strict):
    """Everything that drawing counters needs to know beside the counters."""

    name: str
    title: str = ""
    sources: tuple[str, ...] = Field(default=(), description="What our sources say, and where")
    silent: tuple[str, ...] = Field(default=(), description="What they do not say: our own choice")
    colours: dict[str, Palette]
    markers: Palette
    formations: dict[str, FormationLook] = {}
    bars: Annotated[tuple[Hex, ...], Field(min_length=1)]
    faces: dict[str, FaceLook] = {}
    groups: dict[Group, Arrangement]
    classes: dict[str, ClassLook] = {}
    layouts: dict[str, Layout]

    def model_post_init(self, _: object) -> None:
        """Hold the style together: every layout that is named is there."""
        if OTHER not in self.colours:
            raise ValueError(f"colours: there must be an entry '{OTHER}'")
        if missing := {"combat", "icon"} - set(self.groups):
            raise ValueError(f"groups: {', '.join(sorted(missing))} missing")
        looks: list[tuple[str, Arrangement | ClassLook]] = [
            *((f"groups.{name}", look) for name, look in self.groups.items()),
            *((f"classes.{name}", look) for name, look in self.classes.items()),
        ]
        for place, look in looks:
            for layout in (look.layout, *(look.faces or {}).values()):
                if layout is not None and layout not in self.layouts:
                    raise ValueError(f"{place}: there is no layout '{layout}'")
