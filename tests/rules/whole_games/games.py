"""A game as one value: all its files together, and all of Mapkit made to play by a changed one."""

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from rules.lookup.rulebook import Rulebook, load_rulebook
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import KindEntry, Pack
from rules.registry import find_pack, pack_folder
from rules.scenarios.scenario_check import faults_of_file, faults_of_scoring
from rules.scenarios.scenario_files import Scenario, Scenarios, find_scenarios
from rules.scenarios.sequences import find_sequence
from rules.schema.cites import Strict
from rules.schema.open_points import Id
from rules.schema.scenario import Formation, ScenarioFile
from rules.schema.sequence import ROLES, Sequence
from rules.schema.victory import Scoring
from tests.rules.whole_games.changes import replaced
from tests.rules.whole_games.readers import made_unseen

GAMES = ("strafexpedition", "caporetto-1917", "custoza", "caporetto-front", "durchbruch")
GROUND = ("clear", "high_mountain")  # for a game whose words for ground our sources lack


class Game(Strict):
    """All that the files of a pack say, but for the tables of units."""

    pack: Pack
    sequence: Sequence | None  # None: not in our sources
    scenarios: dict[Id, ScenarioFile]
    formations: dict[Id, Formation]
    victory: Scoring | None = None
    rulebook: Rulebook


@cache
def game_of(name: str) -> Game:
    """Return a game as it is installed, with words for ground where it has none."""
    scenarios = find_scenarios(name)
    pack = find_pack(name)
    if not pack.terrain:
        words = {word: KindEntry(cite="TEC") for word in GROUND}
        pack = pack.model_copy(update={"terrain": words})
    return Game(
        pack=pack,
        sequence=None if "sequence" in pack.missing else find_sequence(name),
        scenarios={one.id: one.file for one in scenarios.scenarios},
        formations=dict(scenarios.formations),
        victory=scenarios.scoring,
        rulebook=load_rulebook(pack_folder(name)),
    )


def is_sound(game: Game, part: str, scenario: str | None = None) -> bool:
    """Tell whether the checks that look from file to file have nothing against a changed part."""
    pack, files, scoring = game.pack, game.scenarios, game.victory
    if part == "sequence":
        assert game.sequence is not None
        return not game.sequence.actors() - ROLES - set(pack.sides)
    if any(id_ != file.id for id_, file in files.items()):
        return False
    if scoring is not None and any(faults_of_scoring(scoring, pack)):
        return False
    return not any(
        True
        for file in files.values()
        if scenario in (None, file.id, *file.use.placements, *file.use.trenches)
        for _ in faults_of_file(f"{file.id}.toml", file, files, pack, game.formations, scoring)
    )


def scenarios_of(game: Game) -> Scenarios:
    """Return the scenarios of a game: its files, with the units that are installed."""
    installed = _INSTALLED.scenarios(game.pack.id)
    rebuilt = [_rebuilt(one, game) for one in installed.scenarios]
    return Scenarios(game.pack, tuple(rebuilt), game.formations, game.victory)


def _rebuilt(old: Scenario, game: Game) -> Scenario:
    file = game.scenarios[old.id]
    if file is old.file and not (file.use.placements or file.use.trenches):
        return old
    own = {name: one for name, one in old.placements.items() if name.startswith("hex-")}
    for name in file.use.placements:
        own |= game.scenarios[name].placements
    used = [one for name in file.use.trenches for one in game.scenarios[name].trenches]
    named = {name: one for name, one in old.placements.items() if name not in own}
    borrowed = named if file.borrowed else {}
    placements = {**borrowed, **own, **file.placements}
    return replace(old, file=file, placements=placements, trenches=(*used, *file.trenches))


class _Installed:
    """What is really installed, whatever stands in its place for a while."""

    pack = staticmethod(find_pack)
    sequence = staticmethod(find_sequence)
    scenarios = staticmethod(find_scenarios)


_INSTALLED = _Installed()
_PLAYED: list[Game] = []


def _pack(name: str) -> Pack:
    return _PLAYED[-1].pack if _PLAYED and _PLAYED[-1].pack.id == name else _INSTALLED.pack(name)


def _sequence(name: str) -> Sequence:
    if _PLAYED and _PLAYED[-1].pack.id == name and _PLAYED[-1].sequence is not None:
        return _PLAYED[-1].sequence
    return _INSTALLED.sequence(name)


def _scenarios(name: str) -> Scenarios:
    if _PLAYED and _PLAYED[-1].pack.id == name:
        return scenarios_of(_PLAYED[-1])
    return _INSTALLED.scenarios(name)


def _pack_with_owner(name: str, owner: OwnerFile) -> Pack:
    return with_values(_pack(name), owner.values)


def with_values(pack: Pack, values: Mapping[str, Any]) -> Pack:
    """Return a pack with what an owner entered, under the pack's own keys."""

    def make() -> Any:
        entered = pack
        for key, value in values.items():
            entered = replaced(entered, tuple(key.split(".")), value)
        return entered

    found: Pack = made_unseen(("pack",), make)
    return found


@contextmanager
def played(game: Game) -> Iterator[None]:
    """Let everybody who looks a game up find this one."""
    _PLAYED.append(game)
    try:
        yield
    finally:
        _PLAYED.pop()


@contextmanager
def games_that_change() -> Iterator[None]:
    """Put the doors to the installed games under our hand, in every module that has one."""
    ours: dict[Callable[..., Any], Callable[..., Any]] = {
        find_pack: _pack,
        find_sequence: _sequence,
        find_scenarios: _scenarios,
        pack_with_owner: _pack_with_owner,
    }
    _exchange(ours)
    try:
        yield
    finally:
        _exchange({new: old for old, new in ours.items()})


def _exchange(others: Mapping[Callable[..., Any], Callable[..., Any]]) -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "rules":
            for word, value in list(vars(module).items()):
                if callable(value) and isinstance(value, Hashable) and value in others:
                    setattr(module, word, others[value])
