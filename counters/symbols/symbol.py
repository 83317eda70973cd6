"""Symbols and echelon marks as data, and how they are put on a drawing.

A symbol is known by its name or by one of its other names, however it is spelt: "Mountain
infantry", `mountain_infantry` and `alpini` are one drawing.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from mapkit.drawing.outlines import ink_box, outline
from mapkit.drawing.svg import Sheet
from mapkit.texts import say

WIDTH, HEIGHT = 150.0, 100.0
"""The box every symbol is drawn in."""

WEIGHT = 6.0
"""The width of its lines in that box."""

UNKNOWN = "unknown"
"""The symbol of a class that has none."""

SymbolGroup: TypeAlias = Literal["combat", "guns", "fortress", "hq", "leader", "support", "icon"]
_DOT, _STROKE, _CROSS = 15.0, 6.0, 17.0  # how wide the signs of an echelon are, 20 high


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Part(_Strict):
    """One stroke of a symbol: exactly one of line, ink, clear and word."""

    line: str = ""
    ink: str = ""
    clear: str = ""
    word: str = ""
    at: tuple[float, float] = (WIDTH / 2, HEIGHT / 2)
    size: float = 50.0
    weight: float = WEIGHT


class Symbol(_Strict):
    """A drawing in a box 150 wide and 100 high."""

    group: SymbolGroup
    also: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    frame: bool = True
    parts: tuple[Part, ...] = ()


class Echelon(_Strict):
    """A size of units and the mark that stands for it: dots, strokes or crosses."""

    mark: Annotated[str, Field(pattern="^[•IX]+$")]
    also: tuple[str, ...] = ()
    bar: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands: left, top, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of it."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inside(self, ratio: float) -> "Box":
        """Return the biggest box of that width per height in the middle of this one."""
        width = min(self.width, self.height * ratio)
        x, y = self.centre
        return Box(x - width / 2, y - width / ratio / 2, width, width / ratio)


@cache
def symbols() -> dict[str, Symbol]:
    """Return every symbol by name, in the order of the poster."""
    return {name: Symbol.model_validate(data) for name, data in _table("symbols.toml").items()}


@cache
def echelons() -> dict[str, Echelon]:
    """Return every echelon by name, the smallest first."""
    return {name: Echelon.model_validate(data) for name, data in _table("echelons.toml").items()}


def find_symbol(word: str) -> str | None:
    """Return the name of the symbol a word stands for; None where there is none.

    >>> find_symbol("Alpini"), find_symbol("Mountain infantry"), find_symbol("wizards")
    ('mountain_infantry', 'mountain_infantry', None)
    """
    return _symbol_words().get(_spelt(word))


def find_echelon(word: str) -> str | None:
    """Return the name of the echelon a word or mark stands for.

    >>> find_echelon("Battery"), find_echelon("XX")
    ('company', 'division')
    """
    return _echelon_words().get(_spelt(word))


def symbol_title(name: str) -> str:
    """Return what a symbol is called in the language in use.

    >>> symbol_title("light_infantry")
    'Light infantry'
    """
    return say(f"counters.symbols.title.{name}")


def echelon_title(name: str) -> str:
    """Return what an echelon is called in the language in use."""
    return say(f"counters.symbols.size.{name}")


def draw_symbol(sheet: Sheet, name: str, box: Box, *, ink: str, fill: str) -> None:
    """Draw a symbol as big as *box* allows, in its middle; *fill* is the colour in its frame."""
    symbol, place = symbols()[name], box.inside(WIDTH / HEIGHT)
    scale = place.width / WIDTH
    group = sheet.add(
        "g", transform=f"translate({place.x:.2f} {place.y:.2f}) scale({scale:.5f})", fill="none"
    )
    sheet.enter(group)
    if symbol.frame:
        sheet.path("M3 3H147V97H3Z", fill=fill)
    for part in _all_parts(name):
        _draw_part(sheet, part, ink, fill)
    if symbol.frame:
        sheet.path("M3 3H147V97H3Z", stroke=ink, stroke_width=WEIGHT)
    sheet.leave()


def echelon_width(echelon: Echelon) -> float:
    """Return how wide a mark is when its signs are 20 high."""
    pitch, wide = _signs(echelon)
    return pitch * (len(echelon.mark) - 1) + wide


def draw_echelon(sheet: Sheet, name: str, box: Box, *, ink: str) -> None:
    """Draw the mark of an echelon in the middle of *box*."""
    echelon = echelons()[name]
    high = 28.0 if echelon.bar else 20.0
    place = box.inside(echelon_width(echelon) / high)
    scale = place.height / high
    pitch, wide = _signs(echelon)
    group = sheet.add(
        "g", transform=f"translate({place.x:.2f} {place.y:.2f}) scale({scale:.5f})", fill="none"
    )
    top = high - 20.0
    sheet.enter(group)
    for i, sign in enumerate(echelon.mark):
        x = i * pitch
        if sign == "•":
            r = wide / 2
            d = f"M{x:g} {top + 10:g}a{r:g} {r:g} 0 1 1 {wide:g} 0a{r:g} {r:g} 0 1 1 {-wide:g} 0Z"
            sheet.path(d, fill=ink)
        elif sign == "I":
            sheet.path(f"M{x + wide / 2:g} {top:g}V{high:g}", stroke=ink, stroke_width=wide)
        else:
            d = f"M{x + 2:g} {top + 1.5:g}L{x + 15:g} {high - 1.5:g}"
            d += f"M{x + 15:g} {top + 1.5:g}L{x + 2:g} {high - 1.5:g}"
            sheet.path(d, stroke=ink, stroke_width=4.6)
    if echelon.bar:
        sheet.path(f"M0 2H{echelon_width(echelon):g}", stroke=ink, stroke_width=4)
    sheet.leave()


def _signs(echelon: Echelon) -> tuple[float, float]:
    """Return how far the signs stand apart, and how wide one is."""
    if echelon.mark[0] == "•":
        return 20.0, _DOT
    return (12.5, _STROKE) if echelon.mark[0] == "I" else (19.5, _CROSS)


def _draw_part(sheet: Sheet, part: Part, ink: str, fill: str) -> None:
    if part.line:
        sheet.path(part.line, stroke=ink, stroke_width=part.weight)
    sheet.path(part.ink, fill=ink)
    sheet.path(part.clear, fill=fill)
    if part.word:
        left, _, right, _ = ink_box(part.word, part.size)
        x, y = part.at
        sheet.path(outline(part.word, x - (left + right) / 2, y, part.size).d, fill=ink)


def _all_parts(name: str) -> list[Part]:
    symbol = symbols()[name]
    below = [part for other in symbol.on for part in _all_parts(other)]
    return [*below, *symbol.parts]


@cache
def _symbol_words() -> dict[str, str]:
    words = {name: name for name in symbols()}
    for name, symbol in symbols().items():
        for word in symbol.also:
            words.setdefault(_spelt(word), name)
    return words


@cache
def _echelon_words() -> dict[str, str]:
    words = {name: name for name in echelons()}
    for name, echelon in echelons().items():
        for word in (*echelon.also, echelon.mark):
            words.setdefault(_spelt(word), name)
    return words


def _spelt(word: str) -> str:
    return "_".join(word.casefold().replace("-", " ").replace("_", " ").split())


def _table(name: str) -> dict[str, object]:
    text = files("counters.symbols").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)
