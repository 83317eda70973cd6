"""The values that counters of a game print, as far as its rules speak of them."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from counters.model import Face, Unit, Value
from rules.pack import Pack
from rules.schema.counters import PrintedCounter
from rules.schema.tasks import Printed, each_condition
from rules.standing import Standing


def printed_words(pack: Pack) -> frozenset[str]:
    """Return every value of a counter that some rule of the game reads."""
    return frozenset(filter(None, _words(pack)))


def counter_of(pack: Pack, class_: str) -> PrintedCounter | None:
    """Return what the counters of a class print; None where our sources do not tell."""
    known = pack.classes.get(class_)
    groups = {class_, *(known.groups if known else ())}
    return next((one for one in pack.counters if groups & set(one.groups)), None)


def with_printed_faces(pack: Pack, unit: Unit) -> Unit:
    """Return a unit with every face and value its counter prints; None what nobody knows.

    What the unit says itself comes first, then what the rules state for all such counters.
    """
    counter = counter_of(pack, unit.class_)
    if counter is None:
        return unit
    own = {face.name: face for face in unit.faces}
    faces = []
    for name, printed in counter.faces.items():
        said = own.pop(name, Face(name))
        values: dict[str, Value] = {word: printed.always.get(word) for word in printed.values}
        faces.append(replace(said, values=values | said.known))
    return replace(unit, faces=(*faces, *own.values()))


def range_of(pack: Pack, headquarters: Standing | None) -> int | Fraction | None:
    """Return the command range that a headquarters prints; None where nobody knows it."""
    word = None if pack.command is None else pack.command.range.printed
    return None if headquarters is None or word is None else headquarters.value(word)


def allowance_of(pack: Pack, unit: Standing) -> int | Fraction | None:
    """Return the movement points that a unit prints; None where nobody knows them."""
    return None if pack.allowance is None else unit.value(pack.allowance)


def _words(pack: Pack) -> Iterator[str | None]:
    yield pack.allowance
    if pack.command is not None:
        yield pack.command.range.printed
        activation = pack.command.activation
        yield None if activation is None else activation.unplanned.guns_by
    if pack.sight is not None and pack.sight.fire is not None:
        yield pack.sight.fire.range
    if pack.supply is not None:
        yield pack.supply.effect.surrenders_at
        guns = pack.supply.interdiction
        yield None if guns is None else guns.range
    if pack.stacking is not None:
        yield pack.stacking.printed
    yield from _in_combat(pack)
    for check in pack.checks.values():
        yield None if check.threshold is None else check.threshold.asks
    for task in pack.tasks.values():
        for _, one in (*each_condition(task.conditions), *each_condition(task.finish)):
            yield one.value if isinstance(one, Printed) else None


def _in_combat(pack: Pack) -> Iterator[str | None]:
    for procedure in pack.combat.values():
        for term in (*procedure.attack.values(), *procedure.defend.values()):
            yield term.value
            yield None if term.within is None else term.within.printed
    if pack.losses is not None:
        yield pack.losses.surrender.at if pack.losses.surrender else None
        yield pack.losses.first.most if pack.losses.first else None
        yield from (one.at for one in pack.losses.thresholds)
        yield from (one.value for one in pack.losses.weakens)
        for steps in pack.losses.in_steps:
            yield from (steps.value, *steps.marker)
