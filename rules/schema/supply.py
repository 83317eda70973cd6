"""Lines of supply: legs over hexes and roads, what cuts them, where they end."""

from typing import Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Label, Word
from rules.schema.forces import Groups

Cut = Literal["enemy_unit", "enemy_zone", "next_to_enemy"]
SideRule = Literal["never", "first_only"]


class SideUse(Cited):
    """How a line treats a hexside: never over it, or only as its very first step.

    *opened_by* are what makes it passable all the same: a bridge over a river.
    """

    rule: SideRule
    opened_by: tuple[Word, ...] = ()


class SupplyLeg(Cited):
    """One stretch of a line: over any hexes, or along links of some kinds.

    *limit* counts hexes entered; null is any length.
    """

    links: tuple[Word, ...] = Field((), description="Empty: over any hexes, off the roads")
    limit: int | None = None
    cut_by: tuple[Cut, ...]
    friend_negates_zone: bool = False
    sides: dict[Word, SideUse] = Field(default_factory=dict)
    not_over: tuple[Word, ...] = Field((), description="Hexside features a road here may not use")
    not_through: tuple[Word, ...] = Field((), description="Ground the line may not enter")
    cut_cite: Cite


class SupplySources(Cited):
    """Where lines end: features of the map with an owner, and hexes that the rules name by side.

    *either_side* are hexes that belong to whoever a scenario says, or controls them.
    """

    features: tuple[Word, ...] = ()
    hexes: dict[Word, tuple[Label, ...]] = Field(
        default_factory=dict, description="By side; a source of another map is left out"
    )
    either_side: tuple[Label, ...] = ()


class OutOfSupply(Cited):
    """What happens to a unit without supply, each time it is checked.

    At the printed value *surrenders_at* a unit next to an enemy surrenders; else it stays one
    point below.
    """

    disorganization: int = 0
    status: Word | None = Field(None, description="The status that counts the points")
    surrenders_at: Word | None = Field(None, description="The printed value: morale")
    marks: Word | None = Field(None, description="The status a unit is in while it lacks supply")
    spares: dict[Word, Cite] = Field({}, description="Whom it does nothing to, by which rule")


class Interdiction(Cited):
    """How enemy guns cut the line of a headquarters: ready to fire, in range, with own sight."""

    line_of: Groups = Field(description="Whose lines they cut")
    by: Groups
    in_status: Word = Field(description="The state a gun must be in")
    range: Word = Field(description="The printed value that limits it")
    leg: int = Field(ge=1, description="Which leg they cut, counted from 1")
    immune: tuple[Word, ...] = Field((), description="Nationalities it does not touch")


class Supply(Cited):
    """The rule of supply of one game."""

    phase: str
    legs: tuple[SupplyLeg, ...] | None = Field(
        None, min_length=1, description="How its lines run; null: not in our sources"
    )
    sources: SupplySources
    effect: OutOfSupply
    no_influence: Groups = Field((), description="Enemies that cut nothing")
    no_influence_cite: Cite | None = None
    interdiction: Interdiction | None = None

    @model_validator(mode="after")
    def _legs_are_there(self) -> Self:
        if self.interdiction is not None and self.interdiction.leg > len(self.legs or ()):
            raise ValueError(f"interdiction.leg: a line has no leg {self.interdiction.leg}")
        return self
