"""Which of the icons found on a map are there, and how sure that is.

What an icon must weigh is asked of the sheet itself: most hexes show no such icon, the others
weigh much more, and between the two there is a gap.
"""

import math
from collections.abc import Mapping

import numpy as np

from mapkit.hexes import Hex
from mapkit.scan.icon_cuts import Icon
from mapkit.scan.icon_search import LEAST, Find, IconSearch
from mapkit.scan.sheet import FlatSheet

_ROUNDS = 3
_FEWEST = 0.7  # the mean weight of an icon that may be there at all
_USUAL = 1.0  # and of those of its kind together
_GAP = (0.75, 1.3)  # so far around the middle between nothing and the icons a gap is looked for
_HELD = 0.9  # what weighs a little less still stands in the way of others
_STEEP = 4.0
_SURE = 0.995


def judge_icons(sheet: FlatSheet, icons: Mapping[str, Icon]) -> dict[str, dict[Hex, float]]:
    """Return for every kind of icon the hexes that show it, each with how sure that is."""
    search = IconSearch(sheet, icons)
    least = dict.fromkeys(icons, LEAST)
    for last in range(_ROUNDS, -1, -1):
        by_hex = _by_hex(sheet, search.untangled(least))
        cuts = {kind: _cut(list(by_hex.get(kind, {}).values()), len(sheet.hexes)) for kind in icons}
        if last:
            # Icons that are none must not hide those below them.
            least = {kind: max(LEAST, _HELD * cut[0]) for kind, cut in cuts.items()}
    return {
        kind: {
            hex_: _sure(weight, *cuts[kind])
            for hex_, weight in found.items()
            if weight >= cuts[kind][0]
        }
        for kind, found in by_hex.items()
    }


def _by_hex(sheet: FlatSheet, finds: list[Find]) -> dict[str, dict[Hex, float]]:
    """The weight of the best find of every kind in every hex."""
    known = set(sheet.hexes)
    best: dict[str, dict[Hex, float]] = {}
    for find in finds:
        hex_ = sheet.grid.hex_at(find.x, find.y)
        if hex_ in known:
            held = best.setdefault(find.kind, {})
            held[hex_] = max(held.get(hex_, 0.0), find.weight)
    return best


def _cut(weights: list[float], hexes: int) -> tuple[float, float]:
    """Return what an icon of a kind must weigh to be there, and what it weighs usually."""
    nothing = (math.inf, math.inf)
    if not weights or max(weights) < _FEWEST:
        return nothing
    ordered = np.sort(np.array(weights))[::-1]
    cut = float(ordered[0]) / 2
    for _ in range(10):
        there = ordered[ordered >= cut]
        # Whatever was not worth weighing says that most hexes show nothing.
        rest = float(ordered[ordered < cut].sum() + LEAST * max(hexes - len(ordered), 0))
        cut = (float(there.mean()) + rest / max(hexes - len(there), 1)) / 2
    usual = float(ordered[ordered >= cut].mean())
    if usual < _USUAL:
        return nothing
    low, high = _GAP[0] * cut, _GAP[1] * cut
    steps = np.concatenate(([high], ordered[(ordered > low) & (ordered < high)], [low]))
    widest = int(np.argmax(steps[:-1] - steps[1:]))
    return max(float(steps[widest : widest + 2].mean()), _FEWEST), usual


def _sure(weight: float, cut: float, usual: float) -> float:
    beyond = _STEEP * (weight - cut) / max(usual - cut, 0.1)
    return min(_SURE, 1 / (1 + math.exp(-beyond)))
