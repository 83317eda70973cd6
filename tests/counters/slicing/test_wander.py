"""Figures that wander through the cells of a lattice tell that it is stretched."""

from dataclasses import replace

import numpy as np
import pytest

from counters.slicing.division import Division, jointly
from counters.slicing.sections import find_sheet
from counters.slicing.wander import wander
from tests.counters.slicing.sheets import scanned, small_sheet


def stretched(lattice, x, y):
    """Return a lattice whose last column and row lie so many cells farther."""
    wide, high = 1 + x / lattice.columns, 1 + y / lattice.rows
    return replace(lattice, matrix=lattice.matrix @ np.diag([wide, high, 1.0]))


@pytest.mark.parametrize("kind", ["bare", "gutters"])
def test_figures_wander_in_a_stretched_lattice_and_in_no_other(kind):
    scan = scanned(small_sheet(kind))
    [section] = find_sheet(scan.pixels).sections
    assert wander(scan.pixels, section.lattice, section.held) < 0.015
    for x, y in ((0.08, 0), (0, 0.08), (0, -0.08)):
        told = wander(scan.pixels, stretched(section.lattice, x, y), section.held)
        assert told == pytest.approx(0.08, abs=0.035)


def test_a_sheet_that_figures_contradict_is_not_sure(monkeypatch):
    scan = scanned(small_sheet("bare"))
    sure = find_sheet(scan.pixels).confidence
    monkeypatch.setattr("counters.slicing.sections.wander", lambda *_: 0.03)
    assert find_sheet(scan.pixels).confidence < sure


def test_counters_that_make_no_figure_twice_prove_nothing():
    scan = scanned(small_sheet("bare"))
    [section] = find_sheet(scan.pixels).sections
    noise = np.random.default_rng(1).integers(0, 256, scan.pixels.shape, np.uint8)
    assert wander(noise, section.lattice, section.held) == 0.0


def division(**scores):
    found = [0.3] * 31
    for count, score in scores.items():
        found[int(count[1:])] = score
    best = max(range(31), key=lambda count: found[count])
    return Division(best, found[best], 0.0, tuple(found))


def test_blocks_of_counters_that_come_again_are_divided_into_their_counters():
    rows, columns = division(n2=0.94, n4=0.55), division(n2=0.92, n3=0.94, n6=0.73)
    found = jointly(rows, columns, (600.0, 400.0))
    assert [one.count for one in found] == [4, 6]


def test_a_line_through_the_middle_of_every_counter_makes_no_rows():
    rows, columns = division(n4=0.9, n8=0.6), division(n6=0.9)
    found = jointly(rows, columns, (600.0, 400.0))
    assert [one.count for one in found] == [4, 6]
