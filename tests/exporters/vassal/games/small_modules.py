"""A small game for the engine, made by hand: a module, and what a project knows of it."""

from counters.drawing import load_counter_style
from counters.model import Unit
from exporters.material import CounterMaterial, MapMaterial, Material
from exporters.model import GivenFile
from exporters.vassal.binding_found import find_binding
from exporters.vassal.elements import add, document, element, plain
from exporters.vassal.foreign import read_module
from exporters.vassal.games.position_read import Known
from exporters.vassal.layers import Order, stepped, switched
from exporters.vassal.metadata import metadata
from exporters.vassal.standing import FACING, NUMBER, STATUS, STEPS
from exporters.vassal.traits import basic_piece, listed, mark, piece_text, prototype, trait
from exporters.vassal.turn_tracker import moments
from rules.registry import find_pack
from rules.scenarios.sequences import Asked, find_sequence
from tests.boards import board
from tests.exporters.vassal.foreign_modules import pack, picture

GAME = "strafexpedition"
MAP = board(*[". . . . . . ."] * 6)
UNITS = tuple(
    Unit(f"{side}-{n}", f"{n}/{side}", side, class_=class_, steps=2)
    for side in ("it", "ah")
    for n, class_ in enumerate(("infantry", "infantry", "artillery", "headquarters"), start=1)
)
STATUSES = ("disorganization", "fire_mode", "activated")
BOARD = "build.module.map.boardPicker"
SIZE = (700, 600)
HIDE = "hide;73,130;Hide;;side:;0.3;;false"
MASK = "obs;77,130;mask.png;Mask;I;?;player:;Peek;;true;;"


def unit_traits(unit, gpid):
    """The traits of a counter as our modules have them, some in a prototype."""
    return [
        stepped(STEPS, ["", "one.png", "two.png"], more=Order("Lose", "1,2")),
        prototype("States"),
        trait("hide", "73,130", "Hide", "", "side:", "0.3", "", False, state="null"),
        trait("obs", "77,130", "mask.png", "Mask", "I", "?", "player:", state="null;"),
        trait("rotate", 6, "", "", "", "", "", "", "Turn", state="0"),
        switched(FACING, "arrow.png", Order("Face", "3,2")),
        mark(Id=unit.id, Layer="Units", Side=unit.side),
        basic_piece(unit.name, "unit.png", gpid),
    ]


def states_prototype():
    made = element("build.module.PrototypeDefinition", name="States", description="")
    points = stepped(f"{STATUS}disorganization", ["", *(f"d{n}.png" for n in range(1, 5))])
    others = [switched(f"{STATUS}{word}", "s.png", Order("S", "4,2")) for word in STATUSES[1:]]
    made.text = piece_text([points, *others, basic_piece("", "", "")])
    return made


def marker_slots():
    """Yield name and traits of markers: trenches of each side, a blown bridge, control."""
    numbers = ["", *(f"n{n}.png" for n in range(4))]
    for side in ("it", "ah"):
        yield f"Trench {side}", [stepped(NUMBER, numbers), mark(Marker="trench", Side=side)]
        yield f"Held by {side}", [mark(Control=side)]
    yield "Blown", [mark(Marker="blown_bridge")]


def slot(parent, name, gpid, traits):
    made = add(parent, "build.widget.PieceSlot", entryName=name, gpid=gpid, width=40, height=40)
    made.text = piece_text(traits)


def grid(**more):
    words = {"sideways": False, "x0": 60, "y0": 60, "dx": 62.4, "dy": 71.5, "snapTo": True}
    made = element(f"{BOARD}.board.HexGrid", **words | more)
    add(
        made,
        f"{BOARD}.board.mapgrid.HexGridNumbering",
        first="H",
        sep="",
        hType="N",
        hLeading=1,
        hOff=1,
        vType="N",
        vLeading=1,
        vOff=1,
        stagger=False,
    )
    return made


def window(root, name, boards, laid, **more):
    made = add(root, "build.module.Map", mapName=name, **more)
    picker = add(made, "build.module.map.BoardPicker")
    words = [f"{name}BoardPicker", *(str(word) for one in laid for word in one)]
    plain(picker, "setup", "\t".join(words))
    for board_, part in boards:
        one = add(picker, f"{BOARD}.Board", name=board_, width=SIZE[0], height=SIZE[1])
        one.append(part)
    return made


def boxes():
    made = element(f"{BOARD}.board.ZonedGrid")
    for n, side in enumerate(("Italian", "Austro-Hungarian")):
        left = 10 + 340 * n
        path = f"{left},10;{left + 320},10;{left + 320},590;{left},590"
        name = f"Eliminated: {side}"
        words = {"useParentGrid": False, "locationFormat": "$name$"}
        add(made, f"{BOARD}.board.mapgrid.Zone", name=name, path=path, **words)
    return made


def module_root(**grid_words):
    root = element("build.GameModule", name="Small", version="1.2", nextPieceSlotId=99)
    roster = add(root, "build.module.PlayerRoster")
    plain(roster, "entry", "Italian")
    plain(roster, "entry", "Austro-Hungarian")
    container = add(root, "build.module.PrototypesContainer")
    folder = add(container, "build.module.folder.PrototypeFolder", name="all")
    folder.append(states_prototype())
    tracker = add(root, "build.module.turn.TurnTracker", name="Turn")
    level = add(tracker, "build.module.turn.CounterTurnLevel", property="Turn", start=1)
    phases = listed(*moments(find_sequence(GAME), Asked()))
    add(level, "build.module.turn.ListTurnLevel", property="Phase", list=phases)
    parts = [("Field", grid(**grid_words))]
    main = window(root, "Field", parts, [("Field", 0, 0)], edgeWidth=40, edgeHeight=25)
    order = {"property": "Layer", "layerOrder": "Markers,Units"}
    add(main, "build.module.map.LayeredPieceCollection", **order)
    window(root, "Boxes", [("Boxes", boxes())], [("Boxes", 0, 0)])
    none = element(f"{BOARD}.board.SquareGrid")
    window(root, "Set-up tray", [("Tray", none)], [("Tray", 0, 0)])
    palette = add(root, "build.module.PieceWindow", name="Pieces")
    listing = add(palette, "build.widget.ListWidget", entryName="All")
    for number, unit in enumerate(UNITS, start=1):
        slot(listing, unit.name, str(number), unit_traits(unit, str(number)))
    for number, (name, traits) in enumerate(marker_slots(), start=50):
        slot(listing, name, str(number), [*traits, basic_piece(name, "m.png", str(number))])
    return root


def packed(root, **files):
    data = metadata("1.2", "", "Small")
    images = {"images/unit.png": picture((40, 40), "#4060a0")}
    return pack({"buildFile.xml": document(root), "moduledata": data, **images, **files})


def small_module(**grid_words):
    return read_module(GivenFile("small.vmod", packed(module_root(**grid_words))))


def small_material(map_=MAP, units=UNITS):
    game = find_pack(GAME)
    sides = {id_: side.title for id_, side in game.sides.items()}
    pieces = CounterMaterial(units, load_counter_style(GAME), sides, {})
    return Material("Small", {"field": MapMaterial("field", map_)}, game, pieces)


def small_known(module, before=None, material=None):
    given = material or small_material()
    maps = {id_: one.map for id_, one in given.maps.items()}
    units = {unit.id: unit for unit in given.pieces.counters}
    return Known(find_binding(module, given), GAME, maps, units, pack=given.pack, before=before)
