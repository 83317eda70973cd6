"""What a scan is least sure of: the questions to ask a person, the most doubtful first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mapkit.hexes import Hex, Hexside, Link
from mapkit.model import Feature, HexMap, Provenance
from mapkit.scan.teaching import WHATS, What

AT_A_TIME = 5
SURE = 0.9
DOUBTFUL = 0.7

Spot = Hex | Hexside | Link
Word = str | int | None


@dataclass(frozen=True, slots=True)
class ReadValue:
    """One value of a map, and where it comes from."""

    place: Spot
    what: What
    value: Word
    stated: Provenance

    @property
    def is_open(self) -> bool:
        """Whether a scan read it, and nobody has looked at it since."""
        return (
            self.stated.source == "scan"
            and self.stated.touch is None
            and self.stated.confidence is not None
        )

    @property
    def confidence(self) -> float:
        """How sure the scan is; what people said, or another file, is taken as sure."""
        known = self.stated.confidence if self.is_open else None
        return 1.0 if known is None else known


@dataclass(frozen=True, slots=True)
class Doubt:
    """One value that a scan read, and how sure it is of it."""

    place: Spot
    what: What
    value: Word
    confidence: float
    runner_up: Word

    def as_data(self, map_: HexMap) -> dict[str, Any]:
        """Return the doubt as plain JSON values, its place as printed on the map."""
        return {
            "place": map_.label_place(self.place),
            "what": self.what,
            "value": self.value,
            "confidence": self.confidence,
            "runner_up": self.runner_up,
        }


@dataclass(frozen=True, slots=True)
class Tally:
    """How sure a scan is of one sort of value: how many, and how many of them below a limit.

    *looked_at* counts what a person confirmed or corrected; it is in none of the others.
    """

    what: What
    values: int
    unsure: int
    doubtful: int
    looked_at: int


def values_of(map_: HexMap) -> Iterator[ReadValue]:
    """Yield every value on a map that says by itself where it comes from."""
    for hex_, ground in map_.hexes.items():
        if terrain := ground.provenance.get("terrain"):
            yield ReadValue(hex_, "terrain", ground.terrain, terrain)
        if level := ground.provenance.get("level"):
            yield ReadValue(hex_, "level", ground.level, level)
        yield from _features(hex_, ground.features, "feature")
    yield from _along(map_.hexsides, "hexside")
    yield from _along(map_.links, "link")


def doubts(map_: HexMap) -> tuple[Doubt, ...]:
    """Return everything a scan read and nobody has looked at, the most doubtful first."""
    found = [
        Doubt(one.place, one.what, one.value, one.confidence, one.stated.runner_up)
        for one in values_of(map_)
        if one.is_open
    ]
    return tuple(sorted(found, key=lambda doubt: (doubt.confidence, doubt.what, doubt.place)))


def next_questions(map_: HexMap, *, count: int = AT_A_TIME) -> tuple[Doubt, ...]:
    """Return the few values to ask for next; their answers teach the most."""
    return doubts(map_)[:count]


def tallies(map_: HexMap) -> tuple[Tally, ...]:
    """Return how sure a scan is of every sort of value that the map has."""
    found: dict[What, list[ReadValue]] = {what: [] for what in WHATS}
    for one in values_of(map_):
        found[one.what].append(one)
    return tuple(_tally(what, values) for what, values in found.items() if values)


def _tally(what: What, values: list[ReadValue]) -> Tally:
    sure = [one.confidence for one in values if one.is_open]
    return Tally(
        what,
        len(sure),
        sum(share < SURE for share in sure),
        sum(share < DOUBTFUL for share in sure),
        sum(one.stated.source == "person" for one in values),
    )


def _along(
    places: Mapping[Hexside, tuple[Feature, ...]] | Mapping[Link, tuple[Feature, ...]], what: What
) -> Iterator[ReadValue]:
    for place, features in places.items():
        yield from _features(place, features, what)


def _features(place: Spot, features: Iterable[Feature], what: What) -> Iterator[ReadValue]:
    for feature in features:
        if feature.provenance:
            yield ReadValue(place, what, feature.kind, feature.provenance)
