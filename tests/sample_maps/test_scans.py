"""Simulated scans: every point of the sheet lies where the record says."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from mapkit.grid import Grid
from mapkit.hexes import Hex
from sample_maps.scan_kinds import MAKINGS
from sample_maps.scans import lay_down, simulate
from sample_maps.transforms import load_transform

pytest.importorskip("cv2", reason="needs the extra 'scan'")

WIDTH, HEIGHT, PITCH = 1000, 700, 60.0
KINDS = tuple(MAKINGS)
INKS = ((214, 30, 40), (20, 130, 60), (30, 60, 200))


@pytest.fixture(scope="module")
def dotted():
    """White paper with a coloured dot at the centre of every hex, and those centres."""
    grid = Grid.regular("pointy", pitch_px=PITCH, first_px=(40.3, 41.6))
    hexes = [Hex(q, r) for r in range(13) for q in range(-8, 18)]
    places = {h: grid.centre(h) for h in hexes}
    places = {
        h: (x, y) for h, (x, y) in places.items() if 20 < x < WIDTH - 20 and 20 < y < HEIGHT - 20
    }
    paper = np.full((HEIGHT, WIDTH, 3), 245.0)
    for hex_, (cx, cy) in places.items():
        left, top = int(cx) - 9, int(cy) - 9
        y, x = np.mgrid[top : top + 19, left : left + 19] + 0.5
        cover = np.clip(5.5 - np.hypot(x - cx, y - cy), 0, 1)[:, :, None]
        dot = paper[top : top + 19, left : left + 19]
        dot += (np.array(INKS[(hex_.q - hex_.r) % 3]) - dot) * cover
    return np.rint(paper).astype(np.uint8), np.array(list(places.values()))


def dots_near(pixels, places, reach=9):
    """Where the dark spot within *reach* of each place has its middle."""
    found = []
    for x, y in places:
        left, top = int(x) - reach, int(y) - reach
        window = pixels[top : top + 2 * reach + 1, left : left + 2 * reach + 1].astype(float)
        grey = window @ (0.3, 0.59, 0.11)  # JPEG keeps it sharper than the colours
        weight = np.clip(np.median(grey) - grey, 0, None)
        weight = np.clip(weight - 0.4 * weight.max(), 0, None)
        v, u = np.mgrid[0 : weight.shape[0], 0 : weight.shape[1]] + 0.5
        found.append((left + np.average(u, weights=weight), top + np.average(v, weights=weight)))
    return np.array(found)


def well_inside(places, size, margin=12):
    return (
        (places > margin).all(axis=1)
        & (places[:, 0] < size[0] - margin)
        & (places[:, 1] < size[1] - margin)
    )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_every_dot_lies_where_the_record_says(dotted, kind, seed):
    sheet, centres = dotted
    seen = 0
    for scan in simulate(sheet, kind, seed):
        transform = load_transform(json.loads(json.dumps(scan.record())))
        pixels = scan.pixels()
        assert pixels.shape[:2] == transform.scan_px[::-1]
        places = transform.to_scan(centres)
        places = places[well_inside(places, transform.scan_px)]
        off = np.hypot(*(dots_near(pixels, places) - places).T)
        assert off.max(initial=0) <= 1.5
        assert off.mean() <= 0.3  # a whole dot at half a pixel would show here
        seen += len(places)
    assert seen >= len(centres)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_files(dotted, kind):
    sheet = dotted[0][:300, :400]
    first, again, other = (list(simulate(sheet, kind, seed)) for seed in (5, 5, 6))
    assert [scan.data for scan in first] == [scan.data for scan in again]
    assert [scan.record() for scan in first] == [scan.record() for scan in again]
    assert [scan.data for scan in first] != [scan.data for scan in other]


@pytest.mark.parametrize("kind", KINDS)
def test_the_inverse_undoes_the_transform(dotted, kind):
    centres = dotted[1]
    for transform in lay_down((WIDTH, HEIGHT), kind, 4):
        there = transform.to_scan(centres)
        assert np.abs(transform.from_scan(there) - centres).max() < 1e-6
        assert np.abs(transform.to_scan(transform.from_scan(there)) - there).max() < 1e-6


@given(st.floats(0, 899), st.floats(0, 639))
def test_any_point_of_a_bent_scan_comes_back(u, v):
    (bent,) = lay_down((WIDTH, HEIGHT), "bad_phone", 11)
    back = bent.to_scan(bent.from_scan([(u, v)]))
    assert np.abs(back - (u, v)).max() < 1e-6


def turn_and_scale(transform):
    """How the middle of the sheet is turned, and by how much it is smaller."""
    x, y = transform.sheet_px[0] / 2, transform.sheet_px[1] / 2
    left, right, above, below = transform.to_scan(
        [(x - 50, y), (x + 50, y), (x, y - 50), (x, y + 50)]
    )
    along, down = right - left, below - above
    scale = math.sqrt(abs(along[0] * down[1] - along[1] * down[0])) / 100
    return math.degrees(math.atan2(along[1], along[0])), scale


@pytest.mark.parametrize("kind", KINDS)
def test_turns_and_scales_stay_within_what_the_kind_allows(kind):
    turns = []
    for seed in range(8):
        for transform in lay_down((WIDTH, HEIGHT), kind, seed):
            turn, scale = turn_and_scale(transform)
            assert scale == pytest.approx(MAKINGS[kind].scale, rel=0.06)
            turns.append(turn)
    assert max(map(abs, turns)) <= MAKINGS[kind].turn_deg + 0.8  # perspective turns a little too
    assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "parts"])
@pytest.mark.parametrize("seed", range(6))
def test_the_whole_sheet_is_on_the_scan(kind, seed):
    (transform,) = lay_down((WIDTH, HEIGHT), kind, seed)
    edge = [(x, y) for x in np.linspace(0, WIDTH, 9) for y in np.linspace(0, HEIGHT, 9)]
    places = transform.to_scan(edge)
    assert (places > 0).all()
    assert (places < transform.scan_px).all()


def footprints(size, seed):
    shapes = []
    for transform in lay_down(size, "parts", seed):
        width, height = transform.scan_px
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
        shapes.append(Polygon(transform.from_scan(corners)))
    return shapes


@pytest.mark.parametrize("size", [(4900, 3300), (3000, 4200), (1300, 1290)])
@pytest.mark.parametrize("seed", range(8))
def test_twelve_parts_cover_the_sheet_and_overlap(size, seed):
    parts = footprints(size, seed)
    assert len(parts) == 12
    assert unary_union(parts).buffer(1e-6).contains(box(0, 0, *size))
    centres = [(p.centroid.x, p.centroid.y) for p in parts]
    columns = next(i for i in range(1, 12) if centres[i][0] < centres[i - 1][0])
    rows = [parts[i : i + columns] for i in range(0, 12, columns)]
    pairs = [pair for row in rows for pair in pairwise(row)]
    pairs += [pair for column in zip(*rows, strict=True) for pair in pairwise(column)]
    assert min(a.intersection(b).area / min(a.area, b.area) for a, b in pairs) >= 0.15


def test_a_phone_shows_the_table_and_a_flatbed_its_lid(dotted):
    corner = {
        kind: next(simulate(dotted[0], kind, 1)).pixels()[:8, :8].mean(axis=(0, 1))
        for kind in ("flatbed", "good_phone")
    }
    assert corner["flatbed"].min() > 200
    red, green, blue = corner["good_phone"]
    assert red > green > blue
    assert red < 180


def test_phones_are_darker_towards_the_corners():
    sheet = np.full((400, 600, 3), 235, np.uint8)
    ranges = {}
    for kind in ("flatbed", "good_phone", "bad_phone"):
        (scan,) = simulate(sheet, kind, 2)
        places = scan.transform.to_scan([(x, y) for x in (30, 300, 570) for y in (30, 170, 370)])
        pixels = scan.pixels()
        bright = [
            float(pixels[int(y) - 6 : int(y) + 6, int(x) - 6 : int(x) + 6].mean())
            for x, y in places
        ]
        ranges[kind] = max(bright) - min(bright)
    assert ranges["flatbed"] < 12 < ranges["good_phone"] < ranges["bad_phone"]
