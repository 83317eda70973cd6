"""Questions of a game in play: units in every state, markers laid, turns kept, victory counted."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from counters.model import Unit
from rules.case_maps import CaseMap
from rules.errors import RulesError
from rules.positions.on_the_map import field_with_markers, standings
from rules.positions.position import Marker, Piece, Place, Position
from rules.positions.position_check import check_position
from rules.positions.position_picture import draw_position
from rules.positions.position_show import position_data, told_position
from rules.positions.set_up import set_up
from rules.positions.states import changed
from rules.ruling import Reason
from rules.turns.clock_work import activate, advance, give_initiative, now, react
from rules.turns.limits import objections, objections_to_reaction
from rules.turns.play import Play, formations_left, play_of
from rules.turns.turn_told import told_now, turn_data
from tests.rules.whole_games.bare_ground import case_field
from tests.rules.whole_games.games import Game, scenarios_of
from tests.rules.whole_games.listings import Question, in_all_languages

MOMENTS = 400
STRANGERS = "strangers"  # a formation that no list names
HERE = tuple(f"10{row:02}" for row in range(10, 26))


def in_play(game: Game) -> Iterator[Question]:
    """Yield questions on positions and turns; *game* only tells which there are."""
    for class_ in game.pack.classes:
        for word in game.pack.statuses:
            yield _unit_in_state(class_, word)
    for word in game.pack.statuses:
        yield in_all_languages(_drawn_in_state(word))
    for kind in game.pack.markers:
        yield in_all_languages(_marker(kind))
    yield _walk("", 1)
    for id_, formation in game.formations.items():
        yield _formation(id_, formation.side, (formation.title, *formation.also))
    for name in game.scenarios:
        yield _begun(name)
        yield from _turns(game, name)


def _field(game: Game) -> Any:
    hexsides = dict.fromkeys(game.pack.hexsides, ("1010/1011",))
    hexes = {"1012": "clear 2 " + " ".join(game.pack.features)}
    case = CaseMap(ground="clear 2", hexsides=hexsides, hexes=hexes)
    return case_field(game.pack, case, HERE)


def _unit_in_state(class_: str, word: str) -> Question:
    """Bring a unit of a class into a state, in all ways that can be written."""

    def of(game: Game) -> Any:
        side, other = tuple(game.pack.sides)
        unit = Piece(Unit("u", "U", side, class_=class_, steps=2), Place("hex", "1010"), facing=0)
        enemy = Piece(Unit("e", "E", other, class_="infantry", steps=2), Place("hex", "1010"))
        field = _field(game)
        found: list[Any] = []
        for text in (word, f"{word}=2"):
            try:
                piece = changed(unit, text, game.pack)
            except RulesError as error:
                found.append(str(error))
                piece = replace(unit, statuses={word: 2})
            position = Position(game.pack.id, pieces={"u": piece, "e": enemy})
            found += [position_data(position, game.pack), standings(position, field)]
            found += [check_position(position, field, scenarios_of(game))]
        return found

    return of


def _drawn_in_state(word: str) -> Question:
    def of(game: Game) -> Any:
        side = next(iter(game.pack.sides))
        pieces = {
            class_: Piece(Unit(class_, "U", side, class_=class_), Place("hex", here), {word: 1})
            for class_, here in zip(game.pack.classes, HERE, strict=False)
        }
        position = Position(game.pack.id, pieces=pieces)
        drawn = draw_position(position, _field(game)).svg
        return drawn, told_position(position, scenarios_of(game), "hex")

    return of


def _marker(kind: str) -> Question:
    def of(game: Game) -> Any:
        found: list[Any] = []
        field = _field(game)
        side = next(iter(game.pack.sides))
        for at, n in (("1012", 1), ("1012", 4), ("1010/1011", 2), ("1010/1011", None)):
            position = Position(game.pack.id, markers=(Marker(kind, at, side=side, n=n),))
            found += [told_position(position, scenarios_of(game), "hex")]
            found += [check_position(position, field, scenarios_of(game))]
            found += [field_with_markers(field, position).ground]
        return found, draw_position(position, field).svg

    return of


def _formation(id_: str, side: str, names: tuple[str, ...]) -> Question:
    """Let a formation act that has one unit on the map, under all its names."""

    def of(game: Game) -> Any:
        unit = Unit("u", "U", side, formation=id_, class_="infantry")
        position = Position(game.pack.id, pieces={"u": Piece(unit, Place("hex", HERE[0]))})
        play = play_of(position)
        found: list[Any] = [play.formation(name) for name in names]
        found += [formations_left(play, position, one) for one in game.pack.sides]
        return found, play.owner(id_, position), play.title(id_)

    return of


def _begun(name: str) -> Question:
    def of(game: Game) -> Any:
        position = set_up(game.pack.id, name)
        return position, told_position(position, scenarios_of(game), "formation")

    return of


def _turns(game: Game, name: str) -> Iterator[Question]:
    """Yield a walk through each of some turns of a scenario, moment by moment."""
    last = game.scenarios[name].turns.count
    for turn in sorted({1, 2, 3, last}):
        if turn <= last:
            yield _walk(name, turn)


def _walk(name: str, turn: int) -> Question:
    """Go through a turn; in each action phase one formation acts, in the second one reacts."""

    def of(game: Game) -> Any:
        begun = _at(game, name, turn) if name else Position(game.pack.id)
        position = _with_everything(game, begun)
        play = play_of(position)
        found: list[Any] = []
        acted: list[str] = []
        while position.clock.turn == turn and not position.clock.over and len(found) < MOMENTS:
            found += [told_now(position, play), turn_data(position, play)]
            if position.clock.phase and not position.initiative:
                position = give_initiative(position, play, next(iter(game.pack.sides)))
            after = _acted(position, play, acted) or _reacted(position, play, acted)
            if after is None:
                position = advance(position, play)
            else:
                position, against = after
                found.append(against)
        return found, position

    return of


def _acted(
    position: Position, play: Play, acted: list[str]
) -> tuple[Position, tuple[Reason, ...]] | None:
    phase, step = now(position, play)
    actions = play.actions(phase) if phase is not None else None
    if phase is None or actions is None or phase.id in acted:
        return None
    if step is not None and step.id != actions.offer:
        return None
    acted.append(phase.id)
    for formation in _ready(position, play, position.clock.active):
        if formation != STRANGERS or _is_unlisted(play):
            return activate(position, play, (formation,)), objections(position, play, formation)
    return None


def _is_unlisted(play: Play) -> bool:
    """Tell whether our sources lack the units, so that any name may be a formation's."""
    return play.scenario is None or "units" in play.scenario.file.missing


def _ready(position: Position, play: Play, side: str) -> tuple[str, ...]:
    """Return who may act; where our sources lack the units, a formation that nobody knows."""
    left = formations_left(play, position, side) or None
    known = [id_ for id_, one in play.scenarios.formations.items() if one.side == side]
    return (*known, "somebody") if left is None else left


def _reacted(
    position: Position, play: Play, acted: list[str]
) -> tuple[Position, tuple[Reason, ...]] | None:
    _, step = now(position, play)
    if step is None or step.reaction is None or len(acted) != 2 or not position.clock.formation:
        return None
    acted.append("a reaction")
    other = play.pack.enemy_of(position.clock.active)
    for formation in _ready(position, play, other):
        against = objections_to_reaction(position, play, formation)
        return react(position, play, formation, success=True), against
    return None


def _at(game: Game, name: str, turn: int) -> Position:
    position = set_up(game.pack.id, name)
    return replace(position, clock=replace(position.clock, turn=turn))


def _with_everything(game: Game, position: Position) -> Position:
    """Put units on the map, one in each state, and every marker beside them."""
    pieces = dict(position.pieces)
    side = next(iter(game.pack.sides))
    for number, word in enumerate(game.pack.statuses):
        here = Place("hex", HERE[number % len(HERE)])
        unit = Unit(f"in-{word}", word, side, formation=STRANGERS, class_="infantry", steps=2)
        pieces[unit.id] = Piece(unit, here, {word: 1}, steps_lost=number % 2)
    for number, id_ in enumerate(islice(sorted(position.pieces), 24)):
        pieces[id_] = replace(pieces[id_], place=Place("hex", HERE[number % len(HERE)]))
    markers = [Marker(kind, "1012", n=1) for kind in game.pack.markers]
    return replace(position, pieces=pieces, markers=(*position.markers, *markers))
