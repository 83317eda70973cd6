"""Sectors, zones and countries: a band inside their edge, or a line along it."""

from collections.abc import Iterable, Iterator

from shapely import get_parts, line_merge
from shapely.geometry import LineString, MultiLineString

from mapkit.drawing.bands import band_path
from mapkit.drawing.chains import Curve, curves
from mapkit.drawing.frame import Frame, side_corners
from mapkit.drawing.lines import stroke
from mapkit.drawing.network import Network
from mapkit.drawing.regions import from_hexes, side_middle
from mapkit.drawing.style import AreaLook, Looks
from mapkit.drawing.svg import Sheet, Value
from mapkit.hexes import Hex, Hexside, hexsides, neighbours
from mapkit.kinds import STANDING_WATER
from mapkit.model import Area


def draw_areas(sheet: Sheet, network: Network) -> None:
    """Draw the tints, the bands inside the edges, and the areas that are made of hexsides."""
    frame, looks = network.frame, network.looks
    for area in frame.map_.areas:
        look = looks.area(area.kind)
        hexes = _on_map(frame, area)
        if look.tint and hexes:
            region = from_hexes(frame, hexes, lambda _: 0, soft=False, wander=0.0)
            sheet.path(region.path, fill=look.colour, fill_opacity=look.tint, fill_rule="evenodd")
        inside = [] if look.edge == "line" else _inset(frame, looks, hexes, look.width / 2 + 0.02)
        _draw_band(sheet, band_path(network, inside, look.width, look.dash), look)
        _draw_sides(sheet, network, area.hexsides, look)


def draw_area_lines(sheet: Sheet, network: Network) -> None:
    """Draw the edges that run on hexsides: over the grid, and once where two areas touch.

    Where the map ends an area needs no edge.
    """
    frame, looks = network.frame, network.looks
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
            _draw_sides(sheet, network, sides, look)


def edge_strokes(look: AreaLook, pitch: float) -> Iterator[dict[str, Value]]:
    """Yield the strokes of an edge, the lowest first: its casing, if it has one, and itself."""
    if look.casing and look.casing_width:
        yield stroke(look.casing, look.width + 2 * look.casing_width, pitch)
    yield {
        **stroke(look.colour, look.width, pitch, look.dash, cap="butt" if look.dash else "round"),
        "stroke_opacity": look.opacity if look.opacity < 1 else None,
    }


def _draw_sides(sheet: Sheet, network: Network, sides: Iterable[Hexside], look: AreaLook) -> None:
    """Draw hexsides as a band or as a line; a river among them is edged on both its banks."""
    wet = {side for side in sides if network.is_wet(side)}
    lines = _chained(network.frame, set(sides) - wet)
    if look.edge == "band":
        along = [LineString(line.points) for line in lines]
        _draw_band(sheet, band_path(network, along, look.width, look.dash, wet=sorted(wet)), look)
        return
    if wet and look.casing:
        under = band_path(network, [], 2 * (look.width + look.casing_width), wet=sorted(wet))
        sheet.path(under, fill=look.casing, fill_rule="evenodd")
    _draw_band(sheet, band_path(network, [], 2 * look.width, look.dash, wet=sorted(wet)), look)
    for attributes in edge_strokes(look, network.frame.pitch):
        for line in lines:
            sheet.path(line.path, **attributes)


def _draw_band(sheet: Sheet, path: str, look: AreaLook) -> None:
    if path:
        opacity = look.opacity if look.opacity < 1 else None
        sheet.path(path, fill=look.colour, fill_opacity=opacity, fill_rule="evenodd")


def _chained(frame: Frame, sides: Iterable[Hexside]) -> list[Curve]:
    """Join hexsides into long lines, so that dashes run on from one to the next."""
    return curves(
        [side_corners(side) for side in sides],
        frame.corner,
        lambda one, other: side_middle(frame, one, other, 0.0),
        pinned=lambda _: True,
        meets={},
    )


def _on_map(frame: Frame, area: Area) -> frozenset[Hex]:
    return frozenset(hex_ for hex_ in area.hexes if hex_ in frame.map_.hexes)


def _inset(frame: Frame, looks: Looks, hexes: frozenset[Hex], inset: float) -> list[LineString]:
    """The edge of an area, moved inwards so that neighbours show both their bands.

    Where the map ends, and at the shore, an area needs no edge.
    """
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
        line for line in get_parts(merged) if isinstance(line, LineString) and len(line.coords) > 1
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
