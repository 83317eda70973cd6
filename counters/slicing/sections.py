"""The sections of a counter sheet: found on its scan, fitted and judged, or refused."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from counters.slicing.blocks import Array, Block, find_arrays, find_blocks
from counters.slicing.die_cut import print_offset
from counters.slicing.division import Division, divide, jointly, laid_flat
from counters.slicing.errors import BlankSheetError, SliceError
from counters.slicing.islands import grown, holds
from counters.slicing.lattice import Lattice, lattice_on
from counters.slicing.lattice_fit import Fit, fit_lattice, fit_marks, lattice_through
from counters.slicing.marks import Marked, find_marked
from counters.slicing.upright import Numbers, Upright, set_upright
from counters.slicing.wander import wander
from mapkit.scan.sheet import Pixels
from mapkit.texts import say

Place = tuple[int, int]

LEAST_CELL_PX = 24.0
_LONGEST_PX = 4000  # a scan that is much longer is looked at made smaller: A4 at 340 dpi
_SURE = 0.5  # a section that is less sure is refused
_MOST_SURE = 0.99
_DIVIDED = 0.5  # evidence of a division below this is none
_AS_TOLD = 0.85
_FINER = 0.3  # evidence of a finer division that allows for it
_OBLONG = 1.7  # a counter that is longer may be two
_MAYBE_TWO = 0.4  # how sure such counters are
_COUNTED = 0.7  # how sure a division is at least that somebody counted, and the picture agrees
_WEAK = 0.75  # evidence of a back's own division: below this the front's is believed
_AS_BIG = 0.04  # a back's block may be so much bigger or smaller than the front's
_BLANK = 0.97  # of a sheet that is paper
_PART = 0.15  # of the biggest section: a doubtful block that is smaller is a text beside it
_WANDER = 0.03  # of a cell: figures that wander farther through a section tell of a wrong edge
_BARE = 0.985  # of a cell that is paper: nothing stands on it
_LETTER, _TEXT = 0.5, 0.03  # of the biggest section's cell, and of its area: smaller is text
_MOST_LONG = 2.6  # a counter is no longer than so many times its width


@dataclass(frozen=True, eq=False)
class FoundSection:
    """A section as it lies on a scan.

    *held* are the cells with a counter. *offset_px* is how far the print lies beside the cut
    lines, right and down; None where no cut lines are seen. *outer* and *inner* tell at which
    share of the sides a cut was seen.
    """

    lattice: Lattice
    held: frozenset[Place]
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
    """The sections on one scan, from the upper left on; *upright* is the scan made small."""

    pixels: Pixels
    sections: tuple[FoundSection, ...]
    upright: Upright

    @property
    def confidence(self) -> float:
        """How sure the least sure section is."""
        return min(section.confidence for section in self.sections)


def find_sheet(
    picture: Pixels,
    *,
    shape: tuple[int, int] | None = None,
    front: "FoundSheet | None" = None,
    what: str = "scan",
) -> FoundSheet:
    """Return the sections on a scan; *shape* is the rows and columns that somebody says it has.

    Of a back, *front* tells what bare blocks are divided into: nothing repeats on blank counters.

    Raises:
        BlankSheetError: it shows paper and nothing else.
        SliceError: nothing is sure enough, or the picture shows another number of rows.
    """
    shrink = max(1, round(max(picture.shape[:2]) / _LONGEST_PX))
    if shrink > 1:  # an edge that is many pixels wide is none where it is looked for
        fronts = front and enlarged(front, front.pixels, 1 / shrink)
        small = find_sheet(_reduced(picture, shrink), shape=shape, front=fronts, what=what)
        return enlarged(small, picture, shrink)
    upright = set_upright(picture)
    search = _Search(picture, upright, shape, front.sections if front else ())
    found = [one for marked in find_marked(upright) if (one := search.within_marks(marked))]
    blocks = [block for block in find_blocks(upright) if not _is_within(upright, block, found)]
    found += [section for array in find_arrays(blocks) for section in search.sections_of(array)]
    found = search.joined(_without_texts(found), blocks)
    least = _PART * max((_area(one.lattice.corners) for one in found), default=0.0)
    doubts = [one for one in search.doubts if one.area_px > least]
    if not found and not doubts and float(upright.paper.bare.mean()) > _BLANK:
        raise BlankSheetError(say("counters.slice.blank", what=what))
    if not found or doubts:
        reason = max(doubts).told if doubts else say("counters.slice.no_blocks")
        raise SliceError(say("counters.slice.refused", what=what, reason=reason))
    ordered = tuple(sorted(found, key=_reading_order))
    if shape is not None:
        _require_shape(ordered, shape, what)
    return FoundSheet(picture, ordered, upright)


def enlarged(sheet: FoundSheet, pixels: Pixels, factor: float) -> FoundSheet:
    """Return what was found on a scan as it lies on the same one at another size."""
    grow = np.diag([factor, factor, 1.0])
    sections = tuple(
        replace(
            one,
            lattice=replace(one.lattice, matrix=grow @ one.lattice.matrix),
            rms_px=one.rms_px * factor,
            offset_px=one.offset_px and (one.offset_px[0] * factor, one.offset_px[1] * factor),
        )
        for one in sheet.sections
    )
    upright = replace(sheet.upright, matrix=grow @ sheet.upright.matrix)
    return FoundSheet(pixels, sections, upright)


def _reduced(picture: Pixels, factor: int) -> Pixels:
    import cv2

    size = (picture.shape[1] // factor, picture.shape[0] // factor)
    # What a whole number of small pixels does not cover is cut off, a few pixels at the edge.
    whole = picture[: size[1] * factor, : size[0] * factor]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _is_within(upright: Upright, block: Block, sections: Sequence[FoundSection]) -> bool:
    """Say whether a block lies in a section that was found."""
    middle = upright.to_scan(block.middle[None])[0]
    return any(holds(section.lattice, [middle])[0] for section in sections)


def _without_texts(sections: Sequence[FoundSection]) -> list[FoundSection]:
    """Leave out the letters of a text, which stand in rows as counters do, only far smaller."""
    biggest = max(sections, key=lambda one: _area(one.lattice.corners), default=None)
    if biggest is None:
        return []
    least_cell = _LETTER * min(biggest.lattice.cell_px)
    least_area = _TEXT * _area(biggest.lattice.corners)
    return [
        one
        for one in sections
        if min(one.lattice.cell_px) > least_cell or _area(one.lattice.corners) > least_area
    ]


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


@dataclass(frozen=True, order=True)
class Doubt:
    """Why a block was not taken for a section, and how big it is."""

    area_px: float
    told: str
    middle: tuple[float, float] = (0.0, 0.0)


class _Search:
    """Turns arrays of blocks into sections, and collects what is doubtful."""

    def __init__(
        self,
        picture: Pixels,
        upright: Upright,
        shape: tuple[int, int] | None,
        fronts: Sequence[FoundSection],
    ) -> None:
        self.doubts: list[Doubt] = []
        self._picture = picture
        self._upright = upright
        self._shape = shape
        self._fronts = fronts

    def sections_of(self, array: Array) -> list[FoundSection]:
        """Return an array as one section, or each of its blocks as one where these are divided."""
        blocks = list(array.blocks.values())
        rows, columns = self._counted(blocks)
        weak = min(one.score for one in (rows, columns)) < _WEAK
        as_front = self._as_on_front(blocks[0]) if weak and len(blocks) == 1 else None
        if as_front:
            sections: list[FoundSection | None] = [as_front]
        elif rows.count * columns.count > 1:
            sections = [self._divided(one, rows, columns) for one in blocks]
        elif len(blocks) > 1:
            sections = [self._standing_apart(array)]
        else:
            sections = [self._as_on_front(blocks[0])]
        return [section for section in sections if section]

    def _counted(self, blocks: list[Block]) -> tuple[Division, Division]:
        """Return into how many rows and columns each of some blocks is divided.

        Where the picture says something else than somebody told, less evidence will do for that.
        """
        few = _few(blocks)
        divisions = [divide(*laid_flat(self._upright, block.quad)) for block in few]
        jointly_ = [jointly(*pair, block.size) for pair, block in zip(divisions, few, strict=True)]
        seen = _agreed([pair[0] for pair in jointly_]), _agreed([pair[1] for pair in jointly_])
        if self._shape is None or (seen[0].count, seen[1].count) == self._shape:
            return seen
        rows = _agreed([pair[0] for pair in divisions], self._shape[0])
        columns = _agreed([pair[1] for pair in divisions], self._shape[1])
        rows, columns = _finer(blocks[0], rows, columns, self._shape)
        return (rows, columns) if (rows.count, columns.count) == self._shape else seen

    def _advised(self, key: str) -> str:
        """Return the text that does not tell to count what was counted, or is a back."""
        return f"{key}_counted" if self._shape or self._fronts else key

    def joined(self, found: list[FoundSection], blocks: Sequence[Block]) -> list[FoundSection]:
        """Join to the biggest section what stands apart from it, on its own rows and columns."""
        biggest = max(found, key=lambda one: _area(one.lattice.corners), default=None)
        if biggest is None:
            return found
        start = grown(biggest.lattice, self._upright, blocks)
        if start is None:
            return found
        held = _held(self._upright, start)
        fit = fit_lattice(self._picture, start, held)
        whole = self._judged(fit, held, biggest.confidence)
        if whole is None:
            self.doubts.pop()  # they stay sections of their own
            return found
        inside = holds(whole.lattice, [np.array(one.middle) for one in self.doubts])
        self.doubts = [one for one, in_ in zip(self.doubts, inside, strict=True) if not in_]
        middles = [one.lattice.corners.mean(axis=0) for one in found]
        inside = holds(whole.lattice, middles)
        return [whole, *(one for one, in_ in zip(found, inside, strict=True) if not in_)]

    def within_marks(self, marked: Marked) -> FoundSection | None:
        """Return a block with marks to cut by around it as a section."""
        small = marked.lattice
        corners = self._upright.to_scan(small.corners)
        start = replace(small, matrix=self._upright.matrix @ small.matrix)
        if min(start.cell_px) < LEAST_CELL_PX:
            self._doubt(corners, say("counters.slice.too_small", px=f"{min(start.cell_px):.0f}"))
            return None
        fit = fit_marks(self._picture, start, marked.sides)
        return self._judged(fit, _held(self._upright, fit.lattice), _MOST_SURE)

    def _divided(self, block: Block, rows: Division, columns: Division) -> FoundSection | None:
        """Return a block of touching counters as a section."""
        corners = self._upright.to_scan(block.quad)
        start = lattice_on(corners, rows.count, columns.count)
        wide, high = start.pitch_px
        if max(wide / high, high / wide) > _MOST_LONG:
            if min(rows.score, columns.score) > 0.75:
                shape = {"rows": rows.count, "columns": columns.count}
                self._doubt(corners, say(f"counters.slice.{self._advised('odd_shape')}", **shape))
            return None
        if min(wide, high) < LEAST_CELL_PX:
            self._doubt(corners, say("counters.slice.too_small", px=f"{min(wide, high):.0f}"))
            return None
        sure = min(_clear(rows), _clear(columns))
        along = columns if wide > high else rows
        if max(wide / high, high / wide) > _OBLONG and _score(along, 2 * along.count) >= _FINER:
            sure = min(sure, _MAYBE_TWO)
        return self._fitted(start, sure)

    def _as_on_front(self, block: Block) -> FoundSection | None:
        """Return a bare block divided as the section of the front that has its size."""
        wide, high = (side * self._upright.scale for side in block.size)
        for section in self._fronts:
            across, down = section.lattice.pitch_px
            width, height = across * section.columns, down * section.rows
            if min(section.lattice.share) < 0.999:
                continue
            for rows, columns, size in (
                (section.rows, section.columns, (width, height)),
                (section.columns, section.rows, (height, width)),
            ):
                if abs(wide / size[0] - 1) < _AS_BIG and abs(high / size[1] - 1) < _AS_BIG:
                    corners = self._upright.to_scan(block.quad)
                    return self._fitted(lattice_on(corners, rows, columns), 0.75)
        return None  # a title, a logo: nothing that repeats

    def _fitted(self, start: Lattice, sure: float) -> FoundSection | None:
        if self._shape == (start.rows, start.columns):
            sure = max(sure, _COUNTED)
        held = _held(self._upright, start)
        if not held:
            return None
        fit = fit_lattice(self._picture, start, held)
        section = self._judged(fit, held, sure)
        if section is None or not fit.lined:
            return section
        return replace(section, offset_px=print_offset(self._picture, fit.lattice, held))

    def _standing_apart(self, array: Array) -> FoundSection | None:
        """Return counters with gutters between them as a section."""
        blocks = list(array.blocks.values())
        sizes = np.median([block.size for block in blocks], axis=0) * self._upright.scale
        if max(sizes) / min(sizes) > _MOST_LONG:
            return None  # words of a text
        if min(sizes) < LEAST_CELL_PX:
            if len(blocks) >= 4:
                corners = self._upright.to_scan(np.concatenate([one.quad for one in blocks]))
                self._doubt(corners, say("counters.slice.too_small", px=f"{min(sizes):.0f}"))
            return None
        middles = {
            place: self._upright.to_scan(block.middle[None])[0]
            for place, block in array.blocks.items()
        }
        start = lattice_through(middles, sizes, (array.rows, array.columns))
        fit = fit_lattice(self._picture, start, array.blocks)
        solid = median(block.filled for block in blocks)
        held = _held(self._upright, fit.lattice) | array.blocks.keys()
        return self._judged(fit, frozenset(held), float(np.clip(solid / 0.8, 0, 1)))

    def _judged(self, fit: Fit, held: frozenset[Place], sure: float) -> FoundSection | None:
        lattice = fit.lattice
        straight = float(np.clip(1.6 - fit.rms_px / (0.02 * min(lattice.pitch_px)), 0, 1))
        seen = float(np.clip((fit.outer - 0.6) / 0.3, 0, 1))
        away = wander(self._picture, lattice, held)
        steady = float(np.clip(1.6 - away / _WANDER, 0, 1))
        confidence = min(sure, straight, seen, steady, _MOST_SURE)
        if confidence < _SURE or not held:
            key = self._advised("unsure_cells") if confidence == sure else "unsure_cuts"
            shape = {"rows": lattice.rows, "columns": lattice.columns}
            told = say(f"counters.slice.{key}", sure=f"{confidence:.0%}", **shape)
            self._doubt(lattice.corners, told)
            return None
        return FoundSection(lattice, held, confidence, fit.lined, fit.rms_px, fit.outer, fit.inner)

    def _doubt(self, corners: Numbers, told: str) -> None:
        x, y = corners.mean(axis=0).tolist()
        self.doubts.append(Doubt(_area(corners), told, (x, y)))


def _area(points: Numbers) -> float:
    """The area of the box around some points."""
    return float(np.prod(np.ptp(points, axis=0)))


def _few(blocks: list[Block]) -> list[Block]:
    return blocks[:: max(1, len(blocks) // 5)][:5]


def _agreed(divisions: list[Division], told: int | None = None) -> Division:
    """Return what most say of one side; weak evidence is no division.

    Where somebody *told* how many there are, that wins over what is hardly better.
    """
    counts = [one.count if one.score >= _DIVIDED else 1 for one in divisions]
    most = max(set(counts), key=counts.count)
    same = [one for one, count in zip(divisions, counts, strict=True) if count == most]
    best = max(same, key=lambda one: one.score)
    score = _score(best, told) if told else 0.0
    enough = max(_AS_TOLD * max(best.scores), _DIVIDED)
    if told and most % told and score >= enough:  # a divisor would ignore cuts that are seen
        return Division(told, score, 0.5 * score, best.scores)
    if most == 1:
        return Division(1, 1.0, max(best.scores), best.scores)
    return best


def _score(division: Division, count: int) -> float:
    """Return the evidence of another count."""
    return division.scores[count] if 1 < count < len(division.scores) else 0.0


def _finer(
    block: Block, rows: Division, columns: Division, told: tuple[int, int]
) -> tuple[Division, Division]:
    """Return the finer division that somebody told, where what is seen makes long counters.

    Every cut that is seen is also one of the finer division: so less evidence will do, if one
    counter more and one less fit worse.
    """
    across, down = block.size[0] / columns.count, block.size[1] / rows.count
    if down > _OBLONG * across:
        rows = _refined(rows, told[0])
    elif across > _OBLONG * down:
        columns = _refined(columns, told[1])
    return rows, columns


def _refined(division: Division, told: int) -> Division:
    score = _score(division, told)
    if told % division.count or score < _FINER or not _is_peak(division, told):
        return division
    return Division(told, score, 0.5 * score, division.scores)


def _is_peak(division: Division, count: int) -> bool:
    beside = max(_score(division, count - 1), _score(division, count + 1))
    return _score(division, count) > beside


def _clear(division: Division) -> float:
    """Return how sure a division is, from 0 to 1: a runner-up close behind makes it unsure."""
    if division.count == 1:
        return float(np.clip(1.25 - division.runner_up, 0, 1))
    return float(np.clip(2.2 * division.margin, 0, 1) * np.clip(division.score / 0.7, 0, 1))


def _held(upright: Upright, lattice: Lattice) -> frozenset[Place]:
    """Return the cells on which anything is printed."""
    import cv2

    back = np.linalg.inv(upright.matrix)
    small = replace(lattice, matrix=back @ lattice.matrix)
    side = 24
    inner = np.array([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    paper = upright.paper.bare.astype(np.uint8) * 255
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
