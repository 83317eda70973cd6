"""How big counters are, and by how much a printer is off: as they are typed."""

import re
from fractions import Fraction

from mapkit.drawing.errors import SizeError

SIZES = ("1/2in", "9/16in", "15mm", "5/8in", "3/4in")
LEAST_MM, MOST_MM = 8.0, 60.0
MOST_OFFSET_MM = 10.0

_INCH_MM = Fraction(254, 10)
_SIGNS = {"½": "1/2", "⅝": "5/8", "¾": "3/4", "⁄": "/"}
_SIZE = re.compile(r"(\d{1,3}(?:[.,]\d{1,4}|/\d{1,3})?)\s*(in|inch|\"|mm)", re.ASCII)
_OFFSET = re.compile(r"\s*(-?\d{1,3}(?:\.\d{1,3})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,3})?)\s*", re.ASCII)


def parse_size(text: str) -> float:
    """Return the side of a counter in millimetres.

    Raises:
        SizeError: it is no size, or none that anybody prints.

    >>> parse_size("1/2in"), parse_size("15mm"), parse_size("9/16in")
    (12.7, 15.0, 14.2875)
    """
    plain = text.strip().casefold()
    for sign, spelled in _SIGNS.items():
        plain = plain.replace(sign, spelled)
    match = _SIZE.fullmatch(plain)
    if match is None or match[1].endswith("/0"):
        raise SizeError(f"'{text}' is no size of a counter; give one such as {', '.join(SIZES)}")
    number = Fraction(match[1].replace(",", "."))
    size_mm = float(number if match[2] == "mm" else number * _INCH_MM)
    if not LEAST_MM <= size_mm <= MOST_MM:
        raise SizeError(
            f"counters of {size_mm:g} mm cannot be printed; give {LEAST_MM:g} to {MOST_MM:g} mm"
        )
    return size_mm


def parse_offset(text: str) -> tuple[float, float]:
    """Return by how many millimetres a side is moved: to the right, and down.

    Raises:
        SizeError: it is no pair of numbers, or more than any printer is off.

    >>> parse_offset("0.5,-1")
    (0.5, -1.0)
    """
    match = _OFFSET.fullmatch(text)
    if match is None:
        raise SizeError(f"'{text}' is no offset; give millimetres to the right and down: 0.5,-1")
    right_mm, down_mm = float(match[1]), float(match[2])
    if max(abs(right_mm), abs(down_mm)) > MOST_OFFSET_MM:
        raise SizeError(f"an offset of {text} mm is more than {MOST_OFFSET_MM:g} mm; measure again")
    return right_mm, down_mm
