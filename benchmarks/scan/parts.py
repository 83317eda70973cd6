"""Twelve A4 part-scans of a sheet joined: how far off, whether a seam shows, how long.

`python -m benchmarks.scan.parts [SEEDS] [NAME …] [STYLE …] [grid] [turned] [published]`: one
seed, every sample and style where none is named, or the published maps. The centre of a hex counts
once for every piece that shows it, measured against the one turn, scale and shift of the whole
sheet that fits best. `grid` also finds the grid on the joined picture; `turned` lays pieces down
by quarter turns.
"""

import resource
import sys
import time

import numpy as np

import sample_maps
from benchmarks.scan.grid import CLOSE
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.scan.find_grid import NoGridError, find_grid
from mapkit.scan.join_pieces import JoinedSheet, join_pieces
from mapkit.scan.pieces import Piece, PiecesError
from mapkit.scan.sheet import Points
from sample_maps.scans import Scan, simulate


def quarters(scans: list[Scan], seed: int, *, turned: bool) -> list[int]:
    """Return by how many quarters each piece is turned when it is laid down."""
    dice = np.random.default_rng(seed)
    return dice.integers(0, 4, len(scans)).tolist() if turned else [0] * len(scans)


def turned_back(points: Points, size: tuple[int, int], quarter: int) -> Points:
    """Return where points of a piece lie when its picture is turned, against the clock."""
    width, height = size
    for _ in range(quarter):
        points = np.column_stack([points[:, 1], width - points[:, 0]])
        width, height = height, width
    return points


def agreement(
    joined: JoinedSheet, scans: list[Scan], turns: list[int], centres: Points
) -> tuple[np.ndarray, Points]:
    """Return how far off centres are, in pixels, and where they lie on the joined sheet."""
    true, found, owners = [], [], []
    for number, (scan, turn) in enumerate(zip(scans, turns, strict=True)):
        at = scan.transform.to_scan(centres)
        inside = np.flatnonzero(np.all((at > 0) & (at < scan.transform.scan_px), axis=1))
        at = turned_back(at[inside], scan.transform.scan_px, turn)
        true.append(centres[inside])
        found.append(joined.layout.to_sheet(number, at))
        owners.append(inside)
    z, w = (np.vstack(some) @ np.array([1, 1j]) for some in (true, found))
    rows = np.column_stack([z, np.ones(len(z))])
    fit, *_ = np.linalg.lstsq(rows, w, rcond=None)
    place = np.column_stack([centres @ np.array([1, 1j]), np.ones(len(centres))]) @ fit
    assert len(set(np.concatenate(owners).tolist())) == len(centres), "a hex is on no piece"
    return np.abs(rows @ fit - w), np.column_stack([place.real, place.imag])


def seams(joined: JoinedSheet, truth: Truth, place: Points) -> tuple[float, float]:
    """Return how alike print and joined sheet are at the worst hex and typically, up to 1.

    A doubled or lost line shows in the hexes of its seam.
    """
    import cv2

    centres = truth.sheet.centres()
    matrix, _ = cv2.estimateAffinePartial2D(centres, place)
    shift = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    at = (np.linalg.inv(shift) @ np.vstack([matrix, (0, 0, 1)]) @ shift)[:2]
    height, width = truth.sheet.pixels.shape[:2]
    laid = cv2.warpAffine(joined.pixels, at, (width, height), flags=cv2.WARP_INVERSE_MAP)
    pair = [
        cv2.cvtColor(one, cv2.COLOR_RGB2GRAY).astype(np.float32)
        for one in (laid, truth.sheet.pixels)
    ]
    soft = [cv2.GaussianBlur(one, (0, 0), 0.8) - cv2.GaussianBlur(one, (0, 0), 8) for one in pair]
    half = round(truth.sheet.pitch_px * 0.6)
    alike = []
    for x, y in centres.astype(int):
        box = np.s_[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
        if min(soft[0][box].std(), soft[1][box].std()) > 0.5:
            alike.append(np.corrcoef(soft[0][box].ravel(), soft[1][box].ravel())[0, 1])
    return float(np.min(alike)), float(np.median(alike))


def measured(truth: Truth, seed: int, *, turned: bool, with_grid: bool) -> str:
    """Join the pieces of one sheet, in an order of chance, and say how well that went."""
    dice = np.random.default_rng(seed)
    scans = list(simulate(truth.sheet.pixels, "parts", seed))
    scans = [scans[n] for n in dice.permutation(len(scans))]
    turns = quarters(scans, seed, turned=turned)
    pieces = [
        Piece(f"part {scan.part}", np.ascontiguousarray(np.rot90(scan.pixels(), turn)))
        for scan, turn in zip(scans, turns, strict=True)
    ]
    start, worked = time.monotonic(), time.process_time()
    try:
        joined = join_pieces(pieces)
    except PiecesError as error:
        return f"refused: {error}"
    took, worked = time.monotonic() - start, time.process_time() - worked
    off, place = agreement(joined, scans, turns, truth.sheet.centres())
    worst, typical = seams(joined, truth, place)
    pitch = truth.sheet.pitch_px
    told = (
        f"off {np.median(off) / pitch:.4f} {off.max() / pitch:.4f} of the pitch, "
        f"print alike {worst:.2f} at worst, {typical:.2f} typically, "
        f"{took:.0f} s ({worked:.0f} s of processors)"
    )
    return told + (_grid(joined, place, pitch) if with_grid else "")


def _grid(joined: JoinedSheet, place: Points, pitch: float) -> str:
    try:
        found = find_grid(joined.pixels)
    except NoGridError:
        return ", grid refused"
    near = np.round(found.from_scan(place))
    off = np.linalg.norm(found.to_scan(near) - place, axis=1) / pitch
    one_each = len({tuple(hex_) for hex_ in near.tolist()}) == len(place)
    return f", grid {np.median(off):.3f} {off.max():.3f} {one_each and bool(off.max() < CLOSE)}"


def main(arguments: list[str]) -> None:
    """Print a line for every sheet and seed."""
    seeds = next((int(one) for one in arguments if one.isdigit()), 1)
    names = [name for name in sample_maps.names() if name in arguments] or sample_maps.names()
    styles = [style for style in STYLES if style in arguments] or STYLES
    samples = (sample_truth(name, style) for name in names for style in styles)
    for truth in real_truths() if "published" in arguments else samples:
        for seed in range(1, seeds + 1):
            told = measured(
                truth, seed, turned="turned" in arguments, with_grid="grid" in arguments
            )
            print(f"{truth.name:22} seed {seed}: {told}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory of all, with their making: {peak:.2f} GB")


if __name__ == "__main__":
    main(sys.argv[1:])
