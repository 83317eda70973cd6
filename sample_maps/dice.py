"""Chance from an integer seed, the same on every machine and with every numpy."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T")


class Dice:
    """A stream of whole numbers.

    Only the raw output of PCG64 is used: numpy promises that it never changes, which it does
    not for the distributions of its Generator.

    >>> Dice(7).below(6, 4).tolist() == Dice(7).below(6, 4).tolist()
    True
    """

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def below(self, bound: int, count: int) -> NDArray[np.int64]:
        """Return *count* numbers from 0 to *bound* - 1."""
        raw = self._bits.random_raw(count) >> np.uint64(33)
        drawn: NDArray[np.int64] = raw.astype(np.int64) % bound
        return drawn

    def roll(self, bound: int) -> int:
        """Return one number from 0 to *bound* - 1."""
        return int(self.below(bound, 1)[0])

    def spread(self, reach: float) -> float:
        """Return one number between -*reach* and *reach*, in 2000 steps."""
        return (self.roll(2001) - 1000) * reach / 1000

    def pick(self, choices: Sequence[_T]) -> _T:
        """Return one of the choices."""
        return choices[self.roll(len(choices))]
