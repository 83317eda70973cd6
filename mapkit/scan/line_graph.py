"""Lines go on: what a hexside or link is worth in the light of those it meets.

Every line ends somewhere, but seldom; so at each place where lines meet, one alone that comes
from nowhere and goes nowhere is unlikely. Chances are weighed against that by belief
propagation over the whole map.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

_SWEEPS = 12
_LEAST = 1e-3  # nothing is so sure from one patch that its neighbours have no say

Chances = npt.NDArray[np.float64]


def connected(
    chances: Chances,
    joints: Sequence[tuple[Hashable, Hashable]],
    *,
    dead_end: float | Mapping[Hashable, float],
    free: frozenset[Hashable] = frozenset(),
) -> Chances:
    """Return the chances of lines, each joining two places, once all are heard.

    *dead_end* is how many times less likely a place with one line is than the same without
    that demand; *free* places (the edge of the map) make none.
    """
    n = len(chances)
    meets: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for line, ends in enumerate(joints):
        for end, place in enumerate(ends):
            if place not in free:
                meets[place].append((line, end))
    prior = np.clip(chances, _LEAST, 1 - _LEAST)
    odds = np.log(prior / (1 - prior))
    heard = np.zeros((n, 2))  # what either end says about a line
    groups = _by_size(meets, dead_end)
    for _ in range(_SWEEPS):
        total = odds + heard.sum(axis=1)
        fresh = np.zeros_like(heard)
        for at, ends_at, penalty in groups:
            fresh[at, ends_at] = _says(total[at] - heard[at, ends_at], penalty)
        heard = 0.5 * heard + 0.5 * fresh
    found: Chances = 1 / (1 + np.exp(-(odds + heard.sum(axis=1))))
    return found


def scraps(
    held: npt.NDArray[np.bool_],
    joints: Sequence[tuple[Hashable, Hashable]],
    *,
    most: int,
    free: frozenset[Hashable] = frozenset(),
) -> npt.NDArray[np.bool_]:
    """Tell which held lines hang together with fewer than *most* others and reach no free place."""
    near: dict[Hashable, list[int]] = defaultdict(list)
    for line in np.flatnonzero(held).tolist():
        for place in joints[line]:
            near[place].append(line)
    found = np.zeros(len(held), np.bool_)
    left = set(np.flatnonzero(held).tolist())
    while left:
        piece, open_ = set(), [left.pop()]
        while open_:
            line = open_.pop()
            piece.add(line)
            beside = {other for place in joints[line] for other in near[place]} & left
            left -= beside
            open_ += beside
        places = {place for line in piece for place in joints[line]}
        found[list(piece)] = len(piece) <= most and not places & free
    return found


_Group = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.float64]]


def _by_size(
    meets: Mapping[Hashable, list[tuple[int, int]]], dead_end: float | Mapping[Hashable, float]
) -> list[_Group]:
    """Return the places in groups of as many lines each, so that a group is worked at once."""
    sizes: dict[int, list[Hashable]] = defaultdict(list)
    for place, met in meets.items():
        sizes[len(met)].append(place)
    groups = []
    for _, places in sorted(sizes.items()):
        lines = np.array([[line for line, _ in meets[place]] for place in places])
        ends = np.array([[end for _, end in meets[place]] for place in places])
        if isinstance(dead_end, Mapping):
            penalty = np.array([dead_end[place] for place in places])
        else:
            penalty = np.full(len(places), dead_end)
        groups.append((lines, ends, np.log(penalty)))
    return groups


def _says(odds: npt.NDArray[np.float64], penalty: npt.NDArray[np.float64]) -> Chances:
    """Return what some places, each with its lines in a row, say about every line of theirs."""
    count = odds.shape[1]
    yes = -np.logaddexp(0, -odds)
    no = -np.logaddexp(0, odds)
    said = np.empty_like(odds)
    for index in range(count):
        others = [i for i in range(count) if i != index]
        none = no[:, others].sum(axis=1)
        # One of the others alone: then a line here mends its dead end.
        single = [none - no[:, i] + yes[:, i] for i in others]
        one = (
            np.logaddexp.reduce(np.stack(single), axis=0) if single else np.full(len(odds), -np.inf)
        )
        rest = np.log(np.clip(-np.expm1(np.logaddexp(none, one)), 1e-12, 1))
        with_line = np.logaddexp.reduce(np.stack((none - penalty, one, rest)), axis=0)
        without = np.logaddexp.reduce(np.stack((none, one - penalty, rest)), axis=0)
        said[:, index] = with_line - without
    return said
