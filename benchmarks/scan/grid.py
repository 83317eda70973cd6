"""Grids found without help: on clean pictures and on simulated scans, seed by seed.

A map counts when every true centre lies within a tenth of the pitch of the grid that was found;
a refusal is a miss. `python -m benchmarks.scan.grid [SEEDS] [NAME …]`: one seed where none is said.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

import sample_maps
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.scan.find_grid import NoGridError
from mapkit.scan.sheet import Pixels, Points
from mapkit.scan.sheet_grid import find_sheet_grid
from sample_maps.scan_kinds import Kind
from sample_maps.scans import simulate

KINDS: tuple[Kind, ...] = ("flatbed", "good_phone", "bad_phone")
CLOSE = 0.10


def scans_of(truth: Truth, seeds: int) -> Iterator[tuple[str, Pixels, Points]]:
    """Return the picture itself and its scans, each with where the centres truly lie."""
    centres = truth.sheet.centres()
    yield "clean", truth.sheet.pixels, centres
    for kind in KINDS:
        for seed in range(1, seeds + 1):
            [scan] = simulate(truth.sheet.pixels, kind, seed)
            yield kind, scan.pixels(), scan.transform.to_scan(centres)


def off_by(picture: Pixels, centres: Points) -> Points | None:
    """Return how far each true centre is from the found one, in pitches; None for a refusal."""
    try:
        found = find_sheet_grid(picture)
    except NoGridError:
        return None
    near = np.round(found.from_scan(centres))
    if len({tuple(hex_) for hex_ in near.tolist()}) < len(centres):
        return np.full(len(centres), np.inf)
    off = np.linalg.norm(found.to_scan(near) - centres, axis=1)
    apart = np.linalg.norm(centres[1:] - centres[0], axis=1).min()
    return np.asarray(off / apart)


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
        for kind, picture, centres in scans_of(truth, seeds):
            start = time.process_time()
            off = off_by(picture, centres)
            took = time.process_time() - start
            told = "refused" if off is None else f"{np.median(off):.3f} {off.max():.3f}"
            print(f"{truth.name:24} {kind:11} {told:16} {took:6.1f} s", flush=True)
            hits[source, kind].append(np.inf if off is None else float(off.max()))
    for (source, kind), worst in hits.items():
        print(f"{source:10} {kind:11} {sum(w < CLOSE for w in worst)} of {len(worst)}")


if __name__ == "__main__":
    main(sys.argv[1:])
