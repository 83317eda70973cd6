"""Drawn counter sheets sliced: cut error, pairing, copies, offset, time, seed by seed.

`python -m benchmarks.counters.slicing [FIRST_SEED] [SEEDS] [KIND …]`: seeds 1 to 5 where none
is said, which were looked at while choosing; 301 on were not. BACKS=N in the environment says
how many backs are tried for each front, else three.
"""

import os
import sys
import time
from collections import defaultdict
from itertools import combinations

import numpy as np

from benchmarks.counters.backs import BACKS, BackKind, back_kind, back_of, can_have
from benchmarks.counters.drawn_sheets import (
    DrawnScan,
    DrawnSection,
    DrawnSheet,
    Place,
    Scanning,
    mirrored_place,
    scan_side,
    side_picture,
)
from benchmarks.counters.kinds import KINDS, dice_of
from benchmarks.counters.printed_sheets import PrintedSheet
from counters.slicing.errors import SliceError
from counters.slicing.pairing import Verdict
from counters.slicing.sections import FoundSection, FoundSheet, find_sheet
from counters.slicing.slice_sheet import Sliced, Wishes, slice_sheet

_BACKS_EACH = int(os.environ.get("BACKS", "3"))
_NEAR_PX = 30
_MM = 25.4


def matching(scan: DrawnScan, section: DrawnSection, found: FoundSheet) -> FoundSection | None:
    """Return the section that was found where one was drawn, if its rows and columns are right."""
    middle = scan.at(section.corners_mm(0, 0)).mean(axis=0)
    for one in found.sections:
        near = np.linalg.norm(one.lattice.cell(0, 0).mean(axis=0) - middle)
        if (one.rows, one.columns) == (section.rows, section.columns) and near < _NEAR_PX:
            return one
    return None


def cut_errors(scan: DrawnScan, section: DrawnSection, found: FoundSection) -> list[float]:
    """Return how far every corner of every cell is from the truth, in pixels."""
    off = [
        scan.at(section.corners_mm(row, column)) - found.lattice.cell(row, column)
        for row in range(section.rows)
        for column in range(section.columns)
    ]
    return np.linalg.norm(np.concatenate(off), axis=1).tolist()


def answer_of(
    sliced: Sliced, kind: BackKind, sheets: tuple[DrawnSheet, DrawnSheet], back: DrawnScan
) -> str:
    """Return "right", "unproven" or "wrong" for what was said of a back.

    *sheets* are the front's, and the one turned over as it was scanned.
    """
    pairing = sliced.pairing
    if pairing is None:
        return "right" if kind.answer == "unproven" else "unproven"
    if pairing.verdict is Verdict.PROVEN:
        strange = any(one.verdict is Verdict.FOREIGN for one in pairing.sections)
        turn = pairing.turn
        upright = turn is not None and (turn.flip.value, turn.quarters) == (
            kind.flip, kind.quarters,
        )  # fmt: skip
        # Where nothing proves which way up they stand, and that is said, the pairs alone count.
        good = (upright or not pairing.upright) and _pairs_are_right(sliced, sheets, back)
        wanted = {"paired": not strange, "one section": strange}
        return "right" if good and wanted.get(kind.answer, False) else "wrong"
    if kind.answer in ("paired", "one section"):
        return "wrong" if pairing.verdict is Verdict.FOREIGN else "unproven"
    if pairing.verdict.value == kind.answer:
        return "right"
    return "unproven" if kind.answer == "foreign" else "wrong"


def _pairs_are_right(
    sliced: Sliced, sheets: tuple[DrawnSheet, DrawnSheet], scan: DrawnScan
) -> bool:
    """Say whether behind every front lies the back that was drawn there, and no other."""
    assert sliced.pairing is not None  # it is proven
    front, over = sheets
    for cut, pairs in zip(sliced.fronts, sliced.pairing.sections, strict=True):
        if pairs.verdict is Verdict.FOREIGN or pairs.back is None:
            continue
        # The sections stand in reading order on both; they are known by their shape.
        [number] = [
            index
            for index, one in enumerate(front.sections)
            if (one.rows, one.columns) == (cut.found.rows, cut.found.columns)
        ]
        section, there = front.sections[number], over.sections[number]
        backs = sliced.backs[pairs.back].found.lattice
        true = {
            place: there.corners_mm(*mirrored_place(place, section, over.flip)).mean(axis=0)
            for place in section.cells
            if not isinstance(front, PrintedSheet) or place in front.backs
        }
        if set(true) != set(pairs.pairs):
            return False
        for place, (back_place, _) in pairs.pairs.items():
            off = scan.at(true[place][None])[0] - backs.cell(*back_place).mean(axis=0)
            if np.linalg.norm(off) > _NEAR_PX:
                return False
    return True


def copies_found(sliced: Sliced, scan: DrawnScan, sheet: DrawnSheet) -> tuple[int, int, int]:
    """Return how many pairs of copies there are, were found, and were found rightly."""
    drawn: dict[int, dict[Place, object]] = {}
    for number, cut in enumerate(sliced.fronts):
        for section in sheet.sections:
            middle = scan.at(section.corners_mm(0, 0)).mean(axis=0)
            if np.linalg.norm(cut.found.lattice.cell(0, 0).mean(axis=0) - middle) < _NEAR_PX:
                drawn[number] = dict(section.cells)
    true = found = right = 0
    for a, b in combinations(sliced.cells, 2):
        if a.section != b.section:
            continue
        cells = drawn[a.section]
        same = cells.get(a.place) == cells.get(b.place) and a.place in cells
        joined = a.kind == b.kind
        true, found, right = true + same, found + joined, right + (same and joined)
    return true, found, right


class Tally:
    """Everything that was measured, by kind of sheet and of back."""

    def __init__(self) -> None:
        self.errors: dict[str, list[float]] = defaultdict(list)
        self.sheets: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.answers: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.copies = np.zeros(3, int)
        self.offsets: list[float] = []
        self.held = [0, 0]
        self.seconds: list[float] = []

    def front(self, kind: str, scan: DrawnScan, sheet: DrawnSheet) -> bool:
        """Measure the cuts of one front; a refusal counts as such."""
        start = time.process_time()
        counts = self.sheets[kind]
        counts[0] += 1
        try:
            found = find_sheet(scan.pixels)
        except SliceError as error:
            print(f"  refused: {error}", flush=True)
            counts[1] += 1
            return False
        self.seconds.append(time.process_time() - start)
        matched = [matching(scan, section, found) for section in sheet.sections]
        if None in matched or len(found.sections) != len(sheet.sections):
            print("  WRONG sections", flush=True)
            counts[2] += 1
            return False
        for section, one in zip(sheet.sections, matched, strict=True):
            assert one is not None
            self.errors[kind] += cut_errors(scan, section, one)
            self.held[0] += 1
            self.held[1] += set(section.cells) == set(one.held)
            if one.offset_px is not None:
                mm = np.array(one.offset_px) / scan.dpi * _MM - np.array(section.offset_mm)
                self.offsets += np.abs(mm).tolist()
        return True

    def back(
        self, name: str, scans: tuple[DrawnScan, DrawnScan], sheets: tuple[DrawnSheet, DrawnSheet]
    ) -> str:
        """Measure what is said of one back."""
        kind = back_kind(name, sheets[0])
        front, back = scans
        try:
            sliced = slice_sheet(front.pixels, back.pixels, Wishes())
        except SliceError as error:
            self.answers[name]["refused"] += 1
            return f"refused ({error})"
        answer = answer_of(sliced, kind, sheets, back)
        self.answers[name][answer] += 1
        if kind.answer == "paired" and answer == "right":
            self.copies += np.array(copies_found(sliced, front, sheets[0]))
        reason = sliced.pairing.reason if sliced.pairing else "blank"
        return f"{answer} ({reason})"

    def told(self) -> None:
        """Print the tables."""
        print("\n| sheets | cut rightly | refused | wrong | mean px | worst px |")
        for kind, (count, refused, wrong) in self.sheets.items():
            off = self.errors[kind] or [float("nan")]
            right = count - refused - wrong
            row = f"| {kind} | {right} of {count} | {refused} | {wrong} "
            print(f"{row}| {np.mean(off):.2f} | {np.max(off):.2f} |")
        print("\n| backs | right | unproven | refused | wrong |")
        for name, answers in self.answers.items():
            columns = (answers[key] for key in ("right", "unproven", "refused", "wrong"))
            print(f"| {name} | {' | '.join(map(str, columns))} |")
        true, found, right = self.copies.tolist()
        print(f"\ncopies: {true} pairs, {found} found, {right} rightly")
        print(f"cells with print right in {self.held[1]} of {self.held[0]} sections")
        if self.offsets:
            off = (np.mean(self.offsets), np.max(self.offsets))
            print(f"offset of the print: off by {off[0]:.2f} mm, worst {off[1]:.2f} mm")
        print(f"seconds to find one sheet: {np.mean(self.seconds):.1f}")


def main(arguments: list[str]) -> None:
    """Print a line for every sheet, and the tables at the end."""
    first = int(arguments[0]) if arguments else 1
    seeds = int(arguments[1]) if len(arguments) > 1 else 5
    kinds = arguments[2:] or list(KINDS)
    tally = Tally()
    names = list(BACKS)
    for seed in range(first, first + seeds):
        for number, kind in enumerate(kinds):
            dice = dice_of(seed, sum(map(ord, kind)))
            sheet = KINDS[kind](dice)
            dpi = 300.0 if seed % 5 == 0 else 200.0
            scan = scan_side(side_picture(sheet, "front", dpi), Scanning(dpi=dpi), dice)
            print(f"seed {seed} {kind} {dpi:.0f} dpi", flush=True)
            if not tally.front(f"{kind}, {dpi:.0f} dpi", scan, sheet):
                continue
            for step in range(_BACKS_EACH):
                name = names[(seed * 3 + number * 4 + step * 5) % len(names)]
                if not can_have(sheet, name):
                    name = "columns"
                if isinstance(sheet, PrintedSheet) and not sheet.backs:
                    continue
                made = back_of(sheet, BACKS[name], dice)
                making = Scanning(dpi=dpi, turn=BACKS[name].quarters)
                back = scan_side(side_picture(made, "back", dpi), making, dice)
                told = tally.back(name, (scan, back), (sheet, made))
                print(f"  {name}: {told}", flush=True)
    tally.told()


if __name__ == "__main__":
    main(sys.argv[1:])
