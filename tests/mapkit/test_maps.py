"""Maps on disk, and the commands that show, correct, join, cut and turn them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from PIL import Image

from mapkit.errors import FileChangedError, StoreError
from mapkit.grid import Grid
from mapkit.hexes import Hexside, Link
from mapkit.kinds import Kind, Kinds
from mapkit.maps import edit_map, load_map, read_map, save_map, shapes_path
from mapkit.model import Feature, Ground, HexMap, Picture, Provenance, Shape
from mapkit.numbering import Axis, Numbering
from mapkit.store.files import sha256
from tests.strategies import maps


def hills(columns=6, rows=5, first=1, **changes):
    """A small map with a river, a road and a wood."""
    rule = Numbering(straight="columns", columns=Axis(first=first))
    hexes = {
        rule.hex_at(c, r): Ground("woods" if c == r else "clear", c)
        for c in range(columns)
        for r in range(rows)
    }
    one, other = rule.hex_at(1, 1), rule.hex_at(1, 2)
    kinds = Kinds(
        terrain=(Kind("clear"), Kind("woods")),
        features=(Kind("town"),),
        hexsides=(Kind("river", role="river"), Kind("bridge", role="bridge")),
        links=(Kind("road", role="road"),),
    )
    made = HexMap(
        Grid.regular("flat", pitch_px=20, hex_mm=16.0),
        rule,
        hexes,
        kinds,
        {Hexside.between(one, other): (Feature("river"),)},
        {Link.between(one, other): (Feature("road"),)},
        title="Hills",
    )
    return replace(made, **changes)


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "hills.hexmap.json"
    save_map(target, hills())
    return target


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(maps())
def test_a_map_saved_and_loaded_is_the_same_map_with_its_shapes(tmp_path, map_):
    target = tmp_path / "a.hexmap.json"
    save_map(target, map_, force=True)
    assert load_map(target) == map_


def test_a_map_is_not_overwritten_unasked(path):
    with pytest.raises(FileChangedError, match="exists; give --force"):
        save_map(path, hills(title="other"))
    assert load_map(path).title == "Hills"
    save_map(path, hills(title="other"), replacing=read_map(path).version)
    assert load_map(path).title == "other"


def test_a_map_edited_by_hand_since_it_was_loaded_is_not_overwritten(path):
    loaded = read_map(path)
    path.write_text(path.read_text(encoding="utf-8").replace("Hills", "Hügel"), encoding="utf-8")
    with pytest.raises(FileChangedError, match="changed since it was loaded"):
        save_map(path, loaded.value, replacing=loaded.version)
    assert load_map(path).title == "Hügel"


def test_shapes_no_longer_wanted_are_set_aside(path):
    peak = Shape("peak", "point", (((1.0, 2.0),),))
    save_map(path, hills(shapes=(peak,)), force=True)
    assert load_map(path).shapes == (peak,)
    save_map(path, hills(), force=True)
    assert load_map(path).shapes == ()
    assert [p.name for p in path.parent.glob("*.kept-1")] == ["hills.shapes.geojson.kept-1"]


def test_a_broken_shapes_file_is_named(path):
    shapes_path(path).write_bytes(b"{")
    with pytest.raises(Exception, match="hills.shapes.geojson: "):
        load_map(path)


def test_a_shapes_file_that_lies_there_is_not_overwritten_unasked(path, mapkit_cli):
    out = path.with_name("new.hexmap.json")
    shapes_path(out).write_text("precious")
    ran = mapkit_cli("map", "crop", path, "--from", "0101", "--to", "0202", "-o", out)
    assert ran.stderr == f"mapkit: {shapes_path(out)} exists; give --force to overwrite it\n"
    assert shapes_path(out).read_text() == "precious"
    assert not out.exists()


def test_shapes_follow_a_link_with_their_map(path):
    peak = Shape("peak", "point", (((1.0, 2.0),),))
    link = path.parent / "links" / path.name
    link.parent.mkdir()
    link.symlink_to(path)
    save_map(link, hills(shapes=(peak,)), force=True)
    assert load_map(path).shapes == load_map(link).shapes == (peak,)
    assert not shapes_path(link).exists()


def test_a_map_is_not_replaced_when_its_shapes_cannot_be(path):
    peak = Shape("peak", "point", (((1.0, 2.0),),))
    shapes_path(path).mkdir()  # nothing can be written there
    before = path.read_bytes()
    with pytest.raises(StoreError):
        save_map(path, hills(title="other", shapes=(peak,)), force=True)
    assert path.read_bytes() == before


def test_names_from_a_file_do_not_steer_the_terminal(path, mapkit_cli):
    evil = "Evil\n\x1b[2J\u202e"
    named = {h: replace(g, name=evil) for h, g in hills().hexes.items()}
    save_map(path, hills(title=evil, hexes=named), force=True)
    for args in (["0202"], ["9999"], []):
        ran = mapkit_cli("map", "show", path, *args)
        assert "\x1b" not in ran.stdout + ran.stderr
        assert "\u202e" not in ran.stdout + ran.stderr
    assert mapkit_cli("map", "show", path, "9999").stderr.count("\n") == 1


def test_show_a_map(path, mapkit_cli):
    ran = mapkit_cli("map", "show", path)
    assert ran.exit_code == 0
    assert "Hills: 30 hexes" in ran.stdout
    assert "labels 0101 to 0605" in ran.stdout
    assert "terrain: clear (25), woods (5)" in ran.stdout
    assert json.loads(mapkit_cli("map", "show", path, "--json").stdout)["hexes"] == 30


def test_show_a_place(path, mapkit_cli):
    shown = mapkit_cli("map", "show", path, "0202").stdout
    assert "hex 0202" in shown
    assert "terrain woods (imported)" in shown
    assert "0202/0203: river" in shown
    assert "touches 0102, 0103, 0201, 0203, 0302, 0303" in shown
    assert mapkit_cli("map", "show", path, "0202-0203").stdout == "0202-0203: road\n"
    assert mapkit_cli("map", "show", path, "0101/0102").stdout == "0101/0102: nothing\n"
    assert json.loads(mapkit_cli("map", "show", path, "0202", "--json").stdout)["level"] == 1
    side = json.loads(mapkit_cli("map", "show", path, "0203/0202", "--json").stdout)
    assert side == {"hexside": "0202/0203", "features": [{"kind": "river"}]}


@pytest.mark.parametrize("lang", ["de", "it"])
def test_show_speaks_the_language(path, mapkit_cli, lang):
    shown = mapkit_cli("--lang", lang, "map", "show", path, "0202").stdout
    assert {"de": "Höhenstufe 1", "it": "livello 1"}[lang] in shown


def test_set_undo_redo(path, mapkit_cli):
    ran = mapkit_cli("map", "set", path, "0202", "--terrain", "clear", "--level", "1")
    assert ran.exit_code == 0, ran.stderr
    map_ = load_map(path)
    hex_ = map_.hex("0202")
    assert map_[hex_].terrain == "clear"
    assert map_.provenance_of(hex_, "terrain") == Provenance("person", touch="corrected")
    assert map_.provenance_of(hex_, "level") == Provenance("person", touch="confirmed")
    assert mapkit_cli("map", "undo", path).exit_code == 0
    assert load_map(path) == hills()
    assert mapkit_cli("map", "redo", path).exit_code == 0
    assert load_map(path) == map_
    assert mapkit_cli("map", "redo", path).stderr.startswith("mapkit: there is nothing to redo")


def test_setting_the_features_that_are_there_confirms_them(path, mapkit_cli):
    mapkit_cli("map", "set", path, "0202/0203", "--features", "river; bridge")
    river, bridge = load_map(path).hexsides[Hexside.between(*_pair(path))]
    assert river.provenance == Provenance("person", touch="confirmed")
    assert bridge.provenance == Provenance("person", touch="corrected")


def test_a_place_off_the_map_is_told_in_both_forms(path, mapkit_cli):
    for args in (["9901/9902"], ["9901/9902", "--json"]):
        assert mapkit_cli("map", "show", path, *args).exit_code == 1


def test_a_read_only_map_says_where_the_edit_is_kept(path, mapkit_cli):
    path.chmod(0o444)
    ran = mapkit_cli("map", "set", path, "0202", "--level", "7")
    assert ran.exit_code == 1
    assert "your edits are safe in its journal" in ran.stderr
    assert "level 7" in mapkit_cli("map", "show", path, "0202").stdout


def test_set_what_runs_along_a_hexside_and_a_link(path, mapkit_cli):
    mapkit_cli("map", "set", path, "0202/0203", "--features", "river; bridge!blown")
    side, bridge = load_map(path).hexsides[Hexside.between(*_pair(path))]
    assert (side.kind, bridge.kind, bridge.state) == ("river", "bridge", "blown")
    mapkit_cli("map", "set", path, "0202-0203", "--features", "")
    assert load_map(path).links == {}


def test_new_words_are_declared_on_demand_and_undone_with_their_edit(path, mapkit_cli):
    ran = mapkit_cli("map", "set", path, "0202-0203", "--features", "road; rail", "--new")
    assert ran.exit_code == 0, ran.stderr
    map_ = load_map(path)
    assert map_.kinds.roles("links") == {"road": "road", "rail": "rail"}
    assert mapkit_cli("map", "set", path, "0202", "--terrain", "moor", "--new").exit_code == 0
    assert mapkit_cli("map", "undo", path).exit_code == 0
    assert load_map(path) == map_
    assert mapkit_cli("map", "undo", path).exit_code == 0
    assert load_map(path) == hills()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04xxxx", "a workbook or archive, not a map (`mapkit map from-table`"),
        (b"\x89PNG\r\n", "a picture, not a map"),
    ],
)
def test_other_files_are_known_by_their_first_bytes(path, mapkit_cli, data, message):
    path.write_bytes(data)
    assert message in mapkit_cli("map", "show", path).stderr


def _pair(path):
    map_ = load_map(path)
    return map_.hex("0202"), map_.hex("0203")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["9999", "--level", "1"], "9999 is not on the map 'Hills'"),
        (["02", "--level", "1"], "look like 0101"),
        (["0202"], "nothing to set"),
        (["0202", "--terrain", "wods"], "knows no 'wods' .*there is: clear, unknown, woods .--new"),
        (["0202", "--terrain", "Woods"], "did you mean woods"),
        (["0202", "--features", "castle"], "knows no 'castle' among its features; there is: town"),
        (["0202/0203", "--level", "2"], "is no hex"),
        (["0202/0203/0303", "--features", "town"], "is a vertex"),
        (["0202/0205", "--features", "river"], "do not touch"),
        (["0202", "--features", "town>0203"], "faces no other hex"),
        (["0202/0203", "--features", "river>0404"], "faces a hex elsewhere"),
        (["0202", "--name", "x" * 20_000], "edit of hex 0202 .*at most 10000"),
    ],
)
def test_corrections_that_cannot_be(path, mapkit_cli, args, message):
    import re

    before = path.read_bytes()
    ran = mapkit_cli("map", "set", path, *args)
    assert ran.exit_code == 1
    assert re.search(message, ran.stderr), ran.stderr
    assert ran.stderr.count("\n") == 1
    assert path.read_bytes() == before


def test_recover_after_an_edit_by_another_program(path, mapkit_cli):
    with edit_map(path) as session:
        from mapkit.document.edits import correct

        session.edit(correct(session.value, session.value.hex("0101"), "level", 7))
    path.write_text(path.read_text(encoding="utf-8").replace("Hills", "Hügel"), encoding="utf-8")
    ran = mapkit_cli("map", "undo", path)
    assert ran.exit_code == 1
    assert "changed by another program" in ran.stderr
    assert "mapkit map recover" in ran.stderr
    recovered = mapkit_cli("map", "recover", path, "--choose", "replay")
    assert recovered.exit_code == 0
    assert "1 edit of the journal was done again" in recovered.stderr
    map_ = load_map(path)
    assert (map_.title, map_[map_.hex("0101")].level) == ("Hügel", 7)


def test_join_two_sheets(tmp_path, mapkit_cli):
    west, east, out = (tmp_path / f"{name}.hexmap.json" for name in ("west", "east", "both"))
    save_map(west, hills())
    save_map(east, hills(first=7))
    ran = mapkit_cli("map", "join", west, east, "-o", out)
    assert ran.exit_code == 0, ran.stderr
    assert len(load_map(out).hexes) == 60
    assert "60 hexes, labels 0101 to 1205" in ran.stderr
    again = mapkit_cli("map", "join", west, east, "-o", out)
    assert again.stderr == f"mapkit: {out} exists; give --force to overwrite it\n"


def test_join_sheets_that_both_begin_at_0101(tmp_path, mapkit_cli):
    one, out = tmp_path / "one.hexmap.json", tmp_path / "both.hexmap.json"
    save_map(one, hills())
    assert "disagree" not in mapkit_cli("map", "join", one, one, "-o", out).stderr
    ran = mapkit_cli(
        "map", "join", one, one, "--match", "0701=0101", "--numbering", "keep",
        "--prefixes", "W,E", "-o", out, "--force",
    )  # fmt: skip
    assert ran.exit_code == 0, ran.stderr
    map_ = load_map(out)
    assert map_[map_.hex("E:0202")].terrain == "woods"
    wrong = mapkit_cli("map", "join", one, one, "--match", "0701", "-o", out)
    assert "write two, as in 2001=0101" in wrong.stderr


def test_crop_keeps_the_labels(path, mapkit_cli):
    out = path.with_name("corner.hexmap.json")
    ran = mapkit_cli("map", "crop", path, "--from", "0202", "--to", "0403", "-o", out)
    assert ran.exit_code == 0, ran.stderr
    map_ = load_map(out)
    assert sorted(map(map_.label, map_.hexes)) == ["0202", "0203", "0302", "0303", "0402", "0403"]
    assert (
        mapkit_cli("map", "crop", path, "--from", "0202", "--to", "9999", "-o", out).exit_code == 1
    )


def test_turn_takes_the_picture_along(path, mapkit_cli):
    picture = Image.new("RGB", (120, 150), "white")
    map_ = load_map(path)
    x, y = map_.grid.centre(map_.hex("0203"))
    picture.putpixel((int(x), int(y)), (255, 0, 0))
    picture.save(path.with_name("hills.png"))
    data = path.with_name("hills.png").read_bytes()
    save_map(path, hills(picture=Picture("hills.png", sha256(data), 120, 150)), force=True)
    for degrees in ("90", "180", "270"):
        out = path.with_name(f"turned{degrees}.hexmap.json")
        ran = mapkit_cli("map", "turn", path, "--by", degrees, "-o", out)
        assert ran.exit_code == 0, ran.stderr
        turned = load_map(out)
        assert turned.picture is not None
        target = out.with_name(turned.picture.path)
        assert sha256(target.read_bytes()) == turned.picture.sha256
        x, y = turned.grid.centre(turned.hex("0203"))
        with Image.open(target) as image:
            near = [
                image.getpixel((int(x) + i, int(y) + j)) for i in (-1, 0, 1) for j in (-1, 0, 1)
            ]
        assert (255, 0, 0) in near
    assert mapkit_cli("map", "turn", path, "--by", "45", "-o", out).exit_code == 2


def test_turn_spoils_nothing_that_is_there(path, mapkit_cli):
    Image.new("RGB", (120, 150), "white").save(path.with_name("hills.png"))
    data = path.with_name("hills.png").read_bytes()
    matrix = (1.0, 0.0, 5.0, 0.0, 1.0, 7.0, 0.0, 0.0, 1.0)
    picture = Picture("hills.png", sha256(data), 120, 150, "raw.tif", matrix)
    save_map(path, hills(picture=picture), force=True)
    taken = path.with_name("taken.hexmap.json")
    save_map(taken, hills())
    assert mapkit_cli("map", "turn", path, "--by", "90", "-o", taken).exit_code == 1
    assert not taken.with_name("taken.png").exists()
    ran = mapkit_cli("map", "turn", path, "--by", "90", "-o", path, "--force")
    assert ran.exit_code == 0, ran.stderr
    assert path.with_name("hills.png").read_bytes() == data
    turned = load_map(path).picture
    assert turned is not None
    assert (turned.path, turned.scan) == ("hills-turned.png", "raw.tif")
    # A scan's pixel (0, 0) was (5, 7) of the picture, and is now (150 - 7, 5).
    assert turned.from_scan == (0.0, -1.0, 143.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0)


def test_a_picture_that_is_not_the_maps_own_is_not_turned(path, mapkit_cli):
    Image.new("RGB", (60, 75), "white").save(path.with_name("hills.png"))
    save_map(path, hills(picture=Picture("hills.png", "0" * 64, 120, 150)), force=True)
    out = path.with_name("turned.hexmap.json")
    assert "is not the one" in mapkit_cli("map", "turn", path, "--by", "90", "-o", out).stderr
    assert not out.exists()


def test_crop_into_another_folder_says_that_the_picture_stays(path, mapkit_cli):
    save_map(path, hills(picture=Picture("hills.png", "0" * 64, 900, 900)), force=True)
    out = path.parent / "other" / "piece.hexmap.json"
    missing = mapkit_cli("map", "crop", path, "--from", "0101", "--to", "0202", "-o", out)
    assert "there is no folder" in missing.stderr
    out.parent.mkdir()
    ran = mapkit_cli("map", "crop", path, "--from", "0101", "--to", "0202", "-o", out)
    assert "the picture hills.png stays with the old map" in ran.stderr
    assert load_map(out).picture is None


def test_a_map_without_hexes(tmp_path, path, mapkit_cli):
    empty, out = tmp_path / "empty.hexmap.json", tmp_path / "out.hexmap.json"
    save_map(empty, hills(hexes={}, hexsides={}, links={}))
    for args in (["turn", empty, "--by", "90"], ["join", path, empty], ["join", empty, path]):
        ran = mapkit_cli("map", *args, "-o", out)
        assert (ran.exit_code, "has no hexes" in ran.stderr) == (1, True)
    assert mapkit_cli("map", "show", empty).exit_code == 0


def test_a_picture_that_is_none_cannot_be_turned(path, mapkit_cli):
    path.with_name("hills.png").write_bytes(b"not a picture")
    sha = sha256(b"not a picture")
    save_map(path, hills(picture=Picture("hills.png", sha, 900, 900)), force=True)
    out = path.with_name("turned.hexmap.json")
    ran = mapkit_cli("map", "turn", path, "--by", "90", "-o", out)
    assert ran.exit_code == 1
    assert "cannot be turned" in ran.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.symlink_to(path.name), "run in a circle"),
        (lambda path: path.write_bytes(b'{"format": "mapkit-map/1"'), "broken JSON"),
    ],
)
@pytest.mark.parametrize("command", ["show", "undo"])
def test_files_that_are_no_map(tmp_path, mapkit_cli, make, message, command):
    path: Path = tmp_path / "x.hexmap.json"
    make(path)
    ran = mapkit_cli("map", command, path)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_file_too_big_to_be_a_map_is_not_read(tmp_path):
    path = tmp_path / "huge.hexmap.json"
    with path.open("wb") as file:
        file.truncate(2 * 1024**3)  # sparse: takes no room
    with pytest.raises(StoreError, match="too big for a map: 2147 MB"):
        load_map(path)
