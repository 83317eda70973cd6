"""Zones of control: who has one, where it does not reach, and what it does."""

from typing import Literal

from pydantic import Field

from rules.schema.cites import Cite, Cited, Strict, Word
from rules.schema.forces import Groups


class Exclusion(Cited):
    """Where a zone does not reach: into some ground, over some hexsides, in or out of weather.

    *enemy_owned* narrows it to works that belong to the enemy of the zone's unit.
    """

    into: tuple[Word, ...] = ()
    over: tuple[Word, ...] = ()
    unless: tuple[Word, ...] = Field((), description="Hexsides that open the way: a bridge")
    not_for: Groups = ()
    enemy_owned: bool = False
    weather: tuple[Word, ...] = ()


class ZoneEffects(Strict):
    """What a zone does to movement, and whom it does not trouble."""

    on_entry: Literal["stop", "go_on"]
    on_entry_cite: Cite
    pins: bool = Field(False, description="Whether a unit that begins its move in one stays")
    pins_cite: Cite | None = None
    cost_to_leave: int | None = None
    cost_to_leave_cite: Cite | None = None
    free_beside: Groups = Field((), description="Friends in the hex that spare the cost to leave")
    ignored_by: Groups = ()
    ignored_by_cite: Cite | None = None


class Infiltration(Cited):
    """Fire at a unit that moves from hex to hex past one enemy unit or stack.

    - *between*: both hexes in its zone, or both next to it.
    - *works* shelter the mover: "entered" in the hex he enters, "both" only in both hexes; his
      own alone where *own_works_only*, else those of nobody too.
    - *not_over* are hexsides between firer and hexes, *weather* lies on any of the three hexes.
    """

    between: Literal["zones", "adjacent"]
    by: Groups
    factor: Word = Field(description="The printed value that is summed")
    works: tuple[Word, ...] = ()
    works_in: Literal["entered", "both"] = "both"
    own_works_only: bool = False
    works_cite: Cite | None = None
    not_over: tuple[Word, ...] = ()
    weather: tuple[Word, ...] = ()


class Zones(Cited):
    """The zones of one game: the six hexes around a unit, less what is excluded.

    *only_where_it_could_move* keeps a zone out of hexes its own unit could not enter.
    """

    exerted_by: Groups
    only_where_it_could_move: bool
    exclusions: dict[Word, Exclusion] = Field(default_factory=dict)
    effects: ZoneEffects
    infiltration: Infiltration | None = None
