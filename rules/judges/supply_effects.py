"""What lack of supply does to a unit when it is checked: points, surrender, or one point below."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rules.battlefield import Battlefield
from rules.judges.zones import classes_of
from rules.ruling import Reason
from rules.schema.forces import classes_in
from rules.schema.supply import OutOfSupply
from rules.standing import Standing

What = Literal["points", "surrenders", "one_below", "not_affected", "look_up", "marked"]


@dataclass(frozen=True, slots=True)
class Due:
    """What is due now: points before and after, the threshold, and the enemies next to the unit.

    "look_up": its threshold is not known; it surrenders, or stays one point below, only if
    *after* reaches what the counter prints.
    """

    what: What
    before: int
    after: int
    threshold: int | None
    beside: tuple[str, ...]
    cite: str = ""  # the rule that spares it, where that is another

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-able data."""
        return {
            "what": self.what,
            "points_before": self.before,
            "points_after": self.after,
            "threshold": self.threshold,
            "next_to": list(self.beside),
        }


def due_now(
    field: Battlefield, effect: OutOfSupply, unit: Standing, beside: tuple[str, ...]
) -> Due:
    """Return what lack of supply does to a unit this time; *beside* are enemies next to it."""
    before = unit.statuses.get(effect.status, 0) if effect.status else 0
    spared = _spared_by(field, effect, unit)
    if spared is not None:
        return Due("not_affected", before, before, None, beside, spared)
    if effect.marks is not None:
        return Due("marked", before, before, None, beside)
    return _points_due(effect, unit, before, beside)


def told_due(effect: OutOfSupply, phase: str, unit: Standing, due: Due) -> Iterator[Reason]:
    """Yield what is due in words, with what to look up."""
    values: dict[str, str | int] = {
        "name": unit.name,
        "n": effect.disorganization,
        "phase": phase,
        "before": due.before,
        "reached": due.before + effect.disorganization,
        "after": due.after,
        "names": ", ".join(due.beside),
        "threshold": "?" if due.threshold is None else due.threshold,
        "value": effect.surrenders_at or "",
        "status": (effect.marks or "").replace("_", " "),
    }
    if due.what == "look_up" and not due.beside:
        yield Reason("rules.supply.due_look_up_alone", values, effect.cite)
    else:
        yield Reason(f"rules.supply.due_{due.what}", values, due.cite or effect.cite)


def _spared_by(field: Battlefield, effect: OutOfSupply, unit: Standing) -> str | None:
    classes = classes_of(field, unit)
    for group, cite in effect.spares.items():
        if classes and classes <= classes_in((group,), field.pack.classes):
            return cite
    return None


def _points_due(effect: OutOfSupply, unit: Standing, before: int, beside: tuple[str, ...]) -> Due:
    after = before + effect.disorganization
    if effect.surrenders_at is None:
        return Due("points", before, after, None, beside)
    printed = unit.value(effect.surrenders_at)
    if printed is None:
        return Due("look_up", before, after, None, beside)
    threshold = int(printed)
    if after < threshold:
        return Due("points", before, after, threshold, beside)
    if beside:
        return Due("surrenders", before, after, threshold, beside)
    return Due("one_below", before, threshold - 1, threshold, beside)
