"""The calendar of a scenario: turn by turn its date, weather, arrivals, points and limits."""

from collections.abc import Iterator

from mapkit.texts import say
from rules.scenarios.scenario_answers import answers_about
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_words import (
    told_assumptions,
    told_missing,
    told_restriction,
    told_turn,
    told_units,
    told_withdrawal,
)

# The parts of a scenario's file that a calendar tells of.
_CALENDAR = (
    "turns",
    "points",
    "weather",
    "events",
    "units",
    "placements",
    "restrictions",
    "exchanges",
    "withdrawals",
)


def calendar_data(scenarios: Scenarios, scenario: Scenario) -> dict[str, object]:
    """Return the calendar as JSON-able data; a weather nobody knows is null."""
    file = scenario.file
    turns = []
    for turn in file.turns.numbers:
        moment = file.turns.moment(turn)
        turns.append(
            {
                "turn": turn,
                "date": moment.date.isoformat(),
                "part": moment.part,
                "hour": moment.hour,
                "printed": file.turns.printed(turn),
                "weather": file.weather.on(turn),
                "events": _has_events(scenario, turn),
                "points": [
                    {"side": pool.side, "wing": pool.wing, "gained": pool.gained(turn)}
                    for pool in file.points
                    if pool.gained(turn)
                ],
                "arrivals": [one.unit.id for one in scenario.arriving(turn)],
                "exchanges": [list(one.formations) for one in file.exchanges if one.turn == turn],
                "withdrawals": [
                    told_withdrawal(one, scenario, scenarios)
                    for one in file.withdrawals
                    if one.turn == turn
                ],
                "restrictions": [
                    told_restriction(one, scenarios)
                    for one in file.restrictions
                    if one.last is not None and one.holds_on(turn)
                ],
            }
        )
    return {
        "game": scenarios.pack.id,
        "scenario": scenario.id,
        "turns": turns,
        "open_end": file.turns.open_end,
        "assumptions": list(answers_about(scenarios.pack, scenario.id, _CALENDAR)),
    }


def told_calendar(scenarios: Scenarios, scenario: Scenario) -> str:
    """Return the calendar as text: a line for each turn, and below it what happens."""
    lines = [f"{scenarios.pack.title} – {scenario.file.title} [{scenario.file.cite}]"]
    lines += _told_start(scenarios, scenario)
    for turn in scenario.file.turns.numbers:
        lines.append(f"{told_turn(scenario, turn)}: {_told_weather(scenarios, scenario, turn)}")
        lines += [f"    {line}" for line in _told_happenings(scenarios, scenario, turn)]
    if scenario.file.turns.open_end:
        lines.append(say("rules.calendar.open_end"))
    names = answers_about(scenarios.pack, scenario.id, _CALENDAR)
    if names:
        lines += ["", *told_assumptions(scenarios, names)]
    return "\n".join(lines)


def _told_start(scenarios: Scenarios, scenario: Scenario) -> Iterator[str]:
    told = []
    for pool in scenario.file.points:
        name = _pool_name(scenarios, pool.side, pool.wing)
        told.append(f"{name} {'∞' if pool.unlimited else pool.start} {pool.name}")
    if told:
        yield say("rules.calendar.start", points=", ".join(told))
    yield from told_missing(scenarios, scenario)


def _told_weather(scenarios: Scenarios, scenario: Scenario, turn: int) -> str:
    weather = scenario.file.weather.on(turn)
    if weather is not None:
        return scenarios.pack.weather[weather].title
    return say("rules.calendar.weather_unknown", where=scenario.file.weather.cite)


def _told_happenings(scenarios: Scenarios, scenario: Scenario, turn: int) -> Iterator[str]:
    gained = [
        f"{_pool_name(scenarios, pool.side, pool.wing)} +{pool.gained(turn)} {pool.name}"
        for pool in scenario.file.points
        if pool.gained(turn)
    ]
    if gained:
        yield ", ".join(gained)
    if _has_events(scenario, turn):
        yield say("rules.calendar.event")
    for one in scenario.file.restrictions:
        if one.last is not None and one.holds_on(turn):
            yield told_restriction(one, scenarios)
    for exchange in scenario.file.exchanges:
        if exchange.turn == turn:
            names = ", ".join(scenarios.formations[name].title for name in exchange.formations)
            yield say("rules.calendar.exchange", names=names, cite=exchange.cite)
    for leaving in scenario.file.withdrawals:
        if leaving.turn == turn:
            side = scenarios.pack.sides[leaving.side].title
            what = told_withdrawal(leaving, scenario, scenarios)
            yield say("rules.calendar.withdraws", side=side, what=what, cite=leaving.cite)
    for side in scenario.file.order.sides:
        units = [one for one in scenario.arriving(turn) if one.unit.side == side]
        if units:
            title = scenarios.pack.sides[side].title
            yield say("rules.scenario.arrivals", side=title, n=len(units))
            yield from (f"  {line}" for line in told_units(scenarios, scenario, units, "formation"))


def _has_events(scenario: Scenario, turn: int) -> bool:
    events = scenario.file.events
    return bool(events and events.first_turn and events.first_turn <= turn)


def _pool_name(scenarios: Scenarios, side: str, wing: str | None) -> str:
    title = scenarios.pack.sides[side].title
    return f"{title}, {wing}" if wing else title
