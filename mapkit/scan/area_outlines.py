"""The outlines of woods, lakes and heights as they are drawn, which need not follow the hexes.

What every hex holds is read already; how each kind looks is learned from those hexes, pixel by
pixel, and every pixel then takes the kind that its colours and the hexes around it speak for. The
edges of what belongs together are the outlines. A level's outline holds all ground as high or
higher, as contours do.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from mapkit.grid import Point
from mapkit.hexes import Hex, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import Ground, Provenance, Shape, Value
from mapkit.scan.sheet import FlatSheet, Pixels

LEVEL = "level"  # the kind of an outline that holds the ground at its level and above

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.intp]

_PITCH_PX, _STRIDE = 32.0, 2  # the pitch at which colours are seen, every so many pixels judged
_FINER = 3  # outlines are drawn so much finer than pixels are judged
_TAUGHT = 3000  # pixels of each kind that teach
_TREES, _LEAF = 24, 8
_TRUST = 1.2  # in what a pixel looks like, beside what the hexes around it hold
_ANY = 0.05  # what no hex around speaks for
_NEAR = 0.3  # in pitches: how far a hex speaks for the ground around it
_LEAST = 0.15  # of a hex: smaller scraps are blots
_EVEN = 0.5
_SIMPLE = 0.02  # in pitches: about half a printed line


@dataclass(frozen=True, eq=False)
class _View:
    """The part of a sheet that holds its hexes, as judged: numbers for every pixel, and its hex."""

    looks: Floats  # pixels × numbers
    hexes: Whole  # rows × columns: which hex a pixel lies in, -1 where in none
    step_px: float  # from one judged pixel to the next, on the sheet
    origin: Point
    pitch: float  # in judged pixels
    centres: npt.NDArray[np.float64]  # of the hexes, on the sheet


def area_outlines(
    sheet: FlatSheet, grounds: Mapping[Hex, Ground], *, seed: int = 0
) -> tuple[Shape, ...]:
    """Return the outlines of all terrain but the commonest, and of all levels but the lowest."""
    hexes = tuple(hex_ for hex_ in sheet.hexes if hex_ in grounds)
    if not hexes:
        return ()
    held = [grounds[hex_] for hex_ in hexes]
    terrain = [ground.terrain for ground in held]
    levels = [str(ground.level) if ground.level is not None else UNKNOWN for ground in held]
    if len({*terrain}) < 2 and len({*levels}) < 2:
        return ()
    view = _seen(sheet, hexes)
    return (*_terrain(view, held, terrain, seed), *_levels(view, held, levels, seed))


def _terrain(view: _View, held: list[Ground], words: list[str], seed: int) -> Iterator[Shape]:
    common, _ = Counter(words).most_common(1)[0]
    kinds, chances = _chances(view, words, seed)
    for which, kind in enumerate(kinds):
        if kind in (common, UNKNOWN) or len(kinds) < 2:
            continue
        rest = np.delete(chances, which, axis=-1).max(axis=-1)
        told = [_told(ground, "terrain") * (ground.terrain == kind) for ground in held]
        for area in _areas(view, chances[..., which] - rest):
            yield Shape(kind, "outline", _rings(area), provenance=_sureness(view, area, told))


def _levels(view: _View, held: list[Ground], words: list[str], seed: int) -> Iterator[Shape]:
    kinds, chances = _chances(view, words, seed)
    known = sorted(int(kind) for kind in kinds if kind != UNKNOWN)
    for level in known[1:]:
        high = [kind != UNKNOWN and int(kind) >= level for kind in kinds]
        above = np.logaddexp.reduce(chances[..., high], axis=-1)
        below = np.logaddexp.reduce(chances[..., np.logical_not(high)], axis=-1)
        told = [
            _told(one, "level") * (one.level is not None and one.level >= level) for one in held
        ]
        for area in _areas(view, above - below):
            sure = _sureness(view, area, told)
            yield Shape(LEVEL, "outline", _rings(area), level=level, provenance=sure)


def _seen(sheet: FlatSheet, hexes: Sequence[Hex]) -> _View:
    """Return what pixels around the hexes look like, close by and around them."""
    import cv2
    from scipy.spatial import cKDTree

    centres = sheet.centres(hexes)
    reach = 0.75 * sheet.pitch_px
    rows, columns = sheet.pixels.shape[:2]
    left, top = np.maximum(np.floor(centres.min(axis=0) - reach), 0).astype(int).tolist()
    right, bottom = np.ceil(centres.max(axis=0) + reach).astype(int).tolist()
    part = sheet.pixels[top : min(bottom, rows), left : min(right, columns)]
    scale = min(1.0, _PITCH_PX / sheet.pitch_px)
    size = (max(round(part.shape[1] * scale), 1), max(round(part.shape[0] * scale), 1))
    small: Pixels = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    looks = _looks(small)
    step = _STRIDE / scale
    y, x = np.mgrid[0 : looks.shape[0], 0 : looks.shape[1]]
    at = np.stack([x.ravel(), y.ravel()], axis=1) * step + 0.5 / scale + (left, top)
    beside = sorted({other for hex_ in hexes for other in neighbours(hex_)} - set(hexes))
    _, nearest = cKDTree(np.vstack([centres, sheet.centres(beside)])).query(at)
    inside = np.where(nearest < len(hexes), nearest, -1)
    return _View(
        looks.reshape(-1, looks.shape[2]),
        inside.reshape(looks.shape[:2]),
        step,
        (left + 0.5 / scale, top + 0.5 / scale),
        sheet.pitch_px / step,
        centres,
    )


def _looks(pixels: Pixels) -> Floats:
    """Return colours without thin lines, their means around every pixel, and how they vary."""
    import cv2

    lab = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)
    plain = np.asarray(cv2.medianBlur(lab, 5), np.float32)
    raw = np.asarray(lab, np.float32)
    parts = [plain]
    for wide in (5, 9):
        parts.append(np.asarray(cv2.blur(plain, (wide, wide)), np.float32))
    mean = cv2.blur(raw, (7, 7))
    parts.append(np.sqrt(np.maximum(cv2.blur(raw * raw, (7, 7)) - mean * mean, 0)))
    return np.concatenate([part[::_STRIDE, ::_STRIDE] for part in parts], axis=2)


def _chances(view: _View, words: Sequence[str], seed: int) -> tuple[list[str], Floats]:
    """Return how likely each word is at every pixel, as logarithms: rows × columns × words."""
    import cv2
    from sklearn.ensemble import ExtraTreesClassifier

    kinds = sorted(set(words))
    number = np.array([kinds.index(word) for word in words])
    labels = np.where(view.hexes >= 0, number[view.hexes], -1)
    sigma = _NEAR * view.pitch
    layers = [
        cv2.GaussianBlur((labels == which).astype(np.float32), (0, 0), sigma)
        for which in range(len(kinds))
    ]
    around = np.stack(layers, axis=-1)
    around /= np.maximum(around.sum(axis=-1, keepdims=True), 1e-6)
    chances: Floats = np.log(around + _ANY)
    if len(kinds) < 2:
        return kinds, chances
    rows = _teachers(labels, around, len(kinds), np.random.default_rng(seed))
    trees = ExtraTreesClassifier(_TREES, min_samples_leaf=_LEAF, random_state=seed)
    trees.fit(view.looks[rows], labels.ravel()[rows])
    inside = np.flatnonzero(labels.ravel() >= 0)
    told = np.zeros((labels.size, len(kinds)), np.float32)
    told[np.ix_(inside, trees.classes_)] = trees.predict_proba(view.looks[inside])
    seen = cv2.blur(np.log(told + 0.02).reshape(chances.shape), (3, 3)).reshape(chances.shape)
    return kinds, np.asarray(chances + _TRUST * seen, np.float32)


def _teachers(labels: Whole, around: Floats, count: int, dice: np.random.Generator) -> Whole:
    """Return pixels that teach a kind: those around which all hexes hold it, before others."""
    found = []
    flat, purity = labels.ravel(), around.max(axis=-1).ravel()
    for which in range(count):
        mine = np.flatnonzero(flat == which)
        order = mine[np.argsort(-np.round(purity[mine], 1), kind="stable")]
        pure = order[: max(_TAUGHT, len(order) // 2)]
        found.append(np.sort(dice.permutation(pure)[:_TAUGHT]))
    return np.concatenate(found)


def _areas(view: _View, margin: Floats) -> list[Polygon]:
    """Return where a kind is likelier than any other, as areas on the sheet."""
    import cv2

    lowest = np.where(view.hexes >= 0, margin, np.float32(-20.0)).astype(np.float32)
    # A rim of nothing closes what reaches the edge.
    padded = np.pad(lowest, 1, constant_values=-20.0)
    size = (padded.shape[1] * _FINER, padded.shape[0] * _FINER)
    fine = cv2.resize(padded, size, interpolation=cv2.INTER_LINEAR)
    contours, tree = cv2.findContours(
        (fine > 0).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    least = _LEAST * (np.sqrt(3) / 2) * (view.pitch * _FINER) ** 2
    parts = []
    for which, contour in enumerate(contours):
        if tree[0][which][3] >= 0 or cv2.contourArea(contour) < least:
            continue
        holes, hole = [], tree[0][which][2]
        while hole >= 0:
            if cv2.contourArea(contours[hole]) >= least:
                holes.append(_on_sheet(view, contours[hole]))
            hole = tree[0][hole][0]
        parts.append(_simple(_on_sheet(view, contour), holes, _SIMPLE * view.pitch * view.step_px))
    return [area for part in parts for area in part]


def _on_sheet(view: _View, contour: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    # Pixels of the fine picture to judged ones, whose centres lie a step apart from the origin on.
    at = (contour[:, 0, :] + 0.5) / _FINER - 0.5 - 1.0
    return np.asarray(at * view.step_px + np.array(view.origin))


def _simple(
    ring: npt.NDArray[np.float64], holes: list[npt.NDArray[np.float64]], tolerance_px: float
) -> list[Polygon]:
    """Return an area with as few points as keep its outline, valid whatever was cut away."""
    if len(ring) < 3:
        return []
    whole = Polygon(_smooth(ring), [_smooth(hole) for hole in holes if len(hole) > 2])
    simple = shapely.simplify(shapely.make_valid(whole), tolerance_px)
    rounded = shapely.make_valid(shapely.set_precision(shapely.make_valid(simple), 0.1))
    # What was repaired may hold areas, areas of several parts, and lines that are none.
    parts = shapely.get_parts(shapely.get_parts(rounded))
    return [part for part in parts if isinstance(part, Polygon) and part.area > 0]


def _smooth(ring: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Take the stairs of pixels out of a ring."""
    if len(ring) < 12:
        return ring
    return np.asarray(sum(np.roll(ring, shift, axis=0) for shift in range(-2, 3)) / 5)


def _rings(area: Polygon) -> tuple[tuple[Point, ...], ...]:
    return tuple(
        tuple((round(float(x), 1), round(float(y), 1)) for x, y in ring.coords)
        for ring in (area.exterior, *area.interiors)
    )


def _told(ground: Ground, value: Value) -> float:
    stated = ground.provenance.get(value)
    return 1.0 if stated is None or stated.confidence is None else stated.confidence


def _sureness(view: _View, area: Polygon, told: Sequence[float]) -> Provenance:
    """Return how sure the hexes are whose centres an area holds; that of a scrap is even odds."""
    inside = np.flatnonzero(shapely.contains_xy(area, view.centres))
    sure = float(np.mean(np.array(told)[inside])) if len(inside) else _EVEN
    return Provenance("scan", round(sure, 3))
