"""From teaching to chances: how likely a line of every kind lies at every hexside of a sheet.

A sheet teaches itself. First the legend samples and examples alone are learnt; what is found
with them, where it is found surely, shows how the lines really look on this sheet, and is
learnt in its turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hexside
from mapkit.scan.line_evidence import MARKS, describe, judge, line_width
from mapkit.scan.line_lessons import (
    SCALES,
    Lesson,
    cut_strips,
    draw_lesson,
    find_lines,
    flipped,
    path_lesson,
    teach_reader,
)
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_swatches import Strip
from mapkit.scan.line_teaching import LineKind, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import Floats, Patches, all_sides, cut_patches

_LOOKED_AT = 1500  # patches that stand for the whole sheet while learning
_GROUNDS = 700
_DRAWN = 70
_DRAWN_LATER = 25  # once the sheet's own lines are known
_OWN = 50  # of these, so many of each kind
_FEWEST = 6

Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Study:
    """One sheet and its teaching, ready to be learnt from."""

    sheet: FlatSheet
    teaching: LineTeaching
    sides: tuple[Hexside, ...]
    patches: Patches
    kinds: tuple[LineKind, ...]  # without those that lead over water
    strips: Mapping[LineKind, Strip]
    yes: Mapping[LineKind, Sequence[int]]
    no: Mapping[str, Sequence[int]]
    seed: int = 0
    lessons: dict[LineKind, list[Lesson]] = field(default_factory=dict)


def begin(sheet: FlatSheet, teaching: LineTeaching, *, seed: int) -> Study:
    """Cut the patches of a sheet and sort what is known about them."""
    sides = all_sides(sheet)
    number = {side: index for index, side in enumerate(sides)}
    yes: dict[LineKind, list[int]] = {kind: [] for kind in teaching.kinds()}
    no: dict[str, list[int]] = {"hexsides": [], "links": [], "areas": []}
    for place, word in teaching.hexsides:
        at = number.get(Hexside(*place))
        if at is not None:
            (no["hexsides"] if word is None else yes[LineKind("hexsides", word)]).append(at)
    for link, word in teaching.links:
        at = number.get(Hexside(*link))
        if at is not None:
            (no["links"] if word is None else yes[LineKind("links", word)]).append(at)
    strips = cut_strips(sheet, teaching)
    kinds = tuple(
        kind
        for kind in teaching.kinds()
        if not teaching.is_crossing(kind) and (kind in strips or yes[kind])
    )
    patches = cut_patches(sheet, sides)
    return Study(sheet, teaching, sides, patches, kinds, strips, yes, no, seed)


def line_chances(study: Study) -> dict[LineKind, Chances]:
    """Return the chance of every kind at every hexside, each from its own patch alone."""
    dice = np.random.default_rng(study.seed)
    count = len(study.patches)
    some = np.sort(dice.choice(count, min(count, _LOOKED_AT), replace=False))
    reader, expected = _learn(study, some, {}, SCALES, dice)
    found = _relative(study, reader, study.patches[some], expected)
    scale = _scale(study, reader, some, found, dice)
    scales = SCALES if scale is None else (0.92 * scale, 1.08 * scale)
    calm = some[(found < 0.3).all(axis=1)]
    reader, expected = _learn(study, _enough(calm, some), {}, scales, dice)
    found = _relative(study, reader, study.patches, expected)
    calm = some[(found[some] < 0.4).all(axis=1)]
    own = _own_lessons(study, reader, found)
    reader, expected = _learn(study, _enough(calm, some), own, scales, dice)
    shown = [_shown(study, reader, index, own, scales, some, dice) for index in range(len(study.kinds))]
    seen = describe(reader, study.patches, study.kinds, frozenset())
    return {
        kind: judge(seen[:, index * MARKS], shown[index], study.yes[kind], study.no[kind.group])
        for index, kind in enumerate(study.kinds)
    }


def _scale(
    study: Study,
    reader: PixelReader,
    some: npt.NDArray[np.intp],
    found: Floats,
    dice: np.random.Generator,
) -> float | None:
    """Return how much smaller lines are on the map than in the legend, or None for unknown.

    Told by the width of those that were found: the same reader measures what it is shown at
    either end of the range.
    """
    told = []
    for index, kind in enumerate(study.kinds):
        if kind not in study.strips or kind.group == "areas":
            continue
        best = np.argsort(-found[:, index])[:40]
        best = best[found[best, index] > 0.7]
        if len(best) < _FEWEST:
            continue
        ground = study.patches[some]
        widths = []
        for scale in SCALES:
            lesson = draw_lesson(
                kind, study.strips, ground, dice, count=60, scales=(scale, scale)
            )
            widths.append(line_width(kind, reader.likelihoods(lesson.patches)[:, index + 1]))
        width = line_width(kind, reader.likelihoods(study.patches[some[best]])[:, index + 1])
        if widths[1] > widths[0] + 0.5:
            share = (width - widths[0]) / (widths[1] - widths[0])
            told.append(SCALES[0] + share * (SCALES[1] - SCALES[0]))
    if not told:
        return None
    return float(np.clip(np.median(told), *SCALES))


def _enough(calm: npt.NDArray[np.intp], some: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    return calm if len(calm) >= min(100, len(some) // 4) else some


def _learn(
    study: Study,
    grounds: npt.NDArray[np.intp],
    own: Mapping[LineKind, Lesson],
    scales: tuple[float, float],
    dice: np.random.Generator,
) -> tuple[PixelReader, Floats]:
    """Teach a reader; return it, and what it sees of each kind where the kind surely is."""
    ground = study.patches[dice.permutation(grounds)[:_GROUNDS]]
    lessons: dict[int, list[Lesson]] = {}
    for index, kind in enumerate(study.kinds, start=1):
        lessons[index] = [own[kind]] if kind in own else []
        if kind in study.strips:
            many = _DRAWN_LATER if kind in own else _DRAWN
            lessons[index].append(draw_lesson(kind, study.strips, ground, dice, count=many, scales=scales))
        if study.yes[kind] and kind not in own:
            lessons[index].append(
                find_lines(kind, study.patches[list(study.yes[kind])], ground, seed=study.seed)
            )
    reader = teach_reader(lessons, ground, len(study.kinds) + 1, seed=study.seed)
    expected = [
        _expected(study, reader, index, lessons[index + 1]) for index in range(len(study.kinds))
    ]
    return reader, np.array(expected, np.float32)


def _expected(
    study: Study, reader: PixelReader, index: int, lessons: Sequence[Lesson]
) -> float:
    """Return what a reader sees of a kind in the weaker of the patches it was taught with."""
    patches = np.concatenate([lesson.patches[:60] for lesson in lessons])
    seen = describe(reader, patches, study.kinds, frozenset())[:, index * MARKS]
    return max(float(np.quantile(seen, 0.3)), 0.05)


def _shown(
    study: Study,
    reader: PixelReader,
    index: int,
    own: Mapping[LineKind, Lesson],
    scales: tuple[float, float],
    some: npt.NDArray[np.intp],
    dice: np.random.Generator,
) -> Floats:
    """Return how much is seen of a kind in patches that show it, and were not learnt from."""
    kind = study.kinds[index]
    if kind in study.strips:
        ground = study.patches[some]
        patches = draw_lesson(kind, study.strips, ground, dice, count=100, scales=scales).patches
    elif kind in own:
        patches = own[kind].patches[::4]
    else:
        patches = study.patches[list(study.yes[kind])]
    return describe(reader, patches, study.kinds, frozenset())[:, index * MARKS]


def _relative(study: Study, reader: PixelReader, patches: Patches, expected: Floats) -> Floats:
    """Return how much is seen of every kind, 1 being as much as expected: n × kinds."""
    return describe(reader, patches, study.kinds, frozenset())[:, ::MARKS] / expected


def _own_lessons(study: Study, reader: PixelReader, found: Floats) -> dict[LineKind, Lesson]:
    """Return the lines of the sheet that were found most surely, to be learnt from."""
    lessons = {}
    for index, kind in enumerate(study.kinds):
        if kind.group == "areas":
            continue
        rivals = [
            i
            for i, other in enumerate(study.kinds)
            if i != index and (other.group == "links") == (kind.group == "links")
        ]
        own = found[:, index].copy()
        own[list(study.no[kind.group])] = 0
        own[list(study.yes[kind])] = 9
        best = np.argsort(-own)[:_OWN]
        best = best[own[best] > 0.75]
        if rivals:
            best = best[own[best] > found[best][:, rivals].max(axis=1)]
        if len(best) >= _FEWEST:
            patches = flipped(study.patches[best])
            lessons[kind] = path_lesson(kind, patches, reader.likelihoods(patches)[:, index + 1], least=0.3)
    return lessons
