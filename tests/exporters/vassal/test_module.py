"""A module as the engine's reader sees it: boards, grids, what lies in each hex."""

import io
import json
import math
import zipfile
from dataclasses import replace
from importlib.resources import as_file, files

import pytest
from lxml import etree
from PIL import Image

from exporters.material import MapMaterial, Material
from exporters.vassal.board_elements import board_element
from exporters.vassal.boards import Board, fitted_lattice, scanned_board
from exporters.vassal.module import MODULE, ModuleOptions
from mapkit.drawing import draw_map, load_style, rasterise
from mapkit.drawing.frame import Frame
from mapkit.grid import Grid
from mapkit.maps import load_map, save_map
from mapkit.model import Picture
from mapkit.progress import ignore
from mapkit.store.files import sha256
from tests.boards import board
from tests.exporters.vassal.engine import read_board

SAMPLES = ["alpine", "front", "hills", "valley", "valley_guns"]
ROWS = (".1 w2 .1 .4", ".1 .3 w1 .1", ".2 .2 .1 w3")


def opened(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.testzip() is None
    return archive, etree.fromstring(archive.read("buildFile.xml"))


def tagged(root, name):
    return [one for one in root.iter() if isinstance(one.tag, str) and one.tag.endswith(name)]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_hex_of_every_sample_is_named_alike(name):
    with as_file(files("sample_maps") / "data" / f"{name}.hexmap.json") as path:
        map_ = load_map(path)
    frame = Frame.around(map_, hex_px=72, margin=1.0)
    lattice, off_px = fitted_lattice(frame.grid, map_)
    assert off_px < 1e-6
    size = (frame.width_px, frame.height_px)
    written, lost, told = board_element(Board(name, map_, b"", ".png", size, lattice), "map.png")
    # Column 99 lies west of 00 on one of them: two zones, each with a numbering.
    assert lost == ()
    assert [one.values["n"] for one in told] == ([2] if name == "front" else [])
    reader = read_board(written, size)
    for hex_, (x, y) in frame.centres.items():
        snapped = reader.snap(math.floor(x), math.floor(y))
        assert reader.label(*snapped) == map_.label(hex_)
        assert max(abs(snapped[0] - x), abs(snapped[1] - y)) <= 1


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_module_holds_board_grid_and_terrain(layout, tmp_path):
    map_ = board(*ROWS, layout=layout)
    material = Material("Tryout", {"main": MapMaterial("main", map_)})
    result = MODULE.render(material, ModuleOptions(hex_px=40), ignore)
    archive, root = opened(result.files[0].data)
    assert result.dropped == ()
    assert archive.namelist()[:2] == ["buildFile.xml", "moduledata"]
    picture = archive.namelist()[2]
    assert picture == f"images/{tagged(root, '.Board')[0].get('image')}"
    data = etree.fromstring(archive.read("moduledata"))
    assert (data.findtext("name"), data.findtext("VassalVersion")) == ("Tryout", "3.7.0")
    with Image.open(io.BytesIO(archive.read(picture))) as image:
        reader = read_board(tagged(root, ".Board")[0], image.size)
    labels = {map_.label(hex_) for hex_ in map_.hexes}
    assert all(reader.place(label) is not None for label in labels)
    told = {one.get("name"): one.get("initialValue") for one in tagged(root, "Message")}
    assert set(told) == {f"Terrain|a board|a board|{label}" for label in labels}
    assert told["Terrain|a board|a board|0201"] == "woods, level 2"


def test_a_changed_picture_of_a_board_has_another_name():
    """The engine shows the slices it once made of a file name, however the file changed."""
    material = Material("Tryout", {"main": MapMaterial("main", board(*ROWS))})
    names = []
    for style in ("plain", "plain", "antique"):
        options = ModuleOptions(hex_px=40, style=style)
        _, root = opened(MODULE.render(material, options, ignore).files[0].data)
        names.append(tagged(root, ".Board")[0].get("image"))
    assert names[0] == names[1] != names[2]


def test_two_maps_tell_their_hexes_apart():
    maps = {name: MapMaterial(name, board(*ROWS)) for name in ("north", "south")}
    _, root = opened(MODULE.render(Material("Two", maps), ModuleOptions(), ignore).files[0].data)
    told = {one.get("name") for one in tagged(root, "Message")}
    windows = [f"a board ({name})" for name in maps]
    assert {f"Terrain|{window}|{window}|0101" for window in windows} <= told
    windows = tagged(root, "module.Map")
    assert [one.get("launch") for one in windows] == ["false", "true"]


def test_maps_of_one_title_have_windows_of_their_own():
    same = replace(board(*ROWS), title="The Field")
    maps = {name: MapMaterial(name, same) for name in ("north", "south")}
    maps["west"] = MapMaterial("west", board(*ROWS))
    _, root = opened(MODULE.render(Material("Two", maps), ModuleOptions(), ignore).files[0].data)
    names = [one.get("mapName") for one in tagged(root, "module.Map")]
    assert names == ["The Field (north)", "The Field (south)", "a board"]


def scanned(turned_deg, *, suffix="PNG", pitch=40.0):
    """Return a map whose picture is our drawing, turned, and that picture."""
    map_, style = board(*ROWS), load_style("plain")
    drawing = draw_map(map_, style, layers=("terrain",), hex_px=pitch)
    with Image.open(io.BytesIO(rasterise(drawing))) as image:
        turned = image.convert("RGB").rotate(
            -turned_deg, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)
        )
        middle = (image.width / 2, image.height / 2)
    out = io.BytesIO()
    turned.save(out, suffix)
    cos, sin = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
    (a, b, c), (d, e, f), last = drawing.grid.homography

    def moved(x, y, by=0.0, over=0.0):
        return cos * x - sin * y + by, sin * x + cos * y + over

    (a2, d2), (b2, e2) = moved(a, d), moved(b, e)
    c2, f2 = moved(c - middle[0], f - middle[1], *middle)
    grid = Grid("flat", ((a2, b2, c2), (d2, e2, f2), last))
    data = out.getvalue()
    picture = Picture("scan.png", sha256(data), *turned.size)
    return replace(map_, grid=grid, picture=picture), data


def test_an_upright_picture_is_taken_as_it_is():
    map_, data = scanned(0.0)
    made = scanned_board(MapMaterial("m", map_, data), "Board")
    assert (made.picture, made.resampled) == (data, False)


@pytest.mark.parametrize("turned_deg", [2.5, -4.0, 90.0, 180.0])
def test_a_turned_picture_is_straightened(turned_deg):
    map_, data = scanned(turned_deg)
    made = scanned_board(MapMaterial("m", map_, data), "Board")
    assert made.resampled
    written, _, _ = board_element(made, "map.png")
    reader = read_board(written, made.size_px)
    with (
        Image.open(io.BytesIO(made.picture)) as straight,
        Image.open(io.BytesIO(data)) as given,
    ):
        for hex_ in map_.hexes:
            x, y = made.lattice.centre(hex_)
            snapped = reader.snap(math.floor(x), math.floor(y))
            assert reader.label(*snapped) == map_.label(hex_)
            assert max(abs(snapped[0] - x), abs(snapped[1] - y)) <= 1
            was = given.getpixel(tuple(math.floor(value) for value in map_.grid.centre(hex_)))
            now = straight.getpixel((math.floor(x), math.floor(y)))
            assert max(abs(a - b) for a, b in zip(was, now, strict=True)) <= 6


@pytest.mark.parametrize("suffix", ["PNG", "JPEG"])
def test_a_picture_that_does_not_open_is_told(mapkit_cli, tmp_path, suffix):
    map_, data = scanned(0.0, suffix=suffix)
    save_map(tmp_path / "m.hexmap.json", map_)
    (tmp_path / "scan.png").write_bytes(data[: len(data) // 2])
    words = ("-o", tmp_path / "m.vmod", "--json")
    ran = mapkit_cli("export", "vassal", tmp_path / "m.hexmap.json", *words)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "the picture of the map m does not open" in ran.stderr.splitlines()[-1]
    ran = mapkit_cli("export", "vassal", tmp_path / "m.hexmap.json", *words, "--art", "drawing")
    assert json.loads(ran.stdout)["written"] == [str(tmp_path / "m.vmod")]


def test_another_picture_than_the_maps_own_is_told(mapkit_cli, tmp_path):
    map_, data = scanned(0.0)
    save_map(tmp_path / "m.hexmap.json", map_)
    (tmp_path / "scan.png").write_bytes(data)
    words = ("-o", tmp_path / "m.vmod", "--json", "--force")
    hints = []
    for more in (b"", b"x"):
        (tmp_path / "scan.png").write_bytes(data + more)
        ran = mapkit_cli("export", "vassal", tmp_path / "m.hexmap.json", *words)
        hints.append(json.loads(ran.stdout)["hints"])
    assert hints[0] == []
    assert "is not the one it was made from" in hints[1][0]


def test_the_list_names_it(mapkit_cli):
    assert "vassal  a module for the VASSAL engine" in mapkit_cli("export", "list").stdout
