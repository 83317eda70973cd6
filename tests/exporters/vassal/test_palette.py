"""The counters of a project as pieces: in the palette by side and formation, faces as layers."""

from dataclasses import replace

import pytest

from counters.drawing import face_names, load_counter_style
from counters.model import Face, Marker, Unit
from exporters.material import CounterMaterial, MapMaterial, Material, load_material
from exporters.vassal.module import MODULE, ModuleOptions
from exporters.vassal.saves.pieces import read_piece
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from mapkit.maps import save_map
from mapkit.progress import ignore
from rules.registry import find_pack
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import unit_counters
from tests.boards import board
from tests.exporters.vassal.expressions import evaluate
from tests.exporters.vassal.test_module import opened, tagged

STYLE = load_counter_style("classic")
FACES = (Face("front", {"attack": 4, "move": 6}), Face("reduced", {"attack": 2, "move": None}))
COUNTERS = (
    Unit("a-1", "1/79, Roma", "blue", formation="roma", class_="infantry", faces=FACES),
    Unit("a-2", "2/79\\x", "blue", formation="roma", class_="infantry", faces=FACES[:1]),
    Unit("b-1", "Jäger 5", "red", class_="infantry", faces=FACES),
    Marker("m-1", "Out of supply"),
)


@pytest.fixture(scope="module")
def module():
    pieces = CounterMaterial(COUNTERS, STYLE, {"blue": "The Blue"}, {"roma": "Roma Brigade"})
    maps = {"m": MapMaterial("m", board(".1 .1", ".1 .1"))}
    material = Material("Counters", maps, pieces=pieces)
    return opened(MODULE.render(material, ModuleOptions(counter_px=40), ignore).files[0].data)


def test_they_lie_by_side_and_formation(module):
    _, root = module
    places = {
        slot.get("entryName"): [one.get("entryName") for one in slot.iterancestors()][:2]
        for slot in tagged(root, ".PieceSlot")
    }
    assert places["1/79, Roma"] == ["Roma Brigade", "The Blue"]
    assert places["Jäger 5"] == ["Independent", "red"]
    assert places["Out of supply"] == ["Markers", "Markers"]


@pytest.mark.parametrize(("formations", "widget"), [(8, "TabWidget"), (9, "BoxWidget")])
def test_many_formations_are_chosen_from_a_box(formations, widget):
    units = (Unit(f"u{n}", f"{n}th", "blue", formation=f"f{n}") for n in range(formations))
    pieces = CounterMaterial(tuple(units), STYLE, {"blue": "The Blue"}, {})
    maps = {"m": MapMaterial("m", board(".1 .1", ".1 .1"))}
    material = Material("Counters", maps, pieces=pieces)
    _, root = opened(MODULE.render(material, ModuleOptions(counter_px=40), ignore).files[0].data)
    (side,) = [one for one in root.iter() if one.get("entryName") == "The Blue"]
    assert side.tag == f"VASSAL.build.widget.{widget}"
    assert len(side) == formations


def test_the_inventory_tells_titles_where_pieces_bear_ids(module):
    _, root = module
    titles = {one.get("name"): one.get("initialValue") for one in tagged(root, "Message")}
    assert (titles["Title|blue"], titles["Title|roma"]) == ("The Blue", "Roma Brigade")
    (inventory,) = tagged(root, ".Inventory")
    format_ = inventory.get("nonLeafFormat")[1:-1]
    told = {id_: evaluate(format_, titles | {"PropertyValue": id_}) for id_ in ("roma", "other")}
    assert told == {"roma": "Roma Brigade", "other": "other"}


def test_a_word_that_names_two_things_keeps_its_id():
    pieces = CounterMaterial(COUNTERS, STYLE, {"roma": "Rome"}, {"roma": "Roma Brigade"})
    maps = {"m": MapMaterial("m", board(".1 .1", ".1 .1"))}
    material = Material("Counters", maps, pieces=pieces)
    _, root = opened(MODULE.render(material, ModuleOptions(counter_px=40), ignore).files[0].data)
    assert not [one for one in tagged(root, "Message") if one.get("name").startswith("Title|")]


def test_every_piece_decodes_and_its_pictures_are_there(module):
    archive, root = module
    for slot, counter in zip(tagged(root, ".PieceSlot"), COUNTERS, strict=True):
        sign, id_, types, states = split("/", slot.text)
        traits, conditions = unnest(TAB, types), unnest(TAB, states)
        assert join("/", [sign, id_, nest(TAB, traits), nest(TAB, conditions)]) == slot.text
        basic = split(";", traits[-1])
        assert (basic[0], basic[4]) == ("piece", counter.name)
        assert split(";", conditions[-1])[3] == slot.get("gpid")
        assert f"images/{basic[3]}" in archive.namelist()
        layers = [split(";", one) for one in traits if one.startswith("emb2;")]
        for layer in layers:
            images = split(",", layer[16])
            assert len(images) == len(split(",", layer[17])) == len(face_names(counter, STYLE))
            assert {f"images/{name}" for name in images} <= set(archive.namelist())
        assert len(layers) == (len(face_names(counter, STYLE)) > 1)


def test_the_engine_can_ask_whose_a_piece_is(module):
    _, root = module
    first = tagged(root, ".PieceSlot")[0]
    known = read_piece(first.text).marks()
    assert (known["Side"], known["Formation"], known["Layer"]) == ("blue", "roma", "Units")


def test_a_project_of_a_game_brings_all_its_counters_and_the_owners_values(tmp_path, mapkit_cli):
    save_map(tmp_path / "m.hexmap.json", board(".1 .1"))
    folder = tmp_path / "project"
    words = ("--name", "Field", "--game", "strafexpedition", "--map", tmp_path / "m.hexmap.json")
    assert mapkit_cli("project", "new", folder, *words).exit_code == 0
    units = unit_counters(scenarios_of(find_pack("strafexpedition")), "all")
    table = "id,front.combat\n" + f"{units[0].id},9\n"
    (folder / "mine.csv").write_text(table, "utf-8")
    file = folder / "project.toml"
    file.write_text('units = ["mine.csv"]\n' + file.read_text("utf-8"), "utf-8")
    pieces = load_material(folder).pieces
    assert [one.id for one in pieces.counters] == [unit.id for unit in units]
    assert pieces.counters[0].value("combat", "front") == 9
    assert replace(pieces.counters[0], faces=()) == replace(units[0], faces=())


@pytest.mark.parametrize("size", ["0", "-3", "900000"])
def test_counters_of_no_size_are_told(tmp_path, mapkit_cli, size):
    save_map(tmp_path / "m.hexmap.json", board(".1 .1"))
    words = ("-o", tmp_path / "m.vmod", "--counter-px", size)
    ran = mapkit_cli("export", "vassal", tmp_path / "m.hexmap.json", *words)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "give 16 to 600" in ran.stderr
