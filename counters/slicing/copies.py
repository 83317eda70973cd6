"""Counters that are printed more than once: copies, told from counters that differ in one digit.

Scans of one print differ by noise and by a fraction of a pixel at edges. So a place counts as
different only where it lies outside of all that the other picture shows within a pixel's reach.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from counters.slicing.upright import Floats
from mapkit.scan.sheet import Pixels

_SIDE_PX = 110  # at least: on smaller pictures a pixel's reach would swallow a stroke
_THUMB = 12
_UNLIKE = 12.0  # shades: thumbs that differ more need no closer look
_DIFFERS = 16.0  # shades over a spot: that is no noise
_SPOT_PX = 3
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
    """Return by how many shades two prepared pictures differ at the spot where they do most."""
    import cv2

    if a.shape != b.shape:
        return 255.0
    reach = np.ones((3, 3), np.uint8)
    over = np.zeros(a.shape[:2], np.float32)
    shift = np.median(a - b, axis=(0, 1))  # the light may have changed a little
    for one, two in ((a - shift, b), (b, a - shift)):
        beyond = np.maximum(one - cv2.dilate(two, reach), cv2.erode(two, reach) - one)
        over = np.maximum(over, np.maximum(beyond, 0.0).max(axis=2))
    spots = cv2.blur(over, (_SPOT_PX, _SPOT_PX))
    rim = max(2, round(margin * min(a.shape[:2])))
    return float(spots[rim:-rim, rim:-rim].max())


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
