"""How right a map is, measured against another that is known to be true.

Hexes are matched by their printed labels, so that the two maps may lie on different pictures.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mapkit.errors import MapkitError
from mapkit.hexes import Hexside, Link
from mapkit.model import Feature, Ground, HexMap

Confusion = Mapping[tuple[str, str], int]  # (true, read) → how many hexes


class AccuracyError(MapkitError):
    """Two maps have no hex in common."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many values are right, and which were taken for which."""

    right: int
    total: int
    confusion: Confusion

    @property
    def share(self) -> float | None:
        """The share that is right; None where the truth says nothing."""
        return self.right / self.total if self.total else None

    def as_data(self) -> dict[str, Any]:
        """Return the score as plain JSON values; wrong pairs, the commonest first."""
        wrong = sorted(
            ((n, true, read) for (true, read), n in self.confusion.items() if true != read),
            key=lambda one: (-one[0], one[1], one[2]),
        )
        return {
            "accuracy": self.share,
            "right": self.right,
            "total": self.total,
            "confusion": [{"true": t, "read": r, "count": n} for n, t, r in wrong],
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """How well one kind of thing was found: hits, false alarms, misses."""

    hits: int
    false: int
    missed: int

    @property
    def precision(self) -> float | None:
        """The share of what was read that is there."""
        read = self.hits + self.false
        return self.hits / read if read else None

    @property
    def recall(self) -> float | None:
        """The share of what is there that was read."""
        there = self.hits + self.missed
        return self.hits / there if there else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        whole = 2 * self.hits + self.false + self.missed
        return 2 * self.hits / whole if whole else None

    def as_data(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        counts = {"hits": self.hits, "false": self.false, "missed": self.missed}
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1, **counts}


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The whole comparison of a map with the truth."""

    hexes: int
    unmatched: int
    terrain: Score
    level: Score
    features: Mapping[str, Finding]
    hexsides: Mapping[str, Finding]
    links: Mapping[str, Finding]

    def as_data(self) -> dict[str, Any]:
        """Return the comparison as plain JSON values."""
        found = {"features": self.features, "hexsides": self.hexsides, "links": self.links}
        return {
            "hexes": self.hexes,
            "unmatched": self.unmatched,
            "terrain": self.terrain.as_data(),
            "level": self.level.as_data(),
            **{
                group: {kind: one.as_data() for kind, one in kinds.items()}
                for group, kinds in found.items()
            },
        }


def measure(map_: HexMap, truth: HexMap) -> Accuracy:
    """Compare a map with the truth; what the truth does not know is not counted."""
    labels = {truth.label(hex_): hex_ for hex_ in truth.hexes}
    same = {hex_: labels[map_.label(hex_)] for hex_ in map_.hexes if map_.label(hex_) in labels}
    if not same:
        raise AccuracyError(
            f"the maps {map_.named} and {truth.named} have no hex label in common: compare maps "
            "of one sheet, numbered alike"
        )
    pairs = [(map_.hexes[mine], truth.hexes[theirs]) for mine, theirs in same.items()]
    return Accuracy(
        len(same),
        len(truth.hexes) - len(same),
        _score(pairs, lambda ground: ground.terrain if ground.terrain != "unknown" else None),
        _score(pairs, lambda ground: None if ground.level is None else str(ground.level)),
        _findings(
            _kinds({map_.label(h): map_.hexes[h].features for h in same}),
            _kinds({truth.label(t): truth.hexes[t].features for t in same.values()}),
        ),
        _findings(_placed(map_, map_.hexsides), _placed(truth, truth.hexsides)),
        _findings(_placed(map_, map_.links), _placed(truth, truth.links)),
    )


def _score(pairs: list[tuple[Ground, Ground]], value: Callable[[Ground], str | None]) -> Score:
    confusion: Counter[tuple[str, str]] = Counter()
    for mine, theirs in pairs:
        true = value(theirs)
        if true is not None:
            confusion[true, value(mine) or "unknown"] += 1
    right = sum(count for (true, read), count in confusion.items() if true == read)
    return Score(right, confusion.total(), dict(confusion))


def _placed(
    map_: HexMap, places: Mapping[Any, tuple[Feature, ...]]
) -> set[tuple[str, frozenset[str]]]:
    """The kinds along hexsides or links, each with the labels of the two hexes."""
    on_map = {
        place: features
        for place, features in places.items()
        if isinstance(place, Hexside | Link) and place.a in map_ and place.b in map_
    }
    return {
        (feature.kind, frozenset((map_.label(place.a), map_.label(place.b))))
        for place, features in on_map.items()
        for feature in features
    }


def _kinds(places: Mapping[str, tuple[Feature, ...]]) -> set[tuple[str, frozenset[str]]]:
    return {
        (feature.kind, frozenset((label,)))
        for label, features in places.items()
        for feature in features
    }


def _findings(
    mine: set[tuple[str, frozenset[str]]], theirs: set[tuple[str, frozenset[str]]]
) -> dict[str, Finding]:
    kinds = sorted({kind for kind, _ in mine | theirs})
    return {
        kind: Finding(
            sum(1 for one in mine & theirs if one[0] == kind),
            sum(1 for one in mine - theirs if one[0] == kind),
            sum(1 for one in theirs - mine if one[0] == kind),
        )
        for kind in kinds
    }
