"""A unit as a player describes it in a question: class, states, and what its counter prints."""

from collections.abc import Mapping
from fractions import Fraction

from counters.model import Face, Unit, Value
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.standing import FRONT, Standing


def described(
    field: Battlefield,
    side: str,
    place: str,
    class_: str = "",
    *,
    statuses: Mapping[str, int] | None = None,
    values: Mapping[str, Value] | None = None,
    nationality: str = "",
) -> Standing:
    """Return a unit in a hex, with its states and the values of the face that is up.

    Raises:
        RulesError: the game has no such class, state or nationality.
    """
    pack, states = field.pack, dict(statuses or {})
    nations = [word for one in pack.sides.values() for word in one.nationalities]
    _require(pack.title, "class", class_, sorted(pack.groups))
    _require(pack.title, "nationality", nationality, nations)
    for status in states:
        _require(pack.title, "state of a unit", status, list(pack.statuses))
    hex_ = field.hex(place)
    name = field.label(hex_)
    unit = Unit(
        id=name,
        name=name,
        side=side,
        nationality=nationality,
        class_=class_,
        faces=(Face(FRONT, dict(values or {})),),
    )
    return Standing(name, side, hex_, class_, unit, states)


def parse_states(texts: list[str]) -> dict[str, int]:
    """Return states written as `out_of_command` or `disorganization=2`."""
    found = {}
    for text in texts:
        word, _, points = text.partition("=")
        found[word] = int(_number(text, points or "1"))
    return found


def parse_values(texts: list[str]) -> dict[str, Value]:
    """Return printed values written as `morale=3`."""
    found: dict[str, Value] = {}
    for text in texts:
        word, _, value = text.partition("=")
        found[word] = _number(text, value)
    return found


def parse_gun(field: Battlefield, side: str, text: str) -> Standing:
    """Return a gun ready to fire, written as `2030:8`: its hex and its printed range.

    Raises:
        RulesError: the game has no guns that cut lines, or no range is given.
    """
    rule = field.pack.supply.interdiction if field.pack.supply else None
    if rule is None:
        raise RulesError(f"{field.pack.title} has no rule of guns that cut lines of supply")
    place, _, reach = text.partition(":")
    values = {rule.range: _number(text, reach)}
    states = {rule.in_status: 1}
    return described(field, side, place, rule.by[0], statuses=states, values=values)


def _number(text: str, number: str) -> int | Fraction:
    try:
        exact = Fraction(number)
    except (ValueError, ZeroDivisionError):
        raise RulesError(f"'{text}': a whole number or a fraction is missing at its end") from None
    return exact.numerator if exact.denominator == 1 else exact


def _require(game: str, what: str, word: str, known: list[str]) -> None:
    if word and word not in known:
        raise RulesError(f"{game} has no {what} '{word}'; there is: {', '.join(known)}")
