"""The best way for a line through many patches at once: along the hexside, or across it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan.side_patches import SIDE, Floats, U, V

ALONG_ROOM = 10  # samples to either side of a hexside where its line may run
ACROSS_LENGTH = 15
ACROSS_ROOM = 14


@dataclass(frozen=True, eq=False)
class Paths:
    """One path through each patch: its place at every step, and the likelihood met there."""

    places: npt.NDArray[np.int64]  # n × steps: samples off the middle
    met: Floats  # n × steps

    @property
    def strength(self) -> Floats:
        """How much is met along each path."""
        return np.asarray(self.met.mean(axis=1), np.float32)


def along(likelihood: Floats) -> Paths:
    """Find the best way from end to end of each hexside; *likelihood* is n × rows × columns."""
    room = slice(V - ALONG_ROOM, V + ALONG_ROOM + 1)
    return _best(likelihood[:, room, U - SIDE : U + SIDE + 1].transpose(0, 2, 1), most=1)


def across(likelihood: Floats, *, length: int = ACROSS_LENGTH) -> Paths:
    """Find the best way over each hexside, from the one hex into the other."""
    room = slice(U - ACROSS_ROOM, U + ACROSS_ROOM + 1)
    return _best(likelihood[:, V - length : V + length + 1, room], most=2)


def find(likelihood: Floats, reach: int | None) -> Paths:
    """Find the best ways over hexsides, *reach* samples into either hex; along them for None."""
    return along(likelihood) if reach is None else across(likelihood, length=reach)


def along_ways(likelihood: Floats, places: npt.NDArray[np.int64], reach: int | None) -> Floats:
    """Return the likelihood met along ways that are known already: n × steps."""
    half = places.shape[1] // 2
    steps = np.arange(-half, half + 1)[None]
    row, column = (places + V, steps + U) if reach is None else (steps + V, places + U)
    return np.asarray(likelihood[np.arange(len(places))[:, None], row, column], np.float32)


def _best(field: Floats, *, most: int) -> Paths:
    """Walk n fields step by step; a step moves aside by *most* places or fewer."""
    n, steps, width = field.shape
    came = np.zeros((n, steps, width), np.int8)
    total = field[:, 0].copy()
    for step in range(1, steps):
        best, source = total.copy(), np.zeros((n, width), np.int8)
        for move in range(-most, most + 1):
            if move:
                other = _moved(total, move) - 0.12 * (abs(move) - 0.5)
                better = other > best
                best = np.where(better, other, best)
                source[better] = move
        total, came[:, step] = best + field[:, step], source
    places = np.empty((n, steps), np.int64)
    places[:, -1] = total.argmax(axis=1)
    every = np.arange(n)
    for step in range(steps - 1, 0, -1):
        places[:, step - 1] = places[:, step] + came[every, step, places[:, step]]
    met = field[every[:, None], np.arange(steps), places]
    return Paths(places - width // 2, met)


def _moved(values: Floats, move: int) -> Floats:
    """Return for every place the value *move* places on; none is at hand beyond the edge."""
    found = np.full_like(values, -1e9)
    if move > 0:
        found[:, :-move] = values[:, move:]
    else:
        found[:, -move:] = values[:, :move]
    return found
