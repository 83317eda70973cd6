"""`mapkit counters sheet`: tables, cut counters and whole folders on paper."""

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from counters.counter_sets import load_sets
from counters.model import Section, Sheet
from counters.sheet_files import dump_sheet

TABLE = "id,name,side,class,copies,front.combat,back.combat\na,A,it,infantry,3,4,2\nb,B,ah,,1,1,\n"
GREEN = (20, 160, 40)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def sliced(tmp_path):
    """A folder with a sheet of two counters, one of them there twice, and its pictures."""
    folder = tmp_path / "sliced"
    (folder / "cut").mkdir(parents=True)
    Image.new("RGB", (90, 90), GREEN).save(folder / "cut" / "a.png")
    Image.new("RGBA", (90, 90), (0, 0, 0, 0)).save(folder / "cut" / "b.png")
    (folder / "units.csv").write_text(
        "id,name,side,front.picture,back.picture\na,A,it,cut/a.png,cut/b.png\nb,B,it,cut/b.png,\n"
    )
    cells = {(0, 0): "a", (0, 1): "b", (1, 1): "a"}
    section = Section("A", 2, 2, counter_mm=(19.05, 19.05), cells=cells)
    (folder / "sheet.toml").write_bytes(dump_sheet(Sheet("S", sections=(section,))))
    return folder


def pages(path):
    document = pypdfium2.PdfDocument(path)
    try:
        return [np.asarray(page.render(scale=1).to_pil().convert("RGB")) for page in document]
    finally:
        document.close()


def test_a_table_with_copies_and_backs(mapkit_cli, table, tmp_path):
    out = tmp_path / "sheet.pdf"
    ran = mapkit_cli("counters", "sheet", table, "-o", out, "--size", "15mm", "--title", "Test")
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert f"{out}: 4 counters of 15 mm on 2 pages" in ran.stderr
    assert len(pages(out)) == 2
    ran = mapkit_cli("counters", "sheet", table, "-o", out, "--duplex", "off", "--force")
    assert "3 backs are not printed" in ran.stderr or "4 backs are not printed" in ran.stderr
    assert len(pages(out)) == 1


def test_a_folder_of_cut_counters_at_their_own_size(mapkit_cli, sliced, tmp_path):
    out = tmp_path / "sheet.pdf"
    ran = mapkit_cli("counters", "sheet", sliced, "-o", out, "--bleed", "1")
    assert ran.exit_code == 0
    assert "3 counters of 19.05 mm on 2 pages" in ran.stderr
    front, back = pages(out)
    assert (np.abs(front.astype(int) - GREEN) < 30).all(axis=2).any()
    assert not (np.abs(back.astype(int) - GREEN) < 30).all(axis=2).any()


def test_a_sheet_prints_each_counter_once_for_each_cell(sliced):
    (found,) = load_sets([sliced / "sheet.toml"])
    assert [one.id for one in found.printed()] == ["a", "b", "a"]


def test_the_page_that_tests_a_printer(mapkit_cli, tmp_path):
    out = tmp_path / "test.pdf"
    ran = mapkit_cli("counters", "sheet", "--offset-page", "-o", out, "--paper", "Letter")
    assert ran.exit_code == 0
    assert "--offset-back" in ran.stderr
    assert len(pages(out)) == 2


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (["units.csv", "--size", "huge"], 1, "'huge' is no size of a counter"),
        (["units.csv", "--offset-back", "far"], 1, "'far' is no offset"),
        (["units.csv", "--style", "nobody"], 1, "nobody"),
        (["units.csv", "--bleed", "9"], 1, "a bleed of 9 mm"),
        (["empty.csv"], 1, "there is no counter to print"),
        (["empty"], 1, "there is no table of counters"),
        (["broken.csv"], 1, "not a picture that can be read"),
        (["missing.csv"], 1, "gone.png"),
        (["units.csv", "--offset-page"], 2, "--offset-page alone"),
        ([], 2, "give counters to print"),
    ],
)
def test_what_cannot_be_printed_is_told(mapkit_cli, table, monkeypatch, args, code, told):
    folder = table.parent
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    (folder / "empty.csv").write_text("id,name,side\n")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    (folder / "broken.csv").write_text("id,name,side,front.picture\na,A,it,broken.png\n")
    (folder / "missing.csv").write_text("id,name,side,front.picture\na,A,it,gone.png\n")
    ran = mapkit_cli("counters", "sheet", *args, "-o", "out.pdf")
    assert ran.exit_code == code
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (folder / "out.pdf").exists()
