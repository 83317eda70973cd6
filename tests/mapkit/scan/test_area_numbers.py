"""The printed numbers tell where the playing area ends."""

from dataclasses import replace

import pytest

import sample_maps
from mapkit.hexes import Hex
from mapkit.scan.area import covering, line_and_place
from mapkit.scan.area_numbers import _edge, area_by_numbers
from mapkit.scan.numbers import NumbersFound, read_numbers
from mapkit.scan.sheet import FlatSheet
from sample_maps.sheets import print_sheet
from tests.mapkit.scan.printed import needs_ocr


def board(numbered, lines=range(-3, 14), width=20):
    """Return hexes line by line, and how many of some bear their number."""
    on_line = {line: [Hex(line, place) for place in range(width)] for line in lines}
    return on_line, lambda hexes: float(sum(numbered(hex_) for hex_ in hexes))


@pytest.mark.parametrize("edge", [-3, -1, 0, 1, 4])
def test_a_low_edge_goes_where_the_numbers_begin(edge):
    on_line, bears = board(lambda hex_: 0 <= hex_.q <= 10)
    assert _edge(on_line, edge, 1, bears) == 0


@pytest.mark.parametrize("edge", [13, 11, 10, 9, 6])
def test_a_high_edge_goes_where_the_numbers_end(edge):
    on_line, bears = board(lambda hex_: 0 <= hex_.q <= 10)
    assert _edge(on_line, edge, -1, bears) == 10


def test_a_line_with_few_readable_numbers_is_looked_at_whole():
    on_line, bears = board(lambda hex_: hex_.q >= 0 and (hex_.q > 0 or hex_.r in (0, 1, 3)))
    assert _edge(on_line, 1, 1, bears) == 0


def test_lines_without_numbers_between_numbered_ones_take_nothing_away():
    on_line, bears = board(lambda hex_: hex_.q % 5 == 0)
    assert _edge(on_line, 1, 1, bears) == 0
    assert _edge(on_line, -2, 1, bears) == -2


def test_where_no_number_was_read_the_area_stays():
    map_ = sample_maps.load("valley_guns")
    printed = print_sheet(map_, "plain", hex_px=30)
    sheet = FlatSheet(printed.pixels, printed.grid, tuple(map_.hexes))
    assert area_by_numbers(sheet, NumbersFound(None, 0.0)) is sheet


@needs_ocr
@pytest.mark.slow
def test_an_edge_is_mended_on_a_printed_sheet():
    map_ = sample_maps.load("valley_guns")
    printed = print_sheet(map_, "plain", hex_px=60)
    sheet = FlatSheet(printed.pixels, printed.grid, tuple(map_.hexes))
    numbers = read_numbers(sheet)
    height, width = printed.pixels.shape[:2]
    places = {
        hex_: line_and_place(hex_, sheet.grid) for hex_ in covering(sheet.grid, width, height)
    }
    lines, along = zip(*(places[hex_] for hex_ in map_.hexes), strict=True)
    # One straight line too few and one too many; two broken ones too few.
    wrong = tuple(
        hex_
        for hex_, (line, place) in places.items()
        if min(lines) < line <= max(lines) + 1 and min(along) + 2 <= place <= max(along)
    )
    assert set(wrong) - set(map_.hexes)
    mended = area_by_numbers(replace(sheet, hexes=wrong), numbers)
    assert set(mended.hexes) == set(map_.hexes)
