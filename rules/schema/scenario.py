"""One scenario as data: when, where, with what, and how it is won.

Turns are counted from 1. What our sources lack is null or left out, and stands in `missing`.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cited, Label, Strict, Word
from rules.schema.open_points import Id
from rules.schema.placement import Constraint, Hexes, HexsideLabel, Placement, UnitId
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
    """First and last turn. The last one is said too, so that the two can be checked.

    Where the end is open, play goes on after them until something else ends it.
    """

    unit: TurnUnit
    count: int = Field(ge=1)
    first: Moment
    last: Moment
    day_begins: Annotated[int, Field(ge=0, le=23)] | None = Field(
        None, description="The hour of turn 1 as printed, where turns are numbered anew each day"
    )

    open_end: bool = False

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

    def printed(self, turn: int) -> int | None:
        """Return the number that the game prints for a turn; None where it is our own."""
        hour = self.moment(turn).hour
        if self.day_begins is None or hour is None:
            return None
        return (hour - self.day_begins) % 24 + 1

    @property
    def numbers(self) -> range:
        """The turns by number, the first is 1."""
        return range(1, self.count + 1)

    @property
    def final(self) -> int | None:
        """The turn that ends the game; None where its end is open."""
        return None if self.open_end else self.count


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
    """Points lost when the enemy captures a hex: the first time, or *each_time*."""

    hex: Label
    points: int = Field(ge=1)
    each_time: bool = False


class Fall(Strict):
    """What a track loses at the end of a turn once another count of that side is so high."""

    word: Word = Field(description="The word that the other count is kept under")
    at_least: int = Field(ge=1)
    points: int = Field(ge=1)


class Pool(Cited):
    """The points of a side, or of one wing of it. *start* is null where they are unlimited.

    A track has a *lowest* and a *highest* number. The highest of its *falls* that is reached
    counts at the end of a turn; one that *resets* then goes back to where it started.
    """

    side: Word
    wing: Word | None = None
    name: str
    start: int | None = None
    unlimited: bool = False
    gains: tuple[Gain, ...] = ()
    losses: tuple[PointLoss, ...] = ()
    lowest: int | None = None
    highest: int | None = None
    falls: tuple[Fall, ...] = ()
    resets: bool = False

    @model_validator(mode="after")
    def _start_or_unlimited(self) -> Self:
        if self.unlimited == (self.start is not None):
            raise ValueError("points either start with a number or are unlimited")
        return self

    def fallen(self, counts: Mapping[str, int]) -> Fall | None:
        """Return the fall that counts of a side bring about; None where they are too low."""
        reached = [one for one in self.falls if counts.get(one.word, 0) >= one.at_least]
        return max(reached, key=lambda one: one.at_least, default=None)

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


class Withdrawal(Cited):
    """Units that leave for good in a turn: *n* of a nation and class, or one that is named."""

    turn: TurnNumber
    side: Word
    n: int = Field(1, ge=1)
    who: Word | None = Field(None, description="A class or group")
    nationality: Word | None = None
    unit: UnitId | None = None

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if (self.who is None) == (self.unit is None) or (self.unit and self.n != 1):
            raise ValueError("name either one unit or a class with a number")
        return self


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


class ControlAtStart(Cited):
    """Hexes that a side controls when the scenario begins, whoever stands there."""

    side: Word
    hexes: Hexes


class Shared(Strict):
    """Scenarios whose placements, trenches or secret objectives hold here too."""

    placements: tuple[Id, ...] = ()
    trenches: tuple[Id, ...] = ()
    objectives: Id | None = None


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
    control_at_start: tuple[ControlAtStart, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    special: tuple[RuleReference, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
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
