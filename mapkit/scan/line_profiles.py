"""What a line looks like, once its way through a patch is known: its profile and its rhythm.

Laid straight along its way, a line shows what it is made of. Across it: how wide it is, of what
colours, with edges or without, and whether teeth stand on one side. Along it: whether it is
dashed, and how long dash and gap are together. Where in the patch it began does not matter.
"""

import numpy as np
import numpy.typing as npt

from mapkit.scan.side_patches import Floats, Patches, U, V, batches

HALF = 7  # samples to either side of its way that are looked at
_EDGE = 2  # outermost samples of either side: the ground beside the line
_RHYTHM = slice(2, 14)  # repetitions in 32 samples
_WINDOW = 32
_BENT = np.array((1, 2, 3, 2, 1), np.float32) / 9
_WAVES = 12.0  # what rhythm weighs beside lightness
_MOST = 400  # patches laid one below the other, and not too many of them for OpenCV

_ACROSS = 2 * HALF + 1
_NUMBERS = 7 * _ACROSS + (_RHYTHM.stop - _RHYTHM.start) * (_ACROSS - 2 * _EDGE)

Places = npt.NDArray[np.int8]  # n × steps: samples off the middle


def profiles(patches: Patches, places: Places, *, crosswise: bool) -> Floats:
    """Return what is seen along one way through each of some patches: n × numbers."""
    parts = [
        _told(straightened(patches[batch], places[batch], crosswise=crosswise))
        for batch in batches(len(patches), _MOST)
    ]
    return np.concatenate(parts) if parts else np.empty((0, _NUMBERS), np.float32)


def mean_form(told: Floats) -> Floats:
    """Return the usual width and rhythm of some ways, without the colours of their ground."""
    apart = told[:, 3 * _ACROSS : 7 * _ACROSS]
    form = np.concatenate((apart, _WAVES * told[:, 7 * _ACROSS :]), axis=1)
    return np.asarray(form.mean(axis=0), np.float32)


def straightened(patches: Patches, places: Places, *, crosswise: bool) -> Floats:
    """Lay the ground about each way straight: n × steps along × samples across × colour."""
    import cv2

    way = _smooth(places)
    n, steps = way.shape
    along = np.arange(steps, dtype=np.float32) - steps // 2
    slope = np.gradient(way, axis=1)[:, :, None]
    steep = np.sqrt(1 + slope**2)
    beside = np.arange(-HALF, HALF + 1, dtype=np.float32)
    on = along[None, :, None] - beside * slope / steep
    aside = way[:, :, None] + beside / steep
    v, u = (on, aside) if crosswise else (aside, on)
    # The patches lie one below the other, and none may look into the next.
    y = np.clip(v + V, 0, 2 * V) + (2 * V + 1) * np.arange(n, dtype=np.float32)[:, None, None]
    x = np.clip(u + U, 0, 2 * U)
    width = len(beside)
    flat = patches.reshape(-1, *patches.shape[2:])
    laid = cv2.remap(
        flat,
        x.reshape(-1, width).astype(np.float32),
        y.reshape(-1, width).astype(np.float32),
        cv2.INTER_LINEAR,
    )
    return np.asarray(laid, np.float32).reshape(n, steps, width, 3)


def _smooth(places: Places) -> Floats:
    wide = np.pad(places.astype(np.float32), ((0, 0), (2, 2)), mode="edge")
    count = places.shape[1]
    return np.asarray(
        sum(share * wide[:, at : at + count] for at, share in enumerate(_BENT)), np.float32
    )


def _told(strips: Floats) -> Floats:
    """Return colours across, how they differ from the ground beside, and what repeats along."""
    n, steps = strips.shape[:2]
    mean = strips.mean(axis=1)
    ground = (mean[:, :_EDGE].mean(axis=1) + mean[:, -_EDGE:].mean(axis=1)) / 2
    light = strips[..., 0] - mean[:, None, :, 0]
    window = np.hanning(steps + 2)[1:-1, None].astype(np.float32)
    waves = np.fft.rfft((light * window)[:, :, _EDGE:-_EDGE], n=_WINDOW, axis=1)
    rhythm = np.log1p(np.abs(waves[:, _RHYTHM]) / steps)
    spread = light.std(axis=1)
    told = (mean, mean - ground[:, None], spread, rhythm)
    return np.concatenate([part.reshape(n, -1) for part in told], axis=1).astype(np.float32)
