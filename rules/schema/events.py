"""Events: tables that are rolled on, and cups that markers are drawn from."""

from typing import Self

from pydantic import Field, model_validator

from rules.schema.cites import Cited, Strict, Word
from rules.schema.dice import Dice, totals_of
from rules.schema.spans import SpanText, overlap, span_of
from rules.schema.tables import Modifier


class Event(Cited):
    """One event in our words. *then* is the table to roll on next; *count* what its nth time does.

    *side* is whom it befalls.
    """

    title: str
    says: str = ""
    side: Word | None = None
    then: Word | None = None
    times: tuple[str, ...] = Field((), description="What the first, second, third time does")


class EventTable(Cited):
    """A table of events. Its modifiers may be null: a turn track prints them."""

    title: str
    die: Dice
    rows: dict[SpanText, Word]
    drms: dict[Word, Modifier] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        names = tuple(self.rows)
        if twice := overlap(names):
            raise ValueError(f"rows: '{twice[0]}' and '{twice[1]}' hold the same roll")
        for total in totals_of(self.die):
            if span_of(names, total) is None:
                raise ValueError(f"rows: none for a roll of {total}")
        return self


class Marker(Strict):
    """One kind of marker in a cup; *count* is null where our sources do not give it."""

    count: int | None = Field(None, ge=0)
    returns: bool = Field(True, description="Whether it goes back into the cup after its turn")


class Cup(Cited):
    """Markers drawn without looking, in some turns."""

    title: str
    first_turn: int = 1
    last_turn: int | None = None
    markers: dict[Word, Marker] = Field(min_length=1)


class Events(Cited):
    """All events of a game; *start* is the table rolled on first."""

    events: dict[Word, Event] = Field(default_factory=dict)
    tables: dict[Word, EventTable] = Field(default_factory=dict)
    cups: dict[Word, Cup] = Field(default_factory=dict)
    start: Word | None = None

    @model_validator(mode="after")
    def _events_are_known(self) -> Self:
        used = {word for table in self.tables.values() for word in table.rows.values()}
        used |= {word for cup in self.cups.values() for word in cup.markers}
        if unknown := sorted(used - set(self.events)):
            raise ValueError(f"events: there is no event '{unknown[0]}'")
        onward = {one.then for one in self.events.values() if one.then} | {self.start or ""}
        if unknown := sorted(onward - set(self.tables) - {""}):
            raise ValueError(f"tables: there is no table '{unknown[0]}'")
        return self
