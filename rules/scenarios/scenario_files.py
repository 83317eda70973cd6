"""The scenarios of a pack, read and checked: `scenarios/*.toml`, each with its units as CSV.

Beside them, `formations.toml` names the formations and `victory.toml` says what scores in every
scenario. A placement `hex-0305` in a table of units needs no entry: it is that hex.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.abc import Traversable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from counters.model import Unit
from counters.units_table import UnitRow, load_unit_rows
from mapkit.errors import Fault, MapkitError, TableError
from rules.errors import PackError, RulesError
from rules.pack import Pack
from rules.pack_files import read_toml, told_faults
from rules.registry import find_pack, pack_folder
from rules.scenarios.deployment import SET_UP, Deployed, parse_statuses
from rules.scenarios.scenario_answers import (
    Answer,
    Choice,
    answered_scenario,
    answered_scoring,
    answered_units,
    answers_of,
    choosing,
    scenario_choices,
    unknown_scenarios,
)
from rules.scenarios.scenario_check import faults_of_file, faults_of_scoring
from rules.schema.open_points import Id
from rules.schema.placement import InHexes, Placement
from rules.schema.scenario import Formation, ScenarioFile, Trenches
from rules.schema.victory import Scoring, SecretObjectives

FURTHER = ("turn", "placement", "statuses", "note")

_HEX = re.compile(r"hex-(\d{4})", re.ASCII)
_Model = TypeVar("_Model")


@dataclass(frozen=True)
class Scenario:
    """One scenario of a game: what its file says, and every unit with its place."""

    file: ScenarioFile
    placements: Mapping[str, Placement]
    trenches: tuple[Trenches, ...] = ()
    deployed: tuple[Deployed, ...] = ()
    objectives: SecretObjectives | None = None

    @property
    def id(self) -> str:
        """The id of the scenario."""
        return self.file.id

    @property
    def listed(self) -> tuple[Deployed, ...]:
        """The units of its own table, without those borrowed from another scenario."""
        borrowed = {unit for one in self.file.borrowed for unit in one.units}
        return tuple(one for one in self.deployed if one.unit.id not in borrowed)

    def arriving(self, turn: int) -> tuple[Deployed, ...]:
        """Return the units that come in a turn; turn 0 is the set-up."""
        return tuple(one for one in self.deployed if one.turn == turn)


@dataclass(frozen=True)
class Scenarios:
    """All scenarios of one game, in their order."""

    pack: Pack
    scenarios: tuple[Scenario, ...] = ()
    formations: Mapping[str, Formation] = field(default_factory=dict)
    scoring: Scoring | None = None

    def find(self, name: str) -> Scenario:
        """Return the scenario of an id, or of its number.

        Raises:
            RulesError: there is none; the message names those there are.
        """
        for scenario in self.scenarios:
            if name.casefold() in (scenario.id, str(scenario.file.number)):
                return scenario
        known = ", ".join(scenario.id for scenario in self.scenarios)
        raise RulesError(f"{self.pack.title} has no scenario '{name}'; there is: {known or 'none'}")


@cache
def find_scenarios(game: str) -> Scenarios:
    """Return the scenarios of a game, by our answers to what its rules leave open.

    Raises:
        PackError: there is no such game, or its files do not read.
    """
    return load_scenarios(pack_folder(game), find_pack(game))


def scenarios_of(pack: Pack) -> Scenarios:
    """Return the scenarios of a game as its owner reads the rules.

    Raises:
        PackError: an answer that the owner chose does not fit the files of the scenarios.
    """
    choices = scenario_choices(pack)
    found = _by_choices(pack.id, choices) if choices else find_scenarios(pack.id)
    return found if found.pack is pack else replace(found, pack=pack)


@cache
def _by_choices(game: str, choices: frozenset[Choice]) -> Scenarios:
    return load_scenarios(pack_folder(game), choosing(find_pack(game), choices))


def load_scenarios(folder: Traversable, pack: Pack) -> Scenarios:
    """Return the scenarios in a pack's folder; none where it has none yet.

    Answers that the pack's owner chose are put into their files.

    Raises:
        PackError: a file does not read; the message names every fault.
    """
    answers = answers_of(pack)
    formations = _read(folder / "formations.toml", TypeAdapter(dict[Id, Formation])) or {}
    home = folder / "scenarios"
    files = sorted(home.iterdir(), key=lambda path: path.name) if home.is_dir() else []
    paths = [path for path in files if path.name.endswith(".toml")]
    scoring, read = _read_answered(folder / "victory.toml", paths, answers)
    by_id = {file.id: file for file in read.values()}
    loaded: dict[str, Scenario] = {}
    for path, file in sorted(read.items(), key=lambda item: item[1].number):
        faults = list(faults_of_file(path.name, file, by_id, pack, formations, scoring))
        if faults:
            raise PackError.listing(str(path), faults)
        units = home / path.name.replace(".toml", ".csv")
        loaded[file.id] = _load(file, by_id, units, pack, formations, answers)
    if scoring and (faults := list(faults_of_scoring(scoring, pack))):
        raise PackError.listing(str(folder / "victory.toml"), faults)
    complete = [_with_borrowed(scenario, loaded) for scenario in loaded.values()]
    return Scenarios(pack, tuple(complete), formations, scoring)


def _load(
    file: ScenarioFile,
    by_id: Mapping[str, ScenarioFile],
    units: Traversable,
    pack: Pack,
    formations: Mapping[str, Formation],
    answers: tuple[Answer, ...],
) -> Scenario:
    placements: dict[str, Placement] = {}
    for name in file.use.placements:
        placements |= by_id[name].placements
    placements |= file.placements
    trenches = [one for name in file.use.trenches for one in by_id[name].trenches]
    deployed: tuple[Deployed, ...] = ()
    if units.is_file():
        reader = _Units(file, pack, formations, placements, answers)
        deployed = reader.read(units)
        placements = reader.placements
    source = by_id[file.use.objectives] if file.use.objectives else file
    everywhere = (*trenches, *file.trenches)
    return Scenario(file, placements, everywhere, deployed, source.victory.objectives)


class _Units:
    """Reads the units of one scenario and collects every cell that cannot be."""

    def __init__(
        self,
        file: ScenarioFile,
        pack: Pack,
        formations: Mapping[str, Formation],
        placements: Mapping[str, Placement],
        answers: tuple[Answer, ...],
    ) -> None:
        self.placements = dict(placements)
        self._faults: list[Fault] = []
        self._file = file
        self._pack = pack
        self._formations = formations
        self._answers = answers
        self._numbering = pack.layout.any_numbering()

    def read(self, path: Traversable) -> tuple[Deployed, ...]:
        try:
            rows = load_unit_rows(path.read_bytes(), source=str(path), further=FURTHER)
        except TableError as error:
            raise PackError(str(error)) from None
        rows, self._faults = answered_units(self._file.id, rows, self._answers)
        deployed = tuple(map(self._deploy, rows))
        listed = {one.unit.id for one in deployed}
        for name, placement in self.placements.items():
            units = [unit for one in placement.all_of for unit in getattr(one, "units", ())]
            if any(one.placement == name for one in deployed):
                for unit in set(units) - listed:
                    self._bad(path.name, f"'{name}' names the unit '{unit}'", "list that unit")
        if self._faults:
            raise PackError.listing(str(path), self._faults)
        return deployed

    def _deploy(self, row: UnitRow) -> Deployed:
        return Deployed(
            self._complete(row.unit, row.place),
            self._turn(row),
            self._placement(row),
            self._statuses(row),
            row.further["note"],
        )

    def _complete(self, unit: Unit, place: str) -> Unit:
        """Fill in what the pack says of a unit's side and class."""
        side = self._pack.sides.get(unit.side)
        class_ = self._pack.classes.get(unit.class_)
        if side is None:
            self._bad(place, f"no side '{unit.side}'", f"there is: {', '.join(self._pack.sides)}")
            return unit
        if class_ is None:
            known = ", ".join(self._pack.classes)
            self._bad(place, f"no class of unit '{unit.class_}'", f"there is: {known}")
            return unit
        if problem := stranger(unit, self._formations):
            self._bad(place, problem, "list it in formations.toml")
        only = side.nationalities[0] if len(side.nationalities) == 1 else ""
        return replace(
            unit,
            nationality=unit.nationality or only,
            steps=class_.steps if unit.steps is None else unit.steps,
        )

    def _turn(self, row: UnitRow) -> int:
        text, last = row.further["turn"], self._file.turns.count
        if not text:
            return SET_UP
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= last):
            self._bad(row.place, f"no turn '{text}'", f"write 1 to {last}; nothing is the set-up")
            return SET_UP
        return int(text)

    def _placement(self, row: UnitRow) -> str:
        name = row.further["placement"]
        match = _HEX.fullmatch(name)
        if match and name not in self.placements:
            try:
                self._numbering.parse_label(match[1])
            except MapkitError as error:
                self._bad(row.place, str(error), "correct the hex")
            hexes = InHexes(kind="hexes", hexes=(match[1],))
            self.placements[name] = Placement(name="", all_of=(hexes,), cite=self._file.cite)
        elif name not in self.placements:
            remedy = f"define it in {self._file.id}.toml, or name a hex: hex-0305"
            self._bad(row.place, f"no placement '{name}'", remedy)
        return name

    def _statuses(self, row: UnitRow) -> tuple[Any, ...]:
        try:
            return parse_statuses(row.further["statuses"], self._pack.statuses)
        except ValueError as error:
            self._bad(row.place, str(error), "correct the state")
            return ()

    def _bad(self, place: str, problem: str, remedy: str) -> None:
        self._faults.append(Fault(place, problem, remedy))


def stranger(unit: Unit, formations: Mapping[str, Formation]) -> str:
    """Tell that a unit belongs to no formation of its side; "" where it does, or to none at all."""
    formation = formations.get(unit.formation)
    if not unit.formation or (formation is not None and formation.side == unit.side):
        return ""
    return f"side '{unit.side}' has no formation '{unit.formation}'"


def _with_borrowed(scenario: Scenario, loaded: Mapping[str, Scenario]) -> Scenario:
    """Add the units that another scenario's set-up supplies."""
    more: list[Deployed] = []
    placements = dict(scenario.placements)
    for borrowed in scenario.file.borrowed:
        source = loaded[borrowed.scenario]
        found = {one.unit.id: one for one in source.deployed}
        lost = [unit for unit in borrowed.units if unit not in found]
        if lost:
            raise PackError(f"scenario '{source.id}' has no units {', '.join(lost)} to borrow")
        for unit in borrowed.units:
            more.append(found[unit])
            placements.setdefault(found[unit].placement, source.placements[found[unit].placement])
    deployed = (*scenario.deployed, *more)
    return replace(scenario, deployed=deployed, placements=placements) if more else scenario


def _read_answered(
    victory: Traversable, paths: list[Traversable], answers: tuple[Answer, ...]
) -> tuple[Scoring | None, dict[Traversable, ScenarioFile]]:
    """Read what scores and the files of the scenarios, with the owner's answers in them.

    What is wrong with the answers is collected over all files.
    """
    for_scoring, for_file = TypeAdapter(Scoring), TypeAdapter(ScenarioFile)
    scoring = _read(victory, for_scoring)
    read = {path: file for path in paths if (file := _read(path, for_file)) is not None}
    if not answers:
        return scoring, read
    faults = list(unknown_scenarios(answers, [file.id for file in read.values()]))
    for path, file in read.items():
        content = read_toml(path) or {}
        answered, wrong = answered_scenario(file.id, content, answers, for_file)
        read[path] = for_file.validate_python(answered)
        faults += wrong
    content = read_toml(victory) or {}
    answered, wrong = answered_scoring(content, answers, for_scoring)
    faults += wrong
    if faults:
        raise PackError.listing("open_points.toml", faults)
    return for_scoring.validate_python(answered) if scoring else None, read


def _read(file: Traversable, adapter: TypeAdapter[_Model]) -> _Model | None:
    content = read_toml(file)
    if content is None:
        return None
    try:
        return adapter.validate_python(content)
    except ValidationError as error:
        raise PackError(f"{file}: {told_faults(error)}") from None
