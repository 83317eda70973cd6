"""Sides, nationalities and classes of units: who plays, and with what."""

from typing import Annotated, Literal

from pydantic import Field

from rules.schema.cites import Cited, Label, Word

Groups = Annotated[tuple[Word, ...], Field(description="Classes or groups of units")]


class Side(Cited):
    """One side of the game; *codes* are how lists and maps abbreviate it."""

    title: str
    nationalities: tuple[Word, ...] = Field(min_length=1)
    codes: tuple[str, ...] = ()


class UnitClass(Cited):
    """One class of unit, and the groups that rules speak of it by.

    A rule about `infantry` holds for every class of that group; a class is a group of itself.
    """

    title: str
    groups: tuple[Word, ...] = ()
    steps: int | None = Field(None, description="Steps of a full unit; null where counters differ")
    codes: tuple[str, ...] = Field((), description="How set-up lists abbreviate it")


class Facing(Cited):
    """Units that face one side of their hex; all others face no way."""

    groups: Groups = Field(min_length=1)


# The level from which on it is high mountain, and the lowest that may be: None where there is none.
HighFrom = tuple[int | None, int | None]


class Raised(Cited):
    """Hexes that count as higher than the map shows, for sight only.

    So many levels *by* above the highest of their neighbours, or above what they are themselves.
    """

    hexes: tuple[Label, ...] = Field(min_length=1)
    by: int = Field(ge=1)
    above: Literal["neighbours", "itself"]


class Levels(Cited):
    """The levels of the map; a hex has the level at its centre."""

    lowest: int | None = None
    highest: int | None = None
    high_mountain: int | None = Field(None, description="From this level on it is high mountain")
    never_high: int | None = Field(None, description="Up to this level it never is, in any case")
    shown_as: tuple[Word, ...] = Field(
        (), description="Terrain that maps show high mountain by; one that does leaves no doubt"
    )
    raised: tuple[Raised, ...] = ()


Sides = dict[Word, Side]
Classes = dict[Word, UnitClass]


def classes_in(groups: tuple[str, ...], classes: Classes) -> frozenset[str]:
    """Return the ids of all classes that belong to one of the groups."""
    wanted = set(groups)
    return frozenset(name for name, class_ in classes.items() if wanted & {name, *class_.groups})
