"""Counters that are printed more than once: copies, told from counters that differ in one digit.

Scans of one print differ by noise and by a fraction of a pixel at edges. So pictures are laid over
each other exactly, and a spot counts as different where noise and edges do not explain it.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from counters.slicing.upright import Floats
from mapkit.scan.sheet import Pixels

_SIDE_PX = 110  # at least: on smaller pictures a pixel's reach would swallow a stroke
_THUMB = 12
_UNLIKE = 12.0  # shades: thumbs that differ more need no closer look
_DIFFERS = 2.2  # times what is expected: that is no noise
_SPOT = 0.05  # of a counter: as big as a small digit
_NOISE = 4.0  # shades
_SLIP_PX = 0.25  # of an edge, after the pictures were laid over each other
MARGIN = 0.03  # of a counter: its very edge is not compared


def find_copies(faces: Sequence[Sequence[Pixels | None]], *, margin: float = MARGIN) -> list[int]:
    """Return for every counter the first one that it is a copy of: itself, or an earlier one.

    Each counter is given by its pictures, front and back; two are copies where all are alike.
    *margin* is the share of a counter at its edges that is not compared: its neighbours may show.
    """
    looks = [_Look.of(pictures) for pictures in faces]
    first: list[int] = []
    for index, look in enumerate(looks):
        same = (
            earlier
            for earlier in range(index)
            if first[earlier] == earlier and look.is_like(looks[earlier], margin)
        )
        first.append(next(same, index))
    return first


def counted(first: Sequence[int]) -> Mapping[int, int]:
    """Return how many copies there are of each counter that is no copy itself.

    >>> counted([0, 1, 0, 3])
    {0: 2, 1: 1, 3: 1}
    """
    return {index: list(first).count(index) for index in sorted(set(first))}


class _Look:
    """The pictures of a counter, made ready for comparing."""

    def __init__(self, faces: tuple[Floats | None, ...], thumbs: tuple[Floats | None, ...]) -> None:
        self.faces = faces
        self.thumbs = thumbs

    @classmethod
    def of(cls, pictures: Sequence[Pixels | None]) -> "_Look":
        faces = tuple(_prepared(picture) for picture in pictures)
        return cls(faces, tuple(_thumb(face) for face in faces))

    def is_like(self, other: "_Look", margin: float) -> bool:
        for mine, yours in zip(self.thumbs, other.thumbs, strict=True):
            if (mine is None) != (yours is None):
                return False
            if mine is not None and yours is not None and _apart(mine, yours) > _UNLIKE:
                return False
        return all(difference(a, b, margin) < _DIFFERS for a, b in self._beside(other))

    def _beside(self, other: "_Look") -> Iterator[tuple[Floats, Floats]]:
        for mine, yours in zip(self.faces, other.faces, strict=True):
            if mine is not None and yours is not None:
                yield mine, yours


def difference(a: Floats, b: Floats, margin: float = MARGIN) -> float:
    """Return how much two prepared pictures differ at the spot where they do most.

    Each spot is measured by what noise and a slip by part of a pixel would do there: the mean over
    the counter would drown a digit in a small name. 1 is what two scans of one print differ by.
    """
    import cv2

    if a.shape != b.shape:
        return 255.0
    right = np.asarray(cv2.Sobel((a + b) / 16, cv2.CV_32F, 1, 0), np.float32)
    down = np.asarray(cv2.Sobel((a + b) / 16, cv2.CV_32F, 0, 1), np.float32)
    rim = max(2, round(margin * min(a.shape[:2])))
    inner = (slice(rim, -rim), slice(rim, -rim))
    off = (a - b)[inner]
    off = off - np.median(off, axis=(0, 1))  # the light may have changed a little
    right, down = right[inner], down[inner]
    x, y = _slip(off, right, down)
    left = ((off - x * right - y * down) ** 2).mean(axis=2)
    steep = (right**2 + down**2).mean(axis=2)
    side = max(3, round(_SPOT * min(a.shape[:2])))
    expected = cv2.blur(steep, (side, side)) * _SLIP_PX**2 + _NOISE**2
    return float(np.sqrt((cv2.blur(left, (side, side)) / expected).max()))


def _slip(off: Floats, right: Floats, down: Floats) -> tuple[float, float]:
    """Return by how many pixels one picture lies beside the other, what differs left aside."""
    slopes = np.column_stack([right.mean(axis=2).ravel(), down.mean(axis=2).ravel()])
    wanted = off.mean(axis=2).ravel()
    weight = np.ones(len(wanted), np.float32)
    slip = np.zeros(2, np.float32)
    for _ in range(3):
        rows, there = slopes * weight[:, None], wanted * weight
        slip = np.clip(np.linalg.lstsq(rows, there, rcond=None)[0], -1, 1)
        weight = np.asarray(1 / (1 + np.abs(wanted - slopes @ slip) / (2 * _NOISE)), np.float32)
    return float(slip[0]), float(slip[1])


def _prepared(picture: Pixels | None) -> Floats | None:
    import cv2

    if picture is None:
        return None
    height, width = picture.shape[:2]
    factor = max(1.0, _SIDE_PX / min(width, height))
    size = (round(width * factor), round(height * factor))
    big = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(big, (0, 0), 0.8 * factor), np.float32)


def _thumb(face: Floats | None) -> Floats | None:
    import cv2

    if face is None:
        return None
    return np.asarray(cv2.resize(face, (_THUMB, _THUMB), interpolation=cv2.INTER_AREA), np.float32)


def _apart(a: Floats, b: Floats) -> float:
    inner = np.abs(a - b)[1:-1, 1:-1]  # at the rim neighbours may show
    return float(inner.mean(axis=2).max()) / 2
