"""What players do to a position, as edits: said in the game's words and checked at the door."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.known_places import Maps, require_place
from rules.positions.places import parse_place
from rules.positions.points import points_words
from rules.positions.position import Clock, Entry, Marker, Piece, Place, Position, marker_order
from rules.positions.position_edits import (
    Edit,
    add_entry,
    change_piece,
    in_one,
    lay_marker,
    move_piece,
    set_clock,
    set_control,
    set_initiative,
    set_points,
    set_weather,
    take_marker,
)
from rules.positions.states import changed
from rules.positions.turn_entry import enter_turn, known_sequence
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.sequences import find_sequence

NOBODY = "-"
NO_MAPS: Maps = {}
_DIRECTIONS = 6


def find_piece(position: Position, name: str) -> Piece:
    """Return a unit by its id, or by its name where only one is called so.

    Raises:
        RulesError: there is none, or several.
    """
    if name in position.pieces:
        return position.pieces[name]
    wanted = name.casefold()
    named = [one for one in position.pieces.values() if one.unit.name.casefold() == wanted]
    if len(named) == 1:
        return named[0]
    if named:
        ids = ", ".join(sorted(one.unit.id for one in named))
        raise RulesError(f"several units are called '{name}'; name one by its id: {ids}")
    like = sorted(id_ for id_ in position.pieces if wanted in id_)[:5]
    hint = f"did you mean {', '.join(like)}?" if like else "`mapkit rules position show` lists them"
    raise RulesError(f"the position has no unit '{name}'; {hint}")


def placed(
    position: Position, pack: Pack, units: Sequence[str], where: str, maps: Maps = NO_MAPS
) -> Edit:
    """Return the edit that puts units at a place: `3405`, `box:eliminated`, `off_map`.

    Raises:
        RulesError: there is no such unit, or no such place in the game or on its *maps*.
    """
    place = parse_place(where)
    require_place(place, pack, maps)
    return in_one([move_piece(find_piece(position, name), place) for name in units])


def in_states(position: Position, pack: Pack, unit: str, changes: Iterable[str]) -> Edit:
    """Return the edit that changes states of a unit: `reduced`, `disorganization=2`, `facing=3`.

    Raises:
        RulesError: there is no such unit or state.
    """
    piece = find_piece(position, unit)
    return change_piece(reduce(lambda so_far, text: _changed(so_far, text, pack), changes, piece))


def marked(
    position: Position,
    pack: Pack,
    kind: str,
    at: str,
    n: int | None,
    side: str,
    *,
    remove: bool = False,
    maps: Maps = NO_MAPS,
) -> Edit:
    """Return the edit that lays a marker, or takes it away.

    Raises:
        RulesError: the game has no such marker, not there, or not with this number.
    """
    place = parse_place(at) if "/" not in at else Place("hex", at.rpartition(":")[2])
    map_ = at.rpartition(":")[0] if "/" in at else place.map
    marker = Marker(kind, place.at, map_, side, n)
    if remove:
        key = marker_order(marker)[:4]
        if all(marker_order(one)[:4] != key for one in position.markers):
            raise RulesError(f"no marker '{kind}' lies on {at}{f' for {side}' if side else ''}")
        return take_marker(marker)
    _require_marker(marker, pack, maps)
    return lay_marker(marker)


def turned_to(position: Position, pack: Pack, turn: int, phase: str = "") -> Edit:
    """Return the edit that sets turn and phase; another turn begins as turns do (`enter_turn`).

    Raises:
        RulesError: the scenario has no such turn, or the game no such phase.
    """
    if phase:
        known = [one.id for one in find_sequence(pack.id).phases]
        if phase not in known:
            raise RulesError(f"{pack.title} has no phase '{phase}'; there is: {', '.join(known)}")
    if turn == position.clock.turn:
        return set_clock(Clock(turn=turn, phase=phase, done=position.clock.done))
    scenario = scenarios_of(pack).find(position.scenario) if position.scenario else None
    entered = enter_turn(position, turn, known_sequence(pack.id), scenario)
    return in_one(
        [
            set_clock(replace(entered.clock, phase=phase)),
            set_weather(entered.weather),
            set_initiative(entered.initiative),
        ]
    )


def in_weather(pack: Pack, weather: str) -> Edit:
    """Return the edit that changes the weather.

    Raises:
        RulesError: the game has no such weather.
    """
    _require_word(weather, pack.weather, "weather", pack)
    return set_weather(weather)


def with_points(position: Position, pack: Pack, side: str, kind: str, n: int) -> Edit:
    """Return the edit that sets points of a side.

    Raises:
        RulesError: the game has no such side, or its scenario no such points.
    """
    _require_word(side, pack.sides, "side", pack)
    scenarios = scenarios_of(pack)
    scenario = scenarios.find(position.scenario) if position.scenario else None
    words = points_words(scenarios, scenario)
    if words:
        _require_word(kind, words.get(side, ()), f"points of '{side}' called", pack)
    return set_points(side, kind, n)


def controlled(pack: Pack, side: str, labels: Iterable[str], maps: Maps = NO_MAPS) -> Edit:
    """Return the edit that gives hexes to a side; `-` is nobody.

    Raises:
        RulesError: the game has no such side, or no such hex on its *maps*.
    """
    if side != NOBODY:
        _require_word(side, pack.sides, "side", pack)
    edits = []
    for label in labels:
        require_place(Place("hex", label), pack, maps)
        edits.append(set_control(label, None if side == NOBODY else side))
    return in_one(edits)


def noted(position: Position, text: str) -> Edit:
    """Return the edit that adds a line to the log, at the hour it is."""
    return add_entry(position, Entry(position.clock.turn, position.clock.phase, text))


def _changed(piece: Piece, text: str, pack: Pack) -> Piece:
    key, equals, value = text.partition("=")
    if not equals or key not in ("steps_lost", "facing", "hidden_from"):
        return changed(piece, text, pack)
    if key == "hidden_from":
        sides = tuple(side for side in value.split(",") if side)
        for side in sides:
            _require_word(side, pack.sides, "side", pack)
        return replace(piece, hidden_from=sides)
    if key == "facing" and value == "":
        return replace(piece, facing=None)
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 4 else None
    most = _DIRECTIONS - 1 if key == "facing" else piece.unit.steps
    if number is None or (most is not None and number > most):
        wanted = f"0 to {most}" if most is not None else "a number"
        raise RulesError(f"{key}={value}: write {wanted}")
    return replace(piece, facing=number) if key == "facing" else replace(piece, steps_lost=number)


def _require_marker(marker: Marker, pack: Pack, maps: Maps) -> None:
    _require_word(marker.kind, pack.markers, "marker", pack)
    entry = pack.markers[marker.kind]
    where = "hexside" if "/" in marker.at else "hex"
    if where not in entry.on:
        raise RulesError(
            f"a marker '{marker.kind}' lies on a {' or '.join(entry.on)}, and {marker.at} is a "
            f"{where} [{entry.cite}]"
        )
    for label in marker.at.split("/"):
        require_place(Place("hex", label, marker.map), pack, maps)
    if marker.side:
        _require_word(marker.side, pack.sides, "side", pack)
    if entry.counted != (marker.n is not None):
        wanted = "needs its number" if entry.counted else "takes no number"
        raise RulesError(f"a marker '{marker.kind}' {wanted} [{entry.cite}]")
    if entry.highest is not None and (marker.n or 0) > entry.highest:
        raise RulesError(f"'{marker.kind}' goes up to {entry.highest} [{entry.cite}]")


def _require_word(word: str, known: Iterable[str], what: str, pack: Pack) -> None:
    listed = list(known)
    if word not in listed:
        raise RulesError(
            f"{pack.title} has no {what} '{word}'; there is: {', '.join(listed) or 'none'}"
        )
