"""Scenarios as the owner of a game reads the rules: the chosen answers put into their files.

An answer names keys of a scenario's file as the owner file names keys of the pack, with dots:
`placements.foza.all_of.0.hexes`. A key that leads nowhere is a fault; so is a value of a wrong
type, which the schema of the file finds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from counters.units_table import UnitRow
from mapkit.errors import Fault
from rules.pack import Pack
from rules.scenarios.deployment import Deployed
from rules.schema.open_points import Alternative, Changes, UnitChange

Choice = tuple[str, str]  # a question and its answer


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to an open question that changes scenarios; *place* is where the pack has it."""

    place: str
    says: Alternative

    def unit_changes(self, scenario: str) -> tuple[UnitChange, ...]:
        """Return what it changes in the table of units of a scenario."""
        changes = self.says.scenarios.get(scenario)
        return changes.units if changes else ()


def scenario_choices(pack: Pack) -> frozenset[Choice]:
    """Return the questions whose chosen answer changes scenarios, each with that answer."""
    return frozenset(
        (name, one.chosen)
        for name, one in pack.assumptions.items()
        if one.chosen is not None and one.alternatives[one.chosen].touches_scenarios
    )


def choosing(pack: Pack, choices: Iterable[Choice]) -> Pack:
    """Return a pack whose owner chose these answers; only scenarios are read by them."""
    chosen = {
        name: pack.assumptions[name].model_copy(update={"chosen": answer})
        for name, answer in choices
    }
    return pack.model_copy(update={"assumptions": pack.assumptions | chosen})


def answers_of(pack: Pack) -> tuple[Answer, ...]:
    """Return the chosen answers that change scenarios, in the order of the pack."""
    chosen = dict(scenario_choices(pack))
    return tuple(
        Answer(f"assumptions.{name}.alternatives.{chosen[name]}", one.alternatives[chosen[name]])
        for name, one in pack.assumptions.items()
        if name in chosen
    )


def answers_about(pack: Pack, scenario: str, parts: Iterable[str]) -> tuple[str, ...]:
    """Return the open questions to which another answer changes some parts of a scenario.

    A part is a key of its file, or what lies under it: `points`, `placements.foza`; and
    `units.ID` or `units.FORMATION` for lines of its table of units.
    """
    wanted = tuple(parts)
    return tuple(
        name
        for name, one in pack.assumptions.items()
        if any(
            key == part or key.startswith(f"{part}.")
            for other in one.alternatives.values()
            if scenario in other.scenarios
            for key, _ in other.scenarios[scenario].values()
            for part in wanted
        )
    )


def answers_about_units(pack: Pack, scenario: str, units: Iterable[Deployed]) -> tuple[str, ...]:
    """Return the open questions on which it depends that these units come, when and where."""
    listed = list(units)
    parts = {f"units.{one.unit.id}" for one in listed}
    parts |= {f"units.{one.unit.formation}" for one in listed if one.unit.formation}
    parts |= {f"placements.{one.placement}" for one in listed}
    return answers_about(pack, scenario, parts)


def unknown_scenarios(answers: Sequence[Answer], known: Iterable[str]) -> Iterator[Fault]:
    """Yield every scenario that an answer names and the game does not have."""
    listed = list(known)
    for answer in answers:
        for name in answer.says.scenarios:
            if name not in listed:
                place, there = f"{answer.place}.scenarios.{name}", ", ".join(listed) or "none"
                yield Fault(place, f"no scenario '{name}'", f"there is: {there}")


def answered_scenario(
    id_: str, content: Mapping[str, Any], answers: Sequence[Answer], adapter: TypeAdapter[Any]
) -> tuple[dict[str, Any], list[Fault]]:
    """Return what a scenario's file says by the answers, and all that does not fit."""
    parts = [
        (f"{one.place}.scenarios.{id_}", one.says.scenarios[id_])
        for one in answers
        if id_ in one.says.scenarios
    ]
    return _answered(content, parts, adapter)


def answered_scoring(
    content: Mapping[str, Any], answers: Sequence[Answer], adapter: TypeAdapter[Any]
) -> tuple[dict[str, Any], list[Fault]]:
    """Return what the game's scoring says by the answers, and all that does not fit."""
    parts = [
        (f"{one.place}.scoring", one.says.scoring)
        for one in answers
        if any(one.says.scoring.values())
    ]
    return _answered(content, parts, adapter)


def answered_units(
    id_: str, rows: Sequence[UnitRow], answers: Sequence[Answer]
) -> tuple[tuple[UnitRow, ...], list[Fault]]:
    """Return the table of units of a scenario by the answers, and whom it does not know."""
    faults: list[Fault] = []
    for answer in answers:
        for n, change in enumerate(answer.unit_changes(id_)):
            place = f"{answer.place}.scenarios.{id_}.units.{n}"
            faults += _strangers(place, change, rows)
            changed = (_changed_row(row, change, place) for row in rows)
            rows = tuple(row for row in changed if row is not None)
    return tuple(rows), faults


def _answered(
    content: Mapping[str, Any], parts: Iterable[tuple[str, Changes]], adapter: TypeAdapter[Any]
) -> tuple[dict[str, Any], list[Fault]]:
    answered = dict(content)
    faults: list[Fault] = []
    for place, changes in parts:
        changed = deepcopy(answered)
        wrong = [
            fault
            for key, value in changes.values()
            if not key.startswith("units.")
            for fault in _put(changed, key, value, f"{place}.{key}")
        ]
        try:
            adapter.validate_python(changed)
        except ValidationError as error:
            wrong += _misfits(error, place)
        answered = answered if wrong else changed
        faults += wrong
    return answered, faults


def _put(content: dict[str, Any], key: str, value: Any, place: str) -> Iterator[Fault]:
    """Put one value in; None takes the old one out. Yield why it cannot be."""
    *parents, last = key.split(".")
    here: Any = content
    for part in parents:
        here = _below(here, part)
        if here is None:
            yield Fault(place, f"there is no '{part}' in {key}", "name a key that the file has")
            return
    if isinstance(here, list):
        yield Fault(place, f"{key} is one of a list", "give the whole list, or a key of its entry")
    elif not isinstance(here, dict) or (value is None and last not in here):
        yield Fault(place, f"there is no '{last}' in {key}", "name a key that the file has")
    elif value is None:
        del here[last]
    else:
        here[last] = value


def _below(here: Any, part: str) -> Any:
    if isinstance(here, list):
        return here[int(part)] if part.isdecimal() and int(part) < len(here) else None
    return here.get(part) if isinstance(here, dict) else None


def _misfits(error: ValidationError, place: str) -> Iterator[Fault]:
    remedies = {"missing": "add it", "extra_forbidden": "remove it or correct its name"}
    for detail in error.errors():
        key = ".".join((place, *map(str, detail["loc"])))
        problem = detail["msg"][:1].lower() + detail["msg"][1:]
        yield Fault(key, problem, remedies.get(detail["type"], "correct it"))


def _strangers(place: str, change: UnitChange, rows: Sequence[UnitRow]) -> Iterator[Fault]:
    units = {row.unit.id for row in rows}
    formations = {row.unit.formation for row in rows}
    for unit in change.units:
        if unit not in units:
            yield Fault(place, f"the scenario has no unit '{unit}'", "name one of its table")
    for formation in change.formations:
        if formation not in formations:
            problem = f"the scenario has no units of '{formation}'"
            yield Fault(place, problem, "name a formation of its table")


def _changed_row(row: UnitRow, change: UnitChange, place: str) -> UnitRow | None:
    """The row with other cells; None where the unit is left out."""
    if row.unit.id not in change.units and row.unit.formation not in change.formations:
        return row
    if change.leave_out:
        return None
    cells = change.cells
    unit = replace(row.unit, name=cells.pop("name", row.unit.name))
    return UnitRow(unit, {**row.further, **cells}, f"{place} ({row.unit.id})")
