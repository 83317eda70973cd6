"""What every hex looks like: shares of colours, areas and tones, away from numbers and lines.

The sheet is reduced to one scale, its colours sorted into a few dozen *words* found on the map
itself, and every hex is described by how much of it each word covers: all over the hex, where a
word fills whole patches and is no thin line, and near the centre, where areas are smoothed first
so that what crosses the hex is not averaged. *Tones* are the purest colours at the centre.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapkit.grid import Orientation
from mapkit.hexes import Hex
from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.scan.ways_between import look_between

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

PITCH_PX = 58.0  # every sheet is measured at this pitch
SIDE_PX = 64  # of the square that holds a hex
TONES = 3
_HALF = SIDE_PX // 2
_FINE, _COARSE, _SMOOTH = 40, 24, 32  # how many words
_INSIDE = 0.9  # of the hex: its rim shows the grid's lines
_CHUNK = 400
_CELL_PX, _CELL_RADIUS = 4, 0.33
_TONE_RADIUS = 0.3  # in pitches, as all radii
_TONE_REACH = 6.0  # in units of L*a*b*: pixels so near belong to a tone
_TONE_SHARE = 0.15  # of the centre, to be a colour of the hex
_NOWHERE = 1e4  # a colour that nothing has
_BINS = 64  # per colour channel, when pixels are sorted into words


@dataclass(frozen=True, eq=False)
class HexSamples:
    """What was measured in every hex of a sheet, row by row as in *hexes*.

    *whole* and *centre* are the shares that a classifier learns from; *tones* (n × 3 × L*a*b*)
    the purest colours near the centre, and *shares* how much of it each one covers; the *outer*
    ones are those around it. *places* says where on the sheet a hex lies, from -1 to 1 each way.
    *cells* (n × cells × red, green, blue) are small patches around the centre, *unevenness* how
    far the brightness around each of them spreads. *pairs* are neighbours, by their rows, and
    *between* what lies on the way from one's centre to the other's.
    """

    hexes: tuple[Hex, ...]
    whole: Floats
    centre: Floats
    tones: Floats
    shares: Floats
    outer_tones: Floats
    outer_shares: Floats
    places: Floats
    cells: Floats
    unevenness: Floats
    pairs: Whole
    between: Floats

    def row(self, hex_: Hex) -> int:
        """Return which row a hex has."""
        return self.hexes.index(hex_)


def sample_hexes(sheet: FlatSheet, *, seed: int = 0) -> HexSamples:
    """Measure every hex of a sheet."""
    reduced, corners = _reduced(sheet)
    inside = hex_mask(sheet.grid.orientation, _INSIDE)
    clear = inside & ~_always_inked(reduced, corners, inside)
    dice = np.random.default_rng(seed)
    fine = _sorted_into_words(reduced, corners, clear, _FINE, dice)
    coarse = _sorted_into_words(reduced, corners, clear, _COARSE, dice)
    smooth, evenness = _smoothed(reduced)
    areas = _sorted_into_words(smooth, corners, clear, _SMOOTH, dice)
    away = distance_from_centre()
    whole = [
        _shares(fine, corners, clear, _FINE),
        *(_shares(coarse, corners, clear, _COARSE, only=_unbroken(coarse, n)) for n in (1, 3, 5)),
    ]
    centre = [_shares(fine, corners, clear & (away < r), _FINE) for r in (0.12, 0.25)]
    for reach in (0.15, 0.3, 0.6):
        weights = np.exp(-((away / reach) ** 2)) * clear
        centre.append(_shares(areas, corners, weights, _SMOOTH, only=evenness))
    tones, shares = _tones(reduced, corners, clear & (away < _TONE_RADIUS))
    wide, wide_shares = _tones(reduced, corners, clear & (away >= _TONE_RADIUS))
    pairs = neighbours(sheet.hexes)
    whole_hex = hex_mask(sheet.grid.orientation, 1.0)
    return HexSamples(
        sheet.hexes,
        np.log1p(300 * np.hstack(whole)),
        np.log1p(300 * np.hstack(centre)),
        tones,
        shares,
        wide,
        wide_shares,
        _places(sheet),
        *_cells(reduced, corners, clear & (away < _CELL_RADIUS)),
        pairs,
        look_between(reduced, corners, pairs, (clear, whole_hex), _colours(tones, shares)),
    )


def _colours(tones: Floats, shares: Floats) -> Floats:
    """The tones of every hex as red, green and blue, without those that cover too little."""
    there = np.broadcast_to((shares > _TONE_SHARE)[..., None], tones.shape)
    return np.where(there, from_lab(tones), _NOWHERE)


def _cells(reduced: Pixels, corners: Whole, near: Mask) -> tuple[Floats, Floats]:
    """The middle colour of every patch of some pixels, and how uneven it is around there."""
    import cv2

    lattice = np.zeros_like(near)
    lattice[_CELL_PX // 2 :: _CELL_PX, _CELL_PX // 2 :: _CELL_PX] = True
    smooth = np.asarray(cv2.medianBlur(reduced, 5), np.uint8)
    grey, square = cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY), np.ones((5, 5), np.uint8)
    spread = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, square)
    cells = _squares(smooth, corners)[:, near & lattice].astype(float)
    return cells, _squares(np.asarray(spread), corners)[:, near & lattice].astype(float)


def nearest_places(samples: HexSamples, among: Whole, count: int) -> tuple[Whole, Floats]:
    """Return for every hex which of some hexes lie nearest, and how many hexes away they are."""
    from scipy.spatial import cKDTree

    steps = np.array(samples.hexes, float)
    spots = np.column_stack((steps[:, 0] + steps[:, 1] / 2, steps[:, 1] * np.sqrt(3) / 2))
    away, near = cKDTree(spots[among]).query(spots, k=min(count, len(among)))
    shape = (len(spots), -1)
    return np.asarray(near, np.intp).reshape(shape), np.asarray(away, float).reshape(shape)


def _places(sheet: FlatSheet) -> Floats:
    centres = sheet.centres()
    low, high = centres.min(axis=0), centres.max(axis=0)
    places: Floats = 2 * (centres - low) / np.maximum(high - low, 1e-9) - 1
    return places


def neighbours(hexes: tuple[Hex, ...]) -> Whole:
    """Return all pairs of neighbours among some hexes, by their rows, each pair once."""
    rows = {hex_: row for row, hex_ in enumerate(hexes)}
    found = [
        (row, rows[other])
        for hex_, row in rows.items()
        for other in (hex_.step(direction) for direction in range(3))
        if other in rows
    ]
    return np.array(found, np.intp).reshape(-1, 2)


def hex_mask(orientation: Orientation, scale: float) -> Mask:
    """Return which pixels of the square around a hex lie in it, shrunk by *scale*."""
    y, x = (np.mgrid[:SIDE_PX, :SIDE_PX] - (SIDE_PX - 1) / 2) / PITCH_PX
    first = 0.0 if orientation == "pointy" else 30.0
    turns = np.radians([first, first + 60, first + 120])
    mask: Mask = np.all([abs(x * np.cos(t) + y * np.sin(t)) <= scale / 2 for t in turns], axis=0)
    return mask


def distance_from_centre() -> Floats:
    """Return how far, in pitches, every pixel of the square around a hex lies from its centre."""
    y, x = (np.mgrid[:SIDE_PX, :SIDE_PX] - (SIDE_PX - 1) / 2) / PITCH_PX
    away: Floats = np.hypot(x, y)
    return away


def to_lab(rgb: npt.NDArray[Any]) -> Floats:
    """Return colours (0 to 255, last axis red, green, blue) as L*a*b*."""
    import cv2

    flat = np.ascontiguousarray(rgb, np.float32).reshape(-1, 1, 3) / np.float32(255)
    lab = cv2.cvtColor(flat, cv2.COLOR_RGB2LAB)
    return np.asarray(lab, float).reshape(rgb.shape)


def from_lab(lab: Floats) -> Floats:
    """Return L*a*b* colours as red, green, blue from 0 to 255."""
    import cv2

    flat = np.ascontiguousarray(lab, np.float32).reshape(-1, 1, 3)
    rgb = cv2.cvtColor(flat, cv2.COLOR_LAB2RGB) * 255
    return np.asarray(rgb, float).reshape(lab.shape)


def reduce_to_pitch(pixels: Pixels, factor: float) -> Pixels:
    """Return a picture scaled so that a hex has the pitch at which all is measured."""
    import cv2

    height, width = pixels.shape[:2]
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, size, interpolation=way), np.uint8)


def _reduced(sheet: FlatSheet) -> tuple[Pixels, Whole]:
    """The sheet at our scale with a rim, and the top-left corner of the square of every hex."""
    import cv2

    factor = PITCH_PX / sheet.pitch_px
    reduced = reduce_to_pitch(sheet.pixels, factor)
    scale = np.array(
        [reduced.shape[1] / sheet.pixels.shape[1], reduced.shape[0] / sheet.pixels.shape[0]]
    )
    rim = SIDE_PX
    height, width = reduced.shape[:2]
    rimmed = cv2.copyMakeBorder(reduced, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    # A hex that hangs over the edge by more than the rim shows the rim.
    corners = np.rint(sheet.centres() * scale).astype(np.intp) + rim - _HALF
    corners = np.clip(corners, 0, [width + rim, height + rim])
    return np.asarray(rimmed, np.uint8), corners


def _squares(picture: npt.NDArray[Any], corners: Whole) -> npt.NDArray[Any]:
    """Cut the squares of some hexes out of a picture of one or more channels."""
    steps = np.arange(SIDE_PX)
    rows = corners[:, 1, None, None] + steps[:, None]
    columns = corners[:, 0, None, None] + steps[None, :]
    squares: npt.NDArray[Any] = picture[rows, columns]
    return squares


def _always_inked(reduced: Pixels, corners: Whole, inside: Mask) -> Mask:
    """Where in the hex print stands again and again: the number, the dot at the centre."""
    some = corners[:: max(1, len(corners) // 300)]
    lab = to_lab(_squares(reduced, some))
    ground = np.median(lab[:, inside], axis=1)
    unlike = np.linalg.norm(lab - ground[:, None, None], axis=-1) > 12
    often = unlike.mean(axis=0)
    mask: Mask = inside & (often > max(0.25, 2.2 * float(np.median(often[inside]))))
    # A map of nothing but pattern has no place that stands out: then nothing is left out.
    return mask if mask.sum() < 0.3 * inside.sum() else np.zeros_like(mask)


def _sorted_into_words(
    picture: Pixels, corners: Whole, clear: Mask, words: int, dice: np.random.Generator
) -> Pixels:
    """Return for every pixel which of the map's own colour words comes nearest."""
    from sklearn.cluster import MiniBatchKMeans

    some = corners[dice.choice(len(corners), min(len(corners), 500), replace=False)]
    seen = _squares(picture, some)[:, clear].reshape(-1, 3)
    seen = seen[dice.choice(len(seen), min(len(seen), 40_000), replace=False)]
    kinds = len(np.unique(seen, axis=0))
    means = MiniBatchKMeans(
        min(words, kinds), random_state=int(dice.integers(2**31)), n_init=3, batch_size=4096
    ).fit(to_lab(seen))
    step = 256 // _BINS
    levels = np.arange(_BINS) * step + step / 2
    cells = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1)
    table = nearest(to_lab(cells.reshape(-1, 3)), means.cluster_centers_).astype(np.uint8)
    r, g, b = (picture[..., channel] // step for channel in range(3))
    found = table[(r.astype(np.int32) * _BINS + g) * _BINS + b]
    return np.asarray(found, np.uint8)


def nearest(colours: Floats, among: Floats) -> Whole:
    """Return which of some colours comes nearest to each colour."""
    found: Whole = (-2 * colours @ among.T + (among**2).sum(axis=1)).argmin(axis=1)
    return found


def _smoothed(reduced: Pixels) -> tuple[Pixels, npt.NDArray[np.float32]]:
    """The sheet as areas without fine print, and how even it is around every pixel, 0 to 1."""
    import cv2

    smooth = cv2.GaussianBlur(cv2.medianBlur(reduced, 7), (0, 0), 1.0)
    grey = cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY)
    slope = np.hypot(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1), dtype=np.float32
    )
    evenness = np.exp(-((slope / np.float32(12)) ** 2))
    return np.asarray(smooth, np.uint8), np.asarray(evenness, np.float32)


def _unbroken(words: Pixels, size: int) -> npt.NDArray[np.float32]:
    """Where a word fills a square of *size* pixels: nowhere on a line thinner than that."""
    import cv2

    square = np.ones((size, size), np.uint8)
    same = cv2.erode(words, square) == cv2.dilate(words, square)
    return np.asarray(same, np.float32)


def _shares(
    words: Pixels,
    corners: Whole,
    weights: npt.NDArray[Any],
    count: int,
    *,
    only: npt.NDArray[np.float32] | None = None,
) -> Floats:
    """Return how much of the weight each word has in every hex; *only* weighs every pixel."""
    found = np.empty((len(corners), count))
    here = weights > 0
    weight = weights[here].astype(float)
    for start in range(0, len(corners), _CHUNK):
        part = corners[start : start + _CHUNK]
        seen = _squares(words, part)[:, here].astype(np.intp)
        each = np.broadcast_to(weight, seen.shape)
        if only is not None:
            each = each * _squares(only, part)[:, here]
        places = (seen + count * np.arange(len(part))[:, None]).ravel()
        sums = np.bincount(places, each.ravel(), minlength=count * len(part))
        found[start : start + _CHUNK] = sums.reshape(len(part), count)
    return found / max(float(weight.sum()), 1e-9)


def _tones(reduced: Pixels, corners: Whole, near: Mask) -> tuple[Floats, Floats]:
    """The purest colours near the centre of every hex, the commonest first."""
    tones = np.zeros((len(corners), TONES, 3))
    shares = np.zeros((len(corners), TONES))
    for start in range(0, len(corners), _CHUNK):
        part = slice(start, start + _CHUNK)
        lab = to_lab(_squares(reduced, corners[part])[:, near])
        tones[part], shares[part] = purest(lab)
    return tones, shares


def purest(lab: Floats) -> tuple[Floats, Floats]:
    """Return the tones of patches (n × pixels × L*a*b*) and the share that each covers.

    Each tone is the densest place among the colours that no tone before it took.
    """
    free = np.ones(lab.shape[:2], bool)
    tones, shares = [], []
    for _ in range(TONES):
        tone = _densest(lab, free)
        reached = np.linalg.norm(lab - tone[:, None], axis=-1) < _TONE_REACH
        tones.append(tone)
        shares.append((reached & free).mean(axis=1))
        free = free & ~reached
    return np.stack(tones, axis=1), np.stack(shares, axis=1)


def _densest(lab: Floats, free: Mask) -> Floats:
    """Climb to where the colours lie densest, from the fullest of some coarse cells."""
    cells = np.floor(lab / [8.0, 6.0, 6.0]).astype(np.int64) + 64
    keys = np.where(free, (cells[..., 0] * 256 + cells[..., 1]) * 256 + cells[..., 2], -1)
    start = np.empty((len(lab), 3))
    for row, (key, colours) in enumerate(zip(keys, lab, strict=True)):
        found, counts = np.unique(key[key >= 0], return_counts=True)
        start[row] = colours[key == found[counts.argmax()]].mean(axis=0) if len(found) else 0
    for _ in range(5):
        apart = ((lab - start[:, None]) ** 2).sum(axis=-1)
        weights = np.exp(-apart / 18) * free + 1e-12
        start = (weights[..., None] * lab).sum(axis=1) / weights.sum(axis=1)[:, None]
    return start
