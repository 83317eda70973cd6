"""Boxes for units that left the map: a command sends each counter to its own place in one."""

import pytest

from counters.drawing import load_counter_style
from counters.model import Marker, Unit
from exporters.material import CounterMaterial, MapMaterial, Material
from exporters.vassal.boxes import make_boxes
from exporters.vassal.saves.pieces import expanded, read_piece
from exporters.vassal.sequence import split
from exporters.vassal.setup_pieces import standing_spots
from mapkit.texts import speaking
from rules.positions.position import Piece, Place, Position
from rules.registry import find_pack, pack_names
from tests.boards import board
from tests.exporters.vassal.engine import zone_at
from tests.exporters.vassal.test_module import ROWS, opened, tagged

STYLE = load_counter_style("classic")


def material(game=None, n=70):
    pack = find_pack(game) if game else None
    sides = list(pack.sides) if pack else ["red", "blue"]
    units = [Unit(f"{side}-{i}", f"{side} {i}", side) for side in sides for i in range(n)]
    pieces = CounterMaterial((*units, Marker("m", "Hit")), STYLE, {"red": "The Red"}, {})
    return Material("Try", {"m": MapMaterial("m", board(*ROWS))}, pack, pieces)


def sent(piece, boxes_map):
    """Return where each command of a piece sends it, as the engine works it out."""
    marks = piece.marks()
    found = {}
    for one in piece.traits:
        if one.type.startswith("sendto;"):
            fields = split(";", one.type)
            assert (fields[3], fields[14], len(fields)) == (boxes_map, "L", 19)
            x, y = int(fields[5]), int(fields[6])
            over, down = (marks[name.strip("$")] for name in fields[9:11])
            assert fields[11:13] == ["1", "1"]
            found[fields[1]] = (x + int(over), y + int(down))
    return found


def read(result, window="Boxes"):
    _, root = opened(result.files[0].data)
    prototypes = {
        one.get("name"): read_piece(one.text) for one in tagged(root, "PrototypeDefinition")
    }
    slots = [
        expanded(read_piece(one.text), prototypes)
        for one in tagged(root, ".PieceSlot")
        if "Id" in read_piece(one.text).marks()
    ]
    (shown,) = [one for one in tagged(root, "module.Map") if one.get("mapName") == window]
    return root, slots, tagged(shown, "boardPicker.Board")[0]


@pytest.mark.parametrize("game", [None, *pack_names()])
def test_every_unit_is_sent_into_the_box_of_its_side(unpainted, game):
    given = material(game)
    pack = given.pack
    _, slots, board_ = read(unpainted(given))
    titles = {id_: side.title for id_, side in pack.sides.items()} if pack else {"red": "The Red"}
    for piece in slots:
        if piece.name == "Hit":
            assert sent(piece, "Boxes") == {}
            continue
        side = piece.marks()["Side"]
        places = sent(piece, "Boxes")
        wanted = {"Eliminate": "Eliminated"}
        for word in pack.boxes if pack else ():
            if word != "eliminated":
                told = word.replace("_", " ").capitalize()
                wanted[told] = told
        zones = {menu: zone_at(board_, *at) for menu, at in places.items()}
        assert zones == {
            menu: f"{title}: {titles.get(side, side)}" for menu, title in wanted.items()
        }


def test_few_share_a_place(unpainted):
    _, slots, _ = read(unpainted(material(n=70)))
    places = [sent(piece, "Boxes").get("Eliminate") for piece in slots if piece.name != "Hit"]
    assert max(places.count(one) for one in places) <= 4


def test_one_command_leads_back_and_the_others_are_in_a_menu(unpainted):
    _, slots, _ = read(unpainted(material("strafexpedition", n=2)))
    traits = [split(";", one.type) for one in slots[0].traits]
    (menu,) = [one for one in traits if one[:2] == ["submenu", "Send to"]]
    assert split(",", menu[2]) == ["Surrendered", "Not activated", "Back from the box"]
    back = [one[7:9] for one in traits if one[0] == "sendto" and one[7]]
    assert [words for words, _ in back] == ["Back from the box"]
    (report,) = [one for one in traits if one[0] == "report"]
    keys = [one[2] for one in traits if one[0] == "sendto"] + [back[0][1]]
    assert sorted(split(",", report[1])) == sorted(keys)


def test_a_unit_that_is_in_a_box_lies_there():
    given = material("custoza", n=40)
    boxes = make_boxes(given, 56)
    side = list(given.pack.sides)[1]
    unit = Unit(f"{side}-13", "x", side)
    position = Position("custoza", pieces={unit.id: Piece(unit, Place("box", "routed"))})
    spots = standing_spots(position, [], boxes)
    box = boxes.tray.box(f"Routed: {given.pack.sides[side].title}")
    left, top, width, height = box.bounds
    assert left < spots[unit.id].x < left + width
    assert top < spots[unit.id].y < top + height
    assert boxes.spot(unit.id, "nowhere") is None


def test_the_words_of_a_game_are_spoken(unpainted):
    with speaking("de"):
        _, slots, _ = read(unpainted(material("strafexpedition", n=2)), "Ablagen")
    menus = sent(slots[0], "Ablagen")
    assert set(menus) == {"Ausschalten", "Gefangen", "Nicht aktiviert"}
