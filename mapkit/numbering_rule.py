"""The rule behind labels: which numbering calls some hexes as they are called already.

Other programs hand over a label for each hex. A map keeps the rule: it is looked for here, and
held against every single label, so that what is found is right or not found at all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from mapkit.errors import NumberingError
from mapkit.grid import Orientation
from mapkit.hexes import Hex
from mapkit.numbering import RESERVED, Axis, Letters, Numbering, Order

Parts = tuple[str, str]
"""The texts of a label: of its column, and of its row."""

DOT = "."
"""Parts labels where their own sign has another use here."""

_MOST_SKIPPED = 99
_LABEL = re.compile(r"([A-Z]+|\d+)([^A-Za-z0-9]*)([A-Z]+|\d+)", re.ASCII)


def numbering_by_rule(
    labels: Mapping[Hex, Parts], orientation: Orientation, *, order: Order, separator: str
) -> Numbering | None:
    """Return the numbering that calls every hex so; None where no rule does.

    >>> four = {Hex(q, r): (f"{q + 3:02}", f"{r + q + 1:02}") for q in (0, 1) for r in (0, 1)}
    >>> found = numbering_by_rule(four, "flat", order="CCRR", separator="")
    >>> found.format_label(Hex(1, 0)), found.toward
    ('0402', 'lower')
    """
    if not labels:
        return None
    flat = orientation == "flat"
    straight, across = (0, 1) if flat else (1, 0)
    lines: dict[int, str] = {}
    for hex_, parts in labels.items():
        if lines.setdefault(_line(hex_, flat=flat), parts[straight]) != parts[straight]:
            return None
    line_axis = _axis(lines)
    if line_axis is None:
        return None
    for odd_shove in (1, -1):
        along: dict[int, str] = {}
        for hex_, parts in labels.items():
            place = _place(hex_, odd_shove, flat=flat)
            if along.setdefault(place, parts[across]) != parts[across]:
                break
        else:
            axis = _axis(along)
            if axis is None:
                continue
            found = _numbering(line_axis, axis, lines, along, odd_shove, flat, order, separator)
            if found is not None and _names_all(found, labels):
                return found
    return None


def numbering_of_labels(labels: Mapping[Hex, str], orientation: Orientation) -> Numbering | None:
    """Return the numbering behind labels of which nobody says where their parts meet.

    >>> numbering_of_labels({Hex(0, 0): "AA1", Hex(0, 1): "AA2"}, "flat").columns.letters
    'AA BB'
    """
    orders: tuple[Order, ...] = ("CCRR", "RRCC")
    for separator, texts in _ways_to_part(list(labels.values())):
        for order in orders:
            turn = 1 if order == "CCRR" else -1
            parts = {
                hex_: (pair[::turn][0], pair[::turn][1])
                for hex_, pair in zip(labels, texts, strict=True)
            }
            found = numbering_by_rule(parts, orientation, order=order, separator=separator)
            if found is not None:
                return found
    return None


def counted_numbering(hexes: Sequence[Hex], orientation: Orientation) -> Numbering:
    """Return plain numbers from the upper left, for hexes that nobody has numbered."""
    flat = orientation == "flat"
    first = min(hexes, key=lambda hex_: (hex_.q, hex_.r) if flat else (hex_.r, hex_.q))
    digits = Axis(digits=2 if len(hexes) < 99 * 99 else 3)
    return Numbering(
        straight="columns" if flat else "rows", columns=digits, rows=digits, origin=first
    )


def allowed_separator(separator: str, labels: Iterable[Parts], order: Order) -> str:
    """Return what may part labels: the sign itself, or a dot where nobody could read them so.

    Some signs have another use here; letters with nothing between them, and two numbers of which
    both outgrow their zeros, cannot be told apart.

    >>> allowed_separator("-", [("1", "2")], "CCRR"), allowed_separator("", [("1", "2")], "CCRR")
    ('.', '')
    """
    if separator:
        barred = any(sign in RESERVED or sign.isalnum() for sign in separator)
        return DOT if barred else separator
    widths: tuple[set[int], set[int]] = (set(), set())
    in_letters = (False, False)
    for parts in labels:
        in_letters = (parts[0].isalpha(), parts[1].isalpha())
        for seen, text in zip(widths, parts, strict=True):
            seen.add(len(text))
    if any(in_letters) or not widths[0]:
        return DOT if all(in_letters) else ""
    columns, rows = min(widths[0]), min(widths[1])
    rows_grow = rows < columns or (rows == columns and order == "RRCC")
    return DOT if len(widths[0 if rows_grow else 1]) > 1 else ""


def _line(hex_: Hex, *, flat: bool) -> int:
    return hex_.q if flat else hex_.r


def _place(hex_: Hex, odd_shove: int, *, flat: bool) -> int:
    """Return the place along its straight line; odd lines begin half a hex off the even ones."""
    line, other = (hex_.q, hex_.r) if flat else (hex_.r, hex_.q)
    return (2 * other + line - odd_shove * (line % 2)) // 2


def _numbering(
    line_axis: Axis,
    along_axis: Axis,
    lines: Mapping[int, str],
    along: Mapping[int, str],
    odd_shove: int,
    flat: bool,
    order: Order,
    separator: str,
) -> Numbering | None:
    first_line, first_place = min(lines), min(along)
    other = first_place - (first_line - odd_shove * (first_line % 2)) // 2
    # Lines with an odd index stand off: said in the printed numbers, of which one is enough.
    parity = (line_axis.first + first_line + 1) % 2
    shoved: Literal["odd", "even"] = "odd" if parity else "even"
    toward: Literal["higher", "lower"] = "higher" if odd_shove == along_axis.step else "lower"
    try:
        return Numbering(
            straight="columns" if flat else "rows",
            order=order,
            columns=line_axis if flat else along_axis,
            rows=along_axis if flat else line_axis,
            separator=separator,
            shoved=shoved,
            toward=toward,
            origin=Hex(first_line, other) if flat else Hex(other, first_line),
        )
    except NumberingError:
        return None


def _names_all(numbering: Numbering, labels: Mapping[Hex, Parts]) -> bool:
    turn = 1 if numbering.order == "CCRR" else -1
    try:
        return all(
            numbering.format_label(hex_) == numbering.separator.join(parts[::turn])
            for hex_, parts in labels.items()
        )
    except NumberingError:
        return False


def _axis(texts: Mapping[int, str]) -> Axis | None:
    """Return the axis that prints these texts at these positions; the first is the lowest."""
    if all(text.isascii() and text.isdecimal() for text in texts.values()):
        digits = min(map(len, texts.values()))
        numbers = {place: int(text) for place, text in texts.items()}
        return _counted(numbers, digits=digits) or _wrapped(numbers, digits)
    styles: tuple[Letters, ...] = ("AA BB", "AA AB")
    for letters in styles:
        axis = Axis(letters=letters)
        try:
            numbers = {place: axis.parse_part(text) + 1 for place, text in texts.items()}
        except (NumberingError, ValueError):
            continue
        if (found := _counted(numbers, letters=letters)) is not None:
            return found
    return None


def _counted(
    numbers: Mapping[int, int],
    *,
    digits: int = 2,
    letters: Letters | None = None,
    wrap_from: int | None = None,
) -> Axis | None:
    """Return the axis that counts so, up or down, with gaps where numbers are left out."""
    places = sorted(numbers)
    first, last = numbers[places[0]], numbers[places[-1]]
    step: Literal[1, -1] = 1 if last >= first else -1
    skipped: list[int] = []
    for one, two in pairwise(places):
        gap = (numbers[two] - numbers[one]) * step - (two - one)
        if gap < 0 or len(skipped) + gap > _MOST_SKIPPED:
            return None
        skipped += [numbers[two] - step * (n + 1) for n in range(gap)]
    try:
        skip = tuple(sorted(skipped))
        return Axis(first, step, digits, letters, wrap_from=wrap_from, skip=skip)
    except NumberingError:
        return None


def _wrapped(numbers: Mapping[int, int], digits: int) -> Axis | None:
    """Return the axis on which numbers run past 00: 98, 99, 00, 01, or the other way."""
    around = int(10**digits)
    if digits < 2 or max(numbers.values()) >= around:
        return None
    for step in (1, -1):
        places = sorted(numbers, reverse=step == -1)
        breaks = [two for one, two in pairwise(places) if numbers[two] < numbers[one]]
        if len(breaks) != 1:
            continue
        cut = places.index(breaks[0])
        before, after = places[:cut], places[cut:]
        lowest, highest = numbers[before[0]], max(numbers[place] for place in after)
        tens = lowest // 10 * 10
        wrap_from = tens if tens > highest else lowest
        moved = {place: numbers[place] - around for place in before}
        moved |= {place: numbers[place] for place in after}
        return _counted(moved, digits=digits, wrap_from=wrap_from)
    return None


def _ways_to_part(labels: Sequence[str]) -> Iterator[tuple[str, list[Parts]]]:
    """Yield a separator and the parts of all labels, for each way in which they come apart."""
    matches = [_LABEL.fullmatch(label) for label in labels]
    if all(matches):
        found = [match for match in matches if match is not None]
        if not any(match[2] for match in found) and all(map(str.isdecimal, labels)):
            yield from _cuts(labels)
            return
        separators = Counter(match[2] for match in found)
        if len(separators) == 1:
            parts = [(match[1], match[3]) for match in found]
            yield allowed_separator(next(iter(separators)), parts, "CCRR"), parts


def _cuts(labels: Sequence[str]) -> Iterator[tuple[str, list[Parts]]]:
    """Yield numbers that stand side by side, cut from the end and from the beginning."""
    shortest = min(map(len, labels))
    halves = sorted(range(1, shortest), key=lambda cut: abs(2 * cut - shortest))
    for cut in halves:
        yield "", [(label[:-cut], label[-cut:]) for label in labels]
    if len(set(map(len, labels))) > 1:
        for cut in halves:
            yield "", [(label[:cut], label[cut:]) for label in labels]
