"""How sure it is that a line of each kind lies at each hexside, from its own patch alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.scan import line_paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_profiles import Places, mean_form, profiles
from mapkit.scan.side_patches import Floats, Patches, batches

_NEARNESS = 0.3  # what moving the place of even odds costs
_ANY = 0.3  # what any line counts on the way of one: two kinds may be hard to tell apart
_SHARES = (0.1, 0.25, 0.5)

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Seen:
    """What a reader sees of every kind in some patches: its likeliest way through each."""

    patches: Patches
    reaches: Sequence[int | None]
    met: tuple[Floats, ...]  # of each kind n × steps: how likely its way is
    places: tuple[Places, ...]  # of each kind n × steps
    around: Floats  # n × kinds: how much of each kind is in the patch as a whole

    @property
    def strength(self) -> Floats:
        """How much is seen of every kind in every patch: n × kinds."""
        return np.stack([met.mean(axis=1) for met in self.met], axis=1)

    def told(self, kind: int, rows: Rows) -> Floats:
        """Return all that the way of a kind tells in some of the patches: rows × numbers."""
        met = self.met[kind][rows]
        looks = profiles(
            self.patches[rows], self.places[kind][rows], crosswise=self.reaches[kind] is not None
        )
        shares = np.quantile(met, _SHARES, axis=1).T.astype(np.float32)
        return np.concatenate((met.mean(axis=1)[:, None], shares, looks), axis=1)


def form(told: Floats) -> Floats:
    """Return what tells the form of a line, whatever ground it lies on: the mean of some ways."""
    return mean_form(told[:, 1 + len(_SHARES) :])


def look(reader: PixelReader, patches: Patches, reaches: Sequence[int | None]) -> Seen:
    """Find the likeliest way of every kind through every patch.

    *reaches* says of each kind of the reader how far it goes into either hex.
    """
    met: list[list[Floats]] = [[] for _ in reaches]
    places: list[list[Places]] = [[] for _ in reaches]
    around = []
    for batch in list(batches(len(patches), 60)) or [slice(0, 0)]:
        likelihoods = reader.likelihoods(patches[batch])
        anything = _ANY * (1 - likelihoods[:, 0])
        around.append(likelihoods[:, 1:].mean(axis=(2, 3)))
        for index, reach in enumerate(reaches):
            found = line_paths.find(likelihoods[:, index + 1] + anything, reach)
            own = line_paths.along_ways(likelihoods[:, index + 1], found.places, reach)
            met[index].append(own)
            places[index].append(found.places.astype(np.int8))
    return Seen(
        patches,
        reaches,
        tuple(np.concatenate(parts) for parts in met),
        tuple(np.concatenate(parts) for parts in places),
        np.concatenate(around),
    )


def even_odds(strength: Floats, usual: float) -> tuple[float, float]:
    """Return the strength at which a line is as likely as none, and how far apart both lie.

    Patches fall into two heaps, with the line and without it; the odds are even where fewest
    lie between them. *usual* is the strength where a line surely is.
    """
    low, high = float(np.median(strength)), usual
    even = usual / 2
    for _ in range(12):
        even = min(max((low + high) / 2, 0.25 * usual), 0.75 * usual)
        with_line = strength > even
        if not with_line.any() or with_line.all():
            break
        low, high = float(strength[~with_line].mean()), float(strength[with_line].mean())
    return _valley(strength, even, usual), high - low


def _valley(strength: Floats, even: float, usual: float) -> float:
    """Return where fewest patches lie, of the places not far from *even* the nearest."""
    found = max(int((strength > even).sum()), 1)
    places = np.linspace(0.3, 0.85, 23) * usual
    near = [int((np.abs(strength - place) < 0.1 * usual).sum()) / found for place in places]
    cost = np.array(near) + _NEARNESS * np.abs(places - even) / usual
    return float(places[cost.argmin()])
