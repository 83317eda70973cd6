"""The words on the map: kinds nobody declared, and values a scan was not sure of."""

from collections.abc import Iterable, Iterator

from mapkit.check.problems import Problem, error, warning
from mapkit.errors import GridError
from mapkit.hexes import Place
from mapkit.kinds import GROUPS, UNKNOWN, Group
from mapkit.model import Feature, Ground, HexMap, Provenance, Shape, Value


def check_kinds(map_: HexMap) -> Iterator[Problem]:
    """Yield each kind that stands on the map but not in its vocabulary, with its first place."""
    known = {group: map_.kinds.ids(group) for group in GROUPS}
    strange: dict[tuple[Group, str], list[str]] = {}
    for group, kind, place in _words(map_):
        if kind not in known[group]:
            where = place if isinstance(place, str) else map_.label_place(place)
            strange.setdefault((group, kind), []).append(where)
    for (group, kind), places in strange.items():
        yield error(
            "undeclared_kind",
            min(places),
            kind=kind,
            group=group,
            n=len(places),
            known=", ".join(known_kind.id for known_kind in map_.kinds.group(group)) or "–",
        )


def check_confidence(map_: HexMap, *, threshold: float) -> Iterator[Problem]:
    """Yield every value that a scan read with less confidence and no person has reviewed."""
    for hex_, ground in map_.hexes.items():
        if ground.provenance or _is_low(map_.provenance, threshold):
            for value, content, source in _values(map_, ground):
                if _is_low(source, threshold):
                    yield _unsure(f"unsure_{value}", map_.label(hex_), content, source)
    for place, features in _features(map_):
        for feature in features:
            source = feature.provenance or map_.provenance
            if _is_low(source, threshold):
                yield _unsure("unsure_feature", map_.label_place(place), feature.kind, source)
    for shape in map_.shapes:
        source = shape.provenance or map_.provenance
        if _is_low(source, threshold):
            yield _unsure("unsure_feature", _place_of(shape, map_), shape.kind, source)


def _words(map_: HexMap) -> Iterator[tuple[Group, str, Place | str]]:
    for hex_, ground in map_.hexes.items():
        yield "terrain", ground.terrain, hex_
        for feature in ground.features:
            yield "features", feature.kind, hex_
    for side, features in map_.hexsides.items():
        for feature in features:
            yield "hexsides", feature.kind, side
    for link, features in map_.links.items():
        for feature in features:
            yield "links", feature.kind, link
    for area in map_.areas:
        yield "areas", area.kind, area.name


def _features(map_: HexMap) -> Iterator[tuple[Place, Iterable[Feature]]]:
    yield from ((hex_, ground.features) for hex_, ground in map_.hexes.items())
    yield from map_.hexsides.items()
    yield from map_.links.items()


def _values(map_: HexMap, ground: Ground) -> Iterator[tuple[Value, str | int, Provenance]]:
    """Yield the values of a hex that say something; unknown terrain is a problem of its own."""
    said: tuple[tuple[Value, str | int | None], ...] = (
        ("terrain", None if ground.terrain == UNKNOWN else ground.terrain),
        ("level", ground.level),
        ("name", ground.name or None),
    )
    for value, content in said:
        if content is not None:
            yield value, content, ground.provenance.get(value, map_.provenance)


def _place_of(shape: Shape, map_: HexMap) -> str:
    """Return the hex where a shape begins; one beyond the horizon goes by its name."""
    try:
        return map_.label(map_.grid.hex_at(*shape.rings[0][0]))
    except GridError:
        return shape.name or shape.kind


def _is_low(source: Provenance, threshold: float) -> bool:
    return (
        source.source == "scan"
        and source.touch is None
        and source.confidence is not None
        and source.confidence < threshold
    )


def _unsure(code: str, place: str, content: object, source: Provenance) -> Problem:
    return warning(
        code,
        place,
        content=content,
        percent=int(round(100 * (source.confidence or 0), 6)),  # 79.9 must not show as 80
        second="–" if source.runner_up is None else source.runner_up,
    )
