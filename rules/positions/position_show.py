"""A position in words: the hour, the points, and every unit by place or by formation."""

from collections.abc import Iterable, Iterator
from typing import Literal

from mapkit.texts import say
from rules.pack import Pack
from rules.positions.places import by_place, format_place
from rules.positions.position import Marker, Piece, Place, Position
from rules.positions.position_file import unit_line
from rules.positions.states import states_of
from rules.scenarios.scenario_answers import answers_about
from rules.scenarios.scenario_files import Scenario, Scenarios, scenarios_of
from rules.scenarios.scenario_words import told_assumptions, told_moment, told_place

By = Literal["hex", "formation"]

# The parts of a scenario's file, and of its table of units, that a position begins with.
_SET_UP = ("units", "placements", "borrowed", "trenches", "bridges_blown", "control_at_start")


def position_data(position: Position, pack: Pack) -> dict[str, object]:
    """Return a position as JSON-able data, states that hold by themselves included."""
    return {
        "game": position.game,
        "scenario": position.scenario,
        "turn": position.clock.turn,
        "phase": position.clock.phase,
        "weather": position.weather,
        "initiative": position.initiative,
        "points": {side: dict(kinds) for side, kinds in position.points.items()},
        "control": dict(position.control),
        "units": [
            unit_line(piece)
            | {"place": format_place(piece.place), "statuses": states_of(piece, pack)}
            for _, piece in sorted(position.pieces.items())
        ],
        "markers": [
            {"kind": one.kind, "at": one.at, "map": one.map, "side": one.side, "n": one.n}
            for one in position.markers
        ],
        "log": [{"turn": one.turn, "phase": one.phase, "text": one.text} for one in position.log],
    }


def told_position(position: Position, scenarios: Scenarios, by: By) -> str:
    """Return a position as a sheet to read beside the map."""
    pack, scenario = scenarios.pack, scenario_of(position, scenarios)
    lines = [*_head(position, scenarios, scenario), ""]
    if by == "hex":
        lines += _by_place(position, scenarios, scenario)
    else:
        lines += _by_formation(position, scenarios)
    if position.markers:
        lines += ["", say("rules.position.markers")]
        lines += [f"  {told_marker(marker, pack)}" for marker in position.markers]
    if position.log:
        lines += ["", say("rules.position.log")]
        lines += [f"  {entry.turn} {entry.phase} {entry.text}" for entry in position.log]
    return "\n".join(lines)


def told_open_set_up(position: Position, pack: Pack) -> Iterator[str]:
    """Yield the open questions on which a scenario's set-up and arrivals rest, with the answer."""
    names = answers_about(pack, position.scenario, _SET_UP)
    yield from told_assumptions(scenarios_of(pack), names)


def scenario_of(position: Position, scenarios: Scenarios) -> Scenario | None:
    """Return the scenario a position is of; None where it names none that there is."""
    return next((one for one in scenarios.scenarios if one.id == position.scenario), None)


def told_piece(piece: Piece, pack: Pack) -> str:
    """Return a unit in words: `79/I (Infantry): reduced [it-roma-79-i]`."""
    unit = piece.unit
    class_ = pack.classes[unit.class_].title if unit.class_ in pack.classes else unit.class_
    states = [told_state(word, n, pack) for word, n in states_of(piece, pack).items()]
    if piece.steps_lost:
        states.append(say("rules.position.steps_lost", n=piece.steps_lost))
    named = f"{unit.name} ({class_})" if class_ else unit.name
    told = f"{named}: {', '.join(states)}" if states else named
    hidden = say("rules.position.hidden", sides=", ".join(piece.hidden_from))
    return f"{told}{f' – {hidden}' if piece.hidden_from else ''} [{unit.id}]"


def told_state(word: str, n: int, pack: Pack) -> str:
    """Return one state in words; a word the game does not know stays as it is."""
    entry = pack.statuses.get(word)
    return word if entry is None else entry.told(n if entry.counted else None)


def told_marker(marker: Marker, pack: Pack) -> str:
    """Return a marker in words: `3122 trench 2 (Italian)`."""
    entry = pack.markers.get(marker.kind)
    title = marker.kind if entry is None else entry.told()
    at = f"{marker.map}:{marker.at}" if marker.map else marker.at
    side = pack.sides[marker.side].title if marker.side in pack.sides else marker.side
    words = [at, title, *([] if marker.n is None else [str(marker.n)])]
    return " ".join(words) + (f" ({side})" if side else "")


def _head(position: Position, scenarios: Scenarios, scenario: Scenario | None) -> Iterator[str]:
    pack, clock = scenarios.pack, position.clock
    yield pack.title + (f", {scenario.file.title}" if scenario else "")
    turn = say("rules.calendar.turn", turn=clock.turn)
    turns = scenario.file.turns if scenario else None
    if scenario is not None and turns and (turns.open_end or clock.turn in turns.numbers):
        turn += f", {told_moment(scenario.file.turns.moment(clock.turn))}"
    if clock.phase:
        turn += f", {say('rules.position.phase', phase=clock.phase + clock.step)}"
    yield turn
    if position.weather is not None:
        weather = pack.weather.get(position.weather)
        title = weather.title if weather else position.weather
        yield say("rules.position.weather", weather=title)
    if position.initiative:
        yield say("rules.position.initiative", side=_side(position.initiative, pack))
    for side, kinds in position.points.items():
        told = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in kinds.items())
        yield f"{_side(side, pack)}: {told}"
    on_map = sum(piece.place.kind == "hex" for piece in position.pieces.values())
    yield say("rules.position.counts", n=len(position.pieces), on_map=on_map)


def _by_place(position: Position, scenarios: Scenarios, scenario: Scenario | None) -> Iterator[str]:
    for place, ids in by_place(position).items():
        pieces = [position.pieces[id_] for id_ in ids]
        if place.kind in ("hex", "box", "edge"):
            yield format_place(place)
            yield from (f"  {told_piece(piece, scenarios.pack)}" for piece in pieces)
        else:
            yield from _waiting(place, pieces, scenarios, scenario)


def _waiting(
    place: Place, pieces: Iterable[Piece], scenarios: Scenarios, scenario: Scenario | None
) -> Iterator[str]:
    """Yield who is not on the map, by turn of arrival and by the place they are bound for."""
    groups: dict[tuple[int, str], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault((piece.due, piece.placement), []).append(piece)
    for (due, placement), group in sorted(groups.items()):
        head = say(f"rules.position.{place.kind}")
        if due:
            head += f", {say('rules.calendar.turn', turn=due)}"
        if scenario is not None and placement in scenario.placements:
            head += f": {told_place(scenarios, scenario, placement)}"
        yield head
        yield from (f"  {told_piece(piece, scenarios.pack)}" for piece in group)


def _by_formation(position: Position, scenarios: Scenarios) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Piece]] = {}
    for _, piece in sorted(position.pieces.items()):
        groups.setdefault((piece.unit.side, piece.unit.formation), []).append(piece)
    for (side, formation), group in sorted(groups.items()):
        known = scenarios.formations.get(formation)
        title = known.title if known else formation or say("rules.position.no_formation")
        yield f"{_side(side, scenarios.pack)}: {title}"
        for piece in group:
            yield f"  {_told_where(piece)} {told_piece(piece, scenarios.pack)}"


def _told_where(piece: Piece) -> str:
    if piece.place.kind in ("off_map", "unplaced"):
        return f"({say(f'rules.position.{piece.place.kind}')})"
    return format_place(piece.place)


def _side(side: str, pack: Pack) -> str:
    return pack.sides[side].title if side in pack.sides else side
