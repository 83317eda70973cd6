"""Counters that were cut from a scan keep their pictures on the way into an export."""

from PIL import Image

from counters.drawing import cut_face, load_counter_style
from counters.model import Face, Unit
from exporters.material import CounterMaterial, _cut
from mapkit.drawing import rasterise
from rules.scenarios.unit_tables import fill_units
from rules.unit_files import _beside


def test_a_cut_face_is_exported_as_it_was_cut(tmp_path):
    Image.new("RGB", (60, 60), "#c03020").save(tmp_path / "a.png")
    unit = Unit("a", "A", "it", faces=(Face("front", {}, "a.png"), Face("reduced")))
    cut = dict(_cut([unit], tmp_path / "units.csv"))
    assert list(cut) == [("a", "a.png")]
    given = CounterMaterial((unit,), load_counter_style("classic"), {}, {}, cut)
    assert given.drawn(unit, "front") == cut_face(tmp_path / "a.png")
    assert given.drawn(unit, "reduced") != given.drawn(unit, "front")
    assert rasterise(given.drawn(unit, "front"), scale=0.1)


def test_a_cut_back_is_what_the_game_calls_the_second_face():
    game = Unit("a", "A", "it", faces=(Face("front"), Face("reduced")))
    entered = Unit("a", "", "", faces=(Face("front", {}, "f.png"), Face("back", {}, "b.png")))
    [unit] = fill_units([game], [entered]).units
    assert [(face.name, face.picture) for face in unit.faces] == [
        ("front", "f.png"),
        ("reduced", "b.png"),
    ]


def test_pictures_are_named_from_the_folder_of_the_new_table(tmp_path):
    unit = Unit("a", "A", "it", faces=(Face("front", {}, "cut/a.png"),))
    table = tmp_path / "sheet1" / "units.csv"

    def picture(out):
        return _beside(unit, table, out).faces[0].picture

    assert picture(tmp_path / "all.csv") == "sheet1/cut/a.png"
    assert picture(tmp_path / "sheet1" / "all.csv") == "cut/a.png"
    assert picture(tmp_path / "other" / "all.csv") == ""
