"""A map in words: the whole in a dozen lines, or all that is known of one place."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mapkit.document.writing import Entry, head_entry, hex_entry, hexside_entry, link_entry
from mapkit.feature_notation import format_features
from mapkit.hexes import Hex, Hexside, Link, Place, Vertex, hexsides, neighbours
from mapkit.model import Feature, HexMap, Provenance, Value
from mapkit.texts import say

_SOURCED: tuple[Value, Value] = ("terrain", "level")


def describe_map(map_: HexMap) -> str:
    """Return what a map holds, as lines."""
    labels, grounds = sorted(map(map_.label, map_.hexes)), map_.hexes.values()
    lines = [
        say("mapkit.show.title", title=map_.title or "–", n=len(map_.hexes)),
        say("mapkit.show.labels", first=labels[0], last=labels[-1]) if labels else "",
        _counted(say("mapkit.show.word_terrain"), (ground.terrain for ground in grounds)),
        _listed(say("mapkit.show.word_levels"), _levels(map_)),
        _counted(say("mapkit.show.word_features"), _kinds(ground.features for ground in grounds)),
        _counted(say("mapkit.show.word_hexsides"), _kinds(map_.hexsides.values())),
        _counted(say("mapkit.show.word_links"), _kinds(map_.links.values())),
        _listed(say("mapkit.show.word_areas"), (area.name for area in map_.areas)),
        _counted(say("mapkit.show.word_shapes"), (shape.kind for shape in map_.shapes)),
    ]
    return "\n".join(line for line in lines if line)


def describe_place(map_: HexMap, place: Place) -> str:
    """Return what is known of a hex, hexside or link, each value with its source."""
    if isinstance(place, Hex):
        return "\n".join(_hex_lines(map_, place))
    features: tuple[Feature, ...] = ()
    if isinstance(place, Hexside):
        features = map_.hexsides.get(place, ())
    elif isinstance(place, Link):
        features = map_.links.get(place, ())
    _require_there(map_, place)
    what = format_features(features, map_.numbering) or say("mapkit.show.nothing")
    return say("mapkit.show.along", place=map_.label_place(place), what=what)


def map_data(map_: HexMap) -> Entry:
    """Return the summary of a map as JSON-able data."""
    return head_entry(map_) | {
        "hexes": len(map_.hexes),
        "hexsides": len(map_.hexsides),
        "links": len(map_.links),
        "areas": [area.name for area in map_.areas],
        "shapes": len(map_.shapes),
    }


def place_data(map_: HexMap, place: Place) -> Entry:
    """Return what is known of a place as its entry in the document."""
    if isinstance(place, Hex):
        map_.require(place)
        return hex_entry(map_, place)
    _require_there(map_, place)
    if isinstance(place, Hexside) and place in map_.hexsides:
        return hexside_entry(map_, place)
    if isinstance(place, Link) and place in map_.links:
        return link_entry(map_, place)
    return {"place": map_.label_place(place), "features": []}


def _require_there(map_: HexMap, place: Hexside | Link | Vertex) -> None:
    map_.require(next((hex_ for hex_ in place if hex_ in map_), place[0]))


def _hex_lines(map_: HexMap, hex_: Hex) -> Iterator[str]:
    ground = map_[hex_]
    yield say("mapkit.show.hex", hex=map_.label(hex_), name=ground.name or "–")
    terrain, level = (_source(map_.provenance_of(hex_, value)) for value in _SOURCED)
    yield say("mapkit.show.terrain", what=ground.terrain, source=terrain)
    known = say("mapkit.show.unknown") if ground.level is None else ground.level
    yield say("mapkit.show.level", what=known, source=level)
    if ground.features:
        yield say("mapkit.show.inside", what=format_features(ground.features, map_.numbering))
    for side in hexsides(hex_):
        if side in map_.hexsides:
            yield describe_place(map_, side)
    for near in neighbours(hex_):
        link = Link.between(hex_, near)
        if link in map_.links:
            yield describe_place(map_, link)
    touching = [map_.label(near) for near in neighbours(hex_) if near in map_]
    yield say("mapkit.show.neighbours", hexes=", ".join(sorted(touching)))
    if ground.note:
        yield say("mapkit.show.note", note=ground.note)


def _source(provenance: Provenance) -> str:
    if provenance.source == "scan" and provenance.confidence is not None:
        percent = f"{provenance.confidence:.0%}"
        runner_up = "–" if provenance.runner_up is None else provenance.runner_up
        return say("mapkit.show.scan", percent=percent, runner_up=runner_up)
    if provenance.source == "person":
        confirmed = provenance.touch == "confirmed"
        return say("mapkit.show.confirmed") if confirmed else say("mapkit.show.corrected")
    if provenance.source == "scan":
        return say("mapkit.show.from_scan")
    return say("mapkit.show.imported")


def _levels(map_: HexMap) -> Iterator[str]:
    counts = Counter(g.level for g in map_.hexes.values() if g.level is not None)
    return (f"{level} ({counts[level]})" for level in sorted(counts))


def _kinds(features: Iterable[tuple[Feature, ...]]) -> Iterator[str]:
    return (feature.kind for there in features for feature in there)


def _counted(what: str, words: Iterable[str]) -> str:
    counts = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))
    return _listed(what, (f"{word} ({count})" for word, count in counts))


def _listed(what: str, words: Iterable[str]) -> str:
    listing = ", ".join(words)
    return say("mapkit.show.counted", what=what, listing=listing) if listing else ""
