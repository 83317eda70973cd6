"""Grids found without help: on clean pictures and on simulated scans, seed by seed.

A map counts when every true centre lies within a tenth of the pitch of the grid that was found;
a refusal is a miss.

    python -m benchmarks.scan.grid [NAME …] [--seeds 4 5] [--kinds flatbed …] [--in-turn]

All published maps that are at hand and all samples in every style, or those that are named; one
seed unless said. *--in-turn* prints a sample in one style for each seed, so that five seeds of
every sample take a third of the time.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
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

CLEAN = "clean"
KINDS: tuple[Kind, ...] = ("flatbed", "good_phone", "bad_phone")
CLOSE = 0.10


def scans_of(
    truth: Truth, kinds: Sequence[str], seeds: Sequence[int]
) -> Iterator[tuple[str, Pixels, Points, Points | None]]:
    """Return the picture itself and its scans, where the centres truly lie, and the corners."""
    centres = truth.sheet.centres()
    if CLEAN in kinds:
        yield CLEAN, truth.sheet.pixels, centres, None
    height, width = truth.sheet.pixels.shape[:2]
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    for kind in (one for one in KINDS if one in kinds):
        for seed in seeds:
            [scan] = simulate(truth.sheet.pixels, kind, seed)
            to_scan = scan.transform.to_scan
            yield f"{kind} {seed}", scan.pixels(), to_scan(centres), to_scan(corners)


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


def tasks(
    names: Sequence[str], seeds: Sequence[int], *, in_turn: bool
) -> Iterator[tuple[str, Truth, Sequence[int]]]:
    """Yield the maps that are asked for, each with its seeds; all of them where none is named."""
    published = [name for name in names if name not in sample_maps.names()]
    if published or not names:
        for truth in real_truths(*published):
            yield "published", truth, seeds
    for name in sample_maps.names():
        if names and name not in names:
            continue
        for place, style in enumerate(STYLES):
            mine = [seed for seed in seeds if seed % len(STYLES) == place] if in_turn else seeds
            if mine:
                yield "samples", sample_truth(name, style), mine


def main() -> None:
    """Print a line for every scan, and the table at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", nargs="*", type=int, default=[1])
    parser.add_argument("--kinds", nargs="*", default=[CLEAN, *KINDS])
    parser.add_argument("--in-turn", action="store_true")
    asked = parser.parse_args()
    hits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for source, truth, seeds in tasks(asked.names, asked.seeds, in_turn=asked.in_turn):
        for kind, picture, centres, corners in scans_of(truth, asked.kinds, seeds):
            start = time.process_time()
            told, far = "refused", (np.inf, np.inf)
            with suppress(NoGridError):
                off = off_by(find_sheet_grid(picture), centres)
                far = (float(np.median(off)), float(off.max()))
                told = f"{far[0]:.3f} {far[1]:.3f}"
            took = time.process_time() - start
            page = told_page(picture, corners)
            print(f"{truth.name:24} {kind:13} {told:16} {took:6.1f} s, {page}", flush=True)
            hits[source, kind.split()[0]].append(far)
    for (source, kind), found in hits.items():
        right = [median for median, worst in found if worst < CLOSE]
        typical = f"{min(right):.3f}–{max(right):.3f}" if right else "–"
        print(f"{source:10} {kind:11} {len(right)} of {len(found)}, typical error {typical}")


if __name__ == "__main__":
    main()
