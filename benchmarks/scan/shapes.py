"""Outlines, curves and points that a scan draws after the print, measured against the true ones.

`python -m benchmarks.scan.shapes [NAME …] [STYLE …]`: flatbed scans, the printed legend alone. For
every kind the share that found and true areas have in common (intersection over union), how far
curves and points lie from the true ones, and how often sight judged by the drawing is the same.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely import LineString, Polygon

import sample_maps
from benchmarks.scan.truths import STYLES, Truth, sample_truth
from benchmarks.scan.whole import legend_on
from mapkit.depiction import Depiction
from mapkit.document.shapes import dump_shapes
from mapkit.hexes import distance
from mapkit.model import HexMap, Shape
from mapkit.scan.homographies import fit_homography, project
from mapkit.scan.load import LoadedScan
from mapkit.scan.scan_map import ScannedMap, scan_map
from mapkit.scan.teaching import Teaching
from sample_maps.scans import Scan, simulate

PAIRS = 400
FARTHEST = 8  # hexes
UNCERTAIN = 0.03  # in pitches: how far the drawing may be off


def on_the_true_map(scanned: ScannedMap, truth: Truth, scan: Scan) -> HexMap:
    """Return the true map with the shapes of the scan, moved to its pixels."""
    at = scan.transform.to_scan(truth.sheet.centres())
    near = np.round(scanned.flattened.found.from_scan(at))
    flat = np.array(scanned.sheet.grid.homography)
    here = project(flat, near)
    there = np.array([truth.map_.grid.centre(hex_) for hex_ in truth.sheet.hexes])
    matrix = fit_homography(here, there, np.ones(len(here)), spread_px=1.0)

    def moved(shape: Shape) -> Shape:
        rings = [project(matrix, np.array(ring)).tolist() for ring in shape.rings]
        return replace(shape, rings=tuple(tuple((x, y) for x, y in ring) for ring in rings))

    return replace(truth.map_, shapes=tuple(map(moved, scanned.map_.shapes)))


def areas(map_: HexMap) -> dict[str, shapely.Geometry]:
    """Return the outlines of every kind as one area, within the hexes of the map."""
    pitch = map_.grid.pitch_px(next(iter(map_.hexes)))
    centres = shapely.points([map_.grid.centre(hex_) for hex_ in map_.hexes])
    land = shapely.union_all(shapely.buffer(centres, pitch / 2))
    found: dict[str, list[shapely.Geometry]] = defaultdict(list)
    for shape in map_.shapes:
        if shape.form == "outline":
            named = shape.kind if shape.level is None else f"{shape.kind} {shape.level}"
            found[named].append(shapely.make_valid(Polygon(shape.rings[0], shape.rings[1:])))
    return {kind: shapely.union_all(parts).intersection(land) for kind, parts in found.items()}


def report(found: HexMap, true: HexMap) -> None:
    """Print what found and true shapes have in common."""
    mine, theirs = areas(found), areas(true)
    for kind in sorted(theirs):
        if kind not in mine:
            print(f"    {kind}: not drawn")
            continue
        share = mine[kind].intersection(theirs[kind]).area / mine[kind].union(theirs[kind]).area
        print(f"    {kind}: {share:.2f} in common")
    pitch = true.grid.pitch_px(next(iter(true.hexes)))
    for form in ("line", "point"):
        kinds = sorted({shape.kind for shape in true.shapes if shape.form == form})
        for kind in kinds:
            far = _apart(_drawn(found, form, kind), _drawn(true, form, kind), pitch)
            if len(far):
                told = f"{np.median(far):.3f}, 95 % within {np.quantile(far, 0.95):.3f} pitches"
                print(f"    {form} {kind}: {told} of the true ones")


def _drawn(map_: HexMap, form: str, kind: str) -> list[Shape]:
    return [shape for shape in map_.shapes if (shape.form, shape.kind) == (form, kind)]


def _apart(found: Sequence[Shape], true: Sequence[Shape], pitch: float) -> np.ndarray:
    """Return how far points along found shapes lie from the true ones, in pitches."""
    if not found or not true:
        return np.empty(0)
    target = shapely.union_all(
        [LineString(s.rings[0]) if s.form == "line" else shapely.Point(s.rings[0]) for s in true]
    )
    at = []
    for shape in found:
        if shape.form == "point":
            at.append(shapely.Point(shape.rings[0]))
            continue
        line = LineString(shape.rings[0])
        steps = np.arange(0, line.length, pitch / 8)
        at += list(shapely.line_interpolate_point(line, steps))
    return np.asarray(shapely.distance(at, target) / pitch)


def rulings(found: HexMap, true: HexMap, kind: str, seed: int) -> str:
    """Return how often sight blocked by the drawn areas of a kind is judged alike."""
    dice = np.random.default_rng(seed)
    hexes = sorted(true.hexes)
    pitch = true.grid.pitch_px(hexes[0])
    judges = [Depiction(map_) for map_ in (found, true)]
    alike = drawn = opposite = asked = 0
    while asked < PAIRS:
        a, b = (hexes[int(at)] for at in dice.integers(0, len(hexes), 2))
        if not 2 <= distance(a, b) <= FARTHEST:
            continue
        asked += 1
        one, other = (
            judge.sight(
                a, b, blocks=lambda shape: shape.kind == kind, uncertainty_px=UNCERTAIN * pitch
            )
            for judge in judges
        )
        drawn += one.as_drawn == other.as_drawn
        alike += one.verdict == other.verdict
        opposite += {one.verdict, other.verdict} == {"clear", "blocked"}
    return (
        f"sight over {kind}, {asked} pairs: as drawn {drawn / asked:.1%} alike, verdicts "
        f"{alike / asked:.1%}, opposite {opposite / asked:.1%}"
    )


def main(arguments: list[str]) -> None:
    """Print how well the shapes of every sheet were drawn."""
    names = [name for name in sample_maps.names() if name in arguments] or sample_maps.names()
    styles = [style for style in STYLES if style in arguments] or STYLES
    for name in names:
        for style in styles:
            truth = sample_truth(name, style)
            [scan] = simulate(truth.sheet.pixels, "flatbed", 1)
            start = time.process_time()
            scanned = scan_map(LoadedScan(scan.pixels(), None), Teaching(legend_on(truth, scan)))
            took = time.process_time() - start
            shapes = scanned.map_.shapes
            size = len(dump_shapes(shapes)) / 1000
            print(f"{truth.name}: {took:.0f} s, {len(shapes)} shapes, {size:.0f} kB", flush=True)
            found = on_the_true_map(scanned, truth, scan)
            report(found, truth.map_)
            for kind in ("woods", "mountain"):
                if kind in truth.map_.kinds.ids("terrain"):
                    print(f"    {rulings(found, truth.map_, kind, 1)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
