"""A scanned sheet sliced: found, cut, paired, copies counted; values in, values out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

import numpy as np

from counters.model import Flip
from counters.slicing.copies import MARGIN, find_copies
from counters.slicing.cut import CutSection, cut_section
from counters.slicing.errors import BlankSheetError, SliceError
from counters.slicing.pairing import Pairing, Verdict, pair, unmirrored
from counters.slicing.sections import FoundSheet, Place, find_sheet
from counters.slicing.turns import Turn
from mapkit.progress import OnProgress, ignore
from mapkit.scan.sheet import Pixels
from mapkit.texts import say


@dataclass(frozen=True, eq=False)
class SlicedCell:
    """One counter of a sheet: where it lies, its two pictures upright, how sure the pair is.

    *kind* is the index of the first cell that is the same counter: its own where it is none's copy.
    """

    section: int
    place: Place
    front: Pixels
    back: Pixels | None
    confidence: float
    kind: int


@dataclass(frozen=True, eq=False)
class Sliced:
    """A sheet sliced: what was found on its scans, its counters in reading order, the pairing.

    *pairing* is None where there is no back, or a blank one (*blank_back*).
    """

    front: FoundSheet
    back: FoundSheet | None
    fronts: tuple[CutSection, ...]
    backs: tuple[CutSection, ...]
    pairing: Pairing | None
    cells: tuple[SlicedCell, ...]
    blank_back: bool = False
    names: tuple[str, ...] = field(default=())

    @property
    def kinds(self) -> tuple[int, ...]:
        """The indices of the cells that are no copies."""
        return tuple(i for i, cell in enumerate(self.cells) if cell.kind == i)

    def copies(self, index: int) -> int:
        """Return how many cells hold the same counter."""
        return sum(cell.kind == index for cell in self.cells)

    @property
    def is_paired(self) -> bool:
        """Whether backs belong to fronts, proven or told."""
        verdicts = (Verdict.PROVEN, Verdict.TOLD)
        return self.pairing is not None and self.pairing.verdict in verdicts


@dataclass(frozen=True)
class Wishes:
    """What somebody says of a sheet: rows and columns, how it was turned, copies apart."""

    shape: tuple[int, int] | None = None
    flip: Flip | None = None
    turn_deg: int = 0
    every_cell: bool = False

    @property
    def turn(self) -> Turn | None:
        """The way that was told."""
        return Turn(self.flip, self.turn_deg // 90 % 4) if self.flip else None


def slice_sheet(
    front: Pixels,
    back: Pixels | None,
    wishes: Wishes,
    *,
    names: tuple[str, str] = ("front", "back"),
    on_progress: OnProgress = ignore,
) -> Sliced:
    """Slice the scan of a front, and of a back where there is one; *names* are for messages.

    Raises:
        SliceError: a scan shows no sheet that can be cut with confidence.
    """
    on_progress(0.02, say("counters.slice.stage_front"))
    found = find_sheet(front, shape=wishes.shape, what=names[0])
    fronts = tuple(cut_section(found, section) for section in found.sections)
    found_back, pairing, blank = None, None, False
    backs: tuple[CutSection, ...] = ()
    if back is not None:
        on_progress(0.3, say("counters.slice.stage_back"))
        try:
            found_back = find_sheet(back, front=found, what=names[1])
        except BlankSheetError:
            blank = True
    if found_back is not None:
        white = found.upright.paper.colour
        backs = tuple(cut_section(found_back, one, white=white) for one in found_back.sections)
        on_progress(0.55, say("counters.slice.stage_pair"))
        if unmirrored(fronts, backs):
            raise SliceError(say("counters.slice.same_side", back=names[1]))
        pairing = pair(fronts, backs, told=wishes.turn)
    on_progress(0.75, say("counters.slice.stage_copies"))
    cells = _cells(fronts, backs, pairing, every_cell=wishes.every_cell)
    sections = tuple(_letters(index) for index in range(len(fronts)))
    return Sliced(found, found_back, fronts, backs, pairing, cells, blank, sections)


def _letters(index: int) -> str:
    """Return A, B, …, Z, AA, AB, …"""
    first, last = divmod(index, len(ascii_uppercase))
    return (_letters(first - 1) if first else "") + ascii_uppercase[last]


def _cells(
    fronts: Sequence[CutSection],
    backs: Sequence[CutSection],
    pairing: Pairing | None,
    *,
    every_cell: bool,
) -> tuple[SlicedCell, ...]:
    found: list[SlicedCell] = []
    for number, front in enumerate(fronts):
        pairs = pairing.sections[number] if pairing else None
        start = len(found)
        held = []
        for place, picture in sorted(front.cells.items()):
            back, sure = None, 0.0
            if pairs and pairing and pairing.turn and place in pairs.pairs:
                there, sure = pairs.pairs[place]
                assert pairs.back is not None  # a section with pairs has a back
                back = upright_back(backs[pairs.back].cells[there], pairing.turn)
            held.append((place, picture, back, sure))
        firsts = (
            list(range(len(held)))
            if every_cell
            else find_copies(
                [(picture, back) for _, picture, back, _ in held], margin=_margin(front)
            )
        )
        found += (
            SlicedCell(number, place, picture, back, sure, start + first)
            for (place, picture, back, sure), first in zip(held, firsts, strict=True)
        )
    return tuple(found)


def _margin(section: CutSection) -> float:
    """Return how much of a counter's edge is not compared: print beside the cuts shows others."""
    off = section.found.offset_px or (0.0, 0.0)
    return MARGIN + max(map(abs, off)) / min(section.found.lattice.cell_px)


def upright_back(picture: Pixels, turn: Turn) -> Pixels:
    """Return a back as one reads it, whichever way the scan has it."""
    return np.ascontiguousarray(np.rot90(picture, turn.quarters))
