"""The engine's own arithmetic of hex grids, written down from how it answers; ours never uses it.

It reads the attributes of a written HexGrid and HexGridNumbering, so that what an export says is
judged by what the engine makes of it. `grid_vectors.json` holds 4,800 answers of engine 3.7.26.
"""

import math
import re
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np


@dataclass(frozen=True)
class Engine:
    grid: dict
    numbering: dict
    size: tuple[int, int]

    @property
    def sideways(self):
        return self.grid["sideways"]

    def _steps(self):
        return self.grid["x0"], self.grid["y0"], self.grid["dx"], self.grid["dy"]

    def raw(self, x, y):
        """Return the raw column and row whose bin holds a point."""
        if self.sideways:
            x, y = y, x
        x0, y0, dx, dy = self._steps()
        column = math.floor((x - x0) / dx + 0.5)
        shift = dy / 2 if column % 2 else 0
        return column, math.floor((y - y0 - shift) / dy + 0.5)

    def snap(self, x, y):
        """Return the centre that a piece dropped at a point moves to."""
        if self.sideways:
            x, y = y, x
        snapped = self._snap(x, y)
        return snapped[::-1] if self.sideways else snapped

    def _snap(self, x, y):
        x0, y0, dx, dy = self._steps()
        column = math.floor((x - x0 + dx / 2) / dx)
        row = math.floor((y - y0 + (0 if column % 2 else dy / 2)) / dy)
        first = self._point(column, row)
        if self._holds(first, x, y):
            return first
        for over, down in ((-1, 0), (1, 0), (-1, -1), (1, -1)):
            below = down + (1 if column % 2 else 0)
            other = self._point(column + over, row + below)
            if self._holds(other, x, y):
                return other
        return first

    def _point(self, column, row):
        x0, y0, dx, dy = self._steps()
        x = int(dx * column + x0)
        if column % 2:
            return x, int(dy * row + int(dy / 2) + y0)
        return x, int(dy * row + y0)

    def _holds(self, centre, x, y):
        """Tell whether the engine's polygon around a centre holds a point (float32, rounded)."""
        _, _, dx, dy = self._steps()
        r = np.float32(2.0 * dx / 3.0)
        d = np.float32(dy)
        cx, cy = np.float32(centre[0]), np.float32(centre[1])

        def rounded(v):
            return math.floor(float(np.float32(v)) + 0.5)

        corners = [
            (rounded(cx - r), rounded(cy)),
            (rounded(cx - np.float32(0.5) * r), rounded(cy - np.float32(0.5) * d)),
            (rounded(cx + np.float32(0.5) * r) + 1, rounded(cy - np.float32(0.5) * d)),
            (rounded(cx + r) + 1, rounded(cy)),
            (rounded(cx + np.float32(0.5) * r) + 1, rounded(cy + np.float32(0.5) * d) + 1),
            (rounded(cx - np.float32(0.5) * r), rounded(cy + np.float32(0.5) * d) + 1),
        ]
        return _inside(corners, x, y)

    def _most(self):
        width, height = self.size
        _, _, dx, dy = self._steps()
        return math.floor(width / dy + 0.5), math.floor(height / dx + 0.5)

    def label(self, x, y):
        """Return the label the engine prints for a point."""
        n = self.numbering
        column, row = self.raw(x, y)
        columns, rows = self._most()
        if self.sideways:
            c = rows - column if n["vDescend"] else column
            r = columns - row if n["hDescend"] else row
            falls = n["hDescend"]
        else:
            c = columns - column if n["hDescend"] else column
            r = rows - row if n["vDescend"] else row
            falls = n["vDescend"]
        if n["stagger"] and column % 2:
            r += -1 if falls else 1
        h = _written(c + n["hOff"], n["hType"], n["hLeading"])
        v = _written(r + n["vOff"], n["vType"], n["vLeading"])
        return n["sep"].join((h, v) if n["first"] == "H" else (v, h))

    def place(self, label):
        """Return the point where the engine looks for a label, or None."""
        n = self.numbering
        h, v = _pattern(n["hType"], n["hLeading"]), _pattern(n["vType"], n["vLeading"])
        order = (h, v) if n["first"] == "H" else (v, h)
        match = re.fullmatch(f"({order[0]}){re.escape(n['sep'])}({order[1]})", label)
        if match is None:
            return None
        texts = match.groups() if n["first"] == "H" else match.groups()[::-1]
        c = _number(texts[0], n["hType"]) - n["hOff"]
        r = _number(texts[1], n["vType"]) - n["vOff"]
        columns, rows = self._most()
        falls = n["hDescend"] if self.sideways else n["vDescend"]
        if n["stagger"] and c % 2:
            r += 1 if falls else -1
        if self.sideways:
            c = rows - c if n["vDescend"] else c
            r = columns - r if n["hDescend"] else r
        else:
            c = columns - c if n["hDescend"] else c
            r = rows - r if n["vDescend"] else r
        x0, y0, dx, dy = self._steps()
        x = int(c * dx) + x0
        y = int(r * dy + (dy / 2 if c % 2 else 0)) + y0
        return (y, x) if self.sideways else (x, y)


def _written(number, type_, leading):
    if type_ == "A":
        sign, number = ("-", -number) if number < 0 else ("", number)
        return sign + chr(ord("A") + number % 26) * (number // 26 + 1)
    digits = str(abs(number)).rjust(leading + 1, "0")
    return ("-" if number < 0 else "") + digits


def _pattern(type_, leading):
    if type_ == "N":
        return f"-?[0-9]{{{leading + 1},}}"
    return "-?(?:" + "|".join(f"{letter}+" for letter in ascii_uppercase) + ")"


def _number(text, type_):
    if type_ == "N":
        return int(text)
    sign, letters = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * (ord(letters[0]) - ord("A") + 26 * (len(letters) - 1))


def _inside(corners, x, y):
    """The even-odd rule as Java's Polygon.contains applies it."""
    inside = False
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


@dataclass(frozen=True)
class Zones:
    """A ZonedGrid: the first zone that holds a point names it."""

    zones: tuple

    def _zone(self, x, y):
        return next((zone for zone in self.zones if _inside(zone[0], x, y)), self.zones[0])

    def snap(self, x, y):
        return self._zone(x, y)[1].snap(x, y)

    def label(self, x, y):
        _, engine, before = self._zone(x, y)
        return before + engine.label(x, y)

    def place(self, label):
        """Return where the first zone that knows the label and holds its place puts it."""
        for outline, engine, before in self.zones:
            place = label.startswith(before) and engine.place(label.removeprefix(before))
            if place and _inside(outline, *place):
                return place
        return None


def read_board(element, size):
    """Return the reader of a written Board."""
    grid = element[0]
    if grid.tag.endswith(".HexGrid"):
        return _read_grid(grid, size)
    zones = []
    for zone in grid.findall("{*}*"):
        if not zone.tag.endswith(".Zone"):
            continue
        outline = [tuple(map(int, pair.split(","))) for pair in zone.get("path").split(";")]
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        bounds = (max(xs) - min(xs), max(ys) - min(ys))
        before = zone.get("locationFormat").removesuffix("$gridLocation$")
        zones.append((outline, _read_grid(zone[0], bounds), before))
    return Zones(tuple(zones))


def zone_at(board, x, y):
    """Return the name of the first zone of a written Board that holds a point, or None."""
    for zone in board.iter("VASSAL.build.module.map.boardPicker.board.mapgrid.Zone"):
        outline = [tuple(map(int, pair.split(","))) for pair in zone.get("path").split(";")]
        if _inside(outline, x, y):
            return zone.get("name")
    return None


def _read_grid(grid, size):
    given = dict(grid.attrib)
    steps = {"x0": int(given["x0"]), "y0": int(given["y0"])}
    steps |= {"dx": float(given["dx"]), "dy": float(given["dy"])}
    steps["sideways"] = given["sideways"] == "true"
    numbers = dict(grid[0].attrib)
    read = {name: int(numbers[name]) for name in ("hLeading", "vLeading", "hOff", "vOff")}
    read |= {name: numbers[name] == "true" for name in ("hDescend", "vDescend", "stagger")}
    read |= {name: numbers[name] for name in ("first", "sep", "hType", "vType")}
    return Engine(steps, read, size)
