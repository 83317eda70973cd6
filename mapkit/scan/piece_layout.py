"""Where the pieces of a sheet lie on it: all overlaps weighed against each other at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from mapkit.scan.homographies import project
from mapkit.scan.piece_pairs import NEAR_PX, Pair, find_pair_near, likeness
from mapkit.scan.pieces import Glance, Numbers, PiecesError

_ROUNDS = 6
_STIFF_MARKS = 20.0  # so many marks a piece's own shape is worth: scanners hardly distort
_SAME = 0.93  # a piece that lies so much on another one is the same scanned twice
_OVERLAP = 0.02  # of a piece: less tells nothing
_UNLIKE = 0.4  # pictures so unlike each other do not show the same part of a sheet
_SHIFTED = 0.08  # two pieces that agree better by so much elsewhere do not lie right
_DRIFT = 0.02  # of a piece: overlaps one after the other may be off by so much, false ones are more
_HOLE = 0.01  # of a piece
_COARSE_PX = 800  # holes are looked for on a sketch of this size


@dataclass(frozen=True, eq=False)
class Layout:
    """Where pieces lie: each matrix takes pixels of a piece to pixels of the sheet, of *size*."""

    matrices: tuple[Numbers, ...]
    size: tuple[int, int]

    def to_sheet(self, piece: int, points: Numbers) -> Numbers:
        """Return where points of a piece lie on the sheet."""
        return project(self.matrices[piece], points)

    def from_sheet(self, piece: int, points: Numbers) -> Numbers:
        """Return where points of the sheet lie on a piece, or beside it."""
        return project(np.asarray(np.linalg.inv(self.matrices[piece])), points)


def lay_out(glances: Sequence[Glance], pairs: Sequence[Pair]) -> Layout:
    """Return where all pieces lie.

    Raises:
        PiecesError: a piece overlaps with no other, is there twice, or contradicts the others.
    """
    _require_connected(glances, pairs)
    matrices = _adjusted(glances, _consistent(glances, pairs), stiff=True)
    _require_single(glances, matrices)
    for _ in range(2):
        matrices = _adjusted(glances, _all_overlaps(glances, matrices), stiff=False)
    _require_alike(glances, matrices)
    layout = _upright(glances, matrices)
    _require_whole(glances, layout)
    return layout


def overlap(glances: Sequence[Glance], matrices: Sequence[Numbers], one: int, other: int) -> float:
    """Return how much of the smaller of two pieces lies on both."""
    import cv2

    shapes = [
        project(matrices[piece], glances[piece].corners).astype(np.float32)
        for piece in (one, other)
    ]
    shared, _ = cv2.intersectConvexConvex(shapes[0], shapes[1])
    return float(shared) / min(float(cv2.contourArea(shape)) for shape in shapes)


def _require_connected(glances: Sequence[Glance], pairs: Sequence[Pair]) -> None:
    groups = _connected(len(glances), pairs)
    largest = max(groups, key=len)
    alone = [piece for piece in range(len(glances)) if piece not in largest]
    if len(largest) == 1:
        raise PiecesError(
            f"{_names(glances, range(len(glances)))}: no piece shows a part of another; "
            "scan them anew so that neighbours overlap by 15 % or more"
        )
    if alone:
        raise PiecesError(
            f"{_names(glances, alone)}: no overlap with the other pieces is sure enough; "
            "leave this out, or scan it anew so that 15 % or more of a neighbour shows"
        )


def _connected(count: int, pairs: Sequence[Pair]) -> list[set[int]]:
    groups = [{piece} for piece in range(count)]
    for pair in pairs:
        touched = [group for group in groups if pair.first in group or pair.second in group]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    return groups


def _names(glances: Sequence[Glance], pieces: Sequence[int] | range) -> str:
    return ", ".join(glances[piece].name for piece in pieces)


def _consistent(glances: Sequence[Glance], pairs: Sequence[Pair]) -> list[Pair]:
    """Return the overlaps that agree with each other, the most trusted first."""
    place: dict[int, tuple[int, Numbers]] = {n: (n, np.eye(3)) for n in range(len(glances))}
    kept = []
    for pair in sorted(pairs, key=lambda pair: -pair.trust):
        (group, first), (other, second) = place[pair.first], place[pair.second]
        if group != other:
            moved = first @ pair.matrix @ np.linalg.inv(second)
            for piece, (its, matrix) in place.items():
                if its == other:
                    place[piece] = (group, np.asarray(moved @ matrix))
        elif _off_px([first, second], replace(pair, first=0, second=1)) > _DRIFT * max(
            glances[0].size
        ):
            continue
        kept.append(pair)
    return kept


def _off_px(matrices: Sequence[Numbers], pair: Pair) -> float:
    apart = project(matrices[pair.first], pair.of_first) - project(
        matrices[pair.second], pair.of_second
    )
    return float(np.median(np.linalg.norm(apart, axis=1)))


def _adjusted(glances: Sequence[Glance], pairs: Sequence[Pair], *, stiff: bool) -> list[Numbers]:
    """Return the places at which all marks agree best, the best connected piece staying put.

    Stiff pieces are only moved, turned and scaled; others may give way a little, as scanners
    stretch paper in one direction. Marks that stay far off lose their say.
    """
    marks = [0] * len(glances)
    for pair in pairs:
        marks[pair.first] += len(pair.of_first)
        marks[pair.second] += len(pair.of_second)
    fixed = int(np.argmax(marks))
    unit = float(max(glances[fixed].size)) / 2
    rows = _equations(glances, pairs, unit)
    held = _stiffness(len(glances), stiff=stiff)
    near = NEAR_PX / 2 / glances[fixed].scale
    weight = np.ones(len(rows))
    found = np.zeros(0)
    for _ in range(_ROUNDS):
        found = _solved(rows.T @ (rows * weight[:, None]) + held, fixed)
        off = np.hypot(*(rows @ found).reshape(-1, 2).T) * unit
        weight = np.repeat(1 / (1 + (off / near) ** 2) ** 2, 2)
    matrices = []
    for piece, (a, b, x, c, d, y) in enumerate(found.reshape(-1, 6)):
        local = _local(glances[piece], unit)
        matrix = np.array([[a, b, x], [c, d, y], [0, 0, 1]])
        matrices.append(np.asarray(np.linalg.inv(_local(glances[fixed], unit)) @ matrix @ local))
    return matrices


def _local(glance: Glance, unit: float) -> Numbers:
    """The matrix to coordinates that are about 1 at the edges of a piece, 0 in its middle."""
    width, height = glance.size
    return np.array(
        [[1 / unit, 0, -width / 2 / unit], [0, 1 / unit, -height / 2 / unit], [0, 0, 1]]
    )


def _equations(glances: Sequence[Glance], pairs: Sequence[Pair], unit: float) -> Numbers:
    """Two rows for each pair of marks, six columns for each piece: the marks are not apart."""
    blocks = []
    for pair in pairs:
        block = np.zeros((len(pair.of_first), 2, len(glances), 6))
        for piece, points, sign in (
            (pair.first, pair.of_first, 1.0),
            (pair.second, pair.of_second, -1.0),
        ):
            at = project(_local(glances[piece], unit), points)
            whole = np.column_stack([at, np.ones(len(at))]) * sign
            block[:, 0, piece, :3] = whole
            block[:, 1, piece, 3:] = whole
        blocks.append(block.reshape(-1, 6 * len(glances)))
    return np.vstack(blocks)


def _stiffness(count: int, *, stiff: bool) -> Numbers:
    """What holds every piece to its shape, a = d and b = −c, as a part of the normal equations."""
    force = math.sqrt(_STIFF_MARKS) * (1e3 if stiff else 1.0)
    rows = np.zeros((count, 2, count, 6))
    for piece in range(count):
        rows[piece, 0, piece, 0], rows[piece, 0, piece, 4] = force, -force
        rows[piece, 1, piece, 1], rows[piece, 1, piece, 3] = force, force
    flat = rows.reshape(2 * count, 6 * count)
    return np.asarray(flat.T @ flat)


def _solved(normal: Numbers, fixed: int) -> Numbers:
    """Solve the normal equations for all pieces but the fixed one, which is not moved."""
    found = np.zeros(len(normal))
    held = np.zeros(len(normal), bool)
    held[6 * fixed : 6 * fixed + 6] = True
    found[held] = (1, 0, 0, 0, 1, 0)
    found[~held] = np.linalg.solve(normal[~held][:, ~held], -normal[~held][:, held] @ found[held])
    return found


def _require_single(glances: Sequence[Glance], matrices: Sequence[Numbers]) -> None:
    for one, other in combinations(range(len(glances)), 2):
        if overlap(glances, matrices, one, other) > _SAME:
            raise PiecesError(
                f"{_names(glances, (one, other))}: these two pieces show the same part of the "
                "sheet; leave one of them out"
            )


def _all_overlaps(glances: Sequence[Glance], matrices: Sequence[Numbers]) -> list[Pair]:
    """Return the marks of all pieces that lie on each other, as they were laid out."""
    pairs = []
    for first, second in combinations(range(len(glances)), 2):
        if overlap(glances, matrices, first, second) < _OVERLAP:
            continue
        matrix = np.asarray(np.linalg.inv(matrices[first]) @ matrices[second])
        here, there = find_pair_near(glances, first, second, matrix)
        if len(here):
            pairs.append(Pair(first, second, here, there, matrix))
    return pairs


def _require_alike(glances: Sequence[Glance], matrices: Sequence[Numbers]) -> None:
    """Let no two pieces lie on each other that do not show the same there."""
    for first, second in combinations(range(len(glances)), 2):
        if overlap(glances, matrices, first, second) < _OVERLAP:
            continue
        matrix = np.asarray(np.linalg.inv(matrices[first]) @ matrices[second])
        alike = likeness(glances[first], glances[second], matrix, shifted=True)
        if alike is not None and (alike.here < _UNLIKE or alike.shifted > alike.here + _SHIFTED):
            raise PiecesError(
                f"{_names(glances, (first, second))}: these two pieces should show the same where "
                "they overlap, and do not; are they of one sheet, and flat on the glass?"
            )


def _upright(glances: Sequence[Glance], matrices: Sequence[Numbers]) -> Layout:
    """Turn the sheet as most of its pieces lie, at their scale, and put its corner at 0,0."""
    turns = [math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])) for matrix in matrices]
    quarters = [round((turn - turns[0]) / 90) % 4 for turn in turns]
    most = max(range(4), key=lambda quarter: (quarters.count(quarter), -quarter))
    upright = [
        np.exp(1j * math.radians(t)) for t, q in zip(turns, quarters, strict=True) if q == most
    ]
    angle = float(np.angle(sum(upright)))
    scales = [math.sqrt(abs(float(np.linalg.det(matrix[:2, :2])))) for matrix in matrices]
    scale = float(np.exp(-np.mean(np.log(scales))))
    cos, sin = scale * math.cos(-angle), scale * math.sin(-angle)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    turned = [turn @ matrix for matrix in matrices]
    corners = np.vstack([project(m, g.corners) for m, g in zip(turned, glances, strict=True)])
    # Rounded first: the last bit of a fit must not decide over a whole pixel.
    left, top = np.floor(corners.min(axis=0).round(3)).tolist()
    right, bottom = np.ceil(corners.max(axis=0).round(3)).tolist()
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]])
    return Layout(tuple(shift @ m for m in turned), (int(right - left), int(bottom - top)))


def _require_whole(glances: Sequence[Glance], layout: Layout) -> None:
    """Let no part in the middle of the sheet be on no piece."""
    import cv2

    scale = _COARSE_PX / max(layout.size)
    bare = np.ones([math.ceil(length * scale) for length in layout.size[::-1]], np.uint8)
    for piece, glance in enumerate(glances):
        shape = layout.to_sheet(piece, glance.corners) * scale
        cv2.fillConvexPoly(bare, np.round(shape).astype(np.int32), 0)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(bare, connectivity=4)
    least = _HOLE * min(w * h for w, h in (glance.size for glance in glances)) * scale**2
    for left, top, across, down, area in boxes[1:count].tolist():
        inside = left > 0 and top > 0 and left + across < bare.shape[1]
        if inside and top + down < bare.shape[0] and area > least:
            x, y = (
                round((at + length / 2) / scale) for at, length in ((left, across), (top, down))
            )
            raise PiecesError(
                f"the pieces leave a hole in the sheet, about {x},{y} of "
                f"{layout.size[0]} × {layout.size[1]} px: scan that part too"
            )
