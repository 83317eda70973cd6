"""Lines that run through many hexsides or links, joined into chains and smoothed.

A chain passes its nodes (vertices for a river, hex centres for a road) in soft curves that touch
the middle of every hexside or link: the middle is where a player looks whether it is there.
Where three meet, the straightest two run through and the third ends on their curve.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from mapkit.grid import Point

N = TypeVar("N", bound=tuple[int, ...])
_STEPS = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (0.25, 0.5, 0.75)]
_STRAIGHT_ENOUGH = -0.2  # the cosine between two arms beyond which they are two roads


@dataclass(frozen=True)
class Curve:
    """A smooth line: its path for the drawing, its points for everything near it."""

    path: str
    points: tuple[Point, ...]


def curves(
    edges: Iterable[tuple[N, N]],
    position: Callable[[N], Point],
    middle: Callable[[N, N], Point],
    *,
    pinned: Callable[[N], bool],
    meets: dict[N, Point],
) -> list[Curve]:
    """Join *edges* into smooth curves.

    A *pinned* node is passed exactly. *meets* remembers where curves pass their nodes: what is
    drawn later ends there, and what is drawn now adds to it.
    """
    arms: dict[N, list[N]] = defaultdict(list)
    for one, other in sorted(edges):
        arms[one].append(other)
        arms[other].append(one)
    through = {node: _pairs(node, near, position, middle) for node, near in arms.items()}
    ends: dict[N, Point] = {}
    for node, near in arms.items():
        pairs = through[node]
        if node in meets:
            ends[node] = meets[node]
        elif pinned(node) or not pairs or len(near) > 2 * len(pairs) + 1:
            ends[node] = position(node)
        else:
            first = next(iter(pairs))
            ends[node] = _on_curve(middle(first, node), position(node), middle(node, pairs[first]))
    for node, point in ends.items():
        meets.setdefault(node, point)
    return [_smooth(chain, position, middle, pinned, ends) for chain in _chains(arms, through)]


def _pairs(
    node: N,
    near: Sequence[N],
    position: Callable[[N], Point],
    middle: Callable[[N, N], Point],
) -> dict[N, N]:
    """Match the arms of a node that run through it, the straightest first."""
    x, y = position(node)
    directions = {}
    for other in near:
        mx, my = middle(node, other)
        length = math.hypot(mx - x, my - y) or 1.0
        directions[other] = ((mx - x) / length, (my - y) / length)
    scored = sorted(
        (round(directions[a][0] * directions[b][0] + directions[a][1] * directions[b][1], 6), a, b)
        for i, a in enumerate(near)
        for b in near[i + 1 :]
    )
    pairs: dict[N, N] = {}
    for cosine, a, b in scored:
        if a in pairs or b in pairs or (cosine > _STRAIGHT_ENOUGH and len(near) > 2):
            continue
        pairs[a], pairs[b] = b, a
    return pairs


def _chains(arms: Mapping[N, Sequence[N]], through: Mapping[N, Mapping[N, N]]) -> list[list[N]]:
    left = {(a, b) for a, near in arms.items() for b in near}
    starts = [(a, b) for a, b in sorted(left) if b not in through[a]]
    chains = []
    for one, other in [*starts, *sorted(left)]:
        if (one, other) not in left:
            continue
        chain = [one, other]
        left -= {(one, other), (other, one)}
        while (onward := through[chain[-1]].get(chain[-2])) is not None:
            if (chain[-1], onward) not in left:
                break
            left -= {(chain[-1], onward), (onward, chain[-1])}
            chain.append(onward)
        chains.append(chain)
    return chains


def _smooth(
    chain: Sequence[N],
    position: Callable[[N], Point],
    middle: Callable[[N, N], Point],
    pinned: Callable[[N], bool],
    ends: Mapping[N, Point],
) -> Curve:
    middles = [middle(a, b) for a, b in itertools.pairwise(chain)]
    closed = chain[0] == chain[-1] and len(chain) > 3
    start = middles[0] if closed else ends[chain[0]]
    path = [f"M{start[0]:.1f} {start[1]:.1f}"]
    points = [start]
    if not closed:
        path.append(f"L{middles[0][0]:.1f} {middles[0][1]:.1f}")
        points.append(middles[0])
    inner = list(zip(chain[1:-1], middles, middles[1:], strict=False))
    if closed:
        inner.append((chain[-1], middles[-1], middles[0]))
    for node, before, after in inner:
        x, y = position(node)
        if pinned(node):
            path.append(f"L{x:.1f} {y:.1f}L{after[0]:.1f} {after[1]:.1f}")
            points += [(x, y), after]
        else:
            path.append(f"Q{x:.1f} {y:.1f} {after[0]:.1f} {after[1]:.1f}")
            points += [
                (a * before[0] + b * x + c * after[0], a * before[1] + b * y + c * after[1])
                for a, b, c in _STEPS
            ]
            points.append(after)
    if not closed:
        end = ends[chain[-1]]
        path.append(f"L{end[0]:.1f} {end[1]:.1f}")
        points.append(end)
    return Curve("".join(path), tuple(points))


def _on_curve(before: Point, node: Point, after: Point) -> Point:
    return (
        0.25 * before[0] + 0.5 * node[0] + 0.25 * after[0],
        0.25 * before[1] + 0.5 * node[1] + 0.25 * after[1],
    )


def walk(points: Sequence[Point], spacing: float) -> list[tuple[float, float, float, float]]:
    """Return points every *spacing* along a line, each with the direction it runs in there.

    >>> walk([(0, 0), (10, 0)], 5)
    [(2.5, 0.0, 1.0, 0.0), (7.5, 0.0, 1.0, 0.0)]
    """
    corners = np.asarray(points, dtype=float)
    steps = np.diff(corners, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    real = lengths > 0
    corners, steps, lengths = corners[:-1][real], steps[real], lengths[real]
    if not len(lengths):
        return []
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    along = np.arange(spacing / 2, starts[-1], spacing)
    index = np.minimum(np.searchsorted(starts, along, side="right") - 1, len(lengths) - 1)
    directions = steps[index] / lengths[index, None]
    places = corners[index] + directions * (along - starts[index])[:, None]
    rows = np.column_stack((places, directions)).tolist()
    return [(x, y, dx, dy) for x, y, dx, dy in rows]
