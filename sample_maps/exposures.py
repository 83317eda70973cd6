"""The pixels of a scan: paper, light, blur, noise and what lies around the sheet."""

import math

import numpy as np

from sample_maps.folds import Folds
from sample_maps.scan_kinds import Making
from sample_maps.transforms import Floats, Lattice, Numbers, Pixels, Size, Transform, inverse

_TILE = 512
_GAIN_STEP = 16
_LID = (233.0, 234.0, 231.0)


def expose(
    sheet: Pixels,
    transform: Transform,
    making: Making,
    folds: Folds,
    dice: np.random.Generator,
) -> Pixels:
    """Make the scan tile by tile, so that a big sheet needs no big numbers beside it."""
    import cv2

    width, height = transform.scan_px
    light = _light(transform.scan_px, making, dice)
    white = _white(making, dice)
    table = _Table(transform.scan_px, dice) if making.on_table else None
    profiles = folds.profiles(transform.sheet_px, making.crease)
    grains = 2 * 3 * min(_TILE, width) * min(_TILE, height)
    grain = (dice.standard_normal(grains) * making.noise).astype(np.float32)
    picture = np.empty((height, width, 3), np.uint8)
    pad = math.ceil(3 * making.blur_px) + 1
    for top in range(0, height, _TILE):
        for left in range(0, width, _TILE):
            bottom, right = min(top + _TILE, height), min(left + _TILE, width)
            u: Numbers = np.arange(left - pad, right + pad, dtype=np.float64) + 0.5
            v: Numbers = np.arange(top - pad, bottom + pad, dtype=np.float64) + 0.5
            seen = _seen(sheet, transform, u, v, profiles, table)
            blurred = cv2.GaussianBlur(seen, (0, 0), making.blur_px)
            tile = _flat(np.asarray(blurred, np.float32)[pad:-pad, pad:-pad])
            tile *= _thrice(light.over(u[pad:-pad], v[pad:-pad])[0])
            tile *= np.tile(white, right - left)
            start = int(dice.integers(0, grain.size - tile.size + 1))
            tile += grain[start : start + tile.size].reshape(tile.shape)
            np.clip(tile, 0.0, 255.0, out=tile)
            np.rint(tile, out=tile)
            picture[top:bottom, left:right] = tile.reshape(bottom - top, right - left, 3)
    return picture


def _seen(
    sheet: Pixels,
    transform: Transform,
    u: Numbers,
    v: Numbers,
    profiles: tuple[Floats, Floats],
    table: "_Table | None",
) -> Floats:
    """What lies under the lens at a tile of the scan: paper with its folds, and what is below."""
    import cv2

    x, y = _sheet_places(transform, u, v)
    width, height = transform.sheet_px
    seen = cv2.remap(
        sheet, x - 0.5, y - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    across, down = profiles
    i = np.clip(x, 0, width - 1).astype(np.intp)
    j = np.clip(y, 0, height - 1).astype(np.intp)
    flat = _flat(seen)
    flat *= _thrice(across[0][i] * down[0][j])
    flat += _thrice(across[1][i] + down[1][j])
    inside = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    if inside.min() < 1.0:
        _lay_on(seen, inside, u, v, table)
    return np.asarray(seen, dtype=np.float32)


def _flat(pixels: Floats) -> Floats:
    """Return rows of single numbers, three to a pixel: numpy is slow over short last axes."""
    return np.ascontiguousarray(pixels).reshape(pixels.shape[0], -1)


def _thrice(values: Floats) -> Floats:
    """Return one value for each colour of a pixel, laid out as `_flat` does."""
    return np.repeat(values, 3, axis=1)


def _lay_on(seen: Floats, inside: Floats, u: Numbers, v: Numbers, table: "_Table | None") -> None:
    """Put what surrounds the sheet around it, with the shadow of its edge."""
    cover = np.clip(inside + 0.5, 0.0, 1.0)[:, :, None]
    outside = np.maximum(-inside, 0.0)[:, :, None]
    if table is None:
        around = np.array(_LID, np.float32) * (1.0 - 0.22 * np.exp(-outside / 5.0))
    else:
        around = table.tile(u, v) * (1.0 - 0.45 * np.exp(-outside / 14.0))
    seen *= cover
    seen += around * (1.0 - cover)


def _sheet_places(transform: Transform, u: Numbers, v: Numbers) -> tuple[Floats, Floats]:
    """Return the sheet's x and y for every pixel of a tile: `from_scan`, made quick."""
    back = inverse(transform.homography)
    across = np.broadcast_to(u, (len(v), len(u)))
    down = np.broadcast_to(v[:, None], (len(v), len(u)))
    if transform.bend is not None:
        dx, dy = transform.bend.over(u, v)
        across, down = across + dx, down + dy
    # Double numbers here: single ones would be off by a thousandth of a pixel and more.
    w = back[2, 0] * across + back[2, 1] * down + back[2, 2]
    x = (back[0, 0] * across + back[0, 1] * down + back[0, 2]) / w
    y = (back[1, 0] * across + back[1, 1] * down + back[1, 2]) / w
    return x.astype(np.float32), y.astype(np.float32)


def _light(size: Size, making: Making, dice: np.random.Generator) -> Lattice:
    """How bright the light falls: from one side, with a soft shadow, darker in the corners."""
    x, y = Lattice.nodes(size, _GAIN_STEP)
    u, v = x / size[0] - 0.5, y / size[1] - 0.5
    angle = math.tau * dice.random()
    light = 1.0 - making.shading * (0.5 + u * math.cos(angle) + v * math.sin(angle))
    shadow_x, shadow_y = (dice.random(2) - 0.5).tolist()
    spread = 0.15 + 0.25 * dice.random()
    shadow = np.exp(-((u - shadow_x) ** 2 + (v - shadow_y) ** 2) / (2 * spread**2))
    light -= 0.35 * making.shading * shadow
    far = (u**2 * size[0] ** 2 + v**2 * size[1] ** 2) * 4 / (size[0] ** 2 + size[1] ** 2)
    light *= 1.0 - making.vignette * far
    return Lattice(_GAIN_STEP, light[:, :, None])


def _white(making: Making, dice: np.random.Generator) -> Floats:
    """How white paper comes out: warm or cold, and a little off towards green or purple."""
    warm, green = ((dice.random(2) * 2 - 1) * making.cast).tolist()
    return np.array((1 + warm, 1 + green / 4, 1 - warm), np.float32)


class _Table:
    """A wooden table: boards with a long grain."""

    def __init__(self, size: Size, dice: np.random.Generator) -> None:
        import cv2

        width, height = size
        fine = dice.integers(0, 256, (max(height // 3, 2), max(width // 90, 2)), np.uint8)
        soft = dice.integers(0, 256, (max(height // 40, 2), max(width // 500, 2)), np.uint8)
        big = [cv2.resize(part, size, interpolation=cv2.INTER_LINEAR) for part in (fine, soft)]
        self._grain = cv2.addWeighted(big[0], 0.45, big[1], 0.55, 0.0)
        board_px = max(height / 5, 1.0)
        self._board_px, self._tones = board_px, dice.random(7)

    def tile(self, u: Numbers, v: Numbers) -> Floats:
        """Return the colours of a tile."""
        height, width = self._grain.shape
        i = np.clip(v, 0, height - 1).astype(np.intp)
        j = np.clip(u, 0, width - 1).astype(np.intp)
        board = v / self._board_px
        tone = self._tones[np.floor(board).astype(np.intp) % 7] * 0.18 + 0.82
        gap = np.abs(board - np.round(board)) * self._board_px
        tone = tone * (1.0 - 0.6 * np.exp(-gap / 1.5))
        grain = self._grain[i[:, None], j].astype(np.float32) / 255.0
        bright = (0.72 + 0.5 * grain) * tone[:, None]
        colours: Floats = (bright[:, :, None] * (134.0, 96.0, 63.0)).astype(np.float32)
        return colours
