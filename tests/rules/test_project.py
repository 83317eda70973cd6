"""Projects: made, explained, checked; nothing leads out of the folder."""

import json
from dataclasses import replace

import pytest

from mapkit.grid import Grid
from mapkit.kinds import Kind, Kinds
from mapkit.maps import save_map
from mapkit.model import Ground, HexMap, Picture
from mapkit.numbering import Axis, Numbering
from rules.errors import ProjectError
from rules.project import load_project, parse_project
from rules.project_check import check_project
from rules.unit_files import write_unit_table

# The layout that the pack of Strafexpedition presumes, and its mirror image.
PRESUMED = Numbering(
    straight="rows", order="RRCC", rows=Axis(first=12, step=-1), columns=Axis(first=1), shoved="odd"
)
OTHER = replace(PRESUMED, shoved="even")


def alps(numbering=PRESUMED, **changes):
    hexes = {numbering.hex_at(c, r): Ground("clear", 1) for c in range(9) for r in range(6)}
    kinds = Kinds(
        terrain=(Kind("clear"), Kind("Bosco"), Kind("High Mountain")),
        features=(Kind("Nachschub", role="supply_source"), Kind("Sperre", role="fort")),
        links=(Kind("road"),),
    )
    made = HexMap(Grid.regular("pointy", pitch_px=30), numbering, hexes, kinds, title="Alps")
    return replace(made, **changes)


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "maps" / "alps.hexmap.json"
    path.parent.mkdir()
    save_map(path, alps())
    return path


def project_in(folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "project.toml").write_text(
        f'format = "mapkit-project/1"\nname = "P"\n{text}', "utf-8"
    )
    return folder


def found(folder):
    return {(f.severity, f.place): f.text for f in check_project(load_project(folder))}


def test_new_show_check(tmp_path, map_file, mapkit_cli):
    folder = tmp_path / "alps"
    ran = mapkit_cli("project", "new", folder, "--game", "strafexpedition", "--map", map_file)
    assert ran.exit_code == 0, ran.stderr
    assert (folder / "alps.hexmap.json").is_file()
    text = (folder / "project.toml").read_text("utf-8")
    assert '# "Bosco" = ""' in text
    assert "1 word of the map means nothing to the game yet" in ran.stderr

    shown = mapkit_cli("project", "show", folder)
    assert "alps, Strafexpedition 1916" in shown.stdout
    assert "terrain: clear, Bosco → ?, High Mountain" in shown.stdout
    data = json.loads(mapkit_cli("project", "show", folder, "--json").stdout)
    assert data["maps"][0]["binding"]["terrain"] == {
        "clear": "clear", "Bosco": None, "High Mountain": "high_mountain",
    }  # fmt: skip

    assert data["maps"][0]["binding"]["features"] == {
        "Nachschub": "supply_source",
        "Sperre": "fortress",  # the game has one word for what mapmakers call a fort
    }

    checked = mapkit_cli("project", "check", folder)
    assert checked.exit_code == 0
    assert "no word 'Bosco' among its terrain; bind it under [binding.terrain]" in checked.stdout
    assert "confirms the layout" in checked.stdout

    (folder / "project.toml").write_text(text.replace('# "Bosco" = ""', 'Bosco = "woods"'), "utf-8")
    again = json.loads(mapkit_cli("project", "check", folder, "--json").stdout)
    assert [f["severity"] for f in again["findings"]] == ["note"]


def test_a_project_takes_pictures_and_shapes_along(tmp_path, map_file):
    from rules.project_new import new_project

    picture = map_file.with_name("scan.png")
    picture.write_bytes(b"picture")
    save_map(map_file, alps(picture=Picture("scan.png", "x", 900, 900)), force=True)
    project = new_project(tmp_path / "p", maps=[map_file])
    assert (project.folder / "scan.png").read_bytes() == b"picture"
    assert project.map().picture is not None


def test_a_bare_map_is_a_project_without_a_game(map_file, mapkit_cli):
    project = load_project(map_file)
    assert project.game is None
    assert project.map().title == "Alps"
    assert "no game" in mapkit_cli("project", "show", map_file).stdout
    assert mapkit_cli("project", "check", map_file).exit_code == 0


def test_the_maps_own_numbering_wins_and_a_contradiction_is_said(tmp_path):
    folder = project_in(
        tmp_path / "p", 'game = "strafexpedition"\n[[maps]]\nid = "a"\nfile = "a.hexmap.json"\n'
    )
    save_map(folder / "a.hexmap.json", alps(OTHER))
    findings = found(folder)
    assert "the map's own numbering is used" in findings["warning", "a"]
    assert any("touches" in text for text in findings.values())


def test_a_layout_that_the_sources_leave_open_is_settled_by_the_map(tmp_path):
    folder = project_in(
        tmp_path / "p", 'game = "durchbruch"\n[[maps]]\nid = "a"\nfile = "a.hexmap.json"\n'
    )
    rule, north_deg = Numbering(straight="columns").running(columns="SE", rows="SW")
    grid = Grid.regular("flat", pitch_px=30, north_deg=north_deg)
    save_map(folder / "a.hexmap.json", alps(rule, grid=grid))
    assert "settles it" in found(folder)["note", "a"]


@pytest.mark.parametrize(
    ("map_", "severity", "text"),
    [
        pytest.param(
            alps(hexes={PRESUMED.parse_label("1203"): Ground("clear")}),
            "note",
            "too small to tell",
            id="one hex",
        ),
        pytest.param(
            alps(Numbering(straight="columns"), grid=Grid.regular("flat", pitch_px=30)),
            "warning",
            "has straight columns",
            id="columns for rows",
        ),
        pytest.param(
            alps(replace(PRESUMED, columns=Axis(first=9, step=-1), rows=Axis(first=1))),
            "warning",
            "numbers run to the W",
            id="mirrored on both axes",
        ),
        pytest.param(
            alps(replace(PRESUMED, separator=".")),
            "warning",
            "no hex number like 07.01",
            id="labels of another form",
        ),
    ],
)
def test_a_numbering_is_not_confirmed_without_evidence(tmp_path, map_, severity, text):
    folder = project_in(
        tmp_path / "p", 'game = "strafexpedition"\n[[maps]]\nid = "a"\nfile = "a.hexmap.json"\n'
    )
    save_map(folder / "a.hexmap.json", map_)
    told = [f.text for f in check_project(load_project(folder)) if f.severity == severity]
    assert any(text in line for line in told), told


def test_a_forced_layout_contradicted_is_an_error(tmp_path):
    folder = project_in(
        tmp_path / "p", 'game = "caporetto-front"\n[[maps]]\nid = "a"\nfile = "a.hexmap.json"\n'
    )
    save_map(folder / "a.hexmap.json", alps(OTHER))
    assert "touches" in found(folder)["error", "a"]


def test_all_that_is_wrong_is_found_at_once(tmp_path, mapkit_cli):
    folder = project_in(
        tmp_path / "p",
        """
game = "strafexpedition"
owner = "alps.owner.toml"
units = ["units.csv"]
[binding.terrain]
Bosco = "jungle"
[[maps]]
id = "a"
file = "a.hexmap.json"
[[maps]]
id = "b"
file = "b.hexmap.json"
[[joins]]
first = "a"
second = "b"
match = "0701=9999"
""",
    )
    save_map(folder / "a.hexmap.json", alps())
    (folder / "b.hexmap.json").write_bytes(b"{")
    findings = found(folder)
    assert "is not there" in findings["error", "alps.owner.toml"]
    assert "is not there" in findings["error", "units.csv"]
    assert "it knows: clear, crags, high_mountain, woods" in findings["error", "binding.terrain"]
    assert "broken JSON" in findings["error", "b"]
    ran = mapkit_cli("project", "check", folder)
    assert ran.exit_code == 1
    assert ran.stdout.startswith("P: 4 errors")
    assert ran.stderr == "P needs mending: 4 errors\n"


def test_joins_are_tried(tmp_path):
    text = "".join(f'[[maps]]\nid = "{i}"\nfile = "{i}.hexmap.json"\n' for i in "ab")
    folder = project_in(tmp_path / "p", f'{text}[[joins]]\nfirst = "a"\nsecond = "b"\n')
    save_map(folder / "a.hexmap.json", alps())
    save_map(folder / "b.hexmap.json", alps(OTHER))
    assert "do not continue" in found(folder)["error", "a+b"]


@pytest.mark.parametrize(
    "path",
    ["../x.hexmap.json", "/etc/passwd", "C:\\x", "a/../../x", "\\\\server\\x", "", "a\\..\\..\\x"],
)
def test_paths_that_lead_out_are_refused(tmp_path, path):
    text = f'format = "mapkit-project/1"\nname = "P"\nunits = [{json.dumps(path)}]\n'
    with pytest.raises(ProjectError, match="leads out of the project's folder"):
        parse_project(text.encode(), tmp_path / "project.toml")


def test_links_that_lead_out_are_refused(tmp_path, map_file):
    folder = project_in(tmp_path / "p", 'units = ["u.csv"]')
    (folder / "u.csv").symlink_to(map_file)
    with pytest.raises(ProjectError, match="a link out"):
        load_project(folder)
    (folder / "u.csv").unlink()
    (folder / "u.csv").symlink_to("u.csv")
    with pytest.raises(ProjectError, match="circle"):
        load_project(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "colour: Extra inputs"),
        ("maps = 3", "maps: "),
        ("[[maps]]\nid = 'a'\nfile = 'x'\n" * 2, "two maps have the id 'a'"),
        ("[[joins]]\nfirst = 'a'\nsecond = 'b'\n", "there is no map 'a'"),
        ("game = ", "broken TOML"),
        ("game = " + "1" * 5000, "broken TOML"),
    ],
)
def test_a_project_file_that_does_not_read(tmp_path, text, message):
    with pytest.raises(ProjectError, match=message):
        load_project(project_in(tmp_path / "p", text))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'format = "mapkit-project/9"\nname = "P"', "install a newer"),
        (b'name = "P"', "its format is None"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_project_of_another_version(tmp_path, data, message):
    with pytest.raises(ProjectError, match=message):
        parse_project(data, tmp_path / "project.toml")


def test_new_refuses_what_would_be_lost(tmp_path, map_file, mapkit_cli):
    folder = project_in(tmp_path / "p", "")
    ran = mapkit_cli("project", "new", folder)
    assert (ran.exit_code, "is there already" in ran.stderr) == (1, True)
    assert "no rules pack" in mapkit_cli("project", "new", tmp_path / "q", "--game", "x").stderr
    assert not (tmp_path / "q").exists()
    other = tmp_path / "alps.hexmap.json"
    save_map(other, alps())
    twice = mapkit_cli("project", "new", tmp_path / "q", "--map", map_file, "--map", other)
    assert "two maps are called" in twice.stderr
    assert "is no project" in mapkit_cli("project", "show", tmp_path / "nowhere").stderr


def test_a_binding_of_a_word_that_no_map_has_is_told(tmp_path):
    folder = project_in(
        tmp_path / "p",
        'game = "strafexpedition"\n[binding.terrain]\nBosko = "woods"\n'
        '[[maps]]\nid = "a"\nfile = "a.hexmap.json"\n',
    )
    save_map(folder / "a.hexmap.json", alps())
    assert (
        "no map of the project has the word 'Bosko'" in found(folder)["warning", "binding.terrain"]
    )


def test_new_adopts_nothing_that_lies_about(tmp_path, map_file, mapkit_cli):
    for leftover in ("alps.shapes.geojson", "alps.hexmap.json.journal"):
        folder = tmp_path / leftover
        folder.mkdir()
        (folder / leftover).write_text("another map's")
        ran = mapkit_cli("project", "new", folder, "--map", map_file)
        assert (ran.exit_code, "is there already" in ran.stderr) == (1, True)
        assert sorted(path.name for path in folder.iterdir()) == [leftover]


def test_new_copies_no_picture_from_elsewhere(tmp_path, map_file, mapkit_cli):
    (tmp_path / "outside.png").write_bytes(b"picture")
    for path in ("../outside.png", str(tmp_path / "outside.png")):
        save_map(map_file, alps(picture=Picture(path, "x", 900, 900)), force=True)
        ran = mapkit_cli("project", "new", tmp_path / "p" / "q", "--map", map_file)
        assert (ran.exit_code, "leads out" in ran.stderr) == (1, True)
        assert not (tmp_path / "p").exists()


def test_maps_whose_names_differ_in_signs_only_get_different_ids(tmp_path, mapkit_cli):
    for name in ("a b", "a-b"):
        save_map(tmp_path / f"{name}.hexmap.json", alps())
    maps = [tmp_path / "a b.hexmap.json", tmp_path / "a-b.hexmap.json"]
    ran = mapkit_cli("project", "new", tmp_path / "p", "--map", maps[0], "--map", maps[1])
    assert ran.exit_code == 0, ran.stderr
    assert list(load_project(tmp_path / "p").maps) == ["a-b", "a-b-2"]


def test_one_map_that_is_a_folder_does_not_end_the_check(tmp_path):
    folder = project_in(tmp_path / "p", 'units = ["u.csv"]\n[[maps]]\nid = "a"\nfile = "."\n')
    findings = found(folder)
    assert "is a folder" in findings["error", "a"]
    assert "is not there" in findings["error", "u.csv"]


def test_one_of_several_maps_must_be_named(tmp_path):
    text = "".join(f'[[maps]]\nid = "{i}"\nfile = "{i}.hexmap.json"\n' for i in "ab")
    project = load_project(project_in(tmp_path / "p", text))
    with pytest.raises(ProjectError, match="has 2 maps; name one: a, b"):
        project.map()
    with pytest.raises(ProjectError, match="no map 'c'; there is: a, b"):
        project.map("c")


def test_scenarios_whose_units_stand_in_no_table_are_told(tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "project.toml").write_text(
        'format = "mapkit-project/1"\nname = "P"\ngame = "strafexpedition"\n'
        'units = ["units.csv"]\nscenarios = ["s4"]\n'
    )
    write_unit_table("strafexpedition", "s4", folder / "units.csv", ())
    told = [one for one in check_project(load_project(folder)) if one.place == "s4"]
    assert told == []
    lines = (folder / "units.csv").read_bytes().splitlines(keepends=True)
    (folder / "units.csv").write_bytes(b"".join(lines[:-2]))
    (told,) = (one for one in check_project(load_project(folder)) if one.place == "s4")
    assert told.severity == "warning"
    assert told.text.startswith("2 units of scenario s4 stand in no table of units, such as ")
    (folder / "units.csv").write_text("id,combat\na,1\n")
    places = [one.place for one in check_project(load_project(folder)) if one.severity == "error"]
    assert places == ["units.csv"]


def test_sheets_of_a_project_are_checked(tmp_path):
    (tmp_path / "project.toml").write_text(
        'format = "mapkit-project/1"\nname = "P"\nsheets = ["one.sheet.toml"]\n'
    )
    (tmp_path / "one.sheet.toml").write_text('format = "mapkit-sheet/9"\n')
    (told,) = (one for one in check_project(load_project(tmp_path)) if one.severity == "error")
    assert told.place == "one.sheet.toml"
    assert "mapkit counters check one.sheet.toml" in told.text


def test_the_command_that_lists_a_maps_problems_runs_as_it_is_told(tmp_path, mapkit_cli):
    grounds = {hex_: Ground("nowhere", 1) for hex_ in alps().hexes}
    folder = project_in(tmp_path / "p", '[[maps]]\nid = "alps"\nfile = "alps.hexmap.json"\n')
    save_map(folder / "alps.hexmap.json", alps(hexes=grounds))
    (told,) = (one for one in found(folder).values() if "mapkit map check" in one)
    ran = mapkit_cli(*told.split("`")[1].split()[1:])
    assert "nowhere" in ran.stdout
