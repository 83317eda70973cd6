"""Where the units of a position go in a module: onto its maps, into boxes, or where they wait.

Who may still be placed waits in the tray, by where the scenario lets him come; who arrives later
waits by turn. Nobody is left out: a unit whose hex no map has lies in the tray as well.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from exporters.vassal.trays import Box, Column, Group, capitalised
from mapkit.texts import say
from rules.pack import Pack
from rules.positions.places import format_place
from rules.positions.position import Piece, Position
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_words import told_place, told_turn
from rules.spoken import spoken

_LONGEST = 48  # so many letters of its words stand in the name of a place


@dataclass
class Side:
    """The units of one side that stand nowhere yet, by id: *stray* are those of no hex of ours."""

    free: dict[str, list[str]] = field(default_factory=dict)
    arriving: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    stray: dict[str, str] = field(default_factory=dict)
    elsewhere: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Waiting:
    """Who of a scenario waits for what, by side, in the order in which sides set up."""

    scenarios: Scenarios
    scenario: Scenario
    sides: Mapping[str, Side]

    @property
    def stray(self) -> dict[str, str]:
        """The hexes, by unit, that no map has."""
        return {id_: at for side in self.sides.values() for id_, at in side.stray.items()}

    def tray(self) -> tuple[Column, ...]:
        """Return the set-up tray: boxes by side and by where units may come."""
        return tuple(self._columns(self._free_boxes))

    def arrivals(self) -> tuple[Column, ...]:
        """Return who arrives later: boxes by side and turn, in each where units come in."""
        return tuple(self._columns(self._turn_boxes))

    def _columns(self, boxes: Callable[[str, Side], Iterator[Box]]) -> Iterator[Column]:
        for side, waiting in self.sides.items():
            title = told_side(self.scenarios.pack, side)
            yield Column(title, tuple(boxes(title, waiting)))

    def _free_boxes(self, side: str, waiting: Side) -> Iterator[Box]:
        for number, (placement, ids) in enumerate(waiting.free.items(), start=1):
            words = self._told(placement)
            name = f"{side} {number}: {_shortened(words)}"
            yield Box(name, capitalised(words), (Group(tuple(ids)),))
        for place, ids in waiting.elsewhere.items():
            yield Box(f"{side}: {place}", place, (Group(tuple(ids)),))
        if waiting.stray:
            title = say("exporters.vassal.tray.not_on_map")
            hexes = tuple(waiting.stray.values())
            yield Box(f"{side}: {title}", title, (Group(tuple(waiting.stray), captions=hexes),))

    def _turn_boxes(self, side: str, waiting: Side) -> Iterator[Box]:
        for turn, groups in sorted(waiting.arriving.items()):
            title = told_turn(self.scenario, turn)
            told = (Group(tuple(ids), self._told(name)) for name, ids in groups.items())
            yield Box(f"{side}: {title}", capitalised(title), tuple(told))

    def _told(self, placement: str) -> str:
        return told_placement(self.scenarios, self.scenario, placement)


def told_placement(scenarios: Scenarios, scenario: Scenario, placement: str) -> str:
    """Return in words where a scenario lets units come."""
    if placement not in scenario.placements:
        return say("exporters.vassal.tray.anywhere")
    return told_place(scenarios, scenario, placement)


def who_waits(
    scenarios: Scenarios, scenario: Scenario, position: Position, placed: Iterable[str]
) -> Waiting:
    """Return who of a position waits, *placed* being those that stand on a map or in a box."""
    order = dict.fromkeys([*scenario.file.order.sides, *scenarios.pack.sides])
    sides = {side: Side() for side in order}
    there = set(placed)
    for id_, piece in position.pieces.items():
        if id_ not in there:
            _put(id_, piece, sides[piece.unit.side])
    return Waiting(scenarios, scenario, sides)


def told_side(pack: Pack, side: str) -> str:
    """Return the title of a side, as a head begins."""
    return capitalised(spoken(pack, pack.sides[side].title, "sides"))


def _put(id_: str, piece: Piece, side: Side) -> None:
    if piece.place.kind == "hex":
        side.stray[id_] = format_place(piece.place)
    elif piece.place.kind == "unplaced":
        side.free.setdefault(piece.placement, []).append(id_)
    elif piece.place.kind == "off_map" and piece.due:
        side.arriving.setdefault(piece.due, {}).setdefault(piece.placement, []).append(id_)
    else:
        side.elsewhere.setdefault(format_place(piece.place), []).append(id_)


def _shortened(words: str) -> str:
    """Return the first words of a text: enough to know it by."""
    if len(words) <= _LONGEST:
        return words
    return words[:_LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + " …"
