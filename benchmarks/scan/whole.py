"""Whole sheets read from a scan with the printed legend alone, and measured against the truth.

`python -m benchmarks.scan.whole [KIND] [NAME …] [STYLE …]`: flatbed scans of every sample in every
style, or of those named. The legend's places are those of the printed sheet, moved to the scan.
"""

import resource
import sys
import time
from dataclasses import replace

import numpy as np

import sample_maps
from benchmarks.scan.truths import STYLES, Truth, sample_truth
from mapkit.model import HexMap
from mapkit.scan.accuracy import measure
from mapkit.scan.find_grid import NoGridError
from mapkit.scan.load import LoadedScan
from mapkit.scan.scan_map import ScannedMap, scan_map
from mapkit.scan.teaching import Sample, Teaching
from sample_maps.scan_kinds import MAKINGS, Kind
from sample_maps.scans import Scan, simulate


def legend_on(truth: Truth, scan: Scan) -> tuple[Sample, ...]:
    """Return the samples of the printed legend as somebody would frame them on the scan."""
    found = []
    for entry in truth.legend:
        x, y, width, height = entry.rect
        corners = scan.transform.to_scan([(x, y), (x + width, y + height)])
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        rect = (float(left), float(top), float(right - left), float(bottom - top))
        found.append(Sample(group=entry.group, kind=str(entry.kind), title=entry.title, rect=rect))
    return tuple(found)


def renamed(scanned: ScannedMap, truth: Truth, scan: Scan) -> HexMap:
    """Return the map with the hexes of the truth: where numbers were not read, by their places."""
    at = scan.transform.to_scan(truth.sheet.centres())
    near = np.round(scanned.flattened.found.from_scan(at)).astype(int).tolist()
    true = dict(zip(map(tuple, near), truth.sheet.hexes, strict=True))
    map_ = scanned.map_
    return replace(
        map_,
        hexes={true[h]: g for h, g in map_.hexes.items() if h in true},
        hexsides={
            type(s).between(true[s.a], true[s.b]): f
            for s, f in map_.hexsides.items()
            if s.a in true and s.b in true
        },
        links={
            type(s).between(true[s.a], true[s.b]): f
            for s, f in map_.links.items()
            if s.a in true and s.b in true
        },
        numbering=truth.map_.numbering,
    )


def main(arguments: list[str]) -> None:
    """Print a line of accuracy for every sheet."""
    kind: Kind = next((one for one in MAKINGS if one in arguments), "flatbed")
    names = [name for name in sample_maps.names() if name in arguments] or sample_maps.names()
    styles = [style for style in STYLES if style in arguments] or STYLES
    for name in names:
        for style in styles:
            truth = sample_truth(name, style)
            [scan] = simulate(truth.sheet.pixels, kind, 1)
            start = time.process_time()
            try:
                scanned = scan_map(
                    LoadedScan(scan.pixels(), None), Teaching(legend_on(truth, scan))
                )
            except NoGridError:
                print(f"{truth.name:22} refused", flush=True)
                continue
            took = time.process_time() - start
            report(truth, scan, scanned, took)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory of all, with their making: {peak:.2f} GB")


def report(truth: Truth, scan: Scan, scanned: ScannedMap, took: float) -> None:
    """Print what was right on one sheet."""
    map_ = renamed(scanned, truth, scan)
    found = measure(map_, truth.map_).as_data()
    numbered = scanned.numbers is not None and not scanned.numbers.undecided
    beside = len(scanned.map_.hexes) - len(map_.hexes)
    shares = {what: found[what]["accuracy"] for what in ("terrain", "level")}
    f1 = {
        kind: round(score["f1"], 3)
        for group in ("hexsides", "links")
        for kind, score in found[group].items()
    }
    print(
        f"{truth.name:22} {took:4.0f} s, {len(map_.hexes)} of {len(truth.map_.hexes)} hexes and "
        f"{beside} beside, numbers {numbered}, {shares}, F1 {f1}",
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
