"""What stands in a hex: towns, forts, peaks, supply sources, victory points."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mapkit.drawing.fonts import text_attributes
from mapkit.drawing.frame import Frame, noise
from mapkit.drawing.network import SETTLEMENTS
from mapkit.drawing.style import Looks, Style, SymbolLook
from mapkit.drawing.svg import Sheet, circle, rectangle
from mapkit.grid import Point
from mapkit.hexes import Hex
from mapkit.model import Feature

# Offsets from the centre in pitches, by how many things stand in the hex. The number is on top.
_ALONE = ((0.0, 0.03),)
_SLOTS: dict[int, tuple[Point, ...]] = {
    1: _ALONE,
    2: ((-0.2, 0.05), (0.2, 0.05)),
    3: ((-0.23, -0.02), (0.23, -0.02), (0.0, 0.26)),
}
_CROWD = ((-0.26, -0.06), (0.0, -0.06), (0.26, -0.06), (-0.26, 0.2), (0.0, 0.24), (0.26, 0.2))
_BESIDE = ((0.31, 0.13), (-0.31, 0.13), (0.3, -0.15), (-0.3, -0.15), (0.0, 0.36))


@dataclass(frozen=True)
class Placed:
    """A feature where it is drawn."""

    x: float
    y: float
    radius: float
    hex_: Hex
    feature: Feature
    role: str


def place_features(frame: Frame, looks: Looks) -> list[Placed]:
    """Find a place for every feature: its drawn point, else its share of the hex."""
    drawn = _drawn_points(frame)
    found = []
    for hex_ in sorted(frame.map_.hexes):
        features = frame.map_.hexes[hex_].features
        if not features:
            continue
        offsets = _offsets(features, looks)
        for index, feature in enumerate(features):
            role = looks.role("features", feature.kind)
            points = drawn.get((feature.kind, hex_))
            if points:
                x, y = points.pop(0)
            else:
                x, y = frame.grid.centre(hex_)
                dx, dy = offsets[index]
                x, y = x + dx * frame.pitch, y + dy * frame.pitch
            radius = looks.feature(feature.kind).size * frame.pitch / 2
            found.append(Placed(x, y, radius, hex_, feature, role))
    return found


def draw_symbols(sheet: Sheet, placed: Iterable[Placed], looks: Looks, pitch: float) -> None:
    """Draw every feature."""
    for place in placed:
        draw_symbol(
            sheet,
            looks.feature(place.feature.kind),
            (place.x, place.y),
            pitch,
            style=looks.style,
            value=place.feature.value,
            seed=place.hex_,
        )


def draw_symbol(
    sheet: Sheet,
    look: SymbolLook,
    place: Point,
    pitch: float,
    *,
    style: Style,
    value: int | None = None,
    seed: tuple[int, int] = (0, 0),
) -> None:
    """Draw one symbol around a place; an unknown one is a disc."""
    pen = _Pen(sheet, look, place, look.size * pitch, pitch)
    draw = _DRAWERS.get(look.symbol)
    if look.symbol in _BLOCKS:
        _draw_blocks(pen, _BLOCKS[look.symbol], seed)
    elif draw is not None:
        draw(pen)
    else:
        pen.path(circle(0, 0, 0.45))
    if value is not None and look.symbol == "victory":
        letters = style.letters["value"]
        size = letters.size * pitch * (1.0 if value < 10 else 0.86 if value < 100 else 0.66)
        attributes = text_attributes(letters, size)
        sheet.text(str(value), place[0], place[1] + size * 0.35, **attributes)


class _Pen:
    """Draws paths in units of a symbol's size around its place."""

    def __init__(
        self, sheet: Sheet, look: SymbolLook, place: Point, size: float, pitch: float
    ) -> None:
        self.sheet, self.look, self.size = sheet, look, size
        self._transform = f"translate({place[0]:.1f} {place[1]:.1f}) scale({size:.2f})"
        self._width = f"{look.width * pitch / size:.3f}"

    def path(self, d: str, *, fill: str | None = None, line: str | None = None) -> None:
        """Fill and outline a path; `none` leaves either away."""
        self.sheet.path(
            d,
            transform=self._transform,
            fill=fill or self.look.fill,
            stroke=line or self.look.line,
            stroke_width=self._width,
            stroke_linejoin="round",
            stroke_linecap="round",
        )

    def lines(self, d: str) -> None:
        """Draw lines only."""
        self.path(d, fill="none")

    def dark(self, d: str) -> None:
        """Fill with the colour of the lines."""
        self.path(d, fill=self.look.line)


_BLOCKS = {"village": 6, "town": 11, "city": 20}


def _draw_blocks(pen: _Pen, count: int, seed: tuple[int, int]) -> None:
    """Houses along streets that cross in the middle, turned a little, each place its own way."""
    q, r = seed
    side = math.ceil(math.sqrt(count * 1.3))
    step = 1.0 / side
    turn = math.radians((noise(q, r, 1) - 0.5) * 50)
    cos, sin = math.cos(turn), math.sin(turn)
    cells = [
        ((i + 0.5) * step - 0.5, (j + 0.5) * step - 0.5) for i in range(side) for j in range(side)
    ]
    cells.sort(
        key=lambda cell: math.hypot(*cell) + 0.25 * noise(q, r, *(int(c * 99) for c in cell))
    )
    parts = []
    for index, (cx, cy) in enumerate(cells[:count]):
        wide = step * (0.34 + 0.12 * noise(q, r, index, 2))
        tall = step * (0.3 + 0.12 * noise(q, r, index, 3))
        off = (noise(q, r, index, 4) - 0.5) * 0.1 * step
        corners = [
            (cx + off + dx * wide, cy + dy * tall)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        points = [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]
        parts.append("M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + "Z")
    pen.path("".join(parts))


def _star(points: int, outer: float, inner: float, turn_deg: float = -90) -> str:
    corners = []
    for index in range(2 * points):
        angle = math.radians(turn_deg + 180 / points * index)
        radius = inner if index % 2 else outer
        corners.append((radius * math.cos(angle), radius * math.sin(angle)))
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in corners) + "Z"


def _airfield(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.48))
    pen.dark("M-.06 -.34h.12v.22l.34 .16v.1l-.34 -.08v.2l.12 .1v.06l-.18 -.04l-.18 .04v-.06l.12 -.1"
             "v-.2l-.34 .08v-.1l.34 -.16z")  # fmt: skip


def _church(pen: _Pen) -> None:
    pen.path("M-.3 .45v-.5l.3 -.24l.3 .24v.5z")
    pen.lines("M0 -.3v-.3M-.13 -.48h.26")


def _entry(pen: _Pen) -> None:
    pen.path("M-.45 -.16h.45v-.24l.45 .4l-.45 .4v-.24h-.45z")


def _farm(pen: _Pen) -> None:
    pen.path("M-.42 -.3h.5v.28h-.5zM.18 -.1h.24v.46h-.24zM-.36 .12h.36v.26h-.36z")


def _fort(pen: _Pen) -> None:
    pen.path(_star(5, 0.52, 0.3))
    pen.path(_star(5, 0.27, 0.16), fill="#ffffff")


def _headquarters(pen: _Pen) -> None:
    pen.lines("M-.36 .5v-1")
    pen.path("M-.36 -.5h.8l-.2 .26l.2 .26h-.8z")


def _mine(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.48))
    pen.lines("M-.26 .26l.46 -.46M.26 .26l-.46 -.46M.08 -.3l.24 .2M-.08 -.3l-.24 .2")


def _peak(pen: _Pen) -> None:
    pen.path("M-.48 .36L0 -.46L.48 .36z")
    pen.dark("M0 -.46L.48 .36H.1L.02 0z")


def _port(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.48))
    pen.lines("M0 -.2v.52M-.14 -.12h.28M-.28 .08c.02 .34 .54 .34 .56 0")
    pen.path(circle(0, -0.27, 0.07))


def _ruin(pen: _Pen) -> None:
    pen.lines("M-.4 .38v-.6l.14 .1v-.22l.2 .3M.1 .38v-.3l.12 -.1l.04 -.3l.16 .2v.5M-.48 .38h.96")


def _supply(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.48))
    pen.lines(circle(0, 0, 0.3))
    spokes = [
        f"M0 0L{0.3 * math.cos(a):.3f} {0.3 * math.sin(a):.3f}"
        for a in (math.radians(60 * i + 30) for i in range(6))
    ]
    pen.lines("".join(spokes))
    pen.dark(circle(0, 0, 0.08))


def _trench(pen: _Pen) -> None:
    pen.lines("M-.5 .22v-.16h.2v-.2h.2v.2h.2v-.2h.2v.2h.2v.16")


def _victory(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.5))


def _star_alone(pen: _Pen) -> None:
    pen.path(_star(5, 0.52, 0.22))


def _disc(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.45))


def _ring(pen: _Pen) -> None:
    pen.path(circle(0, 0, 0.45))
    pen.dark(circle(0, 0, 0.16))


def _square(pen: _Pen) -> None:
    pen.path(rectangle(-0.4, -0.4, 0.8, 0.8))


_DRAWERS: dict[str, Callable[[_Pen], None]] = {
    "airfield": _airfield,
    "church": _church,
    "disc": _disc,
    "entry": _entry,
    "farm": _farm,
    "fort": _fort,
    "headquarters": _headquarters,
    "mine": _mine,
    "peak": _peak,
    "port": _port,
    "ring": _ring,
    "ruin": _ruin,
    "square": _square,
    "star": _star_alone,
    "supply": _supply,
    "trench": _trench,
    "victory": _victory,
}
SYMBOLS = frozenset(_DRAWERS) | frozenset(_BLOCKS)


def _offsets(features: tuple[Feature, ...], looks: Looks) -> list[Point]:
    """A settlement keeps the centre, where the roads go; the others stand around it."""
    settled = [looks.role("features", feature.kind) in SETTLEMENTS for feature in features]
    if any(settled):
        first = settled.index(True)
        around = iter([_BESIDE[i % len(_BESIDE)] for i in range(len(features))])
        return [(0.0, 0.03) if i == first else next(around) for i in range(len(features))]
    slots = _SLOTS.get(len(features), _CROWD)
    return [slots[i % len(slots)] for i in range(len(features))]


def _drawn_points(frame: Frame) -> dict[tuple[str, Hex], list[Point]]:
    found: dict[tuple[str, Hex], list[Point]] = defaultdict(list)
    for shape in frame.map_.shapes:
        if shape.form == "point":
            x, y = frame.from_map(shape.rings[0]).tolist()[0]
            found[shape.kind, frame.grid.hex_at(x, y)].append((x, y))
    return found
