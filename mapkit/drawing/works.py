"""What stands on hexsides besides water: crags, walls, borders, trenches, bridges."""

import math
from collections import defaultdict
from collections.abc import Sequence

from mapkit.drawing.chains import Curve, walk
from mapkit.drawing.fonts import text_attributes
from mapkit.drawing.frame import Corner, Frame, side_corners
from mapkit.drawing.lines import draw_curves, stroke
from mapkit.drawing.network import SETTLEMENTS, Network
from mapkit.drawing.style import NUMBER_PLACES, LineLook
from mapkit.drawing.svg import Sheet, Value, circle, polyline
from mapkit.drawing.symbols import Placed
from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside
from mapkit.kinds import CROSSINGS, WATERCOURSES
from mapkit.model import Feature

BORDERS = frozenset({"border", "front_line"})
WORKS = frozenset({"trench"})
BLOWN = "#c1271c"
_TOOTH = 0.55
_DEEPEST = 0.6  # of the way to the centre: beyond it a trench would seem to ring a town


def draw_barriers(sheet: Sheet, network: Network) -> None:
    """Draw crags, crests, hedges, walls, shores and the kinds nobody knows."""
    rest = WATERCOURSES | CROSSINGS | BORDERS | WORKS
    for kind in _kinds(network, without=rest):
        look = network.looks.hexside(kind)
        lines = network.along(kind, smooth=look.pattern in ("hachures", "beads", "line"))
        if look.pattern == "hachures":
            for curve in lines:
                _draw_hachures(sheet, network.frame, curve, look)
        elif look.pattern == "posts":
            draw_curves(sheet, lines, look, network.frame.pitch)
            _draw_posts(sheet, lines, look, network.frame.pitch)
        else:
            draw_curves(sheet, lines, look, network.frame.pitch)


def draw_borders(sheet: Sheet, network: Network) -> None:
    """Draw frontiers as dash-dot lines over a pale band, front lines with teeth."""
    pitch = network.frame.pitch
    for kind in _kinds(network, only=BORDERS):
        look = network.looks.hexside(kind)
        lines = network.along(kind, smooth=False)
        if look.glow:
            for curve in lines:
                attributes = stroke(look.glow, look.glow_width, pitch)
                sheet.path(curve.path, stroke_opacity=look.glow_opacity, **attributes)
        draw_curves(sheet, lines, look, pitch)
        if look.pattern == "teeth":
            for side, feature in network.sides.get(kind, []):
                _draw_teeth(sheet, network, side, feature, look)


def draw_trenches(sheet: Sheet, network: Network) -> None:
    """Draw trenches inside the hex they shield, teeth towards the enemy, level beside them."""
    for kind in _kinds(network, only=WORKS):
        look = network.looks.hexside(kind)
        if kind in network.line_shapes:
            for curve in network.line_shapes[kind]:
                _draw_crenels(sheet, curve.points, look, network.frame.pitch, side=1)
            continue
        _draw_trench_lines(sheet, network, network.sides[kind], look)


def draw_trench_levels(sheet: Sheet, network: Network, placed: Sequence[Placed]) -> None:
    """Write the level of each trench on the side of those it shields, clear of symbols."""
    frame, style = network.frame, network.looks.style
    by_hex: dict[Hex, list[Placed]] = defaultdict(list)
    for place in placed:
        by_hex[place.hex_].append(place)
    for kind in _kinds(network, only=WORKS):
        look = network.looks.hexside(kind)
        letters = style.letters["value"].model_copy(update={"colour": look.colour, "halo": None})
        size = 0.14 * frame.pitch
        attributes = text_attributes(letters, size)
        for side, feature in network.sides.get(kind, []):
            if feature.value is not None:
                inner = feature.facing if feature.facing in side else side.a
                x, y = _level_place(network, side, inner, look, by_hex[inner])
                sheet.text(str(feature.value), x, y + size * 0.35, **attributes)


def _level_place(
    network: Network, side: Hexside, inner: Hex, look: LineLook, symbols: Sequence[Placed]
) -> Point:
    """Where the level of a trench stands: beside its middle, save where number or symbol is."""
    frame, pitch = network.frame, network.frame.pitch
    inset = _trench_inset(network, side, inner, look) + 0.24
    (x, y), (cx, cy) = frame.middle(side), frame.grid.centre(inner)
    x, y = x + inset * (cx - x), y + inset * (cy - y)
    number_y = cy + NUMBER_PLACES[network.looks.style.number_place] * pitch

    def is_free(way: Point) -> bool:
        off_number = abs(way[0] - cx) > 0.24 * pitch or abs(way[1] - number_y) > 0.15 * pitch
        return off_number and all(
            math.dist(way, (s.x, s.y)) > s.radius + 0.06 * pitch
            for s in symbols
            if s.role not in SETTLEMENTS
        )

    if is_free((x, y)):
        return x, y
    (x0, y0), (x1, y1) = frame.ends(side)
    step = 0.43  # toward the end that is free, or else lies farther from the number
    ways = [(x + sign * step * (x1 - x0), y + sign * step * (y1 - y0)) for sign in (1, -1)]
    return max(ways, key=lambda way: (is_free(way), math.dist(way, (cx, number_y))))


def draw_crossings(sheet: Sheet, network: Network) -> None:
    """Draw bridges, footbridges, fords and ferries across the water."""
    for kind in _kinds(network, only=CROSSINGS):
        look = network.looks.hexside(kind)
        for side, feature in network.sides.get(kind, []):
            place, along = network.crossing_place(side)
            draw_crossing(
                sheet,
                look,
                place,
                along,
                pitch=network.frame.pitch,
                water=network.water_width(side),
                blown=not feature.stands,
            )


def draw_crossing(
    sheet: Sheet,
    look: LineLook,
    place: Point,
    along: Point,
    *,
    pitch: float,
    water: float,
    blown: bool = False,
) -> None:
    """Draw one crossing; *along* is the direction of the water, *water* its width in pitches."""
    (x, y), (dx, dy) = place, along
    half = max(look.length, water + 0.14) / 2 * pitch

    def at(across: float, aside: float) -> Point:
        """A point *across* the water and *aside* along it, in pixels."""
        return x - dy * across + dx * aside, y + dx * across + dy * aside

    line = stroke(look.colour, look.width, pitch)
    match look.pattern:
        case "bridge":
            gap, flare = 0.068 * pitch, 0.05 * pitch
            for sign in (-1, 1):
                rail = [
                    at(-half, sign * (gap + flare)),
                    at(-half + flare, sign * gap),
                    at(half - flare, sign * gap),
                    at(half, sign * (gap + flare)),
                ]
                if look.casing:
                    sheet.path(polyline(rail), **stroke(look.casing, look.width * 2.2, pitch))
                sheet.path(polyline(rail), **line)
        case "footbridge":
            deck = polyline([at(-half, 0), at(half, 0)])
            if look.casing:
                sheet.path(deck, **stroke(look.casing, look.width * 2.6, pitch))
            sheet.path(deck, **line)
            bar = 0.055 * pitch
            for end in (-half, half):
                sheet.path(polyline([at(end, -bar), at(end, bar)]), **line)
        case "ford":
            for aside in (-0.05 * pitch, 0.05 * pitch):
                track = polyline([at(-half, aside), at(half, aside)])
                sheet.path(track, **stroke(look.colour, look.width, pitch, (0.03, 0.05)))
        case _:
            way = polyline([at(-half, 0), at(half, 0)])
            sheet.path(way, **stroke(look.colour, look.width, pitch, (0.06, 0.04), cap="butt"))
            bow = 0.1 * pitch
            hull = [at(0, -bow), at(bow * 0.5, 0), at(0, bow), at(-bow * 0.5, 0)]
            outline: dict[str, Value] = {
                "stroke": look.colour,
                "stroke_width": look.width * 0.7 * pitch,
            }
            sheet.path(polyline(hull) + "Z", fill=look.casing or look.colour, **outline)
    if blown:
        arm = 0.12 * pitch
        cross = polyline([at(-arm, -arm), at(arm, arm)]) + polyline([at(arm, -arm), at(-arm, arm)])
        sheet.path(cross, **stroke("#ffffff", 0.075, pitch))
        sheet.path(cross, **stroke(BLOWN, 0.045, pitch))


def draw_pattern(sheet: Sheet, look: LineLook, curve: Curve, pitch: float) -> None:
    """Draw a sample of a dressed line, as the legend shows it: its teeth point up."""
    match look.pattern:
        case "hachures":
            _draw_wedges(sheet, [(*spot, 1) for spot in _spots(curve, look, pitch)], look, pitch)
            sheet.path(curve.path, **stroke(look.colour, look.width, pitch))
        case "crenels":
            _draw_crenels(sheet, curve.points, look, pitch, side=-1)
        case "posts":
            draw_curves(sheet, [curve], look, pitch)
            _draw_posts(sheet, [curve], look, pitch)
        case _:
            draw_curves(sheet, [curve], look, pitch)
            _draw_wedges(sheet, [(*spot, -1) for spot in _spots(curve, look, pitch)], look, pitch)


def _kinds(
    network: Network, *, only: frozenset[str] | None = None, without: frozenset[str] = frozenset()
) -> list[str]:
    known = network.frame.map_.kinds.ids("hexsides")
    drawn = set(network.sides) | {kind for kind in network.line_shapes if kind in known}
    roles = {kind: network.looks.role("hexsides", kind) for kind in sorted(drawn)}
    return [
        kind
        for kind, role in roles.items()
        if role not in without and (only is None or role in only)
    ]


_Spot = tuple[float, float, float, float]


def _draw_hachures(sheet: Sheet, frame: Frame, curve: Curve, look: LineLook) -> None:
    """Wedges down the lower side; on level ground to both sides."""
    spots = []
    for spot in _spots(curve, look, frame.pitch):
        low = _lower_side(frame, *spot)
        spots += [(*spot, sign) for sign in ((low,) if low else (1, -1))]
    sheet.path(curve.path, **stroke(look.colour, look.width, frame.pitch))
    _draw_wedges(sheet, spots, look, frame.pitch)


def _spots(curve: Curve, look: LineLook, pitch: float) -> list[_Spot]:
    return walk(curve.points, look.spacing * pitch)


def _draw_wedges(
    sheet: Sheet,
    spots: Sequence[tuple[float, float, float, float, int]],
    look: LineLook,
    pitch: float,
) -> None:
    """Triangles on a line; the sign says on which side: 1 is right of its direction."""
    half, length = look.spacing * 0.34 * pitch, look.length * pitch
    wedges = [
        f"M{x - dx * half:.1f} {y - dy * half:.1f}L{x + dx * half:.1f} {y + dy * half:.1f}"
        f"L{x - dy * length * sign:.1f} {y + dx * length * sign:.1f}Z"
        for x, y, dx, dy, sign in spots
    ]
    sheet.path("".join(wedges), fill=look.colour)


def _lower_side(frame: Frame, x: float, y: float, dx: float, dy: float) -> int:
    off = 0.3 * frame.pitch
    levels = []
    for sign in (1, -1):
        ground = frame.map_.hexes.get(frame.grid.hex_at(x - dy * off * sign, y + dx * off * sign))
        levels.append(ground.level if ground is not None and ground.level is not None else None)
    right, left = levels
    if right is None or left is None or right == left:
        return 0
    return 1 if right < left else -1


def _draw_posts(sheet: Sheet, lines: Sequence[Curve], look: LineLook, pitch: float) -> None:
    half = look.length * pitch / 2
    for curve in lines:
        posts = [circle(x, y, half) for x, y, _, _ in walk(curve.points, look.spacing * pitch)]
        sheet.path("".join(posts), fill=look.colour)


def _draw_teeth(
    sheet: Sheet, network: Network, side: Hexside, feature: Feature, look: LineLook
) -> None:
    """Triangles that point away from the hex the line belongs to."""
    if feature.facing is None or feature.facing not in side:
        return
    pitch = network.frame.pitch
    x, y = network.frame.grid.centre(feature.facing)
    spots = []
    for px, py, dx, dy in walk(network.frame.ends(side), look.spacing * pitch):
        away = 1 if (px - x) * -dy + (py - y) * dx > 0 else -1
        spots.append((px, py, dx, dy, away))
    _draw_wedges(sheet, spots, look, pitch)


def _draw_trench_lines(
    sheet: Sheet, network: Network, sides: Sequence[tuple[Hexside, Feature]], look: LineLook
) -> None:
    """Each trench lies a little inside its hex; neighbours are joined around a vertex."""
    frame, pitch = network.frame, network.frame.pitch
    joints: dict[tuple[str, Corner], list[Point]] = defaultdict(list)
    for side, feature in sides:
        inner = feature.facing if feature.facing in side else side.a
        cx, cy = frame.grid.centre(inner)
        inset = _trench_inset(network, side, inner, look)
        line = []
        for corner in side_corners(side):
            x, y = frame.corner(corner)
            point = (x + (cx - x) * inset, y + (cy - y) * inset)
            joints[feature.owner, corner].append(point)
            line.append(point)
        # The first hex of a hexside lies on the left of its corners.
        _draw_crenels(sheet, line, look, pitch, side=1 if inner == side.a else -1)
    for _, points in sorted(joints.items()):
        if len(points) == 2:
            sheet.path(polyline(points), **stroke(look.colour, look.width, pitch))


def _trench_inset(network: Network, side: Hexside, inner: Hex, look: LineLook) -> float:
    """How far a trench lies inside its hex, as a share of the way to the centre.

    Along water it stands on the bank, with its teeth clear of it.
    """
    inset = look.offset * 1.1
    if network.is_wet(side):
        far = network.water_inside(side, inner) / network.frame.pitch
        # From a hexside to the centre it is half a pitch.
        inset = max(inset, 2 * (far + look.length + 0.03))
    return min(inset, _DEEPEST)


def _draw_crenels(
    sheet: Sheet, points: Sequence[Point], look: LineLook, pitch: float, *, side: int
) -> None:
    """A battlement: teeth on one side of the line (1: right of its direction on the sheet)."""
    depth, half = look.length * pitch, look.spacing * pitch * _TOOTH / 2
    wave = [points[0]]
    for x, y, dx, dy in walk(points, look.spacing * pitch):
        ox, oy = -dy * depth * side, dx * depth * side
        x0, y0, x1, y1 = x - dx * half, y - dy * half, x + dx * half, y + dy * half
        wave += [(x0, y0), (x0 + ox, y0 + oy), (x1 + ox, y1 + oy), (x1, y1)]
    wave.append(points[-1])
    line = stroke(look.colour, look.width, pitch)
    sheet.path(
        polyline(wave),
        stroke_linejoin="miter",
        **{key: value for key, value in line.items() if key != "stroke_linejoin"},
    )
