"""What players type at the combat desk: factors, ratios, dice, units."""

from collections.abc import Iterable
from fractions import Fraction

from rules.combat.losses import Target, step_rule, steps_of
from rules.combat.odds import read_roll, throw
from rules.errors import RulesError
from rules.pack import Pack
from rules.printed import printed_words
from rules.schema.combat import Procedure
from rules.schema.ratios import ratio_of

_WORDS = ("class", "nation", "size", "with")  # what is no number of a unit written out


def read_factors(text: str) -> Fraction:
    """Return a number of factors: `7`, `3/2`, `3.5`.

    Raises:
        RulesError: it is no number, or below 0.
    """
    try:
        number = Fraction(text.replace(",", ".").strip())
    except (ValueError, ZeroDivisionError):
        raise RulesError(f"'{text}' is no number of factors; write 7 or 3/2") from None
    if number < 0:
        raise RulesError(f"{text} factors: there are no fewer than 0")
    return number


def read_ratio(text: str) -> Fraction:
    """Return a ratio: `11:3`."""
    try:
        return ratio_of(text)
    except ValueError as error:
        raise RulesError(str(error)) from None


def read_terms(
    procedure: Procedure, side: str, texts: Iterable[str], *, needed: bool = True
) -> dict[str, Fraction]:
    """Return factors by term; a bare number is for the first that takes no units in particular.

    Raises:
        RulesError: the procedure has no such term, it is given twice, or none is given.
    """
    terms = procedure.attack if side == "attack" else procedure.defend
    usual = next((name for name, term in terms.items() if not term.takes), "")
    found: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        word = name.strip().replace("-", "_") if equals else usual
        if word not in terms:
            raise RulesError(
                f"{procedure.title}: --{side} knows no '{name or text}'; there is: "
                f"{', '.join(terms) or 'nothing to add up'}"
            )
        if word in found:
            raise RulesError(f"{procedure.title}: '{word}' is given twice; add them up")
        found[word] = read_factors(number)
    if terms and needed and not found:
        raise RulesError(f"{procedure.title}: give the factors with --{side} N")
    return found


def read_units(pack: Pack, texts: Iterable[str]) -> tuple[Target, ...]:
    """Return units written as `Etna I:steps=2,morale=5,points=1,class=infantry`.

    One that is attached to another tells by `with=Etna I` to which.

    Raises:
        RulesError: a part is not written so, or the class is none of the game's.
    """
    found: list[Target] = []
    for text in texts:
        name, _, rest = text.partition(":")
        told = dict(_part(text, part) for part in rest.split(",") if part)
        class_, beside = told.pop("class", ""), told.pop("with", "")
        nation, size = told.pop("nation", ""), told.pop("size", "")
        if class_ and class_ not in pack.classes:
            known = ", ".join(pack.classes)
            raise RulesError(f"{pack.title} has no units '{class_}'; there is: {known}")
        known_keys = ("steps", "points", *_WORDS, *sorted(printed_words(pack)))
        for key in told:
            if key not in known_keys:
                raise RulesError(
                    f"'{text}': no '{key}' is known; there is: {', '.join(known_keys)}"
                )
        numbers = {key: _whole(text, value) for key, value in told.items()}
        rule = step_rule(pack.losses, nation, size)
        whole = None if rule is None else numbers.get(rule.value)
        steps = numbers.pop("steps", whole)
        if rule is None:
            steps = steps_of(pack.classes, class_, steps)
        points = numbers.pop("points", 0)
        found.append(Target(name, class_, steps, points, numbers, nation, size, whole, beside))
    names = [unit.name for unit in found]
    if len(names) != len(set(names)):
        raise RulesError("two units have the same name; each needs its own")
    for one in found:
        if one.beside and (one.beside not in names or one.beside == one.name):
            others = ", ".join(name for name in names if name != one.name) or "none"
            raise RulesError(f"{one.name}: with={one.beside} is none of the others: {others}")
    return tuple(found)


def thrown(
    die: str | None, rolls: Iterable[str], seed: int | None, *, again: str | None = None
) -> tuple[int, ...]:
    """Return the totals rolled: the players' own, or two of a seed, the second for a roll again.

    *again* are the dice of every roll after the first, where they are others.

    Raises:
        RulesError: the dice cannot show it, both were given, or there are no dice.
    """
    rolls = tuple(rolls)
    if die is None:
        if rolls or seed is not None:
            raise RulesError("no dice of this table are known; leave --roll and --seed out")
        return ()
    second = again or die
    told = tuple(read_roll(second if number else die, text) for number, text in enumerate(rolls))
    if told and seed is not None:
        raise RulesError("either --roll or --seed throws the dice, not both")
    if seed is not None:
        return sum(throw(die, seed)), sum(throw(second, seed + 1))
    return told


def _part(text: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise RulesError(f"'{text}': write a unit as NAME:steps=2,morale=5,points=1")
    return key.strip(), value.strip()


def _whole(text: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise RulesError(f"'{text}': '{value}' is no whole number") from None
