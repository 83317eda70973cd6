"""A scenario in words and as data: the list, and the set-up sheet."""

from collections.abc import Iterator
from itertools import groupby

from mapkit.texts import say
from rules.scenarios.deployment import SET_UP, Deployed
from rules.scenarios.placements import told_constraints
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_words import (
    By,
    told_assumptions,
    told_missing,
    told_moment,
    told_place,
    told_restriction,
    told_turn,
    told_units,
)
from rules.scenarios.victory_told import told_condition
from rules.schema.scenario import Pool, Trenches
from rules.schema.victory import DRAW, Outcome


def told_list(scenarios: Scenarios) -> str:
    """Return the scenarios of a game, two lines each."""
    lines = [scenarios.pack.title]
    for scenario in scenarios.scenarios:
        lines += [f"{scenario.id}  {scenario.file.title}", f"    {_told_length(scenario)}"]
        lines += [f"    {line}" for line in _told_counts(scenarios, scenario)]
        if scenario.file.missing:
            parts = ", ".join(scenario.file.missing)
            lines.append(f"    {say('rules.scenario.lacks', parts=parts)}")
    return "\n".join(lines)


def told_sheet(scenarios: Scenarios, scenario: Scenario, by: By) -> str:
    """Return the set-up sheet: what holds in the scenario, then who stands or arrives where."""
    lines = list(told_head(scenarios, scenario))
    for side in scenario.file.order.sides:
        title = scenarios.pack.sides[side].title
        units = [one for one in scenario.deployed if one.unit.side == side]
        here = [one for one in units if one.turn == SET_UP]
        trenches = [one for one in scenario.trenches if one.side == side]
        if here or trenches:
            lines += ["", say("rules.scenario.set_up", side=title, n=len(here))]
            lines += [f"  {line}" for line in told_units(scenarios, scenario, here, by)]
            lines += [f"  {_told_trenches(one)}" for one in trenches]
        later = sorted((one for one in units if one.turn != SET_UP), key=lambda one: one.turn)
        if later:
            lines += ["", say("rules.scenario.arrivals", side=title, n=len(later))]
        for turn, arriving in groupby(later, key=lambda one: one.turn):
            lines.append(f"  {told_turn(scenario, turn)}")
            lines += [f"    {line}" for line in told_units(scenarios, scenario, arriving, by)]
    return "\n".join([*lines, *_told_open(scenarios, scenario)])


def told_head(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    """Yield the head of the set-up sheet, a line each: all but who stands or arrives where."""
    yield f"{scenarios.pack.title} – {scenario.file.title} [{scenario.file.cite}]"
    yield _told_length(scenario)
    yield from _told_counts(scenarios, scenario)
    yield from told_missing(scenarios, scenario)
    yield from _told_frame(scenarios, scenario)


def scenario_data(scenarios: Scenarios, scenario: Scenario) -> dict[str, object]:
    """Return a scenario as JSON-able data, its units with their places in words too."""
    data: dict[str, object] = scenario.file.model_dump(mode="json", exclude_defaults=True)
    data["id"] = scenario.id
    data["placements"] = {
        name: placement.model_dump(mode="json", exclude_defaults=True)
        | {"says": told_place(scenarios, scenario, name)}
        for name, placement in scenario.placements.items()
    }
    data["units"] = [_unit_data(one) for one in scenario.deployed]
    return data


def list_data(scenarios: Scenarios) -> dict[str, object]:
    """Return the list of scenarios as JSON-able data."""
    return {
        "game": scenarios.pack.id,
        "scenarios": [
            {
                "id": one.id,
                "title": one.file.title,
                "turns": one.file.turns.count,
                "first": one.file.turns.first.date.isoformat(),
                "last": one.file.turns.last.date.isoformat(),
                "open_end": one.file.turns.open_end,
                "units": {side: _count(one, side) for side in one.file.order.sides},
                "missing": dict(one.file.missing),
            }
            for one in scenarios.scenarios
        ],
    }


def _unit_data(one: Deployed) -> dict[str, object]:
    unit = one.unit
    return {
        "id": unit.id,
        "name": unit.name,
        "side": unit.side,
        "formation": unit.formation,
        "class": unit.class_,
        "echelon": unit.echelon,
        "steps": unit.steps,
        "values": {
            face.name: {name: str(value) for name, value in face.known.items()}
            for face in unit.faces
        },
        "turn": one.turn,
        "placement": one.placement,
        "statuses": [str(status) for status in one.statuses],
        "note": one.note,
    }


def _told_length(scenario: Scenario) -> str:
    turns = scenario.file.turns
    first, last = told_moment(turns.first), told_moment(turns.last)
    if turns.open_end:
        return say("rules.scenario.length_open", n=turns.count, first=first)
    return say("rules.scenario.length", n=turns.count, first=first, last=last)


def _told_counts(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    if scenario.deployed:
        told = [
            f"{scenarios.pack.sides[side].title} {_count(scenario, side)}"
            for side in scenario.file.order.sides
        ]
        yield say("rules.scenario.units", counts=", ".join(told))


def _count(scenario: Scenario, side: str) -> int:
    return sum(one.unit.side == side for one in scenario.deployed)


def _told_frame(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    """Yield what holds in the whole scenario, a line each."""
    file, pack = scenario.file, scenarios.pack
    area = told_constraints(file.area.all_of, pack, {}) or say("rules.scenario.whole_map")
    maps = f"{', '.join(file.area.maps)}: " if file.area.maps else ""
    yield say("rules.scenario.area", area=f"{maps}{area}")
    order = ", ".join(pack.sides[side].title for side in file.order.sides)
    yield say("rules.scenario.order", sides=order)
    if file.initiative:
        yield say("rules.scenario.initiative", side=pack.sides[file.initiative.side].title)
    for pool in file.points:
        yield _told_pool(pool, pack.sides[pool.side].title)
    if file.events:
        first = file.events.first_turn
        yield say("rules.scenario.events", turn=first) if first else say("rules.scenario.no_events")
    for bridge in file.bridges_blown:
        yield say("rules.scenario.blown", hexside=bridge.hexside, cite=bridge.cite)
    for restriction in file.restrictions:
        yield told_restriction(restriction, scenarios)
    for outcome in (*_sudden(scenarios, scenario), *file.victory.outcomes):
        yield _told_outcome(outcome, scenarios)
    yield from _told_objectives(scenarios, scenario)
    for held in file.control_at_start:
        values = {"side": pack.sides[held.side].title, "hexes": ", ".join(held.hexes)}
        yield f"{say('rules.scenario.holds_at_start', **values)} [{held.cite}]"
    if file.special:
        rules = ", ".join(f"{one.cite} {one.term}".rstrip() for one in file.special)
        yield say("rules.scenario.special", rules=rules)


def _told_objectives(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    """Yield the objectives that each side may choose in secret, a line each."""
    objectives = scenario.objectives
    if objectives is None:
        return
    for side, choices in objectives.of.items():
        title = scenarios.pack.sides[side].title
        for number, one in enumerate(choices, 1):
            when = "; ".join(told_condition(part, scenarios.pack) for part in one.all_of)
            values = {"side": title, "number": number, "title": one.title, "when": when}
            yield f"{say('rules.scenario.objective', **values)} [{one.cite}]"
        if side in scenario.file.victory.given:
            number = scenario.file.victory.given[side]
            yield say("rules.scenario.objective_given", side=title, number=number)


def _sudden(scenarios: Scenarios, scenario: Scenario) -> list[Outcome]:
    outcomes = scenarios.scoring.outcomes if scenarios.scoring else {}
    return [outcomes[name] for name in scenario.file.victory.sudden]


def _told_outcome(outcome: Outcome, scenarios: Scenarios) -> str:
    when = told_condition(outcome.when, scenarios.pack)
    wing = f", {outcome.wing}" if outcome.wing else ""
    if outcome.winner is None:
        told = say("rules.scenario.ends", when=when)
    elif outcome.winner == DRAW:
        told = say("rules.scenario.draw", when=when)
    else:
        side = f"{scenarios.pack.sides[outcome.winner].title}{wing}"
        key = "rules.scenario.wins_at_once" if outcome.complete else "rules.scenario.wins"
        told = say(key, side=side, when=when)
    if outcome.first_turn or outcome.last_turn:
        first, last = outcome.first_turn or 1, outcome.last_turn or "…"
        told += f"; {say('rules.sequence.only_turns', first=first, last=last)}"
    if outcome.check:
        told += (
            f"; {say('rules.scenario.by_roll', check=scenarios.pack.checks[outcome.check].title)}"
        )
    return f"{told} [{outcome.cite}]"


def _told_pool(pool: Pool, side: str) -> str:
    name = f"{side}, {pool.wing}" if pool.wing else side
    if pool.unlimited:
        return say("rules.scenario.unlimited", side=name, points=pool.name)
    lost = "; ".join(
        say(f"rules.scenario.lost{'_each' * one.each_time}", points=one.points, hex=one.hex)
        for one in pool.losses
    )
    told = say("rules.scenario.points", side=name, points=pool.name, start=pool.start)
    gains = [
        say("rules.scenario.gain", points=one.points, first=one.first, last=one.last)
        for one in pool.gains
    ]
    falls = [
        say("rules.scenario.falls", points=one.points, n=one.at_least, word=_spoken(one.word))
        for one in pool.falls
    ]
    ends = []
    if pool.lowest is not None and pool.highest is not None:
        ends = [say("rules.scenario.track", low=pool.lowest, high=pool.highest)]
    return "; ".join(filter(None, [told, *ends, *gains, *falls, lost]))


def _spoken(word: str) -> str:
    return word.replace("_", " ")


def _told_trenches(one: Trenches) -> str:
    where = [say("rules.scenario.front_line")] if one.front_line else []
    told = say("rules.scenario.trenches", level=one.level, where=", ".join([*where, *one.hexes]))
    return f"{told} ({one.note})" if one.note else told


def _told_open(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    if scenario.file.assumptions:
        yield ""
    yield from told_assumptions(scenarios, scenario.file.assumptions)
