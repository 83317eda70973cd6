"""Retreat: where beaten units may go, in which order of preference, and what it costs them."""

from typing import Literal

from pydantic import Field

from rules.schema.cites import Cite, Cited, Word
from rules.schema.forces import Groups


class Priority(Cited):
    """One kind of hex, taken only where none of the kinds before it is there.

    *away* narrows it to hexes opposite one the assault came from, or next to such a hex,
    *in_enemy_zone* to hexes in or out of enemy zones. Kinds of one *id* are equally good; a hex
    of no kind is no way.
    """

    id: str
    holds: Literal["nobody", "friends", "too_many_friends"]
    away: bool = False
    in_enemy_zone: bool | None = Field(None, description="null: it does not matter")
    disorganization: int = Field(0, description="For all units in the hex")


class RetreatSide(Cited):
    """A hexside that some may retreat over though it is no way for others, at a price."""

    only: Groups
    disorganization: int
    gives_up: bool = Field(False, description="Who reaches his threshold by it surrenders")


class InMode(Cited):
    """Units that stay because of the state they are in: guns on their fire side."""

    who: Groups
    statuses: tuple[Word, ...]
    faces: tuple[Word, ...] = ()
    else_statuses: tuple[Word, ...] = ()
    else_faces: tuple[Word, ...] = ()
    captured: Literal["assault", "action_phase"] = Field(
        description="At whose end they are captured where the enemy is still in their hex"
    )


class RetreatFire(Cited):
    """Infiltration fire at units that retreat, by the conditions of the zones.

    *assaulters* never fire: they are in the assaulted hex, or still where they came from. Nor do
    enemies in a state of *not_in*: in the middle of another assault.
    """

    assaulters: Literal["in_hex", "at_origin"]
    at_attackers: bool = Field(description="Whether attackers thrown back are fired at too")
    not_in: tuple[Word, ...] = ()
    not_in_cite: Cite | None = None


class Further(Cited):
    """One hex more than needed, at the player's choice, and the roll it takes."""

    disorganization: int
    loses: Literal["unit", "step"] = Field(description="Who rolls above his Morale loses this")


class Retreat(Cited):
    """The rule of retreat of one game: one hex.

    *closed_by* says which assaults close the hexes they came from: the one the unit was beaten in,
    every one of the current activation, or none. Who has *nowhere* to go surrenders, is
    eliminated, or stays without having retreated.
    """

    closed_by: Literal["assault", "activation", "none"] = "assault"
    priorities: tuple[Priority, ...] = Field(min_length=1)
    sides: dict[Word, RetreatSide] = Field(default_factory=dict)
    impassable_cite: Cite
    split: bool | None = Field(
        None, description="Whether the units of a hex may part; null: not in our sources"
    )
    nowhere: Literal["surrenders", "eliminated", "no_retreat"]
    nowhere_cite: Cite
    stays: InMode | None = None
    captured: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that are lost when they would have to retreat"
    )
    attacker: Literal["goes_back", "never"] = Field(
        "goes_back", description="He goes back to where he came from, or never retreats"
    )
    attacker_cite: Cite
    thrown_out_cite: Cite | None = Field(None, description="So does one a counter-assault ousts")
    fire: RetreatFire | None = None
    further: Further | None = None
