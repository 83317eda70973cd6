"""`mapkit counters slice`: everything it writes reads again, and bad input is told in a line."""

import csv
import json

import numpy as np
import pytest
from lxml import html
from PIL import Image

from counters.counter_files import load_counters
from counters.model import Flip
from counters.sheet_files import load_sheet
from tests.counters.slicing.sheets import save, scanned, scanned_back, small_sheet


@pytest.fixture
def scans(tmp_path):
    sheet = small_sheet("grounds")
    front = save(scanned(sheet), tmp_path / "front.png")
    back = save(scanned_back(sheet, "columns, turned by 180°"), tmp_path / "back.png")
    return front, back


def test_a_sheet_becomes_a_folder(mapkit_cli, scans, tmp_path):
    out = tmp_path / "sheet1"
    ran = mapkit_cli(
        "counters", "slice", *scans, "--auto", "-o", out, "--no-read", "--report", "--round", "1"
    )
    assert ran.exit_code == 0, ran.stderr
    assert "paired" in ran.stdout
    sheet = load_sheet(out / "sheet.toml")
    [section] = sheet.sections
    assert (section.rows, section.columns, section.flip) == (4, 5, Flip.COLUMNS)
    assert section.counter_mm == pytest.approx((12.7, 12.7), abs=0.3)
    assert section.back is not None
    assert section.back[0][1] > section.back[2][1]  # it lies upside down on its scan
    units = load_counters(out / "units.csv")
    assert {unit.id for unit in units} == set(section.cells.values())
    assert sum(unit.copies for unit in units) == 20
    for unit in units:
        for face in unit.faces:
            with Image.open(out / face.picture) as picture:
                assert picture.mode == "RGBA"
    assert (out / sheet.front).read_bytes() == scans[0].read_bytes()
    page = html.parse(out / "report.html")
    assert all((out / image.get("src")).is_file() for image in page.iter("img"))
    with Image.open(out / "contact-sheet.png") as picture:
        assert picture.width > 500


def test_one_pdf_given_twice_is_front_and_back(mapkit_cli, scans, tmp_path):
    pages = [Image.open(scan).convert("RGB") for scan in scans]
    pdf = tmp_path / "sheet.pdf"
    pages[0].save(pdf, save_all=True, append_images=pages[1:], resolution=150)
    ran = mapkit_cli("counters", "slice", pdf, pdf, "--auto", "-o", tmp_path / "two", "--no-read")
    assert ran.exit_code == 0, ran.stderr
    assert "fronts and backs are paired" in ran.stdout
    sheet = load_sheet(tmp_path / "two" / "sheet.toml")
    assert (sheet.front, sheet.back) == ("scans/front.png", "scans/back.png")
    ran = mapkit_cli("counters", "slice", pdf, "--auto", "-o", tmp_path / "one", "--no-read")
    assert "has 2 pages, page 1 was taken" in ran.stderr


def test_nothing_is_overwritten(mapkit_cli, scans, tmp_path):
    words = ("counters", "slice", scans[0], "--rows", "4", "--cols", "5", "-o", tmp_path / "out")
    assert mapkit_cli(*words, "--no-read").exit_code == 0
    again = mapkit_cli(*words, "--no-read")
    assert again.exit_code == 1
    assert "--force" in again.stderr
    assert mapkit_cli(*words, "--no-read", "--force").exit_code == 0


def test_the_result_as_json_and_what_was_read(mapkit_cli, scans, tmp_path):
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "slice", *scans, "--auto", "-o", out, "--json")
    assert ran.exit_code == 0, ran.stderr
    data = json.loads(ran.stdout)
    assert data["pairing"]["verdict"] == "proven"
    assert data["pairing"]["turn_deg"] == 180
    assert len(data["pairing"]["tried"]) == 8
    if "optional part 'ocr'" in ran.stderr:
        return
    with (out / "review.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert [float(row["confidence"]) for row in rows] == sorted(
        float(row["confidence"]) for row in rows
    )
    assert all((out / row["picture"]).is_file() for row in rows)


def test_names_come_from_a_table(mapkit_cli, scans, tmp_path):
    table = tmp_path / "units.csv"
    rows = "\n".join(f"it-{number},Name {number},it,1" for number in range(20))
    table.write_text(f"id,name,side,copies\n{rows}\n")
    out = tmp_path / "out"
    words = ("counters", "slice", scans[0], "--auto", "-o", out, "--no-read", "--units", table)
    assert mapkit_cli(*words).exit_code == 0
    assert (out / "counters" / "it-0-front.png").is_file()
    units = load_counters(out / "units.csv")
    assert [unit.name for unit in units] == [f"Name {number}" for number in range(20)]
    assert units[7].faces[0].picture == "counters/it-7-front.png"
    table.write_text("id,name,side,copies\na,A,it,3\n")
    ran = mapkit_cli(*words, "--force")
    assert ran.exit_code == 1
    assert "the sheet shows 20" in ran.stderr


def test_unproven_backs_lie_apart(mapkit_cli, tmp_path):
    sheet = small_sheet("grounds")
    front = save(scanned(sheet), tmp_path / "front.png")
    back = save(scanned_back(sheet, "all alike"), tmp_path / "back.png")
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "slice", front, back, "--auto", "-o", out, "--no-read")
    assert ran.exit_code == 0
    assert "cannot be proven: the backs are all alike" in ran.stdout
    assert not list((out / "counters").glob("*-back.png"))
    assert len(list((out / "unpaired-backs").iterdir())) == 20
    assert load_sheet(out / "sheet.toml").sections[0].back is None


def test_a_back_of_another_sheet_is_told_and_loses_no_front(mapkit_cli, tmp_path):
    sheet = small_sheet("grounds", seed=4, rows=5, columns=6)
    front = save(scanned(sheet), tmp_path / "front.png")
    back = save(scanned_back(sheet, "of another sheet"), tmp_path / "back.png")
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "slice", front, back, "--auto", "-o", out, "--no-read")
    assert ran.exit_code == 1
    assert "the back seems to belong to another sheet" in ran.stdout
    assert len(list((out / "counters").glob("*-front.png"))) > 20


def test_a_blank_back_proves_nothing(mapkit_cli, scans, tmp_path):
    blank = save(np.full((900, 900, 3), 247, np.uint8), tmp_path / "blank.png")
    out = tmp_path / "out"
    ran = mapkit_cli("counters", "slice", scans[0], blank, "--auto", "-o", out, "--no-read")
    assert ran.exit_code == 0
    assert "cannot be proven: the back is blank" in ran.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--rows", "4"], "either --auto"),
        (["--auto", "--cols", "4"], "either --auto"),
        (["--rows", "9", "--cols", "9"], "the picture shows 4 × 5"),
        (["--auto", "--size-mm", "wide"], "no size of a counter"),
        (["--auto", "--flip", "rows", "--turn", "45"], "0, 90, 180 or 270"),
    ],
)
def test_what_makes_no_sense_is_told(mapkit_cli, scans, tmp_path, options, told):
    ran = mapkit_cli("counters", "slice", scans[0], "-o", tmp_path / "out", *options, "--no-read")
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", ["tiny", "empty", "broken", "huge", "text"])
def test_pictures_that_are_none(mapkit_cli, tmp_path, content):
    path = tmp_path / "scan.png"
    if content == "tiny":
        save(np.full((60, 80, 3), 200, np.uint8), path)
    elif content == "empty":
        save(np.full((600, 800, 3), 250, np.uint8), path)
    elif content == "broken":
        save(scanned(small_sheet("grounds")), path)
        path.write_bytes(path.read_bytes()[:9000])
    elif content == "huge":
        Image.new("1", (30_000, 20_000)).save(path)
    else:
        path.write_text("no picture")
    ran = mapkit_cli("counters", "slice", path, "--auto", "-o", tmp_path / "out")
    assert ran.exit_code == 1
    assert len(ran.stderr.strip().splitlines()[-1]) > 20
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()
