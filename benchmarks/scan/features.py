"""How well features are read by the icons of the printed legend: precision, recall and F1.

Run `python -m benchmarks.scan.features [NAME …] [--styles …] [--style-seed N]`: our samples as
flatbed scans with nothing but the legend printed on them; *--style-seed* prints them in colours
that nobody tuned on.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import sample_maps
from benchmarks.scan.flattened import scanned
from benchmarks.scan.style_seeds import seeded_style
from benchmarks.scan.truths import STYLES, Truth, sample_truth
from mapkit.hexes import Hex
from mapkit.scan.icon_cuts import cut_icon
from mapkit.scan.icon_verdicts import judge_icons

_BANDS = (0.5, 0.7, 0.85, 0.95, 1.0)


def main() -> None:
    """Print a line for every kind of every sheet, then how sure right and wrong finds were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sample_maps.names())
    parser.add_argument("--styles", nargs="*", default=STYLES)
    parser.add_argument("--style-seed", type=int)
    asked = parser.parse_args()
    finds: list[tuple[float, bool]] = []
    for name in asked.names:
        for style in asked.styles:
            finds += _sheet(scanned(_printed(name, style, asked.style_seed), "flatbed", 1))
    for low, high in pairwise(_BANDS):
        band = [right for sure, right in finds if low <= sure < high]
        if band:
            share = sum(band) / len(band)
            print(f"called {low:.2f}–{high:.2f} sure: {len(band)}, right {share:.3f}")


def _printed(name: str, style: str, style_seed: int | None) -> Truth:
    if style_seed is None:
        return sample_truth(name, style)
    with TemporaryDirectory() as folder:
        return sample_truth(name, str(seeded_style(style, style_seed, Path(folder))))


def _sheet(truth: Truth) -> list[tuple[float, bool]]:
    begun = time.process_time()
    samples = [entry for entry in truth.legend if entry.group == "features"]
    cuts = {entry.kind: cut_icon(truth.sheet, entry.rect, entry.kind) for entry in samples}
    read = judge_icons(truth.sheet, {kind: icon for kind, icon in cuts.items() if icon})
    took = time.process_time() - begun
    wanted: dict[str, set[Hex]] = defaultdict(set)
    for hex_, ground in truth.map_.hexes.items():
        for feature in ground.features:
            wanted[feature.kind].add(hex_)
    print(f"{truth.name}: {len(truth.sheet.hexes)} hexes, {took:.1f} s of processor")
    pairs = [(kind, wanted[kind], set(read.get(kind, ()))) for kind in sorted(wanted)]
    for kind, there, found in pairs:
        _print_score(f"  {kind}", [(there, found)])
    _print_score("  all features", [(there, found) for _, there, found in pairs])
    return [(sign.sure, hex_ in wanted[kind]) for kind in read for hex_, sign in read[kind].items()]


def _print_score(title: str, pairs: Iterable[tuple[set[Hex], set[Hex]]]) -> None:
    both = list(pairs)
    right = sum(len(there & found) for there, found in both)
    there, found = sum(len(t) for t, _ in both), sum(len(f) for _, f in both)
    precision, recall = right / max(found, 1), right / max(there, 1)
    f1 = 2 * right / max(there + found, 1)
    print(
        f"{title:16} {there:4} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
