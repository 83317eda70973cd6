"""Printed numbers are read off a sheet, and say how it lies."""

from dataclasses import replace

import numpy as np
import pytest

import sample_maps
from mapkit.errors import MissingExtraError
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.model import Picture
from mapkit.numbering import Axis
from mapkit.scan import ocr
from mapkit.scan.numbers import read_numbers
from mapkit.scan.sheet import FlatSheet
from mapkit.sheets import crop, rectangle, turn
from sample_maps.sheets import print_sheet
from tests.mapkit.scan.printed import needs_ocr


def blank(columns=6, rows=5):
    grid = Grid.regular("flat", pitch_px=60)
    hexes = tuple(Hex(q, r - q // 2) for q in range(columns) for r in range(rows))
    return FlatSheet(np.full((360, 380, 3), 250, np.uint8), grid, hexes)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"printed numbers needs .*mapkit\[ocr\]"):
        read_numbers(blank())


@needs_ocr
def test_an_installation_without_networks_says_what_to_do(tmp_path):
    with pytest.raises(ocr.OcrError, match="rapidocr brings no network .*install it again"):
        ocr._model(tmp_path, "_rec")


@needs_ocr
def test_a_sheet_without_numbers_is_undecided():
    heard = []
    found = read_numbers(blank(), on_progress=lambda share, message: heard.append(share))
    assert found.undecided
    assert found.numbering is None
    assert not found.reads
    assert not found.numbered
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


@needs_ocr
def test_a_blank_sheet_is_settled_by_known_hexes():
    known = [("0101", Hex(0, 0)), ("0102", Hex(0, 1)), ("0201", Hex(1, 0)), ("0302", Hex(2, 0))]
    found = read_numbers(blank(), known=known)
    assert found.numbering.format_label(Hex(2, 1)) == "0303"


@pytest.fixture(scope="module")
def small():
    """A piece of a sample map with letters, printed; candidates reach beyond it."""
    whole = sample_maps.load("valley_guns")
    numbered = replace(whole.numbering, columns=Axis(letters="AA BB", digits=1), rows=Axis())
    corners = map(whole.numbering.parse_label, ("0101", "0806"))
    map_ = crop(replace(whole, numbering=numbered), rectangle(whole, *corners))
    printed = print_sheet(map_, "plain", hex_px=60)
    height, width = printed.pixels.shape[:2]
    return replace(
        map_, grid=printed.grid, picture=Picture("", "", width, height), shapes=()
    ), printed.pixels


@needs_ocr
@pytest.mark.slow
@pytest.mark.parametrize("quarters", [0, 2, 3])
def test_a_sheet_is_anchored_however_it_lies(small, quarters):
    map_, pixels = small
    laid = turn(map_, quarters) if quarters else map_
    margin = [hex_.step(0, 9) for hex_ in laid.hexes]
    sheet = FlatSheet(
        np.ascontiguousarray(np.rot90(pixels, -quarters)),
        laid.grid,
        tuple({*laid.hexes, *margin}),
    )
    found = read_numbers(sheet)
    assert not found.undecided
    assert found.turned_deg == 90 * quarters
    assert found.share >= 0.8
    assert {hex_: found.numbering.format_label(hex_) for hex_ in laid.hexes} == {
        hex_: laid.label(hex_) for hex_ in laid.hexes
    }
    assert found.numbered <= set(laid.hexes)
    assert found == read_numbers(sheet)
