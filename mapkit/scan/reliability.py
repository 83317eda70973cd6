"""Whether a scan is as sure as it should be: of values called 90 % sure, 90 % should be right."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mapkit.scan.teaching import WHATS, What

BINS = 10
DOUBTFUL_SHARE = 0.2
_ODDS = 1.96  # a margin that holds the truth 19 times in 20


@dataclass(frozen=True, slots=True)
class Trial:
    """A value that a scan read, how sure it was, and whether it was right."""

    what: What
    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Values of about one confidence: how sure the scan was on average, how many were right."""

    low: float
    high: float
    count: int
    right: int
    said: float

    @property
    def share(self) -> float:
        """The share of the values that are right."""
        return self.right / self.count

    @property
    def margin(self) -> tuple[float, float]:
        """Where the share would lie if there were many more such values (Wilson, 95 %)."""
        n, z = self.count, _ODDS
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(self.share * (1 - self.share) / n + (z / n / 2) ** 2)
        return max(0.0, middle - half), min(1.0, middle + half)

    def as_data(self) -> dict[str, Any]:
        """Return the bin as plain JSON values."""
        return {
            "from": self.low,
            "to": self.high,
            "count": self.count,
            "right": self.right,
            "said": round(self.said, 4),
            "share": round(self.share, 4),
        }


@dataclass(frozen=True, slots=True)
class Reliability:
    """How sure a scan was of one sort of value, beside how often it was right.

    *doubted* is how many of the *wrong* lie among the most doubtful fifth; where values of one
    confidence lie on both sides of the border, their errors count in proportion.
    """

    bins: tuple[Bin, ...]
    wrong: int
    doubted: float

    @property
    def count(self) -> int:
        """How many values were compared."""
        return sum(one.count for one in self.bins)

    @property
    def off(self) -> float:
        """How far the confidences are off, on average: the expected calibration error."""
        return sum(one.count * abs(one.said - one.share) for one in self.bins) / self.count

    def as_data(self) -> dict[str, Any]:
        """Return the table as plain JSON values."""
        return {
            "values": self.count,
            "wrong": self.wrong,
            "calibration_error": round(self.off, 4),
            "wrong_in_doubtful_fifth": round(self.doubted / self.wrong, 4) if self.wrong else None,
            "bins": [one.as_data() for one in self.bins],
        }


def reliability(trials: Iterable[Trial]) -> dict[What, Reliability]:
    """Return the table of every sort of value that was tried."""
    found: dict[What, list[Trial]] = {what: [] for what in WHATS}
    for one in trials:
        found[one.what].append(one)
    return {what: _table(tried) for what, tried in found.items() if tried}


def as_data(tables: Mapping[What, Reliability]) -> dict[str, Any]:
    """Return the tables as plain JSON values."""
    return {what: one.as_data() for what, one in tables.items()}


def _table(trials: list[Trial]) -> Reliability:
    ordered = sorted(trials, key=lambda one: one.confidence)
    bins = [_bin(place, list(some)) for place, some in groupby(ordered, key=_place)]
    return Reliability(tuple(bins), sum(not one.right for one in trials), _doubted(ordered))


def _place(one: Trial) -> int:
    return min(int(one.confidence * BINS + 1e-9), BINS - 1)


def _bin(place: int, some: list[Trial]) -> Bin:
    said = sum(one.confidence for one in some) / len(some)
    right = sum(one.right for one in some)
    return Bin(place / BINS, (place + 1) / BINS, len(some), right, said)


def _doubted(ordered: list[Trial]) -> float:
    room, doubted = DOUBTFUL_SHARE * len(ordered), 0.0
    for _, some in groupby(ordered, key=lambda one: one.confidence):
        alike = list(some)
        doubted += sum(not one.right for one in alike) * min(1.0, room / len(alike))
        room -= len(alike)
        if room <= 0:
            break
    return doubted
