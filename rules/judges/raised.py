"""Hexes that a rule lifts for sight: how high they count, and what is told of it."""

from collections.abc import Iterable, Iterator

from mapkit.hexes import Hex, neighbours
from rules.battlefield import Battlefield
from rules.ruling import Reason
from rules.schema.forces import Raised


def raised_levels(field: Battlefield) -> dict[Hex, int | None]:
    """Return the level for sight of every hex of the map that a rule lifts; None: not known."""
    return {hex_: _level(field, hex_, rule) for hex_, rule in _lifted(field).items()}


def counted_from(field: Battlefield, hex_: Hex) -> tuple[Hex, ...]:
    """Return the hexes whose levels tell how high a lifted hex counts; none for any other."""
    rule = _lifted(field).get(hex_)
    if rule is None:
        return ()
    if rule.above == "itself":
        return (hex_,)
    return tuple(one for one in neighbours(hex_) if one in field.map)


def told_raised(field: Battlefield, hexes: Iterable[Hex]) -> Iterator[Reason]:
    """Tell of those of some hexes that a rule lifts how high they count."""
    lifted = _lifted(field)
    for hex_ in dict.fromkeys(hexes):
        if (rule := lifted.get(hex_)) is not None:
            level = _level(field, hex_, rule)
            values: dict[str, str | int] = {"place": field.label(hex_), "n": rule.by}
            if level is None:
                yield Reason("rules.sight.raised_unknown", values, rule.cite)
                continue
            key = "raised" if rule.above == "neighbours" else "raised_itself"
            yield Reason(f"rules.sight.{key}", {**values, "level": level}, rule.cite)


def _lifted(field: Battlefield) -> dict[Hex, Raised]:
    """The hexes of the map that a rule lifts, each with its rule."""
    rules = field.pack.levels.raised if field.pack.levels else ()
    by_label = {label: rule for rule in rules for label in rule.hexes}
    if not by_label:
        return {}
    labels = ((hex_, field.label(hex_)) for hex_ in sorted(field.map.hexes))
    return {hex_: by_label[label] for hex_, label in labels if label in by_label}


def _level(field: Battlefield, hex_: Hex, rule: Raised) -> int | None:
    levels = [field.ground[one].level for one in counted_from(field, hex_)]
    known = [level for level in levels if level is not None]
    return max(known) + rule.by if known and len(known) == len(levels) else None
