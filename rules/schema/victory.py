"""How a game is won, as data that can be evaluated: conditions, outcomes, and what scores."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cited, Label, Strict, Word
from rules.schema.forces import Groups
from rules.schema.placement import Edge, Hexes

DRAW = "draw"


class Points(Strict):
    """A side's total of victory points lies between two numbers, both included."""

    kind: Literal["points"]
    side: Word
    at_least: int | None = None
    at_most: int | None = None


class Controls(Strict):
    """A side controls at least some of these hexes; all of them where no number is given."""

    kind: Literal["controls"]
    side: Word
    hexes: Hexes
    at_least: int | None = Field(None, ge=1)


class ControlsNextTo(Strict):
    """A side controls at least one hex next to this one."""

    kind: Literal["controls_next_to"]
    side: Word
    hex: Label


class ControlsMost(Strict):
    """A side controls more of these hexes than its enemy; some count more than once."""

    kind: Literal["controls_most"]
    side: Word
    hexes: Hexes
    counts: dict[Label, int] = Field(default_factory=dict)


class MorePoints(Strict):
    """A wing has more victory points than the other wing of its own side."""

    kind: Literal["more_points"]
    side: Word
    wing: Word


class NoHexTaken(Strict):
    """A side took no victory point hex in so many turns, one after the other."""

    kind: Literal["no_hex_taken"]
    side: Word
    turns: int


class Otherwise(Strict):
    """Nothing else held."""

    kind: Literal["otherwise"]


Condition = Annotated[
    Points | Controls | ControlsNextTo | ControlsMost | MorePoints | NoHexTaken | Otherwise,
    Field(discriminator="kind"),
]


class Outcome(Cited):
    """Who wins under a condition: a side, a wing of it, or nobody ("draw").

    *winner* is null where the condition ends the game and points decide. *at* says when it is
    looked at: in every victory check, or only once the game is over.
    """

    winner: Word | None = None
    wing: Word | None = None
    complete: bool = Field(False, description="A complete victory, whatever the points")
    at: Literal["every_check", "end"] = "end"
    when: Condition


class Objective(Cited):
    """A place worth points; one of several hexes needs them all. Null points: see the map."""

    title: str
    hexes: Hexes
    points: int | None = None


class Control(Cited):
    """Who holds a hex: the side whose unit was the last to enter it or pass through it."""

    not_by: Groups = Field((), description="Units that take no hex")


class LossPoints(Cited):
    """Points for steps the enemy surrendered; *counts* says what a unit is worth in steps.

    Surrendered units lie in a *box*. Steps may also be counted by hand, as points of the side
    that lost them, under the word *by_hand*.
    """

    steps_per_point: int = Field(ge=1)
    counts: dict[Word, int] = Field(description="A class, group or echelon, and its steps")
    box: Word
    by_hand: Word
    own_subtracted: bool = Field(False, description="Whether own surrendered steps go off first")


class ExitPoints(Cited):
    """Points for each formation that has left over an edge with all its surviving units."""

    points: int
    edge: Edge


class Scoring(Cited):
    """What scores in every scenario of a game; the values of hexes are printed on the map.

    Where no map tells them, players count the places by hand: a position keeps such points under
    the word *by_hand*, those of a wing with the wing behind it (`vp_left`).
    """

    side: Word = Field(description="Whose total it is")
    less: Word | None = Field(None, description="Whose points are taken off")
    feature: Word = Field(description="What a map calls a place that scores; its value are points")
    by_hand: Word
    control: Control
    objectives: dict[Word, Objective] = Field(default_factory=dict)
    losses: LossPoints | None = None
    exits: ExitPoints | None = None
    retaken_costs: int | None = Field(
        None, description="How many times its value a hex costs that is lost again the same turn"
    )
    outcomes: dict[Word, Outcome] = Field(
        default_factory=dict, description="Victories before the end, by name"
    )


class Victory(Cited):
    """How one scenario is won: the first outcome that holds decides."""

    outcomes: tuple[Outcome, ...] = Field(min_length=1)
    sudden: tuple[Word, ...] = Field((), description="Outcomes of the game's scoring that hold")
    note: str = ""

    @model_validator(mode="after")
    def _otherwise_is_last(self) -> Self:
        kinds = [outcome.when.kind for outcome in self.outcomes]
        if "otherwise" in kinds[:-1]:
            raise ValueError("'otherwise' stands last: nothing after it is ever looked at")
        return self
