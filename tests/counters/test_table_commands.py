"""`mapkit counters convert`: between CSV, workbooks and countersheet tables."""

import pytest

from counters.counter_files import load_counters

TABLE = "id,name,side,copies,front.combat,back.combat\n007,79/I,it,2,4,3\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(TABLE)
    return path


def test_through_a_workbook_and_a_countersheet(mapkit_cli, table, tmp_path):
    book, sheet, again = tmp_path / "u.xlsx", tmp_path / "c.csv", tmp_path / "again.csv"
    assert mapkit_cli("counters", "convert", table, book).exit_code == 0
    ran = mapkit_cli("counters", "convert", book, sheet, "--to", "countersheet")
    assert ran.exit_code == 0
    assert ran.stderr == f"{sheet}: 1 counter\n"
    ran = mapkit_cli("counters", "convert", sheet, again, "--from", "countersheet")
    assert ran.exit_code == 0
    assert load_counters(again) == load_counters(table)


def test_nothing_is_overwritten_unasked(mapkit_cli, table, tmp_path):
    (tmp_path / "u.xlsx").write_text("mine")
    ran = mapkit_cli("counters", "convert", table, tmp_path / "u.xlsx")
    assert ran.exit_code == 1
    assert (tmp_path / "u.xlsx").read_text() == "mine"
    assert mapkit_cli("counters", "convert", table, tmp_path / "u.xlsx", "--force").exit_code == 0
    ran = mapkit_cli("counters", "convert", table, table, "--force")
    assert ran.exit_code == 1
    assert "is the table itself" in ran.stderr
    assert table.read_text() == TABLE


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the table is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "not UTF-8 text"),
        (b"PK\x03\x04half", "not a workbook that can be read"),
        (b"combat,move\n3,2\n", "there is no column 'id'"),
    ],
)
def test_a_wrong_file_gets_a_clear_answer(mapkit_cli, tmp_path, content, told):
    path = tmp_path / "wrong.csv"
    path.write_bytes(content)
    ran = mapkit_cli("counters", "convert", path, tmp_path / "out.csv")
    assert ran.exit_code == 1
    assert told in ran.stderr
    assert not (tmp_path / "out.csv").exists()
