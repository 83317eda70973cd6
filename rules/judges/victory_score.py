"""The score of a position: who holds which hexes, and what each side has won by it.

Nothing is guessed: what the map, the position or the log does not tell is named as missing, and a
total that needs it is unknown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from counters.model import Unit
from mapkit.model import HexMap
from rules.pack import Pack
from rules.positions.position import Place, Position
from rules.ruling import Reason, Values
from rules.scenarios.victory import Score
from rules.schema.forces import classes_in
from rules.schema.victory import (
    Condition,
    Controls,
    ControlsNextTo,
    ExitPoints,
    LossPoints,
    NoHexTaken,
    Scoring,
    TrackPoints,
)

TAKEN_BY, HEX = "taken_by", "hex"  # in the data of a log entry: who took which hex

Printed = Mapping[str, int | None]  # the points of places by label; None: there are some


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a side's points; *points* is None where it cannot be counted."""

    side: str
    points: int | None
    says: Reason


@dataclass(frozen=True, slots=True)
class Count:
    """A score with its working. *unrecorded* are hexes nobody is known to have entered."""

    score: Score
    parts: tuple[Part, ...] = ()
    missing: tuple[Reason, ...] = ()
    unrecorded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """What points are counted from. *printed* is None where no map tells what places score.

    *over* tells whether the game is, *whole_turn* whether all of this turn has been played but
    for the victory check. *around* holds the neighbours of hexes that conditions name.
    """

    pack: Pack
    position: Position
    scoring: Scoring | None = None
    printed: Printed | None = None
    control: Mapping[str, str] = field(default_factory=dict)
    around: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    over: bool = False
    whole_turn: bool = False


def printed_points(maps: Iterable[HexMap], feature: str) -> dict[str, int | None] | None:
    """Return what places score on maps in the pack's words; None where they show no such place."""
    found: dict[str, int | None] = {}
    for map_ in maps:
        for hex_, ground in map_.hexes.items():
            for one in ground.features:
                if one.kind == feature:
                    found[map_.label(hex_)] = one.value
    return found or None


def held_hexes(position: Position, pack: Pack, scoring: Scoring | None) -> dict[str, str]:
    """Return who holds which hexes: as recorded, and wherever units of one side stand."""
    held = dict(position.control)
    spared = classes_in(scoring.control.not_by, pack.classes) if scoring else frozenset[str]()
    there: dict[str, set[str]] = {}
    for piece in position.pieces.values():
        if piece.place.kind == "hex" and piece.unit.class_ not in spared:
            there.setdefault(piece.place.at, set()).add(piece.unit.side)
    for label, sides in there.items():
        if len(sides) == 1:  # while both are there, as in an assault, it is whose it was
            held[label] = min(sides)
    return held


def count_score(scene: Scene, conditions: Iterable[Condition]) -> Count:
    """Return the score that some conditions of victory are held against.

    A hex that no record tells of was entered by nobody, so no side that had to take it holds it;
    who holds most of some hexes stays unknown then.
    """
    conditions = tuple(conditions)
    parts = tuple(_parts(scene, scene.scoring)) if scene.scoring else ()
    named = {label for one in conditions for label in _hexes_to_take(one, scene.around)}
    recorded = bool(scene.control or scene.position.pieces)
    unrecorded = tuple(sorted(named - set(scene.control))) if recorded else ()
    idle = {
        one.side: turns
        for one in conditions
        if isinstance(one, NoHexTaken) and (turns := _idle_turns(scene, one.side)) is not None
    }
    score = Score(
        over=scene.over,
        points=_totals(scene, parts),
        wing_points=_wing_points(scene),
        control={**dict.fromkeys(unrecorded, ""), **scene.control},
        idle_turns=idle,
    )
    missing = tuple(part.says for part in parts if part.points is None)
    return Count(score, parts, missing, unrecorded)


def _hexes_to_take(condition: Condition, around: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    match condition:
        case Controls(hexes=hexes):
            return hexes
        case ControlsNextTo(hex=label):
            return around.get(label, ())
    return ()


def _totals(scene: Scene, parts: tuple[Part, ...]) -> dict[str, int]:
    """Return the total of the side that scores; nothing where a part of it is unknown."""
    scoring = scene.scoring
    if scoring is None or any(part.points is None for part in parts):
        return {}
    signs = {scoring.side: 1, scoring.less or "": -1}
    return {scoring.side: sum((part.points or 0) * signs.get(part.side, 0) for part in parts)}


def _parts(scene: Scene, scoring: Scoring) -> Iterable[Part]:
    yield _places(scene, scoring, scoring.side)
    if scoring.less and scoring.places_of_both:
        yield _places(scene, scoring, scoring.less)
    if scoring.losses:
        yield from _losses(scene, scoring, scoring.losses)
    if scoring.exits:
        yield _exits(scene, scoring, scoring.exits)
    yield from (_track(scene, one) for one in scoring.tracks)
    if scoring.retaken_costs:
        yield _retaken(scene, scoring)


def _places(scene: Scene, scoring: Scoring, side: str) -> Part:
    """Count the places a side holds; one of several hexes needs them all."""
    cite = scoring.cite
    title = scene.pack.sides[side].title
    by_hand = scene.position.points.get(side, {}).get(scoring.by_hand)
    if scene.printed is None:
        if by_hand is None:
            values = {"side": title, "word": scoring.by_hand}
            return Part(side, None, Reason("rules.victory.places_unknown", values, cite))
        return Part(side, by_hand, Reason("rules.victory.by_hand", {"n": by_hand}, cite))
    worth = dict(_places_held(scene, scoring, side))
    unknown = [name for name, points in worth.items() if points is None]
    if unknown:
        values = {"places": ", ".join(unknown)}
        return Part(side, None, Reason("rules.victory.places_without_value", values, cite))
    total = sum(points or 0 for points in worth.values())
    told = ", ".join(f"{name} {points}" for name, points in worth.items()) or "–"
    says = Reason("rules.victory.places", {"side": title, "n": total, "places": told}, cite)
    return Part(side, total, says)


def _places_held(scene: Scene, scoring: Scoring, side: str) -> Iterable[tuple[str, int | None]]:
    """Yield the places that a side holds with what they score; None where the map lacks it."""
    printed = scene.printed or {}
    in_several = {label for one in scoring.objectives.values() for label in one.hexes}
    for one in scoring.objectives.values():
        if all(scene.control.get(label) == side for label in one.hexes):
            values = [n for label in one.hexes if (n := printed.get(label)) is not None]
            worth = max(values) if values else None
            yield one.title, worth if one.points is None else one.points
    for label, value in sorted(printed.items()):
        if label not in in_several and scene.control.get(label) == side:
            yield label, value


def _losses(scene: Scene, scoring: Scoring, losses: LossPoints) -> Iterable[Part]:
    """Yield the points for steps that surrendered: of each side that scores them."""
    for side in (scoring.side, scoring.less):
        if side is None:
            continue
        enemies = [other for other in scene.pack.sides if other != side]
        steps = [_steps(scene, losses, other) for other in enemies]
        own = _steps(scene, losses, side) if losses.own_subtracted else 0
        title = scene.pack.sides[side].title
        if own is None or None in steps:
            names = ", ".join(_uncounted(scene, losses))
            says = Reason("rules.victory.losses_unknown", {"names": names}, losses.cite)
            yield Part(side, None, says)
            continue
        left = max(0, sum(one or 0 for one in steps) - own)
        points = left // losses.steps_per_point
        values: Values = {"side": title, "n": points, "steps": left, "each": losses.steps_per_point}
        yield Part(side, points, Reason("rules.victory.losses", values, losses.cite))


def _steps(scene: Scene, losses: LossPoints, side: str) -> int | None:
    """Return the steps a side has surrendered; None where a unit of unknown worth is among them."""
    total = scene.position.points.get(side, {}).get(losses.by_hand, 0)
    for piece in scene.position.pieces.values():
        if piece.unit.side == side and _surrendered(piece.place, losses):
            worth = _worth(scene, losses, piece.unit)
            if worth is None:
                return None
            total += worth
    return total


def _surrendered(place: Place, losses: LossPoints) -> bool:
    return place.kind == "box" and place.at == losses.box


def _worth(scene: Scene, losses: LossPoints, unit: Unit) -> int | None:
    """Return what a unit counts in steps: by its class, then its groups, then its echelon."""
    class_ = scene.pack.classes.get(unit.class_)
    words = (unit.class_, *(class_.groups if class_ else ()), unit.echelon)
    return next((losses.counts[word] for word in words if word in losses.counts), None)


def _uncounted(scene: Scene, losses: LossPoints) -> Iterable[str]:
    for piece in scene.position.pieces.values():
        if _surrendered(piece.place, losses) and _worth(scene, losses, piece.unit) is None:
            yield piece.unit.name


def _exits(scene: Scene, scoring: Scoring, exits: ExitPoints) -> Part:
    """Count the formations whose surviving units have all left over the edge."""
    spared = classes_in(scoring.control.not_by, scene.pack.classes)
    gone: dict[str, list[bool]] = {}
    for piece in scene.position.pieces.values():
        unit, place = piece.unit, piece.place
        ours = unit.side == scoring.side and unit.formation and unit.class_ not in spared
        if ours and place.kind != "box":  # what lies in a box does not survive
            left = place.kind == "edge" and place.at == exits.edge
            gone.setdefault(unit.formation, []).append(left)
    names = [name for name, left in gone.items() if all(left)]
    points = exits.points * len(names)
    told = ", ".join(names) or "–"
    says = Reason("rules.victory.exits", {"n": points, "names": told}, exits.cite)
    return Part(scoring.side, points, says)


def _track(scene: Scene, track: TrackPoints) -> Part:
    """Count the points for what a track shows; nothing is known where nobody keeps it."""
    number = scene.position.points.get(track.of, {}).get(track.word)
    values: Values = {"side": scene.pack.sides[track.side].title, "title": track.title}
    if number is None:
        asked: Values = {**values, "word": track.word}
        return Part(track.side, None, Reason("rules.victory.track_unknown", asked, track.cite))
    points = track.scored(number)
    told: Values = {**values, "n": points, "now": number}
    return Part(track.side, points, Reason("rules.victory.track", told, track.cite))


def _retaken(scene: Scene, scoring: Scoring) -> Part:
    """Count what was taken and lost again in the same turn, as the log has it."""
    lost: list[str] = []
    taken: dict[str, int] = {}
    for turn, label, side in _takings(scene.position):
        if side == scoring.side:
            taken[label] = turn
        elif taken.pop(label, 0) == turn:
            lost.append(label)
    printed = scene.printed or {}
    scoring_places = [label for label in lost if scene.printed is None or label in printed]
    values = {label: printed.get(label) for label in scoring_places}
    told = ", ".join(scoring_places) or "–"
    if None in values.values():
        says = Reason("rules.victory.places_without_value", {"places": told}, scoring.cite)
        return Part(scoring.side, None, says)
    cost = sum((values[label] or 0) * (scoring.retaken_costs or 0) for label in scoring_places)
    says = Reason("rules.victory.retaken", {"n": cost, "places": told}, scoring.cite)
    return Part(scoring.side, -cost, says)


def _takings(position: Position) -> Iterable[tuple[int, str, str]]:
    """Yield every taking of a hex that the log tells of: the turn, the hex, the side."""
    for entry in position.log:
        label, side = entry.data.get(HEX), entry.data.get(TAKEN_BY)
        if isinstance(label, str) and isinstance(side, str):
            yield entry.turn, label, side


def _idle_turns(scene: Scene, side: str) -> int | None:
    """Return for how many turns a side took no place that scores; None where nobody kept count."""
    takings = list(_takings(scene.position))
    if scene.printed is None or not takings:
        return None
    turns = [turn for turn, label, who in takings if who == side and label in scene.printed]
    whole = scene.position.clock.turn - (not scene.whole_turn)
    return max(0, whole - max(turns, default=0))


def _wing_points(scene: Scene) -> dict[tuple[str, str], int]:
    """Return the points of wings, which players count by hand: no map of ours has the sectors."""
    if scene.scoring is None:
        return {}
    side, start = scene.scoring.side, f"{scene.scoring.by_hand}_"
    counted = scene.position.points.get(side, {})
    return {
        (side, word.removeprefix(start)): n for word, n in counted.items() if word.startswith(start)
    }
