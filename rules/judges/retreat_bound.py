"""Units that no retreat moves: a fortress, guns that fire, guns whom everybody has left."""

from rules.battlefield import Battlefield
from rules.judges.stack_counting import in_state
from rules.ruling import Reason
from rules.schema.forces import Groups, classes_in
from rules.schema.retreat import Alone, InMode, Retreat
from rules.standing import Standing

Bound = tuple[str, list[Reason]]  # the verdict, and why


def who_is_bound(
    field: Battlefield, rules: Retreat, unit: Standing, friends: tuple[Standing, ...]
) -> Bound | None:
    """Return the verdict on a beaten unit that goes nowhere; None for one that retreats."""
    about: dict[str, str | int] = {"name": unit.name, "hex": field.label(unit.hex)}
    for group, cite in rules.captured.items():
        if _is_of(field, unit, (group,)):
            return "captured", [Reason("rules.retreat.captured", about, cite)]
    for group, cite in rules.ignores.items():
        if _is_of(field, unit, (group,)):
            return "no_retreat", [Reason("rules.retreat.ignores", about, cite)]
    if rules.alone is not None and _is_alone(field, rules.alone, unit, friends):
        return "eliminated", [Reason("rules.retreat.alone", about, rules.alone.cite)]
    if rules.stays is not None and _is_of(field, unit, rules.stays.who):
        return _in_mode(rules.stays, unit, about)
    return None


def _is_of(field: Battlefield, unit: Standing, groups: Groups) -> bool:
    return unit.class_ in classes_in(groups, field.pack.classes)


def _is_alone(
    field: Battlefield, alone: Alone, unit: Standing, friends: tuple[Standing, ...]
) -> bool:
    """Tell whether nobody is with a unit whose company counts."""
    of_no_help = classes_in((*alone.who, *alone.beside), field.pack.classes)
    here = [one for one in friends if one.hex == unit.hex and one != unit]
    return _is_of(field, unit, alone.who) and all(one.class_ in of_no_help for one in here)


def _in_mode(stays: InMode, unit: Standing, about: dict[str, str | int]) -> Bound | None:
    fires = in_state(stays, unit)
    if fires is None:
        asked = Reason("rules.stacking.no_mode", {"name": unit.name}, stays.cite)
        return "unknown", [Reason("rules.retreat.unknown", about, stays.cite), asked]
    if not fires:
        return None
    after = Reason(f"rules.retreat.captured_{stays.captured}", {}, stays.cite)
    return "stays", [Reason("rules.retreat.stays", about, stays.cite), after]
