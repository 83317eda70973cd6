"""How likely every pixel of a patch belongs to a line of each kind.

A small network looks at a pixel and at a dozen points about it. It is taught anew for every
sheet, from pixels whose kind is known, and takes seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapkit.scan.side_patches import Floats

_RINGS = (
    (1, ((1, 0), (0, 1), (1, 1), (1, -1))),
    (2, ((1, 0), (0, 1), (1, 1), (1, -1))),
    (3, ((1, 0), (0, 1))),
    (4, ((1, 0), (0, 1), (1, 1), (1, -1))),
    (6, ((1, 0), (0, 1))),
    (8, ((1, 0), (0, 1))),
)  # so far away the network looks, into each of these directions and back
_LOOKS = (
    (0, 0),
    *((far * u * way, far * v * way) for far, at in _RINGS for u, v in at for way in (1, -1)),
)
_REACH = 8
_HIDDEN = 56
_EPOCHS = 14

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PixelReader:
    """A taught network: class 0 is the ground, the others are the kinds in their order."""

    layers: tuple[tuple[Floats, Floats], ...]
    classes: tuple[int, ...]
    count: int

    def likelihoods(self, patches: npt.NDArray[Any]) -> Floats:
        """Return n × classes × rows × columns: a share of 1 for every class."""
        n, rows, columns = patches.shape[:3]
        x = _planes(patches)
        for index, (weights, bias) in enumerate(self.layers):
            x = weights.T @ x
            x += bias[:, None]
            if index < len(self.layers) - 1:
                np.maximum(x, 0, out=x)
        x -= x.max(axis=0)
        np.exp(x, out=x)
        x /= x.sum(axis=0)
        found = np.zeros((n, self.count, rows, columns), np.float32)
        found[:, list(self.classes)] = x.reshape(len(self.classes), n, rows, columns).swapaxes(0, 1)
        return found


def views(patches: npt.NDArray[Any]) -> Floats:
    """Return what the network sees at every pixel: n × rows × columns × numbers."""
    seen = _planes(patches).T.reshape(*patches.shape[:3], -1)
    return np.ascontiguousarray(seen)


def _planes(patches: npt.NDArray[Any]) -> Floats:
    """Return what is seen at every pixel, one row of all pixels for each number."""
    n, rows, columns = patches.shape[:3]
    wide = np.zeros((3, n, rows + 2 * _REACH, columns + 2 * _REACH), np.float32)
    inner = slice(_REACH, _REACH + rows), slice(_REACH, _REACH + columns)
    wide[:, :, *inner] = patches.transpose(3, 0, 1, 2)
    wide[:, :, :_REACH] = wide[:, :, _REACH : _REACH + 1]
    wide[:, :, -_REACH:] = wide[:, :, -_REACH - 1 : -_REACH]
    wide[..., :_REACH] = wide[..., _REACH : _REACH + 1]
    wide[..., -_REACH:] = wide[..., -_REACH - 1 : -_REACH]
    seen = np.empty((len(_LOOKS), 3, n, rows, columns), np.float32)
    for index, (du, dv) in enumerate(_LOOKS):
        r, c = _REACH + dv, _REACH + du
        seen[index] = wide[:, :, r : r + rows, c : c + columns]
    return seen.reshape(3 * len(_LOOKS), -1)


def teach_pixels(seen: Floats, labels: Labels, count: int, *, seed: int) -> PixelReader:
    """Teach a network what pixels look like; every class weighs as much as its examples."""
    from sklearn.neural_network import MLPClassifier

    middle, spread = seen.mean(axis=0), seen.std(axis=0) + 4.0
    network = MLPClassifier(
        (_HIDDEN,), alpha=1e-3, batch_size=256, max_iter=_EPOCHS, random_state=seed,
        learning_rate_init=2e-3, tol=0.0, n_iter_no_change=_EPOCHS,
    )  # fmt: skip
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it stops when told to
        network.fit((seen - middle) / spread, labels)
    layers = [
        (w.astype(np.float32), b.astype(np.float32))
        for w, b in zip(network.coefs_, network.intercepts_, strict=True)
    ]
    # What the numbers are measured against is taken into the first layer.
    weights, bias = layers[0]
    weights = weights / spread[:, None]
    layers[0] = (weights, bias - middle @ weights)
    classes = tuple(int(c) for c in network.classes_)
    if len(classes) == 2:  # one output only: the chance of the second
        weights, bias = layers[-1]
        layers[-1] = (np.hstack((0 * weights, weights)), np.hstack((0 * bias, bias)))
    return PixelReader(tuple(layers), classes, count)


def pick(
    dice: np.random.Generator, mask: npt.NDArray[np.bool_], most: int
) -> Sequence[npt.NDArray[np.intp]]:
    """Return the indices of at most so many of the pixels that a mask allows."""
    at = np.flatnonzero(mask)
    if len(at) > most:
        at = dice.choice(at, most, replace=False)
    return np.unravel_index(at, mask.shape)
