"""Who has won? A scenario's conditions of victory, evaluated for a score."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.hexes import neighbours
from mapkit.numbering import Numbering
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
    Scoring,
    Victory,
)

Answers = Mapping[Observed, bool | None]


@dataclass(frozen=True, slots=True)
class Score:
    """Where a game stands. A total or wing that is not there is unknown, which is not zero.

    *control* holds who controls a hex, by label; *idle_turns* how long a side took no such hex.
    *turn* is the one being played, None where nobody names it; *rolls* tells of rolls that an
    outcome takes, by the word they are kept under.
    *seen* are the answers to conditions that need a look at units and map; *objectives* tells of
    each side which of its secret objectives it has fulfilled, *chosen* the number it chose.
    """

    over: bool = False
    points: Mapping[str, int] = field(default_factory=dict)
    wing_points: Mapping[tuple[str, str], int] = field(default_factory=dict)
    control: Mapping[str, str] = field(default_factory=dict)
    idle_turns: Mapping[str, int] = field(default_factory=dict)
    seen: Answers = field(default_factory=dict)
    objectives: Mapping[str, tuple[bool | None, ...]] = field(default_factory=dict)
    chosen: Mapping[str, int] = field(default_factory=dict)
    turn: int | None = None
    rolls: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome that decides, None where none does; *unknown* could not be told."""

    outcome: Outcome | None = None
    unknown: tuple[Outcome, ...] = ()


def decide(
    victory: Victory, scoring: Scoring | None, score: Score, numbering: Numbering
) -> Decision:
    """Return the first outcome that holds: sudden victories first, then those of the end.

    An outcome that only ends the game, such as a halted offensive, lets the points decide. Past
    one of the end that nobody can tell nothing is decided; sudden ones are listed as unknown.
    """
    over, unknown = score.over, []
    for name in victory.sudden:
        outcome = scoring.outcomes[name] if scoring else None
        if outcome is None:
            continue
        holds = outcome_holds(outcome, score, numbering)
        if holds is None:
            unknown.append(outcome)
        elif holds and outcome.winner:
            return Decision(outcome, tuple(unknown))
        elif holds:
            over = True
    for outcome in victory.outcomes:
        if outcome.at == "end" and not over:
            continue
        holds = outcome_holds(outcome, score, numbering)
        if holds is None:
            return Decision(None, (*unknown, outcome))
        if holds:
            return Decision(outcome, tuple(unknown))
    return Decision(None, tuple(unknown))


def outcome_holds(outcome: Outcome, score: Score, numbering: Numbering) -> bool | None:
    """Tell whether an outcome has come about: its condition, in its turns, with its roll."""
    if score.turn is not None and not in_its_turns(outcome, score.turn):
        return False
    holds = holds_now(outcome.when, score, numbering)
    if outcome.by_hand is None or holds is False:
        return holds
    rolled = score.rolls.get(outcome.by_hand)
    return None if rolled is None else holds if rolled > 0 else False


def in_its_turns(outcome: Outcome, turn: int) -> bool:
    """Tell whether an outcome is looked at in a turn."""
    last = outcome.last_turn
    return (outcome.first_turn or 1) <= turn and (last is None or turn <= last)


def fulfilled(score: Score, side: str) -> bool | None:
    """Tell whether a side has fulfilled the objective it chose; None where nobody can tell.

    Where no record tells which it chose, it is known only if all of them come to the same.
    """
    answers = score.objectives.get(side, ())
    if side in score.chosen:
        return answers[score.chosen[side] - 1]
    return answers[0] if len(set(answers)) == 1 else None


def holds_now(  # noqa: PLR0911 - a line for each kind of condition
    condition: Condition, score: Score, numbering: Numbering
) -> bool | None:
    """Tell whether a condition holds for a score; None where the score does not tell."""
    match condition:
        case Otherwise():
            return True
        case AloneFulfils(side=side):
            return _alone(score, side)
        case Points(side=side):
            return _lies_between(condition, score.points.get(side))
        case MorePoints(side=side, wing=wing):
            wings = {name: n for (whose, name), n in score.wing_points.items() if whose == side}
            known = wing in wings and len(wings) > 1
            others = [n for name, n in wings.items() if name != wing]
            return wings[wing] > max(others) if known else None
        case NoHexTaken(side=side, turns=turns):
            idle = score.idle_turns.get(side)
            return None if idle is None else idle >= turns
        case Controls() | ControlsNextTo() | ControlsMost():
            return _held(condition, score.control, numbering)
        case _:
            return score.seen.get(condition)


def _alone(score: Score, side: str) -> bool | None:
    ours = fulfilled(score, side)
    theirs = [fulfilled(score, other) for other in score.objectives if other != side]
    if ours is False or True in theirs:
        return False
    return None if ours is None or None in theirs else True


def _lies_between(points: Points, total: int | None) -> bool | None:
    if total is None:
        return None
    low, high = points.at_least, points.at_most
    return (low is None or low <= total) and (high is None or total <= high)


def _held(
    condition: Controls | ControlsNextTo | ControlsMost,
    control: Mapping[str, str],
    numbering: Numbering,
) -> bool | None:
    match condition:
        case Controls(side=side, counted=hexes, at_least=wanted):
            return _enough(hexes, wanted or len(hexes), side, control)
        case ControlsNextTo(side=side, hex=label):
            around = neighbours(numbering.parse_label(label))
            return _enough(tuple(map(numbering.format_label, around)), 1, side, control)
        case ControlsMost(side=side, hexes=hexes, counts=counts):
            if any(label not in control for label in hexes):
                return None
            held = Counter[str]()
            for label in hexes:
                held[control[label]] += counts.get(label, 1)
            return held[side] > max((n for whose, n in held.items() if whose != side), default=0)


def _enough(
    hexes: tuple[str, ...], wanted: int, side: str, control: Mapping[str, str]
) -> bool | None:
    """Tell whether a side holds enough of some hexes; None where unknown ones could tip it."""
    held = sum(control.get(label) == side for label in hexes)
    open_ = sum(label not in control for label in hexes)
    return True if held >= wanted else None if held + open_ >= wanted else False
