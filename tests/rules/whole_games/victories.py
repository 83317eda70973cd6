"""Questions of victory: a scenario counted by hand, on a map, by who stands, fell and left."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from counters.model import Unit
from mapkit.model import HexMap
from rules.case_maps import CaseMap
from rules.judges.victory import rule_victory
from rules.positions.position import Clock, Piece, Place, Position
from rules.schema.forces import classes_in
from rules.schema.sequence import Phase
from rules.schema.victory import Scoring
from rules.turns.play import play_of
from rules.turns.taking import take_hex
from tests.rules.whole_games.bare_ground import case_field
from tests.rules.whole_games.desk import numbered
from tests.rules.whole_games.games import Game
from tests.rules.whole_games.listings import Question

STANDING = ("infantry", "heavy_artillery", "headquarters")
WINGS = ("", "_left", "_right")


def of_victory(game: Game) -> Iterator[Question]:
    """Yield questions on who has won; *game* only tells which scenarios and places there are."""
    if game.sequence is None:
        return  # nobody knows when it is over
    for name in game.scenarios:
        labels = sorted(_labels(game, name))
        for side, over in product(game.pack.sides, (True, False)):
            for n in (0, 2, 20):
                yield _by_hand(name, side, labels, n, over=over, scoring=game.victory)
            for held in {len(labels), 1, len(labels) // 2}:
                yield _on_a_map(name, side, labels[:held], over=over)
            yield _standing(name, side, labels, STANDING, over=over)
            for class_ in game.victory.control.not_by if game.victory else ():
                yield _standing(name, side, labels, tuple(_of(game, class_)), over=over)
            if game.victory is not None:
                yield _fallen_and_gone(name, side, game.victory, over=over)
        yield _taken_and_lost(name, labels)


def _labels(game: Game, name: str) -> set[str]:
    found: set[str] = set()
    scoring = game.victory
    sudden = scoring.outcomes.values() if scoring else ()
    for outcome in (*game.scenarios[name].victory.outcomes, *sudden):
        found |= set(getattr(outcome.when, "hexes", ())) | {getattr(outcome.when, "hex", "")}
    for objective in scoring.objectives.values() if scoring else ():
        found |= set(objective.hexes)
    return found - {""}


def _map(game: Game, labels: list[str]) -> HexMap:
    """Return a map of just these places, each worth two points."""
    case = CaseMap(hexes=dict.fromkeys(labels, "clear 1 victory"))
    return numbered(case_field(game.pack, case, labels, nothing_else=True)).ground


def _ruled(position: Position, *maps: HexMap, over: bool) -> Any:
    ruling = rule_victory(position, maps, over=over)
    told = [reason.told() for reason in ruling.reasons]
    return ruling.verdict, ruling.working, told, ruling.cites, ruling.missing


def _by_hand(
    name: str, side: str, labels: list[str], n: int, *, over: bool, scoring: Scoring | None
) -> Question:
    words = [f"{scoring.by_hand}{wing}" for wing in WINGS] if scoring else []
    words += [scoring.losses.by_hand] if scoring and scoring.losses else []

    def of(game: Game) -> Any:
        points = {
            one: {word: n + place + 17 * (one == side) for place, word in enumerate(words)}
            for one in game.pack.sides
        }
        for track in scoring.tracks if scoring else ():
            points[track.of][track.word] = n if track.at_most is None else track.at_most
        control = dict.fromkeys(labels[: len(labels) - n], side)
        position = Position(game.pack.id, name, points=points, control=control)
        return _ruled(position, over=over)

    return of


def _on_a_map(name: str, side: str, labels: list[str], *, over: bool) -> Question:
    def of(game: Game) -> Any:
        position = Position(game.pack.id, name, control=dict.fromkeys(labels, side))
        return _ruled(position, _map(game, labels), over=over)

    return of


def _of(game: Game, group: str) -> list[str]:
    return sorted(classes_in((group,), game.pack.classes))


def _standing(
    name: str, side: str, labels: list[str], classes: tuple[str, ...], *, over: bool
) -> Question:
    """Let units of some classes stand where it counts."""

    def of(game: Game) -> Any:
        pieces = {
            label: Piece(
                Unit(label, label, side, class_=classes[n % len(classes)]), Place("hex", label)
            )
            for n, label in enumerate(labels)
        }
        position = Position(game.pack.id, name, pieces=pieces)
        return _ruled(position, _map(game, labels), over=over)

    return of


def _fallen_and_gone(name: str, side: str, scoring: Scoring, *, over: bool) -> Question:
    """Lay units of every class and size in a box, and let others leave over an edge."""
    box = scoring.losses.box if scoring.losses else ""
    edge = scoring.exits.edge if scoring.exits else ""
    words = list(scoring.losses.counts) if scoring.losses else []

    def of(game: Game) -> Any:
        found = []
        for word in words:
            class_ = word if word in game.pack.classes else "infantry"
            class_ = "heavy_artillery" if word == "artillery" else class_
            fallen = Unit(word, word, side, class_=class_, echelon=word)
            gone = Unit("gone", "Gone", side, formation="x", class_="infantry")
            pieces = {
                word: Piece(fallen, Place("box", box)),
                "gone": Piece(gone, Place("edge", edge)),
            }
            points = {one: {scoring.by_hand: 3} for one in game.pack.sides}
            position = Position(game.pack.id, name, pieces=pieces, points=points)
            found.append(_ruled(position, over=over))
        return found

    return of


def _taken_and_lost(name: str, labels: list[str]) -> Question:
    """Let a place change hands twice in a turn, in the turn's last phase."""

    def of(game: Game) -> Any:
        found = []
        phases = [one.id for one in _phases(game) if "victory" in one.due]
        for turn in (1, 4):
            position = Position(game.pack.id, name, clock=Clock(turn, phases[-1]))
            for side in (*game.pack.sides, *game.pack.sides):
                position = take_hex(position, play_of(position), labels[0], side)
                late = replace(position, clock=replace(position.clock, turn=turn + 1))
                found.append(_ruled(position, _map(game, labels), over=False))
                found.append(_ruled(late, _map(game, labels), over=True))
        return found

    return of


def _phases(game: Game) -> tuple[Phase, ...]:
    return game.sequence.phases if game.sequence else ()
