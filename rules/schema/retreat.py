"""Retreat: where beaten units may go, in which order of preference, and what it costs them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Word
from rules.schema.forces import Groups

Criterion = Literal["zone", "room", "cost"]


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


class Course(Cited):
    """A retreat of several hexes, each the best of those next to the one before it.

    *order* is what makes a hex better, what matters most first: out of enemy zones, room for one
    more, a lower cost of movement. *between* hexes must lie between a defender's last hex and
    every hex that an assault comes from.
    """

    defender: int = Field(ge=1, description="Hexes that a beaten defender goes")
    attacker: int = Field(ge=1, description="Hexes that a beaten attacker goes")
    hexes_cite: Cite
    between: int = Field(0, ge=0)
    order: tuple[Criterion, ...] = Field(min_length=1)
    looks_ahead: bool = Field(
        True, description="Whether a hex is no way from which the retreat cannot be finished"
    )
    rear: tuple[Annotated[int, Field(ge=0, le=5)], ...] | None = Field(
        None,
        description="Where an attacker goes, counted around from the hex he assaulted, 3 being"
        " straight back; null: not in our sources",
    )
    goes_on_cite: Cite = Field(description="Who ends where he is too many goes on")
    passed: int = Field(description="Points of the status of losses for friends he so passes")
    reaction_cite: Cite = Field(description="Enemies react whose zone he comes into")


class Withdrawal(Cited):
    """A retreat without a fight: hex by hex out of enemy zones, for no movement points.

    A hex is chosen by *order*; where that is empty, as its player likes. *reaction* are the hexes
    that a unit goes which withdraws from an enemy it reacts to, *after_check* those of one that
    failed a check in its own action: they may end in a zone. In weather of *zones_shut_in* nobody
    enters an enemy zone; who is in a state of *not_in* cannot move.
    """

    order: tuple[Criterion, ...] = ()
    order_cite: Cite
    like_retreat_cite: Cite = Field(description="The rules of retreat that hold for it too")
    keeps_facing: bool = Field(description="Whether it may go without facing the way it goes")
    nowhere: Literal["surrenders", "eliminated"]
    nowhere_cite: Cite
    reaction: int = Field(ge=1)
    reaction_cite: Cite
    after_check: int = Field(ge=1)
    after_check_cite: Cite
    zones_shut_in: tuple[Word, ...] = ()
    zones_shut_cite: Cite | None = None
    not_in: dict[Word, Cite] = Field(default_factory=dict, description="States, each by its rule")


class Alone(Cited):
    """Units that are lost at once where nobody but their like, or some others, is with them."""

    who: Groups
    beside: Groups = Field((), description="Whose company does not count")


class Retreat(Cited):
    """The rule of retreat of one game: one hex, chosen by kind, or a *course* of several.

    *closed_by* says which assaults close the hexes they came from: the one the unit was beaten in,
    every one of the current activation, or none. Who has *nowhere* to go surrenders, is
    eliminated, or stays without having retreated.
    """

    closed_by: Literal["assault", "activation", "none"] = "assault"
    priorities: tuple[Priority, ...] = ()
    course: Course | None = None
    sides: dict[Word, RetreatSide] = Field(default_factory=dict)
    impassable_cite: Cite
    split: bool | None = Field(
        None, description="Whether the units of a hex may part; null: not in our sources"
    )
    split_cite: Cite | None = Field(None, description="null: that of what cannot be passed")
    nowhere: Literal["surrenders", "eliminated", "no_retreat"]
    nowhere_cite: Cite
    stays: InMode | None = None
    captured: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that are lost when they would have to retreat"
    )
    alone: Alone | None = None
    ignores: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that no result makes retreat"
    )
    attacker: Literal["goes_back", "never"] = Field(
        "goes_back", description="He goes back to where he came from, or never retreats"
    )
    attacker_cite: Cite
    thrown_out_cite: Cite | None = Field(None, description="So does one a counter-assault ousts")
    fire: RetreatFire | None = None
    further: Further | None = None
    withdrawal: Withdrawal | None = None

    @model_validator(mode="after")
    def _is_of_one_sort(self) -> Self:
        if bool(self.priorities) == (self.course is not None):
            raise ValueError("a retreat has either priorities or a course")
        if self.withdrawal is not None and self.course is None:
            raise ValueError("a withdrawal goes hex by hex: it needs a course")
        return self
