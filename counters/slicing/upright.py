"""A scan made small, upright and parted into paper and print: where the search begins."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.sheet import Pixels

Numbers = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_LONGEST_PX = 1700  # of the small picture
_MOST_SKEW_DEG = 12.0
_STEP_DEG = 0.1
_MODE_SHARE = 0.02  # a colour that covers less is no paper
_TOLERANCES = (12.0, 10.0, 8.0, 7.0, 7.0)  # in shades, ever closer to the light that was fitted
_CALM = 1.0  # shades: where they change faster from pixel to pixel something begins
_PRINT = 8.0  # shades by which print differs from paper at least


@dataclass(frozen=True, eq=False)
class Paper:
    """What is bare paper or lies outside of the sheet, its colour, and how the light changes.

    *light* are the terms of the colour that paper has all over the upright picture.
    """

    bare: Mask
    colour: tuple[float, float, float]
    light: Floats

    def seen_at(self, point: Numbers) -> Floats:
        """Return the colour that paper has, or would have, at a point of the upright picture."""
        height, width = self.bare.shape
        u, v = float(point[0]) / width - 0.5, float(point[1]) / height - 0.5
        return np.array([1, u, v, u * u, v * v, u * v], np.float32) @ self.light


@dataclass(frozen=True, eq=False)
class Upright:
    """The small, upright picture; *matrix* takes its pixels to those of the scan."""

    pixels: Pixels
    matrix: Numbers
    paper: Paper
    skew_deg: float

    @property
    def scale(self) -> float:
        """How many pixels of the scan one of these is wide."""
        return float(np.hypot(self.matrix[0, 0], self.matrix[1, 0]))

    def to_scan(self, points: Numbers) -> Numbers:
        """Return where points of the small picture lie on the scan."""
        return np.asarray(points @ self.matrix[:2, :2].T + self.matrix[:2, 2])

    def from_scan(self, points: Numbers) -> Numbers:
        """Return where points of the scan lie on the small picture."""
        return np.asarray((points - self.matrix[:2, 2]) @ np.linalg.inv(self.matrix[:2, :2]).T)


def set_upright(picture: Pixels) -> Upright:
    """Return the scan reduced and turned so that most edges are level, and what is paper on it."""
    import cv2

    height, width = picture.shape[:2]
    scale = max(1.0, max(height, width) / _LONGEST_PX)
    size = (round(width / scale), round(height / scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    skew = find_skew(np.asarray(small, np.uint8))
    cos, sin = math.cos(math.radians(skew)), math.sin(math.radians(skew))
    middle = np.array(size) / 2
    reach = np.ceil(np.abs([[cos, sin], [sin, cos]]) @ np.array(size)).astype(int)
    turn = np.array([[cos, -sin], [sin, cos]])  # upright to small
    shift = middle - turn @ (reach / 2)
    # OpenCV counts from the middles of pixels.
    there = np.column_stack([turn, shift + turn @ np.array([0.5, 0.5]) - 0.5])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(
        small, there, tuple(reach.tolist()), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    pixels = np.asarray(turned, np.uint8)
    factors = np.array([width / size[0], height / size[1]])
    matrix = np.eye(3)
    matrix[:2, :2] = turn * factors[:, None]
    matrix[:2, 2] = shift * factors
    return Upright(pixels, matrix, find_paper(pixels), skew)


def find_skew(picture: Pixels) -> float:
    """Return by how many degrees the edges of a picture are turned to the right, as a rule."""
    import cv2

    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 1)
    across, down = cv2.Scharr(grey, cv2.CV_32F, 1, 0), cv2.Scharr(grey, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down)
    strong = strength > np.quantile(strength, 0.85)
    angle = np.degrees(np.arctan2(down[strong], across[strong]))
    folded = (angle + 45.0) % 90.0 - 45.0
    bins = round(2 * _MOST_SKEW_DEG / _STEP_DEG)
    counts, edges = np.histogram(
        folded, bins, (-_MOST_SKEW_DEG, _MOST_SKEW_DEG), weights=strength[strong]
    )
    smooth = np.convolve(counts, np.hanning(9), "same")
    best = int(smooth.argmax())
    near = slice(max(best - 4, 0), best + 5)
    middles = (edges[:-1] + edges[1:])[near] / 2
    weight = counts[near]
    return float(np.average(middles, weights=weight)) if weight.sum() else 0.0


def find_paper(picture: Pixels) -> Paper:
    """Return what is paper, or outside of the sheet, and the colour of the paper."""
    import cv2

    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32)
    outside = _outside(soft)
    mode = _lightest_mode(soft)
    like_mode = shades_apart(soft, mode) < _TOLERANCES[0]
    sheet = np.ones_like(outside)
    if (like_mode & outside).sum() < 0.5 * like_mode.sum():
        sheet = ~outside  # the paper ends before the picture does: the lid must not count
        mode = _lightest_mode(soft[sheet][None])
    off = shades_apart(soft, mode)
    terms = _terms(off.shape)
    light = np.zeros((terms.shape[-1], 3), np.float32)
    light[0] = mode
    for tolerance in _TOLERANCES:
        alike = (off < tolerance) & sheet
        chosen = np.flatnonzero(alike.ravel())[:: max(1, int(alike.sum()) // 40_000)]
        if len(chosen) < 100:
            break
        rows = terms.reshape(-1, terms.shape[-1])[chosen]
        light = np.linalg.lstsq(rows, soft.reshape(-1, 3)[chosen], rcond=None)[0].astype(np.float32)
        off = shades_apart(soft, terms @ light)
    red, green, blue = (float(value) for value in mode)
    return Paper((off < _PRINT) | outside, (red, green, blue), light)


def _terms(shape: tuple[int, ...]) -> Floats:
    """Return the terms of a light that changes gently over a picture."""
    v, u = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    u, v = u / shape[1] - 0.5, v / shape[0] - 0.5
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=-1)


def _lightest_mode(soft: Floats) -> Floats:
    """Return the lightest of the colours that cover more than a little of the picture."""
    step = 12
    codes = (soft / step).astype(np.int32)
    flat = (codes[..., 0] * 32 + codes[..., 1]) * 32 + codes[..., 2]
    counts = np.bincount(flat.ravel())
    values = np.flatnonzero(counts)
    counts = counts[values]
    common = values[counts >= _MODE_SHARE * flat.size]
    if not len(common):
        common = values[[int(counts.argmax())]]
    lightest = max(common.tolist(), key=lambda code: code // 1024 + code // 32 % 32 + code % 32)
    alike = soft[flat == lightest]
    return np.asarray(np.median(alike[:: max(1, len(alike) // 20_000)], axis=0), np.float32)


def shades_apart(a: Floats, b: Floats) -> Floats:
    """Return by how many shades colours differ; the last axis is short, and numpy slow on it."""
    apart = np.abs(a - b)
    return np.asarray(np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]))


def _outside(soft: Floats) -> Mask:
    """Return what lies around the sheet: the lid or the table, smooth from the edge inwards."""
    import cv2

    softer = cv2.GaussianBlur(soft, (0, 0), 1.6)
    steps = cv2.Scharr(softer, cv2.CV_32F, 1, 0), cv2.Scharr(softer, cv2.CV_32F, 0, 1)
    slope = (
        shades_apart(np.hypot(*steps), np.zeros(1, np.float32)) / 32
    )  # shades from pixel to pixel
    calm = cv2.erode((slope < _CALM).astype(np.uint8), np.ones((3, 3), np.uint8))
    _, pieces = cv2.connectedComponents(calm, connectivity=4)
    rim = np.concatenate([pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]])
    around = np.isin(pieces, np.setdiff1d(np.unique(rim), [0])).astype(np.uint8)
    return np.asarray(cv2.dilate(around, np.ones((7, 7), np.uint8)) > 0)
