"""Which of the icons found on a map are there, and how sure that is.

What an icon must weigh is asked of the sheet itself: most hexes show no such icon, the others
weigh much more, and between the two there is a gap.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex
from mapkit.scan.icon_cuts import Icon
from mapkit.scan.icon_search import LEAST, Find, IconSearch
from mapkit.scan.sheet import FlatSheet

_ROUNDS = 4
# How much it may count against an icon that its colours go on around it.
_ALONE = (0.0, 0.15, 0.4, 0.8)
_ABOUT = 0.75  # of the clearest gap is as good
_FEWEST = 0.7  # the mean weight of an icon that may be there at all
_USUAL = 0.9  # and of those of its kind together
_GAP = (0.75, 1.3)  # so far around the middle between nothing and the icons a gap is looked for
_HELD = 0.9  # what weighs a little less still stands in the way of others
_PLAINEST = 0.9  # of the finds of a kind weigh no more than what counts as plain
# From the weight of a find, beside a plain one of its kind, to log odds: fitted on samples in
# colours that are in no other measurement.
_SURENESS = (5.26, -1.31)
_SURE = 0.995


@dataclass(frozen=True, slots=True)
class _Cut:
    """What an icon must weigh at *least*, and how clear the gap below is."""

    least: float
    clear: float


_NONE = _Cut(math.inf, 0.0)


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon of the legend as it stands on the map: how sure it is, and the middle of it."""

    sure: float
    at: Point


def judge_icons(sheet: FlatSheet, icons: Mapping[str, Icon]) -> dict[str, dict[Hex, Sign]]:
    """Return for every kind of icon the hexes that show it, each with how sure that is."""
    if not icons:
        return {}
    search = IconSearch(sheet, icons)
    least = dict.fromkeys(icons, LEAST)
    # Towns are often drawn each in its own way, the houses of the legend in another order: then
    # some lie beside the icon. Which view of a kind tells more, the sheet shows.
    tried = [_judged(sheet, search, least, dict.fromkeys(icons, alone))[1] for alone in _ALONE]
    alone = {kind: _telling([cuts[kind].clear for cuts in tried]) for kind in icons}
    for _ in range(_ROUNDS):
        found, cuts = _judged(sheet, search, least, alone)
        # Icons that are none must not hide those below them.
        least = {kind: max(LEAST, _HELD * cut.least) for kind, cut in cuts.items()}
    return {
        kind: _signs({hex_: one for hex_, one in finds.items() if one.weight >= cuts[kind].least})
        for kind, finds in found.items()
    }


def _signs(finds: Mapping[Hex, Find]) -> dict[Hex, Sign]:
    sure = sureness_of({hex_: find.weight for hex_, find in finds.items()})
    return {hex_: Sign(sure[hex_], (find.x, find.y)) for hex_, find in finds.items()}


def sureness_of(weights: Mapping[Hex, float]) -> dict[Hex, float]:
    """Return how sure it is that each icon of a kind is there: they weigh about the same."""
    if not weights:
        return {}
    plain = float(np.quantile(list(weights.values()), _PLAINEST))
    slope, start = _SURENESS
    return {
        hex_: min(_SURE, 1 / (1 + math.exp(-(slope * weight / plain + start))))
        for hex_, weight in weights.items()
    }


def _judged(
    sheet: FlatSheet, search: IconSearch, least: Mapping[str, float], alone: Mapping[str, float]
) -> tuple[dict[str, dict[Hex, Find]], dict[str, _Cut]]:
    found = _by_hex(sheet, search.untangled(least, alone))
    weights = {kind: [find.weight for find in found.get(kind, {}).values()] for kind in alone}
    return found, {kind: _cut(weights[kind], len(sheet.hexes)) for kind in alone}


def _telling(clear: list[float]) -> float:
    """Return the least of _ALONE that parts a kind from the rest about as clearly as any."""
    enough = _ABOUT * max(clear)
    return next(alone for alone, one in zip(_ALONE, clear, strict=True) if one >= enough)


def _by_hex(sheet: FlatSheet, finds: list[Find]) -> dict[str, dict[Hex, Find]]:
    """The best find of every kind in every hex."""
    known = set(sheet.hexes)
    best: dict[str, dict[Hex, Find]] = {}
    for find in finds:
        hex_ = sheet.grid.hex_at(find.x, find.y)
        if hex_ in known:
            held = best.setdefault(find.kind, {})
            if hex_ not in held or find.weight > held[hex_].weight:
                held[hex_] = find
    return best


def _cut(weights: list[float], hexes: int) -> _Cut:
    """Part the icons of a kind from what only looks a little like them."""
    if not weights or max(weights) < _FEWEST:
        return _NONE
    ordered = np.sort(np.array(weights))[::-1]
    cut = float(ordered[0]) / 2
    for _ in range(10):
        there = ordered[ordered >= cut]
        # Whatever was not worth weighing says that most hexes show nothing.
        rest = float(ordered[ordered < cut].sum() + LEAST * max(hexes - len(ordered), 0))
        cut = (float(there.mean()) + rest / max(hexes - len(there), 1)) / 2
    usual = float(ordered[ordered >= cut].mean())
    if usual < _USUAL:
        return _NONE
    low, high = _GAP[0] * cut, _GAP[1] * cut
    steps = np.concatenate(([high], ordered[(ordered > low) & (ordered < high)], [low]))
    widest = int(np.argmax(steps[:-1] - steps[1:]))
    upper, lower = (float(step) for step in steps[widest : widest + 2])
    return _Cut(max((upper + lower) / 2, _FEWEST), (upper - lower) / usual)
