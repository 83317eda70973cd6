"""What units may do besides moving and fighting: tasks, and the conditions they stand under.

A condition's name says how things stand ("moved"), *holds* what the rule asks for (false: it may
not have). So a player can always say how things stand, by that name, where no board shows it.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.texts import language
from rules.schema.cites import Cite, Cited, Label, Word
from rules.schema.facts import Fact
from rules.schema.forces import Groups
from rules.schema.placement import Hexes, HexsideLabel

At = Literal["unit", "target", "opposite"]
Words = tuple[Word, ...]


class Base(Cited):
    """What all conditions share.

    *holds* is what is needed; where it is not so, *or_roll* lets a check decide. A condition may
    concern some *sides* or *classes* only. *waived* drops it: another reading of the rule.
    """

    holds: bool = True
    or_roll: Word | None = None
    sides: Words = ()
    classes: Groups = ()
    not_for: Groups = ()
    waived: bool = False


class Said(Base):
    """A fact; its word is the condition's own name where *fact* is left out."""

    kind: Literal["said"]
    fact: Word | None = None


class Bounded(Base):
    """A number between two ends, both included."""

    at_least: int | None = None
    at_most: int | None = None

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ValueError("at_least or at_most is needed")
        return self


class Count(Bounded):
    """A counted fact: points on the unit, how often something was done this turn."""

    kind: Literal["count"]
    fact: Word | None = None


class Printed(Bounded):
    """A value printed on the counter; where nobody knows it, the counter has to be looked at."""

    kind: Literal["printed"]
    value: Word


class Level(Bounded):
    """The number of a marker, or of the ground it stands for, in a hex or on the target hexside."""

    kind: Literal["level"]
    marker: Word
    at: At = "unit"


class EnemyZone(Base):
    """In an enemy zone of control."""

    kind: Literal["enemy_zone"]
    at: At = "unit"


class EnemyWithin(Base):
    """An enemy at most *n* hexes away: 0 is in the hex, 1 next to it.

    *but_target* leaves out those in the target hex, *not_counting* classes without influence.
    """

    kind: Literal["enemy_within"]
    n: int = Field(ge=0)
    at: At = "unit"
    who: Groups = ()
    not_counting: Groups = ()
    but_target: bool = False


class Within(Base):
    """The target at most *n* hexes away from the unit; a hexside is as near as its nearer hex."""

    kind: Literal["within"]
    n: int = Field(ge=0)


class FreePath(Base):
    """A way of at most *n* hexes to the target, on which no hex between holds an enemy or a zone.

    A friend in a hex negates the zone there where *friend_negates_zone* says so.
    """

    kind: Literal["free_path"]
    n: int = Field(ge=1)
    friend_negates_zone: bool = True


class Supplied(Base):
    """In supply."""

    kind: Literal["supplied"]


class GroundThere(Base):
    """Terrain or a feature of one of these kinds in the hex."""

    kind: Literal["ground"]
    words: Words = Field(min_length=1)
    at: At = "unit"


class SideThere(Base):
    """Something on the target hexside, or on that between unit and target hex.

    What is *opened_by* something that stands, or by a link where *unless_linked*, is not there.
    """

    kind: Literal["hexside"]
    words: Words = Field(min_length=1)
    state: Literal["any", "standing", "blown"] = "any"
    opened_by: Words = ()
    unless_linked: bool = False


class Company(Base):
    """A unit of some classes in the hex, of the own side.

    Where the map only prints such *ground*, nobody can tell whether the unit is still there.
    """

    kind: Literal["company"]
    who: Groups
    ground: Words = ()


class NearGround(Base):
    """At most *n* hexes from the ground that is nearest to a supplied unit of its formation."""

    kind: Literal["near_ground"]
    ground: Words = Field(min_length=1)
    n: int = Field(ge=0)


class FormationThere(Base):
    """Another unit of its formation on the map."""

    kind: Literal["formation_on_map"]


class InRange(Base):
    """The target within the range printed on the counter."""

    kind: Literal["in_range"]
    value: Word


class Observed(Base):
    """The target is observed; some hexes count as observed in one kind of fire (*unseen*)."""

    kind: Literal["observed"]
    unseen: Word | None = None


class OfNation(Base):
    """Of one of these nationalities; a side of one nation needs no look at the counter."""

    kind: Literal["nationality"]
    words: Words = Field(min_length=1)


class InTurns(Base):
    """In some turns, both ends included, of some scenarios; *usual* where nobody names them."""

    kind: Literal["in_turns"]
    first_turn: int | None = Field(None, ge=1)
    last_turn: int | None = Field(None, ge=1)
    scenarios: tuple[str, ...] = ()
    usual: bool | None = None


class FromHexes(Base):
    """Where the target is this hex, the unit stands in one of these; *usual* without a map."""

    kind: Literal["from_hexes"]
    target: Label
    hexes: Hexes
    usual: bool | None = None


class InWeather(Base):
    """The weather, or the light, is one of these; *usual* where nobody tells it."""

    kind: Literal["weather"]
    words: Words = Field(min_length=1)
    usual: bool | None = None


class AnyOf(Base):
    """At least one of several; one for some sides or classes is no way open to others."""

    kind: Literal["any_of"]
    of: "dict[Word, Condition]" = Field(min_length=2)


class AllOf(Base):
    """All of several, as one of the ways that an *any_of* leaves open."""

    kind: Literal["all_of"]
    of: "dict[Word, Condition]" = Field(min_length=2)


Condition = Annotated[
    Said
    | Count
    | Printed
    | Level
    | EnemyZone
    | EnemyWithin
    | Within
    | FreePath
    | Supplied
    | GroundThere
    | SideThere
    | Company
    | NearGround
    | FormationThere
    | InRange
    | Observed
    | OfNation
    | InTurns
    | FromHexes
    | InWeather
    | AnyOf
    | AllOf,
    Field(discriminator="kind"),
]
Conditions = dict[Word, Condition]


class Takes(Cited):
    """How long it takes: 1 is done in the same turn, 2 is ready in the next one.

    *ready* are the phases or steps at whose end it is ready. The first that fits counts: for some
    *classes*, from a *level* of the marker on. *below* instead waits until so few points are left
    of the status in *points*, one going with each recovery.
    """

    turns: int | None = Field(None, ge=1)
    ready: tuple[str, ...] = ()
    classes: Groups = ()
    level: int = 0
    marker: Word | None = None
    points: Word | None = None
    below: int | None = None


class Cost(Cited):
    """Points it costs, once or for every so many hexes or guns, or part of them."""

    points: str
    n: int = Field(ge=1)
    for_each: int = Field(1, ge=1)
    of: Literal["once", "hexes", "guns"] = "once"
    free_for: dict[Word, Cite] = Field(default_factory=dict)


class Effect(Cited):
    """One thing it does. *word* is a marker, a status or a procedure of combat, as *does* asks.

    What is *told* is said in our words; who *moves* goes *n* hexes.
    """

    does: Literal[
        "raises",
        "lowers",
        "clears",
        "lays",
        "takes_off",
        "opens",
        "sets",
        "ends",
        "adds",
        "takes",
        "eliminates",
        "gives_step",
        "brings_back",
        "attaches",
        "acts",
        "assaults",
        "fires",
        "moves",
        "told",
    ]
    word: Word | None = None
    n: int = 1
    classes: Groups = ()
    says: str = ""

    @model_validator(mode="after")
    def _told_has_words(self) -> Self:
        if (self.does == "told") != bool(self.says):
            raise ValueError("what is told, and only that, has its words in 'says'")
        return self


class Note(Cited):
    """What else holds while it is done, in our words."""

    says: str


class Task(Cited):
    """One thing a unit may do, in some phases of the turn (in their step where one is named).

    *must* makes it a duty. *target* is what it is aimed at, *at* the one hexside it is about.
    *check* is rolled for in any case. *finish* is what must be so for it to be completed later.
    """

    title: str
    titles: dict[Literal["de", "it"], str]
    phases: tuple[str, ...] = Field(min_length=1)
    step: str = ""
    sides: Words = ()
    who: Groups = Field((), description="Who may do it; empty: no unit does it")
    not_for: Groups = ()
    who_cite: Cite | None = None
    not_for_cite: Cite | None = None
    must: bool = False
    target: Literal["none", "hex", "hexside"] = "none"
    at: HexsideLabel | None = None
    conditions: Conditions = Field(min_length=1)
    check: Word | None = None
    cost: Cost | None = None
    takes: tuple[Takes, ...] = ()
    finish: Conditions = Field(default_factory=dict)
    effects: tuple[Effect, ...] = Field(min_length=1)
    notes: tuple[Note, ...] = ()

    def told(self) -> str:
        """Return its title in the language in use."""
        spoken = language()
        return self.title if spoken == "en" else self.titles.get(spoken, self.title)


Facts = dict[Word, Fact]
Tasks = dict[Word, Task]


def each_condition(conditions: Mapping[str, Condition]) -> Iterator[tuple[str, Condition]]:
    """Yield all conditions by name, those inside others too."""
    for name, one in conditions.items():
        yield name, one
        if isinstance(one, AnyOf | AllOf):
            yield from each_condition(one.of)


def said_word(name: str, condition: Condition) -> str:
    """Return the word a player says for a condition: a fact's, a value's, else its own name."""
    if isinstance(condition, Said | Count):
        return condition.fact or name
    if isinstance(condition, Printed):
        return condition.value
    if isinstance(condition, Level):
        return condition.marker
    return name
