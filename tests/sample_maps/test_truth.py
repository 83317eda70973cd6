"""The sample maps: hexes, hexsides and links say what the drawn outlines and lines show."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
import shapely
from shapely import LineString, Polygon, STRtree

import sample_maps
from mapkit.check import check_map
from mapkit.hexes import Hex, Hexside, Link, Vertex, hexsides, neighbours
from mapkit.kinds import CROSSINGS, STANDING_WATER, WATERCOURSES
from mapkit.model import HexMap
from sample_maps.catalogue import SAMPLES
from sample_maps.places import front

NAMES = ("alpine", "front", "hills", "valley", "valley_guns")
WARNINGS = 0  # the check finds nothing to ask about

every_map = pytest.mark.parametrize("name", NAMES)


@dataclass
class Truth:
    """A sample map with its shapes as shapely sees them."""

    map: HexMap
    outlines: dict[str, list[Polygon]] = field(default_factory=lambda: defaultdict(list))
    contours: dict[int, list[Polygon]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[str, list[LineString]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self):
        for shape in self.map.shapes:
            if shape.form == "line":
                self.lines[shape.kind].append(LineString(shape.rings[0]))
            elif shape.form == "outline":
                polygon = Polygon(shape.rings[0], shape.rings[1:])
                if shape.kind == "level":
                    self.contours[shape.level].append(polygon)
                else:
                    self.outlines[shape.kind].append(polygon)

    def centres(self):
        return np.array([self.map.grid.centre(hex_) for hex_ in self.map.hexes])

    def kinds_with(self, group, roles):
        return {kind for kind, role in self.map.kinds.roles(group).items() if role in roles}

    def sides_with(self, roles):
        kinds = self.kinds_with("hexsides", roles)
        return {
            side
            for side, features in self.map.hexsides.items()
            if any(feature.kind in kinds for feature in features)
        }

    def segment(self, side: Hexside) -> LineString:
        return LineString([self.map.grid.corner(vertex) for vertex in side.vertices])


@cache
def truth(name) -> Truth:
    return Truth(sample_maps.load(name))


def covered(polygons, points):
    """Tell for each point whether one of the polygons covers it."""
    found = np.zeros(len(points), dtype=bool)
    tree = STRtree(shapely.points(points))
    for polygon in polygons:
        found[tree.query(polygon, predicate="contains")] = True
    return found


def test_all_maps_are_there():
    assert sample_maps.names() == NAMES == tuple(SAMPLES)


@every_map
def test_nothing_to_ask_about(name):
    problems = check_map(truth(name).map)
    assert len(problems) <= WARNINGS, [problem.message for problem in problems]


@every_map
def test_the_level_at_the_centre_is_that_of_the_contours(name):
    here = truth(name)
    if not here.contours:
        assert all(ground.level is None for ground in here.map.hexes.values())
        return
    levels = np.array([ground.level for ground in here.map.hexes.values()])
    lowest = levels.min()
    assert sorted(here.contours) == list(range(lowest + 1, levels.max() + 1))
    shown = lowest + sum(
        covered(polygons, here.centres()).astype(int) for polygons in here.contours.values()
    )
    assert (shown == levels).all()


@every_map
def test_the_terrain_at_the_centre_is_that_of_the_outlines(name):
    here = truth(name)
    terrain = np.array([ground.terrain for ground in here.map.hexes.values()])
    base = here.map.kinds.terrain[0].id
    outlined = np.zeros(len(terrain), dtype=int)
    for kind in here.map.kinds.terrain:
        inside = covered(here.outlines.get(kind.id, []), here.centres())
        outlined += inside
        assert (inside == (terrain == kind.id)).all() or kind.id == base
    assert ((outlined == 0) == (terrain == base)).all()
    assert outlined.max() == 1


@every_map
def test_outlines_are_sound(name):
    here = truth(name)
    for polygons in [*here.outlines.values(), *here.contours.values()]:
        assert all(polygon.is_valid for polygon in polygons)


@every_map
def test_no_outline_passes_near_a_centre(name):
    here = truth(name)
    rings = [
        polygon.boundary
        for kind, polygons in [*here.outlines.items(), *here.contours.items()]
        for polygon in polygons
        if kind in here.map.kinds.ids("terrain") or isinstance(kind, int)
    ]
    centres = shapely.points(here.centres())
    near = STRtree(centres).query(rings, predicate="dwithin", distance=5.0)
    assert near.size == 0


@every_map
def test_terrain_crosses_the_hexes_as_on_printed_maps(name):
    """In a fifth of the hexes at a border, other terrain covers at least 15 % of the hex."""
    here = truth(name)
    hexes = here.map.hexes
    border = [
        hex_
        for hex_, ground in hexes.items()
        if any(o in hexes and hexes[o].terrain != ground.terrain for o in neighbours(hex_))
    ]
    own = {kind.id: here.outlines.get(kind.id, []) for kind in here.map.kinds.terrain}
    polygons = np.array([polygon for some in own.values() for polygon in some])
    kinds = np.array([kind for kind, some in own.items() for _ in some])
    shapely.prepare(polygons)
    cells = shapely.polygons([here.map.grid.polygon(hex_) for hex_ in border])
    at, which = STRtree(polygons).query(cells, predicate="intersects")
    areas = shapely.area(shapely.intersection(cells[at], polygons[which]))
    terrain = np.array([hexes[hex_].terrain for hex_ in border])
    foreign = np.bincount(at, np.where(kinds[which] == terrain[at], 0, areas), len(border))
    outlined = np.bincount(at, areas, len(border))
    whole = shapely.area(cells)
    base = here.map.kinds.terrain[0].id
    foreign += np.where(terrain == base, 0, np.maximum(whole - outlined, 0))
    share = (foreign / whole >= 0.15).mean()
    assert share >= 0.2, share


@every_map
def test_neighbours_alike_are_drawn_as_one(name):
    """Between two hexes of a terrain no bare ground shows, and no lower level, far from water."""
    here = truth(name)
    hexes = here.map.hexes
    wet = here.sides_with(WATERCOURSES)
    base = here.map.kinds.terrain[0].id
    dry = [
        side
        for side in sorted({side for hex_ in hexes for side in hexsides(hex_)} - wet)
        if side.a in hexes
        and side.b in hexes
        and not any(other in wet for vertex in side.vertices for other in vertex.hexsides)
    ]
    middles = np.array([here.segment(side).centroid.coords[0] for side in dry])
    outlined = np.zeros(len(dry), dtype=bool)
    tree = STRtree(shapely.points(middles))
    for kind in here.map.kinds.terrain:
        for polygon in here.outlines.get(kind.id, []):
            # Where two terrains meet on the spot, a seam of a pixel or two is no gap.
            outlined[tree.query(polygon, predicate="dwithin", distance=2.0)] = True
    alike = np.array([hexes[s.a].terrain == hexes[s.b].terrain != base for s in dry])
    assert alike.sum() > 50
    assert [here.map.label(dry[i].a) for i in np.flatnonzero(alike & ~outlined)] == []
    if here.contours:
        lowest = min(ground.level for ground in hexes.values())
        shown = lowest + sum(covered(c, middles).astype(int) for c in here.contours.values())
        least = np.array([min(hexes[side.a].level, hexes[side.b].level) for side in dry])
        assert [here.map.label(dry[i].a) for i in np.flatnonzero(shown < least)] == []


@every_map
def test_water_runs_on_to_the_edge_or_into_a_lake(name):
    here = truth(name)
    standing = here.kinds_with("terrain", STANDING_WATER)
    net: dict[Vertex, set[Vertex]] = defaultdict(set)
    for side in here.sides_with(WATERCOURSES):
        one, other = side.vertices
        net[one].add(other)
        net[other].add(one)
    reached = {
        vertex
        for vertex in net
        if any(h not in here.map.hexes or here.map.hexes[h].terrain in standing for h in vertex)
    }
    open_ = list(reached)
    while open_:
        for other in net[open_.pop()] - reached:
            reached.add(other)
            open_.append(other)
    assert reached == net.keys()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "front"])
def test_water_runs_downhill(name):
    """Along a drawn watercourse, from its source on, the contours never rise."""
    here = truth(name)
    for kind in here.kinds_with("hexsides", WATERCOURSES):
        for line in here.lines[kind]:
            points = np.array(line.segmentize(8.0).coords)
            levels = sum(covered(some, points).astype(int) for some in here.contours.values())
            assert (np.diff(levels) <= 0).all(), (kind, line.coords[0], levels)


@every_map
def test_water_is_drawn_along_its_hexsides_and_nowhere_else(name):
    here = truth(name)
    pitch = here.map.grid.pitch_px(Hex(0, 0))
    for kind in here.kinds_with("hexsides", WATERCOURSES):
        sides = [s for s, fs in here.map.hexsides.items() if any(f.kind == kind for f in fs)]
        drawn = shapely.union_all(here.lines[kind])
        bed = shapely.union_all([here.segment(side) for side in sides])
        assert not sides or drawn.hausdorff_distance(bed) < 0.3 * pitch


@every_map
def test_ways_cross_the_hexsides_of_their_links_and_no_others(name):
    here = truth(name)
    sides = sorted({side for hex_ in here.map.hexes for side in hexsides(hex_)})
    tree = STRtree([here.segment(side) for side in sides])
    for kind in here.map.kinds.ids("links"):
        links = {k for k, fs in here.map.links.items() if any(f.kind == kind for f in fs)}
        drawn = np.array(here.lines[kind], dtype=object)
        _, crossed = tree.query(drawn, predicate="intersects")
        assert {Link(*sides[index]) for index in crossed} == links


@every_map
def test_every_way_leads_somewhere_and_every_town_lies_on_one(name):
    here = truth(name)
    net: dict[Hex, set[Hex]] = defaultdict(set)
    for link in here.map.links:
        net[link.a].add(link.b)
        net[link.b].add(link.a)
    for hex_, others in net.items():
        if len(others) == 1:
            assert hex_ not in here.map.hexes or here.map.hexes[hex_].features
    towns = here.kinds_with("features", {"city", "town", "village"})
    if name == "front":  # the small towns of the wide map have no railway
        towns = here.kinds_with("features", {"city"})
    for hex_, ground in here.map.hexes.items():
        if any(feature.kind in towns for feature in ground.features):
            assert hex_ in net, here.map.label(hex_)


@every_map
def test_every_way_over_water_has_a_crossing_and_every_crossing_a_way(name):
    here = truth(name)
    water = here.sides_with(WATERCOURSES)
    crossings = here.sides_with(CROSSINGS)
    assert crossings == {Hexside(*link) for link in here.map.links} & water


@every_map
def test_crags_and_trenches_stand_where_they_can(name):
    here = truth(name)
    water = here.sides_with(WATERCOURSES)
    for side, features in here.map.hexsides.items():
        for feature in features:
            if feature.kind == "crags":
                assert here.map[side.a].level != here.map[side.b].level
                assert side not in water
                assert Link(*side) not in here.map.links
            if feature.kind == "trench":
                assert feature.facing in side
                assert feature.owner
                assert feature.value in (1, 2, 3)


@every_map
def test_a_name_stands_for_one_place(name):
    """The hexes that share a name touch each other: one town, not two."""
    here = truth(name)
    where: dict[str, set[Hex]] = defaultdict(set)
    for hex_, ground in here.map.hexes.items():
        for feature in ground.features:
            if feature.name:
                where[feature.name].add(hex_)
    assert len(where) >= 4
    for place, hexes in where.items():
        assert connected({h: set(neighbours(h)) & hexes for h in hexes}) == [hexes], place


@every_map
def test_all_ways_make_one_net(name):
    here = truth(name)
    net: dict[Hex, set[Hex]] = defaultdict(set)
    for link in here.map.links:
        net[link.a].add(link.b)
        net[link.b].add(link.a)
    assert connected(net) == [net.keys()]


def test_water_of_the_map_without_levels_runs_downhill_too():
    """Its terrain has no contours, so the generator's own height is asked, to a tenth."""
    land, height = SAMPLES["front"].land, front.heights(SAMPLES["front"].land)
    for line in truth("front").lines["river"]:
        heights = np.array(land.sample(height, line.coords))
        assert (heights - np.minimum.accumulate(heights)).max() < 0.1


def connected(net):
    """Return the parts of a net, given as the neighbours of each node."""
    left, parts = set(net), []
    while left:
        part = {left.pop()}
        open_ = list(part)
        while open_:
            fresh = net[open_.pop()] - part
            part |= fresh
            open_ += fresh
        left -= part
        parts.append(part)
    return parts
