"""Read what lies along the hexsides and over the links of a flat sheet."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.model import Feature, Provenance, Shape
from mapkit.scan.line_by_example import find_by_example
from mapkit.scan.line_crossings import find_crossings
from mapkit.scan.line_graph import connected, scraps
from mapkit.scan.line_stages import Chances, Found, Study, begin, find_by_legend
from mapkit.scan.line_sureness import crossing_sureness, sureness
from mapkit.scan.line_teaching import LineGroup, LineKind, LineTeaching
from mapkit.scan.line_traces import joined, trace
from mapkit.scan.sheet import FlatSheet

NONE = "none"  # the runner-up where the question is whether there is anything at all
DEAD_END = 5.0
_CLEARLY_OFF = 0.5  # samples
_READ = 0.5  # what is likelier is read
_SCRAP, _SCRAP_WORTH = 2, 0.3  # so many links hanging together are a scrap; what is left of them
_DOUBT = 0.05  # less likely than this it is not worth a question


@dataclass(frozen=True, slots=True)
class Doubt:
    """A line that was not read, but might be there."""

    place: Hexside | Link
    kind: str
    chance: float


@dataclass(frozen=True)
class LinesRead:
    """All hexsides and links of a sheet that hold something, and those that might.

    *curves* are the same lines as they are drawn on the sheet.
    """

    hexsides: dict[Hexside, tuple[Feature, ...]]
    links: dict[Link, tuple[Feature, ...]]
    doubts: tuple[Doubt, ...] = ()
    curves: tuple[Shape, ...] = ()


def read_lines(sheet: FlatSheet, teaching: LineTeaching, *, seed: int = 0) -> LinesRead:
    """Read hexsides and links at once, which is quicker than one after the other."""
    if not teaching.kinds():
        return LinesRead({}, {})
    study = begin(sheet, teaching, seed=seed)
    found = find_all(study)
    chances = _without_scraps(study, along_the_lines(study, found.chances))
    chances |= find_crossings(study, chances, found.scale)
    features: dict[LineGroup, dict[int, list[Feature]]] = {"hexsides": {}, "links": {}}
    doubts, traces = [], []
    for family in _families(teaching, chances):
        group = family[0].group
        table = np.stack([chances[kind] for kind in family])
        for index, column in enumerate(table.T):
            if column.max() < _DOUBT:
                continue
            order = np.argsort(-column)
            best = family[order[0]]
            chance = float(column[order[0]])
            second = family[order[1]] if len(family) > 1 else None
            # That there is a road may be sure, and which kind of road in doubt.
            if column.sum() < _READ:
                side = study.sides[index]
                place = Link(*side) if group == "links" else side
                doubts.append(Doubt(place, best.id, chance))
                continue
            rest = 1 - chance
            runner_up = second.id if second and column[order[1]] > rest / 2 else NONE
            known = index in study.yes[best]
            sure = chance if known else _sure(found, best, index, chance)
            stated = Provenance("scan", round(sure, 4), runner_up)
            facing = None
            if teaching.is_facing(best):
                facing = _facing(study.sides[index], found.off(best, index))
            feature = Feature(best.id, facing=facing, provenance=stated)
            features[group].setdefault(index, []).append(feature)
            # Which side a trench faces is told by its hexside; a curve would not say it.
            if best in found.ways and not teaching.is_facing(best):
                traces.append(
                    trace(
                        sheet,
                        study.sides[index],
                        found.ways[best][index],
                        kind=best.id,
                        family=teaching.family(best),
                        crosses=teaching.reach(best) is not None,
                        confidence=chance,
                    )
                )
    return LinesRead(
        {study.sides[i]: tuple(held) for i, held in sorted(features["hexsides"].items())},
        {Link(*study.sides[i]): tuple(held) for i, held in sorted(features["links"].items())},
        tuple(doubts),
        joined(traces, sheet.pitch_px),
    )


def _sure(found: Found, kind: LineKind, index: int, chance: float) -> float:
    """How sure a line is that was read; what leads over water has no way of its own."""
    if kind not in found.against:
        return crossing_sureness(chance)
    return sureness(chance, float(found.against[kind][index]))


def find_all(study: Study) -> Found:
    """Return the chances of all lines, each from its own patch alone.

    What leads over water is another question, see `line_crossings`.
    """
    kinds = tuple(kind for kind in study.kinds if not study.teaching.is_crossing(kind))
    lines = replace(study, kinds=kinds)
    if not kinds:
        return Found({}, {}, None, {})
    shown = any(kind in study.strips for kind in kinds)
    return find_by_legend(lines) if shown else find_by_example(lines)


def read_hexsides(
    sheet: FlatSheet, teaching: LineTeaching, *, seed: int = 0
) -> dict[Hexside, tuple[Feature, ...]]:
    """Read what lies along the hexsides of a sheet."""
    return read_lines(sheet, teaching, seed=seed).hexsides


def read_links(
    sheet: FlatSheet, teaching: LineTeaching, *, seed: int = 0
) -> dict[Link, tuple[Feature, ...]]:
    """Read the roads and rails of a sheet."""
    return read_lines(sheet, teaching, seed=seed).links


def along_the_lines(study: Study, chances: dict[LineKind, Chances]) -> dict[LineKind, Chances]:
    """Weigh every chance in the light of the lines it would continue.

    Kinds of one family continue each other: a main road ends where a road begins.
    """
    known, edge = set(study.sheet.hexes), _edge(study)
    found: dict[LineKind, Chances] = {}
    for family in _families(study.teaching, chances):
        if family[0].group == "links":
            joints: list[tuple[Hashable, Hashable]] = [(side.a, side.b) for side in study.sides]
            free: frozenset[Hashable] = edge
        else:
            joints = [side.vertices for side in study.sides]
            corners = {corner for side in study.sides for corner in side.vertices}
            free = frozenset(corner for corner in corners if not known.issuperset(corner))
        table = np.stack([chances[kind] for kind in family])
        any_ = 1 - np.prod(1 - table, axis=0)
        better = connected(any_, joints, dead_end=DEAD_END, free=free)
        held = np.clip(table, 1e-4, 1 - 1e-4)
        odds = held / (1 - held)
        share = odds / odds.sum(axis=0)
        for kind, part in zip(family, share, strict=True):
            found[kind] = better * part
    return found


def _without_scraps(study: Study, chances: dict[LineKind, Chances]) -> dict[LineKind, Chances]:
    """Doubt roads of a link or two that lead from nowhere to nowhere: lettering looks so."""
    links = [kind for kind in chances if kind.group == "links"]
    if not links:
        return chances
    sums = np.sum([chances[kind] for kind in links], axis=0)
    joints = [(side.a, side.b) for side in study.sides]
    alone = scraps(sums >= _READ, joints, most=_SCRAP, free=_edge(study))
    return chances | {
        kind: np.where(alone, _SCRAP_WORTH * chances[kind], chances[kind]) for kind in links
    }


def _edge(study: Study) -> frozenset[Hashable]:
    known = set(study.sheet.hexes)
    return frozenset(h for h in known if any(other not in known for other in neighbours(h)))


def _facing(side: Hexside, off: float) -> Hex | None:
    """Return the hex on whose ground a line runs; None where it runs between the two."""
    if abs(off) < _CLEARLY_OFF:
        return None
    return side.a if off < 0 else side.b


def _families(teaching: LineTeaching, kinds: Iterable[LineKind]) -> list[list[LineKind]]:
    families: dict[str, list[LineKind]] = defaultdict(list)
    for kind in kinds:
        if kind.group != "areas":
            families[teaching.family(kind)].append(kind)
    return list(families.values())
