"""One scenario as data: when, where, with what, and how it is won.

Turns are counted from 1. What our sources lack is null or left out, and stands in `missing`.
"""

from datetime import date, timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cited, Label, Strict, Word
from rules.schema.open_points import Id
from rules.schema.placement import Constraint, HexsideLabel, Placement, UnitId
from rules.schema.victory import Victory

TurnNumber = Annotated[int, Field(ge=1)]
TurnUnit = Literal["hour", "half_day", "day", "month"]
Part = Literal["morning", "evening"]
Forbidden = Literal[
    "move", "strategic_move", "change_mode", "activate", "fire", "bombard", "attach", "artillery"
]


class Moment(Strict):
    """When a turn takes place: a day, with its half or its hour where turns are shorter."""

    date: date
    part: Part | None = None
    hour: Annotated[int, Field(ge=0, le=23)] | None = None


class Turns(Cited):
    """First and last turn. The last one is said too, so that the two can be checked."""

    unit: TurnUnit
    count: int = Field(ge=1)
    first: Moment
    last: Moment

    @model_validator(mode="after")
    def _last_turn_is_the_last(self) -> Self:
        if self.moment(self.count) != self.last:
            raise ValueError(f"turn {self.count} is not {self.last.date} {self.last.part or ''}")
        return self

    def moment(self, turn: int) -> Moment:
        """Return when a turn takes place."""
        passed = turn - 1
        day = self.first.date
        if self.unit == "day":
            return self.first.model_copy(update={"date": day + timedelta(days=passed)})
        if self.unit == "half_day":
            halves = passed + (self.first.part == "evening")
            part: Part = "evening" if halves % 2 else "morning"
            return Moment(date=day + timedelta(days=halves // 2), part=part)
        if self.unit == "month":
            months = day.year * 12 + day.month - 1 + passed
            return Moment(date=day.replace(year=months // 12, month=months % 12 + 1))
        hours = (self.first.hour or 0) + passed
        return Moment(date=day + timedelta(days=hours // 24), hour=hours % 24)

    @property
    def numbers(self) -> range:
        """The turns by number, the first is 1."""
        return range(1, self.count + 1)


class Area(Cited):
    """The playing area: hexes for which all constraints hold; none means the whole map."""

    maps: tuple[str, ...] = Field((), description="Which sheets are used, where not all")
    all_of: tuple[Constraint, ...] = ()


class SetUpOrder(Cited):
    """Who sets up first, then who."""

    sides: tuple[Word, ...] = Field(min_length=1)


class Initiative(Cited):
    """Who has the initiative in every turn, where the rules do not leave it open."""

    side: Word


class SomeTurns(Strict):
    """Some turns, both ends included."""

    first: TurnNumber
    last: TurnNumber

    def __contains__(self, turn: int) -> bool:
        return self.first <= turn <= self.last


class Gain(SomeTurns):
    """Points added in each of some turns."""

    points: int = Field(ge=1)


class PointLoss(Strict):
    """Points lost once the enemy first captures a hex."""

    hex: Label
    points: int = Field(ge=1)


class Pool(Cited):
    """The points of a side, or of one wing of it. *start* is null where they are unlimited."""

    side: Word
    wing: Word | None = None
    name: str
    start: int | None = None
    unlimited: bool = False
    gains: tuple[Gain, ...] = ()
    losses: tuple[PointLoss, ...] = ()

    @model_validator(mode="after")
    def _start_or_unlimited(self) -> Self:
        if self.unlimited == (self.start is not None):
            raise ValueError("points either start with a number or are unlimited")
        return self

    def gained(self, turn: int) -> int:
        """Return what is added in a turn."""
        return sum(gain.points for gain in self.gains if turn in gain)


class Spell(SomeTurns):
    """The weather of some turns."""

    weather: Word


class WeatherCalendar(Cited):
    """The weather turn by turn, as far as it is known."""

    spells: tuple[Spell, ...] = ()

    def on(self, turn: int) -> str | None:
        """Return the weather of a turn; None where our sources lack it."""
        return next((spell.weather for spell in self.spells if turn in spell), None)


class Events(Cited):
    """From which turn on events take place; null is never."""

    first_turn: TurnNumber | None = None


class Trenches(Cited):
    """Trenches at the start: in some hexes, or all along a side's front line."""

    side: Word
    level: int = Field(ge=1)
    hexes: tuple[Label, ...] = ()
    front_line: bool = False
    note: str = ""


class BlownBridge(Cited):
    """A bridge that is down when the scenario begins."""

    hexside: HexsideLabel


class Restriction(Cited):
    """What some units may not do, and until when. An empty choice of units means all.

    *ends_when* is what lifts it before its last turn, in our words.
    """

    side: Word
    groups: tuple[Word, ...] = ()
    formations: tuple[str, ...] = ()
    corps: str | None = None
    area: Word | None = Field(None, description="Only units in this area of the map")
    forbids: tuple[Forbidden, ...] = Field(min_length=1)
    against_area: Word | None = Field(None, description="Only fire into this area")
    except_corps: str | None = Field(None, description="May still be attached to this corps")
    first: TurnNumber = 1
    last: TurnNumber | None = Field(None, description="Null is the whole scenario")
    ends_when: str = ""

    def holds_on(self, turn: int) -> bool:
        """Tell whether it holds in a turn, unless something lifted it."""
        return self.first <= turn and (self.last is None or turn <= self.last)


class RuleReference(Cited):
    """A rule at hand that governs the scenario; *term* picks one of several of that number."""

    term: str = ""


class Exchange(Cited):
    """Formations taken off in a turn and put back, rebuilt, at a placement."""

    turn: TurnNumber
    side: Word
    formations: tuple[str, ...] = Field(min_length=1)
    placement: Id
    rebuilt: bool
    surrendered_if_unsupplied: bool = False
    free_from: TurnNumber | None = None


class Borrowed(Cited):
    """Units that this scenario's own lists leave out but that another's set-up supplies."""

    scenario: Id
    units: tuple[UnitId, ...] = Field(min_length=1)
    assumption: Id


class Shared(Strict):
    """Scenarios whose placements or trenches hold here too."""

    placements: tuple[Id, ...] = ()
    trenches: tuple[Id, ...] = ()


class ScenarioFile(Cited):
    """One scenario of a pack; its units stand in the CSV file of the same name, if any."""

    id: Id
    number: int
    title: str
    introductory: bool = False
    campaign: bool = False
    turns: Turns
    area: Area
    order: SetUpOrder
    initiative: Initiative | None = Field(None, description="Null: as the rules decide")
    points: tuple[Pool, ...] = ()
    weather: WeatherCalendar
    events: Events | None = Field(None, description="Null where the game has none")
    use: Shared = Shared()
    placements: dict[Id, Placement] = Field(default_factory=dict)
    trenches: tuple[Trenches, ...] = ()
    bridges_blown: tuple[BlownBridge, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    special: tuple[RuleReference, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    borrowed: tuple[Borrowed, ...] = ()
    victory: Victory
    assumptions: tuple[Id, ...] = Field((), description="Open questions of the pack it rests on")
    missing: dict[Word, Id] = Field(
        default_factory=dict, description="A part that is lacking: what the pack calls it"
    )


class Formation(Cited):
    """A formation that units belong to and that set-up lists name."""

    title: str
    side: Word
    kind: Literal["brigade", "regiment", "division", "corps", "militia", "artillery"]
    corps: str | None = None
    also: tuple[str, ...] = Field((), description="Other names in the set-up lists")
