import numpy as np
import pytest
import shapely
from shapely import Polygon

from mapkit.depiction import Depiction
from mapkit.document.shapes import dump_shapes, parse_shapes
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.kinds import Kinds
from mapkit.model import Ground, HexMap, Provenance
from mapkit.numbering import Axis, Numbering
from mapkit.scan.area_outlines import area_outlines
from mapkit.scan.sheet import FlatSheet
from tests.mapkit.scan.printed import hexes_within, printed

GRID = Grid.regular("flat", pitch_px=40, first_px=(60, 60))
HEXES = hexes_within(GRID, 14, 11)
SIZE = (620, 560)
WOODS = shapely.Point(330, 300).buffer(120).difference(shapely.Point(330, 300).buffer(48))
HILL = [shapely.Point(180, 250).buffer(140), shapely.Point(180, 250).buffer(70)]


def land() -> np.ndarray:
    """Return fields with a ring of woods, on a hill of two steps."""
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5
    colours = np.full((SIZE[1], SIZE[0], 3), (225.0, 215.0, 175.0))
    for step in HILL:
        colours[shapely.contains_xy(step, x, y)] -= (12, 28, 30)
    woods = shapely.contains_xy(WOODS, x, y)
    colours[woods] = 0.7 * np.array((90, 150, 80)) + 0.3 * colours[woods]
    colours += np.random.default_rng(2).normal(0, 5, colours.shape)
    return np.clip(colours, 0, 255).astype(np.uint8)


def ground_of(hex_: Hex) -> Ground:
    at = shapely.Point(GRID.centre(hex_))
    level = 1 + sum(step.contains(at) for step in HILL)
    stated = {"terrain": Provenance("scan", 0.98), "level": Provenance("scan", 0.9)}
    return Ground("woods" if WOODS.contains(at) else "clear", level, provenance=stated)


@pytest.fixture(scope="module")
def drawn():
    sheet = FlatSheet(printed(GRID, HEXES, (90, 85, 80), land()), GRID, tuple(HEXES))
    return area_outlines(sheet, {hex_: ground_of(hex_) for hex_ in HEXES})


def common(shapes, true) -> float:
    found = shapely.union_all([Polygon(s.rings[0], s.rings[1:]) for s in shapes])
    return found.intersection(true).area / found.union(true).area


def test_outlines_follow_the_drawing_and_not_the_hexes(drawn):
    woods = [shape for shape in drawn if shape.kind == "woods"]
    assert common(woods, WOODS) > 0.9
    assert len(woods[0].rings) == 2  # with the glade within
    hexes = shapely.union_all(
        [shapely.Point(GRID.centre(h)).buffer(21) for h in HEXES if ground_of(h).terrain == "woods"]
    )
    assert common(woods, WOODS) > common(woods, hexes)


def test_a_level_holds_what_is_as_high_or_higher(drawn):
    levels = {shape.level for shape in drawn if shape.kind == "level"}
    assert levels == {2, 3}
    for level, true in zip((2, 3), HILL, strict=True):
        shapes = [s for s in drawn if s.kind == "level" and s.level == level]
        assert common(shapes, true) > 0.85


def test_they_are_valid_sure_of_themselves_and_small(drawn):
    assert "clear" not in {shape.kind for shape in drawn}  # what lies everywhere has no outline
    assert all(Polygon(s.rings[0], s.rings[1:]).is_valid for s in drawn)
    assert all(shape.provenance.source == "scan" for shape in drawn)
    assert min(s.provenance.confidence for s in drawn if s.kind == "woods") > 0.9
    assert sum(len(ring) for shape in drawn for ring in shape.rings) < 400
    assert parse_shapes(dump_shapes(drawn), "shapes") == drawn


def test_a_sheet_of_one_kind_has_none():
    sheet = FlatSheet(land(), GRID, tuple(HEXES))
    assert area_outlines(sheet, dict.fromkeys(HEXES, Ground("clear"))) == ()


def test_sight_is_judged_by_them(drawn):
    digits = Axis(digits=2)
    map_ = HexMap(
        GRID,
        Numbering(straight="columns", columns=digits, rows=digits),
        {hex_: ground_of(hex_) for hex_ in HEXES},
        Kinds().with_ids("terrain", iter(("clear", "woods"))),
        shapes=drawn,
    )
    depiction = Depiction(map_)

    def verdict(a: tuple[float, float], b: tuple[float, float]) -> str:
        ends = (GRID.hex_at(*a), GRID.hex_at(*b))
        return depiction.sight(
            *ends, blocks=lambda shape: shape.kind == "woods", uncertainty_px=2
        ).verdict

    assert verdict((130, 300), (500, 300)) == "blocked"
    assert verdict((130, 100), (500, 100)) == "clear"
