"""What each pack holds: complete, partial or missing, told by the data itself.

A part of a pack is partial where something our sources lack belongs to it, missing where it is
not there at all, and "no rule" where the game has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mapkit.texts import say
from rules.lookup.rulebook import load_rulebook
from rules.pack import Pack
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.scenario_files import Scenarios, find_scenarios
from rules.scenarios.sequences import load_sequence

State = Literal["complete", "partial", "missing", "no_rule"]

_NO_PARTS = frozenset(
    {"id", "title", "publisher", "year", "no_rule", "assumptions", "missing", "not_judged"}
)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pack, under its key in the pack's files; *n* counts what it holds."""

    name: str
    state: State
    n: int | None = None


@dataclass(frozen=True, slots=True)
class PackState:
    """All that a pack holds, and what it lacks."""

    pack: Pack
    parts: tuple[Part, ...]

    def part(self, name: str) -> Part | None:
        """Return a part by its key."""
        return next((part for part in self.parts if part.name == name), None)


def all_states() -> tuple[PackState, ...]:
    """Return the state of every installed pack."""
    return tuple(state_of(name) for name in pack_names())


def state_of(game: str) -> PackState:
    """Return what one pack holds.

    Raises:
        PackError: there is no such pack, or its files do not read.
    """
    pack = find_pack(game)
    scenarios = find_scenarios(game)
    sequence = load_sequence(pack_folder(game), pack)
    rules = len(load_rulebook(pack_folder(game)).rules)
    parts = [
        *_parts_of_pack(pack),
        Part("sequence", "complete" if sequence else _absent(pack, "sequence")),
        *_parts_of_scenarios(pack, scenarios),
        Part("rules_at_hand", "complete" if rules else "missing", rules),
    ]
    return PackState(pack, tuple(parts))


def told_states(states: tuple[PackState, ...]) -> str:
    """Return the matrix of all packs, then what each of them leaves open."""
    names = list(dict.fromkeys(part.name for state in states for part in state.parts))
    rows = [["", *(state.pack.id for state in states)]]
    rows += [[name, *(_told_part(state.part(name)) for state in states)] for name in names]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    for state in states:
        lines += ["", *_told_state(state)]
    return "\n".join(lines)


def states_data(states: tuple[PackState, ...]) -> list[dict[str, object]]:
    """Return the packs as JSON-able data."""
    return [
        {
            "id": state.pack.id,
            "title": state.pack.title,
            "publisher": state.pack.publisher,
            "year": state.pack.year,
            "parts": {
                part.name: {"state": part.state} | ({} if part.n is None else {"n": part.n})
                for part in state.parts
            },
            "assumptions": len(state.pack.assumptions),
            "missing": {name: entry.what for name, entry in state.pack.missing.items()},
            "not_judged": {name: entry.why for name, entry in state.pack.not_judged.items()},
        }
        for state in states
    ]


def _parts_of_pack(pack: Pack) -> Iterator[Part]:
    for name in type(pack).model_fields:
        if name in _NO_PARTS:
            continue
        value = getattr(pack, name)
        n = len(value) if isinstance(value, dict | tuple) else None
        if value is None or n == 0:
            yield Part(name, _absent(pack, name))
        elif _lacks(pack, name) or (name == "layout" and not pack.layout.confirmed):
            yield Part(name, "partial", n)
        else:
            yield Part(name, "complete", n)


def _parts_of_scenarios(pack: Pack, scenarios: Scenarios) -> Iterator[Part]:
    listed = scenarios.scenarios
    lacking = any(scenario.file.missing for scenario in listed)
    n = len(listed)
    yield Part("scenarios", _state(pack, "scenarios", n, not lacking), n)
    units = sum(len(scenario.listed) for scenario in listed)
    everywhere = all(scenario.deployed for scenario in listed)
    yield Part("units", _state(pack, "units", units, everywhere), units)
    known = sum(bool(one.unit.faces) for scenario in listed for one in scenario.listed)
    yield Part("unit_values", _state(pack, "unit_values", known, known == units), known)
    objectives = scenarios.scoring.objectives.values() if scenarios.scoring else ()
    whole = all(one.points is not None for one in objectives) and not any(
        "victory" in scenario.file.missing for scenario in listed
    )
    yield Part("victory", _state(pack, "victory", n, whole))


def _state(pack: Pack, name: str, n: int, whole: bool) -> State:
    if not n:
        return _absent(pack, name)
    return "complete" if whole and not _lacks(pack, name) else "partial"


def _absent(pack: Pack, name: str) -> State:
    return "no_rule" if name in pack.no_rule else "missing"


def _lacks(pack: Pack, part: str) -> bool:
    keys = [key for entry in pack.missing.values() for key in entry.keys]
    return any(key == part or key.startswith(f"{part}.") for key in keys)


def _told_part(part: Part | None) -> str:
    if part is None:
        return say("rules.packs.missing")
    told = say(f"rules.packs.{part.state}")
    return f"{told} {part.n}" if part.n else told


def _told_state(state: PackState) -> Iterator[str]:
    pack = state.pack
    printed = ", ".join(str(one) for one in (pack.publisher, pack.year) if one is not None)
    yield f"{pack.id}: {pack.title}" + (f" ({printed})" if printed else "")
    yield f"  {say('rules.packs.open', n=len(pack.assumptions))}"
    if pack.missing:
        yield f"  {say('rules.packs.lacks', n=len(pack.missing), what=', '.join(pack.missing))}"
    for name, entry in pack.not_judged.items():
        yield f"  {say('rules.packs.not_judged', what=name, why=entry.why)}"
