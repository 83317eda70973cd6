"""What a result does to units: which loss comes first, who takes it, when a unit gives up."""

from typing import Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Exact, Strict, Word
from rules.schema.forces import Classes, Groups, classes_in

Loss = Literal["steps", "disorganization"]


class Surrender(Cited):
    """When disorganization makes a unit give up: its points reach a value, with an enemy near.

    Else it stays one point below. Who did not retreat from one of *won_in* never gives up by it.
    Games that let it rout instead say so by *fate*.
    """

    at: Word | None = Field(None, description="The printed value its points are held against")
    number: int | None = Field(None, description="The points for all, where none is printed")
    fate: Literal["surrendered", "routed"] = "surrendered"
    needs: Literal["adjacent", "always"] = "adjacent"
    winner_safe_cite: Cite | None = None
    won_in: tuple[Word, ...] = Field((), description="Procedures that one side wins")

    @model_validator(mode="after")
    def _has_one_threshold(self) -> Self:
        if (self.at is None) == (self.number is None):
            raise ValueError("write either at, a printed value, or number")
        return self


class RoutTrace(Cited):
    """What saves a routed unit for later: a span of command to one of its side's supply sources.

    It runs as a command range does. What contests an enemy zone opens it: a friend in the hex, or
    the zone of a friend too. Who has no such span is *lost*, and so is who is of *never*.
    """

    length: Exact | None = Field(None, description="Hexes, counted as a command range; null: any")
    contested_by: Literal["friend", "friend_or_zone"] = "friend"
    lost: Literal["eliminated", "surrendered"]
    never: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that no span saves, each by its rule"
    )

    def beyond_help(self, class_: str, classes: Classes) -> Cite | None:
        """Return the rule by which no span saves units of a class; None where one may."""
        rules = (cite for who, cite in self.never.items() if class_ in classes_in((who,), classes))
        return next(rules, None)


class Hits(Cited):
    """How units of a class take steps: how many hits in one fire it needs, and after whom."""

    units: Groups
    hits_for_a_step: int = Field(1, ge=1)
    after: Groups = Field((), description="Only when none of these is left in the hex")
    only_in: tuple[Word, ...] = Field((), description="Procedures it is for; empty: all")


class Immune(Cited):
    """Units that one kind of combat cannot take steps from."""

    units: Groups
    procedures: tuple[Word, ...] = ()


class Weakens(Cited):
    """What each point of disorganization takes off a printed value."""

    units: Groups
    value: Word
    minus: int = 0
    minus_of_printed: Exact = 0


class OwnThreshold(Cited):
    """Units with a threshold of their own: another printed value, or a number."""

    units: Groups
    at: Word | None = None
    number: int | None = None


class Captured(Cited):
    """Units that a single step loss or a retreat in assault hands to the enemy."""

    units: Groups
    procedures: tuple[Word, ...]


class FirstLoss(Cited):
    """Who takes the first step: the unit that prints most of a value, or one of some *units*.

    These take it where others fight beside them; *side* where only one side is bound by it.
    """

    most: Word | None = None
    units: Groups = ()
    side: Literal["attacker", "defender"] | None = None

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if (self.most is None) == (not self.units):
            raise ValueError("write either most, a printed value, or units")
        return self


class LostInRetreat(Cited):
    """Units that lose a part of what is left of them, rounded up, when they retreat."""

    units: Groups
    part: Exact


class Attached(Cited):
    """Units without steps that belong to another in their hex, and go when it goes.

    A step that the other loses in one of *procedures* takes them along too.
    """

    units: Groups
    procedures: tuple[Word, ...] = ()


class InSteps(Cited):
    """Units with a step for each point of a printed value; each step is a smaller unit.

    The first step lost turns the counter, each further one is a marker that takes *marker* off its
    values, and the last one left is a counter of the size *last*.
    """

    nations: tuple[Word, ...] = Field(min_length=1)
    sizes: tuple[Word, ...] = Field(min_length=1)
    value: Word
    marker: dict[Word, int]
    last: Word


class Losses(Strict):
    """The order and the rules of losses of one game; some know steps only."""

    status: Word | None = Field(
        None, description="The state of a unit whose points are its disorganization"
    )
    order: tuple[Loss, ...] = Field(min_length=1)
    order_cite: Cite
    whole_first_cite: Cite | None = Field(
        None, description="Set where nobody is eliminated while a unit of several steps is whole"
    )
    first: FirstLoss | None = None
    in_retreat: tuple[LostInRetreat, ...] = ()
    evenly_cite: Cite | None = Field(None, description="Set where steps are spread evenly")
    first_from_morale_used_cite: Cite | None = None
    surrender: Surrender | None = Field(None, description="null: no points make a unit give up")
    rout: RoutTrace | None = Field(None, description="null: nothing more is asked of a routed unit")
    thresholds: tuple[OwnThreshold, ...] = ()
    hits: tuple[Hits, ...] = ()
    immune: tuple[Immune, ...] = ()
    captured: tuple[Captured, ...] = ()
    weakens: tuple[Weakens, ...] = ()
    attached: tuple[Attached, ...] = ()
    in_steps: tuple[InSteps, ...] = ()

    @model_validator(mode="after")
    def _somebody_routs(self) -> Self:
        if self.rout is not None and (self.surrender is None or self.surrender.fate != "routed"):
            raise ValueError("rout: nobody routs by surrender.fate")
        return self
