"""Every scenario as a set-up of the module: a saved game, and the windows where units wait."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from counters.drawing.file_names import file_stems
from exporters.model import Dropped, OutFile
from exporters.vassal.boxes import boxes_window
from exporters.vassal.elements import Element, add, element
from exporters.vassal.ground import Ground
from exporters.vassal.order_of_battle import OrderOfBattle
from exporters.vassal.palette import Palette
from exporters.vassal.saves.pieces import Spot
from exporters.vassal.saves.save_file import SavedGame, write_save
from exporters.vassal.scenario_notes import notes_command
from exporters.vassal.setup_pieces import FromPalette, Laid, on_map, standing_spots
from exporters.vassal.turn_tracker import first_turn
from exporters.vassal.waiting import who_waits
from exporters.vassal.waiting_room import WaitingRoom
from mapkit.texts import say
from rules.positions.position import Place, Position
from rules.positions.set_up import begin_from
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.spoken import spoken

_SETUP = "build.module.PredefinedSetup"


@dataclass(frozen=True)
class ModuleName:
    """The module that saved games belong to; *data* is its own metadata, which they repeat."""

    name: str
    version: str
    data: bytes


@dataclass(frozen=True)
class Staged:
    """A scenario before it becomes a saved game: its title, position, and where units stand."""

    scenario: Scenario
    title: str
    position: Position
    spots: Mapping[str, Spot]
    stray: Mapping[str, str]


def window_names() -> tuple[str, str, str]:
    """Return the names of the windows beside the maps: boxes, set-up tray, reinforcements."""
    tray, arrivals = say("exporters.vassal.tray.window"), say("exporters.vassal.tray.arrivals")
    return boxes_window(), tray, arrivals


class Setups:
    """The set-ups of a module in the making."""

    def __init__(
        self,
        scenarios: Scenarios,
        grounds: Sequence[Ground],
        palette: Palette | None,
        counter_px: int,
        formations: Mapping[str, str],
    ) -> None:
        self.scenarios, self.grounds, self.palette = scenarios, grounds, palette
        self.boxes = palette.boxes if palette else None
        _, tray, arrivals = window_names()
        self.tray = WaitingRoom(tray, "tray", counter_px)
        self.arrivals = WaitingRoom(arrivals, "arrivals", counter_px)
        fronts = palette.fronts if palette else {}
        self.order = OrderOfBattle(scenarios, formations, fronts, counter_px)
        self.images: list[OutFile] = []
        self.saves: list[OutFile] = []
        self.dropped: list[Dropped] = []
        self.hints: list[Dropped] = []

    def add_to(self, root: Element, module: ModuleName, chosen: Sequence[Scenario]) -> None:
        """Add scenarios in a menu of their own, the saved game of each, and their windows."""
        titles = _titles(self.scenarios, chosen)
        staged = [self._staged(one, titles[one.id]) for one in chosen]
        for room in self._rooms():
            root.append(room.element())
            self.images += room.images()
        self.images += self.order.add_to(root)
        root.append(element(_SETUP, name=say("exporters.vassal.setup.none"), useFile=False))
        menu = add(root, _SETUP, name=say("exporters.vassal.setup.menu"), isMenu=True)
        turn = first_turn(root)
        stems = file_stems(one.id for one in chosen)
        for one in staged:
            file = f"setup-{stems[one.scenario.id]}.vsav"
            about = {"description": one.scenario.file.cite}
            add(menu, _SETUP, name=one.title, isMenu=False, useFile=True, file=file, **about)
            game = self._game(one, module, turn)
            self.saves.append(OutFile(file, write_save(game, module.data)))

    def _staged(self, scenario: Scenario, title: str) -> Staged:
        """Return a scenario with the place of every unit, and keep the boards it waits on."""
        position = begin_from(self.scenarios.pack, scenario.id)
        spots = standing_spots(position, self.grounds, self.boxes)
        waiting = who_waits(self.scenarios, scenario, position, spots)
        self.tray.add(scenario.id, title, waiting.tray())
        self.arrivals.add(scenario.id, title, waiting.arrivals())
        self.order.add(scenario, title, position)
        spots |= self.tray.spots(scenario.id) | self.arrivals.spots(scenario.id)
        return Staged(scenario, title, position, spots, waiting.stray)

    def _rooms(self) -> list[WaitingRoom]:
        return [room for room in (self.tray, self.arrivals) if room.is_needed]

    def _game(self, one: Staged, module: ModuleName, turn: str | None) -> SavedGame:
        laid = Laid()
        offered = FromPalette(self.palette, self.grounds)
        laid.add_units(one.position, offered, one.spots)
        laid.add_markers(one.position, offered, offered.marker_spot)
        laid.add_control(one.position, offered, offered.marker_spot)
        self.dropped += _told_lost(one, laid)
        self.hints += self._told_several(one)
        boards = {ground.window: ground.board.name for ground in self.grounds}
        boards |= {room.window: room.boards[one.scenario.id].name for room in self._rooms()}
        if self.boxes is not None:
            boards[self.boxes.window] = self.boxes.tray.name
        return SavedGame(
            module.name,
            module.version,
            one.title,
            {window: ((board, 0, 0),) for window, board in boards.items()},
            tuple(laid.pieces),
            tuple(laid.stacks()),
            (*([turn] if turn else []), notes_command(self.scenarios, one.scenario)),
        )

    def _told_several(self, one: Staged) -> Iterator[Dropped]:
        """Yield that some units stand in hexes that more than one map has."""
        places = [piece.place for piece in one.position.pieces.values()]
        labels = [at.at for at in places if at.kind == "hex" and not at.map]
        shared = [
            label
            for label in labels
            if sum(ground.hex_px(label) is not None for ground in self.grounds) > 1
        ]
        if shared:
            spot = on_map(Place("hex", shared[0]), self.grounds)
            values = {"n": len(shared), "label": shared[0], "map": spot.map if spot else ""}
            yield Dropped("exporters.vassal.hint.several_maps", {"scenario": one.title, **values})


def _titles(scenarios: Scenarios, chosen: Sequence[Scenario]) -> dict[str, str]:
    """Return the titles of scenarios, which are names of boards too: no two are the same."""
    found: dict[str, str] = {}
    for one in chosen:
        title = spoken(scenarios.pack, one.file.title)
        found[one.id] = f"{title} ({one.id})" if title in found.values() else title
    return found


def _told_lost(one: Staged, laid: Laid) -> Iterator[Dropped]:
    """Yield what of a scenario is not where it says, or not in the module at all."""

    def told(key: str, **values: object) -> Dropped:
        return Dropped(f"exporters.vassal.lost.{key}", {"scenario": one.title, **values})

    if not one.position.pieces:
        yield told("no_units")
    if one.stray:
        yield told("stray", n=len(one.stray), label=next(iter(one.stray.values())))
    if laid.without_counter:
        yield told("no_counter", n=len(laid.without_counter), unit=laid.without_counter[0])
    if laid.unshown:
        states = ", ".join(f"{word} ({n})" for word, n in laid.unshown.items())
        yield told("states", states=states)
    if laid.unlaid:
        places = ", ".join(f"{marker.kind} {marker.at}" for marker in laid.unlaid)
        yield told("markers", n=len(laid.unlaid), places=places)
