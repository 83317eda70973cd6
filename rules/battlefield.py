"""A map in a game's own words: what every judge reads.

The map keeps its vocabulary, the pack has its own; the project binds one to the other. Here the
map is spoken in the pack's words once, so that no judge ever asks what "bosco" means. Terrain that
is bound to nothing known counts as unknown, never as plain.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from mapkit.bitboards import Board
from mapkit.hexes import Hex, Hexside, Link, hexsides
from mapkit.kinds import UNKNOWN, Group
from mapkit.model import Feature, Ground, HexMap, Shape
from mapkit.traces import Network
from rules.errors import RulesError
from rules.pack import BOUND_GROUPS, Pack
from rules.project import Project, bound_word, load_project
from rules.registry import find_pack, pack_names
from rules.ruling import Reason
from rules.schema.forces import HighFrom, classes_in

NOTHING = "(nothing)"  # terrain that the project binds to no word of the game on purpose


@dataclass(frozen=True)
class Battlefield:
    """One map of a game. *ground* is the map in the pack's words."""

    map: HexMap
    pack: Pack
    ground: HexMap
    unbound: Mapping[Group, frozenset[str]] = field(default_factory=dict)
    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)  # a kind's words

    @cached_property
    def board(self) -> Board:
        """The board that whole-map questions are answered on."""
        return Board.of_map(self.ground)

    def classes_in(self, groups: tuple[str, ...]) -> frozenset[str]:
        """Return the ids of all classes that belong to one of the groups."""
        if groups not in self._members:
            self._members[groups] = classes_in(groups, self.pack.classes)
        return self._members[groups]

    @cached_property
    def _members(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {}

    @cached_property
    def networks(self) -> dict[tuple[object, ...], Network]:
        """The steps that movers on this map take, with their prices, by what these hang on."""
        return {}

    @cached_property
    def zones(self) -> dict[tuple[object, ...], frozenset[Hex]]:
        """The zones that were asked for on this map, by hex, class, side and weather."""
        return {}

    @cached_property
    def linked(self) -> frozenset[Hex]:
        """The hexes that a road, track or railway runs through."""
        return frozenset(hex_ for link in self.ground.links for hex_ in link)

    @cached_property
    def sides_by_hex(self) -> dict[Hex, list[tuple[Hexside, tuple[Feature, ...]]]]:
        """What lies on hexsides, by the first of the two hexes."""
        found = defaultdict(list)
        for side, features in self.ground.hexsides.items():
            found[side.a].append((side, features))
        return dict(found)

    @cached_property
    def links_by_hex(self) -> dict[Hex, list[tuple[Link, tuple[Feature, ...]]]]:
        """The roads, tracks and railways, by the first of the two hexes."""
        found = defaultdict(list)
        for link, features in self.ground.links.items():
            found[link.a].append((link, features))
        return dict(found)

    @cached_property
    def high_from(self) -> HighFrom:
        """The level from which on it is high mountain, and the lowest that could be.

        They differ where the game's chart is not at hand and the map does not show it either.
        """
        levels = self.pack.levels
        if levels is None:
            return None, None
        if levels.high_mountain is not None:
            return levels.high_mountain, levels.high_mountain
        if levels.never_high is None:
            return None, None
        shown = set(levels.shown_as)
        if any(ground.terrain in shown for ground in self.ground.hexes.values()):
            return None, None
        return None, levels.never_high + 1

    def hex(self, label: str) -> Hex:
        """Return the hex with this label."""
        return self.map.hex(label)

    def label(self, hex_: Hex) -> str:
        """Return the printed label of a hex."""
        return self.map.label(hex_)

    def shapes(self, words: Iterable[str]) -> Iterator[Shape]:
        """Yield the drawn shapes whose kind the game calls by one of these words."""
        wanted = set(words)
        for shape in self.map.shapes:
            if wanted & self.spoken.get(shape.kind, frozenset()):
                yield shape

    def unbound_words(self, *groups: Group) -> Iterator[Reason]:
        """Yield what the map has that the game has no word for: it counts as not there."""
        for group in groups:
            if words := sorted(self.unbound.get(group, ())):
                yield Reason(f"rules.battlefield.unbound_{group}", {"words": ", ".join(words)})

    def side(self, name: str) -> str:
        """Return the id of a side by its id, title, code or nationality.

        Raises:
            RulesError: the game has no such side.
        """
        return self.pack.side(name)

    def owner(self, feature: Feature) -> str | None:
        """Return the side a feature belongs to; None where the map does not say.

        A name that is no side's is returned as it stands: it is nobody's that plays.
        """
        if not feature.owner:
            return None
        try:
            return self.side(feature.owner)
        except RulesError:
            return feature.owner

    def require_weather(self, weather: str | None) -> None:
        """Raise RulesError where the game does not know such weather."""
        if weather is not None and weather not in self.pack.weather:
            raise RulesError(
                f"{self.pack.title} has no weather '{weather}'; "
                f"there is: {', '.join(self.pack.weather) or 'none'}"
            )


def load_battlefield(path: Path, game: str | None = None, which: str | None = None) -> Battlefield:
    """Return the map of a project, or a bare map with a game, in the game's words.

    Raises:
        RulesError: nobody named the game.
    """
    project = load_project(path)
    pack = project.pack if game is None or game == project.game else find_pack(game)
    if pack is None:
        raise RulesError(f"name the game with --game; there is: {', '.join(pack_names())}")
    return battlefield(project, project.map(which), pack)


def battlefield(project: Project, map_: HexMap, pack: Pack) -> Battlefield:
    """Return a project's map in the words of its game."""
    words: dict[Group, dict[str, str | None]] = {
        group: {kind.id: bound_word(project, group, kind, pack) for kind in map_.kinds.group(group)}
        for group in BOUND_GROUPS
    }

    def spoken(group: Group, features: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return tuple(
            replace(one, kind=word) for one in features if (word := words[group].get(one.kind))
        )

    def ground(here: Ground) -> Ground:
        word = words["terrain"].get(here.terrain)
        terrain = UNKNOWN if word is None else word or NOTHING
        return replace(here, terrain=terrain, features=spoken("features", here.features))

    spoken_map = replace(
        map_,
        hexes={hex_: ground(here) for hex_, here in map_.hexes.items()},
        hexsides={
            side: told
            for side, features in map_.hexsides.items()
            if (told := spoken("hexsides", features))
        },
        links={
            link: told
            for link, features in map_.links.items()
            if (told := spoken("links", features))
        },
    )
    return Battlefield(
        map_,
        pack,
        with_the_granted(spoken_map, pack),
        {
            group: frozenset(kind for kind, word in table.items() if word is None)
            for group, table in words.items()
        },
        {
            kind: frozenset(word for table in words.values() if (word := table.get(kind)))
            for table in words.values()
            for kind in table
        },
    )


def with_the_granted(map_: HexMap, pack: Pack) -> HexMap:
    """Return a map in the pack's words with what its rules take for granted, drawn or not.

    A hex of crags has crags all round; where a road crosses a river there is a bridge.
    """
    sides = dict(map_.hexsides)
    for hex_, here in map_.hexes.items():
        kind = pack.terrain.get(here.terrain)
        if kind is not None and kind.all_round:
            for side in hexsides(hex_):
                _add(sides, side, kind.all_round)
    for link, features in map_.links.items():
        bridges = [pack.links[one.kind].bridge for one in features if one.kind in pack.links]
        bridge = next((word for word in bridges if word), None)
        under = sides.get(Hexside(*link), ())
        known = [pack.hexsides[one.kind].crossed_by for one in under if one.kind in pack.hexsides]
        crossings = {word for words in known for word in words}
        if bridge and crossings and crossings.isdisjoint(one.kind for one in under):
            _add(sides, Hexside(*link), bridge)
    return replace(map_, hexsides=sides)


def _add(sides: dict[Hexside, tuple[Feature, ...]], side: Hexside, kind: str) -> None:
    if all(feature.kind != kind for feature in sides.get(side, ())):
        sides[side] = (*sides.get(side, ()), Feature(kind))
