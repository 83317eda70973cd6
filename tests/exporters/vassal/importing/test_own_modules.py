"""A module that we exported comes back as the map it was: labels, pixels, terrain and level."""

from dataclasses import replace

import pytest

from exporters.material import MapMaterial, Material
from exporters.model import GivenFile
from exporters.vassal.boards import drawn_board
from exporters.vassal.hex_grid import worst_px
from exporters.vassal.importing.module_import import import_module
from exporters.vassal.module import MODULE, ModuleOptions
from mapkit.kinds import UNKNOWN
from mapkit.maps import save_map
from mapkit.numbering import Axis, Numbering
from mapkit.progress import ignore
from mapkit.samples import list_samples, sample_map
from mapkit.texts import speaking
from tests.boards import board
from tests.exporters.vassal.test_sight import ROWS

NAMES = {"sent", "field.hexmap.json", "sent.vmod", "back"}
OPTIONS = ModuleOptions(style="plain", hex_px=24, sight=False)


def sent_and_back(map_, options=OPTIONS):
    material = MapMaterial("field", map_)
    (file,) = MODULE.render(Material("Field", {"field": material}), options, ignore).files
    (one,) = import_module(GivenFile("own.vmod", file.data)).maps
    return one.map, drawn_board(material, "", options.style, options.hex_px).lattice


def assert_alike(map_, back, lattice):
    assert len(back.hexes) == len(map_.hexes)
    for hex_ in map_.hexes:
        again = back.hex(map_.label(hex_))
        ways = zip(back.grid.centre(again), lattice.centre(hex_), strict=True)
        assert max(abs(there - here) for there, here in ways) <= worst_px(lattice) + 0.5
        assert back[again].level == map_[hex_].level
        assert back[again].name == map_[hex_].name


@pytest.mark.slow
@pytest.mark.parametrize("name", [sample.name for sample in list_samples()])
def test_every_hex_of_a_sample_has_its_label_at_its_pixel(name):
    map_ = sample_map(name)
    back, lattice = sent_and_back(map_)
    assert_alike(map_, back, lattice)
    titles = {kind.id: kind.title or kind.id for kind in map_.kinds.terrain}
    for hex_ in map_.hexes:
        told = back[back.hex(map_.label(hex_))].terrain
        assert told == titles.get(map_[hex_].terrain, UNKNOWN)


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize(
    "columns",
    [
        pytest.param(Axis(first=5), id="plain"),
        pytest.param(Axis(first=40, step=-1), id="falling"),
        pytest.param(Axis(first=-3, wrap_from=90), id="99 west of 00, in zones"),
        pytest.param(Axis(first=3, skip=(5, 6)), id="skipped, in zones"),
        pytest.param(Axis(first=24, letters="AA AB"), id="named points"),
        pytest.param(Axis(first=24, letters="AA BB"), id="letters"),
    ],
)
def test_every_numbering_comes_back(layout, columns):
    map_ = board(*ROWS, layout=layout)
    numbered = replace(map_, numbering=replace(map_.numbering, columns=columns))
    back, lattice = sent_and_back(numbered)
    assert isinstance(back.numbering, Numbering)
    assert_alike(numbered, back, lattice)


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_terrain_comes_back_from_any_language(language):
    map_ = board(*ROWS)
    with speaking(language):
        material = Material("Field", {"field": MapMaterial("field", map_)})
        (file,) = MODULE.render(material, OPTIONS, ignore).files
    (one,) = import_module(GivenFile("own.vmod", file.data)).maps
    for hex_ in map_.hexes:
        told = one.map[one.map.hex(map_.label(hex_))]
        assert told.level == map_[hex_].level
        assert told.terrain.casefold() == map_[hex_].terrain


def test_two_maps_with_the_same_labels_keep_their_own_terrain():
    plain = replace(board(*ROWS), title="Plain")
    hilly = replace(board(*(row.replace(".", "w") for row in ROWS)), title="Hilly")
    maps = {"plain": MapMaterial("plain", plain), "hilly": MapMaterial("hilly", hilly)}
    (file,) = MODULE.render(Material("Both", maps), OPTIONS, ignore).files
    found = import_module(GivenFile("own.vmod", file.data))
    assert [one.id for one in found.maps] == ["plain", "hilly"]
    for one, map_ in zip(found.maps, (plain, hilly), strict=True):
        for hex_ in map_.hexes:
            told = one.map[one.map.hex(map_.label(hex_))]
            assert told.terrain.casefold() == map_[hex_].terrain


@pytest.mark.slow
def test_a_project_of_a_module_with_sight_can_be_used(tmp_path, mapkit_cli):
    """The observer's many pictures of his view are no faces: no table of units holds so many."""
    save_map(tmp_path / "field.hexmap.json", board(*ROWS, layout="pointy"))
    game = ("--game", "strafexpedition")
    steps = [
        ("project", "new", "sent", *game, "--map", "field.hexmap.json"),
        ("export", "vassal", "sent", "-o", "sent.vmod", "--style", "plain", "--hex-px", "24"),
        ("import", "vmod", "sent.vmod", "-o", "back", *game),
        ("project", "check", "back"),
    ]
    for words in steps:
        paths = [tmp_path / word if word in NAMES else word for word in words]
        ran = mapkit_cli(*paths)
        assert ran.exit_code == 0, ran.stderr + ran.stdout
    units = (tmp_path / "back" / "units.csv").read_text("utf-8-sig").splitlines()
    observer = next(line for line in units if "bserver" in line)
    battalion = next(line for line in units if "bde-11-27-i," in line)
    assert observer.count("pictures/") == 1
    assert battalion.count("pictures/") == 2  # its badges are no faces either, its back is
