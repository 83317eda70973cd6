"""A project as a VASSAL module: boards, grids that name every hex, what lies there, tools."""

from itertools import count

from exporters.archives import pack_zip
from exporters.material import MapMaterial, Material
from exporters.model import Dropped, ExportError, ExportResult, OutFile
from exporters.vassal.big_boards import ask_for_heap, heap_mb, reduced
from exporters.vassal.board_elements import board_element
from exporters.vassal.boards import Board, drawn_board, scanned_board
from exporters.vassal.boxes import make_boxes
from exporters.vassal.elements import Element, add, document, element, plain
from exporters.vassal.ground import Ground
from exporters.vassal.metadata import ENGINE, metadata
from exporters.vassal.module import ModuleOptions
from exporters.vassal.palette import Palette
from exporters.vassal.places import board_key
from exporters.vassal.setups import ModuleName, Setups, window_names
from exporters.vassal.sight_module import SightBoard, SightParts
from exporters.vassal.standing import Turns
from exporters.vassal.terrain import add_terrain
from exporters.vassal.toolbar import add_toolbar
from exporters.vassal.turn_tracker import named_scenario
from exporters.vassal.windows import map_window
from mapkit.progress import OnProgress, part_of
from mapkit.store.files import sha256
from mapkit.texts import say
from rules.scenarios.scenario_files import scenarios_of

COUNTER_PX = (16, 600)
"""How small and how big a counter may be."""

FIRST_GPID = 1

_MAPS, _PIECES = 0.3, 0.85  # of the whole work: what is done after the maps, after the pieces
_BOXES = "boxes.png"
_MODULE = "build.module"
_DIGITS = 8  # the engine keeps slices of boards by file name: a changed picture needs another


def render_module(
    material: Material, options: ModuleOptions, on_progress: OnProgress
) -> ExportResult:
    """Return the module as one file.

    Raises:
        ExportError: there is no map, its picture does not open, or counters would be no size.
    """
    least, most = COUNTER_PX
    if not least <= options.counter_px <= most:
        raise ExportError(
            f"counters of {options.counter_px} px cannot be played with; give {least} to {most}"
        )
    if not material.maps:
        raise ExportError(f"the project '{material.name}' has no map; add one under [[maps]]")
    making = _Making(material, options, on_progress)
    making.add_maps()
    making.add_pieces()
    making.add_tools()
    making.add_setups()
    return making.packed()


class _Making:
    """A module in the making: its tree, its files, and what there is to tell, step by step."""

    def __init__(self, material: Material, options: ModuleOptions, on_progress: OnProgress) -> None:
        self.material, self.options, self.on_progress = material, options, on_progress
        data = module_data(material, options.version)
        self.module = ModuleName(material.name, options.version, data)
        self.images: list[OutFile] = []
        self.saves: list[OutFile] = []
        self.dropped: list[Dropped] = []
        self.hints: list[Dropped] = []
        self.boards: dict[str, Board] = {}
        self.root = _module_element(material, options.version)
        self.messages = add(self.root, f"{_MODULE}.properties.GlobalTranslatableMessages")
        self.prototypes = add(self.root, f"{_MODULE}.PrototypesContainer")
        self.properties = add(self.root, f"{_MODULE}.properties.GlobalProperties")
        self.sight = SightParts()
        self.boxes = make_boxes(material, options.counter_px)
        self.palette: Palette | None = None
        self.heap = 0

    def add_maps(self) -> None:
        """Add a window for each map, with what lies in its hexes and who sees whom."""
        for number, one in enumerate(self.material.maps.values()):
            share = _MAPS * number / len(self.material.maps)
            self.on_progress(share, say("exporters.vassal.making_board", map=one.id))
            self._add_map(one, share, docked=number == 0)
        if self.sight.views:
            self.properties.extend(self.sight.properties())
        self.dropped += self.sight.dropped

    def _add_map(self, one: MapMaterial, share: float, *, docked: bool) -> None:
        whole = _board(one, self._window_name(one), self.options)
        board, smaller = reduced(whole, self.options.most_megapixels)
        self.boards[one.id] = board
        file = f"board-{one.id}-{sha256(board.picture)[:_DIGITS]}{board.suffix}"
        self.images.append(OutFile(f"images/{file}", board.picture))
        written, lost, told = board_element(board, file)
        self.dropped += lost
        self.hints += [*told, *_told(board), *smaller]
        self.heap = max(self.heap, heap_mb(board))
        if one.changed:
            self.hints.append(Dropped("exporters.vassal.hint.changed", {"map": one.id}))
        locations = {hex_: board.map.label(hex_) for hex_ in board.map.hexes}
        begins = f"{self.sight.names.terrain}{board_key(board.name, board.name)}"
        add_terrain(self.messages, board.map, begins, locations)
        if self.options.sight:
            self.on_progress(share, say("exporters.vassal.working_out_sight", map=one.id))
            where = SightBoard(board.name, board.name, board.lattice, locations)
            self.sight.add_map(self.messages, one, where)
        sight = bool(self.sight.views)
        self.root.append(map_window(board.name, [written], ground=True, docked=docked, sight=sight))

    def _window_name(self, one: MapMaterial) -> str:
        """Return the title of a map; with its id where another window bears that name too.

        The engine takes two windows of one name for the same, and saved games know them by it.
        """
        titles = [other.map.title or other.id for other in self.material.maps.values()]
        name = one.map.title or one.id
        return f"{name} ({one.id})" if [*titles, *window_names()].count(name) > 1 else name

    def add_pieces(self) -> None:
        """Add the palettes: observer and target, and the counters of the game."""
        if self.sight.views:
            self.prototypes.append(self.sight.prototype())
            self.root.append(self.sight.palette(map(str, count(FIRST_GPID))))
            self.images += self.sight.images
        gpid = FIRST_GPID + self.sight.slots
        if self.material.pieces is not None:
            flat = next(iter(self.boards.values())).lattice.orientation == "flat"
            turns: Turns = 6 if flat else 12
            size_px = self.options.counter_px
            pack, shared = self.material.pack, self.sight.shared
            self.palette = Palette(size_px, pack, turns, self.boxes, shared)
            drawing = part_of(self.on_progress, _MAPS, _PIECES)
            gpid = self.palette.add_to(
                self.root, self.prototypes, self.material.pieces, gpid, drawing
            )
            self.images += self.palette.images
        if self.boxes is not None:
            self.root.append(self.boxes.element(_BOXES))
            self.images.append(self.boxes.image(_BOXES))
        self.root.set("nextPieceSlotId", str(gpid))

    def add_tools(self) -> None:
        """Add the dice, the turn tracker, the charts and what else lies beside the map."""
        shown, lacking = add_toolbar(self.root, self.material, self.options.scenario)
        self.images += shown
        self.dropped += lacking
        self.hints += ask_for_heap(self.root, self.heap)

    def add_setups(self) -> None:
        """Add every scenario of the game as a set-up, or only the one that was asked for."""
        pack = self.material.pack
        if pack is None:
            return
        scenarios = scenarios_of(pack)
        only = named_scenario(pack, self.options.scenario)
        grounds = [Ground(id_, board) for id_, board in self.boards.items()]
        formations = self.material.pieces.formations if self.material.pieces else {}
        made = Setups(scenarios, grounds, self.palette, self.options.counter_px, formations)
        self.on_progress(_PIECES, say("exporters.vassal.laying_out"))
        made.add_to(self.root, self.module, [only] if only else scenarios.scenarios)
        self.images += made.images
        self.saves += made.saves
        self.dropped += made.dropped
        self.hints += made.hints

    def packed(self) -> ExportResult:
        """Return the module as one file."""
        self.on_progress(1.0, say("exporters.vassal.packing"))
        files = [
            OutFile("buildFile.xml", document(self.root)),
            OutFile("moduledata", self.module.data),
            *self.saves,
            *self.images,
        ]
        made = OutFile(f"{self.material.name}.vmod", pack_zip(files))
        return ExportResult((made,), tuple(self.dropped), tuple(self.hints))


def module_data(material: Material, version: str) -> bytes:
    """Return the module's metadata, which its saved games repeat."""
    description = material.pack.title if material.pack else ""
    return metadata(version, description, material.name)


def _board(one: MapMaterial, name: str, options: ModuleOptions) -> Board:
    if options.art == "scan" and one.picture is None:
        raise ExportError(
            f"the map {one.id} has no picture beside it; put it back, or export with --art drawing"
        )
    if options.art == "drawing" or one.picture is None:
        return drawn_board(one, name, options.style, options.hex_px)
    return scanned_board(one, name)


def _told(board: Board) -> list[Dropped]:
    """Return what the user should know of a board."""
    width, height = board.size_px
    values = {"board": board.name, "width": width, "height": height}
    return [Dropped("exporters.vassal.hint.resampled", values)] if board.resampled else []


def _module_element(material: Material, version: str) -> Element:
    """Return the module with what it cannot do without, and the sides of the game."""
    root = element(
        "build.GameModule",
        name=material.name,
        version=version,
        VassalVersion=ENGINE,
        description=material.pack.title if material.pack else "",
        nextPieceSlotId=0,
        ModuleOther1="",
        ModuleOther2="",
    )
    add(root, f"{_MODULE}.BasicCommandEncoder")
    add(root, f"{_MODULE}.Documentation")
    roster = add(
        root,
        f"{_MODULE}.PlayerRoster",
        buttonText=say("exporters.vassal.retire"),
        buttonToolTip=say("exporters.vassal.retire_tip"),
    )
    for side in material.pack.sides.values() if material.pack else ():
        plain(roster, "entry", side.title)
    # Digits that begin with 0 stay texts: else hex 0305 would be the number 305.
    add(
        root,
        f"{_MODULE}.GlobalOptions",
        autoReport="Always",
        chatterHTMLSupport="Always",
        inventoryForAll="Always",
        nonOwnerUnmaskable="Use Preferences Setting",
        playerIdFormat="$PlayerName$",
        promptString=say("exporters.vassal.unmask"),
        storeLeadingZeroIntegersAsStrings=True,
    )
    for part in ("Chatter", "KeyNamer"):
        add(root, f"{_MODULE}.{part}")
    add(root, "i18n.Language")
    add(root, f"{_MODULE}.NotesWindow", buttonText="", tooltip=say("exporters.vassal.notes"))
    return root
