"""Where on a map the icons of its legend are printed.

Every icon is laid over every place and each pixel weighed: how much likelier is its colour if
the icon lies here than anywhere on the sheet? So rare colours say much, those of the ground
nothing, and a few pixels under a number or a road do not spoil the rest. The weights of all
pixels together tell which of two icons explains a place, their mean how well it does.

Legends are often printed bigger than the map: the scale is the one at which icons fit best.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.icon_cuts import (
    Colours,
    Icon,
    Mask,
    Places,
    Stamp,
    reduced,
    stamp,
    to_lab,
    weighted,
)
from mapkit.scan.sheet import FlatSheet, Pixels

Floats = npt.NDArray[np.float64]
Logs = npt.NDArray[np.float32]
Spots = npt.NDArray[np.intp]  # n × 2: column and row of a stamp's top-left pixel

_FINE_PX, _COARSE_PX = 60.0, 20.0  # the pitches at which icons are weighed and looked for
_SCALES = tuple(0.5 * 1.12**step for step in range(9))
_CLOSER = (0.96, 1.0, 1.04)
_SCALED_BY = 5  # icons, the smallest, by which the scale is found
_BIN = 12  # of colours
_BINS = np.array([13, 22, 22])
_RARE = 1e-5  # the share of a colour that the sheet does not show
_SPREAD = 9.0  # of an icon's colours from the legend to the map
_ODD = 0.1  # the share of an icon's pixels that may be anything
_MOST = 4.0  # no pixel says more than this
_MASS = -1.5 * np.log(2 * np.pi) - 3 * np.log(_SPREAD)
_AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
LEAST = 0.3  # the mean weight of what is worth a second look
_FREE = 0.3  # of an icon must lie beside those that explain more


@dataclass(frozen=True, eq=False)
class Find:
    """An icon at a place (pixels of the sheet), and its mean weight."""

    kind: str
    x: float
    y: float
    weight: float


@dataclass(frozen=True, eq=False)
class _Weighed:
    """One icon at many places: the weight of every pixel, and where the pixels lie."""

    kind: str
    spots: Spots
    logs: Logs  # places × pixels
    around: Logs  # places × pixels of the ring: how much they too look like the icon
    stamp: Stamp

    def free_weight(self, place: int, taken: Mask, alone: float) -> float | None:
        """Return the weight at a place by what other icons leave free; None where that is little.

        What around it looks like the icon too counts *alone* times against it.
        """
        free = ~taken[self.pixels(place)]
        if free.mean() < _FREE:
            return None
        down, across = _under(self.stamp.ring, self.spots[place], taken.shape)
        open_ = ~taken[down, across]
        beside = float(self.around[place][open_].sum()) / len(open_)
        inside = float(self.logs[place][free].mean())
        return inside - alone * beside

    def pixels(self, place: int) -> tuple[Places, Places]:
        """Return rows and columns of the picture under the icon at a place."""
        down, across = np.nonzero(self.stamp.mask)
        return down + self.spots[place, 1], across + self.spots[place, 0]


class _View:
    """The part of a sheet that holds its hexes, reduced to a pitch."""

    def __init__(self, sheet: FlatSheet, pitch_px: float) -> None:
        self.scale = min(1.0, pitch_px / sheet.pitch_px)
        centres = sheet.centres()
        low = np.maximum(centres.min(axis=0) - 0.65 * sheet.pitch_px, 0).astype(int)
        high = (centres.max(axis=0) + 0.65 * sheet.pitch_px).astype(int)
        self.origin = low
        part = sheet.pixels[low[1] : high[1], low[0] : high[0]]
        self.pixels: Pixels = to_lab(reduced(part, self.scale) if self.scale < 1 else part)

    def place(self, spot: npt.NDArray[np.intp], mask: Mask) -> tuple[float, float]:
        """Return the point of the sheet in the middle of an icon."""
        x, y = (spot + np.array(mask.shape[::-1]) / 2) / self.scale + self.origin
        return float(x), float(y)


class IconSearch:
    """The icons of a legend, each weighed on one sheet wherever it may be printed."""

    def __init__(self, sheet: FlatSheet, icons: Mapping[str, Icon]) -> None:
        self.coarse, self.fine = _View(sheet, _COARSE_PX), _View(sheet, _FINE_PX)
        self.small = weighted(self.coarse.pixels)
        self.channels = [np.ascontiguousarray(self.small[..., i]) for i in range(3)]
        self.square = (self.small**2).sum(axis=2)
        self.common = _common(weighted(self.fine.pixels[::3, ::3]))
        self.scale = self._scale(icons) if icons else 1.0
        count = 100 + len(sheet.hexes) // 10
        self.weighed = [self._weighed(k, icon, self.scale, count) for k, icon in icons.items()]

    def _scale(self, icons: Mapping[str, Icon]) -> float:
        """Return how much smaller than in the legend the map's icons are."""
        some = sorted(icons.values(), key=lambda icon: int(icon.mask.sum()))[:_SCALED_BY]
        rough = self._best_scale(some, _SCALES)
        return self._best_scale(some, tuple(rough * step for step in _CLOSER))

    def _best_scale(self, icons: list[Icon], scales: tuple[float, ...]) -> float:
        table = np.array([[self._strength(icon, scale) for icon in icons] for scale in scales])
        fits = ((table / np.maximum(table.max(axis=0), 1.0)) ** 2).sum(axis=1)
        return scales[int(np.argmax(fits))]

    def _strength(self, icon: Icon, scale: float) -> float:
        weighed = self._weighed("", icon, scale, 25, reach=1)
        best = np.sort(weighed.logs.mean(axis=1))[-3:]
        # The sum alone would favour big icons, the mean small ones.
        return max(float(best.mean()), 0.0) * weighed.stamp.size**0.5 if len(best) else 0.0

    def _weighed(self, kind: str, icon: Icon, scale: float, count: int, reach: int = 2) -> _Weighed:
        """Weigh an icon at the places where it fits best at a glance."""
        small = stamp(icon, scale * self.coarse.scale)
        large = stamp(icon, scale * self.fine.scale)
        spots = self._likely(small, 4 * count)
        totals = self._weights(self.coarse.pixels, spots, small).sum(axis=1)
        spots = spots[np.argsort(-totals, kind="stable")[:count]]
        middles = (spots + np.array(small.mask.shape[::-1]) / 2) / self.coarse.scale
        corners = np.round(middles * self.fine.scale - np.array(large.mask.shape[::-1]) / 2).astype(
            np.intp
        )
        return self._settled(kind, corners, large, reach)

    def _likely(self, small: Stamp, count: int) -> Spots:
        """The places whose colours differ least from the icon's."""
        import cv2

        inside = small.mask.astype(np.float32)
        colours = np.zeros((*small.mask.shape, 3), np.float32)
        colours[small.mask] = small.colours
        corner = (0, 0)
        off = np.asarray(cv2.filter2D(self.square, cv2.CV_32F, inside, anchor=corner), np.float32)
        for channel, plane in enumerate(self.channels):
            kernel = np.ascontiguousarray(2 * colours[..., channel])
            off -= np.asarray(cv2.filter2D(plane, cv2.CV_32F, kernel, anchor=corner), np.float32)
        rows, columns = (n - m + 1 for n, m in zip(off.shape, small.mask.shape, strict=True))
        if rows < 1 or columns < 1:
            return np.zeros((0, 2), np.intp)
        off = np.ascontiguousarray(off[:rows, :columns])
        least = off <= cv2.erode(off, np.ones((5, 5), np.uint8))
        y, x = np.nonzero(least)
        order = np.argsort(off[y, x], kind="stable")[:count]
        return np.column_stack((x[order], y[order]))

    def _settled(self, kind: str, corners: Spots, large: Stamp, reach: int) -> _Weighed:
        """Move every stamp a little to where it weighs most."""
        picture = self.fine.pixels
        limit = np.array(picture.shape[1::-1]) - np.array(large.mask.shape[::-1])
        if (limit < 0).any() or not len(corners):
            none = np.zeros((0, 1), np.float32)
            return _Weighed(kind, corners[:0], none, none, large)
        corners = np.clip(corners, 0, limit)
        best, at = self._weights(picture, corners, large), corners
        for step in range(reach, 0, -1):
            kept = np.argsort(-best.sum(axis=1), kind="stable")[: max(len(at) * 2 // 3, 1)]
            best, at = best[kept], at[kept]
            start, totals = at.copy(), best.sum(axis=1)
            for dx, dy in _AROUND:
                moved = np.clip(start + step * np.array((dx, dy)), 0, limit)
                logs = self._weights(picture, moved, large)
                sums = logs.sum(axis=1)
                better = sums > totals
                best[better], at[better], totals[better] = logs[better], moved[better], sums[better]
        return _Weighed(kind, at, best, self._around(at, large), large)

    def _around(self, spots: Spots, laid: Stamp) -> Logs:
        """How much every pixel around an icon speaks for some colour of it."""
        picture = self.fine.pixels
        down, across = _under(laid.ring, spots[:, None, :], picture.shape[:2])
        colours = weighted(picture[down, across])
        apart = np.min([((colours - tone) ** 2).sum(axis=2) for tone in laid.palette], axis=0)
        return np.asarray(np.maximum(self._logs(colours, apart), 0), np.float32)

    def _weights(self, picture: Pixels, spots: Spots, laid: Stamp) -> npt.NDArray[np.float32]:
        down, across = np.nonzero(laid.mask)
        colours = weighted(picture[spots[:, 1:] + down, spots[:, :1] + across])
        return self._logs(colours, ((colours - laid.colours) ** 2).sum(axis=2))

    def _logs(self, colours: Colours, apart: npt.NDArray[np.floating]) -> Logs:
        """How much likelier colours are in an icon than anywhere, so far *apart* from its own."""
        cells = np.minimum((colours / _BIN).astype(np.intp), _BINS - 1)
        common = self.common[cells[..., 0], cells[..., 1], cells[..., 2]]
        likelier = np.exp(np.minimum(_MASS - apart / (2 * _SPREAD**2) - common, _MOST))
        return np.asarray(np.log(_ODD + (1 - _ODD) * likelier), np.float32)

    def untangled(self, least: Mapping[str, float], alone: Mapping[str, float]) -> list[Find]:
        """Return the icons that weigh at least so much on average, by their kinds.

        The heaviest as a whole is judged first; what lies below it no longer speaks for others.
        """
        order = [
            (-float(weight) * one.stamp.size, which, place)
            for which, one in enumerate(self.weighed)
            for place, weight in enumerate(one.logs.mean(axis=1))
            if weight > least[one.kind]
        ]
        taken = np.zeros(self.fine.pixels.shape[:2], np.bool_)
        found = []
        for _, which, place in sorted(order):
            one = self.weighed[which]
            weight = one.free_weight(place, taken, alone[one.kind])
            if weight is None or weight < least[one.kind]:
                continue
            taken[one.pixels(place)] = True
            x, y = self.fine.place(one.spots[place], one.stamp.mask)
            found.append(Find(one.kind, x, y, weight))
        return found


def _under(
    offsets: tuple[Places, Places], spots: Spots, shape: tuple[int, ...]
) -> tuple[Places, Places]:
    """Rows and columns of a picture so far from some spots; what lies beside it is its edge."""
    down = np.clip(spots[..., 1] + offsets[0], 0, shape[0] - 1)
    across = np.clip(spots[..., 0] + offsets[1], 0, shape[1] - 1)
    return down, across


def _common(colours: Colours) -> Floats:
    """The logarithm of how common every colour is on the sheet."""
    from scipy.ndimage import gaussian_filter

    cells = np.minimum((colours.reshape(-1, 3) / _BIN).astype(np.intp), _BINS - 1)
    flat = np.ravel_multi_index(tuple(cells.T), tuple(_BINS))
    counts = np.bincount(flat, minlength=int(_BINS.prod())).reshape(_BINS).astype(float)
    smooth = gaussian_filter(counts / counts.sum(), 0.7)
    common: Floats = np.log((smooth + _RARE) / _BIN**3)
    return common
