"""Small drawn sheets for the tests of slicing, and their scans on disk."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.counters.backs import BACKS, back_of
from benchmarks.counters.drawn_counters import GROUNDS, Drawn, Print
from benchmarks.counters.drawn_sheets import (
    DrawnScan,
    DrawnSection,
    DrawnSheet,
    Filling,
    Scanning,
    draw_side,
    fill,
    scan_side,
)
from benchmarks.counters.kinds import dice_of

MM = 12.7
DPI = 150.0


@cache
def small_sheet(kind="gutters", seed=1, rows=4, columns=5):
    """One section, drawn as a few of the kinds of the benchmark."""
    dice = dice_of(seed, rows, columns)
    filling = Filling(1 if kind == "bare" else 3, by_block=False, copies=2, empty=kind == "gutters")
    section = DrawnSection(rows, columns, (9.0, 11.0), (MM, MM), fill(rows, columns, filling, dice))
    if kind == "gutters":
        section = replace(section, gutter_mm=(1.5, 1.5))
    if kind == "lines":
        section = replace(section, cut="lines", offset_mm=(0.5, -0.4))
    width, height = section.size_mm
    return DrawnSheet((width + 18, height + 20), (section,))


def scanned(sheet, side="front", *, seed=1, turn=0, **making):
    dice = dice_of(seed, 7)
    return scan_side(draw_side(sheet, side, DPI), Scanning(dpi=DPI, turn=turn, **making), dice)


def scanned_back(sheet, name, *, seed=2):
    kind = BACKS[name]
    made = back_of(sheet, kind, dice_of(seed, 9))
    return scanned(made, "back", seed=seed, turn=kind.quarters)


def numbered_sheet(*factors):
    """A row of counters that differ in their factors alone."""
    print_ = Print(GROUNDS[0], 0, "3-4-5", "12/II")
    prints = [replace(print_, factors=text) for text in factors]
    columns = len(prints) // 2
    cells = {(i // columns, i % columns): Drawn(one, one) for i, one in enumerate(prints)}
    section = DrawnSection(2, columns, (9.0, 11.0), (MM, MM), cells)
    return DrawnSheet((section.size_mm[0] + 18, section.size_mm[1] + 20), (section,))


def save(scan: DrawnScan | np.ndarray, path: Path, *, dpi: float | None = DPI) -> Path:
    pixels = scan.pixels if isinstance(scan, DrawnScan) else scan
    Image.fromarray(pixels).save(path, **({"dpi": (dpi, dpi)} if dpi else {}))
    return path
