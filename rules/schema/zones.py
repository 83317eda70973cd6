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
    """What a zone does to movement."""

    on_entry: Literal["stop", "go_on"]
    on_entry_cite: Cite
    cost_to_leave: int | None = None
    cost_to_leave_cite: Cite | None = None


class Zones(Cited):
    """The zones of one game: the six hexes around a unit, less what is excluded.

    *only_where_it_could_move* keeps a zone out of hexes its own unit could not enter.
    """

    exerted_by: Groups
    only_where_it_could_move: bool
    exclusions: dict[Word, Exclusion] = Field(default_factory=dict)
    effects: ZoneEffects
