"""Stacking: how many may stand in a hex, who counts with what, and what it costs to be too many."""

from typing import Annotated, Literal

from pydantic import Field

from rules.schema.cites import Cite, Cited, Exact, Word
from rules.schema.forces import Groups

Measure = Literal["units", "sizes", "printed"]
Checked = Literal["end_of_movement", "combat", "retreat", "set_up"]
After = Literal["retreat", "arrival", "any"]
# A number; any number; or null: not in our sources.
Most = Annotated[int | Literal["any"] | None, Field(description="null: not in our sources")]


class Limit(Cited):
    """A limit that holds on some ground or beside some units; the first that fits is taken."""

    most: Most = None
    in_units: bool = Field(False, description="Counted in units, whatever the measure")
    ground: tuple[Word, ...] = ()
    level_from: int | None = None
    level_to: int | None = None
    or_high_mountain: bool = Field(False, description="Or from the level of high mountain on")
    beside: Groups = Field((), description="Only where such a unit stands in the hex")
    without: Groups = Field((), description="Only where no such unit stands in the hex")


class InState(Cited):
    """Units that are meant only in some state.

    *statuses* and *faces* tell that a unit is in it, *else_statuses* and *else_faces* that it is
    not. What neither tells is asked for.
    """

    statuses: tuple[Word, ...] = ()
    faces: tuple[Word, ...] = ()
    else_statuses: tuple[Word, ...] = ()
    else_faces: tuple[Word, ...] = ()

    @property
    def by_state(self) -> bool:
        """Whether it matters in which state a unit is."""
        return bool(self.statuses or self.faces)


class Raised(InState):
    """A limit that grows near somebody: a headquarters that looks after the next hexes."""

    by: Groups
    add: int
    within: int = 1
    own_hex: bool = Field(True, description="Whether the limit of its own hex grows too")
    ground: tuple[Word, ...] = ()
    nationalities: tuple[Word, ...] = Field((), description="Whose stacks; empty: all")


class Pool(InState):
    """Units that count together and apart from all others.

    *who* empty is everybody whom no pool before it takes. A state narrows it: guns on their fire
    side.
    """

    who: Groups = ()
    most: Most = None
    limits: tuple[Limit, ...] = ()
    raised: tuple[Raised, ...] = ()


class Nations(Cited):
    """Units of different nationalities may not stand in one hex, but for those named *together*."""

    together: tuple[tuple[Word, ...], ...] = ()


class Size(Cited):
    """How a size counts: so many *together*, or fewer, make one."""

    together: int = Field(1, ge=1)


class OfSize(Cited):
    """The size that all units of a class have."""

    size: Word


class Free(Cited):
    """Units that stack for nothing, up to so many in a hex."""

    who: Groups
    sizes: tuple[Word, ...] = Field((), description="Of these sizes only; empty: any")
    most: int = Field(ge=1)


class OneRegiment(Cited):
    """Units of one regiment may all stand together; only as many as the limit says fight."""

    pool: Word


class StackingException(Cited):
    """What a scenario allows to some. *formations* empty: which they are is not in our sources."""

    scenario: Word
    set_up_only: bool = False
    side: Word
    of: str = Field(description="Who they are, as the set-up list calls them")
    formations: tuple[str, ...] = ()
    pool: Word
    most: int


class OverStacked(Cited):
    """What befalls the units of a hex that holds too many, where nothing else was possible."""

    disorganization: int = 0
    eliminated: bool = Field(False, description="What is too much is taken off the map")
    falls_on: Groups = Field((), description="Empty: all units")
    most_per_turn: int | None = None
    surrender: bool = Field(True, description="Whether these points can make a unit surrender")
    surrender_cite: Cite | None = None
    after: tuple[After, ...]
    after_cite: Cite | None = None


class OnRoads(Cited):
    """Who closes a hex to others that move at the road rate."""

    pools: tuple[Word, ...]
    never: Groups = ()
    from_: Exact = Field(1, alias="from", description="From this count on the road is closed")


class Stacking(Cited):
    """The rule of stacking of one game; each side of a hex is counted by itself.

    *measure* counts units, their sizes, or a value printed on the counter.
    """

    measure: Measure
    printed: Word | None = Field(None, description="The printed value that is counted")
    sizes: dict[Word, Size] = Field(default_factory=dict)
    of_size: dict[Word, OfSize] = Field(default_factory=dict)
    one_each: dict[Word, Cite] = Field(
        default_factory=dict, description="Units that count one whatever their size"
    )
    never: dict[Word, Cite] = Field(default_factory=dict, description="Units that never count")
    pools: dict[Word, Pool] = Field(min_length=1)
    free: dict[Word, Free] = Field(default_factory=dict)
    nations: Nations | None = Field(None, description="null: all of a side stand together")
    one_regiment: OneRegiment | None = None
    exceptions: dict[Word, StackingException] = Field(default_factory=dict)
    checked: tuple[Checked, ...]
    checked_cite: Cite
    assault_cite: Cite | None = Field(
        None, description="Where an assaulted hex holds both sides; null: not in our sources"
    )
    arrival_cite: Cite | None = Field(
        None, description="Set where arrivals may be too many until they have moved"
    )
    over: OverStacked | None = None
    roads: OnRoads | None = None
