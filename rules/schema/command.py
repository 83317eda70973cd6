"""Command: how far a headquarters is obeyed, where it may be placed, and what activation costs."""

from typing import Annotated, Literal

from pydantic import Field

from rules.schema.cites import Cite, Cited, Exact, Word
from rules.schema.forces import Groups
from rules.schema.supply import SideUse


class DieRoll(Cited):
    """A die that decides whether the range passes a hex: blocked up to a number, open above."""

    blocked_to: int = Field(ge=1)
    die: int = Field(6, ge=2)


class RangeCost(Cited):
    """What a hex counts that holds a link of some kinds: half a hex on a road."""

    links: tuple[Word, ...] = Field(min_length=1)
    cost: Exact


class InPoints(Cited):
    """A range counted in the movement points of a class instead of hexes."""

    of: Word


class CommandRange(Cited):
    """How a range is counted, and what stops it. The HQ's hex does not count, the unit's does.

    *hexes* is the range of every headquarters, *printed* the value on its counter.
    """

    hexes: Exact | None = None
    printed: Word | None = Field(None, description="The value on the counter; hexes where null")
    printed_on: str = ""
    costs: tuple[RangeCost, ...] = ()
    in_points: InPoints | None = None
    through_enemies: bool = False
    no_influence: Groups = Field((), description="Enemies that stop nothing")
    no_influence_cite: Cite | None = None
    zones: Literal["open", "roll", "shut"]
    roll: DieRoll | None = None
    friend_negates_zone: bool = True
    sides: dict[Word, SideUse] = Field(default_factory=dict)


class Placement(Cited):
    """Where a headquarters may be placed when its formation is activated."""

    on_supply_line: bool
    in_enemy_zone: bool
    with_enemy: bool
    own_in_command: int = Field(1, description="So many of its own units must be in command")
    nobody_left_cite: Cite | None = Field(None, description="No own unit on the map: no activation")


class OutOfCommand(Cited):
    """What a unit out of command may not do, what is halved for it, and when it moves."""

    may_not: tuple[Word, ...] = ()
    halves: tuple[Word, ...] = Field((), description="Rounded up")
    moves_in: str | None = Field(None, description="The only phase it moves in")


class Guns(Cited):
    """What guns cost on top: a point for so many, or fewer; and how many there may be."""

    who: Groups
    for_a_point: int = Field(ge=1)
    most: int | None = None
    most_cite: Cite | None = None
    in_range: bool | None = Field(None, description="Within the command range; null: not said")


class Independents(Cited):
    """Units of no formation that may be attached for nothing.

    *beyond* are attached without limit; so are units of the formation's own division where
    *own_division* says so, and units of another division not at all.
    """

    who: Groups = Field((), description="Who may be attached; empty: any")
    most: int
    by_size: bool = Field(False, description="Counted by size as for stacking, not by unit")
    beyond: Groups = ()
    beyond_cite: Cite | None = None
    own_division: bool = False


class Unplanned(Cited):
    """A reaction of a formation that got no points before: dearer, and with fewer guns."""

    allowed: bool
    factor: int = 1
    guns_by: Word | None = Field(None, description="A value of the HQ that limits the guns")


class Activation(Cited):
    """What it costs to activate a formation, in points of the game."""

    points: Word
    formation: int
    guns: Guns
    boxes: Annotated[tuple[int, ...], Field(description="The most guns of each box, ascending")]
    boxes_cite: Cite
    free_for: dict[Word, Cite] = Field(default_factory=dict, description="Sides that pay nothing")
    held_cite: Cite = Field(description="Nobody spends more than he holds")
    independents: Independents
    unplanned: Unplanned


class Command(Cited):
    """The rule of command of one game.

    A game whose headquarters move like other units has no *placement* and says so in `no_rule`;
    one that lacks it otherwise does not have it in our sources.
    """

    range: CommandRange
    placement: Placement | None = None
    out_of_command: OutOfCommand | None = Field(None, description="null: it does nothing by itself")
    activation: Activation | None = None
