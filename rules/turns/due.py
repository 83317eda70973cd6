"""What is due now: arrivals, points, weather, supply, events, victory, markers that end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from rules.judges.victory import rule_victory
from rules.judges.victory_score import HEX, TAKEN_BY
from rules.positions.points import points_word
from rules.positions.position import Piece, Position
from rules.ruling import Reason, Values
from rules.scenarios.deployment import Deployed
from rules.scenarios.scenario_answers import answers_about, answers_about_units
from rules.scenarios.scenario_files import Scenario
from rules.scenarios.scenario_words import told_units, told_withdrawal
from rules.schema.forces import classes_in
from rules.schema.scenario import Pool
from rules.schema.sequence import DueKind, Phase
from rules.schema.statuses import TURN
from rules.turns.clock_work import now
from rules.turns.play import Play, formations_left

WAITING = ("unplaced", "off_map")  # where a unit is that has not come yet


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is due: what, in words with its rule, and line by line who or where.

    *units* are the ids of the units it is about, *assumptions* the open questions it rests on.
    """

    kind: str
    says: Reason
    lines: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()


def due_now(position: Position, play: Play) -> tuple[Due, ...]:
    """Return what is due in the phase that the clock stands at."""
    phase, _ = now(position, play)
    if phase is None:
        return ()
    found = [one for kind in phase.due for one in _FINDERS[kind](position, play, phase)]
    return (*found, *_formations(position, play, phase), *_endings(position, play, phase))


def _reinforcements(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    scenario, turn = play.scenario, position.clock.turn
    if scenario is None:
        return
    if "units" in scenario.file.missing:
        entry = play.pack.missing[scenario.file.missing["units"]]
        values = {"what": entry.what, "where": entry.printed_on}
        yield Due("reinforcements", Reason("rules.turn.not_in_sources", values, phase.cite))
        return
    for side in scenario.file.order.sides:
        coming = [one for one in scenario.arriving(turn) if one.unit.side == side]
        late = [one for one in _held_back(position, scenario, turn) if one.unit.side == side]
        title = play.pack.sides[side].title
        for key, units in (("arrive", coming), ("held_back", late)):
            waiting = [one for one in units if _waits(position.pieces.get(one.unit.id))]
            if waiting:
                lines = tuple(told_units(play.scenarios, scenario, waiting, "formation"))
                says = Reason(f"rules.turn.{key}", {"side": title, "n": len(waiting)}, phase.cite)
                ids = tuple(one.unit.id for one in waiting)
                open_ = answers_about_units(play.pack, scenario.id, waiting)
                yield Due("reinforcements", says, lines, ids, assumptions=open_)


def _held_back(position: Position, scenario: Scenario, turn: int) -> list[Deployed]:
    """Return arrivals of earlier turns that the position knows and that are not on the map."""
    return [
        one for one in scenario.deployed if 0 < one.turn < turn and one.unit.id in position.pieces
    ]


def _waits(piece: Piece | None) -> bool:
    return piece is None or piece.place.kind in WAITING


def _withdrawals(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    for one in play.scenario.file.exchanges if play.scenario else ():
        if one.turn == position.clock.turn:
            names = ", ".join(map(play.title, one.formations))
            units = [
                piece.unit.id
                for piece in position.pieces.values()
                if piece.unit.formation in one.formations
            ]
            says = Reason("rules.turn.exchange", {"names": names}, one.cite)
            yield Due("withdrawals", says, units=tuple(units))

    yield from _leaving(position, play)


def _leaving(position: Position, play: Play) -> Iterator[Due]:
    """Yield who leaves for good; a named unit that is not on the map has nothing to leave."""
    scenario = play.scenario
    for one in scenario.file.withdrawals if scenario else ():
        if scenario is None or one.turn != position.clock.turn:
            continue
        wanted = classes_in((one.who,), play.pack.classes) if one.who else frozenset[str]()
        able = [
            piece.unit.id
            for piece in _on_map(position, one.side)
            if piece.unit.id == one.unit
            or (piece.unit.class_ in wanted and one.nationality in (None, piece.unit.nationality))
        ]
        what = told_withdrawal(one, scenario, play.scenarios)
        values: Values = {"side": play.pack.sides[one.side].title, "what": what}
        gone = one.unit in position.pieces and not able
        key = "rules.turn.withdraws_not" if gone else "rules.turn.withdraws"
        yield Due("withdrawals", Reason(key, values, one.cite), units=tuple(able))


def _tracks(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    """Yield what tracks lose at the end of the turn, and which go back to their start."""
    for pool in play.scenario.file.points if play.scenario else ():
        counts = position.points.get(pool.side, {})
        now_ = counts.get(points_word(pool))
        fall = pool.fallen(counts)
        if fall is not None and now_ is not None:
            then = now_ - fall.points
            then = then if pool.lowest is None else max(then, pool.lowest)
            values: Values = {"points": pool.name, "now": now_, "then": then}
            values = {**values, "n": counts[fall.word], "word": fall.word.replace("_", " ")}
            data = {"side": pool.side, "word": points_word(pool), "then": then}
            yield Due("tracks", Reason("rules.turn.falls", values, pool.cite), data=data)
        if pool.resets and now_ != pool.start:
            reset: Values = {"points": pool.name, "start": pool.start or 0}
            yield Due("tracks", Reason("rules.turn.resets", reset, pool.cite))


def _points(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    scenario = play.scenario
    for n, pool in enumerate(scenario.file.points if scenario else ()):
        open_ = answers_about(play.pack, position.scenario, [f"points.{n}"])
        data = {"side": pool.side, "wing": pool.wing, "gained": pool.gained(position.clock.turn)}
        for reason in _changes_of(pool, position, play):
            yield Due("points", reason, data=data, assumptions=open_)


def _changes_of(pool: Pool, position: Position, play: Play) -> Iterator[Reason]:
    """Yield what a side gains this turn, and what it lost with hexes that fell."""
    side = play.pack.sides[pool.side].title
    name = f"{side}, {pool.wing}" if pool.wing else side
    stock = position.points.get(pool.side, {}).get(points_word(pool))
    values: Values = {"side": name, "points": pool.name}
    if gained := pool.gained(position.clock.turn):
        now_ = "?" if stock is None else stock
        yield Reason("rules.turn.gains", {**values, "n": gained, "now": now_}, pool.cite)
    for loss in pool.losses:
        lost: Values = {**values, "n": loss.points, "hex": loss.hex}
        times = _times_lost(loss.hex, pool.side, position)
        held = position.control.get(loss.hex)
        if loss.each_time and times:
            yield Reason("rules.turn.loses_each", {**lost, "times": times}, pool.cite)
        elif not loss.each_time and held and held != pool.side:
            yield Reason("rules.turn.loses", lost, pool.cite)


def _times_lost(label: str, side: str, position: Position) -> int:
    """How often the enemy took a hex, by the log; once where only the map shows that it fell."""
    takers = [one.data[TAKEN_BY] for one in position.log if one.data.get(HEX) == label]
    held = position.control.get(label)
    return sum(taker != side for taker in takers) or int(held is not None and held != side)


def _initiative(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    cite = play.initiative_cite or phase.cite
    if first := position.initiative or play.fixed_initiative:
        side = play.pack.sides.get(first)
        title = side.title if side else first
        yield Due("initiative", Reason("rules.turn.initiative_is", {"side": title}, cite))
    else:
        yield Due("initiative", Reason("rules.turn.initiative_open", {}, phase.cite))


def _weather(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    if play.scenario is None:
        return
    calendar = play.scenario.file.weather
    weather = calendar.on(position.clock.turn)
    if weather is not None:
        values = {"weather": _told_weather(weather, play)}
        says = Reason("rules.turn.weather_is", values, calendar.cite)
        yield Due("weather", says, data={"weather": weather})
    elif position.weather:
        values = {"weather": _told_weather(position.weather, play), "where": calendar.cite}
        yield Due("weather", Reason("rules.turn.weather_set", values, calendar.cite))
    else:
        values = {"where": calendar.cite}
        yield Due("weather", Reason("rules.turn.weather_open", values, calendar.cite))


def _told_weather(word: str, play: Play) -> str:
    """Return a weather in words; a word the game does not know stays as it is."""
    known = play.pack.weather.get(word)
    return known.title if known else word


def _supply(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    rule = play.pack.supply
    if rule is None:
        return
    exempt = classes_in(tuple(rule.effect.spares), play.pack.classes)
    spared = ", ".join(play.pack.classes[name].title for name in sorted(exempt)) or "–"
    for side, entry in play.pack.sides.items():
        here = [one.unit for one in _on_map(position, side) if one.unit.class_ not in exempt]
        if here:
            values: Values = {"side": entry.title, "n": len(here), "spared": spared}
            units = tuple(unit.id for unit in here)
            yield Due("supply", Reason("rules.turn.supply", values, rule.effect.cite), units=units)


def _events(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    events = play.scenario.file.events if play.scenario else None
    if events is None or events.first_turn is None or events.first_turn > position.clock.turn:
        return
    start = play.pack.events.start if play.pack.events else None
    table = play.pack.events.tables[start] if play.pack.events and start else None
    if table is None:
        yield Due("events", Reason("rules.turn.event", {}, phase.cite))
    else:
        values: Values = {"table": table.title, "die": str(table.die)}
        yield Due("events", Reason("rules.turn.event_on", values, table.cite))
    name = play.scenario.file.missing.get("events") if play.scenario else None
    if name:
        entry = play.pack.missing[name]
        lacks: Values = {"what": entry.what, "where": entry.printed_on}
        yield Due("events", Reason("rules.turn.not_in_sources", lacks, phase.cite))


def _rally(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    """Yield the units whose counted states a rally may lower."""
    counted = [name for name, one in play.pack.statuses.items() if one.counted and not one.ends]
    for side, entry in play.pack.sides.items():
        tired = [
            one
            for one in _on_map(position, side)
            if any(one.statuses.get(name) for name in counted)
        ]
        if tired:
            lines = tuple(_told_piece(one, play) for one in tired)
            says = Reason("rules.turn.rally", {"side": entry.title, "n": len(tired)}, phase.cite)
            yield Due("rally", says, lines, tuple(one.unit.id for one in tired))


def _replacements(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    for side, entry in play.pack.sides.items():
        weak = [one for one in _on_map(position, side) if one.steps_lost]
        if weak:
            lines = tuple(_told_piece(one, play) for one in weak)
            values: Values = {"side": entry.title, "n": len(weak)}
            says = Reason("rules.turn.replacements", values, phase.cite)
            yield Due("replacements", says, lines, tuple(one.unit.id for one in weak))


def _victory(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    if play.scenario is None:
        return
    last = position.clock.turn == play.last_turn
    key = "rules.turn.victory_last" if last else "rules.turn.victory"
    ruling = rule_victory(
        position, pack=play.pack
    )  # without a map; the command named in the text takes one
    lines = tuple(reason.told() for reason in ruling.reasons)
    says = Reason(key, {}, play.scenario.file.victory.cite)
    data = {"verdict": ruling.verdict}
    yield Due("victory", says, lines, data=data, assumptions=ruling.assumptions)


def _formations(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    """Yield who may still act, at the moment a player names a formation."""
    clock = position.clock
    actions = play.actions(phase)
    if actions is None or clock.step not in ("", actions.offer):
        return
    left = formations_left(play, position, clock.active)
    if left:
        says = Reason("rules.turn.left", {"n": len(left), "each": actions.for_each}, actions.cite)
        yield Due("formations", says, tuple(map(play.title, left)))


def _endings(position: Position, play: Play, phase: Phase) -> Iterator[Due]:
    """Yield the states and markers that go at the end of this phase, or of the turn."""
    phases = play.phases(position.clock.turn)
    values: Values
    ends = {phase.id, TURN} if phases and phase.id == phases[-1].id else {phase.id}
    for name, status in play.pack.statuses.items():
        units = [one for one in position.pieces.values() if one.statuses.get(name)]
        if status.ends in ends and units:
            values = {"what": status.told(), "n": len(units)}
            lines = (", ".join(one.unit.name for one in units),)
            says = Reason("rules.turn.ends", values, status.cite)
            yield Due("ends", says, lines, tuple(one.unit.id for one in units))
    for name, marker in play.pack.markers.items():
        there = [one.at for one in position.markers if one.kind == name]
        if marker.ends in ends and there:
            values = {"what": marker.told(), "n": len(there)}
            says = Reason("rules.turn.ends", values, marker.cite)
            yield Due("ends", says, (", ".join(there),), data={"markers": there})


def _on_map(position: Position, side: str) -> list[Piece]:
    return [
        one for one in position.pieces.values() if one.unit.side == side and one.place.kind == "hex"
    ]


def _told_piece(piece: Piece, play: Play) -> str:
    states = [
        entry.told(n if entry.counted else None)
        for name, n in piece.statuses.items()
        if (entry := play.pack.statuses.get(name))
    ]
    if piece.steps_lost:
        states.append(f"-{piece.steps_lost}")
    return f"{piece.unit.name} ({piece.place.at}): {', '.join(states)}"


_FINDERS: Mapping[DueKind, Callable[[Position, Play, Phase], Iterator[Due]]] = {
    "reinforcements": _reinforcements,
    "withdrawals": _withdrawals,
    "points": _points,
    "initiative": _initiative,
    "weather": _weather,
    "supply": _supply,
    "events": _events,
    "rally": _rally,
    "replacements": _replacements,
    "victory": _victory,
    "tracks": _tracks,
}
