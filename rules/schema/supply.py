"""Lines of supply: legs over hexes and roads, what cuts them, where they end."""

from typing import Literal

from pydantic import Field

from rules.schema.cites import Cite, Cited, Word
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
    """Where lines end: features of the map, with an owner, or hexes any side may own."""

    features: tuple[Word, ...] = ()
    either_side: tuple[str, ...] = ()


class OutOfSupply(Cited):
    """What happens to a unit without supply, each time it is checked."""

    disorganization: int = 0
    surrenders_at_morale: bool = False
    not_for: Groups = ()


class Interdiction(Cited):
    """How enemy guns cut a headquarters' road: in fire mode, in range, with their own sight."""

    by: Groups
    leg: int = Field(description="Which leg they cut, counted from 1")
    immune: tuple[Word, ...] = Field((), description="Nationalities it does not touch")


class Supply(Cited):
    """The rule of supply of one game."""

    phase: str
    legs: tuple[SupplyLeg, ...] = Field(min_length=1)
    sources: SupplySources
    effect: OutOfSupply
    no_influence: Groups = Field((), description="Enemies that cut nothing")
    no_influence_cite: Cite | None = None
    interdiction: Interdiction | None = None
