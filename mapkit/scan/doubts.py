"""What a scan is least sure of: the questions to ask a person, the most doubtful first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mapkit.hexes import Hex, Hexside, Link, Place
from mapkit.model import Feature, HexMap, Provenance
from mapkit.scan.teaching import What

AT_A_TIME = 5


@dataclass(frozen=True, slots=True)
class Doubt:
    """One value that a scan read, and how sure it is of it."""

    place: Place
    what: What
    value: str | int | None
    confidence: float
    runner_up: str | int | None

    def as_data(self, map_: HexMap) -> dict[str, Any]:
        """Return the doubt as plain JSON values, its place as printed on the map."""
        return {
            "place": map_.label_place(self.place),
            "what": self.what,
            "value": self.value,
            "confidence": self.confidence,
            "runner_up": self.runner_up,
        }


def doubts(map_: HexMap) -> tuple[Doubt, ...]:
    """Return everything a scan read and nobody has looked at, the most doubtful first."""
    found = [*_in_hexes(map_), *_along(map_.hexsides, "hexside"), *_along(map_.links, "link")]
    return tuple(sorted(found, key=lambda doubt: (doubt.confidence, doubt.what, doubt.place)))


def next_questions(map_: HexMap, *, count: int = AT_A_TIME) -> tuple[Doubt, ...]:
    """Return the few values to ask for next; their answers teach the most."""
    return doubts(map_)[:count]


def _in_hexes(map_: HexMap) -> Iterator[Doubt]:
    for hex_, ground in map_.hexes.items():
        for what, value in (("terrain", ground.terrain), ("level", ground.level)):
            stated = ground.provenance.get("terrain" if what == "terrain" else "level")
            if stated and _is_open(stated) and stated.confidence is not None:
                named: What = "terrain" if what == "terrain" else "level"
                yield Doubt(hex_, named, value, stated.confidence, stated.runner_up)
        yield from _features(hex_, ground.features, "feature")


def _along(places: Any, what: What) -> Iterator[Doubt]:
    for place, features in places.items():
        yield from _features(place, features, what)


def _features(
    place: Hex | Hexside | Link, features: Iterable[Feature], what: What
) -> Iterator[Doubt]:
    for feature in features:
        stated = feature.provenance
        if stated and _is_open(stated) and stated.confidence is not None:
            yield Doubt(place, what, feature.kind, stated.confidence, stated.runner_up)


def _is_open(stated: Provenance) -> bool:
    return stated.source == "scan" and stated.touch is None
