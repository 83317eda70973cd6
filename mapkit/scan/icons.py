"""Features of hexes by examples: a town, a fort, a peak, each learned by its look."""

from collections.abc import Mapping

import numpy as np

from mapkit.grid import nearest_hex
from mapkit.hexes import Hex
from mapkit.model import CONFIRMED, Feature, Provenance
from mapkit.scan.sampling import HexSamples
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import NONE, Teaching, TeachingError
from mapkit.scan.verdicts import learn

_THERE = "there"


def read_features(
    sheet: FlatSheet, teaching: Teaching, samples: HexSamples, *, seed: int = 0
) -> dict[Hex, tuple[Feature, ...]]:
    """Return the features of every hex that has some.

    A hex may have several, so each kind is judged by itself: its own examples against those of
    other kinds and of `none`, and against hexes of no example, most of which have no feature.
    """
    known = _known(sheet, teaching)
    kinds = sorted({kind for kinds in known.values() for kind in kinds} - {NONE})
    found: dict[Hex, tuple[Feature, ...]] = {}
    for kind in kinds:
        for hex_, feature in _one_kind(kind, known, samples, seed):
            found[hex_] = (*found.get(hex_, ()), feature)
    return found


def _known(sheet: FlatSheet, teaching: Teaching) -> dict[int, frozenset[str]]:
    rows = {hex_: row for row, hex_ in enumerate(sheet.hexes)}
    known: dict[int, frozenset[str]] = {}
    for example in teaching.of("feature"):
        hex_ = nearest_hex(*sheet.grid.from_pixel(example.x, example.y))
        if hex_ not in rows:
            raise TeachingError(
                f"the example of feature {example.value} at {example.x:g},{example.y:g} lies on "
                "no hex of the map; give pixels of the scan"
            )
        row = rows[hex_]
        known[row] = known.get(row, frozenset()) | {example.value}
    return known


def _one_kind(
    kind: str, known: Mapping[int, frozenset[str]], samples: HexSamples, seed: int
) -> list[tuple[Hex, Feature]]:
    taught = {row: _THERE if kind in kinds else NONE for row, kinds in known.items()}
    views = [samples.whole, samples.centre]
    others = [row for row in range(len(samples.hexes)) if row not in taught]
    dice = np.random.default_rng(seed)
    some = [others[i] for i in dice.permutation(len(others))[: 10 * len(taught)]]
    if NONE in taught.values():
        # Of the hexes nobody spoke of, only those that look least like it stand against it.
        first = learn(views, taught, seed=seed)
        there = first.likely[:, first.values.index(_THERE)]
        some = sorted(some, key=lambda row: there[row])[: len(some) // 2]
    verdicts = learn(
        views,
        taught | dict.fromkeys(some, NONE),
        weights=dict.fromkeys(some, 0.2),
        seed=seed,
    )
    found = []
    for row, hex_ in enumerate(samples.hexes):
        value, sure, _ = verdicts.best(row)
        if row in known:
            if kind in known[row]:
                found.append((hex_, Feature(kind, provenance=CONFIRMED)))
        elif value == _THERE:
            stated = Provenance("scan", round(sure, 4), NONE)
            found.append((hex_, Feature(kind, provenance=stated)))
    return found
