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
    """A side controls at least some of these hexes; all of them where no number is given.

    Some may count more than once.
    """

    kind: Literal["controls"]
    side: Word
    hexes: Hexes
    counts: dict[Label, int] = Field(default_factory=dict)
    at_least: int | None = Field(None, ge=1)

    @property
    def counted(self) -> tuple[str, ...]:
        """The hexes, each as often as it counts."""
        return tuple(label for label in self.hexes for _ in range(self.counts.get(label, 1)))


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


class Bank(Strict):
    """One bank of a river: the hexes joined to *here* without crossing its hexsides.

    *there* lies on the other bank: a map that does not part the two tells of neither.
    """

    hexsides: tuple[Word, ...] = Field(min_length=1)
    here: Label
    there: Label


class _Observed(Strict):
    """What is seen on the map or kept by the players: points under *by_hand*, 1 yes and 0 no.

    What they record counts; without a record the position and the map are looked at.
    """

    side: Word
    by_hand: Word


class Occupies(_Observed):
    """Units of a side stand in all of these hexes."""

    kind: Literal["occupies"]
    hexes: Hexes
    not_by: Groups = ()


class CorpsBeyond(_Observed):
    """All units on the map of one corps stand on a bank; a corps in the state *unless* is none."""

    kind: Literal["corps_beyond"]
    bank: Bank
    name: str = Field(description="What the bank is called")
    not_by: Groups = ()
    unless: Word


class CorpsGone(_Observed):
    """All units of one corps have left over a part of an edge, but for those in some boxes.

    A position keeps the edge and not the part of it: that they left there, players record.
    """

    kind: Literal["corps_gone"]
    edge: Edge
    part: str = Field(description="Which part of the edge")
    spared_boxes: tuple[Word, ...] = ()
    not_by: Groups = ()
    unless: Word


class ControlsCrossings(_Observed):
    """A side controls the hex at one bank of every crossing of a river."""

    kind: Literal["controls_crossings"]
    crossings: tuple[Word, ...] = Field(min_length=1)
    bank: Bank
    name: str = Field(description="What these ends are called")


class Recorded(_Observed):
    """What only the players can tell, in our words."""

    kind: Literal["recorded"]
    says: str


class AloneFulfils(Strict):
    """A side has fulfilled the objective it chose in secret, and its enemy has not."""

    kind: Literal["alone_fulfils"]
    side: Word


class Otherwise(Strict):
    """Nothing else held."""

    kind: Literal["otherwise"]


Observed = Occupies | CorpsBeyond | CorpsGone | ControlsCrossings | Recorded
Condition = Annotated[
    Points
    | Controls
    | ControlsNextTo
    | ControlsMost
    | MorePoints
    | NoHexTaken
    | Observed
    | AloneFulfils
    | Otherwise,
    Field(discriminator="kind"),
]


class SecretObjective(Cited):
    """An objective that a side may choose in secret: all its conditions hold at the end."""

    title: str
    all_of: tuple[Condition, ...] = Field(min_length=1)


class SecretObjectives(Cited):
    """What each side may choose from in secret, the first is number 1.

    A position keeps the number that a side has chosen as its points under the word *chosen*.
    """

    chosen: Word
    of: dict[Word, tuple[SecretObjective, ...]] = Field(min_length=2)


class Outcome(Cited):
    """Who wins under a condition: a side, a wing of it, or nobody ("draw").

    *winner* is null where the condition ends the game and points decide. *at* says when it is
    looked at: in every victory check, or only once the game is over.
    """

    winner: Word | None = None
    wing: Word | None = None
    complete: bool = Field(False, description="A complete victory, whatever the points")
    at: Literal["every_check", "end"] = "end"
    first_turn: int | None = Field(None, ge=1)
    last_turn: int | None = Field(None, ge=1)
    check: Word | None = Field(None, description="The roll that it takes besides")
    by_hand: Word | None = Field(
        None, description="The winner's points that keep whether that roll succeeded: 1 or 0"
    )
    when: Condition

    @model_validator(mode="after")
    def _roll_is_kept(self) -> Self:
        if (self.check is None) != (self.by_hand is None):
            raise ValueError("a roll needs the word it is kept under, and the other way round")
        return self


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


class TrackPoints(Cited):
    """Points of a side for what a track shows: the number that *of* has under *word*.

    Between two ends, both included; or for *each* that is counted.
    """

    side: Word
    of: Word
    word: Word
    title: str
    points: int
    each: bool = False
    at_least: int | None = None
    at_most: int | None = None

    def scored(self, number: int) -> int:
        """Return what a number on the track is worth."""
        low, high = self.at_least, self.at_most
        if (low is not None and number < low) or (high is not None and number > high):
            return 0
        return self.points * number if self.each else self.points


class Scoring(Cited):
    """What scores in every scenario of a game; the values of hexes are printed on the map.

    Where no map tells them, players count the places by hand: a position keeps such points under
    the word *by_hand*, those of a wing with the wing behind it (`vp_left`).
    """

    side: Word = Field(description="Whose total it is")
    less: Word | None = Field(None, description="Whose points are taken off")
    places_of_both: bool = Field(False, description="Whether its places are points too")
    feature: Word = Field(description="What a map calls a place that scores; its value are points")
    by_hand: Word
    control: Control
    objectives: dict[Word, Objective] = Field(default_factory=dict)
    losses: LossPoints | None = None
    exits: ExitPoints | None = None
    tracks: tuple[TrackPoints, ...] = ()
    retaken_costs: int | None = Field(
        None, description="How many times its value a hex costs that is lost again the same turn"
    )
    outcomes: dict[Word, Outcome] = Field(
        default_factory=dict, description="Victories before the end, by name"
    )


class Victory(Cited):
    """How one scenario is won: the first outcome that holds decides."""

    outcomes: tuple[Outcome, ...] = Field((), description="None: not in our sources")
    sudden: tuple[Word, ...] = Field((), description="Outcomes of the game's scoring that hold")
    objectives: SecretObjectives | None = None
    given: dict[Word, int] = Field(
        default_factory=dict, description="The number of an objective that a side has to begin with"
    )
    note: str = ""

    @model_validator(mode="after")
    def _otherwise_is_last(self) -> Self:
        kinds = [outcome.when.kind for outcome in self.outcomes]
        if "otherwise" in kinds[:-1]:
            raise ValueError("'otherwise' stands last: nothing after it is ever looked at")
        return self
