"""Sectors, zones and countries: a band along the inside of their edge."""

from mapkit.drawing.frame import Frame
from mapkit.drawing.regions import from_hexes
from mapkit.drawing.style import Looks
from mapkit.drawing.svg import Sheet, Value, polyline
from mapkit.hexes import Hex


def draw_areas(sheet: Sheet, frame: Frame, looks: Looks) -> None:
    """Draw every area of hexes by its edge, every area of hexsides by a line."""
    pitch = frame.pitch
    for area in frame.map_.areas:
        look = looks.area(area.kind)
        dash = " ".join(f"{length * pitch:.2f}" for length in look.dash) or None
        line: dict[str, Value] = {
            "fill": "none",
            "stroke": look.colour,
            "stroke_width": look.width * pitch,
            "stroke_opacity": look.opacity,
            "stroke_dasharray": dash,
            "stroke_linejoin": "round",
        }
        hexes = frozenset(hex_ for hex_ in area.hexes if hex_ in frame.map_.hexes)
        region = from_hexes(frame, hexes, lambda _: 0, soft=False, wander=0.0)
        if look.tint and hexes:
            sheet.path(region.path, fill=look.colour, fill_opacity=look.tint, fill_rule="evenodd")
        for ring in _inset(frame, hexes, look.width / 2 + 0.02):
            sheet.path(ring, **line)
        for side in area.hexsides:
            sheet.path(polyline(frame.ends(side)), stroke_linecap="round", **line)


def _inset(frame: Frame, hexes: frozenset[Hex], inset: float) -> list[str]:
    """The edge of an area, moved inwards so that neighbours show both their bands.

    Where the map ends an area needs no edge.
    """
    from shapely import get_parts, line_merge
    from shapely.geometry import LineString

    if not hexes:
        return []
    region = from_hexes(frame, hexes, lambda _: 0, soft=False, wander=0.0)
    inner = region.geometry.buffer(-inset * frame.pitch, join_style="mitre").boundary
    land = from_hexes(frame, frame.map_.hexes, lambda _: 0, soft=False, wander=0.0)
    margin = land.geometry.boundary.buffer(inset * 1.2 * frame.pitch, cap_style="flat")
    lines = inner.difference(margin)
    merged = line_merge(lines) if lines.geom_type == "MultiLineString" else lines
    return [
        polyline(line.coords)
        for line in get_parts(merged)
        if isinstance(line, LineString) and len(line.coords) > 1
    ]
