"""A project as a VASSAL module: boards, grids that name every hex, what lies there, tools."""

from itertools import count

from exporters.archives import pack_zip
from exporters.material import MapMaterial, Material
from exporters.model import Dropped, ExportError, ExportResult, OutFile
from exporters.vassal.board_elements import board_element
from exporters.vassal.boards import Board, drawn_board, scanned_board
from exporters.vassal.elements import Element, add, document, element, plain
from exporters.vassal.metadata import ENGINE, metadata
from exporters.vassal.module import ModuleOptions
from exporters.vassal.palette import Palette
from exporters.vassal.sight_module import SightBoard, SightParts
from exporters.vassal.terrain import add_terrain
from exporters.vassal.traits import prototype
from exporters.vassal.windows import map_window
from mapkit.progress import OnProgress
from mapkit.texts import say

BIG_PX = 100_000_000
"""Above this an engine with its usual heap may not open the board."""

COUNTER_PX = (16, 600)
"""How small and how big a counter may be."""

FIRST_GPID = 1

_MODULE = "build.module"


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
    images: list[OutFile] = []
    dropped: list[Dropped] = []
    hints: list[Dropped] = []
    root = _module_element(material, options.version)
    messages = add(root, f"{_MODULE}.properties.GlobalTranslatableMessages")
    prototypes = add(root, f"{_MODULE}.PrototypesContainer")
    properties = add(root, f"{_MODULE}.properties.GlobalProperties")
    sight = SightParts()
    single = len(material.maps) == 1
    for number, one in enumerate(material.maps.values()):
        share = number / len(material.maps)
        on_progress(share, say("exporters.vassal.making_board", map=one.id))
        board = _board(one, options)
        file = f"board-{one.id}{board.suffix}"
        images.append(OutFile(f"images/{file}", board.picture))
        written, lost, told = board_element(board, file)
        dropped += lost
        hints += [*told, *_told(board)]
        if one.changed:
            hints.append(Dropped("exporters.vassal.hint.changed", {"map": one.id}))
        key = "" if single else f"{one.id}_"
        locations = {hex_: board.map.label(hex_) for hex_ in board.map.hexes}
        add_terrain(messages, board.map, sight.names.terrain(key), locations)
        if options.sight:
            on_progress(share, say("exporters.vassal.working_out_sight", map=one.id))
            where = SightBoard(board.name, board.lattice, locations)
            sight.add_map(messages, one, where, key)
        root.append(
            map_window(board.name, written, key, docked=number == 0, sight=bool(sight.views))
        )
    if sight.views:
        properties.extend(sight.properties())
        prototypes.append(sight.prototype())
        root.append(sight.palette(map(str, count(FIRST_GPID))))
    gpid = FIRST_GPID + sight.slots
    if material.pieces is not None:
        palette = Palette(options.counter_px)
        common = [prototype(sight.names.prototype)] if sight.views else []
        gpid = palette.add_to(root, prototypes, material.pieces, gpid, common, on_progress)
        images += palette.images
    root.set("nextPieceSlotId", str(gpid))
    images += sight.images
    dropped += sight.dropped
    on_progress(1.0, say("exporters.vassal.packing"))
    description = material.pack.title if material.pack else ""
    files = [
        OutFile("buildFile.xml", document(root)),
        OutFile("moduledata", metadata(options.version, description, material.name)),
        *images,
    ]
    made = OutFile(f"{material.name}.vmod", pack_zip(files))
    return ExportResult((made,), tuple(dropped), tuple(hints))


def _board(one: MapMaterial, options: ModuleOptions) -> Board:
    name = one.map.title or one.id
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
    told = []
    if board.resampled:
        told.append(Dropped("exporters.vassal.hint.resampled", values))
    if width * height > BIG_PX:
        heap = round(1.66 * 4 * width * height / 2**20) + 150
        told.append(Dropped("exporters.vassal.hint.big", {**values, "heap": heap}))
    return told


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
