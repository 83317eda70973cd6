"""Drawn outlines: the three verdicts, the same both ways, anywhere, on any sheet."""

import math
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.depiction import Depiction, DepictionError, depicted_sight
from mapkit.depiction.canvas import HEX_UNITS
from mapkit.depiction.picture import draw_depicted_sight
from mapkit.drawing.raster import rasterise
from mapkit.errors import UnknownHexError
from mapkit.grid import Grid
from mapkit.hexes import Hex, vertex
from mapkit.lines import LinePoint
from mapkit.model import HexMap, Shape
from mapkit.sheets import crop, turn
from tests.boards import board, field

BOARD = board(*field(9, 8))
# On this board hex 0101 lies at (60, 60) and 0106 at (60, 360): a line straight down.
TOP, BOTTOM = BOARD.hex("0101"), BOARD.hex("0106")


def every(shape: Shape) -> bool:
    return True


def drawn(*shapes: Shape, on: HexMap = BOARD) -> HexMap:
    return replace(on, shapes=shapes)


def outline(*points: tuple[float, float], kind: str = "woods", holes=()) -> Shape:
    rings = [(*ring, ring[0]) for ring in (points, *holes)]
    return Shape(kind, "outline", tuple(rings))


def box(left, top, right, bottom, **more) -> Shape:
    return outline((left, top), (right, top), (right, bottom), (left, bottom), **more)


def down(map_: HexMap, uncertainty_px: float):
    return depicted_sight(map_, TOP, BOTTOM, blocks=every, uncertainty_px=uncertainty_px)


@pytest.mark.parametrize(
    ("shape", "uncertainty_px", "verdict", "as_drawn"),
    [
        pytest.param(box(65, 100, 99, 300), 4.9, "clear", "clear", id="passed by 5 px"),
        pytest.param(box(65, 100, 99, 300), 5.1, "too_close", "clear", id="not surely passed"),
        pytest.param(box(50, 100, 99, 300), 9.9, "blocked", "blocked", id="10 px deep"),
        pytest.param(box(50, 100, 99, 300), 10.1, "too_close", "blocked", id="not surely deep"),
        pytest.param(box(60, 100, 99, 300), 0, "too_close", "clear", id="along an edge"),
        pytest.param(outline((60, 200), (99, 150), (99, 250)), 0, "too_close", "clear", id="touch"),
        pytest.param(box(59.9, 100, 99, 300), 0, "blocked", "blocked", id="a hair inside"),
        pytest.param(box(60.1, 100, 99, 300), 0, "clear", "clear", id="a hair outside"),
        pytest.param(box(20, 400, 99, 450), 39, "clear", "clear", id="behind the target"),
        pytest.param(box(20, 20, 99, 450), 38, "blocked", "blocked", id="both ends inside"),
    ],
)
def test_verdicts(shape, uncertainty_px, verdict, as_drawn):
    sight = down(drawn(shape), uncertainty_px)
    assert (sight.verdict, sight.as_drawn) == (verdict, as_drawn)


def test_the_whole_working():
    sight = down(drawn(box(50, 120, 99, 240), box(72, 100, 99, 300), box(300, 0, 400, 90)), 2)
    (met,) = sight.met
    assert float(met.runs[0].start) == pytest.approx(0.2, abs=1e-4)
    assert float(met.runs[0].end) == pytest.approx(0.6, abs=1e-4)
    assert met.part == met.runs[0].end - met.runs[0].start
    assert met.depth_px == pytest.approx(10, abs=0.03)
    assert met.runs_px[0][0] == pytest.approx((60, 120), abs=0.03)
    assert met.deepest_px[0] == pytest.approx(60)
    (near,) = sight.near
    assert near.distance_px == pytest.approx(12, abs=0.03)
    assert (near.distance_squared.denominator, near.sure) == (1, True)
    assert near.between_px[1][0] == pytest.approx(72, abs=0.03)
    assert sight.line_px == (BOARD.grid.centre(TOP), BOARD.grid.centre(BOTTOM))
    assert sight.margin_px == met.depth_px
    assert sight.margin_hexes == pytest.approx(10 / 60, abs=1e-3)
    assert sight.margin_mm is None
    assert 0 < sight.rounding_px < 0.02


def test_the_margin_on_paper():
    grid = replace(BOARD.grid, hex_mm=15.0)
    sight = down(drawn(box(72, 100, 99, 300), on=replace(BOARD, grid=grid)), 2)
    assert sight.margin_mm == pytest.approx(12 / 60 * 15, abs=0.01)


def test_far_outlines_are_not_told_and_others_not_asked():
    far, other = box(125, 0, 140, 400), box(50, 100, 70, 120, kind="road")
    map_ = drawn(far, other, Shape("river", "line", (((0.0, 0.0), (99.0, 300.0)),)))
    sight = depicted_sight(
        map_, TOP, BOTTOM, blocks=lambda shape: shape.kind == "woods", uncertainty_px=1
    )
    assert (sight.verdict, sight.met, sight.near, sight.margin_px) == ("clear", (), (), None)
    wide = depicted_sight(
        map_, TOP, BOTTOM, blocks=lambda shape: shape.kind == "woods", uncertainty_px=66
    )
    assert (wide.verdict, len(wide.near)) == ("too_close", 1)


def test_through_a_hole_is_clear_and_a_hole_counts_for_depth():
    hole = ((30, 20), (90, 20), (90, 400), (30, 400))
    ring_wood = box(0, 0, 200, 450, holes=[hole])
    assert down(drawn(ring_wood), 20).verdict == "clear"
    assert down(drawn(ring_wood), 31).verdict == "too_close"
    narrow = box(0, 0, 200, 450, holes=[((70, 20), (90, 20), (90, 400), (70, 400))])
    assert down(drawn(narrow), 9.9).verdict == "blocked"
    assert down(drawn(narrow), 10.1).verdict == "too_close"


def test_from_vertices_and_free_points():
    depiction = Depiction(drawn(box(62, 100, 99, 300)))
    edge = vertex(TOP, 1)  # to the right of the centre: (77.3, 30) or so
    seen = depiction.sight(edge, BOTTOM, blocks=every, uncertainty_px=0.1)
    assert seen.verdict == "blocked"
    peak = LinePoint(Fraction(-1, 7), Fraction(1, 11))
    seen = depiction.sight(peak, BOTTOM, blocks=every, uncertainty_px=0.1)
    assert (seen.verdict, seen.a) == ("clear", peak)
    assert seen.line_px[0] == pytest.approx(BOARD.grid.to_pixel(-1 / 7, 1 / 11))


def test_a_line_without_length_is_clear():
    map_ = drawn(box(0, 0, 300, 300))
    assert depicted_sight(map_, TOP, TOP, blocks=every, uncertainty_px=1).verdict == "clear"


def test_questions_that_make_no_sense():
    depiction = Depiction(drawn(box(0, 0, 30, 30)))
    with pytest.raises(UnknownHexError):
        depiction.sight(TOP, Hex(99, 99), blocks=every, uncertainty_px=1)
    for wrong in (-1, math.nan, math.inf):
        with pytest.raises(DepictionError, match="uncertainty"):
            depiction.sight(TOP, BOTTOM, blocks=every, uncertainty_px=wrong)
    with pytest.raises(DepictionError, match=r"the outline of Monte Orso \(woods\)"):
        Depiction(drawn(replace(box(0, 0, math.nan, 30), name="Monte Orso")))


@pytest.mark.parametrize(
    ("shape", "reason", "verdict"),
    [
        pytest.param(
            outline((50, 100), (70, 300), (50, 300), (70, 100)), "crosses", "blocked", id="bow tie"
        ),
        pytest.param(
            outline((40, 100), (90, 100), (90, 200), (90, 250), (90, 200), (40, 200)),
            "crosses or touches",
            "blocked",
            id="a spike",
        ),
        pytest.param(outline((60, 100), (60, 300), (60, 200)), "no area", "clear", id="a stroke"),
        pytest.param(outline((60, 100), (60, 100)), "no area", "clear", id="a dot"),
        pytest.param(Shape("woods", "outline", ()), "no area", "clear", id="no rings"),
        pytest.param(Shape("woods", "outline", ((),)), "no area", "clear", id="no points"),
        pytest.param(
            box(50, 100, 70, 300, holes=[((60, 150), (60, 150.001), (60, 150))]),
            "a hole without area",
            "blocked",
            id="a pinprick",
        ),
        pytest.param(
            box(50, 100, 70, 300, holes=[((40, 150), (90, 150), (90, 280), (40, 280))]),
            "crosses",
            "blocked",
            id="a hole over the edge",
        ),
    ],
)
def test_unsound_outlines_are_repaired_and_said_so(shape, reason, verdict):
    depiction = Depiction(drawn(shape))
    (repair,) = depiction.repairs
    assert reason in repair.reason
    assert repair.shape is shape
    sight = depiction.sight(TOP, BOTTOM, blocks=every, uncertainty_px=0.1)
    assert sight.verdict == verdict


def test_a_repaired_outline_is_inside_only_where_its_ring_goes_round():
    """Between the wings of a bow tie the line meets a point, and nothing else."""
    bow_tie = outline((20, 150), (100, 250), (100, 150), (20, 250))
    assert down(drawn(bow_tie), 0.1).as_drawn == "clear"
    assert down(drawn(bow_tie), 0.1).verdict == "too_close"


def test_rounding_counts_and_counts_twice_for_what_was_repaired():
    """The edge lies a unit from the line, a forty-fifth of a pixel."""
    left = 60 + 60 / HEX_UNITS
    sound = box(left, 100, 99, 300)
    spiked = outline((left, 100), (99, 100), (99, 300), (99, 350), (99, 300), (left, 300))
    assert down(drawn(sound), 0).near[0].distance_squared == 1
    assert down(drawn(spiked), 0).near[0].distance_squared == 1
    assert [down(drawn(shape), 0).verdict for shape in (sound, spiked)] == ["clear", "too_close"]


def test_an_open_ring_is_closed():
    open_ring = Shape("woods", "outline", (((50, 100), (70, 100), (70, 300), (50, 300)),))
    assert down(drawn(open_ring), 5).verdict == "blocked"
    assert Depiction(drawn(open_ring)).repairs == ()


def blob(dice: random.Random) -> Shape:
    """A jagged wood, often with a glade."""
    x, y, size = dice.uniform(60, 420), dice.uniform(60, 420), dice.uniform(8, 70)
    corners = dice.randint(3, 14)

    def around(scale: float) -> list[tuple[float, float]]:
        return [
            (x + far * math.cos(angle), y + far * math.sin(angle))
            for i in range(corners)
            for far in [size * scale * dice.uniform(0.7, 1)]
            for angle in [2 * math.pi * i / corners]
        ]

    return outline(*around(1), holes=[around(0.5)] if dice.random() < 0.4 else [])


woods = st.integers(0, 10**6).map(
    lambda seed: drawn(*(blob(dice) for dice in [random.Random(seed)] for _ in range(6)))
)
hexes = st.sampled_from(sorted(BOARD.hexes))
uncertainties = st.sampled_from([0, 0.5, 2, Fraction(7, 2), 9.0])


@settings(max_examples=100)
@given(woods, hexes, hexes, uncertainties)
def test_the_same_from_both_ends(map_, a, b, uncertainty_px):
    depiction = Depiction(map_)
    there = depiction.sight(a, b, blocks=every, uncertainty_px=uncertainty_px)
    back = depiction.sight(b, a, blocks=every, uncertainty_px=uncertainty_px)
    assert there.verdict == back.verdict
    assert there.near == back.near
    assert there.margin_px == back.margin_px
    mirrored = {
        (id(met.shape), tuple((1 - end, 1 - start) for start, end in reversed(met.runs)))
        for met in back.met
    }
    assert {(id(met.shape), met.runs) for met in there.met} == mirrored


@pytest.mark.parametrize("shape", [box(72, 0, 99, 450), box(20, 20, 99, 450)])
def test_where_all_points_are_alike_both_ends_choose_the_same(shape):
    map_ = drawn(shape)
    there = depicted_sight(map_, TOP, BOTTOM, blocks=every, uncertainty_px=1)
    back = depicted_sight(map_, BOTTOM, TOP, blocks=every, uncertainty_px=1)
    assert there.near == back.near
    assert [met.deepest_px for met in there.met] == [met.deepest_px for met in back.met]
    assert [met.deepest_at for met in there.met] == [1 - met.deepest_at for met in back.met]


@settings(max_examples=100)
@given(woods, hexes, hexes)
def test_more_uncertainty_never_makes_sure(map_, a, b):
    depiction = Depiction(map_)
    sights = [
        depiction.sight(a, b, blocks=every, uncertainty_px=px) for px in (0, 0.01, 1, 3, 10, 50)
    ]
    verdicts = [sight.verdict for sight in sights]
    sure = [verdict for verdict in verdicts if verdict != "too_close"]
    assert verdicts == sure + ["too_close"] * (len(verdicts) - len(sure))
    assert set(sure) <= {sights[0].as_drawn}
    margin = sights[0].margin_px
    for sight in sights:
        if margin is not None:
            # The stated margin is where it turns, but for rounding and the unit of the search.
            slack = 3 * sight.rounding_px + 0.001
            if float(sight.uncertainty_px) < margin - slack:
                assert sight.verdict == sight.as_drawn
            if float(sight.uncertainty_px) > margin + slack:
                assert sight.verdict == "too_close"


def agree(one, other, slack_px: float) -> None:
    """Two sights of one line on two sheets: the same but for the rounding of both."""
    for a, b in ((one, other), (other, one)):
        deep = sum(met.depth_px > slack_px for met in a.met)
        assert deep <= len(b.met)
    if one.met and other.met:
        assert one.margin_px == pytest.approx(other.margin_px, abs=slack_px)
    margin = one.margin_px
    if margin is None or abs(margin - float(one.uncertainty_px)) > slack_px:
        assert one.verdict == other.verdict


@settings(max_examples=60)
@given(woods, hexes, hexes, uncertainties, st.integers(1, 3))
def test_a_turned_sheet_gives_the_same_verdict(map_, a, b, uncertainty_px, quarters):
    one = depicted_sight(map_, a, b, blocks=every, uncertainty_px=uncertainty_px)
    there = turn(map_, quarters)
    a2, b2 = there.hex(map_.label(a)), there.hex(map_.label(b))
    other = depicted_sight(there, a2, b2, blocks=every, uncertainty_px=uncertainty_px)
    agree(one, other, 4 * one.rounding_px + 0.01)


@settings(max_examples=60)
@given(woods, hexes, hexes, uncertainties)
def test_a_cut_out_sheet_gives_the_same_verdict(map_, a, b, uncertainty_px):
    one = depicted_sight(map_, a, b, blocks=every, uncertainty_px=uncertainty_px)
    (c1, r1), (c2, r2) = map_.numbering.position(a), map_.numbering.position(b)
    part = {
        hex_
        for hex_ in map_.hexes
        for column, row in [map_.numbering.position(hex_)]
        if min(c1, c2) - 1 <= column <= max(c1, c2) + 1
        and min(r1, r2) - 1 <= row <= max(r1, r2) + 1
    }
    other = depicted_sight(crop(map_, part), a, b, blocks=every, uncertainty_px=uncertainty_px)
    assert (other.verdict, other.met) == (one.verdict, one.met)


@settings(max_examples=60)
@given(woods, hexes, hexes, uncertainties, st.integers(-30, 30), st.integers(-30, 30))
def test_renamed_hexes_give_the_same_verdict(map_, a, b, uncertainty_px, q, r):
    one = depicted_sight(map_, a, b, blocks=every, uncertainty_px=uncertainty_px)
    by = Hex(q, r)
    there = replace(
        map_,
        grid=map_.grid.moved(Hex(-q, -r)),
        hexes={hex_.moved(by): ground for hex_, ground in map_.hexes.items()},
    )
    ends = a.moved(by), b.moved(by)
    other = depicted_sight(there, *ends, blocks=every, uncertainty_px=uncertainty_px)
    agree(one, other, 4 * one.rounding_px + 0.01)


def test_the_random_woods_give_every_verdict():
    dice = random.Random("verdicts")
    ends = sorted(BOARD.hexes)
    seen = Counter(
        Depiction(drawn(*(blob(dice) for _ in range(6))))
        .sight(*dice.sample(ends, 2), blocks=every, uncertainty_px=dice.choice((0.5, 2, 9)))
        .verdict
        for _ in range(300)
    )
    assert min(seen[verdict] for verdict in ("clear", "blocked", "too_close")) > 30


def test_a_stretched_and_a_slanting_scan_give_the_same_runs():
    """Outlines drawn on the hexes, then photographed: what the thread meets is the same."""
    dice = random.Random("scans")
    flat = drawn(*(blob(dice) for _ in range(8)))
    scans = [
        Grid.regular("flat", pitch_px=97, stretch=1.2, turned_deg=11),
        Grid("flat", ((52.0, 2.0, 60.0), (30.0, 61.0, 80.0), (0.004, 0.002, 1.0))),
    ]
    for grid in scans:
        shapes = tuple(
            replace(
                shape,
                rings=tuple(
                    tuple(grid.to_pixel(*flat.grid.from_pixel(x, y)) for x, y in ring)
                    for ring in shape.rings
                ),
            )
            for shape in flat.shapes
        )
        one, other = Depiction(flat), Depiction(replace(flat, grid=grid, shapes=shapes))
        ends = sorted(flat.hexes)
        for _ in range(60):
            a, b = dice.sample(ends, 2)
            first = one.sight(a, b, blocks=every, uncertainty_px=0)
            second = other.sight(a, b, blocks=every, uncertainty_px=0)
            if first.margin_px is None or first.margin_px > 0.1:
                assert first.verdict == second.verdict == first.as_drawn
            if first.met and second.met:
                assert first.margin_hexes == pytest.approx(second.margin_hexes, abs=2e-3)


def test_perspective_uncertainty_is_larger_where_the_picture_is_smaller():
    grid = Grid("flat", ((60.0, 0.0, 60.0), (30.0, 60.0, 60.0), (0.02, 0.0, 1.0)))
    near_by, far_off = (
        tuple(grid.to_pixel(q, r) for q, r in ((at, 0), (at + 1, 0), (at, 1), (at, 0)))
        for at in (0, 7)
    )
    shapes = (Shape("woods", "outline", (near_by,)), Shape("woods", "outline", (far_off,)))
    one, other = Depiction(replace(BOARD, grid=grid, shapes=shapes)).outlines
    assert other.units_per_px > one.units_per_px


def test_importing_it_loads_no_shapely():
    code = "import sys, mapkit.depiction; sys.exit('shapely' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("shape", "colour", "words"),
    [
        (box(50, 100, 99, 300), "#d7263d", "blocked: 10.0 px deep"),
        (box(75, 100, 99, 300), "#2e7d32", "clear: 15.0 px from"),
        (box(61, 100, 99, 300), "#c77700", "too close to call: 1.0 px outside"),
        (box(59, 100, 99, 300), "#c77700", "too close to call: 1.0 px deep"),
        (box(300, 100, 400, 300), "#2e7d32", "no outline that blocks within a hex"),
    ],
)
def test_the_picture_says_the_verdict(shape, colour, words):
    depiction = Depiction(drawn(shape))
    sight = depiction.sight(TOP, BOTTOM, blocks=every, uncertainty_px=2)
    picture = draw_depicted_sight(depiction, sight, style="plain", hex_px=40)
    marks = picture.svg.partition('id="depiction"')[2]
    assert colour in marks
    assert words in picture.svg
    assert rasterise(picture).startswith(b"\x89PNG")
