"""How right terrain and level are read: published maps by examples, our samples by their legend.

    python -m benchmarks.scan.terrain [--seeds 3] [--only "valley plain"] [--style-seed 7]

Published maps are passed over where they are not at hand.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import sample_maps
from benchmarks.scan.flattened import scanned
from benchmarks.scan.style_seeds import seeded_style
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.scan.ground import study_ground
from mapkit.scan.sampling import HexSamples, sample_hexes
from mapkit.scan.teaching import Example, Sample, Teaching, What
from mapkit.scan.verdicts import Verdicts

HILLS = ("vasl_bd02", "vasl_bd05", "vasl_bd24", "vasl_bd25")
BINS = (0.0, 0.6, 0.8, 0.9, 0.97, 1.01)


@dataclass(frozen=True)
class Result:
    """One run: what was right, what was sure."""

    right: np.ndarray
    sure: np.ndarray
    margin: np.ndarray

    @property
    def accuracy(self) -> float:
        """The share of hexes, taught ones left out, that are right."""
        return float(self.right.mean())

    @property
    def errors(self) -> tuple[int, int]:
        """How many hexes are wrong, and how many of them lie in the fifth of the lowest margin."""
        wrong = ~self.right[np.argsort(self.margin, kind="stable")]
        return int(wrong.sum()), int(wrong[: len(wrong) // 5].sum())


def result(verdicts: Verdicts, truth: list[str], taught: set[int]) -> Result:
    """Compare verdicts with the truth, on the hexes that were not taught."""
    rest = np.array([row for row in range(len(truth)) if row not in taught])
    best = np.array(verdicts.values)[verdicts.likely.argmax(axis=1)]
    right = best[rest] == np.array(truth)[rest]
    return Result(right, verdicts.likely.max(axis=1)[rest], verdicts.margins()[rest])


def examples(truth: Truth, rows: list[int], values: list[str], what: What) -> Teaching:
    """Return the teaching that a person would type for these hexes."""
    spots = truth.sheet.centres()
    return Teaching(
        examples=tuple(
            Example(float(spots[row][0]), float(spots[row][1]), what, values[row]) for row in rows
        )
    )


def some_of_each(values: list[str], count: int, seed: int) -> list[int]:
    """Draw so many hexes of every value, fewer where there are fewer; one always remains."""
    dice = np.random.default_rng(seed)
    found: list[int] = []
    for value in sorted(set(values)):
        rows = [row for row, one in enumerate(values) if one == value]
        take = min(count, max(1, len(rows) - 1))
        found += [int(row) for row in dice.choice(rows, take, replace=False)]
    return found


def by_examples(
    truth: Truth, samples: HexSamples, values: list[str], what: What, count: int, seed: int
) -> Result:
    """Teach some of each value, judge the rest."""
    rows = some_of_each(values, count, seed)
    reading = study_ground(truth.sheet, examples(truth, rows, values, what), samples=samples)
    verdicts = reading.terrain if what == "terrain" else reading.levels
    assert verdicts is not None
    return result(verdicts, values, set(rows))


def by_asking(
    truth: Truth, samples: HexSamples, values: list[str], labels: int, seed: int
) -> float:
    """Begin with three of each, then ask five at a time, lowest margin first; all hexes count."""
    rows = some_of_each(values, 3, seed)
    while True:
        reading = study_ground(
            truth.sheet, examples(truth, rows, values, "terrain"), samples=samples
        )
        assert reading.terrain is not None
        if len(rows) + 5 > labels:
            return result(reading.terrain, values, set()).accuracy
        order = np.argsort(reading.terrain.margins(), kind="stable")
        rows += [int(row) for row in order if int(row) not in set(rows)][:5]


def by_legend(truth: Truth) -> Iterator[tuple[str, Result]]:
    """Read a scan of one of our samples by nothing but its printed legend."""
    legend = tuple(
        Sample(group=one.group, kind=one.kind, title=one.title, rect=one.rect)
        for one in truth.legend
    )
    reading = study_ground(truth.sheet, Teaching(legend))
    grounds = [truth.map_.hexes[hex_] for hex_ in truth.sheet.hexes]
    if reading.terrain:
        yield "terrain", result(reading.terrain, [g.terrain for g in grounds], set())
    if reading.levels:
        yield "level", result(reading.levels, [str(g.level) for g in grounds], set())


def woods_towns_or_clear(terrain: str) -> str:
    """Return what the prototype told apart on the map of Bastogne: streams do not count."""
    return next((word for word in ("forest", "city") if word in terrain), "clear")


def report(name: str, results: list[Result]) -> None:
    """Print a row: mean, worst, errors among the doubtful, and the reliability."""
    accuracy = [one.accuracy for one in results]
    wrong, doubted = (sum(counts) for counts in zip(*(one.errors for one in results), strict=True))
    sure = np.concatenate([one.sure for one in results])
    right = np.concatenate([one.right for one in results])
    bins = []
    for low, high in pairwise(BINS):
        here = (sure >= low) & (sure < high)
        if here.sum() >= 10:
            bins.append(f"{sure[here].mean():.2f}→{right[here].mean():.2f} ({here.sum()})")
    print(
        f"| {name} | {100 * np.mean(accuracy):.1f} | {100 * min(accuracy):.1f} "
        f"| {f'{100 * doubted / wrong:.0f}' if wrong else 'none'} | {', '.join(bins)} |",
        flush=True,
    )


def published(seeds: int) -> None:
    """Measure the published maps."""
    for truth in real_truths("bastogne_west", *HILLS):
        samples = sample_hexes(truth.sheet)
        grounds = [truth.map_.hexes[hex_] for hex_ in truth.sheet.hexes]
        whole = [ground.terrain for ground in grounds]
        tasks: list[tuple[str, What, list[str]]] = []
        if truth.name == "bastogne_west":
            three = [woods_towns_or_clear(word) for word in whole]
            tasks = [("3 terrains", "terrain", three), ("5 terrains", "terrain", whole)]
            asked = [by_asking(truth, samples, three, 70, seed) for seed in range(seeds)]
            print(
                f"| {truth.name}, 3 terrains, 9 labels and then asked, 69 in all "
                f"| {100 * np.mean(asked):.2f} | {100 * min(asked):.2f} | | |"
            )
        else:
            tasks = [("level", "level", [str(ground.level) for ground in grounds])]
        for title, what, values in tasks:
            runs = [by_examples(truth, samples, values, what, 5, seed) for seed in range(seeds)]
            report(f"{truth.name}, {title}, 5 examples each", runs)


def ours(seeds: int, wanted: Callable[[str], bool], style_seed: int | None) -> None:
    """Measure flatbed scans of our samples, in their styles or in others by a seed."""
    for name in ("alpine", "front", "hills", "valley"):
        assert name in sample_maps.names()
        for style in STYLES:
            if not wanted(f"{name} {style}"):
                continue
            printed = _printed(name, style, style_seed)
            runs: dict[str, list[Result]] = {}
            for seed in range(1, seeds + 1):
                for what, one in by_legend(scanned(printed, "flatbed", seed)):
                    runs.setdefault(what, []).append(one)
            for what, results in runs.items():
                report(f"{name}, {style}, flatbed, {what} by the legend", results)


def _printed(name: str, style: str, style_seed: int | None) -> Truth:
    if style_seed is None:
        return sample_truth(name, style)
    with TemporaryDirectory() as folder:
        return sample_truth(name, str(seeded_style(style, style_seed, Path(folder))))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--style-seed", type=int)
    options = parser.parse_args()
    print(
        "| what | mean % | worst % | errors in the most doubtful fifth, % | said → true (hexes) |"
    )
    print("|---|---|---|---|---|")
    if options.only in ("", "published"):
        published(options.seeds)
    if options.only != "published":
        ours(options.seeds, lambda name: options.only in name, options.style_seed)


if __name__ == "__main__":
    main()
