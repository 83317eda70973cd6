"""Join the pieces of a sheet into one picture.

Pieces may come in any order, turned a little or by quarters. Seams run where both pieces are
farthest from their edges, where paper lies flattest; they are only a few pixels soft, so that
nothing is shown twice.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.load import KEPT_PX
from mapkit.scan.piece_layout import Layout, lay_out
from mapkit.scan.piece_light import Light, even_light
from mapkit.scan.piece_pairs import find_pair, for_pixels
from mapkit.scan.pieces import (
    LEAST_PIECES,
    MOST_PIECES,
    Glance,
    Numbers,
    Piece,
    PiecesError,
    glance_at,
    glance_scale,
)
from mapkit.scan.sheet import Pixels
from mapkit.texts import say

Floats = npt.NDArray[np.float32]

_TILE_PX = 512
_SEAM_PX = 12.0
_NODE_PX = 64  # light changes slowly
_SMEARED = 0.1  # of a piece: so far beside it its edge goes on, to fill slanting gaps
_BARE = 255  # what no piece shows looks like nothing


@dataclass(frozen=True, eq=False)
class JoinedSheet:
    """One picture of a sheet, and where its pieces lie on it."""

    pixels: Pixels
    layout: Layout
    names: tuple[str, ...]
    dpi: float | None = None


def join_pieces(pieces: Sequence[Piece], *, on_progress: OnProgress = ignore) -> JoinedSheet:
    """Return the sheet that pieces make.

    Raises:
        PiecesError: they do not make one; the message names the files.
    """
    if not LEAST_PIECES <= len(pieces) <= MOST_PIECES:
        raise PiecesError(
            f"{len(pieces)} pieces: from {LEAST_PIECES} to {MOST_PIECES} are joined into a sheet"
        )
    scale = glance_scale([piece.size for piece in pieces])
    glances: list[Glance] = []
    for number, piece in enumerate(pieces):
        on_progress(0.35 * number / len(pieces), say("mapkit.scan.stage.marks", piece=piece.name))
        glances.append(glance_at(piece, scale=scale))
    layout = find_layout(glances, on_progress=part_of(on_progress, 0.35, 0.7))
    lights = even_light(glances, layout)
    shrunk = _within(layout, KEPT_PX)
    pixels = compose(pieces, shrunk, lights, on_progress=part_of(on_progress, 0.7, 1.0))
    names = tuple(piece.name for piece in pieces)
    return JoinedSheet(pixels, shrunk, names, _dpi(pieces, shrunk))


def find_layout(glances: Sequence[Glance], *, on_progress: OnProgress = ignore) -> Layout:
    """Return where pieces lie, by all the overlaps that are sure.

    Raises:
        PiecesError: some do not fit.
    """
    couples = list(combinations(range(len(glances)), 2))
    pairs = []
    for number, (first, second) in enumerate(couples):
        on_progress(number / len(couples), say("mapkit.scan.stage.pairs"))
        pair = find_pair(glances, first, second)
        if pair is not None:
            pairs.append(pair)
    return lay_out(glances, pairs)


def compose(
    pieces: Sequence[Piece],
    layout: Layout,
    lights: Sequence[Light],
    *,
    on_progress: OnProgress = ignore,
) -> Pixels:
    """Return the picture of a sheet, tile by tile, so that it needs little more than itself."""
    width, height = layout.size
    sheet = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _TILE_PX):
        on_progress(top / height, say("mapkit.scan.stage.join"))
        for left in range(0, width, _TILE_PX):
            box = (left, top, min(_TILE_PX, width - left), min(_TILE_PX, height - top))
            tile = _tile(pieces, layout, lights, box)
            sheet[top : top + box[3], left : left + box[2]] = tile
    return sheet


_Box = tuple[int, int, int, int]  # left, top, width, height


def _tile(
    pieces: Sequence[Piece], layout: Layout, lights: Sequence[Light], box: _Box
) -> npt.NDArray[np.generic]:
    depths = [_depth(piece, layout.matrices[n], box) for n, piece in enumerate(pieces)]
    deepest = np.max(depths, axis=0)
    if deepest.max() < -_SMEARED * min(min(piece.size) for piece in pieces):
        return np.full((box[3], box[2], 3), _BARE, np.uint8)
    shares = [np.clip(1 - (deepest - depth) / _SEAM_PX, 0.0, 1.0) for depth in depths]
    total = np.sum(shares, axis=0)
    used = [n for n, share in enumerate(shares) if share.any()]
    if len(used) == 1:
        return np.rint(_shown(pieces[used[0]], layout.matrices[used[0]], lights[used[0]], box))
    tile = np.zeros((box[3], box[2], 3), np.float32)
    for n in used:
        tile += (
            _shown(pieces[n], layout.matrices[n], lights[n], box) * (shares[n] / total)[..., None]
        )
    return np.rint(tile)


def _depth(piece: Piece, matrix: Numbers, box: _Box) -> Floats:
    """Return how far inside a piece the pixels of a tile lie; less than nothing is outside."""
    left, top, across, down = box
    back = np.linalg.inv(matrix)
    x, y = np.arange(left, left + across) + 0.5, np.arange(top, top + down) + 0.5
    u = (back[0, 0] * x)[None, :] + (back[0, 1] * y + back[0, 2])[:, None]
    v = (back[1, 0] * x)[None, :] + (back[1, 1] * y + back[1, 2])[:, None]
    width, height = piece.size
    inside = np.minimum(np.minimum(u, width - u), np.minimum(v, height - v))
    return np.asarray(inside, np.float32)


def _shown(piece: Piece, matrix: Numbers, light: Light, box: _Box) -> Floats:
    """Return what a piece shows on a tile; beyond the piece, its edge."""
    import cv2

    left, top, across, down = box
    placed = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ matrix
    seen = cv2.warpAffine(
        piece.pixels,
        for_pixels(placed),
        (across, down),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lit = seen.astype(np.float32)
    lit *= _gains(piece, placed, light, across, down)
    return np.asarray(np.minimum(lit, 255.0), np.float32)


def _gains(piece: Piece, placed: Numbers, light: Light, across: int, down: int) -> Floats:
    """Return the gains over a tile, from nodes in the middle of squares."""
    import cv2

    columns, rows = (math.ceil(length / _NODE_PX) for length in (across, down))
    x, y = np.meshgrid((np.arange(columns) + 0.5) * _NODE_PX, (np.arange(rows) + 0.5) * _NODE_PX)
    back = np.linalg.inv(placed)
    at = np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)]) @ back.T
    # Beyond its piece a polynomial runs away: the gain of the edge is kept.
    inside = np.clip(at[:, :2], 0.0, np.array(piece.size, float))
    nodes = light.gains(inside).reshape(rows, columns, 3).astype(np.float32)
    size = (columns * _NODE_PX, rows * _NODE_PX)
    return np.asarray(cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)[:down, :across])


def _within(layout: Layout, most_px: int) -> Layout:
    """Return a layout made smaller, where the sheet has too many pixels."""
    width, height = layout.size
    scale = math.sqrt(most_px / (width * height))
    if scale >= 1:
        return layout
    shrink = np.diag([scale, scale, 1.0])
    size = (math.floor(width * scale), math.floor(height * scale))
    return replace(layout, matrices=tuple(shrink @ one for one in layout.matrices), size=size)


def _dpi(pieces: Sequence[Piece], layout: Layout) -> float | None:
    """How fine the sheet is, where the files of all pieces say so: the middle one's word."""
    said = [
        piece.dpi * math.sqrt(abs(float(np.linalg.det(matrix[:2, :2]))))
        for piece, matrix in zip(pieces, layout.matrices, strict=True)
        if piece.dpi
    ]
    return float(np.median(said)) if len(said) == len(pieces) else None
