"""Every river and every road of the samples can be seen in its own colour, in every style."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from shapely import union_all
from shapely.geometry import Point

import sample_maps
from mapkit.drawing.frame import Frame, corner_hexes, side_corners
from mapkit.drawing.furniture import FURNITURE
from mapkit.drawing.layers import ALL_LAYERS
from mapkit.drawing.network import Network
from mapkit.drawing.picture import draw_map
from mapkit.drawing.raster import rasterise
from mapkit.drawing.style import LineLook, Looks, Style, load_style, style_names
from mapkit.drawing.terrain import Ground
from mapkit.grid import Grid
from mapkit.hexes import Hexside, hexsides
from mapkit.kinds import STANDING_WATER, WATERCOURSES
from mapkit.model import HexMap
from mapkit.sheets import crop

PITCH = 60.0
# A part of each map: its first column and row, and how many.
PATCHES = {
    "alpine": (0, 32, 10, 9),
    "front": (12, 13, 10, 9),
    "hills": (21, 1, 9, 9),
    "valley": (20, 0, 9, 9),
    "valley_guns": (5, 2, 9, 8),
}
SHOWN = ALL_LAYERS - FURNITURE
ABOVE = frozenset({"numbers", "names", "symbols", "trenches", "bridges", "borders"})
LINES = frozenset({"water", "roads"})
SAME = 12  # of 255: the colour itself, where a line is wide enough to show it
NEAR = 0.45  # of the way from a thin line's own colour to what lies below it
LEAST_PX = 3


@cache
def sample(name, whole):
    map_ = sample_maps.load(name)
    if whole:
        return map_
    left, top, columns, rows = PATCHES[name]
    return crop(
        map_,
        [
            hex_
            for hex_ in map_.hexes
            for column, row in [map_.numbering.position(hex_)]
            if left <= column < left + columns and top <= row < top + rows
        ],
    )


def raster(drawing):
    return np.asarray(Image.open(BytesIO(rasterise(drawing))).convert("RGB"))


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


@dataclass(frozen=True, eq=False)
class Pictures:
    """One map drawn with everything, without what lies above its lines, and without them."""

    map_: HexMap
    looks: Looks
    grid: Grid
    whole: np.ndarray
    bare: np.ndarray
    ground: np.ndarray

    def expected(self):
        """Yield every watercourse and way that the truth has between two hexes of the map."""
        map_ = self.map_
        inner = {s for h in map_.hexes for s in hexsides(h) if {*s} <= map_.hexes.keys()}
        crossed = {Hexside(*link) for link in map_.links}
        for side, features in map_.hexsides.items():
            for feature in features:
                if self.looks.role("hexsides", feature.kind) in WATERCOURSES and side in inner:
                    # A road hides the middle of the hexside it crosses: look to its ends.
                    part = (0.02, 0.98) if side in crossed else (0.3, 0.7)
                    look = self.looks.hexside(feature.kind)
                    yield Line("water", side, feature.kind, look, part, 0.25)
        for link, features in map_.links.items():
            side = Hexside(*link)
            for feature in features:
                if side in inner:
                    look = self.looks.link(feature.kind)
                    yield Line("roads", side, feature.kind, look, (0.02, 0.98), 0.12)

    def unseen(self, picture, group=None):
        """Return what the truth has and a picture does not show in its own colour."""
        return [
            line
            for line in self.expected()
            if group in (None, line.group) and not self.shows(picture, line)
        ]

    def shows(self, picture, line):
        x, y = self.pixels(line)
        off = picture[y, x] - rgb(line.look.colour)
        if line.look.casing:  # halfway from its bank to the ground would be near its colour, too
            return (np.abs(off).max(axis=1) <= SAME).sum() >= LEAST_PX
        below = self.ground[y, x] - rgb(line.look.colour)
        near = np.linalg.norm(off, axis=1) <= NEAR * np.linalg.norm(below, axis=1)
        return near.sum() >= LEAST_PX

    def covered(self, line):
        """Tell whether a name, a number, a bridge or a trench lies on that hexside."""
        x, y = self.pixels(line)
        return np.abs(self.whole[y, x].astype(int) - self.bare[y, x]).max(axis=1).mean() > 8

    def pixels(self, line):
        """Return the pixels along a hexside and a little to either side of it, each once."""
        a, b = (np.array(self.grid.corner(corner)) for corner in line.side.vertices)
        across = np.array([a[1] - b[1], b[0] - a[0]])
        across = across / np.hypot(*across) * PITCH
        t = np.linspace(*line.part, 40)[:, None, None]
        s = np.linspace(-line.reach, line.reach, 1 + int(3 * line.reach * PITCH))[None, :, None]
        places = np.floor(a + t * (b - a) + s * across).astype(int).reshape(-1, 2)
        return np.unique(places, axis=0).T


@dataclass(frozen=True)
class Line:
    """A watercourse or a way on one hexside: which part of it to look at, how far beside it."""

    group: str
    side: Hexside
    kind: str
    look: LineLook
    part: tuple[float, float]
    reach: float


def pictures(map_: HexMap, style: Style, *, lettered=True):
    """Draw the three pictures; a whole map takes long enough without its lettering."""
    wanted = [SHOWN - ABOVE, SHOWN - ABOVE - LINES] + ([SHOWN] if lettered else [])
    drawings = [draw_map(map_, style, layers=layers, hex_px=PITCH) for layers in wanted]
    bare, ground, *rest = map(raster, drawings)
    whole = rest[0] if rest else bare
    return Pictures(map_, Looks(style, map_.kinds), drawings[0].grid, whole, bare, ground)


@cache
def part(name, style):
    return pictures(sample(name, whole=False), load_style(style))


every_map = pytest.mark.parametrize("name", PATCHES)
every_style = pytest.mark.parametrize("style", style_names())


def check(seen: Pictures):
    """Hold a map to its truth: without lettering nothing is missing, with it next to nothing."""
    wanted = list(seen.expected())
    assert {line.group for line in wanted} == LINES
    assert seen.unseen(seen.bare) == []
    hidden = seen.unseen(seen.whole)
    assert all(map(seen.covered, hidden)), hidden
    assert len(hidden) <= 2 + 0.02 * len(wanted)


@every_map
@every_style
def test_every_river_and_road_of_a_part_shows_its_own_colour(name, style):
    check(part(name, style))


@pytest.mark.slow
@pytest.mark.no_cover  # the parts are covered; whole maps take their time
@every_map
@every_style
def test_every_river_and_road_of_a_whole_map_shows_its_own_colour(name, style):
    check(pictures(sample(name, whole=True), load_style(style), lettered=False))


@every_map
@every_style
def test_without_its_layer_no_river_and_no_road_is_seen(name, style):
    here = part(name, style)
    assert len(here.unseen(here.ground)) == len(list(here.expected()))


@pytest.mark.parametrize(("name", "kind"), [("alpine", "river"), ("valley", "great_river")])
def test_the_colour_of_the_banks_is_not_taken_for_water(name, kind):
    here = part(name, "plain")
    looks = here.looks.style.hexsides
    banks = {kind: looks[kind].model_copy(update={"colour": looks[kind].casing})}
    only_banks = here.looks.style.model_copy(update={"hexsides": looks | banks})
    picture = raster(draw_map(here.map_, only_banks, layers=SHOWN - ABOVE, hex_px=PITCH))
    cased = [line for line in here.expected() if line.kind == kind]
    assert len(cased) > 9
    assert not any(here.shows(picture, line) for line in cased)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("alpine", "river"), ("hills", "stream"), ("front", "rail"), ("valley", "road")],
)
def test_one_line_less_is_noticed(name, kind):
    """The longest river, or road, of a part is not drawn: its hexsides are missed, no others."""
    here = part(name, "textured")
    map_ = here.map_
    drawn = [shape for shape in map_.shapes if shape.kind == kind]

    def length(shape):
        return sum(map_.grid.hex_at(x, y) in map_.hexes for x, y in shape.rings[0])

    lost = max(drawn, key=length)
    fewer = replace(map_, shapes=tuple(shape for shape in map_.shapes if shape is not lost))
    missed = here.unseen(
        raster(draw_map(fewer, here.looks.style, layers=SHOWN - ABOVE, hex_px=PITCH))
    )
    assert len(missed) >= 2
    assert {line.kind for line in missed} == {kind}


@every_style
def test_rivers_open_into_the_lakes_and_the_sea(style):
    """A shore that is drawn freely may lie off the hexside where the truth has the mouth."""
    map_ = sample_maps.load("front")
    looks = Looks(load_style(style), map_.kinds)
    frame = Frame.around(map_, hex_px=PITCH, margin=0.5)
    network = Network(frame, looks)
    still = [
        region.geometry
        for kind, region in Ground(frame, looks).terrain
        if looks.role("terrain", kind) in STANDING_WATER
    ]
    corners = Counter(
        corner
        for side, features in map_.hexsides.items()
        if any(looks.role("hexsides", feature.kind) in WATERCOURSES for feature in features)
        for corner in side_corners(side)
    )
    mouths = [
        Point(frame.corner(corner)).buffer(0.5 * PITCH)
        for corner, count in corners.items()
        if count == 1
        and any(
            looks.role("terrain", map_.hexes[hex_].terrain) in STANDING_WATER
            for hex_ in corner_hexes(corner)
            if hex_ in map_.hexes
        )
    ]
    assert len(mouths) > 8
    water = union_all(still)
    for near in mouths:
        assert any(line.intersection(near).intersects(water) for line, _ in network.beds)
