"""What is still needed for each outcome of a scenario: points, hexes, turns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from mapkit.hexes import neighbours
from mapkit.numbering import Numbering
from rules.ruling import Reason, Values
from rules.scenarios.victory import Score, holds_now, outcome_holds
from rules.scenarios.victory_told import told_observed
from rules.schema.victory import (
    AloneFulfils,
    Condition,
    Controls,
    ControlsMost,
    ControlsNextTo,
    MorePoints,
    NoHexTaken,
    Observed,
    Otherwise,
    Outcome,
    Points,
)


@dataclass(frozen=True, slots=True)
class Prospect:
    """An outcome, whether its condition holds now, and what it still needs.

    *holds* is None where the score does not tell.
    """

    outcome: Outcome
    holds: bool | None
    needs: Reason


def prospect(outcome: Outcome, score: Score, numbering: Numbering) -> Prospect:
    """Return how far a side is from one outcome."""
    holds = outcome_holds(outcome, score, numbering)
    return Prospect(outcome, holds, _needed_by(outcome, score, numbering))


def needed(  # noqa: PLR0911 - a line for each kind of condition
    condition: Condition, score: Score, numbering: Numbering
) -> Reason:
    """Return what a condition still needs, as a reason to be told."""
    match condition:
        case Points():
            return _points(condition, score.points.get(condition.side))
        case Controls(side=side, counted=hexes, at_least=wanted):
            return _hexes(hexes, wanted or len(hexes), side, score.control)
        case ControlsNextTo(side=side, hex=label):
            around = neighbours(numbering.parse_label(label))
            labels = tuple(map(numbering.format_label, around))
            return _hexes(labels, 1, side, score.control)
        case ControlsMost():
            return _most(condition, score.control)
        case MorePoints():
            return _wings(condition, score)
        case NoHexTaken(side=side, turns=turns):
            return _idle(turns, score.idle_turns.get(side))
        case AloneFulfils():
            return Reason("rules.victory.needs_alone")
        case Otherwise():
            return Reason("rules.victory.needs_otherwise")
        case _:
            return _seen(condition, score.seen.get(condition))


def _needed_by(outcome: Outcome, score: Score, numbering: Numbering) -> Reason:
    """Return what an outcome still needs: its turns, its condition, then its roll."""
    turn, rolled = score.turn, score.rolls.get(outcome.by_hand or "")
    if turn is not None and outcome.last_turn is not None and turn > outcome.last_turn:
        return Reason("rules.victory.needs_earlier", {"turn": outcome.last_turn})
    if turn is not None and turn < (outcome.first_turn or 1):
        return Reason("rules.victory.needs_later", {"turn": outcome.first_turn or 1})
    if outcome.by_hand is None or not holds_now(outcome.when, score, numbering):
        return needed(outcome.when, score, numbering)
    if rolled is None:
        values: Values = {"check": (outcome.check or "").replace("_", "-")}
        return Reason("rules.victory.needs_roll", {**values, "word": outcome.by_hand})
    return Reason("rules.victory.needs_nothing" if rolled > 0 else "rules.victory.needs_no_roll")


def _seen(condition: Observed, holds: bool | None) -> Reason:
    """Tell what a look at map and units lacks; what nobody can tell, players record."""
    if holds:
        return Reason("rules.victory.needs_nothing")
    key = "rules.victory.needs_record_of" if holds is None else "rules.victory.needs_that"
    values: Values = {"what": told_observed(condition), "word": condition.by_hand}
    if holds is not None:
        values = {"what": values["what"]}
    return Reason(key, values)


def _idle(turns: int, idle: int | None) -> Reason:
    if idle is None:
        return Reason("rules.victory.needs_record")
    if idle >= turns:
        return Reason("rules.victory.needs_nothing")
    return Reason("rules.victory.needs_idle", {"n": turns - idle})


def _points(condition: Points, total: int | None) -> Reason:
    low, high = condition.at_least, condition.at_most
    if total is None and low is not None:
        return Reason("rules.victory.needs_count", {"n": low})
    if total is None:
        return Reason("rules.victory.needs_count_below", {"n": high or 0})
    if low is not None and total < low:
        return Reason("rules.victory.needs_points", {"n": low - total, "now": total})
    if high is not None and total > high:
        return Reason("rules.victory.needs_fewer", {"n": total - high, "now": total})
    if high is not None:
        return Reason("rules.victory.needs_to_keep", {"n": high - total, "now": total})
    return Reason("rules.victory.needs_nothing")


def _hexes(hexes: tuple[str, ...], wanted: int, side: str, control: Mapping[str, str]) -> Reason:
    open_ = [label for label in hexes if control.get(label) != side]
    lacking = wanted - (len(hexes) - len(open_))
    if lacking <= 0:
        return Reason("rules.victory.needs_nothing")
    times = Counter(open_)
    told = ", ".join(f"{label} (×{n})" if n > 1 else label for label, n in times.items())
    if lacking == len(open_):
        return Reason("rules.victory.needs_all_hexes", {"hexes": told})
    return Reason("rules.victory.needs_hexes", {"n": lacking, "hexes": told})


def _most(condition: ControlsMost, control: Mapping[str, str]) -> Reason:
    open_ = [label for label in condition.hexes if label not in control]
    if open_:
        return Reason("rules.victory.needs_holder", {"hexes": ", ".join(open_)})
    held: dict[str, int] = {}
    for label in condition.hexes:
        held[control[label]] = held.get(control[label], 0) + condition.counts.get(label, 1)
    ours = held.pop(condition.side, 0)
    theirs = max(held.values(), default=0)
    if ours > theirs:
        return Reason("rules.victory.needs_nothing")
    others = ", ".join(label for label in condition.hexes if control[label] != condition.side)
    values: Values = {"ours": ours, "theirs": theirs, "hexes": others}
    return Reason("rules.victory.needs_most", values)


def _wings(condition: MorePoints, score: Score) -> Reason:
    wings = {wing: n for (side, wing), n in score.wing_points.items() if side == condition.side}
    if condition.wing not in wings or len(wings) < 2:
        return Reason("rules.victory.needs_wings")
    ours = wings.pop(condition.wing)
    theirs = max(wings.values())
    if ours > theirs:
        return Reason("rules.victory.needs_nothing")
    return Reason("rules.victory.needs_points", {"n": theirs - ours + 1, "now": ours})
