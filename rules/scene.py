"""A map with the counters about: those of a position, and those named on the spot.

What every question to a judge begins with. A unit of the position is named by its id, or by its
name where only one is called so; it stands where the position says, and the position's weather
holds unless another is named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.errors import MapkitError
from mapkit.hexes import Hex
from rules.battlefield import Battlefield, battlefield
from rules.errors import RulesError
from rules.positions.changes import find_piece
from rules.positions.on_the_map import changing_markers, field_with_markers, standings
from rules.positions.places import format_place
from rules.positions.position import Marker, Position
from rules.positions.position_store import SUFFIX, load_position
from rules.project import Project, load_project
from rules.registry import find_pack, pack_names
from rules.standing import Standing, named_on_the_spot, told_apart

Counters = tuple[Standing, ...]


@dataclass(frozen=True)
class Scene:
    """A battlefield as its markers have changed it, who stands on it, and the weather."""

    field: Battlefield
    weather: str | None = None
    position: Position | None = None
    units: Counters = ()
    markers: tuple[Marker, ...] = ()  # those that changed the ground

    @property
    def control(self) -> Mapping[str, str]:
        """Who held a hex last, by its label."""
        return {} if self.position is None else self.position.control

    @property
    def scenario(self) -> str:
        """The scenario that the position is played in; "" where nobody said."""
        return "" if self.position is None else self.position.scenario

    def hex(self, text: str) -> Hex:
        """Return the hex with this label, or the one a unit of the position stands in."""
        unit = self.unit(text)
        return self.field.hex(text) if unit is None else unit.hex

    def unit(self, text: str) -> Standing | None:
        """Return the unit that a text names; None where it is the label of a hex.

        Raises:
            RulesError: it is neither, or the unit stands on no hex of this map.
        """
        if self.position is None or (text not in self.position.pieces and self._is_hex(text)):
            return None
        try:
            piece = find_piece(self.position, text)
        except RulesError as error:
            raise RulesError(f"'{text}' is no hex of the map, and {error}") from None
        for unit in self.units:
            if unit.name == piece.unit.id:
                return unit
        where = format_place(piece.place)
        raise RulesError(f"{piece.unit.id} does not stand on this map; its place is: {where}")

    def counter(self, text: str, side: str | None) -> Standing:
        """Return a unit of the position, or a counter named on the spot: `2028:infantry`.

        Raises:
            RulesError: nobody said whose the counter is, or the unit is of another side.
        """
        place = text.partition(":")[0]
        unit = self.unit(text) if place == text else None
        ours = self.side(side, place)
        if unit is None:
            return named_on_the_spot(self.field, ours, [text])[0]
        self.require_side(unit, ours)
        return unit

    def require_side(self, unit: Standing, side: str) -> None:
        """Raise RulesError where a unit is not of the side that was named."""
        if unit.side != side:
            raise RulesError(f"{unit.name} is of the side '{unit.side}', not '{side}'")

    def side(self, name: str | None, at: str) -> str:
        """Return the side that is asked about: the one named, else whose units stand *at*.

        Raises:
            RulesError: nobody named it and nobody stands there, or both sides do.
        """
        if name is not None:
            return self.field.side(name)
        unit = self.unit(at)
        if unit is not None:
            return unit.side
        here = self.hex(at)
        sides = {one.side for one in self.units if one.hex == here}
        if len(sides) != 1:
            known = ", ".join(self.field.pack.sides)
            raise RulesError(f"whose unit is it in {at}? say --side; there is: {known}")
        return sides.pop()

    def which_unit(self, place: str) -> RulesError:
        """Return the question back: a hex was named where one of its units is needed."""
        here = self.hex(place)
        ids = ", ".join(one.name for one in self.units if one.hex == here)
        there = f" ({ids} stand there)" if "," in ids else f" ({ids} stands there)" if ids else ""
        return RulesError(f"which unit in {place}? name its --class, or a unit by its id{there}")

    def about(
        self,
        side: str,
        friends: Sequence[str] | None = None,
        enemies: Sequence[str] | None = None,
        *,
        but: Standing | None = None,
    ) -> tuple[Counters, Counters]:
        """Return the counters of a side and of its enemy: the position's, then those named.

        *but* is left out: the unit that is asked about.

        Raises:
            RulesError: a class is none, or a counter is named in a hex of the other side.
        """
        other = self.field.pack.enemy_of(side)
        ours = named_on_the_spot(self.field, side, list(friends or ()))
        theirs = named_on_the_spot(self.field, other, list(enemies or ()))
        there = [one for one in self.units if but is None or one.name != but.name]
        found = (
            told_apart((*(one for one in there if one.side == side), *ours)),
            told_apart((*(one for one in there if one.side != side), *theirs)),
        )
        both = {one.hex for one in ours} & {one.hex for one in found[1]}
        mine = () if but is None else (but,)
        both |= {one.hex for one in theirs} & {one.hex for one in (*found[0], *mine)}
        if both:
            raise RulesError(
                f"a friend and an enemy both stand in {self.field.label(min(both))}: which?"
            )
        return found

    def _is_hex(self, text: str) -> bool:
        try:
            self.field.hex(text)
        except MapkitError:
            return False
        return True


def load_scene(
    path: Path,
    game: str | None = None,
    which: str | None = None,
    position: str | None = None,
    weather: str | None = None,
) -> Scene:
    """Return the map of a project, or a bare map with a game, and who stands on it.

    *position* is a file, or the name of one that the project lists. A bare map is played as the
    game of the position where no other is named.

    Raises:
        RulesError: nobody named the game, or the position is of another.
        ProjectError: there is no such map.
    """
    project = load_project(path)
    played = None if position is None else find_position(project, position)
    named = game or project.game or (played.game if played else None)
    if named is None:
        raise RulesError(f"name the game with --game; there is: {', '.join(pack_names())}")
    pack = (project.pack if named == project.game else None) or find_pack(named)
    field = battlefield(project, project.map(which), pack)
    return on_scene(field, played, which or "", weather)


def on_scene(
    field: Battlefield, position: Position | None, map_id: str = "", weather: str | None = None
) -> Scene:
    """Return a battlefield with the units and markers of a position.

    Raises:
        RulesError: the position is of another game.
    """
    if position is None:
        field.require_weather(weather)
        return Scene(field, weather)
    units = standings(position, field, map_id)
    markers = tuple(changing_markers(position, field.pack, map_id))
    now = weather or position.weather
    field.require_weather(now)
    changed = field_with_markers(field, position, map_id)
    return Scene(changed, now, position, units, markers)


def find_position(project: Project, name: str) -> Position:
    """Return the position in a file, or one that a project lists: `may-15`.

    Raises:
        RulesError: there is neither.
    """
    path = Path(name)
    if not path.exists():
        known = {one.name.removesuffix(SUFFIX): one for one in project.positions}
        listed = known.get(path.name.removesuffix(SUFFIX))
        if listed is None:
            has = f"the project '{project.name}' lists: {', '.join(known) or 'none'}"
            raise RulesError(f"there is no position file {name}; {has}")
        path = listed
    return load_position(path)
