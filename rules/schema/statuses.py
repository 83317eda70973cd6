"""The states a unit can be in and the markers laid on the map, in the game's own words."""

from typing import Annotated, Literal

from pydantic import Field

from mapkit.texts import language
from rules.schema.cites import Cited, Word
from rules.schema.forces import Groups

MarkerPlace = Literal["hex", "hexside"]
Ends = Annotated[
    str | None,
    Field(description='Goes at the end of this phase, or of the "turn"; null: until it is taken'),
]
TURN = "turn"


class Titled(Cited):
    """A word that players see: its title, and the one or two signs a drawing has room for."""

    title: str
    titles: dict[Literal["de", "it"], str] = Field(
        default_factory=dict, description="The title in other languages"
    )
    sign: str = Field("", max_length=2, description="What a drawn counter shows of it")

    def told(self, n: int | None = None) -> str:
        """Return it in the language in use, with its points where it has any."""
        spoken = language()
        title = self.title if spoken == "en" else self.titles.get(spoken, self.title)
        return title if n is None else f"{n} {title}"


class StatusEntry(Titled):
    """One state of a unit. A *counted* one has points.

    *face* is the face of the counter that is up while it holds. *unless* are states without
    which it holds by itself: guns that do not fire are on their move side. With *steps_lost* it
    holds by itself once a unit has lost so many steps.
    """

    counted: bool = False
    face: Word | None = None
    groups: Groups = Field((), description="Who can be in it; empty: all units")
    unless: tuple[Word, ...] = ()
    steps_lost: int | None = Field(None, ge=1)
    shares_hex: bool = Field(False, description="May stand in one hex with enemies meanwhile")
    zone: bool = Field(True, description="Whether a unit in it has the zone of its class")
    ends: Ends = None


class MarkerEntry(Titled):
    """One kind of marker on the map. A *counted* one has a number: a level, a strength.

    With *features* it changes the ground: its number becomes their value, or, where it brings a
    *state* ("blown"), their state. *lays* names the list of a scenario that puts it down.
    """

    on: tuple[MarkerPlace, ...] = Field(min_length=1)
    counted: bool = False
    highest: int | None = Field(None, ge=1)
    features: tuple[Word, ...] = ()
    state: str = ""
    lays: Literal["trenches", "bridges_blown"] | None = None
    ends: Ends = None


Statuses = dict[Word, StatusEntry]
Markers = dict[Word, MarkerEntry]
