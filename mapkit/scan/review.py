"""A person's answers: they correct the map, and teach how to read the rest of it again.

Answers are a CSV file with the columns place, what, value: `2315,terrain,woods`. What a person
said stays; what the scan was in doubt of is read anew in the light of all answers.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN, Group
from mapkit.model import CONFIRMED, CORRECTED, Feature, Ground, HexMap, Provenance, Value
from mapkit.notation import parse_hexside, parse_link
from mapkit.scan.ground import study_ground
from mapkit.scan.sampling import Floats, HexSamples, sample_hexes
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.style_pack import StylePack, attach_style
from mapkit.scan.teaching import (
    NONE,
    Example,
    Teaching,
    TeachingError,
    What,
    read_level,
    read_rows,
    read_what,
)
from mapkit.scan.verdicts import learn
from mapkit.store.files import read_file

COLUMNS = ("place", "what", "value")
_SURE = 0.9  # what the scan was so sure of stays, and teaches
_TEACHERS = 40  # of each value that the scan was sure of
_VALUES: tuple[Literal["terrain", "level"], ...] = ("terrain", "level")
_REPEATED = 0.9  # of what the scan was sure of, a new reading must say again
_OLD = 0.5  # the weight of the first reading beside the new one

_GROUP: Mapping[What, Group] = {
    "terrain": "terrain",
    "feature": "features",
    "hexside": "hexsides",
    "link": "links",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says of one place."""

    place: Hex | Hexside | Link
    what: What
    value: str


def load_answers(path: Path, map_: HexMap) -> tuple[Answer, ...]:
    """Return the answers in a CSV file, about a map."""
    return parse_answers(read_file(path, what="table of answers"), str(path), map_)


def parse_answers(data: bytes, source: str, map_: HexMap) -> tuple[Answer, ...]:
    """Return the answers in the bytes of a CSV file; *source* is named in errors."""
    found = []
    for line, row in read_rows(data, source, COLUMNS):
        here = f"{source}: row {line}"
        what = read_what(row["what"], here)
        if not row["value"]:
            raise TeachingError(f"{here}: the value is missing; write {NONE} for nothing")
        if what == "level" and row["value"] != NONE:
            read_level(row["value"], here)
        found.append(Answer(_place(row["place"], what, map_), what, row["value"]))
    return tuple(found)


def review(
    map_: HexMap,
    answers: tuple[Answer, ...],
    sheet: FlatSheet | None,
    *,
    style: StylePack | None = None,
) -> HexMap:
    """Return the map with the answers in it, and with what they teach about the rest.

    Without a *sheet*, the picture of the map, only the answers themselves are entered. With the
    *style* of the sheet its legend teaches beside all that people said so far.
    """
    answered = enter_answers(map_, answers)
    asked = {answer.what for answer in answers}
    if sheet is None or not asked & {"terrain", "level"}:
        return answered
    if style is not None:
        return _read_by_style(answered, sheet, style, asked)
    samples = sample_hexes(sheet)
    for value in ("terrain", "level"):
        if value in asked:
            answered = _read_again(answered, samples, "terrain" if value == "terrain" else "level")
    return answered


def enter_answers(map_: HexMap, answers: tuple[Answer, ...]) -> HexMap:
    """Return the map with the answers in it, as confirmed or corrected by a person."""
    for answer in answers:
        group = _GROUP.get(answer.what)
        if group and answer.value != NONE:
            map_ = replace(map_, kinds=map_.kinds.with_ids(group, iter([answer.value])))
        if isinstance(answer.place, Hex):
            grounds = dict(map_.hexes)
            grounds[answer.place] = _answered(grounds[answer.place], answer)
            map_ = replace(map_, hexes=grounds)
        elif isinstance(answer.place, Hexside):
            sides = dict(map_.hexsides)
            sides[answer.place] = _with_feature(sides.get(answer.place, ()), answer.value)
            map_ = replace(map_, hexsides={k: v for k, v in sides.items() if v})
        else:
            links = dict(map_.links)
            links[answer.place] = _with_feature(links.get(answer.place, ()), answer.value)
            map_ = replace(map_, links={k: v for k, v in links.items() if v})
    return map_


def _place(text: str, what: What, map_: HexMap) -> Hex | Hexside | Link:
    if what in ("terrain", "level", "feature"):
        return map_.hex(text)
    place = (parse_hexside if what == "hexside" else parse_link)(text, map_.numbering)
    if place.a not in map_ and place.b not in map_:
        raise TeachingError(f"{text} is not on the map {map_.named}")
    return place


def _answered(ground: Ground, answer: Answer) -> Ground:
    if answer.what == "feature":
        return replace(ground, features=_with_feature(ground.features, answer.value))
    if answer.what == "level":
        level = None if answer.value == NONE else int(answer.value)
        stated = CONFIRMED if level == ground.level else CORRECTED
        return replace(ground, level=level, provenance={**ground.provenance, "level": stated})
    terrain = UNKNOWN if answer.value == NONE else answer.value
    stated = CONFIRMED if terrain == ground.terrain else CORRECTED
    return replace(ground, terrain=terrain, provenance={**ground.provenance, "terrain": stated})


def _with_feature(features: tuple[Feature, ...], kind: str) -> tuple[Feature, ...]:
    """Features of which one is sure; `none` takes away what only the scan saw."""
    if kind == NONE:
        return tuple(f for f in features if not (f.provenance and f.provenance.source == "scan"))
    here = [feature for feature in features if feature.kind == kind]
    others = tuple(feature for feature in features if feature.kind != kind)
    known = replace(here[0], provenance=CONFIRMED) if here else Feature(kind, provenance=CORRECTED)
    return (*others, known)


def _read_by_style(map_: HexMap, sheet: FlatSheet, style: StylePack, asked: Set[What]) -> HexMap:
    """Read anew, by the legend and by what people said, what the scan doubted."""
    looked_at, samples = attach_style(sheet, style)
    said = Teaching(samples, tuple(_said(map_, sheet)))
    return take_over(map_, study_ground(looked_at, said).grounds(), asked)


def take_over(map_: HexMap, fresh: Mapping[Hex, Ground], asked: Set[What]) -> HexMap:
    """Return the map with what a new reading says of doubtful values, of the sorts *asked*.

    What the scan was sure of stays, and a reading that contradicts much of that is not believed:
    where tints are nearly alike, the little that the kept picture lost in packing is enough to
    read whole valleys otherwise.
    """
    grounds = dict(map_.hexes)
    for value in _VALUES:
        if value not in asked or _repeated(map_.hexes, fresh, value) < _REPEATED:
            continue
        for hex_, new in fresh.items():
            if _better(grounds[hex_], new, value):
                grounds[hex_] = _taken_over(grounds[hex_], new, value)
    return replace(map_, hexes=grounds)


def _repeated(old: Mapping[Hex, Ground], new: Mapping[Hex, Ground], value: Value) -> float:
    """Return the share of what the scan was sure of that a new reading says again."""
    sure = [hex_ for hex_ in new if _confidence(old[hex_], value) >= _SURE]
    same = sum(_word(old[hex_], value) == _word(new[hex_], value) for hex_ in sure)
    return same / len(sure) if sure else 1.0


def _confidence(ground: Ground, value: Value) -> float:
    """Return how sure the scan is of a value; 0 where it is not the scan that says it."""
    stated = ground.provenance.get(value)
    return (stated.confidence or 0.0) if stated and stated.source == "scan" else 0.0


def _better(old: Ground, new: Ground, value: Value) -> bool:
    """Whether the scan doubted a value, and is no less sure of the new one."""
    was, is_ = old.provenance.get(value), new.provenance.get(value)
    if was is None or is_ is None or was.source != "scan" or is_.source != "scan":
        return False
    before, now = was.confidence or 0.0, is_.confidence or 0.0
    return before < _SURE and now >= before


def _taken_over(old: Ground, new: Ground, value: Value) -> Ground:
    provenance = {**old.provenance, value: new.provenance[value]}
    if value == "level":
        return replace(old, level=new.level, provenance=provenance)
    return replace(old, terrain=new.terrain, provenance=provenance)


def _said(map_: HexMap, sheet: FlatSheet) -> Iterator[Example]:
    """Yield what people said about terrain and levels, as examples."""
    for hex_, ground in map_.hexes.items():
        x, y = sheet.grid.centre(hex_)
        for value in _VALUES:
            stated = ground.provenance.get(value)
            if stated is not None and stated.source == "person":
                yield Example(x, y, value, _word(ground, value))


def _read_again(map_: HexMap, samples: HexSamples, value: Value) -> HexMap:
    """Read anew what the scan doubted, from what people said and what it was sure of."""
    said, sure = _teachers(map_, samples, value)
    if len(set(said.values()) | set(sure.values())) < 2:
        return map_
    views = [samples.whole, np.hstack((samples.whole, samples.centre))]
    learned = learn(views, sure | said, weights=dict.fromkeys(said, 3.0))
    grounds = dict(map_.hexes)
    for row, hex_ in enumerate(samples.hexes):
        ground = grounds[hex_]
        stated = ground.provenance.get(value)
        if not stated or stated.source != "scan" or (stated.confidence or 0.0) >= _SURE:
            continue
        likely = (1 - _OLD) * learned.likely[row] + _OLD * _before(ground, value, learned.values)
        grounds[hex_] = _with_value(ground, value, learned.values, likely)
    return replace(map_, hexes=grounds)


def _teachers(
    map_: HexMap, samples: HexSamples, value: Value
) -> tuple[dict[int, str], dict[int, str]]:
    """What people said, and of each value what the scan was surest of, by row."""
    said: dict[int, str] = {}
    sure: dict[str, list[tuple[float, int]]] = {}
    for row, hex_ in enumerate(samples.hexes):
        ground = map_.hexes[hex_]
        stated = ground.provenance.get(value, map_.provenance)
        word = _word(ground, value)
        if stated.source == "person":
            said[row] = word
        elif stated.source == "scan" and (stated.confidence or 0.0) >= _SURE:
            sure.setdefault(word, []).append((-(stated.confidence or 0.0), row))
    few = {row: word for word, rows in sure.items() for _, row in sorted(rows)[:_TEACHERS]}
    return said, few


def _word(ground: Ground, value: Value) -> str:
    if value == "level":
        return NONE if ground.level is None else str(ground.level)
    return NONE if ground.terrain == UNKNOWN else ground.terrain


def _before(ground: Ground, value: Value, values: tuple[str, ...]) -> Floats:
    """How likely each value was at the first reading, as far as the map still says."""
    stated = ground.provenance[value]
    sure = stated.confidence or 0.0
    likely = np.full(len(values), 1e-3)
    for word, share in ((_word(ground, value), sure), (str(stated.runner_up), (1 - sure) * 0.8)):
        if word in values:
            likely[values.index(word)] += share
    result: Floats = likely / likely.sum()
    return result


def _with_value(ground: Ground, value: Value, values: tuple[str, ...], likely: Floats) -> Ground:
    order = np.argsort(-likely, kind="stable")
    word, second = values[order[0]], values[order[1]]
    runner_up: str | int = int(second) if value == "level" and second != NONE else second
    stated = Provenance("scan", round(float(likely[order[0]]), 4), runner_up)
    provenance = {**ground.provenance, value: stated}
    if value == "level":
        level = None if word == NONE else int(word)
        return replace(ground, level=level, provenance=provenance)
    terrain = UNKNOWN if word == NONE else word
    return replace(ground, terrain=terrain, provenance=provenance)
