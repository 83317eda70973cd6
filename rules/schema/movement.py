"""Movement: what a step costs, and the ways a unit may move in."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from rules.schema.cites import Cite, Cited, Exact, Strict, Word
from rules.schema.forces import Groups


def _cost(value: object) -> object:
    """Read `"1/2"` as a fraction and leave the two words as they are."""
    if isinstance(value, str) and value not in ("never", "whole"):
        return Fraction(value)
    if isinstance(value, float):
        raise ValueError("write it exactly: a whole number, or a text such as '1/2'")
    return value


# Points; never; or the whole allowance.
Cost = Annotated[int | Fraction | Literal["never", "whole"], BeforeValidator(_cost)]
Costs = Annotated[
    dict[Word, Cost],
    Field(description="Points by class or group of units; left out: not in our sources"),
]


class LevelChange(Cited):
    """What it costs to go up: for each level between two neighbours, or once for any climb.

    A step may be uphill whatever the levels say: *always_into* a peak, *always_out_of* a stream
    (but not along it). *never_for* are units that change level only along links.
    """

    up: Exact
    each_level: bool = True
    not_for: Groups = ()
    never_for: Groups = ()
    always_into: tuple[Word, ...] = ()
    always_out_of: tuple[Word, ...] = ()
    cancelled_by_links: bool = True


class SideMove(Cited):
    """A hexside that only some may cross, and at what price; nobody else ever does.

    What opens it to all may still be closed to some: guns on a footbridge.
    """

    only: Groups
    cost: Cost = "never"
    unless_linked: bool = Field(False, description="A road opens it to all")
    opened_by: tuple[Word, ...] = Field((), description="Hexsides that open it to all: a bridge")
    opened_when_held: bool = Field(
        False, description="Only where no enemy holds either end; else the price is paid"
    )
    held_cite: Cite | None = None
    closed_to: dict[Word, Groups] = Field(
        default_factory=dict, description="Units that such a hexside does not carry"
    )
    closed_to_cite: Cite | None = None


class RoadRate(Cited):
    """A better rate on links for some units; lost in hexes *next_to_enemy* where it says so."""

    units: Groups
    factor: Exact
    lost_next_to_enemy: bool = False


class Works(Cited):
    """Works of one's own that carry a unit from one to the next at the rate of a link."""

    feature: Word
    as_link: Word
    not_over: tuple[Word, ...] = Field((), description="Hexsides they do not cross")


class WorksPrice(Cited):
    """Works that price their hex in the place of its terrain; the first that lies there counts.

    The price is *anybody's*, or hangs on whose they are: *own* or the *enemy*'s. *along* is what a
    step from one hex of the enemy's works to the next costs.
    """

    features: tuple[Word, ...] = Field(min_length=1)
    anybody: Costs = Field(default_factory=dict)
    own: Costs = Field(default_factory=dict)
    enemy: Costs = Field(default_factory=dict)
    along: Costs = Field(default_factory=dict)


class StepUp(Cited):
    """Ground closed to some units that they enter all the same, from other ground, with it all.

    They spend their whole allowance: guns that are dragged up the first hill.
    """

    units: Groups
    leaving: tuple[Word, ...] = Field(min_length=1)
    entering: tuple[Word, ...] = Field(min_length=1)


class EntryCheck(Cited):
    """A check for who enters some works or ground; *of_enemy* where only the enemy's are meant."""

    features: tuple[Word, ...] = Field(min_length=1)
    of_enemy: bool = False
    unless: tuple[Word, ...] = Field((), description="Not where one of these lies there")
    check: Word


class ZoneEntry(Cited):
    """Units that enter an enemy zone only where some friends stand."""

    units: Groups
    beside: Groups


class RoadRule(Cited):
    """Links carry a unit at their own rate, in the place of hex and hexside.

    What such a step *pays* all the same comes on top. Which friends close a road is a matter of
    stacking.
    """

    lost_in_enemy_zone: bool
    pays: tuple[Literal["hexsides", "features"], ...] = ()
    not_into: tuple[Word, ...] = Field(
        (), description="Terrain that a link opens to nobody whom the chart keeps out"
    )
    rates: tuple[RoadRate, ...] = ()
    works: Works | None = None


class MoveMode(Cited):
    """One way to move: how much of the allowance, and what it forbids.

    *room* is how many points of disorganization below its threshold a unit must be to move so.
    Who *hops_zones* and begins in an enemy zone goes one hex, into another such hex.
    """

    factor: Exact = 1
    rounding: Literal["down", "up"] = Field("down", description="Of the part of a point")
    least_move: bool = Field(True, description="Whether the minimum move holds in it")
    hops_zones: bool = False
    units: Groups = Field((), description="Who may; empty: all")
    not_for: Groups = Field((), description="Who may not")
    not_for_cite: Cite | None = None
    not_in: tuple[Word, ...] = Field((), description="States in which nobody may")
    may_enter_enemy_zone: bool = True
    overruns: Groups = Field(
        (), description="Enemies that, when alone, are eliminated on the way and hinder nobody"
    )
    overruns_cite: Cite | None = None
    may_enter_lone: bool = Field(True, description="Whether enemies alone in a hex may be entered")
    from_enemy: int | None = Field(None, description="Hexes to keep from every enemy, all the way")
    disorganization: int = 0
    room: int | None = None


class WeatherMove(Strict):
    """What weather does to some units: points off or on the allowance, a factor, or dearer hexes.

    *enter* and *enter_factor* are for the hexes that the weather lies on.
    """

    add: int = 0
    factor: Exact = 1
    enter: int = 0
    enter_factor: Exact = 1


class Movement(Cited):
    """The rule of movement of one game; allowances are printed on the counters."""

    levels: LevelChange | None = None
    sides: dict[Word, SideMove] = Field(default_factory=dict)
    features: Literal["add", "highest"] | None = Field(
        None, description="How features count with the terrain of a hex; null: not at all"
    )
    features_cite: Cite | None = None
    works: dict[Word, WorksPrice] = Field(default_factory=dict)
    step_up: StepUp | None = None
    checks: tuple[EntryCheck, ...] = ()
    roads: RoadRule
    modes: dict[Word, MoveMode]
    minimum_move: bool = False
    minimum_cite: Cite | None = None
    immobile: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that never move, and the rule that says so"
    )
    still: dict[Word, Cite] = Field(
        default_factory=dict, description="States in which nobody moves, and the rule"
    )
    zone_entry: ZoneEntry | None = None
    enter_lone: Groups = Field((), description="Enemies that may be entered when alone")
    enter_lone_cite: Cite | None = None
    no_influence: Groups = Field((), description="Enemies that hinder nobody")
    no_influence_cite: Cite | None = None
