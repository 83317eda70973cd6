"""How right a map is, measured against another that is known to be true.

Hexes are matched by their printed labels, so that the two maps may lie on different pictures.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mapkit.errors import MapkitError
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN
from mapkit.model import Feature, Ground, HexMap
from mapkit.scan.doubts import ReadValue, values_of
from mapkit.scan.reliability import Reliability, Trial, as_data, reliability
from mapkit.scan.teaching import What

Confusion = Mapping[tuple[str, str], int]  # (true, read) → how many hexes
Placed = set[tuple[str, frozenset[str]]]  # kinds, each with the labels of the one or two hexes


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
    """The whole comparison of a map with the truth.

    *reliability* tells of what a scan read, and nobody has looked at, how sure it was beside how
    often it was right; what it missed altogether is not in it.
    """

    hexes: int
    unmatched: int
    terrain: Score
    level: Score
    features: Mapping[str, Finding]
    hexsides: Mapping[str, Finding]
    links: Mapping[str, Finding]
    reliability: Mapping[What, Reliability]

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
            "reliability": as_data(self.reliability),
        }


def measure(map_: HexMap, truth: HexMap) -> Accuracy:
    """Compare a map with the truth; what the truth does not know is not counted."""
    same = _same_hexes(map_, truth)
    pairs = [(map_.hexes[mine], truth.hexes[theirs]) for mine, theirs in same.items()]
    there = _there(truth, same)
    return Accuracy(
        len(same),
        len(truth.hexes) - len(same),
        _score(pairs, _terrain),
        _score(pairs, _level),
        _findings(_kinds({map_.label(h): map_.hexes[h].features for h in same}), there["feature"]),
        _findings(_placed(map_, map_.hexsides), there["hexside"]),
        _findings(_placed(map_, map_.links), there["link"]),
        reliability(trials(map_, truth)),
    )


def trials(map_: HexMap, truth: HexMap) -> Iterator[Trial]:
    """Yield whether each value that only a scan vouches for is right, as far as the truth knows."""
    same = _same_hexes(map_, truth)
    true, there = {mine: truth.hexes[theirs] for mine, theirs in same.items()}, _there(truth, same)
    for one in values_of(map_):
        right = _is_right(one, map_, true, there) if one.is_open else None
        if right is not None:
            yield Trial(one.what, one.confidence, right)


def _same_hexes(map_: HexMap, truth: HexMap) -> dict[Hex, Hex]:
    """The hexes of a map that the truth has too, and which they are there."""
    labels = {truth.label(hex_): hex_ for hex_ in truth.hexes}
    same = {hex_: labels[map_.label(hex_)] for hex_ in map_.hexes if map_.label(hex_) in labels}
    if not same:
        raise AccuracyError(
            f"the maps {map_.named} and {truth.named} have no hex label in common: compare maps "
            "of one sheet, numbered alike"
        )
    return same


def _there(truth: HexMap, same: Mapping[Hex, Hex]) -> dict[What, Placed]:
    """What truly is in hexes, along hexsides and on links."""
    return {
        "feature": _kinds({truth.label(t): truth.hexes[t].features for t in same.values()}),
        "hexside": _placed(truth, truth.hexsides),
        "link": _placed(truth, truth.links),
    }


def _terrain(ground: Ground) -> str | None:
    return None if ground.terrain == UNKNOWN else ground.terrain


def _level(ground: Ground) -> str | None:
    return None if ground.level is None else str(ground.level)


def _is_right(
    one: ReadValue, map_: HexMap, true: Mapping[Hex, Ground], there: Mapping[What, Placed]
) -> bool | None:
    """Whether a value is right; None where the truth says nothing of it."""
    hexes = (one.place,) if isinstance(one.place, Hex) else (one.place.a, one.place.b)
    if not all(hex_ in true for hex_ in hexes):
        return None
    if one.what in there:
        return (str(one.value), frozenset(map(map_.label, hexes))) in there[one.what]
    known = _terrain(true[hexes[0]]) if one.what == "terrain" else _level(true[hexes[0]])
    return None if known is None else known == str(one.value)


def _score(pairs: list[tuple[Ground, Ground]], value: Callable[[Ground], str | None]) -> Score:
    confusion: Counter[tuple[str, str]] = Counter()
    for mine, theirs in pairs:
        true = value(theirs)
        if true is not None:
            confusion[true, value(mine) or "unknown"] += 1
    right = sum(count for (true, read), count in confusion.items() if true == read)
    return Score(right, confusion.total(), dict(confusion))


def _placed(map_: HexMap, places: Mapping[Any, tuple[Feature, ...]]) -> Placed:
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


def _kinds(places: Mapping[str, tuple[Feature, ...]]) -> Placed:
    return {
        (feature.kind, frozenset((label,)))
        for label, features in places.items()
        for feature in features
    }


def _findings(mine: Placed, theirs: Placed) -> dict[str, Finding]:
    kinds = sorted({kind for kind, _ in mine | theirs})
    return {
        kind: Finding(
            sum(1 for one in mine & theirs if one[0] == kind),
            sum(1 for one in mine - theirs if one[0] == kind),
            sum(1 for one in theirs - mine if one[0] == kind),
        )
        for kind in kinds
    }
