"""The contact sheet: every counter with its back, by section, on one picture."""

import math
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import numpy as np

from counters.slicing.sheet_data import Naming
from counters.slicing.slice_sheet import Sliced
from mapkit.scan.sheet import Pixels
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL import ImageFont

_PAPER, _INK, _SOFT, _MARK, _CARD = "#f4f1e8", "#26231d", "#6b6456", "#c4006b", "#fffdf7"
_GAP, _LABEL, _HEAD, _MARGIN = 14, 26, 52, 28
_TALL_PX = 132
_WIDE_PX = 1700
_SURE = 0.75


def contact_sheet(sliced: Sliced, naming: Naming, *, title: str) -> Pixels:
    """Return a picture of all different counters, front beside back; a red rim is less sure."""
    from PIL import Image, ImageDraw

    kinds = list(sliced.kinds)
    boxes, height, width = _laid_out(sliced, kinds)
    picture = Image.new("RGB", (width, height), _PAPER)
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, _MARGIN + 16), title, _INK, _font(30), "lm")
    section = -1
    for index, (x, y) in zip(kinds, boxes, strict=True):
        cell = sliced.cells[index]
        if cell.section != section:
            section = cell.section
            found = sliced.fronts[section].found
            told = f"{sliced.names[section]}   {found.rows} × {found.columns}"
            pen.text((_MARGIN, y - 20), told, _SOFT, _font(20), "lm")
        wide, tall = _size(sliced, section)
        faces = [cell.front, cell.back] if sliced.is_paired else [cell.front]
        unsure = cell.back is not None and cell.confidence < _SURE
        edge = _MARK if sliced.is_paired and unsure else "#d8cfb8"
        box = (x - 5, y - 5, x + len(faces) * (wide + 4), y + tall + _LABEL)
        pen.rounded_rectangle(box, 6, _CARD, edge, 2)
        for number, face in enumerate(faces):
            at = (x + number * (wide + 4), y)
            if face is None:
                pen.rectangle((*at, at[0] + wide - 1, y + tall - 1), None, edge)
                continue
            shown = Image.fromarray(face).resize((wide, tall), Image.Resampling.LANCZOS)
            picture.paste(shown, at)
        pen.text((x, y + tall + 13), naming.ids[index], _INK, _font(15), "lm")
        if (count := sliced.copies(index)) > 1:
            right = x + len(faces) * (wide + 4) - 5
            pen.text((right, y + tall + 13), f"× {count}", _MARK, _font(15), "rm")
    return np.asarray(picture, np.uint8)


def _size(sliced: Sliced, section: int) -> tuple[int, int]:
    """Return how big a counter is shown: all at one scale, the biggest as tall as may be."""
    tallest = max(cut.size_px[1] for cut in sliced.fronts)
    wide, tall = sliced.fronts[section].size_px
    return max(1, round(wide * _TALL_PX / tallest)), max(1, round(tall * _TALL_PX / tallest))


def _laid_out(sliced: Sliced, kinds: list[int]) -> tuple[list[tuple[int, int]], int, int]:
    """Return where every counter is shown, and the size of the whole."""
    boxes: list[tuple[int, int]] = []
    x = y = section = -1
    bottom, right = _MARGIN + 40, 600
    faces = 2 if sliced.is_paired else 1
    for index in kinds:
        number = sliced.cells[index].section
        wide, tall = _size(sliced, number)
        step = faces * (wide + 4) + _GAP + 4
        if number != section:
            section, x, y = number, _MARGIN + 5, bottom + _HEAD
            count = sum(sliced.cells[i].section == number for i in kinds)
            columns = max(1, min((_WIDE_PX - 2 * _MARGIN) // step, math.ceil(count / 2), count))
            edge = x + columns * step
        elif x + step > edge + 1:
            x, y = _MARGIN + 5, y + tall + _LABEL + _GAP
        boxes.append((x, y))
        x += step
        right = max(right, x)
        bottom = max(bottom, y + tall + _LABEL)
    return boxes, bottom + _MARGIN, right + _MARGIN - _GAP


def _font(size: float) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    with as_file(files("mapkit") / "drawing" / "fonts" / "Cabin-Regular.otf") as path:
        return ImageFont.truetype(path, size)


def cuts_picture(sliced: Sliced, side: str) -> Pixels:
    """Return a scan with the cuts that were found on it, cells without a counter greyed."""
    import cv2

    sheet = sliced.front if side == "front" else sliced.back
    assert sheet is not None  # only asked for a side that is there
    picture = sheet.pixels.copy()
    height, width = picture.shape[:2]
    thick = max(2, round(max(height, width) / 900))
    for number, section in enumerate(sheet.sections):
        lattice = section.lattice
        for row in range(lattice.rows):
            for column in range(lattice.columns):
                corners = lattice.cell(row, column)
                dots = np.round(corners * 16 - 8).astype(np.int32).reshape(-1, 1, 2)
                if (row, column) not in section.held:
                    grey = picture.copy()
                    cv2.fillPoly(grey, [dots], (150, 150, 150), cv2.LINE_AA, 4)
                    picture = np.asarray(cv2.addWeighted(grey, 0.5, picture, 0.5, 0), np.uint8)
                cv2.polylines(picture, [dots], True, (214, 0, 60), thick, cv2.LINE_AA, 4)
        if side == "front":
            x, y = lattice.corners[0]
            cv2.putText(
                picture, sliced.names[number], (round(float(x)), round(float(y)) - 4 * thick),
                cv2.FONT_HERSHEY_SIMPLEX, height / 1400, (214, 0, 60), thick, cv2.LINE_AA,
            )  # fmt: skip
    factor = min(1.0, 1600 / max(height, width))
    size = (round(width * factor), round(height * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def told_turn(sliced: Sliced) -> str:
    """Return in words how the sheet was turned over."""
    turn = sliced.pairing.turn if sliced.pairing else None
    if turn is None:
        return ""
    flip = say(f"counters.slice.{turn.flip.value}")
    return say("counters.slice.turn", flip=flip, degrees=90 * turn.quarters)
