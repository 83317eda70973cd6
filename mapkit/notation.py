"""Places as players write them: hex `1534`, hexside `1534/1535`, link `1534-1535`.

A vertex names its three hexes: `1534/1535/1634`.
A hex without a printed label (off the edge, or past the end of the numbers) is written as its
axial coordinates: `(12,-3)`.
"""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from mapkit.errors import NotationError, NumberingError
from mapkit.hexes import Hex, Hexside, Link, Place, Vertex

_P = TypeVar("_P")


class Labels(Protocol):
    """Whatever names hexes: a numbering, or a map that remembers its labels."""

    def format_label(self, hex_: Hex) -> str:
        """Return the label of a hex; raises NumberingError where it has none."""
        ...

    def parse_label(self, text: str) -> Hex:
        """Return the hex with a label; raises NumberingError where none has it."""
        ...


_AXIAL = re.compile(r"\(\s*(-?\d{1,7})\s*,\s*(-?\d{1,7})\s*\)", re.ASCII)
# A hyphen inside (12,-3) joins nothing.
_HYPHEN = re.compile(r"-(?![^(]*\))")


def format_hex(hex_: Hex, numbering: Labels) -> str:
    """Return the label of a hex, or its axial coordinates where it has none."""
    try:
        return numbering.format_label(hex_)
    except NumberingError:
        return f"({hex_.q},{hex_.r})"


def parse_hex(text: str, numbering: Labels) -> Hex:
    """Return the hex that is written so: the inverse of `format_hex`."""
    axial = _AXIAL.fullmatch(text.strip())
    if axial:
        return Hex(int(axial[1]), int(axial[2]))
    return numbering.parse_label(text)


def format_place(place: Place, numbering: Labels) -> str:
    """Return the written form of a hex, hexside, vertex or link."""
    return spell(place, lambda hex_: format_hex(hex_, numbering))


def spell(place: Place, label: Callable[[Hex], str]) -> str:
    """Return the written form of a place, with the labels of its hexes from a function."""
    if isinstance(place, Hex):
        return label(place)
    sign = "-" if isinstance(place, Link) else "/"
    return sign.join(sorted(map(label, place)))


def parse_place(text: str, numbering: Labels) -> Place:
    """Return the place that is written so: the inverse of `format_place`."""
    if "/" in text:
        hexes = [parse_hex(part, numbering) for part in text.split("/")]
        if len(hexes) == 2:
            return _told(text, Hexside.between, *hexes)
        if len(hexes) == 3:
            return _told(text, Vertex.between, *hexes)
        raise NotationError(f"'{text}': a hexside names two hexes, a vertex three")
    parts = _HYPHEN.split(text)
    if len(parts) == 2:
        return _told(text, Link.between, *[parse_hex(part, numbering) for part in parts])
    if len(parts) > 2:
        raise NotationError(f"'{text}': a link names two hexes, as in 1534-1535")
    return parse_hex(text, numbering)


def parse_hexside(text: str, numbering: Labels) -> Hexside:
    """Return the hexside that is written so."""
    return _expect(text, parse_place(text, numbering), Hexside, "a hexside, as in 1534/1535")


def parse_link(text: str, numbering: Labels) -> Link:
    """Return the link that is written so."""
    return _expect(text, parse_place(text, numbering), Link, "a link, as in 1534-1535")


def _expect(text: str, place: Place, wanted: type[_P], how: str) -> _P:
    if not isinstance(place, wanted):
        raise NotationError(f"'{text}' is not {how}")
    return place


def _told(text: str, between: Callable[..., _P], *hexes: Hex) -> _P:
    try:
        return between(*hexes)
    except NotationError:
        raise NotationError(f"'{text}': these hexes do not touch each other") from None
