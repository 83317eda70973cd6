"""Grids found without help: on clean pictures and on simulated scans, seed by seed.

A map counts when every true centre lies within a tenth of the pitch of the grid that was found;
a refusal is a miss. `python -m benchmarks.scan.grid [SEEDS] [NAME …]`: one seed where none is said.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

import sample_maps
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.scan.find_grid import NoGridError
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.page_outline import find_page
from mapkit.scan.sheet import Pixels, Points
from mapkit.scan.sheet_grid import find_sheet_grid
from sample_maps.scan_kinds import Kind
from sample_maps.scans import simulate

KINDS: tuple[Kind, ...] = ("flatbed", "good_phone", "bad_phone")
CLOSE = 0.10


def scans_of(truth: Truth, seeds: int) -> Iterator[tuple[str, Pixels, Points, Points | None]]:
    """Return the picture itself and its scans, where the centres truly lie, and the corners."""
    centres = truth.sheet.centres()
    yield "clean", truth.sheet.pixels, centres, None
    height, width = truth.sheet.pixels.shape[:2]
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    for kind in KINDS:
        for seed in range(1, seeds + 1):
            [scan] = simulate(truth.sheet.pixels, kind, seed)
            to_scan = scan.transform.to_scan
            yield kind, scan.pixels(), to_scan(centres), to_scan(corners)


def off_by(found: FoundGrid, centres: Points) -> Points:
    """Return how far each true centre is from the found one, in pitches."""
    near = np.round(found.from_scan(centres))
    if len({tuple(hex_) for hex_ in near.tolist()}) < len(centres):
        return np.full(len(centres), np.inf)
    off = np.linalg.norm(found.to_scan(near) - centres, axis=1)
    apart = np.linalg.norm(centres[1:] - centres[0], axis=1).min()
    return np.asarray(off / apart)


def told_page(picture: Pixels, corners: Points | None) -> str:
    """Return how far the worst corner of the outline that is found is off, if there is one."""
    page = find_page(picture)
    if page is None or corners is None:
        return "no outline" if page is None else "an outline where there is none"
    off = np.linalg.norm(np.array(page.corners) - corners, axis=1).max()
    return f"corners off by {off:.1f} px"


def main(arguments: list[str]) -> None:
    """Print a line for every scan, and the table at the end."""
    seeds = int(arguments[0]) if arguments else 1
    wanted = arguments[1:]
    truths = [*real_truths(*wanted)] if wanted else [*real_truths()]
    samples = [(name, style) for style in STYLES for name in sample_maps.names()]
    hits: dict[tuple[str, str], list[float]] = defaultdict(list)
    for source, truth in [
        *(("published", one) for one in truths),
        *(("samples", sample_truth(*one)) for one in ([] if wanted else samples)),
    ]:
        for kind, picture, centres, corners in scans_of(truth, seeds):
            start = time.process_time()
            told, worst = "refused", np.inf
            with suppress(NoGridError):
                off = off_by(find_sheet_grid(picture), centres)
                told, worst = f"{np.median(off):.3f} {off.max():.3f}", float(off.max())
            took = time.process_time() - start
            page = told_page(picture, corners)
            print(f"{truth.name:24} {kind:11} {told:16} {took:6.1f} s, {page}", flush=True)
            hits[source, kind].append(worst)
    for (source, kind), far in hits.items():
        print(f"{source:10} {kind:11} {sum(w < CLOSE for w in far)} of {len(far)}")


if __name__ == "__main__":
    main(sys.argv[1:])
