"""What can be compared between two cut counters: their ground, and the shape of their figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counters.slicing.upright import Floats, Numbers
from mapkit.scan.sheet import Pixels

SIDE = 40  # of the small picture in which shapes are compared
_DARK = 90.0  # shades: on such a ground ink is light
_EDGE_PX = 2  # of the small picture
_RIM = (0.05, 0.13)  # of a counter: here lies its ground, seldom a figure


@dataclass(frozen=True, eq=False)
class Features:
    """Grounds (n × 3) and shapes (n × SIDE × SIDE, what is common to all taken away)."""

    grounds: Numbers
    shapes: Floats

    @property
    def individuality(self) -> float:
        """How much the shapes differ from each other, in shades: near 0 they are all alike."""
        return float(np.sqrt((self.shapes**2).mean())) if len(self.shapes) else 0.0


def features_of(pictures: Sequence[Pixels]) -> Features:
    """Return what can be compared of some counters of one section."""
    import cv2

    grounds = np.array([ground_of(picture) for picture in pictures]).reshape(-1, 3)
    shapes = np.zeros((len(pictures), SIDE, SIDE), np.float32)
    for index, (picture, ground) in enumerate(zip(pictures, grounds, strict=True)):
        ink = cv2.resize(_ink(picture, ground), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        shapes[index] = cv2.GaussianBlur(ink, (0, 0), 0.8)
    if len(shapes):
        shapes -= np.median(shapes, axis=0)
        for edge in (slice(None, _EDGE_PX), slice(-_EDGE_PX, None)):
            shapes[:, edge] = 0.0  # neighbours and the scanner's lid show there
            shapes[:, :, edge] = 0.0
    return Features(grounds, shapes)


def _ink(picture: Pixels, ground: Numbers) -> Floats:
    """Return what is drawn on a ground, as strong on a dark one as on a light one.

    Ink is darker than the ground, or lighter where that is dark itself: white boxes on coloured
    grounds are not counted, for on a white back they vanish.
    """
    grey = picture.astype(np.float32).mean(axis=2)
    level = float(ground.mean())
    if level < _DARK:
        return np.asarray(np.clip((grey - level) * 160 / (255 - level), 0, 120), np.float32)
    return np.asarray(np.clip((level - grey) * 160 / level, 0, 120), np.float32)


def ground_of(picture: Pixels) -> Numbers:
    """Return the colour of a counter's ground: the median near its rim."""
    height, width = picture.shape[:2]
    x = np.minimum(np.arange(width), np.arange(width)[::-1]) / width
    y = np.minimum(np.arange(height), np.arange(height)[::-1]) / height
    in_ = np.minimum(x[None, :], y[:, None])
    rim = (in_ >= _RIM[0]) & (in_ < _RIM[1])
    return np.asarray(np.median(picture[rim], axis=0), float)


def shape_likeness(fronts: Floats, backs: Floats, *, reach: int = 3) -> Numbers:
    """Return how alike every front is to every back, −1 to 1: one shift of all backs allowed.

    A sheet's two prints do not lie exactly back to back; the shift at which the diagonal fits
    best is taken.
    """
    a = _unit(fronts)
    best = np.zeros((len(fronts), len(backs)))
    score = -np.inf
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            moved = np.roll(backs, (down, right), axis=(1, 2))
            likeness = a @ _unit(moved).T
            fits = float(np.trace(likeness)) / max(len(fronts), 1)
            if fits > score:
                best, score = np.asarray(likeness, float), fits
    return best


def _unit(shapes: Floats) -> Floats:
    flat = shapes.reshape(len(shapes), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    # A shape that hardly differs from the rest has nothing to say.
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 60.0))
