"""Terrain and sight for a module of another author's: beside it, or in a copy of it."""

import io
import math
import re
import zipfile

import pytest
from lxml import etree

from exporters.model import ExportError, GivenFile
from exporters.vassal.extension import EXTENSION, ExtensionOptions
from exporters.vassal.foreign import read_module
from exporters.vassal.foreign_grids import boards_of
from exporters.vassal.sequence import TAB, split, unnest
from mapkit.maps import save_map
from mapkit.progress import ignore
from tests.boards import board
from tests.exporters.vassal.authored import board as board_of
from tests.exporters.vassal.authored import given, hex_grid, window
from tests.exporters.vassal.engine import read_board
from tests.exporters.vassal.foreign_modules import SIZE, build_file, foreign_module, pack
from tests.exporters.vassal.test_module import opened, tagged
from tests.exporters.vassal.test_sight import ROWS

BEFORE = "Mapkit_Field_"
BOARD = "The Hills: main|Hills|"
layouts = pytest.mark.parametrize("layout", ["flat", "pointy"])


def rendered(material, module, **options):
    given = GivenFile("hills.vmod", module)
    result = EXTENSION.render(material, ExtensionOptions(given, **options), ignore)
    (file,) = result.files
    return result, file


def rows_of(root):
    return {one.get("name"): one.get("initialValue") for one in tagged(root, "Message")}


def engine_of(text):
    root = etree.fromstring(text.encode())
    found = tagged(root, ".Board")[0]
    return read_board(found, SIZE)


@layouts
def test_every_row_is_keyed_by_what_the_engine_names(project, layout):
    map_ = board(*ROWS, layout=layout)
    sideways = layout == "pointy"
    result, file = rendered(project(map_), foreign_module(sideways=sideways))
    assert (file.path, result.dropped) == ("hills_ext/Field.vmdx", ())
    _, root = opened(file.data)
    rows = rows_of(root)
    engine = engine_of(build_file(sideways=sideways))
    heads = {}
    for hex_ in map_.hexes:
        place = engine.place(map_.label(hex_))
        assert engine.label(*engine.snap(*place)) == map_.label(hex_)
        assert f"{BEFORE}Terrain|{BOARD}{map_.label(hex_)}" in rows
        row = rows[f"{BEFORE}Sight_|{BOARD}{map_.label(hex_)}"]
        heads[int(row[:3]), int(row[3:6])] = place
    # Two rows' difference is the way from one place to the other on the author's own board.
    (line, along), (x, y) = next(iter(heads.items()))
    for (other_line, other_along), (other_x, other_y) in heads.items():
        over, down = other_line - line, other_along - along
        wanted = (62.4 * over, 71.5 * (down + over / 2))
        moved = (other_x - x, other_y - y)
        assert math.dist(wanted, moved[::-1] if sideways else moved) < 1.5


@layouts
def test_the_field_of_view_has_the_steps_of_the_authors_grid(project, layout):
    module = foreign_module(sideways=layout == "pointy")
    _, file = rendered(project(board(*ROWS, layout=layout)), module)
    _, root = opened(file.data)
    traits = unnest(TAB, split("/", tagged(root, ".PieceSlot")[0].text)[2])
    fields = [split(";", one) for one in traits if one.startswith("emb2;")]
    offsets = {(int(one[14]), int(one[15])) for one in fields}
    step = (62, 36) if layout == "flat" else (36, 62)  # one line on, half a hex along
    found = {(abs(x), abs(y)) for x, y in offsets}
    axis = 0 if layout == "flat" else 1
    assert {round(62.4 * n) for n in range(3)} <= {one[axis] for one in found}
    assert step[axis] in {one[axis] for one in found}


def test_ids_names_and_keys_are_its_own(project):
    _, file = rendered(project(board(*ROWS)), foreign_module())
    archive, root = opened(file.data)
    assert (root.get("module"), root.get("moduleVersion")) == ("Old Hills", "2.3")
    id_ = root.get("extensionId")
    slots = tagged(root, ".PieceSlot")
    assert [one.get("gpid") for one in slots] == [f"{id_}:{n}" for n in range(len(slots))]
    assert root.get("nextPieceSlotId") == str(len(slots))
    assert all(f";{one.get('gpid')};" in one.text for one in slots)
    names = [one.get("name") for one in tagged(root, "GlobalProperty")]
    names += [one.get("name") for one in tagged(root, "PrototypeDefinition")]
    assert names
    assert all(name.startswith(BEFORE) for name in names)
    pictures = [name for name in archive.namelist() if name.startswith("images/")]
    assert pictures
    assert all(name.startswith(f"images/{BEFORE}") for name in pictures)
    texts = "".join(one.text for one in (*slots, *tagged(root, "PrototypeDefinition")))
    assert not re.search(r"\b\d\d\\*,(130|195|65|520)\b", texts)  # no key, only named commands
    assert "mark;Height" in texts  # the author's own order of layers
    children = [len(one) for one in tagged(root, ".ExtensionElement")]
    assert set(children) == {1}
    data = etree.fromstring(archive.read("extensiondata"))
    assert data.findtext("universal") == "false"


@pytest.mark.parametrize(
    ("words", "key"),
    [
        pytest.param({"grid_format": "Hex $gridLocation$"}, "Hex 0101", id="format of the grid"),
        pytest.param({"zone_format": "$name$ $gridLocation$"}, "Field 0101", id="of a zone"),
        pytest.param({"grid_format": "$column$/$row$"}, "01/01", id="column and row"),
        pytest.param({"old": True}, "0101", id="old build file"),
    ],
)
def test_locations_are_spoken_as_the_author_formats_them(project, words, key):
    _, file = rendered(project(board(*ROWS)), foreign_module(**words))
    rows = rows_of(opened(file.data)[1])
    kinds = ("Terrain", "Sight_")
    assert {f"{BEFORE}{kind}|{BOARD}{key}" for kind in kinds} <= set(rows)


def test_names_that_the_author_uses_are_kept_clear_of(project):
    module = foreign_module(grid_format="$gridLocation$", viewer="Mapkit_field_ is mine")
    _, file = rendered(project(board(*ROWS)), module)
    assert f"{BEFORE}2_Terrain|{BOARD}0101" in rows_of(opened(file.data)[1])


def test_a_copy_keeps_every_other_file(project):
    module = foreign_module()
    _, file = rendered(project(board(*ROWS)), module, into="richer.vmod")
    assert file.path == "richer.vmod"
    before = zipfile.ZipFile(io.BytesIO(module))
    after, root = opened(file.data)
    for info in before.infolist():
        if info.filename != "buildFile.xml":
            assert after.read(info.filename) == before.read(info.filename)
            assert after.getinfo(info.filename).date_time == info.date_time
    assert after.namelist().count("buildFile.xml") == 1
    assert (root.get("name"), root.get("version")) == ("Old Hills", "2.3")
    gpids = [int(one.get("gpid")) for one in tagged(root, ".PieceSlot")]
    assert gpids == list(dict.fromkeys(gpids))
    assert min(gpids[1:]) == 7
    assert int(root.get("nextPieceSlotId")) == max(gpids) + 1
    (viewer,) = tagged(root, ".CounterDetailViewer")
    assert f"{BEFORE}Terrain|" in viewer.get("emptyHexReportForma")
    assert viewer.get("summaryReportFormat") == viewer.get("emptyHexReportForma")
    assert len([one for one in root if one.tag.endswith("PrototypesContainer")]) == 1
    assert f"prototype;{BEFORE}Sight" not in tagged(root, ".PrototypeDefinition")[0].text


def test_the_authors_words_under_the_mouse_stay(project):
    result, file = rendered(project(board(*ROWS)), foreign_module(viewer="mine"), into="r.vmod")
    authors, ours = tagged(opened(file.data)[1], ".CounterDetailViewer")
    assert (authors.get("emptyHexReportForma"), authors.get("bgColor")) == ("mine", None)
    assert f"{BEFORE}Terrain|" in ours.get("emptyHexReportForma")
    assert "exporters.extension.hint.viewer" in [hint.key for hint in result.hints]


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_viewer_that_the_engine_makes_over_is_left_alone(project, version):
    module = foreign_module(viewer_version=version)
    _, file = rendered(project(board(*ROWS)), module, into="r.vmod")
    authors, ours = tagged(opened(file.data)[1], ".CounterDetailViewer")
    assert dict(authors.attrib) == {"version": version, "emptyHexReportForma": ""}
    assert (ours.get("version"), ours.get("minDisplayPieces")) == ("4", "0")


@pytest.mark.parametrize(("given", "kept"), [("", "255,255,240"), ("0,0,9", "0,0,9")])
def test_what_the_mouse_tells_stands_on_paper(project, given, kept):
    module = foreign_module(viewer_paper=given)
    _, file = rendered(project(board(*ROWS)), module, into="r.vmod")
    (viewer,) = tagged(opened(file.data)[1], ".CounterDetailViewer")
    assert viewer.get("bgColor") == kept


def test_the_authors_pieces_ask_only_when_told_to(project):
    material = project(board(*ROWS))
    _, file = rendered(material, foreign_module(), into="r.vmod", prototypes="Sight")
    first = tagged(opened(file.data)[1], ".PrototypeDefinition")[0]
    _, _, types, states = split("/", first.text)
    assert unnest(TAB, types)[:2] == [f"prototype;{BEFORE}Sight", "mark;Type"]
    assert unnest(TAB, states)[:2] == ["", "Inf"]
    with pytest.raises(ExportError, match="no prototype 'Gun'"):
        rendered(material, foreign_module(), into="r.vmod", prototypes="Gun")
    with pytest.raises(ExportError, match="goes with --into only"):
        rendered(material, foreign_module(), prototypes="Sight")


@pytest.mark.parametrize("into", ["hills.vmod", "HILLS.VMOD", "copy.zip"])
def test_a_copy_needs_a_name_of_its_own(project, into):
    with pytest.raises(ExportError, match="--into"):
        rendered(project(board(*ROWS)), foreign_module(), into=into)


BOMB = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY c "&a;&a;">]><VASSAL.build.GameModule name="&c;"/>'


@pytest.mark.parametrize(
    ("module", "told"),
    [
        pytest.param(b"PK nothing", "no whole zip", id="no zip"),
        pytest.param(foreign_module()[:900], "no whole zip", id="half a file"),
        pytest.param(pack({"readme": "x"}), "no VASSAL module", id="no build file"),
        pytest.param(pack({"buildFile.xml": "<a"}), "no XML", id="no XML"),
        pytest.param(pack({"buildFile.xml": "<a/>"}), "no module but <a>", id="no module"),
        pytest.param(pack({"buildFile.xml": BOMB}), "document type", id="entities"),
        pytest.param(
            pack({"buildFile.xml": " " * 100_000_001 + "<a/>"}), "more than 100 MB", id="bomb"
        ),
        pytest.param(foreign_module(h_off="x"), "hOff='x', which is no number", id="no number"),
    ],
)
def test_a_broken_module_is_refused_in_one_line(tmp_path, mapkit_cli, module, told):
    save_map(tmp_path / "m.hexmap.json", board(*ROWS))
    (tmp_path / "x.vmod").write_bytes(module)
    words = ("--module", tmp_path / "x.vmod", "-o", tmp_path / "out")
    ran = mapkit_cli("export", "vassal-extension", tmp_path / "m.hexmap.json", *words)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert told in ran.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(
            {"h_off": 40}, "name 0 of 35 hexes of the map field: there is no 0101", id="no"
        ),
        pytest.param({"h_off": -1}, "they lie otherwise there", id="a column beside"),
        pytest.param({"sideways": True}, "hexes", id="turned"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(project, words, told):
    with pytest.raises(ExportError, match=told):
        rendered(project(board(*ROWS)), foreign_module(**words))


def test_the_module_is_read_and_not_written(tmp_path, mapkit_cli):
    save_map(tmp_path / "m.hexmap.json", board(*ROWS))
    module = tmp_path / "hills.vmod"
    module.write_bytes(foreign_module())
    before = (module.read_bytes(), module.stat().st_mtime_ns)
    words = ("--module", module, "-o", tmp_path)
    ran = mapkit_cli("export", "vassal-extension", tmp_path / "m.hexmap.json", *words)
    assert ran.exit_code == 0, ran.stderr
    assert "beside hills.vmod" in ran.stderr
    assert (module.read_bytes(), module.stat().st_mtime_ns) == before
    (made,) = (tmp_path / "hills_ext").iterdir()
    assert made.suffix == ".vmdx"


def test_a_broken_board_does_not_hide_the_others():
    odd, field = board_of(hex_grid({}, dx="wide"), name="Odd"), board_of(hex_grid({}))
    module = read_module(given(window(odd, field)))
    assert [one.name for one in boards_of(module)] == ["Field"]
