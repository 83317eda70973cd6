from dataclasses import replace

import pytest

from mapkit.hexes import Hex, Link
from mapkit.model import Feature
from mapkit.scan.accuracy import AccuracyError, measure
from mapkit.scan.accuracy_report import told
from tests.boards import board


def test_a_map_is_as_right_as_its_hexes():
    truth = board(". w1 .", "w . ?")
    read = board(". w2 w", "w . w")
    found = measure(read, truth)
    assert (found.hexes, found.unmatched) == (6, 0)
    assert found.terrain.share == pytest.approx(4 / 5)  # what the truth does not know is left out
    assert found.terrain.confusion["clear", "woods"] == 1
    assert (found.level.right, found.level.total) == (0, 1)


def test_links_have_precision_and_recall():
    truth = board(". . .", ". . .")
    row = [truth.hex(label) for label in ("0101", "0201", "0301")]
    road = (Feature("road"),)
    truth = replace(
        truth, links={Link.between(row[0], row[1]): road, Link.between(row[1], row[2]): road}
    )
    down = Link.between(row[0], truth.hex("0102"))
    read = replace(truth, links={Link.between(row[0], row[1]): road, down: road})
    one = measure(read, truth).links["road"]
    assert (one.hits, one.false, one.missed) == (1, 1, 1)
    assert (one.precision, one.recall, one.f1) == (0.5, 0.5, 0.5)


def test_hexes_are_matched_by_their_labels():
    truth = board(". w .", "w . .")
    by = Hex(7, -2)
    away = {Hex(h.q + by.q, h.r + by.r): g for h, g in truth.hexes.items()}
    found = measure(replace(truth, hexes=away, numbering=truth.numbering.moved(by)), truth)
    assert (found.hexes, found.terrain.share) == (6, 1.0)


def test_maps_of_other_sheets_are_refused():
    truth = board(". .")
    away = {Hex(h.q + 50, h.r): g for h, g in truth.hexes.items()}
    with pytest.raises(AccuracyError, match="no hex label in common"):
        measure(replace(truth, hexes=away), truth)


def test_the_report_names_the_mistakes():
    text = told(measure(board(". w"), board(". h")))
    assert "50.0" in text
    assert "hills" in text
    assert "woods" in text
