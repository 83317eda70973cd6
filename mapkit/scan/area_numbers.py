"""Let the printed numbers decide where the playing area ends.

At its edge a grid is often too faint to tell whether one more line of hexes belongs to the map. A
line that bears the numbers it should bear does; one that bears none, where the lines within bear
theirs, does not. Where only some lines are numbered, or few numbers can be read, the area stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

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
_READABLE = 0.5  # of their hexes must bear their number, or nothing follows from its lack
_BEARS = 2  # hexes that bear just the number they should: chance does not print that
_NEARLY = 0.5  # what a number with one sign misread counts

Bears = Callable[[Sequence[Hex]], float]  # how many of some hexes bear their number


def area_by_numbers(sheet: FlatSheet, numbers: NumbersFound) -> FlatSheet:
    """Return the sheet with lines added or taken off its edges as their numbers have it."""
    if numbers.numbering is None or numbers.place is None or numbers.turned_deg is None:
        return sheet
    numbering, place, turn = numbers.numbering, numbers.place, numbers.turned_deg
    reader = load_reader()

    def bears(hexes: Sequence[Hex]) -> float:
        return _bearing(sheet, reader, numbering, place, turn, hexes)

    height, width = sheet.pixels.shape[:2]
    every = covering(sheet.grid, width, height)
    lines = np.array([line_and_place(hex_, sheet.grid) for hex_ in every])
    held = np.array([line_and_place(hex_, sheet.grid) for hex_ in sheet.hexes])
    low, high = held.min(axis=0), held.max(axis=0)
    for axis in (0, 1):
        other = 1 - axis
        across = (lines[:, other] >= low[other]) & (lines[:, other] <= high[other])
        on_line: dict[int, list[Hex]] = {}
        for index in np.flatnonzero(across).tolist():
            on_line.setdefault(int(lines[index, axis]), []).append(every[index])
        low[axis] = _edge(on_line, int(low[axis]), 1, bears)
        high[axis] = _edge(on_line, int(high[axis]), -1, bears)
    inside = np.all((lines >= low) & (lines <= high), axis=1)
    return replace(sheet, hexes=tuple(every[index] for index in np.flatnonzero(inside).tolist()))


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
        within = [
            hex_ for step in range(_WITHIN) for hex_ in on_line.get(first + inward * step, [])
        ]
        asked = _some(within, _ASKED)
        if bears(asked) >= _READABLE * len(asked):
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
) -> float:
    """Count the hexes in which the label is read that they should have."""
    wanted, crops = [], []
    for hex_ in hexes:
        label, crop = label_of(numbering, hex_), place.crop(sheet, hex_)
        if label and crop is not None:
            wanted.append(label)
            crops.append(np.rot90(crop, turn // 90))
    pairs = zip((line.text for line in reader.read(crops)), wanted, strict=True)
    return sum(
        1.0 if skeleton(text) == skeleton(label) else _NEARLY * is_near(text, label)
        for text, label in pairs
    )
