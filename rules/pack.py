"""A rules pack: one game as data, checked at the door.

`pack.toml` holds who the game is, how its map is numbered, its words for ground and units, and its
rules of sight, zones and supply; `tables.toml` its tables and combat, `tasks.toml` what units may
do besides, `faces.toml` what counters print, `open_points.toml` what the rules leave open and
what our sources lack. Every entry cites a rule, table or chart. What a pack does not know is
null.
"""

from collections.abc import Mapping
from importlib.abc import Traversable
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from mapkit.kinds import Group
from rules.errors import PackError, RulesError
from rules.pack_files import read_toml, told_faults
from rules.pack_words import unknown_words
from rules.schema.cites import Cite, Cited, Strict, Word
from rules.schema.combat import Procedure
from rules.schema.command import Command
from rules.schema.counters import PrintedCounter
from rules.schema.events import Events
from rules.schema.forces import Classes, Facing, Levels, Sides
from rules.schema.layout import Layout
from rules.schema.losses import Losses
from rules.schema.movement import Costs, Movement, WeatherMove
from rules.schema.open_points import Assumption, Id, Missing, NotJudged
from rules.schema.results import Grammar
from rules.schema.retreat import Retreat
from rules.schema.sight import SightRules
from rules.schema.stacking import Stacking
from rules.schema.statuses import Markers, Statuses
from rules.schema.supply import Supply
from rules.schema.tables import Check, Table
from rules.schema.tasks import Facts, Tasks
from rules.schema.zones import Zones

PARTS = (
    "tables.toml",
    "tasks.toml",
    "faces.toml",
    "open_points.toml",
)  # files a pack may have of its own
BOUND_GROUPS: tuple[Group, ...] = ("terrain", "features", "hexsides", "links")


class KindEntry(Cited):
    """One word of the game's own vocabulary, and what it costs to move into, over or along it.

    What the rules take for granted is said here: terrain that has a hexside *all_round*, a
    hexside that is *crossed_by* something, a link that brings its own *bridge* over such a one.
    """

    costs: Costs = Field(default_factory=dict)
    all_round: Word | None = None
    crossed_by: tuple[Word, ...] = ()
    bridge: Word | None = None
    role: Word | None = Field(None, description="What mapmakers call it, where the word is ours")


class Weather(Cited):
    """One kind of weather, and the hexes it lies on: all, or some levels or ground.

    *together* are several kinds at once, each on its own hexes. *sees_to* is how far one sees at
    most in it, where the rule of sight has no reach of its own for it.
    """

    title: str
    level_from: int | None = None
    level_to: int | None = None
    ground: tuple[Word, ...] = ()
    or_high_mountain: bool = Field(False, description="Or from the level of high mountain on")
    together: tuple[Word, ...] = ()
    sees_to: int | None = Field(None, ge=0)
    moves: dict[Word, WeatherMove] = Field(default_factory=dict)
    chart: dict[Word, Costs] = Field(
        default_factory=dict,
        description="Costs to enter ground or cross hexsides that take the place of the usual",
    )


class Pack(Strict):
    """One game."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    title: str
    publisher: str | None = None
    year: int | None = None
    allowance: Word | None = Field(None, description="The value of a counter that it moves by")
    layout: Layout
    terrain: dict[Word, KindEntry] = Field(default_factory=dict)
    features: dict[Word, KindEntry] = Field(default_factory=dict)
    hexsides: dict[Word, KindEntry] = Field(default_factory=dict)
    links: dict[Word, KindEntry] = Field(default_factory=dict)
    sides: Sides = Field(default_factory=dict)
    classes: Classes = Field(default_factory=dict)
    counters: tuple[PrintedCounter, ...] = ()
    facing: Facing | None = Field(None, description="Who faces a way; null: nobody says so")
    levels: Levels | None = None
    weather: dict[Word, Weather] = Field(default_factory=dict)
    statuses: Statuses = Field(default_factory=dict)
    markers: Markers = Field(default_factory=dict)
    boxes: dict[Word, Cite] = Field(
        default_factory=dict, description="Boxes beside the map that units lie in, and the rule"
    )
    sight: SightRules | None = None
    zones: Zones | None = None
    supply: Supply | None = None
    movement: Movement | None = None
    stacking: Stacking | None = None
    command: Command | None = None
    retreat: Retreat | None = None
    tables: dict[Word, Table] = Field(default_factory=dict)
    results: dict[Word, Grammar] = Field(default_factory=dict)
    checks: dict[Word, Check] = Field(default_factory=dict)
    combat: dict[Word, Procedure] = Field(default_factory=dict)
    losses: Losses | None = None
    facts: Facts = Field(default_factory=dict)
    tasks: Tasks = Field(default_factory=dict)
    events: Events | None = None
    no_rule: dict[Word, Cite] = Field(
        default_factory=dict, description="What the game has no rule for: no line of sight"
    )
    assumptions: dict[Id, Assumption] = Field(default_factory=dict)
    missing: dict[Id, Missing] = Field(default_factory=dict)
    not_judged: dict[Id, NotJudged] = Field(default_factory=dict)

    def words(self, group: Group) -> frozenset[str]:
        """Return the game's words of one group."""
        if group == "areas":
            return frozenset()
        kinds: dict[str, KindEntry] = getattr(self, group)
        return frozenset(kinds)

    @property
    def groups(self) -> frozenset[str]:
        """Every word for units: classes, and the groups they belong to."""
        return frozenset(self.classes) | {
            group for class_ in self.classes.values() for group in class_.groups
        }

    @property
    def minds_control(self) -> bool:
        """Whether it matters to a move who holds which hex."""
        sides = self.movement.sides.values() if self.movement else ()
        return any(one.opened_when_held for one in sides)

    def side(self, name: str) -> str:
        """Return the id of a side by its id, title, code or nationality.

        Raises:
            RulesError: the game has no such side.
        """
        wanted = name.casefold()
        for id_, side in self.sides.items():
            known = (id_, side.title, *side.codes, *side.nationalities)
            if wanted in (one.casefold() for one in known):
                return id_
        if not self.sides:
            raise RulesError(f"the pack of {self.title} holds no rules for its sides yet")
        raise RulesError(f"{self.title} has no side '{name}'; there is: {', '.join(self.sides)}")

    def enemy_of(self, side: str) -> str:
        """Return the other side; "" where the game has none."""
        return next((other for other in self.sides if other != side), "")

    @model_validator(mode="after")
    def _words_are_known(self) -> Self:
        wrong = list(unknown_words(self))
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    @model_validator(mode="after")
    def _weather_shortens_sight(self) -> Self:
        if self.sight is None:
            return self
        short = {
            word: self.sight.reach.shortened(one.sees_to, one.cite)
            for word, one in self.weather.items()
            if one.sees_to is not None and word not in self.sight.weather
        }
        if not short:
            return self
        sight = self.sight.model_copy(update={"weather": {**self.sight.weather, **short}})
        return self.model_copy(update={"sight": sight})

    def assumptions_about(self, *parts: str) -> tuple[str, ...]:
        """Return the assumptions that touch some parts of the pack: `sight.reach`."""
        steps = [part.split(".") for part in parts]
        above = {".".join(way[:n]) for way in steps for n in range(1, len(way) + 1)}
        below = tuple(f"{part}." for part in parts)
        return tuple(
            name
            for name, assumption in self.assumptions.items()
            if any(about in above or about.startswith(below) for about in assumption.about)
        )


def load_pack(folder: Traversable, expected: str, choices: Mapping[str, str] | None = None) -> Pack:
    """Return the pack in a folder; *choices* picks other readings of what the rules leave open.

    Raises:
        PackError: its files do not read, or a choice is none; the message names file and key.
    """
    file = folder / "pack.toml"
    raw = read_toml(file)
    if raw is None:
        raise PackError(f"the rules pack '{expected}' cannot be read: there is no {file}")
    for part in PARTS:
        raw |= read_toml(folder / part) or {}
    for name, choice in (choices or {}).items():
        _choose(raw, name, choice)
    try:
        pack = Pack.model_validate(raw)
    except ValidationError as error:
        raise PackError(f"{file}: {told_faults(error)}") from None
    if pack.id != expected:
        raise PackError(f"{file}: its id is '{pack.id}', but it is registered as '{expected}'")
    return pack


def _choose(raw: dict[str, Any], name: str, choice: str) -> None:
    """Put an alternative's values in the place of ours."""
    known = raw.get("assumptions", {})
    if name not in known:
        raise PackError(f"there is no open question '{name}'; there is: {', '.join(known)}")
    alternatives = known[name].get("alternatives", {})
    if choice not in alternatives:
        raise PackError(
            f"the question '{name}' has no answer '{choice}'; there is: "
            f"{', '.join(alternatives) or 'none but ours'}"
        )
    known[name]["chosen"] = choice
    for path, value in alternatives[choice].get("set", {}).items():
        *parents, last = path.split(".")
        place: Any = raw
        for step in parents:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        place[last] = value
