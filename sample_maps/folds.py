"""The folds of a printed sheet: how they draw the paper in, catch the light and wear off."""

from dataclasses import dataclass

import numpy as np

from sample_maps.transforms import Floats, Numbers, Size


@dataclass(frozen=True)
class Folds:
    """Where the sheet was folded, in its own pixels; *up* says ridge or valley."""

    across: tuple[float, ...]
    down: tuple[float, ...]
    up: tuple[int, ...]
    reach_px: float

    def displacement(self, x: Numbers, y: Numbers, amount_px: float) -> tuple[Numbers, Numbers]:
        """Return by how much the paper is drawn towards its folds."""
        return (
            self._along(x, self.across, self.up, amount_px),
            self._along(y, self.down, self.up[len(self.across) :], amount_px),
        )

    def _along(
        self, place: Numbers, folds: tuple[float, ...], up: tuple[int, ...], amount_px: float
    ) -> Numbers:
        moved = np.zeros_like(place)
        for fold, sign in zip(folds, up, strict=False):
            away = (place - fold) / self.reach_px
            moved += sign * amount_px * away * np.exp(0.5 - 0.5 * away**2)
        return moved

    def profiles(self, size: Size, strength: float) -> tuple[Floats, Floats]:
        """Return light and wear along x and along y: rows of two numbers for every pixel."""
        return (
            self._profile(size[0], self.across, self.up, strength),
            self._profile(size[1], self.down, self.up[len(self.across) :], strength),
        )

    def _profile(
        self, length: int, folds: tuple[float, ...], up: tuple[int, ...], strength: float
    ) -> Floats:
        place = np.arange(length) + 0.5
        light, wear = np.ones(length), np.zeros(length)
        for fold, sign in zip(folds, up, strict=False):
            away = place - fold
            slope = np.tanh(away / 2.0) * np.exp(-np.abs(away) / (0.6 * self.reach_px))
            light *= 1.0 + sign * 0.07 * strength * slope
            light *= 1.0 - 0.16 * strength * np.exp(-0.5 * ((away - 1.5) / 1.1) ** 2)
            wear += 46.0 * strength * np.exp(-0.5 * (away / 0.9) ** 2)
        return np.stack((light, wear)).astype(np.float32)


def fold_sheet(size: Size, dice: np.random.Generator) -> Folds:
    """Fold a sheet as games come in their box: in four across and in two down."""
    width, height = size
    longer, shorter = (width, height) if width >= height else (height, width)
    jitter = (dice.random(4) - 0.5) * 0.006
    many = tuple(longer * (i / 4 + float(jitter[i - 1])) for i in (1, 2, 3))
    one = (shorter * (0.5 + float(jitter[3])),)
    up = tuple(int(sign) for sign in dice.integers(0, 2, 4) * 2 - 1)
    across, down = (many, one) if width >= height else (one, many)
    return Folds(across, down, up, reach_px=longer / 60)
