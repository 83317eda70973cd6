"""How well hexsides and links are read: precision, recall and F1 of every kind.

Run `python -m benchmarks.scan.lines [--samples N] [--real] [--seeds N]`: our samples on flatbed
scans with nothing but the legend printed on them; published maps with a few examples of which
half say where there is nothing.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

import sample_maps
from benchmarks.scan.flattened import scanned
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.hexes import Hexside, Link
from mapkit.model import Feature
from mapkit.scan.line_reading import LinesRead, read_lines
from mapkit.scan.line_teaching import LineSwatch, LineTeaching
from mapkit.scan.side_patches import all_sides

EXAMPLES = (10, 20, 40)
Places = dict[tuple[str, str], set[tuple[object, ...]]]


def main() -> None:
    """Print both tables, or the one that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", nargs="*", help="these samples only (all: no name)")
    parser.add_argument("--styles", nargs="*", default=STYLES)
    parser.add_argument("--real", action="store_true", help="the published maps only")
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    if asked.real or asked.samples is None:
        real_table(asked.seeds)
    if not asked.real:
        sample_table(asked.samples or sample_maps.names(), asked.styles)


def sample_table(names: Iterable[str], styles: Iterable[str]) -> None:
    """Our samples, flatbed scans, the printed legend alone."""
    for name in names:
        for style in styles:
            truth = scanned(sample_truth(name, style), "flatbed", 1)
            teaching = LineTeaching(
                swatches=tuple(
                    LineSwatch(entry.group, entry.kind, entry.rect)
                    for entry in truth.legend
                    if entry.group in ("hexsides", "links", "areas")
                )
            )
            begun, busy = time.perf_counter(), time.process_time()
            read = read_lines(truth.sheet, teaching)
            took = f"{time.perf_counter() - begun:.0f} s, {time.process_time() - busy:.0f} s busy"
            print(f"{truth.name}, flatbed: {len(truth.sheet.hexes)} hexes in {took}")
            _print_scores(_wanted(truth), _got(read))
            _print_doubts(_wanted(truth), read)


def real_table(seeds: int) -> None:
    """Published maps with roads and rivers, so many examples of each, half of them negative."""
    for truth in real_truths():
        wanted = _wanted(truth)
        for kind in (("hexsides", "river"), ("links", "road")):
            if not wanted.get(kind):
                continue
            for count in EXAMPLES:
                scores = [_with_examples(truth, wanted[kind], kind, count, s) for s in range(seeds)]
                print(
                    f"{truth.name}: {kind[1]} with {count} examples, {seeds} seeds: "
                    f"F1 mean {np.mean(scores):.3f}, worst {min(scores):.3f}",
                    flush=True,
                )


def _with_examples(
    truth: Truth, wanted: set[tuple[object, ...]], kind: tuple[str, str], count: int, seed: int
) -> float:
    dice = random.Random(seed)
    sides = [tuple(side) for side in all_sides(truth.sheet)]
    there = [side for side in sides if side in wanted]
    bare = [side for side in sides if side not in wanted]
    yes = dice.sample(there, min(count // 2, len(there)))
    no = dice.sample(bare, count - len(yes))
    examples = [(side, kind[1]) for side in yes] + [(side, None) for side in no]
    if kind[0] == "links":
        teaching = LineTeaching(links=tuple((Link(*side), word) for side, word in examples))
    else:
        teaching = LineTeaching(hexsides=tuple((Hexside(*side), word) for side, word in examples))
    got = _got(read_lines(truth.sheet, teaching, seed=seed)).get(kind, set())
    return 2 * len(got & wanted) / max(1, len(got) + len(wanted))


def _wanted(truth: Truth) -> Places:
    """The places of every kind; only those between two hexes of the sheet can be read."""
    known = set(truth.sheet.hexes)
    places = _places(truth.map_.hexsides, truth.map_.links)
    return {kind: {place for place in at if known.issuperset(place)} for kind, at in places.items()}


def _got(read: LinesRead) -> Places:
    return _places(read.hexsides, read.links)


def _places(
    hexsides: Mapping[Hexside, tuple[Feature, ...]], links: Mapping[Link, tuple[Feature, ...]]
) -> Places:
    found: Places = defaultdict(set)
    for group, held in (("hexsides", hexsides), ("links", links)):
        for place, features in held.items():
            for feature in features:
                found[group, feature.kind].add(tuple(place))
    return found


def _print_scores(wanted: Places, got: Places) -> None:
    for group in ("hexsides", "links"):
        kinds = sorted(kind for kind in {*wanted, *got} if kind[0] == group)
        for kind in kinds:
            _print_score(f"  {group} {kind[1]}", [(wanted.get(kind, set()), got.get(kind, set()))])
        both = [(wanted.get(kind, set()), got.get(kind, set())) for kind in kinds]
        _print_score(f"  all {group}", both)
    sys.stdout.flush()


def _print_doubts(wanted: Places, read: LinesRead) -> None:
    """Tell how many of the wrong values are among the most doubtful fifth, misses included."""
    asked = [
        (
            feature.provenance.confidence or 0.0,
            tuple(place) in wanted.get((group, feature.kind), ()),
        )
        for group, held in (("hexsides", read.hexsides), ("links", read.links))
        for place, features in held.items()
        for feature in features
        if feature.provenance
    ]
    for doubt in read.doubts:
        group = "links" if isinstance(doubt.place, Link) else "hexsides"
        there = tuple(doubt.place) in wanted.get((group, doubt.kind), ())
        asked.append((1 - doubt.chance, not there))
    asked.sort()
    wrong = [not right for _, right in asked]
    fifth = sum(wrong[: len(wrong) // 5])
    print(f"  wrong {sum(wrong)} of {len(wrong)}, of these {fifth} in the most doubtful fifth")


def _print_score(
    title: str, both: list[tuple[set[tuple[object, ...]], set[tuple[object, ...]]]]
) -> None:
    right = sum(len(wanted & got) for wanted, got in both)
    there, read = sum(len(wanted) for wanted, _ in both), sum(len(got) for _, got in both)
    precision, recall = right / max(read, 1), right / max(there, 1)
    f1 = 2 * right / max(there + read, 1)
    print(f"{title:24} {there:5} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}")


if __name__ == "__main__":
    main()
