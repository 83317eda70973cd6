"""How rules are numbered: what a player types, the order in the book, what lies under what."""

import re
from collections.abc import Iterable

_RULE = re.compile(r"(\d{1,4}(?:\.\d{1,4})*)( [A-Z])?", re.ASCII)

Key = tuple[int, tuple[int, ...], str]


def clean_number(typed: str) -> str:
    """Return a number without what is often typed around it.

    >>> clean_number(" §13.2. "), clean_number("Table  2")
    ('13.2', 'Table 2')
    """
    return " ".join(typed.split()).strip(" §.,:;()[]")


def is_rule_number(text: str) -> bool:
    """Say whether *text* is the number of a rule, not the name of a table or chart.

    >>> is_rule_number("13.2.2"), is_rule_number("TEC"), is_rule_number("supply")
    (True, False, False)
    """
    return _RULE.fullmatch(text) is not None


def find_number(typed: str, known: Iterable[str]) -> str | None:
    """Return the known number that *typed* means, or None.

    Capitals do not matter, and a section may be called 13 or 13.0.

    >>> find_number("table 2", ["13.0", "Table 2"]), find_number("13", ["13.0", "Table 2"])
    ('Table 2', '13.0')
    """
    text = clean_number(typed)
    numbers = tuple(known)
    for number in numbers:
        if number.casefold() == text.casefold():
            return number
    if is_rule_number(text):
        return next((other for other in numbers if number_key(other) == number_key(text)), None)
    return None


def number_key(number: str) -> Key:
    """Return what sorts numbers as their book does: 2, 2.1, 2.10, 13; then tables and charts.

    A section may be headed 13.0 or 13: both have the same key.
    """
    match = _RULE.fullmatch(number)
    if match:
        return (0, _parts(match[1]), match[2] or "")
    digits = re.search(r"\d{1,9}$", number, re.ASCII)
    return (1, (int(digits.group()),) if digits else (), number.rstrip(" 0123456789"))


def is_under(number: str, section: str) -> bool:
    """Say whether *number* is a sub-rule of *section*, at any depth.

    >>> is_under("13.2.2", "13.2"), is_under("13.21", "13.2"), is_under("13.1", "13.0")
    (True, False, True)
    """
    inner, outer = number_key(number), number_key(section)
    if inner[0] or outer[0]:
        return False
    return inner[1] != outer[1] and inner[1][: len(outer[1])] == outer[1]


def nearest_numbers(number: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the known numbers nearest to one that does not exist, in the order of the book.

    >>> nearest_numbers("13.9", ["1", "13.1", "13.2", "13.2.1", "14"], most=2)
    ('13.1', '13.2')
    """
    wanted = number_key(clean_number(number))
    ranked = sorted(set(known), key=lambda other: (_distance(wanted, number_key(other)), other))
    return tuple(sorted(ranked[:most], key=number_key))


def _distance(wanted: Key, other: Key) -> tuple[int, ...]:
    if wanted[0] != other[0]:
        return (2,)
    pairs = list(zip(wanted[1], other[1], strict=False))
    shared = next((i for i, (a, b) in enumerate(pairs) if a != b), len(pairs))
    gap = abs(pairs[shared][0] - pairs[shared][1]) if shared < len(pairs) else 0
    depth = abs(len(wanted[1]) - len(other[1]))
    # In another chapter the chapter counts most; in the same one, rules of the same rank.
    rest = (depth, gap) if shared else (gap, depth)
    return (int(wanted[2] != other[2]), -shared, *rest)


def _parts(number: str) -> tuple[int, ...]:
    parts = tuple(map(int, number.split(".")))
    return parts[:-1] if len(parts) > 1 and parts[-1] == 0 else parts
