"""Pictures from which the lines of a sheet are learnt: legend samples laid over its own ground."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_pixels import Labels, PixelReader, pick, teach_pixels, views
from mapkit.scan.line_swatches import Strip, cut_strip, draw_icon, draw_line
from mapkit.scan.line_teaching import LineKind, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import SIDE, Floats, Patches, U, V

SCALES = (0.62, 1.08)  # of a line on the map to its legend sample: legends are often drawn bigger
_BENEATH = 0.4  # how often another line lies beneath the one that is drawn
_TWINS = 0.15
_INK, _BARE = 30, 10  # pixels taken from each of them
_GROUND = 14000  # pixels of the sheet as it is
_PATH_HALF = 1  # samples to either side of a path that surely are the line's


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
    crossing: bool = False,
) -> Lesson:
    """Draw a legend sample over patches of the sheet, each time a little otherwise.

    Lines meet and lie upon each other: now and then another kind lies beneath.
    """
    drawn = grounds[dice.integers(len(grounds), size=count)].astype(np.float32)
    cover = np.empty(drawn.shape[:3], np.float32)
    others = [other for other in strips if other != kind and not crossing]
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
            cover[index] = draw_icon(ground, strips[kind], dice, scale=scale)
        else:
            across = kind.group == "links"
            before = dice.bit_generator.state
            cover[index] = draw_line(ground, strips[kind], dice, across=across, scale=scale)
            if not across and dice.random() < _TWINS:
                # The same again in the other hex: trenches face each other.
                dice.bit_generator.state = before
                mirrored = draw_line(ground[::-1], strips[kind], dice, across=across, scale=scale)
                cover[index] = np.maximum(cover[index], mirrored[::-1])
    return Lesson(np.clip(drawn, 0, 255).astype(np.uint8), cover)


def flipped(patches: Patches) -> Patches:
    """Return patches and their mirror images: a line looks the same from either hex."""
    return np.concatenate(
        (patches, patches[:, ::-1], patches[:, :, ::-1], patches[:, ::-1, ::-1])
    )


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


def find_lines(kind: LineKind, shown: Patches, grounds: Patches, *, seed: int) -> Lesson:
    """Find the line in patches of which is known only that each of them shows it.

    What the patches have in common and other ground lacks is the line: first its colours are
    found so, then the way it takes through each patch, then its pixels.
    """
    dice = np.random.default_rng(seed)
    many = flipped(shown)
    reader = _teach_colours(kind, many, grounds, dice, seed)
    for _ in range(2):
        lesson = path_lesson(kind, many, reader(many))
        seen, labels = _ground_pixels(grounds, dice)
        _add_pixels(seen, labels, lesson, 1, dice, ink=8000 // len(many))
        network = teach_pixels(np.concatenate(seen), np.concatenate(labels), 2, seed=seed)
        reader = lambda patches, n=network: n.likelihoods(patches)[:, 1]  # noqa: E731
    return path_lesson(kind, many, reader(many))


def _teach_colours(kind, many, grounds, dice, seed):
    """Return a judge of pixels by colour alone: how much commoner it is where the line is."""
    from sklearn.ensemble import ExtraTreesClassifier

    zone = np.zeros(many.shape[:3], bool)
    high, wide = (10, SIDE) if kind.group != "links" else (14, SIDE)
    zone[:, V - high : V + high + 1, U - wide : U + wide + 1] = True
    x1 = _colours(many)[pick(dice, zone, 12000)]
    there = np.zeros(grounds.shape[:3], bool)
    there[:, V - high : V + high + 1, U - wide : U + wide + 1] = True
    x0 = _colours(grounds)[pick(dice, there, 12000)]
    x = np.concatenate((x1, x0))
    y = np.repeat([1, 0], [len(x1), len(x0)])
    trees = ExtraTreesClassifier(
        60, min_samples_leaf=0.006, class_weight="balanced", random_state=seed, max_features=None
    ).fit(x, y)

    def judge(patches: Patches) -> Floats:
        colours = _colours(patches)
        found = trees.predict_proba(colours.reshape(-1, colours.shape[-1]))[:, 1]
        # Commoner by a fifth says little, commoner by far says all.
        return np.clip(found * 2 - 1, 0, 1).reshape(colours.shape[:3]).astype(np.float32)

    return judge


def _colours(patches: Patches) -> Floats:
    """Colour of each pixel, and how it differs from what lies around."""
    import cv2

    found = np.empty((*patches.shape[:3], 6), np.float32)
    for index, patch in enumerate(patches.astype(np.float32)):
        found[index, :, :, :3] = patch
        found[index, :, :, 3:] = patch - cv2.blur(patch, (13, 13))
    return found


def path_lesson(
    kind: LineKind, patches: Patches, likelihood: Floats, *, least: float = 0.0
) -> Lesson:
    """Return patches with the line that runs through each of them: its way is the likeliest.

    Of the way, what is less likely than *least* stays undecided: the gaps of a dashed line.
    """
    cover = np.full(likelihood.shape, 0.5, np.float32)  # half: nobody knows
    every = np.arange(len(likelihood))[:, None]
    crosswise = kind.group == "links"
    paths = (line_paths.across if crosswise else line_paths.along)(likelihood)
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
        for mask, share, value in ((cover > 0.7, ink, label), (cover < 0.05, _BARE, 0)):
            at = pick(dice, mask, share * len(part))
            seen.append(part[at])
            labels.append(np.full(len(at[0]), value, np.int64))
