"""Names on the map: each beside its place, clear of symbols, lines, numbers and each other."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry import Polygon

from mapkit.drawing.chains import walk
from mapkit.drawing.fonts import text_attributes, text_width, written
from mapkit.drawing.frame import Frame
from mapkit.drawing.network import SETTLEMENTS, Network
from mapkit.drawing.style import NUMBER_PLACES, Letters, Looks, Style
from mapkit.drawing.svg import Sheet, plain
from mapkit.drawing.symbols import Placed
from mapkit.grid import Point
from mapkit.hexes import Hex, neighbours
from mapkit.kinds import STANDING_WATER

Box = tuple[float, float, float, float]

# What it costs to lie on one of these.
NAME_COST, SYMBOL_COST = 60.0, 8.0
_NUMBER, _LINE = 2.5, 0.5
_ASCENT, _DESCENT = 0.72, 0.22  # of the size of the letters
_LEADING = 1.05
_SHIFTS = (0.0, -0.35, 0.35, -0.7, 0.7, -1.0, 1.0)
_ORDER = ("city", "town", "area", "water", "peak", "village", "place")


@dataclass(frozen=True)
class Wish:
    """A name that wants a place: beside a symbol of *radius*, or over its area (None).

    A peak has its *height* written after its name.
    """

    name: str
    lettering: str
    x: float
    y: float
    radius: float | None
    height: int | None = None

    @property
    def words(self) -> str:
        """What is written."""
        return self.name if self.height is None else f"{self.name} {self.height}"


@dataclass(frozen=True)
class Label:
    """A name in its place: one or two lines of text, each centred on x."""

    lines: tuple[str, ...]
    lettering: str
    x: float
    baselines: tuple[float, ...]
    size_px: float
    box: Box


class Obstacles:
    """Boxes that names should keep clear of, found quickly by where they lie."""

    def __init__(self, cell: float) -> None:
        self._cell = cell
        self._boxes: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def add(self, box: Box, weight: float) -> None:
        """Add a box; lying on all of it costs *weight*."""
        for key in self._keys(box):
            self._boxes[key].append((box, weight))

    def cost(self, box: Box) -> float:
        """Return what it costs to write over *box*."""
        left, top, right, bottom = box
        seen: set[tuple[Box, float]] = set()
        for key in self._keys(box):
            for entry in self._boxes.get(key, ()):
                (x0, y0, x1, y1), _ = entry
                if x0 < right and x1 > left and y0 < bottom and y1 > top:
                    seen.add(entry)
        return sum(weight for _, weight in seen)

    def _keys(self, box: Box) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (int(edge // self._cell) for edge in box)
        for x in range(left, right + 1):
            for y in range(top, bottom + 1):
                yield x, y


def names_wanted(frame: Frame, looks: Looks, placed: Sequence[Placed]) -> list[Wish]:
    """Collect the names of hexes, features, areas and shapes, each once."""
    by_hex: dict[Hex, list[Placed]] = defaultdict(list)
    for place in placed:
        by_hex[place.hex_].append(place)
    wishes = [
        Wish(
            place.feature.name,
            _class_of(place.role),
            place.x,
            place.y,
            place.radius,
            _height(place),
        )
        for place in placed
        if place.feature.name
    ]
    for group in _same_name(frame):
        wishes.append(_hex_name(frame, looks, group, by_hex))
    for area in frame.map_.areas:
        here = [hex_ for hex_ in area.hexes if hex_ in frame.map_.hexes]
        if area.name and here:
            x, y = _middle(frame, here)
            wishes.append(Wish(area.name, "area", x, y, None))
    wishes += _shape_names(frame, looks)
    return sorted(
        _once(frame, wishes), key=lambda wish: (_ORDER.index(wish.lettering), wish.y, wish.x)
    )


def _shape_names(frame: Frame, looks: Looks) -> Iterator[Wish]:
    """Yield the names of drawn outlines and points, as far as they lie on this map.

    A part of a map keeps the shapes of the whole: what lies beyond its hexes stays unnamed.
    """
    land = shapely.box(*frame.land)
    for shape in frame.map_.shapes:
        if not shape.name or shape.form == "line":
            continue
        points = frame.from_map(shape.rings[0])
        role = looks.role("terrain", shape.kind)
        feature_role = looks.role("features", shape.kind)
        if shape.form == "outline" and len(points) > 3:
            area = Polygon(points).buffer(0).intersection(land)
            if area.is_empty:
                continue
            spot = area.representative_point()
            lettering = "water" if role in STANDING_WATER else _class_of(feature_role)
            left, top, right, bottom = area.bounds
            radius = None if lettering == "water" else min(right - left, bottom - top) / 2
            wish = Wish(shape.name, lettering, spot.x, spot.y, radius)
        else:
            x, y = points.tolist()[0]
            wish = Wish(shape.name, _class_of(feature_role), x, y, 0.12 * frame.pitch)
        if frame.grid.hex_at(wish.x, wish.y) in frame.map_.hexes:
            yield wish


def _once(frame: Frame, wishes: Iterable[Wish]) -> Iterator[Wish]:
    """Yield each name once, though hex, feature and outline may all bear it.

    A town of several hexes is named at the one nearest to their middle.
    """
    alike: dict[str, list[Wish]] = defaultdict(list)
    for wish in wishes:
        if name := plain(wish.name).strip():
            alike[name.casefold()].append(wish)
    for group in alike.values():
        left = group
        while left:
            start = left[0]
            near = [w for w in left if math.dist((w.x, w.y), (start.x, start.y)) < 6 * frame.pitch]
            x = sum(wish.x for wish in near) / len(near)
            y = sum(wish.y for wish in near) / len(near)
            rank = {wish: _ORDER.index(wish.lettering) for wish in near}
            best = min(rank.values())
            yield min(
                (wish for wish in near if rank[wish] == best),
                key=lambda w: (-len(w.words), round(math.dist((w.x, w.y), (x, y))), w.x, w.y),
            )
            left = [wish for wish in left if wish not in near]


def place_names(
    frame: Frame, style: Style, wishes: Iterable[Wish], obstacles: Obstacles
) -> list[Label]:
    """Give every name the best place left; each then stands in the way of the next."""
    labels = []
    for wish in wishes:
        best: tuple[float, Label] | None = None
        for scale in (1.0, 0.88, 0.76):
            for effort, label in _candidates(frame, style, wish, scale):
                cost = effort + obstacles.cost(label.box) + _off_sheet(frame, label.box)
                if best is None or cost < best[0] - 1e-9:
                    best = cost, label
            if best is not None and best[0] < SYMBOL_COST:
                break
        if best is not None:
            labels.append(best[1])
            obstacles.add(best[1].box, NAME_COST)
    return labels


def draw_names(sheet: Sheet, style: Style, labels: Iterable[Label]) -> None:
    """Write the names, each line centred."""
    for label in labels:
        attributes = text_attributes(style.letters[label.lettering], label.size_px)
        for line, y in zip(label.lines, label.baselines, strict=True):
            sheet.text(line, label.x, y, **attributes)


def obstacles_for(
    frame: Frame,
    style: Style,
    placed: Iterable[Placed],
    network: Network,
    moved: frozenset[Hex] = frozenset(),
) -> Obstacles:
    """Return what names keep clear of: symbols, hex numbers, roads and rivers.

    The numbers of the hexes in *moved* stand on the other side of the centre.
    """
    obstacles = Obstacles(frame.pitch)
    for place in placed:
        r = place.radius
        obstacles.add((place.x - r, place.y - r, place.x + r, place.y + r), SYMBOL_COST)
    down = NUMBER_PLACES[style.number_place] * frame.pitch
    half_w, half_h = 0.22 * frame.pitch, 0.07 * frame.pitch
    for hex_, (x, centre_y) in frame.centres.items():
        y = centre_y + (-down if hex_ in moved else down)
        obstacles.add((x - half_w, y - half_h, x + half_w, y + half_h), _NUMBER)
    small = 0.04 * frame.pitch
    for curves in (*network.water.values(), *network.roads.values()):
        for curve in curves:
            for x, y, _, _ in walk(curve.points, 0.2 * frame.pitch):
                obstacles.add((x - small, y - small, x + small, y + small), _LINE)
    return obstacles


def _candidates(
    frame: Frame, style: Style, wish: Wish, scale: float
) -> Iterator[tuple[float, Label]]:
    """Yield possible places with how much we dislike each, before looking at the map."""
    letters, pitch = style.letters[wish.lettering], frame.pitch
    size = letters.size * pitch * scale
    for split, lines in enumerate(_line_breaks(written(wish.words, letters))):
        width = max(text_width(line, letters, size) for line in lines)
        if split and width < 1.2 * pitch:
            continue
        effort = 1.2 * split + (0.0 if split or width < 3.2 * pitch else 1.6) + (1 - scale) * 6
        height = size * (_ASCENT + _DESCENT) + (len(lines) - 1) * size * _LEADING
        for more, cx, cy in _spots(wish, width, height, pitch):
            yield effort + more, _label(wish, lines, letters, size, (cx, cy, width, height))


def _spots(
    wish: Wish, width: float, height: float, pitch: float
) -> Iterator[tuple[float, float, float]]:
    """Yield centres for a box of this size, the preferred first."""
    if wish.radius is None:
        for dy in _SHIFTS:
            for dx in _SHIFTS:
                yield 1.6 * math.hypot(dx, dy), wish.x + dx * pitch, wish.y + dy * pitch * 0.8
        return
    for far, more in ((0.05, 0.0), (0.17, 1.0), (0.34, 2.6)):
        gap = wish.radius + far * pitch
        side, up = gap + width / 2, gap + height / 2
        low = 0.7 * gap + height / 2
        yield more + 0.0, wish.x, wish.y + up
        yield more + 0.2, wish.x + side, wish.y
        yield more + 0.4, wish.x - side, wish.y
        yield more + 0.6, wish.x, wish.y - up
        for sign in (1, -1):
            yield more + 0.5, wish.x + sign * side * 0.62, wish.y + low
            yield more + 0.7, wish.x + sign * side * 0.62, wish.y - low
            yield more + 0.6, wish.x + sign * side, wish.y + height * 0.45
            yield more + 0.8, wish.x + sign * side, wish.y - height * 0.45


def _label(
    wish: Wish,
    lines: tuple[str, ...],
    letters: Letters,
    size: float,
    place: tuple[float, float, float, float],
) -> Label:
    cx, cy, width, height = place
    pad = letters.halo_width / letters.size * size * 0.5
    top = cy - height / 2
    baselines = tuple(
        round(top + size * _ASCENT + index * size * _LEADING, 1) for index in range(len(lines))
    )
    box = (cx - width / 2 - pad, top - pad, cx + width / 2 + pad, cy + height / 2 + pad)
    return Label(lines, wish.lettering, round(cx, 1), baselines, size, box)


def _line_breaks(words: str) -> list[tuple[str, ...]]:
    """The name on one line, and broken at the space nearest to its middle."""
    spaces = [index for index, letter in enumerate(words) if letter == " "]
    if not spaces:
        return [(words,)]
    cut = min(spaces, key=lambda index: abs(index - len(words) / 2))
    return [(words,), (words[:cut], words[cut + 1 :])]


def _off_sheet(frame: Frame, box: Box) -> float:
    left, top, right, bottom = frame.land
    slack = 0.25 * frame.pitch
    outside = (
        max(left - slack - box[0], 0)
        + max(top - slack - box[1], 0)
        + max(box[2] - right - slack, 0)
        + max(box[3] - bottom - slack, 0)
    )
    return 40.0 * outside / frame.pitch + (12.0 if outside else 0.0)


def _class_of(role: str) -> str:
    return role if role in SETTLEMENTS or role == "peak" else "place"


def _height(place: Placed) -> int | None:
    height = place.feature.value
    return height if place.role == "peak" and height is not None and height >= 100 else None


def _hex_name(
    frame: Frame, looks: Looks, group: Sequence[Hex], by_hex: dict[Hex, list[Placed]]
) -> Wish:
    """The name of one hex, or of touching hexes that share it."""
    hex_ = group[0]
    ground = frame.map_.hexes[hex_]
    for member in group:
        for place in by_hex.get(member, ()):
            if place.role in SETTLEMENTS or place.role == "peak":
                return Wish(
                    ground.name,
                    _class_of(place.role),
                    place.x,
                    place.y,
                    place.radius,
                    _height(place),
                )
    role = looks.role("terrain", ground.terrain)
    if role in STANDING_WATER or role in SETTLEMENTS:
        x, y = _middle(frame, group)
        return Wish(ground.name, "water" if role in STANDING_WATER else role, x, y, None)
    x, y = _middle(frame, group)
    symbols = by_hex.get(hex_)
    if symbols and len(group) == 1:
        return Wish(ground.name, "place", x, y, max(place.radius for place in symbols))
    return Wish(ground.name, "place", x, y + 0.1 * frame.pitch, None)


def _same_name(frame: Frame) -> Iterator[list[Hex]]:
    """Yield groups of touching hexes that bear one name."""
    left = {hex_: ground.name for hex_, ground in frame.map_.hexes.items() if ground.name.strip()}
    for start in sorted(left):
        if start not in left:
            continue
        name = left.pop(start)
        group, front = [start], [start]
        while front:
            for near in neighbours(front.pop()):
                if left.get(near) == name:
                    del left[near]
                    group.append(near)
                    front.append(near)
        yield group


def _middle(frame: Frame, hexes: Sequence[Hex]) -> Point:
    """Return the centre of the hex nearest to the middle of all."""
    centres = [frame.grid.centre(hex_) for hex_ in hexes]
    x = sum(point[0] for point in centres) / len(centres)
    y = sum(point[1] for point in centres) / len(centres)
    if len(centres) > 2:
        return min(centres, key=lambda point: (round(math.dist(point, (x, y)), 3), point))
    return x, y
