"""Let the printed numbers decide where the playing area ends.

At its edge a grid is often too faint to tell whether one more line of hexes belongs to the map. A
line that bears the numbers it should bear does; one that bears none, where the lines within bear
theirs, does not. Where only some lines are numbered, or few numbers can be read, the area stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hex
from mapkit.numbering import Numbering
from mapkit.scan.area import covering, line_and_place
from mapkit.scan.numbers import NumbersFound
from mapkit.scan.numbers_form import is_near, skeleton
from mapkit.scan.numbers_place import Place
from mapkit.scan.numbers_vote import label_of
from mapkit.scan.ocr import Reader, load_reader
from mapkit.scan.sheet import FlatSheet

_ASKED = 12  # hexes of a line, spread along it
_WITHIN = 3  # lines at an edge that show how well numbers can be read there
_READABLE = 0.33  # of their hexes must bear their number, or nothing follows from its lack
_BEARS = 2  # hexes that bear just the number they should: chance does not print that
_MOST_ROUNDS = 3
_NEARLY = 0.5  # what a number with one sign misread counts

Numbers = npt.NDArray[np.int_]
Bears = Callable[[Sequence[Hex]], float]  # how many of some hexes bear their number


def area_by_numbers(sheet: FlatSheet, numbers: NumbersFound) -> FlatSheet:
    """Return the sheet with lines added or taken off its edges as their numbers have it."""
    if numbers.numbering is None or numbers.place is None or numbers.turned_deg is None:
        return sheet
    numbering, place, turn = numbers.numbering, numbers.place, numbers.turned_deg
    reader = load_reader()
    known: dict[Hex, float] = {}

    def bears(hexes: Sequence[Hex]) -> float:
        new = [hex_ for hex_ in hexes if hex_ not in known]
        known.update(zip(new, _bearing(sheet, reader, numbering, place, turn, new), strict=True))
        return sum(known[hex_] for hex_ in hexes)

    height, width = sheet.pixels.shape[:2]
    every = covering(sheet.grid, width, height)
    lines = np.array([line_and_place(hex_, sheet.grid) for hex_ in every])
    held = np.array([line_and_place(hex_, sheet.grid) for hex_ in sheet.hexes])
    low, high = held.min(axis=0), held.max(axis=0)
    # Lines too many one way make the lines across them look poorly numbered: once more, then.
    for _ in range(_MOST_ROUNDS):
        before = (*low, *high)
        for axis in (0, 1):
            on_line = _lines_across(every, lines, low, high, axis)
            low[axis] = _edge(on_line, int(low[axis]), 1, bears)
            high[axis] = _edge(on_line, int(high[axis]), -1, bears)
        if before == (*low, *high):
            break
    inside = np.all((lines >= low) & (lines <= high), axis=1)
    return replace(sheet, hexes=tuple(every[index] for index in np.flatnonzero(inside).tolist()))


def _lines_across(
    hexes: Sequence[Hex], lines: Numbers, low: Numbers, high: Numbers, axis: int
) -> dict[int, list[Hex]]:
    """Return the hexes of every line across an axis, as far as the area reaches the other way."""
    other = 1 - axis
    across = (lines[:, other] >= low[other]) & (lines[:, other] <= high[other])
    found: dict[int, list[Hex]] = {}
    for index in np.flatnonzero(across).tolist():
        found.setdefault(int(lines[index, axis]), []).append(hexes[index])
    return found


def _edge(on_line: dict[int, list[Hex]], edge: int, inward: int, bears: Bears) -> int:
    """Return the outermost line that bears its numbers, or the edge as it is, in doubt."""

    def numbered(line: int) -> bool:
        hexes = on_line.get(line, [])
        found = bears(_some(hexes, _ASKED))
        doubtful = 0 < found < _BEARS
        return (bears(hexes) if doubtful else found) >= _BEARS

    far = min(on_line) if inward == -1 else max(on_line)
    first = next((line for line in range(edge, far, inward) if numbered(line)), edge)
    if first != edge:
        within = range(first, first + inward * _WITHIN, inward)
        asked = [hex_ for line in within for hex_ in _some(on_line.get(line, []), _ASKED)]
        if all(map(numbered, within)) and bears(asked) >= _READABLE * len(asked):
            return first
    while numbered(edge - inward):
        edge -= inward
    return edge


def _some(hexes: Sequence[Hex], most: int) -> list[Hex]:
    """Return so many hexes of a line at most, spread along it."""
    chosen = np.linspace(0, len(hexes) - 1, min(most, len(hexes))).round().astype(int)
    return [hexes[index] for index in chosen.tolist()]


def _bearing(
    sheet: FlatSheet,
    reader: Reader,
    numbering: Numbering,
    place: Place,
    turn: int,
    hexes: Sequence[Hex],
) -> list[float]:
    """Tell of each hex whether the label is read in it that it should have, from 0 to 1."""
    labels = [label_of(numbering, hex_) for hex_ in hexes]
    crops = [place.crop(sheet, hex_) for hex_ in hexes]
    whole = [np.rot90(crop, turn // 90) for crop in crops if crop is not None]
    texts = iter([line.text for line in reader.read(whole)])
    found = []
    for label, crop in zip(labels, crops, strict=True):
        text = "" if crop is None else next(texts)
        same = bool(label) and skeleton(text) == skeleton(label)
        found.append(1.0 if same else _NEARLY * is_near(text, label))
    return found
