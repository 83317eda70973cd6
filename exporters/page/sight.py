"""Who sees whom, packed so that a page can look it up and say why, without knowing any rule.

- For each displacement: what its line meets (*events*) and the gates that must let it through.
- For each hex: how it stands as an end of a line, what could block there.
- For each kind of cover between each pair of end heights: what was compared, and what came out.
- For each pair: whether its line is shut, and which of its gates.
- For each weather: how far one end may see toward the other.

All of it is worked out by the judge's own functions; what the page does is to join it.
"""

import zlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.model import Dropped
from exporters.page.phrases import Phrases
from exporters.page.sight_words import SightWords
from mapkit.hexes import ORIGIN, Hex, disc, distance
from mapkit.lines import Event, hex_line
from mapkit.sight import Finding, profile, sight
from mapkit.sight.boards import ANYWHERE
from mapkit.sight.comparisons import Height, Situation
from mapkit.sight.gates import HexGate, hex_gates
from mapkit.sight.ground import Cover, SightGround
from mapkit.sight.ranges import Allowed, End
from mapkit.sight.sighting import findings_at, verdict_of
from rules.battlefield import Battlefield
from rules.judges.sight import SightJudge

Data = dict[str, Any]
Numbers = npt.NDArray[np.int64]
States = npt.NDArray[np.uint8]
Places = tuple[tuple[Hex, ...], ...]  # the ways of a gate

MOST = 20
"""Farther than this the tables would outgrow the map."""

OPEN, SHUT, UNKNOWN, HALF = 0, 1, 2, 3
"""Of a gate; *half*: one hex beside a hexside would block, the other lets the line through."""

_MAYBE = {False: "0", True: "1", None: "?"}
_PLACE = HexGate(((ORIGIN,),), ANYWHERE.start, ANYWHERE.end)


@dataclass(frozen=True, slots=True)
class PackedSight:
    """The tables of one map: small ones as data, the big one as packed bytes."""

    data: Data = field(default_factory=dict)
    outcomes: bytes = b""
    dropped: tuple[Dropped, ...] = ()


def sight_data(field: Battlefield, phrases: Phrases) -> PackedSight:
    """Return the sight of a map by its game's rule; what cannot be packed is told."""
    rules = field.pack.sight
    if rules is None:
        return PackedSight()
    policy = SightJudge(field).ground.policy
    if policy.is_placed or policy.sides or policy.hindrance_blocks is not None:
        lost = Dropped("exporters.page.lost.sight", {"game": field.pack.title})
        return PackedSight(dropped=(lost,))
    packer = _Packer(field, phrases)
    outcomes, templates = packer.outcomes()
    data = {
        "reach": packer.reach,
        "verdicts": _verdicts(),
        "shut": [_MAYBE[False], _MAYBE[True], _MAYBE[None]],
        "weather": packer.weathers(),
        **packer.standing(),
        "findings": packer.findings(),
        "templates": templates,
        "chosen": packer.chosen_starts(),
        **packer.words.as_data(),
    }
    far = (Dropped("exporters.page.lost.far", {"n": MOST}),) if packer.is_cut else ()
    return PackedSight(data, zlib.compress(outcomes, 6), far)


def _verdicts() -> Data:
    """The verdict by range and gates, as the judge joins them."""
    return {
        range_: {gates: verdict_of(covers, shut) for shut, gates in _MAYBE.items()}
        for covers, range_ in _MAYBE.items()
    }


class _Packer:
    """Packs one map; the judge of usual weather stands for all but the ranges."""

    def __init__(self, field: Battlefield, phrases: Phrases) -> None:
        self.field = field
        self.judge = SightJudge(field)
        self.ground: SightGround = self.judge.ground
        self.hexes = list(field.map.hexes)
        self.words = SightWords(self.judge, phrases)
        changing = [name for name in field.pack.weather if name in self.judge.rules.weather]
        self.judges = {None: self.judge} | {name: SightJudge(field, name) for name in changing}

    @cached_property
    def _far(self) -> int:
        """How far anyone sees in any weather, at most."""
        found = [one.at_most for judge in self.judges.values() for one in _allowed(judge).values()]
        return min(max(found, default=0), self.across)

    @cached_property
    def across(self) -> int:
        """The greatest distance on the map."""
        axes = ([q for q, _ in self.hexes], [r for _, r in self.hexes])
        sums = [q + r for q, r in self.hexes]
        return max(max(axis) - min(axis) for axis in (*axes, sums))

    @property
    def reach(self) -> int:
        """Up to how many hexes lines are packed."""
        return min(self._far, MOST)

    @property
    def is_cut(self) -> bool:
        """Whether somebody may see farther than what is packed."""
        return self._far > MOST

    @cached_property
    def heights(self) -> list[Height | None]:
        """Every height that an end of a line has on this map."""
        found = {self.ground.end(hex_).height for hex_ in self.hexes}
        return sorted(found, key=lambda one: (one is None, one or 0))

    @cached_property
    def covers(self) -> dict[Cover | None, Hex]:
        """Every kind of cover on this map, each with one hex that has it."""
        found: dict[Cover | None, Hex] = {}
        for hex_ in self.hexes:
            found.setdefault(self.ground.cover(hex_), hex_)
        return found

    def standing(self) -> Data:
        """Each hex by number: its height as an end, its cover; and what these are in levels."""
        heights = {height: number for number, height in enumerate(self.heights)}
        covers = {cover: number for number, cover in enumerate(self.covers)}
        steps = [profile(self.ground, sight(self.ground, one, one)) for one in self.covers.values()]
        sloping = self.ground.policy.is_sloping
        return {
            "height": [heights[self.ground.end(hex_).height] for hex_ in self.hexes],
            "cover": [covers[self.ground.cover(hex_)] for hex_ in self.hexes],
            "eyes": [
                [_eyes(one, other, sloping=sloping) for other in self.heights]
                for one in self.heights
            ],
            "profile": [
                [one[0].level, _number(one[0].top)] if one else [None, None] for one in steps
            ],
            "along": "lower" if self.ground.policy.along == "both_block" else "higher",
        }

    def weathers(self) -> list[Data]:
        """Return how far one sees to whom, weather by weather; usual weather comes first."""
        return [self._weather(name, judge) for name, judge in self.judges.items()]

    def _weather(self, name: str | None, judge: SightJudge) -> Data:
        ends: dict[End, int] = {}
        stands = [ends.setdefault(judge.ground.end(hex_), len(ends)) for hex_ in self.hexes]
        kinds: dict[Allowed, int] = {}
        table = [
            [kinds.setdefault(judge.ground.allowed(one, other), len(kinds)) for other in ends]
            for one in ends
        ]
        return {
            "id": name or "",
            "title": self.words.weather(name),
            "open": self.words.open_in(judge),
            "end": stands,
            "allowed": table,
            "ranges": [
                {
                    "covers": "".join(_MAYBE[one.covers(n)] for n in range(self.across + 1)),
                    **self.words.range_(judge, one),
                }
                for one in kinds
            ],
        }

    @cached_property
    def _rows(self) -> list[list[tuple[Finding, ...]]]:
        """By cover, then by pair of heights: what the obstacles there mean for a line."""
        return [
            [
                findings_at(self.ground, _PLACE, hex_, Situation(one, other, ANYWHERE))
                for one in self.heights
                for other in self.heights
            ]
            for hex_ in self.covers.values()
        ]

    def findings(self) -> Data:
        """Return the findings by cover and heights, each different one once."""
        told: dict[str, int] = {}
        rows = [[self.words.findings(found, told) for found in row] for row in self._rows]
        return {"rows": rows, "told": self.words.told_findings(told)}

    def outcomes(self) -> tuple[bytes, list[Data]]:
        """Return the states of every line and each of its gates, and the templates of the lines.

        A row holds one state for each hex as the line's origin, four in a byte, the first in the
        lowest bits. A template's rows begin with the state of the whole line.
        """
        rows, templates = [], []
        board, at = _Board(self), 0
        for by in disc(ORIGIN, self.reach):
            gates = _gates(self.ground, by)
            rows.append(_packed(board.states(by, gates)))
            templates.append(
                {
                    "by": list(by),
                    "row": at,
                    "events": [_event(event) for event in hex_line(ORIGIN, by)],
                    "gates": [[list(hex_) for way in gate for hex_ in way] for gate in gates],
                }
            )
            at += len(gates) + 1
        return b"".join(rows), templates

    @cached_property
    def states(self) -> States:
        """By pair of heights and cover: whether a hex blocks; a last cover for none at all."""
        rows = [[_state(found) for found in row] for row in self._rows]
        return np.array([*rows, [OPEN] * len(self.heights) ** 2], dtype=np.uint8).T

    def chosen_starts(self) -> Data:
        """Return the pairs that an observer decides by looking from elsewhere than the centre."""
        number = {hex_: at for at, hex_ in enumerate(self.hexes)}
        found: Data = {}
        for hex_ in self.hexes:
            if not self.judge.may_choose_start(hex_):
                continue
            for other in disc(hex_, self.reach):
                if other in number and (told := self._chosen(hex_, other)) is not None:
                    found.setdefault(str(number[hex_]), {})[str(number[other])] = told
        return found

    def _chosen(self, hex_: Hex, other: Hex) -> Data | None:
        ground = self.judge.ground
        allowed = ground.allowed(ground.end(hex_), ground.end(other))
        if allowed.covers(distance(hex_, other)) is False:
            return None  # from wherever he looks
        looked = self.judge.look(hex_, other)
        if looked.start is None:
            return None
        seen = looked.sight
        shut = {"clear": False, "blocked": True}.get(seen.verdict)
        ruling = self.judge.rule(hex_, other)
        return {
            "shut": _MAYBE[shut],
            "reasons": self.words.later_reasons(ruling),
            "blockers": [
                [one.q - hex_.q, one.r - hex_.r]
                for place in seen.blocked_by
                for one in ((place,) if isinstance(place, Hex) else place)
            ],
            "start": [float(looked.start.q), float(looked.start.r)],
            "events": [_event(event.moved(Hex(-hex_.q, -hex_.r))) for event in seen.events],
        }


class _Board:
    """The hexes by place, so that all origins of a displacement are looked up at once."""

    def __init__(self, packer: _Packer) -> None:
        self._packer, hexes, reach = packer, packer.hexes, packer.reach
        at: Numbers = np.array(hexes, dtype=np.int64)
        low = at.min(axis=0) - reach - 1
        size = at.max(axis=0) + reach + 2 - low
        self._q, self._r = (at - low).T
        standing = packer.standing()
        self._heights: Numbers = np.array(standing["height"], dtype=np.int64)
        self._height_at: Numbers = np.full(size, -1, dtype=np.int64)
        self._height_at[self._q, self._r] = self._heights
        self._cover_at: Numbers = np.full(size, len(packer.covers), dtype=np.int64)
        self._cover_at[self._q, self._r] = standing["cover"]

    def states(self, by: Hex, gates: list[Places]) -> States:
        """Return for each hex the states of the gates on its line; 0 where it leads off the map."""
        there = self._height_at[self._q + by.q, self._r + by.r]
        pairs = self._heights * len(self._packer.heights) + np.maximum(there, 0)
        found = np.zeros((len(gates), len(pairs)), dtype=np.uint8)
        for number, ways in enumerate(gates):
            at = [[self._at(pairs, hex_) for hex_ in way] for way in ways]
            found[number] = np.where(there < 0, OPEN, _gate_state(at))
        return found

    def _at(self, pairs: Numbers, place: Hex) -> States:
        covers = self._cover_at[self._q + place.q, self._r + place.r]
        found: States = self._packer.states[pairs, covers]
        return found


def _gate_state(ways: list[list[States]]) -> States:
    """A way is shut by any of its places; a gate only by all of its ways."""
    shut = np.all([np.any([one == SHUT for one in way], axis=0) for way in ways], axis=0)
    open_ = np.any([np.all([one == OPEN for one in way], axis=0) for way in ways], axis=0)
    some = np.any([one == SHUT for way in ways for one in way], axis=0)
    found = np.where(shut, SHUT, np.where(open_, np.where(some, HALF, OPEN), UNKNOWN))
    return found.astype(np.uint8)


def _packed(states: States) -> bytes:
    """Return the state of the whole line and of each gate, two bits for each hex."""
    shut, unknown = (np.any(states == one, axis=0) for one in (SHUT, UNKNOWN))
    whole = np.where(shut, SHUT, np.where(unknown, UNKNOWN, OPEN)).astype(np.uint8)
    rows = np.vstack([whole, states])
    fours = np.pad(rows, ((0, 0), (0, -rows.shape[1] % 4))).reshape(len(rows), -1, 4)
    bits = fours << np.array([0, 2, 4, 6], dtype=np.uint8)
    packed: States = np.bitwise_or.reduce(bits, axis=2).astype(np.uint8)
    return packed.tobytes()


def _gates(ground: SightGround, by: Hex) -> list[Places]:
    if distance(ORIGIN, by) <= int(ground.policy.adjacent_clear):
        return []
    gates = hex_gates(hex_line(ORIGIN, by), ground.policy, frozenset({ORIGIN, by}))
    return [gate.ways for gate in sorted(gates, key=lambda one: (one.start, one.end))]


def _state(found: tuple[Finding, ...]) -> int:
    holds = [one.holds for one in found]
    return SHUT if True in holds else UNKNOWN if None in holds else OPEN


def _allowed(judge: SightJudge) -> dict[tuple[End, End], Allowed]:
    ends = {judge.ground.end(hex_) for hex_ in judge.field.map.hexes}
    return {(one, other): judge.ground.allowed(one, other) for one in ends for other in ends}


def _event(event: Event) -> list[Any]:
    return [event.kind, [list(hex_) for hex_ in event.hexes], str(event.start), str(event.end)]


def _eyes(one: Height | None, other: Height | None, *, sloping: bool) -> list[float] | None:
    """The line of the profile as the rule draws it: a slope, or level with the higher end."""
    if one is None or other is None:
        return None
    return [float(one), float(other)] if sloping else [float(max(one, other))] * 2


def _number(height: Height | None) -> float | None:
    return None if height is None else float(height)
