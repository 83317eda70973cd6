"""How one face of one counter looks in a style: every choice made, nothing drawn yet."""

import re
from dataclasses import dataclass
from zlib import crc32

from counters.drawing.style import (
    FRONT,
    OTHER,
    Arrangement,
    ClassLook,
    Colour,
    CounterStyle,
    FaceLook,
    Layout,
    Palette,
    RowSlot,
    ValueSlot,
)
from counters.model import Counter, Marker, Unit
from counters.symbols import UNKNOWN, find_symbol, symbols
from mapkit.drawing.style import mixed

WHITE = "#ffffff"
_REDUCED = frozenset({"reduced", "back"})
_NO_CLASS = ClassLook()
_ROMAN = re.compile(r"(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})")


@dataclass(frozen=True, slots=True)
class Looks:
    """The colours, the symbol and the layout of one face.

    *symbol* is None on a marker without one. *lacking* says that the class has no symbol, and
    the generic one stands for it. *bar* is None where no formation is shown.
    """

    ground: str
    ink: str
    symbol_fill: str
    symbol_ink: str
    bar: str | None
    stripe: str | None
    formation: str
    formation_short: str
    symbol: str | None
    lacking: bool
    mark: str | None
    face: FaceLook
    layout: Layout

    def colour(self, word: Colour) -> str:
        """Return the colour that a word of the style stands for; `auto` stays as it is."""
        return {
            "ground": self.ground,
            "ink": self.ink,
            "bar": self.bar or self.ground,
            "pale": mixed(self.ground, WHITE, 0.6),
            "dark": mixed(self.ground, "#000000", 0.3),
            "paper": WHITE,
            "symbol_fill": self.symbol_fill,
            "symbol_ink": self.symbol_ink,
        }.get(word, word)


def look_of(counter: Counter, face: str, style: CounterStyle) -> Looks:
    """Return how a face looks."""
    look = _class_look(counter, style)
    symbol = _symbol(counter, look)
    arrangement = _arrangement(counter, look, symbol, style)
    layouts = arrangement.faces if look.faces is None else look.faces
    layout = style.layouts[layouts.get(face, look.layout or arrangement.layout)]
    palette = _palette(counter, style)
    face_look = style.faces.get(face, FaceLook())
    ground = mixed(counter.colours.ground or palette.ground, WHITE, face_look.paler)
    formation = counter.formation if isinstance(counter, Unit) and look.bar else ""
    return Looks(
        ground=ground,
        ink=counter.colours.ink or palette.ink,
        symbol_fill=palette.symbol_fill or mixed(ground, WHITE, 0.72),
        symbol_ink=palette.symbol_ink or palette.ink,
        bar=_bar(counter, formation, palette, style),
        stripe=style.formations[formation].stripe if formation in style.formations else None,
        formation=formation_name(formation, style),
        formation_short=formation_name(formation, style, short=True),
        symbol=symbol,
        lacking=isinstance(counter, Unit) and symbol == UNKNOWN,
        mark=None if look.mark is None else find_symbol(look.mark),
        face=face_look,
        layout=layout,
    )


def face_names(counter: Counter, style: CounterStyle) -> tuple[str, ...]:
    """Return the faces a counter has: those its game prints, and those somebody described.

    A unit of one step has no reduced side. A counter that was cut from a scan has what was cut.
    """
    described = [face.name for face in counter.faces]
    if any(face.picture for face in counter.faces):
        return tuple(described)
    printed = printed_names(counter, style)
    first = [] if FRONT in printed or FRONT in described or printed else [FRONT]
    return tuple(dict.fromkeys([*first, *printed, *described]))


def printed_names(counter: Counter, style: CounterStyle) -> tuple[str, ...]:
    """Return the faces that a game prints on such a counter; a unit of one step is not reduced."""
    look = _class_look(counter, style)
    sides = look.sides or _arrangement(counter, look, _symbol(counter, look), style).sides
    steps = counter.steps if isinstance(counter, Unit) else None
    return tuple(side for side in sides if steps != 1 or side not in _REDUCED)


def printed_values(counter: Counter, face: str, style: CounterStyle) -> tuple[tuple[str, ...], ...]:
    """Return the values that a game prints on a face, each with its other names.

    Those that are the same on all such counters need nobody to enter them.
    """
    found: list[tuple[str, ...]] = []
    for slot in look_of(counter, face, style).layout.slots.values():
        if isinstance(slot, ValueSlot) and slot.fixed is None:
            found.append((slot.value, *slot.also))
        elif isinstance(slot, RowSlot):
            found += [
                (one, *slot.also.get(one, ())) for one in slot.values if one not in slot.fixed
            ]
    return tuple(found)


def _class_look(counter: Counter, style: CounterStyle) -> ClassLook:
    return style.classes.get(counter.class_, _NO_CLASS) if isinstance(counter, Unit) else _NO_CLASS


def _symbol(counter: Counter, look: ClassLook) -> str | None:
    """The counter's own symbol, else that of its class, else one of the class's name."""
    if isinstance(counter, Marker):
        return find_symbol(counter.symbol) if counter.symbol else None
    word = counter.symbol or look.symbol or counter.class_
    return find_symbol(word) or UNKNOWN


def _arrangement(
    counter: Counter, look: ClassLook, symbol: str | None, style: CounterStyle
) -> Arrangement:
    if isinstance(counter, Marker) or symbol is None:
        return style.groups["icon"]
    # A counter may wear another symbol than its class; its values stay where the class has them.
    by_class = find_symbol(look.symbol or counter.class_) or symbol
    group = look.group or symbols()[by_class].group
    return style.groups.get(group, style.groups["combat"])


def _palette(counter: Counter, style: CounterStyle) -> Palette:
    if isinstance(counter, Marker):
        return style.markers
    for word in (f"{counter.side}/{counter.nationality}", counter.nationality, counter.side):
        if word in style.colours:
            return style.colours[word]
    return style.colours[OTHER]


def _bar(counter: Counter, formation: str, palette: Palette, style: CounterStyle) -> str | None:
    """The colour of a formation: the same wherever it stands, for it comes from its id alone."""
    if counter.colours.bar:
        return counter.colours.bar
    if not formation:
        return None
    look = style.formations.get(formation)
    if look is not None and look.colour:
        return look.colour
    return palette.bar or style.bars[crc32(formation.encode()) % len(style.bars)]


def formation_name(formation: str, style: CounterStyle, *, short: bool = False) -> str:
    """Return what a formation is called: by the style, its title, or its id as one reads it.

    In *short* the title is left out.
    """
    look = style.formations.get(formation)
    if look is not None and (look.name or (look.title and not short)):
        return look.name or look.title
    words = (word for word in formation.replace("_", "-").split("-") if word)
    return " ".join(w.upper() if _ROMAN.fullmatch(w) else w.capitalize() for w in words)
