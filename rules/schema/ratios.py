"""Strength ratios as tables print them, exactly: `3.5:1`, `1:1.75`, `2-1`, `7:1+`."""

import re
from fractions import Fraction

_RATIO = re.compile(r"(\d+(?:[.,]\d+)?)\s*[:\-–]\s*(\d+(?:[.,]\d+)?)\+?")


def ratio_of(text: str) -> Fraction:
    """Return a printed ratio as a fraction.

    >>> ratio_of("1:1.75")
    Fraction(4, 7)
    """
    found = _RATIO.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is no ratio; write '3:1', '1:1.5'")
    attack, defend = (Fraction(part.replace(",", ".")) for part in found.groups())
    if not attack or not defend:
        raise ValueError(f"'{text}' is no ratio: neither side may be 0")
    return attack / defend


def is_open(text: str) -> bool:
    """Tell whether a column takes in all higher ratios too: `7:1+`."""
    return text.strip().endswith("+")
