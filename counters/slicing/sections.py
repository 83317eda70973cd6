"""The sections of a counter sheet: found on its scan, fitted, and judged; or refused with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from counters.slicing.blocks import Array, Block, find_arrays, find_blocks
from counters.slicing.division import Division, divide, laid_flat
from counters.slicing.die_cut import print_offset
from counters.slicing.errors import SliceError
from counters.slicing.lattice import Lattice, lattice_on
from counters.slicing.lattice_fit import Fit, fit_lattice, lattice_through
from counters.slicing.upright import Numbers, Upright, set_upright
from mapkit.scan.sheet import Pixels
from mapkit.texts import say

LEAST_CELL_PX = 24.0
_SURE = 0.5  # a section that is less sure is refused
_DIVIDED = 0.5  # evidence of a division below this is none
_BARE = 0.985  # of a cell that is paper: nothing stands on it
_MOST_LONG = 2.6  # a counter is no longer than so many times its width


@dataclass(frozen=True, eq=False)
class FoundSection:
    """A section as it lies on a scan.

    *held* are the cells with a counter. *offset_px* is how far the print lies beside the cut
    lines, right and down; None where no cut lines are seen. *outer* and *inner* tell at which
    share of the sides a cut was seen.
    """

    lattice: Lattice
    held: frozenset[tuple[int, int]]
    confidence: float
    lined: bool
    rms_px: float
    outer: float
    inner: float
    offset_px: tuple[float, float] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.lattice.rows

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.lattice.columns


@dataclass(frozen=True, eq=False)
class FoundSheet:
    """The sections on one scan, from the upper left on, and how it was turned."""

    pixels: Pixels
    sections: tuple[FoundSection, ...]
    skew_deg: float
    paper: tuple[float, float, float]

    @property
    def confidence(self) -> float:
        """How sure the least sure section is."""
        return min(section.confidence for section in self.sections)


def find_sheet(
    picture: Pixels, *, shape: tuple[int, int] | None = None, what: str = "scan"
) -> FoundSheet:
    """Return the sections on a scan; *shape* is the rows and columns that somebody says it has.

    Raises:
        SliceError: nothing is sure enough, or the picture shows another number of rows.
    """
    upright = set_upright(picture)
    blocks = find_blocks(upright)
    doubts: list[str] = []
    found = []
    for array in find_arrays(blocks):
        found += _sections_of(picture, upright, array, shape, doubts)
    if not found:
        reason = doubts[0] if doubts else say("counters.slice.no_blocks")
        raise SliceError(say("counters.slice.refused", what=what, reason=reason))
    if doubts:
        raise SliceError(say("counters.slice.refused", what=what, reason=doubts[0]))
    ordered = tuple(sorted(found, key=_reading_order))
    if shape is not None:
        _require_shape(ordered, shape, what)
    return FoundSheet(picture, ordered, upright.skew_deg, upright.colour)


def _require_shape(sections: Sequence[FoundSection], shape: tuple[int, int], what: str) -> None:
    """Refuse rows and columns that the scan contradicts."""
    seen = ", ".join(f"{one.rows} × {one.columns}" for one in sections)
    if any((one.rows, one.columns) != shape for one in sections):
        given = f"{shape[0]} × {shape[1]}"
        raise SliceError(say("counters.slice.other_shape", what=what, given=given, seen=seen))


def _reading_order(section: FoundSection) -> tuple[float, float]:
    top, left = section.lattice.corners[0][::-1]
    high = section.lattice.pitch_px[1]
    return round(float(top) / (1.5 * high)), float(left)


def _sections_of(
    picture: Pixels,
    upright: Upright,
    array: Array,
    shape: tuple[int, int] | None,
    doubts: list[str],
) -> list[FoundSection]:
    """Return an array as one section, or each of its blocks as one where these are divided."""
    blocks = list(array.blocks.values())
    divisions = [divide(laid_flat(upright, block.quad)) for block in _few(blocks)]
    rows = _agreed([pair[0] for pair in divisions])
    columns = _agreed([pair[1] for pair in divisions])
    if rows.count * columns.count > 1:
        sections = [_divided(picture, upright, one, rows, columns, shape, doubts) for one in blocks]
        return [section for section in sections if section]
    if len(blocks) < 2:
        return []  # a title, a logo: nothing that repeats
    section = _standing_apart(picture, upright, array, doubts)
    return [section] if section else []


def _few(blocks: list[Block]) -> list[Block]:
    return blocks[:: max(1, len(blocks) // 5)][:5]


def _agreed(divisions: list[Division]) -> Division:
    """Return what most say of one side; weak evidence is no division."""
    counts = [one.count if one.score >= _DIVIDED else 1 for one in divisions]
    most = max(set(counts), key=counts.count)
    same = [one for one, count in zip(divisions, counts, strict=True) if count == most]
    best = max(same, key=lambda one: one.score)
    if most == 1:
        return Division(1, 1.0, max(best.scores), best.scores)
    return best


def _divided(
    picture: Pixels,
    upright: Upright,
    block: Block,
    rows: Division,
    columns: Division,
    shape: tuple[int, int] | None,
    doubts: list[str],
) -> FoundSection | None:
    """Return a block of touching counters as a section; what is doubtful goes to *doubts*."""
    start = lattice_on(upright.to_scan(block.quad), rows.count, columns.count)
    wide, high = start.pitch_px
    if max(wide / high, high / wide) > _MOST_LONG:
        if min(rows.score, columns.score) > 0.75:
            doubts.append(say("counters.slice.odd_shape", rows=rows.count, columns=columns.count))
        return None
    if min(wide, high) < LEAST_CELL_PX:
        doubts.append(say("counters.slice.too_small", px=f"{min(wide, high):.0f}"))
        return None
    held = _held(upright, start)
    fit = fit_lattice(picture, start, held)
    sure = min(_clear(rows), _clear(columns))
    section = _judged(fit, held, sure, shape, doubts)
    if section is None or not fit.lined:
        return section
    return replace(section, offset_px=print_offset(picture, fit.lattice, held))


def _clear(division: Division) -> float:
    """Return how sure a division is, from 0 to 1: a runner-up close behind makes it unsure."""
    if division.count == 1:
        return float(np.clip(1.25 - division.runner_up, 0, 1))
    return float(np.clip(2.2 * division.margin, 0, 1) * np.clip(division.score / 0.7, 0, 1))


def _standing_apart(
    picture: Pixels, upright: Upright, array: Array, doubts: list[str]
) -> FoundSection | None:
    """Return counters with gutters between them as a section."""
    middles = {
        place: upright.to_scan(block.middle[None])[0] for place, block in array.blocks.items()
    }
    sizes = np.median([block.size for block in array.blocks.values()], axis=0) * upright.scale
    if max(sizes) / min(sizes) > _MOST_LONG:
        return None  # words of a text
    if min(sizes) < LEAST_CELL_PX:
        if len(middles) >= 4:
            doubts.append(say("counters.slice.too_small", px=f"{min(sizes):.0f}"))
        return None
    start = lattice_through(middles, sizes, (array.rows, array.columns))
    fit = fit_lattice(picture, start, array.blocks)
    solid = median(block.filled for block in array.blocks.values())
    held = _held(upright, fit.lattice) | array.blocks.keys()
    return _judged(fit, frozenset(held), float(np.clip(solid / 0.8, 0, 1)), None, doubts)


def _judged(
    fit: Fit,
    held: frozenset[tuple[int, int]],
    sure: float,
    shape: tuple[int, int] | None,
    doubts: list[str],
) -> FoundSection | None:
    lattice = fit.lattice
    straight = float(np.clip(1.6 - fit.rms_px / (0.02 * min(lattice.pitch_px)), 0, 1))
    seen = float(np.clip((fit.outer - 0.3) / 0.5, 0, 1))
    confidence = min(sure, straight, seen)
    if confidence < _SURE and shape == (lattice.rows, lattice.columns) and sure < _SURE:
        # Somebody counted and the picture does not contradict: that is as good as a runner-up.
        confidence = min(max(sure, _SURE), straight, seen)
    if confidence < _SURE or not held:
        key = "unsure_cells" if confidence == sure else "unsure_cuts"
        sized = {"rows": lattice.rows, "columns": lattice.columns}
        doubts.append(say(f"counters.slice.{key}", sure=f"{confidence:.0%}", **sized))
        return None
    return FoundSection(
        lattice, held, confidence, fit.lined, fit.rms_px, fit.outer, fit.inner
    )


def _held(upright: Upright, lattice: Lattice) -> frozenset[tuple[int, int]]:
    """Return the cells on which anything is printed."""
    import cv2

    back = np.linalg.inv(upright.matrix)
    small = replace(lattice, matrix=back @ lattice.matrix)
    side = 24
    inner = np.array([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    paper = upright.paper.astype(np.uint8) * 255
    found = set()
    for row in range(lattice.rows):
        for column in range(lattice.columns):
            places = inner * np.array(lattice.share) + np.array([column, row])
            corners: Numbers = small.at(places) - 0.5
            matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
            seen = cv2.warpPerspective(paper, matrix, (side, side), borderValue=255)
            if float((seen > 127).mean()) < _BARE:
                found.add((row, column))
    return frozenset(found)
