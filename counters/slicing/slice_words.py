"""What is typed to steer slicing, read and refused in one line."""

import re

from counters.slicing.errors import SliceError
from mapkit.texts import say

_SIZE = re.compile(r"(\d{1,3}(?:[.,]\d{1,4})?)(?:\s*[x×]\s*(\d{1,3}(?:[.,]\d{1,4})?))?", re.ASCII)


def parse_size(text: str) -> tuple[float, float]:
    """Return a counter's width and height in millimetres.

    >>> parse_size("15"), parse_size("12.7x15")
    ((15.0, 15.0), (12.7, 15.0))

    Raises:
        SliceError: it is no size.
    """
    match = _SIZE.fullmatch(text.strip())
    width = float(match[1].replace(",", ".")) if match else 0.0
    height = float(match[2].replace(",", ".")) if match and match[2] else width
    if not (width > 0 and height > 0):
        raise SliceError(say("counters.slice.bad_size", text=text))
    return width, height


def require_shape(rows: int | None, columns: int | None, *, auto: bool) -> tuple[int, int] | None:
    """Return rows and columns as told; None where they shall be counted.

    Raises:
        SliceError: one of them is missing, or all of them.
    """
    if auto and rows is None and columns is None:
        return None
    if auto or rows is None or columns is None:
        raise SliceError(say("counters.slice.which_shape"))
    return rows, columns


def require_turn(degrees: int) -> int:
    """Return a turn by quarters.

    Raises:
        SliceError: it is none.
    """
    if degrees not in (0, 90, 180, 270):
        raise SliceError(say("counters.slice.bad_turn", degrees=degrees))
    return degrees
