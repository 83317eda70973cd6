"""From teaching to chances: how likely a line of every kind lies at every hexside of a sheet.

A sheet teaches itself. First the legend samples and examples alone are learnt; what is found
with them, where it is found surely, shows how the lines really look on this sheet, and is
learnt in its turn.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hexside, Link
from mapkit.scan.line_evidence import describe, judge, line_width
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
from mapkit.scan.line_paths import find as find_paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_swatches import Strip
from mapkit.scan.line_teaching import LineGroup, LineKind, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import Floats, Patches, all_sides, cut_patches

_LOOKED_AT = 1500  # patches that stand for the whole sheet while learning
_GROUNDS = 700
_DRAWN = 70
_DRAWN_LATER = 25  # once the sheet's own lines are known
_OWN = 50  # lines of the sheet itself that are learnt from, of each kind
_FEWEST = 6
_ROUNDS = 2  # of learning from them
_STRONG = 0.5  # of what is expected
_COMMON = 0.15  # of all hexsides
_LEAST = 0.3  # what is less likely on a line's way may be a gap in it

Chances = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Scales = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Study:
    """One sheet and its teaching, ready to be learnt from."""

    sheet: FlatSheet
    teaching: LineTeaching
    sides: tuple[Hexside, ...]
    patches: Patches
    kinds: tuple[LineKind, ...]
    strips: Mapping[LineKind, Strip]
    yes: Mapping[LineKind, Sequence[int]]
    no: Mapping[str, Sequence[int]]
    seed: int = 0

    @property
    def reaches(self) -> list[int | None]:
        """How far each kind reaches into either hex."""
        return [self.teaching.reach(kind) for kind in self.kinds]


@dataclass(frozen=True, eq=False)
class Found:
    """The chance of every kind at every hexside, and how far off it the line runs, in samples."""

    chances: dict[LineKind, Chances]
    off: dict[LineKind, Floats]


def begin(sheet: FlatSheet, teaching: LineTeaching, *, seed: int) -> Study:
    """Cut the patches of a sheet and sort what is known about them."""
    sides = all_sides(sheet)
    number = {side: index for index, side in enumerate(sides)}
    yes: dict[LineKind, list[int]] = {kind: [] for kind in teaching.kinds()}
    no: dict[str, list[int]] = {"hexsides": [], "links": [], "areas": []}
    told: list[tuple[LineGroup, Hexside | Link, str | None]] = [
        *(("hexsides", place, word) for place, word in teaching.hexsides),
        *(("links", place, word) for place, word in teaching.links),
    ]
    for group, place, word in told:
        at = number.get(Hexside(*place))
        if at is not None:
            (no[group] if word is None else yes[LineKind(group, word)]).append(at)
    strips = cut_strips(sheet, teaching)
    kinds = tuple(kind for kind in teaching.kinds() if kind in strips or yes[kind])
    patches = cut_patches(sheet, sides)
    return Study(sheet, teaching, sides, patches, kinds, strips, yes, no, seed)


def find_all(study: Study) -> Found:
    """Return the chances of all kinds, each from its own patch alone.

    What leads over water is looked for where water was found, and nowhere else.
    """
    crossing = [kind for kind in study.kinds if study.teaching.is_crossing(kind)]
    others = tuple(kind for kind in study.kinds if kind not in crossing)
    lines = find_lines_of(replace(study, kinds=others)) if others else Found({}, {})
    water = [c for kind, c in lines.chances.items() if study.teaching.family(kind) == "water"]
    known = {index for kind in crossing for index in study.yes[kind]}
    wet = np.max(water, axis=0) > 0.5 if water else np.ones(len(study.sides), bool)
    at = np.flatnonzero(wet | np.isin(np.arange(len(wet)), list(known)))
    if not crossing or len(at) < _FEWEST:
        return lines
    found = find_lines_of(_part(study, at, tuple(crossing)))
    for kind in found.chances:
        lines.chances[kind] = np.zeros(len(study.sides))
        lines.chances[kind][at] = found.chances[kind]
    return lines


def _part(study: Study, at: Indices, kinds: tuple[LineKind, ...]) -> Study:
    """Return the study of some of the hexsides and kinds."""
    place = {int(index): new for new, index in enumerate(at)}
    return replace(
        study,
        sides=tuple(study.sides[index] for index in at),
        patches=study.patches[at],
        kinds=kinds,
        strips={kind: strip for kind, strip in study.strips.items() if kind in kinds},
        yes={kind: [place[i] for i in study.yes[kind] if i in place] for kind in kinds},
        no={group: [place[i] for i in known if i in place] for group, known in study.no.items()},
    )


def find_lines_of(study: Study) -> Found:
    """Return the chances of the kinds of a study."""
    dice = np.random.default_rng(study.seed)
    count = len(study.patches)
    some = np.sort(dice.choice(count, min(count, _LOOKED_AT), replace=False))
    reader, expected = _learn(study, some, {}, SCALES, dice)
    found = describe(reader, study.patches[some], study.reaches)[0] / expected
    scale = _scale(study, reader, some, found, dice)
    scales = SCALES if scale is None else (0.92 * scale, 1.08 * scale)
    calm = some[(found < 0.3).all(axis=1)]
    calm = calm if len(calm) >= min(100, len(some) // 4) else some
    reader, expected = _learn(study, calm, {}, scales, dice)
    seen, off = describe(reader, study.patches, study.reaches)
    for _ in range(_ROUNDS):
        found = seen / expected
        own = _own_lines(study, found)
        lessons = _own_lessons(study, reader, own)
        # Now that real lines are learnt, ground may hold what passes for one: lettering, coasts.
        # A kind that is all over the sheet must not be learnt as ground, though.
        common = (found > _STRONG).mean(axis=0) > _COMMON
        bare = some[~(found[some][:, common] > _STRONG).any(axis=1)]
        rest = np.setdiff1d(bare, np.concatenate([*own.values(), []]).astype(np.intp))
        reader, expected = _learn(study, rest, lessons, scales, dice)
        seen, off = describe(reader, study.patches, study.reaches)
    chances = {}
    for index, kind in enumerate(study.kinds):
        usual = float(np.median(_shown(study, reader, index, own, scales, some, dice)))
        chances[kind] = judge(seen[:, index], usual)
        chances[kind][list(study.yes[kind])] = 1.0
        chances[kind][list(study.no[kind.group])] = 0.0
    return Found(chances, dict(zip(study.kinds, off.T, strict=True)))


def _scale(
    study: Study,
    reader: PixelReader,
    some: Indices,
    found: Floats,
    dice: np.random.Generator,
) -> float | None:
    """Return how much smaller lines are on the map than in the legend, or None for unknown.

    Told by the width of those that were found, measured as that of drawn ones at either end of
    the range is.
    """
    told = []
    for index, kind in enumerate(study.kinds):
        best = np.argsort(-found[:, index])[:40]
        best = best[found[best, index] > 0.7]
        if kind not in study.strips or kind.group == "areas" or len(best) < _FEWEST:
            continue
        reach = study.reaches[index]
        widths = []
        for scale in SCALES:
            drawn = _draw(study, kind, study.patches[some], dice, 60, (scale, scale)).patches
            widths.append(line_width(drawn, reader.likelihoods(drawn)[:, index + 1], reach))
        patches = study.patches[some[best]]
        width = line_width(patches, reader.likelihoods(patches)[:, index + 1], reach)
        if widths[1] > widths[0] + 0.5:
            share = (width - widths[0]) / (widths[1] - widths[0])
            told.append(SCALES[0] + share * (SCALES[1] - SCALES[0]))
    told = [scale for scale in told if SCALES[0] - 0.15 < scale < SCALES[1] + 0.15]
    if len(told) < 2 or np.ptp(told) > 0.5:
        return None
    return float(np.clip(np.median(told), *SCALES))


def _learn(
    study: Study,
    grounds: Indices,
    own: Mapping[LineKind, Lesson],
    scales: Scales,
    dice: np.random.Generator,
) -> tuple[PixelReader, Floats]:
    """Teach a reader; return it, and what it sees of each kind where the kind surely is."""
    ground = study.patches[dice.permutation(grounds)[:_GROUNDS]]
    lessons: dict[int, list[Lesson]] = {}
    for index, kind in enumerate(study.kinds, start=1):
        lessons[index] = [own[kind]] if kind in own else []
        if kind in study.strips:
            many = _DRAWN_LATER if kind in own else _DRAWN
            lessons[index].append(_draw(study, kind, ground, dice, many, scales))
        if study.yes[kind] and kind not in own:
            shown = study.patches[list(study.yes[kind])]
            reach = study.teaching.reach(kind)
            lessons[index].append(find_lines(shown, ground, reach, seed=study.seed))
    reader = teach_reader(lessons, ground, len(study.kinds) + 1, seed=study.seed)
    expected = []
    for index, reach in enumerate(study.reaches):
        # The weaker of the patches it was taught with tell what to expect.
        patches = np.concatenate([lesson.patches[:60] for lesson in lessons[index + 1]])
        likelihood = reader.likelihoods(patches)[:, index + 1]
        met = find_paths(likelihood, reach).strength
        expected.append(max(float(np.quantile(met, 0.3)), 0.05))
    return reader, np.array(expected, np.float32)


def _draw(
    study: Study,
    kind: LineKind,
    ground: Patches,
    dice: np.random.Generator,
    count: int,
    scales: Scales,
) -> Lesson:
    return draw_lesson(
        kind,
        study.strips,
        ground,
        dice,
        count=count,
        scales=scales,
        crossing=study.teaching.is_crossing(kind),
        facing=study.teaching.is_facing(kind),
    )


def _shown(
    study: Study,
    reader: PixelReader,
    index: int,
    own: Mapping[LineKind, Indices],
    scales: Scales,
    some: Indices,
    dice: np.random.Generator,
) -> Floats:
    """Return how much is seen of a kind in patches that show it."""
    kind = study.kinds[index]
    if kind in study.strips:
        patches = _draw(study, kind, study.patches[some], dice, 100, scales).patches
    else:
        patches = study.patches[own.get(kind, list(study.yes[kind]))]
    likelihood = reader.likelihoods(patches)[:, index + 1]
    return find_paths(likelihood, study.reaches[index]).strength


def _own_lines(study: Study, found: Floats) -> dict[LineKind, Indices]:
    """Return the hexsides where lines of each kind were found most surely."""
    own = {}
    for index, kind in enumerate(study.kinds):
        if kind.group == "areas":
            continue
        rivals = [
            i
            for i, reach in enumerate(study.reaches)
            if i != index and (reach is None) == (study.reaches[index] is None)
        ]
        strength = found[:, index].copy()
        strength[list(study.no[kind.group])] = 0
        strength[list(study.yes[kind])] = 9
        lead = strength - (found[:, rivals].max(axis=1) if rivals else 0)
        sure = (strength > 0.75) & (lead > 0.2)
        # A line goes on at both ends; a word or a blot that looks like one does not.
        goes_on = sure & (_weaker_end(study, kind, found[:, index]) > _STRONG)
        goes_on[list(study.yes[kind])] = True
        if study.teaching.is_crossing(kind):
            goes_on = sure
        best = np.flatnonzero(goes_on if goes_on.sum() >= _FEWEST else sure)
        best = best[np.argsort(-lead[best])][:_OWN]
        if len(best) >= _FEWEST:
            own[kind] = best
    return own


def _weaker_end(study: Study, kind: LineKind, strength: Floats) -> Floats:
    """Return how much is seen of a kind just beyond each hexside or link, at its weaker end."""
    ends = [(s.a, s.b) if kind.group == "links" else s.vertices for s in study.sides]
    first: dict[Hashable, float] = defaultdict(float)
    second: dict[Hashable, float] = defaultdict(float)
    for value, places in zip(strength.tolist(), ends, strict=True):
        for place in places:
            if value > first[place]:
                first[place], second[place] = value, first[place]
            elif value > second[place]:
                second[place] = value
    beyond = [
        min(second[place] if value >= first[place] else first[place] for place in places)
        for value, places in zip(strength.tolist(), ends, strict=True)
    ]
    return np.array(beyond, np.float32)


def _own_lessons(
    study: Study, reader: PixelReader, own: Mapping[LineKind, Indices]
) -> dict[LineKind, Lesson]:
    """Return the lines of the sheet that were found most surely, to be learnt from."""
    lessons = {}
    for index, kind in enumerate(study.kinds):
        if kind in own:
            patches = flipped(study.patches[own[kind]])
            likelihood = reader.likelihoods(patches)[:, index + 1]
            lessons[kind] = path_lesson(patches, likelihood, study.reaches[index], least=_LEAST)
    return lessons
