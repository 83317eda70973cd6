"""What leads over water: bridges, fords and ferries, where a way meets a watercourse.

A road does not end at a river: where both pass one hexside, something leads over. Which kind it
is, and whether it is printed there at all, its icon tells.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from mapkit.scan.line_lessons import SCALES, draw_lesson, find_lines, teach_reader
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_stages import Chances, Indices, Study
from mapkit.scan.line_teaching import LineKind
from mapkit.scan.side_patches import Floats, Patches, U, V, batches

_DRAWN = 140
_GROUNDS = 500
_ICON = 7  # samples: the ground that an icon covers at least
_ROOM = slice(V - 11, V + 12), slice(U - 13, U + 14)
_LIKELY = 0.3  # water and way at one hexside, before it is asked what leads over
_UNSEEN = 0.8  # the chance of a crossing where both meet and no icon is seen
_SEEN = 0.98
_WEIGHT = 5.0  # of an icon that is seen, in odds
_BY_ROAD = 1.4  # odds that what carries a road is a bridge, no ford
_FOOTPATHS = frozenset({"trail"})


def find_crossings(
    study: Study, chances: Mapping[LineKind, Chances], scale: float | None
) -> dict[LineKind, Chances]:
    """Return the chances of everything that leads over water, at every hexside.

    *chances* are those of all other kinds, *scale* how much smaller lines are on the map than
    in the legend.
    """
    kinds = tuple(kind for kind in study.kinds if study.teaching.is_crossing(kind))
    if not kinds:
        return {}
    wet, way = _wet(study, chances), _way(study, chances)
    known = [index for kind in kinds for index in study.yes[kind]]
    meets = np.minimum(wet, way)
    at = np.union1d(np.flatnonzero(meets > _LIKELY), np.array(known, np.intp))
    found = {kind: np.zeros(len(study.sides)) for kind in kinds}
    if len(at):
        icons = _icons(replace(study, kinds=kinds), np.flatnonzero(wet > _LIKELY), at, scale)
        odds = _WEIGHT * icons + _BY_ROAD * _bridges(study, kinds, chances, at)
        share = np.exp(odds - odds.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        any_ = meets[at] * (_UNSEEN + (_SEEN - _UNSEEN) * np.clip(icons.max(axis=1), 0, 1))
        for index, kind in enumerate(kinds):
            found[kind][at] = any_ * share[:, index]
    for kind in kinds:
        found[kind][list(study.no["hexsides"])] = 0.0
        found[kind][list(study.yes[kind])] = 1.0
    return found


def _wet(study: Study, chances: Mapping[LineKind, Chances]) -> Chances:
    water = [c for kind, c in chances.items() if study.teaching.family(kind) == "water"]
    return _any(water, len(study.sides))


def _way(study: Study, chances: Mapping[LineKind, Chances]) -> Chances:
    return _any([c for kind, c in chances.items() if kind.group == "links"], len(study.sides))


def _any(several: list[Chances], count: int) -> Chances:
    """The chance of any of some kinds; where none is taught, nothing speaks against it."""
    if not several:
        return np.full(count, 0.5)
    return np.asarray(1 - np.prod([1 - one for one in several], axis=0))


def _bridges(
    study: Study,
    kinds: tuple[LineKind, ...],
    chances: Mapping[LineKind, Chances],
    at: Indices,
) -> npt.NDArray[np.float64]:
    """Tell where a bridge is likelier than another crossing: it carries a road or a railway."""
    paved = [
        c
        for kind, c in chances.items()
        if kind.group == "links" and study.teaching.role(kind) not in _FOOTPATHS
    ]
    sure = 2 * _any(paved, len(study.sides))[at] - 1
    is_bridge = np.array([study.teaching.role(kind) == "bridge" for kind in kinds])
    return np.asarray(sure[:, None] * np.where(is_bridge, 1.0, -1.0))


def _icons(study: Study, wet: Indices, at: Indices, scale: float | None) -> Floats:
    """Return how much is seen of the icon of every kind: at × kinds, about 1 where it is."""
    dice = np.random.default_rng(study.seed)
    scales = SCALES if scale is None else (0.9 * scale, 1.1 * scale)
    ground = study.patches[dice.permutation(wet if len(wet) else at)[:_GROUNDS]]
    crossings = frozenset(study.kinds)
    lessons = {}
    for index, kind in enumerate(study.kinds, start=1):
        if kind in study.strips:
            lessons[index] = [
                draw_lesson(
                    kind, study.strips, ground, dice, count=_DRAWN, scales=scales,
                    crossings=crossings,
                )
            ]  # fmt: skip
        elif study.yes[kind]:
            shown = study.patches[list(study.yes[kind])]
            reach = study.teaching.reach(kind)
            lessons[index] = [find_lines(shown, ground, reach, seed=study.seed)]
    reader = teach_reader(lessons, ground, len(study.kinds) + 1, seed=study.seed)
    seen = _blots(reader, study.patches[at])
    for index, given in lessons.items():
        usual = np.median(_blots(reader, given[0].patches)[:, index - 1])
        seen[:, index - 1] /= max(float(usual), 0.05)
    return seen


def _blots(reader: PixelReader, patches: Patches) -> Floats:
    """Return of every kind the likeliest spot in every patch, as big as an icon."""
    import cv2

    found = []
    for batch in batches(len(patches), 60):
        likelihoods = reader.likelihoods(patches[batch])[:, 1:]
        spots = [
            [cv2.blur(field, (_ICON, _ICON))[_ROOM].max() for field in fields]
            for fields in likelihoods
        ]
        found.append(np.array(spots, np.float32))
    return np.concatenate(found)
