"""A position drawn: the map with its counters, stacks, states and markers, to read on a phone."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

from lxml import etree

from mapkit.drawing import ALL_LAYERS, Drawing, draw_map, load_style
from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.style import Letters, Style
from mapkit.drawing.svg import NAMESPACE, Sheet, Value, circle
from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside
from mapkit.model import HexMap
from mapkit.sheets import crop
from mapkit.texts import say
from rules.battlefield import Battlefield
from rules.pack import Pack
from rules.positions.on_the_map import marker_place, standings
from rules.positions.position import Position
from rules.positions.position_show import told_state
from rules.schema.statuses import MarkerEntry
from rules.standing import Standing

_INK, _PAPER, _MARK, _BLOWN = "#1d1c1a", "#fffdf6", "#7a4a1d", "#c1121f"
_POINTS, _STATE = "#b3541e", "#3b3b3b"
# Band and body of each side's counters, in the pack's order of sides.
_SIDES = (
    ("#2f6b3a", "#e2efd3"),
    ("#2c4a7c", "#dbe4f2"),
    ("#8a3a2b", "#f5ddd4"),
    ("#6b5a1e", "#f2ebcf"),
)
_NOBODY = ("#555555", "#e8e8e8")
_SIZE = 0.64  # a counter's side, in hexes
_BELOW = 0.07  # so far below the middle of the hex: its number stays to be read
_AROUND = 2  # hexes of land about the units
_SHIFT = 0.075  # how far a counter peeps out from under the one above
_DEEPEST = 4  # more counters than these are told by the number alone
_SIGNS = 4  # so many signs fit on a counter


def draw_position(
    position: Position,
    field: Battlefield,
    *,
    map_id: str = "",
    seen_by: str | None = None,
    around: tuple[Hex, ...] = (),
    whole: bool = False,
    style: str = "plain",
    hex_px: float = 110.0,
) -> Drawing:
    """Return the map about the units, or about some hexes, with counters and markers on it.

    What is hidden from *seen_by* is left out. The same position always gives the same drawing.

    Raises:
        RulesError: a unit stands on no hex of the map.
    """
    units = [
        unit
        for unit in standings(position, field, map_id)
        if seen_by is None or seen_by not in position.pieces[unit.name].hidden_from
    ]
    places = set(around) or {unit.hex for unit in units} or set(field.map.hexes)
    land = set(field.map.hexes) if whole else _land(field.map, places)
    looks = load_style(style)
    shown = [unit for unit in units if unit.hex in land]
    board = crop(field.map, land)
    plain = ALL_LAYERS - {"title", "legend", "scale", "compass"}
    drawn = draw_map(board, looks, layers=plain, hex_px=hex_px)
    pen = _Pen(Sheet(drawn.width_px, drawn.height_px), drawn, looks, field.pack, hex_px)
    told = list(_told(position, field.pack, shown))
    height_px = drawn.height_px + math.ceil(pen.foot_px(told))
    with pen.sheet.group("counters"):
        for hex_, stacks in _stacks(shown).items():
            pen.stacks(hex_, stacks)
    with pen.sheet.group("signs"):
        pen.signs()
        for place, signs in _markers(position, field, map_id, land).items():
            pen.markers(place, signs)
    with pen.sheet.group("told"):
        pen.foot(told)
    svg = _with(drawn.svg, pen.sheet, height_px, looks.sheet.paper)
    return replace(drawn, svg=svg, height_px=height_px)


def short_class(class_: str, pack: Pack) -> str:
    """Return a class in a few letters: its code in set-up lists, or the start of its title.

    The words of a longer title give their first letters: Mountain infantry is MI.
    """
    entry = pack.classes.get(class_)
    if entry is None:
        return class_[:3].upper()
    if entry.codes:
        return entry.codes[0].replace("-", " ")
    words = entry.title.replace("-", " ").split()
    return words[0][:3].upper() if len(words) == 1 else "".join(word[0] for word in words).upper()


@dataclass(frozen=True)
class _Pen:
    """Draws counters and markers on a sheet that is laid over the map.

    Signs wait in *late* until all counters are there: so no counter hides one.
    """

    sheet: Sheet
    drawing: Drawing
    style: Style
    pack: Pack
    pitch: float
    late: list[tuple[Point, str, float, str]] = dataclass_field(default_factory=list)

    def stacks(self, hex_: Hex, stacks: list[list[Standing]]) -> None:
        """Draw the stacks of a hex: one in its middle, two sides beside each other."""
        x, y = self.drawing.grid.centre(hex_)
        side = _SIZE if len(stacks) == 1 else _SIZE * 0.78
        apart = 0.5 * side * self.pitch if len(stacks) > 1 else 0.0
        for number, stack in enumerate(stacks):
            shift = (2 * number - (len(stacks) - 1)) * apart
            self._stack((x + shift, y + _BELOW * self.pitch), stack, side * self.pitch)

    def signs(self) -> None:
        """Draw the signs and numbers of all counters drawn so far."""
        for at, words, height, colour in self.late:
            self._pill(at, words, height, colour)

    def markers(self, at: Hex | Hexside, signs: list[tuple[str, MarkerEntry]]) -> None:
        """Draw markers: down the left of their hex, or in the middle of their hexside."""
        if isinstance(at, Hexside):
            (ax, ay), (bx, by) = (self.drawing.grid.centre(hex_) for hex_ in at)
            x, y = (ax + bx) / 2, (ay + by) / 2
        else:
            x, y = self.drawing.grid.centre(at)
            x, y = x - 0.38 * self.pitch, y - 0.17 * self.pitch
        for number, (sign, entry) in enumerate(signs):
            place = (x, y + 0.23 * number * self.pitch)
            self._pill(place, sign, 0.21 * self.pitch, _BLOWN if entry.state else _MARK)

    def foot_px(self, told: list[str]) -> float:
        """Return how high the foot is that these words need."""
        return (len(self._rows(told)) * 1.4 + 0.8) * self._foot_size

    def foot(self, told: list[str]) -> None:
        """Write below the map what hour it is and what the signs mean."""
        size, letters = self._foot_size, self._letters(_INK).model_copy(update={"bold": False})
        attributes = text_attributes(letters, size, anchor="start", halo=False)
        for number, row in enumerate(self._rows(told)):
            y = self.drawing.height_px + (1.0 + 1.4 * number) * size
            self.sheet.text(row, 0.5 * self.pitch, y, **attributes)

    @property
    def _foot_size(self) -> float:
        return max(0.24 * self.pitch, 14.0)

    def _rows(self, told: list[str]) -> list[str]:
        """Return the words of the foot in rows, as many beside each other as fit."""
        letters, room = self._letters(_INK), self.drawing.width_px - self.pitch
        rows: list[str] = []
        for words in told:
            line = written(words, letters)
            longer = f"{rows[-1]}  ·  {line}" if rows else line
            if rows and text_width(longer, letters, self._foot_size) <= room:
                rows[-1] = longer
            else:
                rows.append(line)
        return rows

    def _stack(self, at: Point, stack: list[Standing], side: float) -> None:
        shift = _SHIFT * self.pitch
        deep = min(len(stack), _DEEPEST) - 1
        x, y = at[0] - side / 2 - deep * shift / 2, at[1] - side / 2 + deep * shift / 2
        for depth in range(deep, 0, -1):
            self._card((x + depth * shift, y - depth * shift), side, stack[depth])
        self._card((x, y), side, stack[0])
        self._face((x, y), side, stack[0])
        if len(stack) > 1:
            corner = (x + side + deep * shift, y - deep * shift)
            self.late.append((corner, str(len(stack)), 0.21 * self.pitch, _INK))

    def _card(self, at: Point, side: float, unit: Standing) -> None:
        """Draw an empty counter in the colours of its side."""
        band, body = self._colours(unit.side)
        self.sheet.add(
            "rect",
            x=at[0],
            y=at[1],
            width=side,
            height=side,
            rx=0.09 * side,
            fill=body,
            stroke=_INK,
            stroke_width=0.022 * self.pitch,
        )
        line = 0.011 * self.pitch
        self.sheet.add(
            "rect",
            x=at[0] + line,
            y=at[1] + line,
            width=side - 2 * line,
            height=0.3 * side,
            rx=0.07 * side,
            fill=band,
        )

    def _face(self, at: Point, side: float, unit: Standing) -> None:
        """Write what is on a counter: class, name, printed values, and signs of its states."""
        x, y = at[0] + side / 2, at[1]
        room = 0.9 * side
        short = short_class(unit.class_, self.pack)
        self._line(short, x, y + 0.235 * side, 0.23 * side, room, _PAPER)
        signs = list(self._signs(unit))
        values = _values(unit)
        name = unit.unit.name if unit.unit else unit.name
        rows = _in_rows(name) if not values or len(name) > 9 else [name]
        low = 0.52 if len(rows) == 2 else 0.57 if values else 0.68
        size = (0.24 if len(rows) == 2 else 0.27 if values else 0.33) * side
        for number, row in enumerate(rows):
            self._line(row, x, y + (low + 0.24 * number) * side, size, room, _INK)
        if values and len(rows) == 1:
            self._line(values, x, y + 0.83 * side, 0.25 * side, room, _INK)
        self._line_of_signs(at, side, signs)

    def _line_of_signs(self, at: Point, side: float, signs: list[str]) -> None:
        """Draw the signs of states along the lower edge, half outside the counter."""
        shown = signs if len(signs) <= _SIGNS else [*signs[: _SIGNS - 1], "…"]
        step = 0.33 * side
        first = at[0] + side / 2 - step * (len(shown) - 1) / 2
        for number, sign in enumerate(shown):
            place = (first + number * step, at[1] + 1.02 * side)
            colour = _POINTS if sign[-1:].isdigit() else _STATE
            self.late.append((place, sign, 0.28 * side, colour))

    def _signs(self, unit: Standing) -> Iterator[str]:
        for word, n in unit.statuses.items():
            entry = self.pack.statuses.get(word)
            sign = entry.sign if entry else "?"
            if sign:
                yield f"{sign}{n}" if entry and entry.counted else sign

    def _pill(self, at: Point, words: str, height: float, colour: str) -> None:
        """Draw a short text on a round ground."""
        letters = self._letters(_PAPER)
        size = 0.78 * height
        half = max(height / 2, text_width(words, letters, size) / 2 + 0.2 * height)
        common: dict[str, Value] = {
            "fill": colour,
            "stroke": _PAPER,
            "stroke_width": 0.015 * self.pitch,
        }
        if half <= height / 2:
            self.sheet.path(circle(at[0], at[1], height / 2), **common)
        else:
            self.sheet.add(
                "rect",
                x=at[0] - half,
                y=at[1] - height / 2,
                width=2 * half,
                height=height,
                rx=height / 2,
                **common,
            )
        attributes = text_attributes(letters, size, halo=False)
        self.sheet.text(words, at[0], at[1] + 0.36 * size, **attributes)

    def _line(self, words: str, x: float, y: float, size: float, room: float, colour: str) -> None:
        """Write a line, smaller where it would run over; cut where that would be too small."""
        letters = self._letters(colour)
        line = written(words, letters)
        width = text_width(line, letters, size)
        if width > room:
            size = max(size * room / width, 0.62 * size)
        while len(line) > 2 and text_width(line, letters, size) > room:
            line = line[:-2].rstrip() + "…"
        self.sheet.text(line, x, y, **text_attributes(letters, size, halo=False))

    def _letters(self, colour: str) -> Letters:
        changes = {"bold": True, "colour": colour, "halo": None, "capitals": False, "spacing": 0.0}
        return self.style.letters["text"].model_copy(update={"family": "Cabin", **changes})

    def _colours(self, side: str) -> tuple[str, str]:
        sides = list(self.pack.sides)
        return _SIDES[sides.index(side) % len(_SIDES)] if side in sides else _NOBODY


def _values(unit: Standing) -> str:
    """Return what is printed on the face that is up: 3-2-6; nothing where nobody knows it."""
    face = unit.unit.face(unit.face) if unit.unit else None
    known = list(face.values.values()) if face else []
    if not any(value is not None for value in known):
        return ""
    return "-".join("?" if value is None else str(value) for value in known[:4])


def _in_rows(name: str) -> list[str]:
    """Return a name in one row or two, cut where the rows are most alike."""
    words = name.split()
    if len(name) <= 7 or len(words) == 1:
        return [name]
    ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(ways, key=lambda way: max(map(len, way))))


def _stacks(units: Iterable[Standing]) -> dict[Hex, list[list[Standing]]]:
    """Return the stacks of every hex, by side, from the top of the map down.

    On top lies the unit with the most to tell.
    """
    found: dict[Hex, dict[str, list[Standing]]] = {}
    for unit in units:
        found.setdefault(unit.hex, {}).setdefault(unit.side, []).append(unit)
    return {
        hex_: [
            sorted(stack, key=lambda unit: (-len(unit.statuses), unit.name))
            for _, stack in sorted(found[hex_].items())
        ]
        for hex_ in sorted(found, key=lambda hex_: (hex_.r, hex_.q))
    }


def _land(map_: HexMap, hexes: set[Hex]) -> set[Hex]:
    """Return the columns and rows about some hexes."""
    places = [map_.numbering.position(hex_) for hex_ in hexes]
    columns, rows = (
        range(min(numbers) - _AROUND, max(numbers) + _AROUND + 1)
        for numbers in zip(*places, strict=True)
    )
    return {
        hex_
        for hex_ in map_.hexes
        for column, row in [map_.numbering.position(hex_)]
        if column in columns and row in rows
    }


def _markers(
    position: Position, field: Battlefield, map_id: str, land: set[Hex]
) -> dict[Hex | Hexside, list[tuple[str, MarkerEntry]]]:
    """Return the signs of the markers at each place of the land."""
    found: dict[Hex | Hexside, list[tuple[str, MarkerEntry]]] = {}
    for marker in position.markers:
        entry = field.pack.markers.get(marker.kind)
        if entry is None or (map_id and marker.map not in ("", map_id)):
            continue
        at = marker_place(marker, field)
        if at is None or land.isdisjoint(at if isinstance(at, Hexside) else (at,)):
            continue
        number = "" if marker.n is None else str(marker.n)
        found.setdefault(at, []).append(((entry.sign or "?") + number, entry))
    return found


def _told(position: Position, pack: Pack, shown: list[Standing]) -> Iterator[str]:
    """Yield what the foot says: the hour, who is elsewhere, and what the signs mean."""
    hour = say("rules.calendar.turn", turn=position.clock.turn)
    if position.weather in pack.weather:
        hour += f", {pack.weather[position.weather].title}"
    yield hour
    for kind in ("unplaced", "off_map"):
        n = sum(piece.place.kind == kind for piece in position.pieces.values())
        if n:
            yield f"{say(f'rules.position.{kind}')}: {n}"
    words = {word for unit in shown for word in unit.statuses}
    for word, entry in pack.statuses.items():
        if word in words and entry.sign:
            yield f"{entry.sign} {entry.told()}"
    for word in sorted(words - pack.statuses.keys()):
        yield f"? {told_state(word, 1, pack)}"
    for kind in dict.fromkeys(marker.kind for marker in position.markers):
        if kind in pack.markers:
            yield f"{pack.markers[kind].sign} {pack.markers[kind].told()}"


def _with(svg: str, sheet: Sheet, height_px: int, paper: str) -> str:
    """Return a drawing with a sheet of *height_px* laid over it and a foot of paper below it."""
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False)
    root = etree.fromstring(svg.encode(), parser)
    width, old = root.get("width"), root.get("height")
    root.set("height", str(height_px))
    root.set("viewBox", f"0 0 {width} {height_px}")
    foot = etree.SubElement(root, f"{{{NAMESPACE}}}rect", x="0", y=str(old), fill=paper)
    foot.set("width", str(width))
    foot.set("height", str(height_px - int(old or 0)))
    for child in etree.fromstring(sheet.to_text().encode(), parser):
        root.append(child)
    return str(etree.tostring(root, encoding="unicode")) + "\n"
