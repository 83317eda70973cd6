"""Who may stand together: nations that share no hex, and friends near by that make room."""

from collections.abc import Iterator

from mapkit.hexes import Hex, distance
from rules.battlefield import Battlefield
from rules.judges.stack_counting import in_state, possible_classes
from rules.ruling import Reason
from rules.schema.forces import classes_in
from rules.schema.stacking import Pool, Raised, Stacking
from rules.standing import Standing


def kept_apart(
    field: Battlefield, rules: Stacking, units: tuple[Standing, ...]
) -> tuple[Reason | None, Reason | None]:
    """Return who may not stand together, and whose nationality nobody told.

    Who counts for nothing may stand with anybody. Units of no known nationality are taken to
    fit the others, which is said where it matters.
    """
    if rules.nations is None:
        return None, None
    counted = [unit for unit in units if not _never_counts(field, rules, unit)]
    known = {unit.name: nation for unit in counted if (nation := _nation(field, unit))}
    found = set(known.values())
    groups = [set(words) for words in rules.nations.together]
    cite = rules.nations.cite
    if len(found) > 1 and not any(found <= group for group in groups):
        names = ", ".join(f"{name} ({nation.replace('_', ' ')})" for name, nation in known.items())
        return Reason("rules.stacking.nations_apart", {"names": names}, cite), None
    untold = [unit for unit in counted if unit.name not in known]
    may_be = {word for unit in untold for word in field.pack.sides[unit.side].nationalities}
    if len(counted) < 2 or not untold or any(found | may_be <= group for group in groups):
        return None, None
    names = ", ".join(unit.name for unit in untold)
    return None, Reason("rules.stacking.no_nation", {"names": names}, cite)


def room_made(
    field: Battlefield, pool: Pool, hex_: Hex, side: str, standings: tuple[Standing, ...]
) -> tuple[int, int]:
    """Return by how much friends near by raise a limit: at least, and at most if in doubt."""
    least = most = 0
    for raised in pool.raised:
        states = {state for _, state in _near(field, raised, hex_, side, standings)}
        least += raised.add if True in states else 0
        most += raised.add if states - {False} else 0
    return least, most


def doubtful_friends(
    field: Battlefield, pool: Pool, hex_: Hex, side: str, standings: tuple[Standing, ...]
) -> Iterator[Reason]:
    """Tell of which friends near by nobody knows whether they make room."""
    for raised in pool.raised:
        titles = [field.pack.statuses[word].title for word in raised.statuses]
        for unit, state in _near(field, raised, hex_, side, standings):
            if state is None:
                values = {"name": unit.name, "what": ", ".join(titles)}
                yield Reason("rules.stacking.no_state", values, raised.cite)


def _near(
    field: Battlefield, raised: Raised, hex_: Hex, side: str, standings: tuple[Standing, ...]
) -> Iterator[tuple[Standing, bool | None]]:
    """Yield the friends that may raise a limit, and whether they do; None: nobody knows."""
    here = field.ground[hex_]
    words = {here.terrain, *(feature.kind for feature in here.features)}
    if raised.ground and words.isdisjoint(raised.ground):
        return
    if raised.nationalities:
        nations = {_nation(field, unit) for unit in standings if _is_at(unit, hex_, side)}
        if not nations <= set(raised.nationalities):
            return
    by = classes_in(raised.by, field.pack.classes)
    for unit in standings:
        far = distance(unit.hex, hex_)
        near = far <= raised.within and (far > 0 or raised.own_hex)
        if near and unit.side == side and possible_classes(field.pack, unit) & by:
            yield unit, in_state(raised, unit) if raised.by_state else True


def _is_at(unit: Standing, hex_: Hex, side: str) -> bool:
    return unit.hex == hex_ and unit.side == side


def _never_counts(field: Battlefield, rules: Stacking, unit: Standing) -> bool:
    never = classes_in(tuple(rules.never), field.pack.classes)
    return possible_classes(field.pack, unit) <= never


def _nation(field: Battlefield, unit: Standing) -> str:
    """Return a unit's nationality: what is told of it, or the only one of its side."""
    if unit.unit is not None and unit.unit.nationality:
        return unit.unit.nationality
    nations = field.pack.sides[unit.side].nationalities
    return nations[0] if len(nations) == 1 else ""
