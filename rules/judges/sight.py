"""The judge of sight: who sees whom, by the game's own rule, with its whole working."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from mapkit.check.document import THRESHOLD
from mapkit.hexes import Hex, Hexside
from mapkit.kinds import UNKNOWN
from mapkit.line_report import trace_data
from mapkit.lines import LinePoint
from mapkit.model import Ground, HexMap, Provenance, Shape, Value
from mapkit.sight import (
    Finding,
    Passed,
    Sight,
    SightGround,
    field_of_view,
    margin,
    region_of,
    sight,
    sight_from_region,
)
from mapkit.sight.ranges import UNLIMITED
from mapkit.sight.rays import Ring
from mapkit.sight.regions import FINENESS, RegionError
from rules.battlefield import NOTHING, Battlefield
from rules.errors import RulesError
from rules.judges.no_sight import rule_without_sight
from rules.judges.raised import counted_from, raised_levels, told_raised
from rules.judges.weather import is_high
from rules.ruling import Evidence, Reason, Ruling
from rules.schema.sight import SightRules

_Place = LinePoint | tuple[Ring, ...]
"""A point to look from, or an outline anywhere in which an observer may stand."""


@dataclass(frozen=True)
class SightJudge:
    """Rules on sight over one map under one weather; many questions share its work.

    With *any_range* all see as far as they like, so that only what lies between counts.
    """

    field: Battlefield
    weather: str | None = None
    any_range: bool = False

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)

    def rule(self, a: Hex, b: Hex) -> Ruling:
        """Return whether an observer in *a* sees *b*."""
        self.field.map.require(a, b)
        pack = self.field.pack
        if pack.sight is None:
            return rule_without_sight(self.field, self.weather, a, b)
        found = self.look(a, b)
        reasons = tuple(self._reasons(found))
        return Ruling(
            question="sight",
            verdict=found.sight.verdict,
            reasons=reasons,
            cites=tuple(dict.fromkeys(self._cites(found, reasons))),
            working=self._working(found),
            assumptions=pack.assumptions_about(*self._parts(found)),
            rests_on=tuple(self._evidence(found)),
            missing=tuple(self._not_known(found)),
        )

    def rule_field(self, a: Hex) -> Ruling:
        """Return all hexes that an observer in the centre of *a* sees."""
        self.field.map.require(a)
        if self.field.pack.sight is None:
            return rule_without_sight(self.field, self.weather, a, a)
        seen = field_of_view(self.ground, a)
        label = self.field.label
        values: dict[str, str | int] = {"a": label(a), "n": len(seen.clear) - 1}
        reasons = [Reason("rules.sight.field", values, self.rules.cite)]
        if seen.unknown:
            reasons.append(Reason("rules.sight.field_unknown", {"n": len(seen.unknown)}))
        parts = [f"sight.obstacles.{name}" for name in self.rules.obstacles]
        return Ruling(
            question="field",
            verdict="field",
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys((self.rules.cite, self._reach_cite))),
            working={
                "from": label(a),
                "weather": self.weather,
                "sees": sorted(label(hex_) for hex_ in seen.clear if hex_ != a),
                "unknown": sorted(label(hex_) for hex_ in seen.unknown),
            },
            assumptions=self.field.pack.assumptions_about(self._reach_part, *parts),
            missing=tuple(self._field_not_known()) if seen.unknown else (),
        )

    def look(self, a: Hex, b: Hex) -> "Looked":
        """Return the best line an observer in *a* has to *b*: from the centre, or as he may."""
        best = Looked(sight(self.ground, a, b), None)
        if best.sight.verdict in ("clear", "out_of_range"):
            return best  # no other place in the hex would see more
        for start, seen in self._other_starts(a, b):
            if _rank(seen) < _rank(best.sight):
                best = Looked(seen, start)
        return best

    @cached_property
    def rules(self) -> SightRules:
        """The game's rule of sight."""
        if self.field.pack.sight is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of sight")
        return self.field.pack.sight

    @cached_property
    def ground(self) -> SightGround:
        """The map as the rule sees it."""
        usual = self.rules.policy(self.weather, self.field.high_from)
        policy = self.rules.lines() if self.any_range else usual
        return SightGround(self.field.ground, policy, raised_levels(self.field))

    def may_choose_start(self, hex_: Hex) -> bool:
        """Tell whether an observer in a hex may look from another place than its centre."""
        return bool(self._places(hex_))

    def _places(self, hex_: Hex) -> tuple["_Place", ...]:
        """The drawn places of a hex that an observer may look from."""
        if hex_ not in self._known_places:
            self._known_places[hex_] = tuple(self._drawn_places(hex_))
        return self._known_places[hex_]

    @cached_property
    def _known_places(self) -> dict[Hex, tuple["_Place", ...]]:
        return {}

    def _drawn_places(self, hex_: Hex) -> Iterator["_Place"]:
        if self.rules.start is None:
            return
        here = {feature.kind for feature in self.field.ground[hex_].features}
        here.add(self.field.ground[hex_].terrain)
        for shape in self._shapes_in(hex_, here & set(self.rules.start.anywhere_in), "outline"):
            yield region_of(self.field.map, shape)
        for shape in self._shapes_in(hex_, here & set(self.rules.start.from_point_of), "point"):
            q, r = self.field.map.grid.from_pixel(*shape.rings[0][0])
            yield LinePoint(*(Fraction(round(one * FINENESS), FINENESS) for one in (q, r)))

    def _other_starts(self, a: Hex, b: Hex) -> Iterator[tuple[LinePoint, Sight]]:
        """Lines from elsewhere in the hex, where the rule allows and the map shows where."""
        for place in self._places(a):
            if isinstance(place, LinePoint):
                yield place, sight(self.ground, a, b, start=place)
                continue
            try:
                region = sight_from_region(self.ground, a, b, place)
            except RegionError:
                continue  # drawn elsewhere: the hex only holds its name
            yield region.start, region.sight

    def _shapes_in(self, hex_: Hex, words: set[str], form: str | None) -> Iterator[Shape]:
        grid = self.field.map.grid
        for shape in self.field.shapes(words):
            if form in (None, shape.form) and any(
                grid.hex_at(*point) == hex_ for ring in shape.rings for point in ring
            ):
                yield shape

    def _not_known(self, found: "Looked") -> Iterator[Reason]:
        """What the map does not show and the ruling could not take into account."""
        if found.sight.verdict == "unknown" and self._may_be_high(found):
            yield Reason("rules.sight.no_high_mountain", {"entry": "levels.high_mountain"})
        yield from self._off_the_scale(found)
        if found.sight.clear:
            yield from self.field.unbound_words("features")
        elif self.rules.start is not None and found.start is None:
            words = {*self.rules.start.anywhere_in, *self.rules.start.from_point_of}
            here = self.field.ground[found.sight.observer]
            places = sorted(words & {here.terrain, *(one.kind for one in here.features)})
            drawn = any(self._shapes_in(found.sight.observer, set(places), None))
            if places and not drawn:
                values = {"a": self.field.label(found.sight.observer), "what": ", ".join(places)}
                yield Reason("rules.sight.not_drawn", values, self.rules.start.cite)

    def _field_not_known(self) -> Iterator[Reason]:
        yield from self.field.unbound_words("terrain")
        if self._height_shortens and self.field.high_from[0] != self.field.high_from[1]:
            yield Reason("rules.sight.no_high_mountain", {"entry": "levels.high_mountain"})

    def _may_be_high(self, found: "Looked") -> bool:
        """Whether an end may be high mountain, which shortens sight in this weather."""
        ends = (found.sight.observer, found.sight.target)
        return self._height_shortens and any(is_high(self.field, end) is None for end in ends)

    @property
    def _height_shortens(self) -> bool:
        reach = self.rules.weather.get(self.weather or "", self.rules.reach)
        return any(limit.or_high_mountain for limit in reach.limits)

    def _off_the_scale(self, found: "Looked") -> Iterator[Reason]:
        """Name the hexes of the line whose level the printed map does not have."""
        levels = self.field.pack.levels
        if levels is None or (levels.lowest is None and levels.highest is None):
            return
        for hex_ in dict.fromkeys(self._met(found)):
            level = self.field.ground[hex_].level
            if level is not None and (
                (levels.lowest is not None and level < levels.lowest)
                or (levels.highest is not None and level > levels.highest)
            ):
                values: dict[str, str | int] = {
                    "place": self.field.label(hex_),
                    "level": level,
                    "lowest": "–" if levels.lowest is None else levels.lowest,
                    "highest": "–" if levels.highest is None else levels.highest,
                }
                yield Reason("rules.sight.level_off_scale", values, levels.cite)

    def _met(self, found: "Looked") -> Iterator[Hex]:
        """The hexes of the map that a line runs through or along."""
        for event in found.sight.events:
            if event.kind in ("through", "along"):
                yield from (hex_ for hex_ in event.hexes if hex_ in self.field.map)

    def _ends(self, a: Hex, b: Hex) -> dict[str, Any]:
        return {"from": self.field.label(a), "to": self.field.label(b)}

    def _reasons(self, found: "Looked") -> Iterator[Reason]:
        seen, label = found.sight, self.field.label
        reach = self.rules.weather.get(self.weather or "", self.rules.reach)
        ends = {"a": label(seen.observer), "b": label(seen.target)}
        yield Reason(f"rules.sight.{seen.verdict}", ends, self.rules.cite)
        if seen.allowed.hexes < UNLIMITED:
            values = {"n": seen.distance, "range": seen.allowed.hexes, "bonus": seen.allowed.bonus}
            if seen.allowed.bonus:
                cite = reach.bonus_cite or reach.cite
                yield Reason("rules.sight.range_with_bonus", values, cite)
            else:
                yield Reason("rules.sight.range", values, reach.cite)
        for limit in seen.allowed.limits:
            yield Reason("rules.sight.limit", {"n": limit.hexes}, limit.name)
        if found.start is not None and self.rules.start is not None:
            yield Reason("rules.sight.start", {"a": ends["a"]}, self.rules.start.cite)
        yield from told_raised(self.field, self._met(found))
        for passed in seen.passed:
            yield from self._told_half(passed)
        for passed in seen.blockers:
            yield from self._told(passed)
        if seen.verdict == "unknown":
            yield from self._told_unknown(seen)

    def _told_unknown(self, seen: Sight) -> Iterator[Reason]:
        """Name what is really not known: hexes unread, or whose word is bound to nothing."""
        map_, ground = self.field.map, self.field.ground
        places = [seen.observer, seen.target, *(one for one in seen.unknown if one in map_)]
        for hex_ in dict.fromkeys(place for place in places if isinstance(place, Hex)):
            here = {"place": map_.label(hex_), "word": map_[hex_].terrain}
            if ground[hex_].terrain == UNKNOWN and map_[hex_].terrain != UNKNOWN:
                yield Reason("rules.sight.unbound", here)
            elif ground[hex_].terrain == UNKNOWN or ground[hex_].level is None:
                yield Reason("rules.sight.not_known", {"place": here["place"]})

    def _told_half(self, passed: Passed) -> Iterator[Reason]:
        """Tell where one side of a hexside would block and the other lets the line through."""
        blocking = [one for one in passed.findings if one.holds and one.obstacle.hinders is None]
        if passed.shut is False and blocking and isinstance(blocking[0].place, Hex):
            values = {
                "place": self.field.map.label_place(passed.at),
                "hex": self.field.map.label_place(blocking[0].place),
                "compared": compared(blocking[0]),
            }
            yield Reason("rules.sight.one_side", values, self.rules.along_cite)

    def _told(self, passed: Passed) -> Iterator[Reason]:
        for finding in passed.findings:
            if finding.holds:
                yield Reason(
                    "rules.sight.blocks",
                    {
                        "place": self.field.map.label_place(finding.place),
                        "what": finding.obstacle.name.replace("_", " "),
                        "compared": compared(finding),
                    },
                    self._obstacle_cite(finding),
                )
        if isinstance(passed.at, Hexside) and isinstance(passed.findings[0].place, Hex):
            place = self.field.map.label_place(passed.at)
            yield Reason("rules.sight.both_sides", {"place": place}, self.rules.along_cite)

    @property
    def _reach_part(self) -> str:
        weather = self.weather if self.weather in self.rules.weather else None
        return f"sight.weather.{weather}" if weather else "sight.reach"

    @property
    def _reach_cite(self) -> str:
        return self.rules.weather.get(self.weather or "", self.rules.reach).cite

    def _obstacle_cite(self, finding: Finding) -> str:
        rules = {**self.rules.obstacles, **self.rules.sides}
        return rules[finding.obstacle.name].cite

    def _cites(self, found: "Looked", reasons: tuple[Reason, ...]) -> Iterator[str]:
        yield self.rules.cite
        yield from (reason.cite for reason in reasons if reason.cite)
        if any(event.kind == "along" for event in found.sight.events):
            yield self.rules.along_cite

    def _parts(self, found: "Looked") -> list[str]:
        """The parts of the pack this line made use of."""
        parts = [self._reach_part]
        parts += [
            f"sight.obstacles.{finding.obstacle.name}"
            for passed in found.sight.passed
            for finding in passed.findings
        ]
        if any(event.kind == "along" for event in found.sight.events):
            parts.append("sight.along")
        if found.start is not None or self.may_choose_start(found.sight.observer):
            parts.append("sight.start")
        if any(counted_from(self.field, hex_) for hex_ in self._met(found)):
            parts.append("levels.raised")
        return list(dict.fromkeys(parts))

    def _working(self, found: "Looked") -> dict[str, Any]:
        seen, map_ = found.sight, self.field.map
        close = margin(self.ground, seen, start=found.start)
        width_mm = map_.grid.hex_mm
        return {
            **self._ends(seen.observer, seen.target),
            "weather": self.weather,
            "distance": seen.distance,
            "range": None if seen.allowed.hexes >= UNLIMITED else seen.allowed.hexes,
            "heights": [None if one is None else str(one) for one in seen.heights],
            "blocked_by": [map_.label_place(place) for place in seen.blocked_by],
            "start": None if found.start is None else [str(found.start.q), str(found.start.r)],
            "trace": trace_data(map_, seen.events),
            "compared": [
                {
                    "place": map_.label_place(finding.place),
                    "obstacle": finding.obstacle.name,
                    "numbers": compared(finding),
                    "holds": finding.holds,
                    "cite": self._obstacle_cite(finding),
                }
                for passed in seen.passed
                for finding in passed.findings
            ],
            "margin": None
            if close is None
            else {
                "hexes": round(close.hexes, 3),
                "mm": None if width_mm is None else round(close.hexes * width_mm, 1),
                "place": map_.label_place(close.place),
            },
        }

    def _evidence(self, found: "Looked") -> Iterator[Evidence]:
        """The levels and terrain along the line; of doubtful ones, whether they would flip it."""
        map_ = self.field.map
        for hex_, value in dict.fromkeys(self._looked_at(found)):
            provenance = map_.provenance_of(hex_, value)
            doubtful = provenance.source == "scan" and (provenance.confidence or 0) < THRESHOLD
            flips = self._flips(found, hex_, value, provenance) if doubtful else None
            is_ = str(getattr(map_[hex_], value))
            yield Evidence(map_.label(hex_), value, is_, provenance, doubtful, flips)

    def _looked_at(self, found: "Looked") -> Iterator[tuple[Hex, Value]]:
        """The values of the map that this line rests on."""
        for hex_ in self._met(found):
            yield from ((hex_, "level"), (hex_, "terrain"))
            yield from ((one, "level") for one in counted_from(self.field, hex_))

    def _flips(
        self, found: "Looked", hex_: Hex, value: Value, provenance: Provenance
    ) -> bool | None:
        if provenance.runner_up is None:
            return None
        runner_up = provenance.runner_up
        if value == "terrain":
            spoken = self.field.spoken.get(str(runner_up))
            unread = UNKNOWN if spoken is None or self._is_unbound(str(runner_up)) else NOTHING
            words = (spoken or frozenset()) & self.field.pack.words("terrain")
            runner_up = next(iter(words), unread)
        other = _with_value(self.field.ground, hex_, value, runner_up)
        judge = SightJudge(replace(self.field, ground=other), self.weather)
        return judge.look(found.sight.observer, found.sight.target).sight.verdict != (
            found.sight.verdict
        )

    def _is_unbound(self, kind: str) -> bool:
        return kind in self.field.unbound.get("terrain", frozenset())


@dataclass(frozen=True, slots=True)
class Looked:
    """The line that decides, and where in his hex the observer looks from; None: the centre."""

    sight: Sight
    start: LinePoint | None


def compared(finding: Finding) -> str:
    """Return the numbers compared, as players would write them: `level 5 > higher end 4`."""
    return ", ".join(
        f"{_quantity(one.comparison.left, one.left)} {one.comparison.operator} "
        f"{_quantity(one.comparison.right, one.right)}"
        for one in finding.compared
    )


def _quantity(name: str, value: object) -> str:
    shown = "?" if value is None else str(value)
    return shown if name == shown else f"{name.replace('_', ' ')} {shown}"


_ORDER = {"clear": 0, "unknown": 1, "blocked": 2, "out_of_range": 3}


def _rank(seen: Sight) -> int:
    return _ORDER[seen.verdict]


def _with_value(map_: HexMap, hex_: Hex, value: Value, other: str | int) -> HexMap:
    changes: Mapping[str, Any] = {value: other}
    ground: Ground = replace(map_[hex_], **changes)
    return replace(map_, hexes={**map_.hexes, hex_: ground})
