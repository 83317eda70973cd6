"""Whether values called 90 % sure are right in 90 % of cases: every sort of value, sheet by sheet.

    python -m benchmarks.scan.sureness [NAME …] [--styles plain …] [--style-seed 303]
        [--scan-seed 10] [--published]

Samples as flatbed scans, read by their printed legend alone; *--style-seed* prints them in
colours that nobody looked at. Seeds 201, 202, 301 and 302 were looked at while confidences were
fitted. *--published*: the published maps instead, by five examples of each terrain or level and
twenty of roads and rivers.
"""

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import sample_maps
from benchmarks.scan.flattened import scanned
from benchmarks.scan.style_seeds import seeded_style
from benchmarks.scan.terrain import HILLS, examples, some_of_each, woods_towns_or_clear
from benchmarks.scan.truths import STYLES, Truth, real_truths, sample_truth
from mapkit.hexes import Hexside, Link
from mapkit.model import Ground, HexMap
from mapkit.scan.accuracy import trials
from mapkit.scan.ground import read_ground
from mapkit.scan.line_examples import line_teaching
from mapkit.scan.line_reading import read_lines
from mapkit.scan.line_teaching import LineTeaching
from mapkit.scan.reliability import Trial, reliability
from mapkit.scan.side_patches import all_sides
from mapkit.scan.teaching import Sample, Teaching, What

LINE_EXAMPLES = 20


def main() -> None:
    """Print a line for every sort of value on every sheet, then all sheets together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=sample_maps.names())
    parser.add_argument("--styles", nargs="*", default=STYLES)
    parser.add_argument("--style-seed", type=int)
    parser.add_argument("--scan-seed", type=int, default=1)
    parser.add_argument("--published", action="store_true")
    asked = parser.parse_args()
    every: list[Trial] = []
    if asked.published:
        for title, read, true in published():
            every += report(title, trials(read, true))
    else:
        for name in asked.names:
            for style in asked.styles:
                printed = _printed(name, style, asked.style_seed)
                truth = scanned(printed, "flatbed", asked.scan_seed)
                every += report(f"{name}, {style}", trials(by_legend(truth), truth.map_))
    report("all together", every)


def by_legend(truth: Truth) -> HexMap:
    """Return what a scan of a sample reads by its printed legend alone."""
    legend = tuple(
        Sample(group=one.group, kind=str(one.kind), title=one.title, rect=one.rect)
        for one in truth.legend
    )
    lines = read_lines(truth.sheet, line_teaching(truth.sheet, Teaching(legend)))
    grounds = read_ground(truth.sheet, Teaching(legend))
    return replace(truth.map_, hexes=grounds, hexsides=lines.hexsides, links=lines.links)


def published() -> Iterator[tuple[str, HexMap, HexMap]]:
    """Yield what is read on published maps by a few examples, each beside its truth."""
    for truth in real_truths("bastogne_west", *HILLS):
        what: What = "terrain" if truth.name == "bastogne_west" else "level"
        grounds = [truth.map_.hexes[hex_] for hex_ in truth.sheet.hexes]
        if what == "terrain":
            grounds = [Ground(woods_towns_or_clear(ground.terrain)) for ground in grounds]
        values = [g.terrain if what == "terrain" else str(g.level) for g in grounds]
        taught = examples(truth, some_of_each(values, 5, 0), values, what)
        true = replace(truth.map_, hexes=dict(zip(truth.sheet.hexes, grounds, strict=True)))
        read = replace(true, hexes=read_ground(truth.sheet, taught), hexsides={}, links={})
        yield truth.name, read, true
    for truth in real_truths("waterloo_west"):
        for group, kind in (("hexsides", "river"), ("links", "road")):
            yield f"{truth.name}, {kind}", _lines_by_examples(truth, group, kind), truth.map_


def _lines_by_examples(truth: Truth, group: str, kind: str) -> HexMap:
    dice = random.Random(0)
    held = truth.map_.links if group == "links" else truth.map_.hexsides
    there = {tuple(p) for p, some in held.items() if any(one.kind == kind for one in some)}
    sides = [tuple(side) for side in all_sides(truth.sheet)]
    yes = dice.sample([side for side in sides if side in there], LINE_EXAMPLES // 2)
    no = dice.sample([side for side in sides if side not in there], LINE_EXAMPLES // 2)
    told = [*((side, kind) for side in yes), *((side, None) for side in no)]
    teaching = (
        LineTeaching(links=tuple((Link(*side), word) for side, word in told))
        if group == "links"
        else LineTeaching(hexsides=tuple((Hexside(*side), word) for side, word in told))
    )
    read = read_lines(truth.sheet, teaching)
    bare = dict.fromkeys(truth.map_.hexes, Ground())
    return replace(
        truth.map_,
        hexes=bare,
        hexsides={p: some for p, some in read.hexsides.items() if tuple(p) not in yes},
        links={p: some for p, some in read.links.items() if tuple(p) not in yes},
    )


def report(title: str, tried: Iterable[Trial]) -> list[Trial]:
    """Print how sure beside how right values are, and return them all."""
    every = list(tried)
    for what, table in reliability(every).items():
        doubted = f"{table.doubted / table.wrong:.2f}" if table.wrong else "–"
        bins = ", ".join(f"{b.said:.2f}→{b.share:.2f} ({b.count})" for b in table.bins)
        print(
            f"{title:34} {what:8} {table.count:6} right {1 - table.wrong / table.count:.4f} "
            f"off by {table.off:.3f}, wrong in the doubtful fifth {doubted}; {bins}",
            flush=True,
        )
    return every


def _printed(name: str, style: str, style_seed: int | None) -> Truth:
    if style_seed is None:
        return sample_truth(name, style)
    with TemporaryDirectory() as folder:
        return sample_truth(name, str(seeded_style(style, style_seed, Path(folder))))


if __name__ == "__main__":
    main()
