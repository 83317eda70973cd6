"""Spans of whole numbers as tables print them: `4`, `1-3`, `7+`, `<=1`, `>=3`."""

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

_SPAN = re.compile(
    r"(?P<low>-?\d+)(?:-(?P<high>-?\d+)|(?P<more>\+))?|(?P<sign><=|>=)(?P<edge>-?\d+)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """All whole numbers from *low* to *high*; None is no end on that side."""

    low: int | None
    high: int | None

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        return (self.low is None or self.low <= number) and (
            self.high is None or number <= self.high
        )

    def touches(self, other: "Span") -> bool:
        """Tell whether some number lies in both."""
        return _not_above(self.low, other.high) and _not_above(other.low, self.high)


def parse_span(text: str) -> Span:
    """Return the span a table prints.

    >>> parse_span("7+")
    Span(low=7, high=None)
    """
    found = _SPAN.fullmatch(text.replace("–", "-").strip())
    if found is None:
        raise ValueError(f"'{text}' is no number or span such as '4', '1-3', '7+', '<=1'")
    if found["sign"]:
        edge = int(found["edge"])
        return Span(None, edge) if found["sign"] == "<=" else Span(edge, None)
    low = int(found["low"])
    high = None if found["more"] else int(found["high"] or low)
    if high is not None and high < low:
        raise ValueError(f"'{text}' runs backwards; write the smaller number first")
    return Span(low, high)


def span_of(texts: tuple[str, ...], number: int) -> str | None:
    """Return the first of some spans that holds a number."""
    return next((text for text in texts if number in parse_span(text)), None)


def overlap(texts: tuple[str, ...]) -> tuple[str, str] | None:
    """Return two spans that share a number, or None: a table may answer only once."""
    spans = [parse_span(text) for text in texts]
    for number, span in enumerate(spans):
        for other in range(number):
            if span.touches(spans[other]):
                return texts[other], texts[number]
    return None


def _not_above(low: int | None, high: int | None) -> bool:
    return low is None or high is None or low <= high


def _checked(text: str) -> str:
    parse_span(text)
    return text


SpanText = Annotated[str, AfterValidator(_checked)]
