"""Pictures from which the lines of a sheet are learnt: legend samples laid over its own ground."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_pixels import Labels, PixelReader, pick, teach_pixels, views
from mapkit.scan.line_swatches import Strip, cut_strip, draw_icon, draw_line
from mapkit.scan.line_teaching import LineKind, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import SIDE, Floats, Patches, U, V

SCALES = (0.6, 1.1)  # of a line on the map to its legend sample: legends are often drawn bigger
_BENEATH = 0.4  # how often another line lies beneath the one that is drawn
_TWINS = 0.2
_CARRIES = 0.85  # how often a way is drawn under a bridge
_TWINS_ROOM = 3.5
_INK, _BARE = 30, 10  # pixels taken from each of them
_GROUND = 14000  # pixels of the sheet as it is
_FOLDS = 4
_COLOURS = 8000  # pixels of either sort from which colours are compared
_LIKELY = 0.3  # a path's pixel less likely than this may be a gap in a dashed line
_PATH_HALF = 1  # samples to either side of a path that surely are the line's


_Number = TypeVar("_Number", np.uint8, np.float32)


@dataclass(frozen=True, eq=False)
class Lesson:
    """Patches that show one kind, and how far it covers their pixels (0 to 1)."""

    patches: Patches
    cover: Floats


def cut_strips(sheet: FlatSheet, teaching: LineTeaching) -> dict[LineKind, Strip]:
    """Return the legend samples that show a line."""
    found = {}
    for swatch in teaching.swatches:
        kind = LineKind(swatch.group, swatch.kind)
        strip = cut_strip(sheet, swatch.rect, crossing=teaching.is_crossing(kind))
        if strip is not None:
            found[kind] = strip
    return found


def draw_lesson(
    kind: LineKind,
    strips: Mapping[LineKind, Strip],
    grounds: Patches,
    dice: np.random.Generator,
    *,
    count: int,
    scales: tuple[float, float] = SCALES,
    crossings: frozenset[LineKind] = frozenset(),
    facing: bool = False,
    vary: bool = True,
) -> Lesson:
    """Draw a legend sample over patches of the sheet, each time a little otherwise.

    Lines meet and lie upon each other: now and then another kind lies beneath. Those that face
    one hex (*facing*: trenches) may lie on both sides of a hexside.
    """
    drawn = grounds[dice.integers(len(grounds), size=count)].astype(np.float32)
    cover = np.empty(drawn.shape[:3], np.float32)
    crossing = kind in crossings
    ways = [other for other in strips if other.group == "links"]
    others = [] if crossing else [other for other in strips if other not in {kind, *crossings}]
    for index, ground in enumerate(drawn):
        scale = dice.uniform(*scales)
        if others and dice.random() < _BENEATH:
            other = others[dice.integers(len(others))]
            # The band of an area is printed thinly; its sample may be as well, or not.
            faint = dice.uniform(0.3, 1.0) if other.group == "areas" else 1.0
            draw_line(
                ground, strips[other], dice, across=other.group == "links", scale=scale, faint=faint
            )
        if crossing:
            cover[index] = _draw_crossing(ground, kind, ways, strips, dice, scale)
        else:
            across = kind.group == "links"
            twins = facing and dice.random() < _TWINS
            room = _TWINS_ROOM if twins else None
            before = dice.bit_generator.state
            cover[index] = draw_line(
                ground, strips[kind], dice, across=across, scale=scale, room=room, vary=vary
            )
            if twins:
                dice.bit_generator.state = before
                mirrored = draw_line(
                    ground[::-1], strips[kind], dice, across=across, scale=scale, room=room
                )
                cover[index] = np.maximum(cover[index], mirrored[::-1])
    return Lesson(np.clip(drawn, 0, 255).astype(np.uint8), cover)


def _draw_crossing(
    ground: Floats,
    kind: LineKind,
    ways: Sequence[LineKind],
    strips: Mapping[LineKind, Strip],
    dice: np.random.Generator,
    scale: float,
) -> Floats:
    """Draw what leads over water, mostly with the way that it carries."""
    slope, off = float(dice.normal(0, 0.35)), dice.uniform(-6, 6)
    if ways and dice.random() < _CARRIES:
        way = strips[ways[int(dice.integers(len(ways)))]]
        draw_line(ground, way, dice, across=True, scale=scale, lie=(slope, off))
    return draw_icon(ground, strips[kind], dice, scale=scale, lie=(slope, off))


def flipped(patches: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Return patches and their mirror images: a line looks the same from either hex."""
    return np.concatenate((patches, patches[:, ::-1], patches[:, :, ::-1], patches[:, ::-1, ::-1]))


def teach_reader(
    lessons: Mapping[int, Sequence[Lesson]], grounds: Patches, count: int, *, seed: int
) -> PixelReader:
    """Teach what pixels look like, from lessons in every class and patches of bare ground."""
    dice = np.random.default_rng(seed)
    seen, labels = _ground_pixels(grounds, dice)
    for index, given in lessons.items():
        for lesson in given:
            _add_pixels(seen, labels, lesson, index, dice)
    return teach_pixels(np.concatenate(seen), np.concatenate(labels), count, seed=seed)


def find_lines(shown: Patches, grounds: Patches, reach: int | None, *, seed: int) -> Lesson:
    """Find the line in patches of which is known only that each of them shows it.

    What the patches have in common and other ground lacks is the line. What one patch alone
    has, a brook beside the road, must not be taken for it: so a patch is judged by what the
    others have in common, first by its colours, then by all that is seen about a pixel.
    """
    dice = np.random.default_rng(seed)
    folds = np.arange(len(shown)) % min(_FOLDS, len(shown))
    likelihood = np.empty(shown.shape[:3], np.float32)
    for fold in range(folds.max() + 1):
        others = shown[folds != fold] if folds.max() else shown
        likelihood[folds == fold] = _common_colours(
            flipped(others), grounds, shown[folds == fold], reach, dice, seed
        )
    many = flipped(shown)
    first = path_lesson(many, flipped(likelihood), reach)
    seen, labels = _ground_pixels(grounds, dice)
    _add_pixels(seen, labels, first, 1, dice, ink=8000 // len(many))
    network = teach_pixels(np.concatenate(seen), np.concatenate(labels), 2, seed=seed)
    return path_lesson(many, network.likelihoods(many)[:, 1], reach, least=_LIKELY)


def _common_colours(
    shown: Patches,
    grounds: Patches,
    asked: Patches,
    reach: int | None,
    dice: np.random.Generator,
    seed: int,
) -> Floats:
    """Return for every pixel asked how much commoner its colour is where the line is."""
    from sklearn.ensemble import ExtraTreesClassifier

    high = line_paths.ALONG_ROOM if reach is None else reach
    zone = slice(V - high, V + high + 1), slice(U - SIDE, U + SIDE + 1)
    near = []
    for patches in (shown, grounds[:300]):
        colours = _colours(patches)[:, *zone].reshape(-1, 6)
        near.append(colours[dice.integers(len(colours), size=_COLOURS)])
    trees = ExtraTreesClassifier(
        40, min_samples_leaf=_COLOURS // 80, max_features=None, random_state=seed
    ).fit(np.concatenate(near), np.repeat([1, 0], _COLOURS))
    found = trees.predict_proba(_colours(asked).reshape(-1, 6))[:, 1]
    # As common here as elsewhere is nothing.
    return np.asarray(np.clip(2 * found - 1, 0, 1), np.float32).reshape(asked.shape[:3])


def _colours(patches: Patches) -> Floats:
    """Colour of each pixel, and how it differs from what lies around."""
    import cv2

    found = np.empty((*patches.shape[:3], 6), np.float32)
    for index, patch in enumerate(patches.astype(np.float32)):
        found[index, :, :, :3] = patch
        found[index, :, :, 3:] = patch - cv2.blur(patch, (13, 13))
    return found


def path_lesson(
    patches: Patches, likelihood: Floats, reach: int | None, *, least: float = 0.0
) -> Lesson:
    """Return patches with the line that runs through each of them: its way is the likeliest.

    Of the way, what is less likely than *least* stays undecided: the gaps of a dashed line.
    """
    cover = np.full(likelihood.shape, 0.5, np.float32)  # half: nobody knows
    every = np.arange(len(likelihood))[:, None]
    crosswise = reach is not None
    paths = line_paths.find(likelihood, reach)
    half = paths.met.shape[1] // 2
    steps = np.arange(-half, half + 1)[None] + (V if crosswise else U)
    last = cover.shape[2 if crosswise else 1] - 1
    if crosswise:
        cover[:, steps[0]] = 0.0
    else:
        room = slice(V - line_paths.ALONG_ROOM, V + line_paths.ALONG_ROOM + 1)
        cover[:, room, steps[0]] = 0.0
    for off in sorted(range(-5, 6), key=abs, reverse=True):
        aside = np.clip(paths.places + off + (U if crosswise else V), 0, last)
        row, column = (steps, aside) if crosswise else (aside, steps)
        row, column = np.broadcast_arrays(row, column)
        sure = (likelihood[every, row, column] >= least) & (abs(off) <= _PATH_HALF)
        cover[every, row, column] = np.where(sure, 1.0, 0.5)
    return Lesson(patches, cover)


def _ground_pixels(
    grounds: Patches, dice: np.random.Generator
) -> tuple[list[Floats], list[Labels]]:
    per_patch = max(1, _GROUND // len(grounds))
    seen = []
    for start in range(0, len(grounds), 100):
        part = views(grounds[start : start + 100])
        seen.append(part[pick(dice, np.ones(part.shape[:3], bool), per_patch * len(part))])
    return seen, [np.zeros(len(part), np.int64) for part in seen]


def _add_pixels(
    seen: list[Floats],
    labels: list[Labels],
    lesson: Lesson,
    label: int,
    dice: np.random.Generator,
    ink: int = _INK,
) -> None:
    for start in range(0, len(lesson.patches), 100):
        part = views(lesson.patches[start : start + 100])
        cover = lesson.cover[start : start + 100]
        # A line thinner than a sample covers none of them wholly.
        most = cover.max(axis=(1, 2), keepdims=True)
        inked = cover > np.maximum(0.65 * most, 0.35)
        for mask, share, value in ((inked, ink, label), (cover < 0.05, _BARE, 0)):
            at = pick(dice, mask, share * len(part))
            seen.append(part[at])
            labels.append(np.full(len(at[0]), value, np.int64))
