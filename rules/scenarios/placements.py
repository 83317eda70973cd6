"""Placements: does a hex fit one, as far as its number can tell, and what they say in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from counters.model import Unit
from mapkit.hexes import distance
from mapkit.numbering import Numbering
from mapkit.texts import say
from rules.pack import Pack
from rules.schema.placement import (
    BehindFrontLine,
    Columns,
    Constraint,
    FromEnemies,
    InHexes,
    NearFrontLine,
    OneEach,
    Placement,
    Rows,
    Span,
    WithinHexes,
    WithinUnits,
)
from rules.schema.scenario import Formation
from rules.spoken import spoken

_NONE: Mapping[str, Formation] = {}


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a hex fits: what it breaks, and what only the map or the position can tell."""

    broken: tuple[Constraint, ...] = ()
    unchecked: tuple[Constraint, ...] = ()

    @property
    def fits(self) -> bool | None:
        """True, False, or None where something is left to be looked at."""
        return False if self.broken else None if self.unchecked else True


def fit(placement: Placement, label: str, numbering: Numbering) -> Fit:
    """Return how a hex fits a placement; of several ways in, the best.

    Raises:
        NumberingError: no hex has this label.
    """
    ways = [placement.all_of, *(other.all_of for other in placement.or_else)]
    found = [_fit(constraints, label, numbering) for constraints in ways]
    return min(found, key=lambda one: (len(one.broken), len(one.unchecked)))


def _fit(constraints: tuple[Constraint, ...], label: str, numbering: Numbering) -> Fit:
    answers = [(one, _holds(one, label, numbering)) for one in constraints]
    return Fit(
        tuple(one for one, holds in answers if holds is False),
        tuple(one for one, holds in answers if holds is None),
    )


def _holds(constraint: Constraint, label: str, numbering: Numbering) -> bool | None:
    hex_ = numbering.parse_label(label)
    column, row = _line_numbers(label, numbering)
    match constraint:
        case InHexes(hexes=hexes) | OneEach(hexes=hexes):
            return label in hexes
        case WithinHexes(n=n, hexes=hexes):
            return any(distance(hex_, numbering.parse_label(one)) <= n for one in hexes)
        case Columns(first=first, last=last):
            return _between(first, column, last)
        case Rows(first=first, last=last):
            return _between(first, row, last)
        case Span(first=start, last=end):
            return _on_span((column, row), start, end, numbering)
    return None


def _on_span(at: tuple[int, int], start: str, end: str, numbering: Numbering) -> bool | None:
    one, other = _line_numbers(start, numbering), _line_numbers(end, numbering)
    if one[0] != other[0] and one[1] != other[1]:
        return None  # not along one line: a look at the map decides
    return all(
        _between(min(a, b), number, max(a, b)) for a, b, number in zip(one, other, at, strict=True)
    )


def _line_numbers(label: str, numbering: Numbering) -> tuple[int, int]:
    """Return the printed numbers of column and row."""
    first, second = int(label[:2]), int(label[2:])
    return (first, second) if numbering.order == "CCRR" else (second, first)


def _between(first: int | None, number: int, last: int | None) -> bool:
    return (first is None or first <= number) and (last is None or number <= last)


def told_placement(
    placement: Placement,
    pack: Pack,
    units: Mapping[str, Unit],
    formations: Mapping[str, Formation] = _NONE,
) -> str:
    """Return a placement in words; units and formations that are known by their names."""
    told = told_constraints(placement.all_of, pack, units, formations)
    named = f"{placement.name}: {told}" if placement.name else told
    parts = [named]
    for other in placement.or_else:
        key = "rules.placement.otherwise" if other.only_otherwise else "rules.placement.or_else"
        way = told_constraints(other.all_of, pack, units, formations)
        if other.turns_later:
            way += f", {say('rules.placement.later', n=other.turns_later)}"
        parts.append(say(key, other=way))
    if placement.outside_area:
        parts.append(say("rules.placement.outside_area"))
    note = f" ({placement.note})" if placement.note else ""
    return "; ".join(parts) + note


def told_area(area: str) -> str:
    """Return the name of an area of the map as one says it: west sector."""
    return area.replace("_", " ")


def told_constraints(
    constraints: tuple[Constraint, ...],
    pack: Pack,
    units: Mapping[str, Unit],
    formations: Mapping[str, Formation] = _NONE,
) -> str:
    """Return constraints that all hold, in words."""
    return ", ".join(_told(one, pack, units, formations) for one in constraints)


def _told(
    constraint: Constraint,
    pack: Pack,
    units: Mapping[str, Unit],
    formations: Mapping[str, Formation],
) -> str:
    values = constraint.model_dump(exclude={"kind", "hexes", "links", "side"})
    if side := getattr(constraint, "side", None):
        values["side"] = spoken(pack, pack.sides[side].title, "sides")
    if hexes := getattr(constraint, "hexes", ()):
        if isinstance(constraint, InHexes) and len(hexes) == 1:
            return str(hexes[0])
        values["hexes"] = ", ".join(hexes)
    if "area" in values:
        values["area"] = told_area(values["area"])
    if links := getattr(constraint, "links", ()):
        values["links"] = ", ".join(links)
    if isinstance(constraint, WithinUnits):
        names = [units[one].name if one in units else one for one in constraint.units]
        names += [
            formations[one].title if one in formations else one for one in constraint.formations
        ]
        names += [_group(one, pack) for one in constraint.groups]
        values["units"] = ", ".join(names)
    return say(f"rules.placement.{_key(constraint)}", **values)


def _group(name: str, pack: Pack) -> str:
    return spoken(pack, pack.classes[name].title if name in pack.classes else name)


def _key(constraint: Constraint) -> str:
    match constraint:
        case BehindFrontLine(first=str()):
            return "behind_front_line_between"
        case NearFrontLine(first=str()):
            return "near_front_line_between"
        case FromEnemies(n=1):
            return "no_enemies"
        case Rows(first=None) | Columns(first=None):
            return f"{constraint.kind}_to"
        case Rows(last=None) | Columns(last=None):
            return f"{constraint.kind}_from"
    return constraint.kind
