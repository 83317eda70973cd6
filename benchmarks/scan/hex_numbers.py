"""How many maps are anchored rightly by the numbers printed in their hexes, and in what time.

    python -m benchmarks.scan.hex_numbers [--part samples|turned|phones|other|real] [--only NAME]

Scans are laid flat by their true transform, so this measures the numbers alone. Every hex whose
centre lies on the picture is a candidate, those under the charts beside the map too. A numbering
is right when every hex of the map gets the label it truly has.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import get_args

import cv2
import numpy as np

import sample_maps
from benchmarks.scan.truths import REAL_MAPS, STYLES, real_truths
from mapkit.errors import NumberingError
from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.kinds import Kinds
from mapkit.model import Ground, HexMap, Picture
from mapkit.numbering import Axis, Numbering
from mapkit.scan.numbers import NumbersFound, read_numbers
from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.sheets import Quarters, turn
from sample_maps.scan_kinds import Kind
from sample_maps.scans import Scan, simulate
from sample_maps.sheets import print_sheet

HEX_PX = 60.0
PHONE_HEX_PX = (74.0, 100.0, 130.0)
KINDS: tuple[Kind, ...] = ("flatbed", "good_phone", "bad_phone")
NODES_PX = 16


@dataclass(frozen=True, eq=False)
class Case:
    """A sheet and the labels its hexes truly have; none where no numbers are printed."""

    group: str
    name: str
    sheet: FlatSheet
    labels: dict[Hex, str]
    turned_deg: int = 0


def flatten(scan: Scan) -> Pixels:
    """Lay a scan flat, as the printed sheet was."""
    width, height = scan.transform.sheet_px
    step = NODES_PX
    x, y = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    nodes = scan.transform.to_scan(np.column_stack((x.ravel(), y.ravel())) + 0.5)
    lattice = nodes.reshape(*x.shape, 2).astype(np.float32)
    picture = scan.pixels()
    flat = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, 512):
        bottom = min(height, top + 512)
        v, u = np.mgrid[top:bottom, 0:width].astype(np.float32) / step
        at = cv2.remap(lattice, u, v, cv2.INTER_LINEAR) - 0.5
        flat[top:bottom] = cv2.remap(
            picture, at[..., 0], at[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
    return flat


def covering(grid: Grid, width: int, height: int) -> Iterator[Hex]:
    """Yield every hex whose centre lies on the picture."""
    corners = [grid.hex_at(x, y) for x in (0, width) for y in (0, height)]
    qs, rs = [corner.q for corner in corners], [corner.r for corner in corners]
    for q in range(min(qs), max(qs) + 1):
        for r in range(min(rs), max(rs) + 1):
            x, y = grid.to_pixel(q, r)
            if 0 <= x < width and 0 <= y < height:
                yield Hex(q, r)


def turned(given: Case, quarters: Quarters) -> Case:
    """Turn a sheet clockwise by quarters."""
    grid = given.sheet.grid
    height, width = given.sheet.pixels.shape[:2]
    lying = turn(
        HexMap(
            grid,
            Numbering(straight="columns" if grid.orientation == "flat" else "rows"),
            {hex_: Ground() for hex_ in given.labels},
            Kinds().with_ids("terrain", iter([Ground().terrain])),
            picture=Picture("", "", width, height),
        ),
        quarters,
    ).grid
    labels = {}
    for hex_, label in given.labels.items():
        (x, y), around = grid.centre(hex_), (width, height)
        for _ in range(quarters):
            x, y, around = around[1] - y, x, around[::-1]
        labels[lying.hex_at(x, y)] = label
    pixels = np.ascontiguousarray(np.rot90(given.sheet.pixels, -quarters))
    sheet = FlatSheet(pixels, lying, tuple(covering(lying, pixels.shape[1], pixels.shape[0])))
    group = f"{given.group}, turned"
    return Case(group, f"{given.name}, {90 * quarters}°", sheet, labels, 90 * quarters)


def scanned(given: Case, kind: Kind, seed: int) -> Case:
    """Scan a sheet and lay the scan flat again."""
    (scan,) = simulate(given.sheet.pixels, kind, seed)
    sheet = replace(given.sheet, pixels=flatten(scan))
    return replace(given, group=f"{given.group}, {kind}", sheet=sheet)


def printed_case(group: str, map_: HexMap, name: str, style: str, hex_px: float) -> Case:
    """Print a map and put its picture beside it; all hexes on the picture are candidates."""
    printed = print_sheet(map_, style, hex_px=hex_px)
    height, width = printed.pixels.shape[:2]
    hexes = tuple(covering(printed.grid, width, height))
    labels = {hex_: map_.label(hex_) for hex_ in map_.hexes}
    return Case(group, f"{name}, {style}", FlatSheet(printed.pixels, printed.grid, hexes), labels)


def sample_cases(only: str) -> Iterator[Case]:
    """Yield our maps in all styles, clean and scanned."""
    for name in [only] if only else sample_maps.names():
        for style in STYLES:
            clean = printed_case("samples", sample_maps.load(name), name, style, HEX_PX)
            yield clean
            yield from (scanned(clean, kind, 1) for kind in KINDS)


def turned_cases(only: str) -> Iterator[Case]:
    """Yield flatbed scans that were laid on the glass the wrong way."""
    for name in [only] if only else sample_maps.names():
        for style in STYLES:
            clean = printed_case("samples", sample_maps.load(name), name, style, HEX_PX)
            upright = scanned(clean, "flatbed", 2)
            yield from (turned(upright, quarters) for quarters in get_args(Quarters))


def phone_cases(only: str) -> Iterator[Case]:
    """Yield phone pictures of sheets with more pixels to the hex."""
    for name in [only] if only else ("valley_guns", "front"):
        for hex_px in PHONE_HEX_PX:
            for style in STYLES:
                group = f"samples at {hex_px:.0f} px"
                clean = printed_case(group, sample_maps.load(name), name, style, hex_px)
                yield from (scanned(clean, kind, 3) for kind in KINDS[1:])


def other_cases(only: str) -> Iterator[Case]:
    """Yield small sheets numbered as other games do."""
    letters = Axis(letters="AA BB", digits=1)
    spread = Axis(letters="AA AB", digits=1, first=20)
    plain = Axis(digits=1)
    rules: dict[str, Callable[[Numbering], Numbering]] = {
        "A1 … P10": lambda n: replace(n, columns=letters, rows=plain),
        "T1 … AI10": lambda n: replace(n, columns=spread, rows=plain),
        "1A … 10P": lambda n: replace(n, columns=letters, rows=plain, order="RRCC"),
        "A01 downward": lambda n: replace(n, columns=letters, rows=Axis(first=10, step=-1)),
        "no I and O": lambda n: replace(
            n, columns=replace(letters, alphabet="ABCDEFGHJKLMNPQRSTUVWXYZ"), rows=plain
        ),
        "1.01": lambda n: replace(n, columns=plain, rows=Axis(), separator="."),
        "12:07": lambda n: replace(n, columns=Axis(first=12), rows=Axis(first=7), separator=":"),
        "RRCC, both backward": lambda n: replace(
            n, order="RRCC", columns=Axis(first=57, step=-1), rows=Axis(first=43, step=-1)
        ),
        "three digits": lambda n: replace(n, columns=Axis(first=21), rows=Axis(digits=1, first=0)),
        "five digits": lambda n: replace(n, columns=Axis(first=2), rows=Axis(first=96, digits=3)),
        "97 before 00": lambda n: replace(n, columns=Axis(first=-6, wrap_from=90)),
        "odd columns shoved": lambda n: replace(n, shoved="odd"),
        "shoved toward lower": lambda n: replace(n, toward="lower", columns=Axis(first=31)),
    }
    small = sample_maps.load("valley_guns")
    base = small.numbering
    assert isinstance(base, Numbering)
    for index, (name, rule) in enumerate(rules.items()):
        if only in name:
            map_ = replace(small, numbering=rule(base))
            clean = printed_case("other numberings", map_, name, STYLES[index % 3], HEX_PX)
            yield scanned(clean, "flatbed", 4)


def real_cases(only: str) -> Iterator[Case]:
    """Yield the published maps; the hexes of some of them bear no numbers."""
    columns = Axis(letters="AA BB")
    for truth in real_truths(*([only] if only else [])):
        data = json.loads((REAL_MAPS / truth.name / "truth.json").read_text("utf-8"))
        labels = {}
        for key, value in data.get("hexes", {}).items():
            column, _, row = key.partition(".")
            hex_ = truth.sheet.grid.hex_at(value["x"], value["y"])
            if truth.name.startswith("vasl"):
                # Counted from the top edge, where every other column begins with half a hex.
                printed = int(row) + (int(column) % 2 == 0)
                labels[hex_] = f"{columns.format_part(int(column))}{printed}"
            elif truth.name.startswith("bastogne"):
                labels[hex_] = f"{column}.{int(row):02}"
        height, width = truth.sheet.pixels.shape[:2]
        hexes = tuple(covering(truth.sheet.grid, width, height))
        sheet = replace(truth.sheet, hexes=hexes)
        group = "published" if labels else "published, no numbers printed"
        clean = Case(group, truth.name, sheet, labels)
        yield clean
        if labels:
            yield from (scanned(clean, kind, 5) for kind in KINDS)
            yield from (turned(clean, quarters) for quarters in get_args(Quarters))


def is_right(found: NumbersFound, case_: Case) -> bool:
    """Tell whether every hex of the map has its label."""
    numbering = found.numbering
    assert numbering is not None
    try:
        return all(numbering.format_label(hex_) == is_ for hex_, is_ in case_.labels.items())
    except NumberingError:
        return False


@dataclass
class Tally:
    """What came out for one group of sheets."""

    sheets: int = 0
    right: int = 0
    wrong: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


def judge(case_: Case, tally: Tally) -> str:
    """Read one sheet, count it, and return a line that tells how it went."""
    begun, worked = time.monotonic(), time.process_time()
    found = read_numbers(case_.sheet)
    seconds, work = time.monotonic() - begun, time.process_time() - worked
    verdict = "undecided"
    if found.numbering:
        right = is_right(found, case_) and found.turned_deg == case_.turned_deg
        verdict = "right" if right else "WRONG"
        tally.right += right
        tally.wrong += not right
    tally.sheets += 1
    tally.seconds += seconds
    tally.slowest = max(tally.slowest, seconds)
    agreeing = len(found.standings[0].agreeing) if found.standings else 0
    return (
        f"{case_.group}: {case_.name}: {verdict}, share {found.share:.2f}, {agreeing} agree, "
        f"{len(found.disagreeing)} do not, {found.hexes_read} hexes, turned {found.turned_deg}, "
        f"{seconds:.1f} s ({work:.1f} s of work)"
    )


def main() -> None:
    """Judge every sheet and print the table."""
    parts = {
        "samples": sample_cases,
        "turned": turned_cases,
        "phones": phone_cases,
        "other": other_cases,
        "real": real_cases,
    }
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=parts)
    parser.add_argument("--only", default="", help="one map, or for `other` part of a name")
    chosen = parser.parse_args()
    tallies: dict[str, Tally] = {}
    for name in [chosen.part] if chosen.part else parts:
        for case_ in parts[name](chosen.only):
            print(judge(case_, tallies.setdefault(case_.group, Tally())), flush=True)
    print("\n| sheets | anchored rightly | wrongly | undecided | mean s | slowest s |")
    print("|---|---|---|---|---|---|")
    for group, t in tallies.items():
        undecided = t.sheets - t.right - t.wrong
        print(
            f"| {group} | {t.right} of {t.sheets} | {t.wrong} | {undecided} "
            f"| {t.seconds / t.sheets:.1f} | {t.slowest:.1f} |"
        )


if __name__ == "__main__":
    main()
