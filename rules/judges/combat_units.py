"""Factors brought by counters: the values they print, less what their state takes off them."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from mapkit.hexes import Hex, Hexside, are_neighbours, distance
from rules.battlefield import Battlefield
from rules.combat.losses import Target, step_rule, steps_of, weakened, weakening
from rules.combat.reasons import told_number
from rules.combat.strengths import rounded
from rules.pack import Pack
from rules.ruling import Reason
from rules.schema.combat import Procedure, Taken, Term
from rules.schema.counters import FRONT
from rules.schema.forces import classes_in
from rules.schema.losses import InSteps
from rules.standing import Standing


@dataclass(frozen=True, slots=True)
class Brought:
    """What units bring by term: what counts, and what their counters print.

    *unknown* are values nobody has read off a counter: their units count for nothing yet.
    """

    counts: dict[str, Fraction]
    printed: dict[str, Fraction]
    reasons: tuple[Reason, ...]
    unknown: tuple[Reason, ...]


def brought(
    field: Battlefield,
    procedure: Procedure,
    side: str,
    units: Iterable[Standing],
    at: Hex,
    everybody: Iterable[Standing] = (),
) -> Brought:
    """Return what some units bring to one side of a procedure; *at* is the hex that is hit.

    *everybody* are all units on the map: who stacks with whom may count.
    """
    pack, stacks = field.pack, tuple(everybody)
    terms = procedure.attack if side == "attack" else procedure.defend
    counts = dict.fromkeys(terms, Fraction(0))
    printed = dict.fromkeys(terms, Fraction(0))
    reasons: list[Reason] = []
    unknown: list[Reason] = []
    for unit in units:
        taken: set[str] = set()
        for name, term in terms.items():
            if term.value in taken or not _brings(pack, term, unit):
                continue
            if term.takes:
                if not any(_takes(field, one, unit, at, stacks) for one in term.takes):
                    continue
                taken.add(term.value)
            value = unit.value(term.value)
            values: dict[str, str | int] = {
                "name": unit.name,
                "value": term.value.replace("_", " "),
            }
            if (far := _out_of_reach(term, unit, at)) is not None:
                (reasons if far.key == "rules.combat.too_far" else unknown).append(far)
                continue
            if value is None:
                unknown.append(Reason("rules.combat.unit_unknown", values, term.cite))
                continue
            number, cites = _in_its_state(pack, procedure, side, name, unit, value)
            counts[name] += number
            printed[name] += value
            values |= {"printed": told_number(Fraction(value)), "n": told_number(number)}
            reasons.append(Reason("rules.combat.unit", values, ", ".join(cites)))
    return Brought(counts, printed, tuple(reasons), tuple(unknown))


def targets_of(pack: Pack, units: Iterable[Standing]) -> tuple[Target, ...]:
    """Return units as a result falls on them, with the whole numbers their counters print."""
    found = []
    for unit in units:
        face = unit.unit.face(unit.face) if unit.unit else None
        known = {n: v for n, v in (face.known if face else {}).items() if isinstance(v, int)}
        nation, size = (unit.unit.nationality, unit.unit.echelon) if unit.unit else ("", "")
        steps, whole = _steps(pack, unit, step_rule(pack.losses, nation, size))
        points = points_of(pack, unit)
        found.append(Target(unit.name, unit.class_, steps, points, known, nation, size, whole))
    return tuple(found)


def _steps(pack: Pack, unit: Standing, rule: InSteps | None) -> tuple[int | None, int | None]:
    """The steps a unit has left, and those of a whole one where its counter prints them."""
    if rule is None or unit.unit is None:
        return steps_of(pack.classes, unit.class_, unit.steps), None
    printed = unit.unit.value(rule.value, FRONT)
    whole = printed if isinstance(printed, int) else None
    return (whole if unit.steps is None and unit.face == FRONT else unit.steps), whole


def best_morale(pack: Pack, units: Iterable[Target]) -> tuple[str, int] | None:
    """Return who has the highest current morale, and how high; None where one is not known."""
    at = pack.losses.surrender.at if pack.losses and pack.losses.surrender else None
    if at is None:
        return None
    fighters = [unit for unit in units if not _has_own_threshold(pack, unit)]
    fighters = [unit for unit in fighters if not _is_attached(pack, unit)]
    if not fighters or any(at not in unit.values for unit in fighters):
        return None
    best = max(fighters, key=lambda unit: unit.values[at] - unit.points)
    return best.name, best.values[at] - best.points


def _is_attached(pack: Pack, unit: Target) -> bool:
    """Tell whether a unit only goes with another, and has no morale of its own."""
    rules = pack.losses.attached if pack.losses else ()
    return any(unit.class_ in classes_in(rule.units, pack.classes) for rule in rules)


def points_of(pack: Pack, unit: Standing) -> int:
    """Return how disorganized a unit is."""
    return unit.statuses.get(pack.losses.status or "", 0) if pack.losses else 0


def _has_own_threshold(pack: Pack, unit: Target) -> bool:
    """Whether a unit is held against something else than morale, as guns are."""
    rules = pack.losses.thresholds if pack.losses else ()
    return any(unit.class_ in classes_in(rule.units, pack.classes) for rule in rules)


def _brings(pack: Pack, term: Term, unit: Standing) -> bool:
    if term.not_by and unit.class_ in classes_in(term.not_by, pack.classes):
        return False
    return not term.units or unit.class_ in classes_in(term.units, pack.classes)


def _takes(
    field: Battlefield, rule: Taken, unit: Standing, at: Hex, stacks: tuple[Standing, ...]
) -> bool:
    """Whether a term takes a unit: for its state, what it crosses, who is not in its stack."""
    classes = field.pack.classes
    for group, ground in rule.spared.items():
        here = {field.ground[unit.hex].terrain}
        if unit.class_ in classes_in((group,), classes) and (not ground or here & set(ground)):
            return False
    if rule.statuses and not any(unit.statuses.get(word) for word in rule.statuses):
        return False
    if rule.hexsides and not _is_crossed(field, rule, unit.hex, at):
        return False
    beside = classes_in(rule.without, classes)
    return not any(
        other.class_ in beside and (other.hex, other.side) == (unit.hex, unit.side)
        for other in stacks
    )


def _is_crossed(field: Battlefield, rule: Taken, here: Hex, at: Hex) -> bool:
    if not are_neighbours(here, at):
        return False
    features = field.ground.hexsides.get(Hexside.between(here, at), ())
    kinds = {one.kind for one in features if one.stands}
    return not kinds.isdisjoint(rule.hexsides) and kinds.isdisjoint(rule.opened_by)


def _out_of_reach(term: Term, unit: Standing, at: Hex) -> Reason | None:
    """Why a unit is too far off to count, or what has to be read to tell; a neighbour never is."""
    reach, far = term.within, distance(unit.hex, at)
    if reach is None or far <= 1:
        return None
    values: dict[str, str | int] = {"name": unit.name, "far": far}
    if reach.most is not None and far > reach.most:
        return Reason("rules.combat.too_far", {**values, "most": reach.most}, reach.cite)
    if reach.printed is None:
        return None
    cite, printed = reach.printed_cite or reach.cite, unit.value(reach.printed)
    if printed is None:
        unread: dict[str, str | int] = {"name": unit.name, "value": reach.printed.replace("_", " ")}
        return Reason("rules.combat.unit_unknown", unread, cite)
    if far > printed:
        return Reason("rules.combat.too_far", {**values, "most": int(printed)}, cite)
    return None


def _in_its_state(
    pack: Pack, procedure: Procedure, side: str, name: str, unit: Standing, value: int | Fraction
) -> tuple[Fraction, list[str]]:
    """A unit's value less what disorganization and other states take; and the rules of that."""
    terms = procedure.attack if side == "attack" else procedure.defend
    number, cites = Fraction(value), []
    points = points_of(pack, unit)
    if points and pack.losses is not None and isinstance(value, int):
        left = weakened(pack.losses, pack.classes, unit.class_, terms[name].value, value, points)
        if left != number and not (terms[name].printed and left):
            number = left
            rules = weakening(pack.losses, pack.classes, unit.class_, terms[name].value)
            cites += [rule.cite for rule in rules]
    for change in procedure.changes.values():
        if change.status in unit.statuses and change.side == side and name in change.of:
            number = rounded(number * Fraction(change.factor), change.rounding)
            cites.append(change.cite)
    return number, list(dict.fromkeys(cites))
