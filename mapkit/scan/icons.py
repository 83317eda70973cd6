"""Features of hexes: a town, a fort, a peak, by the icon in the legend or learned from examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from mapkit.grid import nearest_hex
from mapkit.hexes import Hex
from mapkit.model import CONFIRMED, Feature, Provenance, Shape
from mapkit.scan.icon_cuts import Icon, cut_icon
from mapkit.scan.icon_verdicts import Sign, judge_icons
from mapkit.scan.sampling import HexSamples
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import NONE, Teaching, TeachingError
from mapkit.scan.verdicts import learn

_THERE = "there"


@dataclass(frozen=True, eq=False)
class FeaturesRead:
    """The features of every hex that has some, and the signs of the legend that show them."""

    features: dict[Hex, tuple[Feature, ...]]
    signs: dict[str, dict[Hex, Sign]]

    def points(self) -> Iterator[Shape]:
        """Yield where the signs stand of those that were read, as points."""
        for hex_, features in self.features.items():
            for feature in features:
                sign = self.signs.get(feature.kind, {}).get(hex_)
                if sign is not None:
                    x, y = (round(number, 1) for number in sign.at)
                    stated = Provenance("scan", round(sign.sure, 3))
                    yield Shape(feature.kind, "point", (((x, y),),), provenance=stated)


def read_features(
    sheet: FlatSheet, teaching: Teaching, samples: HexSamples, *, seed: int = 0
) -> dict[Hex, tuple[Feature, ...]]:
    """Return the features of every hex that has some."""
    return study_features(sheet, teaching, samples, seed=seed).features


def study_features(
    sheet: FlatSheet, teaching: Teaching, samples: HexSamples, *, seed: int = 0
) -> FeaturesRead:
    """Read the features of every hex, and keep where their signs stand.

    A kind whose icon the legend shows, and the map too, is read by it; examples only correct it.
    Any other is learned from its examples. A hex may have several, so each kind is judged by
    itself: its own examples against those of other kinds and of `none`, and against hexes of no
    example, most of which have no feature.
    """
    known = _known(sheet, teaching)
    shown = {kind: hexes for kind, hexes in _by_legend(sheet, teaching).items() if hexes}
    kinds = sorted({kind for kinds in known.values() for kind in kinds} - {NONE} | set(shown))
    found: dict[Hex, tuple[Feature, ...]] = {}
    for kind in kinds:
        if kind in shown:
            features = _corrected(kind, shown[kind], known, sheet.hexes)
        else:
            features = _one_kind(kind, known, samples, seed)
        for hex_, feature in features:
            found[hex_] = (*found.get(hex_, ()), feature)
    return FeaturesRead(found, shown)


def _by_legend(sheet: FlatSheet, teaching: Teaching) -> dict[str, dict[Hex, Sign]]:
    """The hexes that show the icons of the legend, each with how sure that is."""
    icons: dict[str, Icon] = {}
    for sample in teaching.samples("features"):
        icon = cut_icon(sheet, sample.rect, sample.kind) if sample.rect else None
        if icon is not None and sample.kind not in icons:
            icons[sample.kind] = icon
    return judge_icons(sheet, icons)


def _corrected(
    kind: str,
    shown: Mapping[Hex, Sign],
    known: Mapping[int, frozenset[str]],
    hexes: tuple[Hex, ...],
) -> list[tuple[Hex, Feature]]:
    """The features of a kind that were seen, but for the hexes of which a person spoke."""
    found = []
    for row, hex_ in enumerate(hexes):
        told = known.get(row, frozenset())
        if kind in told:
            found.append((hex_, Feature(kind, provenance=CONFIRMED)))
        elif hex_ in shown and NONE not in told:
            stated = Provenance("scan", round(shown[hex_].sure, 4), NONE)
            found.append((hex_, Feature(kind, provenance=stated)))
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
