"""The kinds of drawn sheets that slicing is measured on."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.counters.drawn_counters import PAPER, Dice, Drawn
from benchmarks.counters.drawn_sheets import (
    FIVE_EIGHTHS,
    HALF_INCH,
    DrawnSection,
    DrawnSheet,
    Filling,
    fill,
)
from benchmarks.counters.printed_sheets import printed_sheet

_SIZES = (HALF_INCH, 14.2875, 15.0, FIVE_EIGHTHS, 19.05)


def dice_of(*seeds: int) -> Dice:
    """Return dice that fall the same way for the same seeds."""
    return np.random.Generator(np.random.PCG64(seeds))


def gutters(dice: Dice) -> DrawnSheet:
    """Counters with room between them."""
    gap = 0.8 + 2.2 * dice.random()
    return _one(dice, Filling(3, by_block=False, empty=2), gutter_mm=(gap, gap))


def lines(dice: Dice) -> DrawnSheet:
    """Touching counters of one ground, with thin cut lines."""
    return _one(dice, Filling(1, empty=1), cut="lines")


def bare(dice: Dice) -> DrawnSheet:
    """Touching counters of one ground without any line: only their figures repeat."""
    return _one(dice, Filling(1))


def grounds(dice: Dice) -> DrawnSheet:
    """Touching counters of several grounds without any line."""
    return _one(dice, Filling(3, by_block=False))


def blocks(dice: Dice) -> DrawnSheet:
    """Touching counters, two nations in two halves, no line."""
    return _one(dice, Filling(2, empty=1))


def offset(dice: Dice) -> DrawnSheet:
    """Cut lines that lie beside the print."""
    by = (0.3 + 0.4 * dice.random(2)) * np.where(dice.random(2) < 0.5, -1, 1)
    return _one(dice, Filling(3, by_block=False), cut="lines", offset_mm=(by[0], by[1]))


def sections(dice: Dice) -> DrawnSheet:
    """Three sections of different counters on one sheet."""
    small = _section(dice, (9.0, 12.0), HALF_INCH, (4, 7), Filling(2))
    left, top = small.at_mm
    below = top + small.size_mm[1] + 8.0
    big = _section(dice, (left, below), 19.05, (2, 4), Filling(2, by_block=False), cut="lines")
    beside = (left + max(small.size_mm[0], big.size_mm[0]) + 9.0, top)
    gap = _section(dice, beside, FIVE_EIGHTHS, (5, 3), Filling(2, False, 1), gutter_mm=(1.5, 1.5))
    return _around((small, big, gap))


def bars(dice: Dice) -> DrawnSheet:
    """Touching counters with the bar of a formation along the left side, no line."""
    sheet = _one(dice, Filling(2))
    tints = [tuple(int(value) for value in tint) for tint in dice.integers(40, 220, (4, 3))]

    def barred(drawn: Drawn) -> Drawn:
        bar = tints[int(dice.integers(0, len(tints)))]
        return Drawn(replace(drawn.front, bar=bar), replace(drawn.back, bar=bar))

    return _changed(sheet, barred)


def markers(dice: Dice) -> DrawnSheet:
    """Touching markers of several grounds: no two pictures alike, no line."""
    sheet = _one(dice, Filling(4, by_block=False, copies=0))

    def drawn_free(drawn: Drawn) -> Drawn:
        seed = int(dice.integers(1, 1 << 30))
        return Drawn(replace(drawn.front, free=seed), replace(drawn.back, free=seed + 1))

    return _changed(sheet, drawn_free)


def white(dice: Dice) -> DrawnSheet:
    """Touching counters as white as the paper, with thin cut lines."""
    sheet = _one(dice, Filling(1), cut="lines")

    def bleached(drawn: Drawn) -> Drawn:
        return Drawn(replace(drawn.front, ground=PAPER), replace(drawn.back, ground=PAPER))

    return _changed(sheet, bleached)


def bleed(dice: Dice) -> DrawnSheet:
    """Print that runs beyond the outer cuts, cut lines over it."""
    return _one(dice, Filling(1), cut="lines", bleed_mm=1.0 + dice.random())


def short(dice: Dice) -> DrawnSheet:
    """Touching counters of three grounds, the last row not full, no line."""
    sheet = _one(dice, Filling(3, by_block=False))
    [section] = sheet.sections
    left = int(dice.integers(1, section.columns))
    last = section.rows - 1
    cells = {at: cell for at, cell in section.cells.items() if at[0] < last or at[1] < left}
    return replace(sheet, sections=(replace(section, cells=cells),))


def trimmed(dice: Dice) -> DrawnSheet:
    """Touching counters cut out of their sheet at the outer cuts: no paper is left around."""
    sheet = _one(dice, Filling(3, by_block=False))
    [section] = sheet.sections
    return replace(
        sheet,
        size_mm=section.size_mm,
        sections=(replace(section, at_mm=(0.0, 0.0)),),
        title="",
        border=False,
    )


def printed(dice: Dice) -> DrawnSheet:
    """Counters of a game as Mapkit prints them, touching."""
    return printed_sheet(dice)


def printed_apart(dice: Dice) -> DrawnSheet:
    """Counters of a game as Mapkit prints them, with gutters."""
    return printed_sheet(dice, gutter_mm=1.0 + 2.0 * dice.random())


def _changed(sheet: DrawnSheet, change: Callable[[Drawn], Drawn]) -> DrawnSheet:
    sections = tuple(
        replace(one, cells={place: change(cell) for place, cell in one.cells.items()})
        for one in sheet.sections
    )
    return replace(sheet, sections=sections)


KINDS: dict[str, Callable[[Dice], DrawnSheet]] = {
    one.__name__: one
    for one in (
        gutters,
        lines,
        bare,
        grounds,
        blocks,
        offset,
        sections,
        bars,
        markers,
        white,
        bleed,
        short,
        trimmed,
        printed,
        printed_apart,
    )
}


def _one(dice: Dice, filling: Filling, **more: object) -> DrawnSheet:
    size = _SIZES[int(dice.integers(0, len(_SIZES)))]
    rows, columns = int(dice.integers(4, 9)), int(dice.integers(5, 11))
    at = (8 + 8 * dice.random(), 11 + 6 * dice.random())
    return _around(
        (_section(dice, at, size, (rows, columns), filling, **more),), dice.random() < 0.5
    )


def _section(
    dice: Dice,
    at_mm: tuple[float, float],
    size_mm: float,
    shape: tuple[int, int],
    filling: Filling,
    **more: object,
) -> DrawnSection:
    cells = fill(*shape, filling, dice)
    made = DrawnSection(*shape, at_mm, (size_mm, size_mm), cells)
    return replace(made, **more)  # type: ignore[arg-type]  # the kinds above name real fields


def _around(sections: tuple[DrawnSection, ...], border: bool = True) -> DrawnSheet:
    right = max(one.at_mm[0] + one.size_mm[0] for one in sections)
    bottom = max(one.at_mm[1] + one.size_mm[1] for one in sections)
    return DrawnSheet((right + 10, bottom + 12), sections, border=border)
