"""The ground: tints of the levels, fills and textures of terrain, relief along the contours."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.frame import Frame
from mapkit.drawing.hatching import draw_hatching
from mapkit.drawing.marks import Clearings, draw_marks, strewn
from mapkit.drawing.regions import Region, from_geometry, from_hexes, from_shapes
from mapkit.drawing.style import OTHER, Looks, TerrainLook, level_tint, mixed
from mapkit.drawing.svg import Sheet, Value, polygon, polyline
from mapkit.hexes import Hex
from mapkit.kinds import ROLES, STANDING_WATER
from mapkit.model import HexMap, Shape

LEVEL_SHAPE = "level"  # the kind of an outline that holds the ground at its level and above

# What is painted over what; outlines of towns lie on everything.
_LATER = {"lake": 2, "sea": 2, "beach": 1, "village": 3, "town": 3, "city": 3}


@dataclass(frozen=True)
class Ground:
    """The areas of one map on one frame, found once and used by every layer."""

    frame: Frame
    looks: Looks

    @cached_property
    def land(self) -> Region:
        """All hexes of the map as one region."""
        return from_hexes(self.frame, self.frame.map_.hexes, lambda _: 0, soft=False, wander=0.0)

    @cached_property
    def level_range(self) -> tuple[int, int] | None:
        """The lowest and highest level, where the map has at least two."""
        return level_range(self.frame.map_)

    @cached_property
    def base(self) -> str:
        """The colour of the ground where nothing else lies."""
        if self.level_range:
            return level_tint(self.looks.style.levels, self.level_range[0], *self.level_range)
        return self.looks.terrain(base_terrain(self.frame.map_)).fill

    @cached_property
    def terrain(self) -> list[tuple[str, Region]]:
        """Every terrain that is drawn, in the order it is painted."""
        map_ = self.frame.map_
        outlined = _outlines(map_)
        base = base_terrain(map_)
        # Where an outline leaves some of its hex free, the ground around it goes on.
        free = Counter(g.terrain for g in map_.hexes.values())
        for kind in {*outlined, *self.water}:
            del free[kind]
        around = base if base in free or not free else max(free, key=lambda k: (free[k], k))
        under = {kind: around if kind in outlined else kind for kind in map_.kinds.ids("terrain")}
        hexes: dict[str, list[Hex]] = defaultdict(list)
        for hex_, ground in map_.hexes.items():
            hexes[under.get(ground.terrain, ground.terrain)].append(hex_)
        regions = [
            (kind, self._merged(hexes[kind], under))
            for kind in sorted(hexes)
            if kind not in outlined and (kind != base or self._shows(kind))
        ]
        drawn = [(kind, from_shapes(self.frame, outlined[kind])) for kind in sorted(outlined)]
        covers = [region.geometry for kind, region in drawn if kind in under]
        if covers:
            # What is drawn freely lies on the levels, not on other terrain: its tint stays pure.
            cover = shapely.union_all(covers)
            regions = [(k, from_geometry(r.geometry.difference(cover))) for k, r in regions]
        regions += drawn
        order = {kind: (kind in outlined, self._rank(kind)) for kind, _ in regions}
        return sorted(regions, key=lambda item: order[item[0]])

    def _shows(self, kind: str) -> bool:
        """Tell whether a terrain looks other than the bare ground it covers."""
        look = self.looks.terrain(kind)
        tints = self.level_range is not None and look.over_levels > 0
        return bool(tints or look.marks or look.hatch)

    @cached_property
    def levels(self) -> list[tuple[int, Region]]:
        """For every level above the lowest: where the ground is at least so high."""
        if self.level_range is None:
            return []
        map_, (lowest, highest) = self.frame.map_, self.level_range
        drawn: dict[int, list[Shape]] = defaultdict(list)
        for shape in map_.shapes:
            if shape.kind == LEVEL_SHAPE and shape.form == "outline" and shape.level is not None:
                drawn[shape.level].append(shape)
        if drawn:
            above = [level for level in sorted(drawn) if level > lowest]
            return [(level, from_shapes(self.frame, drawn[level])) for level in above]
        style = self.looks.style.ground
        regions = []
        for level in range(lowest + 1, highest + 1):
            high = frozenset(h for h, g in map_.hexes.items() if (g.level or lowest) >= level)
            region = from_hexes(
                self.frame,
                high,
                high.__contains__,
                soft=style.edges == "soft",
                wander=style.wander,
            )
            regions.append((level, region))
        return regions

    @cached_property
    def outlined_features(self) -> frozenset[str]:
        """The features, such as towns, whose outline is drawn."""
        known = self.frame.map_.kinds.ids("features")
        outlines = {shape.kind for shape in self.frame.map_.shapes if shape.form == "outline"}
        return frozenset(known & outlines)

    @cached_property
    def water(self) -> frozenset[str]:
        """The terrain that is lake or sea."""
        roles = self.frame.map_.kinds.roles("terrain")
        return frozenset(kind for kind, role in roles.items() if role in STANDING_WATER)

    @cached_property
    def harbours(self) -> frozenset[str]:
        """The features, such as towns, of which an outline reaches into lake or sea."""
        lakes = shapely.union_all([r.geometry for kind, r in self.terrain if kind in self.water])
        return frozenset(
            kind
            for kind, region in self.terrain
            if kind in self.outlined_features and region.geometry.intersects(lakes)
        )

    def look(self, kind: str) -> TerrainLook:
        """Return the look of a terrain, or of a feature that covers ground."""
        if kind in self.outlined_features and kind not in self.frame.map_.kinds.ids("terrain"):
            role = self.looks.role("features", kind)
            return self.looks.style.terrain[role if role in ROLES["terrain"] else OTHER]
        return self.looks.terrain(kind)

    def _merged(self, hexes: Sequence[Hex], under: Mapping[str, str]) -> Region:
        land, style = self.frame.map_.hexes, self.looks.style.ground
        labels = {hex_: under.get(ground.terrain, ground.terrain) for hex_, ground in land.items()}
        return from_hexes(
            self.frame,
            hexes,
            labels.get,
            soft=style.edges == "soft",
            wander=style.wander,
        )

    def _rank(self, kind: str) -> int:
        if kind in self.outlined_features:
            return _LATER["town"]
        return _LATER.get(self.looks.role("terrain", kind), 0)


def level_range(map_: HexMap) -> tuple[int, int] | None:
    """Return the lowest and highest level of a map, or None where it has no two."""
    levels = {ground.level for ground in map_.hexes.values()} - {None}
    known = [level for level in levels if level is not None]
    return (min(known), max(known)) if len(known) > 1 else None


def base_terrain(map_: HexMap) -> str:
    """Return the terrain that lies under all others: the clear one, else the commonest."""
    roles = map_.kinds.roles("terrain")
    counts = Counter(ground.terrain for ground in map_.hexes.values())
    clear = [kind for kind, role in roles.items() if role == "clear"]
    if clear:
        return max(clear, key=lambda kind: (counts[kind], kind))
    dry = [kind for kind in counts if roles.get(kind) not in STANDING_WATER] or list(counts)
    return max(dry, key=lambda kind: (counts[kind], kind))


def ground_colour(map_: HexMap, looks: Looks, hex_: Hex) -> str:
    """Return the colour that fills the centre of a hex, before marks, symbols and names."""
    ground = map_[hex_]
    look = looks.terrain(ground.terrain)
    heights = level_range(map_)
    if heights is None:
        return look.fill
    level = heights[0] if ground.level is None else ground.level
    return mixed(level_tint(looks.style.levels, level, *heights), look.fill, look.over_levels)


def draw_levels(sheet: Sheet, ground: Ground) -> None:
    """Paint the base, then every level over the one below."""
    left, top, right, bottom = ground.frame.land
    sheet.add("rect", x=left, y=top, width=right - left, height=bottom - top, fill=ground.base)
    if ground.level_range is None:
        return
    tints = ground.looks.style.levels
    for level, region in ground.levels:
        fill = level_tint(tints, level, *ground.level_range)
        for piece in _pieces(region):
            sheet.path(piece, fill=fill, fill_rule="evenodd")


def draw_terrain(sheet: Sheet, ground: Ground, *, hatched: bool, standing_water: bool) -> None:
    """Fill the dry terrain, or else lakes and sea; hatch them, draw edges and lining.

    A harbour town whose outline reaches into the water is drawn after it.
    """
    pitch = ground.frame.pitch
    for kind, region in ground.terrain:
        if (kind in ground.water or kind in ground.harbours) != standing_water:
            continue
        look = ground.look(kind)
        cover = look.over_levels if ground.level_range else 1.0
        for piece in _pieces(region):
            if cover > 0:
                # The stroke closes the hair of base colour that smoothing leaves at an edge.
                seam: dict[str, Value] = {}
                if cover == 1:
                    seam = {"stroke": look.fill, "stroke_width": 0.012 * pitch}
                sheet.path(
                    piece,
                    fill=look.fill,
                    fill_rule="evenodd",
                    fill_opacity=cover if cover < 1 else None,
                    **seam,
                )
        if hatched and look.hatch:
            draw_hatching(sheet, look.hatch, region.geometry, pitch)
        if look.edge:
            for ring in region.rings:
                sheet.path(
                    polygon(ring[:-1]),
                    fill="none",
                    stroke=look.edge,
                    stroke_width=look.edge_width * pitch,
                    stroke_linejoin="round",
                )
        _draw_lining(sheet, look, ground, region)


def draw_texture(sheet: Sheet, ground: Ground, clearings: Clearings) -> None:
    """Strew the marks of every terrain over it."""
    outlined = set(_outlines(ground.frame.map_))
    for index, (kind, region) in enumerate(ground.terrain):
        marks_of = ground.look(kind).marks
        if not marks_of:
            continue
        area: BaseGeometry = region.geometry
        above = [other.geometry for k, other in ground.terrain[index + 1 :] if k in outlined]
        if above:
            area = area.difference(shapely.union_all(above))
        for number, marks in enumerate(marks_of):
            points = strewn(ground.frame, area, marks, clearings, salt=index * 17 + number * 5)
            draw_marks(sheet, ground.frame, marks, points)


def draw_margin(sheet: Sheet, ground: Ground, paper: str) -> None:
    """Cover what runs over the edge of the map with the paper around it."""
    frame, land = ground.frame, ground.land
    left, top, right, bottom = frame.land
    # As far as a road or river that was drawn for a bigger sheet may run.
    grow = 2 * frame.pitch + max(frame.width_px, frame.height_px)
    around = polygon(
        [
            (left - grow, top - grow),
            (right + grow, top - grow),
            (right + grow, bottom + grow),
            (left - grow, bottom + grow),
        ]
    )
    sheet.path(around + land.path, fill=paper, fill_rule="evenodd")


def _outlines(map_: HexMap) -> dict[str, list[Shape]]:
    known = map_.kinds.ids("terrain") | map_.kinds.ids("features")
    found: dict[str, list[Shape]] = defaultdict(list)
    for shape in map_.shapes:
        if shape.form == "outline" and shape.kind in known:
            found[shape.kind].append(shape)
    return found


def _pieces(region: Region) -> Iterator[str]:
    """Yield the region in pieces that lie apart: each is rasterised within its own bounds."""
    if len(region.rings) < 4:
        yield region.path
        return
    geometry = region.geometry
    parts = geometry.geoms if isinstance(geometry, MultiPolygon) else [geometry]
    for part in parts:
        if isinstance(part, Polygon):
            rings = [part.exterior, *part.interiors]
            yield "".join(polygon(list(ring.coords)[:-1]) for ring in rings)


def _draw_lining(sheet: Sheet, look: TerrainLook, ground: Ground, region: Region) -> None:
    """Lines inside the shore, each fainter than the one before; the map's edge is no shore."""
    if not (look.lining and look.lining_colour):
        return
    pitch, water = ground.frame.pitch, region.geometry
    rim = water.boundary.difference(ground.land.geometry.buffer(-0.05 * pitch))
    if not rim.is_empty:
        water = water.union(rim.buffer(1.2 * max(look.lining) * pitch))
    for index, inset in enumerate(look.lining):
        inner = water.buffer(-inset * pitch, quad_segs=3).simplify(0.01 * pitch)
        lines = inner.boundary.intersection(region.geometry)
        for line in shapely.get_parts(lines):
            if isinstance(line, LineString) and not line.is_empty:
                sheet.path(
                    polyline(list(line.coords)),
                    fill="none",
                    stroke=look.lining_colour,
                    stroke_width=0.014 * pitch,
                    stroke_opacity=round(0.75 * (1 - index / len(look.lining)) + 0.15, 2),
                )
