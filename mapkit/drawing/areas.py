"""Sectors, zones and countries: a band inside their edge, or a line along it."""

from collections.abc import Iterable, Iterator

from mapkit.drawing.chains import curves
from mapkit.drawing.frame import Frame, side_corners
from mapkit.drawing.lines import stroke
from mapkit.drawing.regions import from_hexes, side_middle
from mapkit.drawing.style import AreaLook, Looks
from mapkit.drawing.svg import Sheet, Value, polyline
from mapkit.hexes import Hex, Hexside, hexsides, neighbours
from mapkit.kinds import STANDING_WATER
from mapkit.model import Area


def draw_areas(sheet: Sheet, frame: Frame, looks: Looks) -> None:
    """Draw the tints, the bands inside the edges, and the areas that are made of hexsides."""
    for area in frame.map_.areas:
        look = looks.area(area.kind)
        line = list(edge_strokes(look, frame.pitch))[-1]
        hexes = _on_map(frame, area)
        if look.tint and hexes:
            region = from_hexes(frame, hexes, lambda _: 0, soft=False, wander=0.0)
            sheet.path(region.path, fill=look.colour, fill_opacity=look.tint, fill_rule="evenodd")
        if look.edge == "band":
            for ring in _inset(frame, looks, hexes, look.width / 2 + 0.02):
                sheet.path(ring, **line)
        _draw_sides(sheet, frame, area.hexsides, look)


def draw_area_lines(sheet: Sheet, frame: Frame, looks: Looks) -> None:
    """Draw the edges that run on hexsides: over the grid, and once where two areas touch.

    Where the map ends an area needs no edge.
    """
    edges: dict[str, set[Hexside]] = {}
    for area in frame.map_.areas:
        hexes = _on_map(frame, area)
        edges.setdefault(area.kind, set()).update(
            side
            for hex_ in hexes
            for side in hexsides(hex_)
            if (side.a in hexes) != (side.b in hexes)
            and side.a in frame.map_.hexes
            and side.b in frame.map_.hexes
        )
    for kind, sides in sorted(edges.items()):
        look = looks.area(kind)
        if look.edge == "line":
            _draw_sides(sheet, frame, sides, look)


def edge_strokes(look: AreaLook, pitch: float) -> Iterator[dict[str, Value]]:
    """Yield the strokes of an edge, the lowest first: its casing, if it has one, and itself."""
    if look.casing and look.casing_width:
        yield stroke(look.casing, look.width + 2 * look.casing_width, pitch)
    yield {
        **stroke(look.colour, look.width, pitch, look.dash, cap="butt" if look.dash else "round"),
        "stroke_opacity": look.opacity if look.opacity < 1 else None,
    }


def _draw_sides(sheet: Sheet, frame: Frame, sides: Iterable[Hexside], look: AreaLook) -> None:
    """Draw hexsides as long lines, so that dashes run on from one to the next."""
    lines = curves(
        [side_corners(side) for side in sides],
        frame.corner,
        lambda one, other: side_middle(frame, one, other, 0.0),
        pinned=lambda _: True,
        meets={},
    )
    for attributes in edge_strokes(look, frame.pitch):
        for line in lines:
            sheet.path(line.path, **attributes)


def _on_map(frame: Frame, area: Area) -> frozenset[Hex]:
    return frozenset(hex_ for hex_ in area.hexes if hex_ in frame.map_.hexes)


def _inset(frame: Frame, looks: Looks, hexes: frozenset[Hex], inset: float) -> list[str]:
    """The edge of an area, moved inwards so that neighbours show both their bands.

    Where the map ends, and at the shore, an area needs no edge.
    """
    from shapely import get_parts, line_merge
    from shapely.geometry import LineString, MultiLineString

    if not hexes:
        return []
    region = from_hexes(frame, hexes, lambda _: 0, soft=False, wander=0.0)
    inner = region.geometry.buffer(-inset * frame.pitch, join_style="mitre").boundary
    land = from_hexes(frame, frame.map_.hexes, lambda _: 0, soft=False, wander=0.0)
    margin = land.geometry.boundary.buffer(inset * 1.2 * frame.pitch, cap_style="flat")
    shore = MultiLineString([frame.ends(side) for side in _shores(frame, looks, hexes)])
    lines = inner.difference(margin).difference(shore.buffer(inset * 1.2 * frame.pitch))
    merged = line_merge(lines) if lines.geom_type == "MultiLineString" else lines
    return [
        polyline(line.coords)
        for line in get_parts(merged)
        if isinstance(line, LineString) and len(line.coords) > 1
    ]


def _shores(frame: Frame, looks: Looks, hexes: frozenset[Hex]) -> list[Hexside]:
    """The hexsides where an area ends at a lake or at the sea."""
    land = frame.map_.hexes
    return [
        Hexside.between(hex_, other)
        for hex_ in sorted(hexes)
        for other in neighbours(hex_)
        if other in land
        and other not in hexes
        and looks.role("terrain", land[other].terrain) in STANDING_WATER
    ]
