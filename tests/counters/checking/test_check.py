"""What is wrong with counters: each kind of fault found, and nothing where there is none."""

import json
import os

import pytest
from PIL import Image

from counters.checking import LEAST_PX, check_against, check_counters, check_files, check_sheet
from counters.drawing import load_counter_style
from counters.model import Face, Marker, Section, Sheet, Unit
from counters.sheet_files import dump_sheet
from mapkit.texts import LANGUAGES, speaking


def unit(id_="a", *, front=None, back=None, **more):
    faces = [Face("front", front)] if front is not None else []
    faces += [Face("back", back)] if back is not None else []
    return Unit(id_, id_.upper(), "it", class_="infantry", faces=tuple(faces), **more)


def codes(problems):
    return [(problem.code, problem.place) for problem in problems]


def found(*counters):
    return codes(check_counters([("units.csv", counter) for counter in counters]))


def test_nothing_is_wrong_with_good_counters():
    both = {"front": {"combat": 4}, "back": {"combat": 2}}
    assert found(unit("a", **both), unit("b", **both), Marker("m", "Mud")) == []


def test_a_game_knows_what_its_counters_print():
    """No counter of the class has the value, and the game prints it all the same."""
    style = load_counter_style("strafexpedition")
    gun = Unit(
        "g", "G", "it", class_="field_artillery",
        faces=(Face("front", {"range": 9}), Face("fire", {"bombardment": 6, "range": 9})),
    )  # fmt: skip
    assert found(gun) == []
    [problem] = check_counters([("units.csv", gun)], style)
    assert (problem.code, problem.values) == ("blank", {"values": "front.movement"})
    alone = Unit("a", "A", "it", class_="infantry", steps=2, faces=(Face("front", {"morale": 4}),))
    assert "no_back" in [one.code for one in check_counters([("units.csv", alone)], style)]


def test_ids_given_twice():
    assert ("duplicate", "a") in found(unit("a", front={"combat": 1}), Marker("a", "A"))


def test_missing_backs():
    like = unit("b", front={"combat": 1}, back={"combat": 1})
    alone = unit("a", front={"combat": 1})
    assert found(alone) == []
    assert found(alone, like) == [("no_back", "a")]
    assert found(unit("a", front={"combat": 1}, steps=2)) == [("no_back", "a")]
    assert found(unit("a", front={"combat": 1}, steps=1), like) == []
    assert found(unit("a")) == [("no_face", "a")]


def test_blank_values_are_those_that_the_like_has():
    whole = unit("b", front={"combat": 1, "morale": 6})
    assert found(unit("a", front={"combat": 1, "morale": None}), whole) == [("blank", "a")]
    other = Unit("c", "C", "it", class_="hq", faces=(Face("front", {"range": 3, "morale": None}),))
    assert found(other, whole) == []
    (problem,) = check_counters([("u", unit("a", front={"combat": None}))])
    assert problem.message == "blank: front.*"


def test_cells_and_counters_of_a_sheet():
    cells = {(0, 0): "a", (0, 1): "a", (1, 0): "x"}
    sheet = Sheet("S", sections=(Section("A", 2, 2, cells=cells),))
    counters = [unit("a", copies=3), unit("b")]
    problems = list(check_sheet(sheet, counters))
    assert codes(problems) == [("no_such_counter", "S A"), ("copies", "a"), ("in_no_cell", "b")]
    assert problems[0].message == "row 2, column 1 names 'x', which is no counter"
    assert codes(check_sheet(sheet, [unit("a", copies=2), unit("x")])) == []


def test_units_without_counter_and_the_reverse():
    problems = check_against([unit("a"), unit("b"), Marker("m", "Mud")], [unit("b"), unit("c")])
    assert codes(problems) == [("no_counter", "c"), ("no_unit", "a")]


@pytest.fixture
def folder(tmp_path):
    Image.new("RGB", (LEAST_PX, LEAST_PX)).save(tmp_path / "good.png")
    Image.new("RGB", (LEAST_PX - 1, 200)).save(tmp_path / "small.png")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    rows = "".join(f"{name},{name},it,{name}.png\n" for name in ("good", "small", "broken", "gone"))
    (tmp_path / "units.csv").write_text("id,name,side,front.picture\n" + rows)
    return tmp_path


def test_pictures(folder):
    report = check_files([folder])
    assert codes(report.problems) == [
        ("picture_broken", "broken"),
        ("picture_missing", "gone"),
        ("picture_small", "small"),
    ]
    assert (report.counters, report.errors, report.warnings, report.exit_code) == (4, 2, 1, 1)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_picture_that_is_a_link_out_of_the_folder(folder, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.png"
    Image.new("RGB", (99, 99)).save(secret)
    (folder / "gone.png").symlink_to(secret)
    assert ("picture_outside", "gone") in codes(check_files([folder]).problems)


def test_every_bad_cell_of_every_file_is_a_problem(tmp_path):
    bad, sheet = tmp_path / "bad.csv", tmp_path / "sheet.toml"
    bad.write_text("id,name,side,copies,ink\na,A,it,0,red\n")
    sheet.write_text('format = "mapkit-sheet/1"\nname = "S"\ndpi = -1\nsize = 2\n')
    report = check_files([bad, sheet, tmp_path / "gone.csv"])
    assert [problem.code for problem in report.problems] == ["fault"] * 5
    assert {f"{bad} units!D2 (copies)", f"{bad} units!E2 (ink)"} <= {
        problem.place for problem in report.problems
    }


def test_it_speaks_three_languages(folder):
    (folder / "sheet.toml").write_bytes(
        dump_sheet(Sheet("S", "f.png", sections=(Section("A", 1, 2, cells={(0, 0): "x"}),)))
    )
    told = set()
    for language in LANGUAGES:
        with speaking(language):
            text = check_files([folder], [folder / "units.csv", folder / "no.csv"]).as_text()
        assert "{" not in text
        told.add(text)
    assert len(told) == 3


def test_the_command(mapkit_cli, folder):
    ran = mapkit_cli("counters", "check", folder / "units.csv")
    assert ran.exit_code == 1
    assert "2 errors, 1 warning" in ran.stdout
    assert "put it there, or correct the path" in ran.stdout
    ran = mapkit_cli("counters", "check", folder / "units.csv", "--json")
    assert [one["severity"] for one in json.loads(ran.stdout)["problems"]] == [
        "error",
        "error",
        "warning",
    ]


def test_the_command_against_a_scenario(mapkit_cli, tmp_path):
    table = tmp_path / "s4.csv"
    mapkit_cli("rules", "units", "strafexpedition", "s4", "-o", table)
    ran = mapkit_cli("counters", "check", table, "--against", table)
    assert ran.exit_code == 0
    lines = table.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    (tmp_path / "less.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    ran = mapkit_cli("counters", "check", tmp_path / "less.csv", "--against", table, "--json")
    missing = [one for one in json.loads(ran.stdout)["problems"] if one["code"] == "no_counter"]
    assert [one["place"] for one in missing] == [lines[-1].partition(",")[0]]
    assert ran.exit_code == 1
