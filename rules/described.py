"""A unit as a player describes it in a question: class, states, and what its counter prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from counters.model import Face, Unit, Value
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.printed import allowance_of, printed_words
from rules.scene import Scene
from rules.schema.counters import FRONT
from rules.standing import Standing


@dataclass(frozen=True, slots=True)
class Description:
    """What a player says of a unit: its class, its states, what its counter prints."""

    class_: str = ""
    statuses: Sequence[str] = ()
    values: Sequence[str] = ()
    nationality: str = ""


def unit_asked(scene: Scene, place: str, side: str, said: Description) -> Standing | None:
    """Return the unit that is asked about: of the position, or as described; None: a bare hex.

    Raises:
        RulesError: something is said of a unit that the position knows, or of no unit at all.
    """
    unit = scene.unit(place)
    told = {
        "--class": said.class_,
        "--status": said.statuses,
        "--value": said.values,
        "--nationality": said.nationality,
    }
    given = [option for option, value in told.items() if value]
    if unit is not None:
        if given:
            raise RulesError(f"{given[0]}: the position tells it of {unit.name}; leave it out")
        scene.require_side(unit, side)
        return unit
    if not said.class_:
        if given:
            raise RulesError(f"{given[0]} tells of a unit: name its --class too")
        return None
    return described(
        scene.field,
        side,
        place,
        said.class_,
        statuses=parse_states(list(said.statuses)),
        values=parse_values(list(said.values)),
        nationality=said.nationality,
    )


def moving_unit(
    scene: Scene, place: str, side: str, said: Description, points: int | None
) -> tuple[Standing, int | Fraction]:
    """Return the unit that is to move, and its allowance: the one named, else what it prints.

    Raises:
        RulesError: nobody named its class, or nobody knows how far it moves.
    """
    unit = unit_asked(scene, place, side, said)
    if unit is None:
        raise scene.which_unit(place)
    allowance = allowance_of(scene.field.pack, unit) if points is None else points
    if allowance is None:
        raise RulesError(f"{unit.name}: nobody knows its allowance; read its counter: --points N")
    return unit, allowance


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
        RulesError: the game has no such class, state, printed value or nationality.
    """
    pack, states = field.pack, dict(statuses or {})
    nations = [word for one in pack.sides.values() for word in one.nationalities]
    _require(pack.title, "class", class_, sorted(pack.groups))
    _require(pack.title, "nationality", nationality, nations)
    for status in states:
        _require(pack.title, "state of a unit", status, list(pack.statuses))
    for value in values or {}:
        _require(pack.title, "printed value", value, sorted(printed_words(pack)))
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
