"""A position on its battlefield: who stands where, and the ground with its markers.

This is what judges read. `standings` gives the units of one map, `field_with_markers` that map
with trench levels and blown bridges as the game has them by now.
"""

from collections.abc import Iterator
from dataclasses import replace

from mapkit.errors import MapkitError
from mapkit.hexes import Hex, Hexside
from mapkit.model import Feature
from mapkit.notation import parse_hexside
from rules.battlefield import Battlefield
from rules.combat.losses import steps_of
from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.places import is_on
from rules.positions.position import Marker, Piece, Position
from rules.positions.states import face_up, states_of
from rules.schema.statuses import MarkerEntry
from rules.standing import Standing


def standings(
    position: Position, battlefield: Battlefield, map_id: str = ""
) -> tuple[Standing, ...]:
    """Return the units that stand on hexes of a map, by id; *map_id* "" is the only map.

    Raises:
        RulesError: it is a position of another game, or a unit stands on no hex of this map.
    """
    require_game(position, battlefield.pack)
    return tuple(_standing(id_, piece, battlefield) for id_, piece in _placed(position, map_id))


def standing(piece: Piece, hex_: Hex, pack: Pack) -> Standing:
    """Return a unit in a hex as judges see it; its id is its name, for names repeat."""
    unit, states = piece.unit, states_of(piece, pack)
    full = steps_of(pack.classes, unit.class_, unit.steps)
    return Standing(
        name=unit.id,
        side=unit.side,
        hex=hex_,
        class_=unit.class_,
        unit=unit,
        statuses=states,
        face=face_up(states, pack),
        steps=None if full is None else max(full - piece.steps_lost, 0),
    )


def field_with_markers(
    battlefield: Battlefield, position: Position, map_id: str = ""
) -> Battlefield:
    """Return the battlefield as the markers have changed it: trench levels, blown bridges.

    A marker on a place that this map does not have changes nothing: the check tells of it.
    """
    hexes, sides = dict(battlefield.ground.hexes), dict(battlefield.ground.hexsides)
    for marker in changing_markers(position, battlefield.pack, map_id):
        entry = battlefield.pack.markers[marker.kind]
        place = marker_place(marker, battlefield)
        if isinstance(place, Hexside):
            changed = _changed(sides.get(place, ()), marker, entry, battlefield)
            sides = {key: value for key, value in {**sides, place: changed}.items() if value}
        elif place is not None:
            here = hexes[place]
            changed = _changed(here.features, marker, entry, battlefield)
            hexes[place] = replace(here, features=changed)
    ground = replace(battlefield.ground, hexes=hexes, hexsides=sides)
    return replace(battlefield, ground=ground)


def marker_place(marker: Marker, battlefield: Battlefield) -> Hex | Hexside | None:
    """Return where a marker lies; None where this map has no such place."""
    try:
        if "/" in marker.at:
            side = parse_hexside(marker.at, battlefield.map.numbering)
            return side if any(hex_ in battlefield.map for hex_ in side) else None
        return battlefield.hex(marker.at)
    except MapkitError:
        return None


def changing_markers(position: Position, pack: Pack, map_id: str = "") -> Iterator[Marker]:
    """Yield the markers on a map that change its ground."""
    for marker in position.markers:
        entry = pack.markers.get(marker.kind)
        here = not map_id or marker.map in ("", map_id)
        if entry is not None and entry.features and here:
            yield marker


def require_game(position: Position, pack: Pack) -> None:
    """Raise RulesError where a position is of another game."""
    if position.game != pack.id:
        raise RulesError(
            f"the position is of '{position.game}', the map is played as '{pack.id}'; "
            "name the game of the position"
        )


def _placed(position: Position, map_id: str) -> Iterator[tuple[str, Piece]]:
    for id_, piece in sorted(position.pieces.items()):
        if is_on(piece.place, map_id):
            yield id_, piece


def _standing(id_: str, piece: Piece, battlefield: Battlefield) -> Standing:
    try:
        hex_ = battlefield.hex(piece.place.at)
    except MapkitError as error:
        raise RulesError(f"{id_} stands on no hex of the map: {error}") from None
    return standing(piece, hex_, battlefield.pack)


def _changed(
    features: tuple[Feature, ...], marker: Marker, entry: MarkerEntry, field: Battlefield
) -> tuple[Feature, ...]:
    """Return features as a marker leaves them; a level of 0 takes them away.

    A marker of a side changes that side's, else those of nobody; it never touches the other's.
    """
    there = [one for one in features if one.kind in entry.features]
    if entry.state:
        return tuple(replace(one, state=entry.state) if one in there else one for one in features)
    if marker.side:
        own = [one for one in there if field.owner(one) == marker.side]
        there = own or [one for one in there if field.owner(one) is None]
    others = tuple(one for one in features if one not in there)
    if marker.n == 0:
        return others
    kept = there or [Feature(entry.features[0])]
    return (
        *others,
        *(replace(one, value=marker.n, owner=marker.side or one.owner) for one in kept),
    )
