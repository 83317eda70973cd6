"""One line of sight with its whole working: every gate, every number compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mapkit.hexes import Hex, Hexside, distance
from mapkit.lines import Event, LinePoint, hex_line, line_events
from mapkit.model import HexMap
from mapkit.sight.comparisons import Compared, Height, Situation, Spot, all_hold
from mapkit.sight.gates import HexGate, SideGate, hex_gates, side_gates
from mapkit.sight.ground import Cover, SightGround
from mapkit.sight.maybe import Applies, both, either
from mapkit.sight.policy import Obstacle, SideObstacle, SightPolicy
from mapkit.sight.ranges import Allowed, End

Verdict = Literal["clear", "blocked", "out_of_range", "unknown"]
Gate = HexGate | SideGate


@dataclass(frozen=True, slots=True)
class Finding:
    """What one obstacle at one place means for a line: the comparisons made, and the result.

    *holds* is None where a level or terrain is unknown. A hindrance never blocks by itself.
    """

    place: Hex | Hexside
    obstacle: Obstacle | SideObstacle
    compared: tuple[Compared, ...]
    holds: Applies


@dataclass(frozen=True, slots=True)
class Passed:
    """One gate of the line, what was found at it, and whether it is shut."""

    gate: Gate
    findings: tuple[Finding, ...]
    shut: Applies
    hindrance: tuple[int, int]  # for sure, and at most

    @property
    def at(self) -> Hex | Hexside:
        """The place to name: where something holds, or the hexside the line runs along."""
        places = [place for way in self.gate.ways for place in way]
        if isinstance(self.gate, HexGate) and len(places) == 2:
            one, other = (place for place in places if isinstance(place, Hex))
            return Hexside.between(one, other)
        return next((finding.place for finding in self.findings if finding.holds), places[0])


@dataclass(frozen=True, slots=True)
class Sight:
    """The answer, and everything it rests on."""

    observer: Hex
    target: Hex
    verdict: Verdict
    distance: int
    allowed: Allowed
    heights: tuple[Height | None, Height | None]
    events: tuple[Event, ...]
    passed: tuple[Passed, ...]
    hindered: Applies = False  # whether hindrances alone block

    @property
    def hindrance(self) -> int:
        """The sum of what hinders the line, for certain."""
        return sum(passed.hindrance[0] for passed in self.passed)

    @property
    def clear(self) -> bool:
        """Whether the observer sees the target, for certain."""
        return self.verdict == "clear"

    @property
    def blockers(self) -> tuple[Passed, ...]:
        """Every gate that is shut, and every one that hinders where hindrances block together."""
        return tuple(
            passed
            for passed in self.passed
            if passed.shut or (self.hindered and passed.hindrance[0])
        )

    @property
    def blocked_by(self) -> tuple[Hex | Hexside, ...]:
        """The places that block, in order, each once."""
        return tuple(dict.fromkeys(passed.at for passed in self.blockers))

    @property
    def unknown(self) -> tuple[Hex | Hexside, ...]:
        """The places that may change the answer, for all the map knows: on the line, or its ends.

        Places that may block are named also where another blocks for certain.
        """
        found: list[Hex | Hexside] = []
        if self.allowed.covers(self.distance) is None:
            found += [self.observer, self.target]
        for passed in self.passed:
            may_hinder = self.hindered is None and passed.hindrance[0] < passed.hindrance[1]
            if passed.shut is None or may_hinder:
                found += [one.place for one in passed.findings if one.holds is None]
        return tuple(dict.fromkeys(found))


def sight(
    map_: HexMap | SightGround,
    a: Hex,
    b: Hex,
    policy: SightPolicy | None = None,
    *,
    start: LinePoint | None = None,
) -> Sight:
    """Return whether an observer in *a* sees *b*, from centre to centre.

    *start* is another point to look from: a peak drawn beside the centre. Many questions of one
    map are answered faster from a `SightGround`, which remembers what it worked out.

    Raises:
        UnknownHexError: either end is off the map.
    """
    ground = sight_ground(map_, policy)
    ends = ground.end(a), ground.end(b)
    events = hex_line(a, b) if start is None else line_events(start, LinePoint.at(b))
    return judge_line(ground, a, b, ends, events)


def sight_ground(
    map_: HexMap | SightGround,
    policy: SightPolicy | None,
    levels: Mapping[Hex, int] | None = None,
) -> SightGround:
    """Return the map as the policy sees it; one that is so already is returned as it is."""
    if isinstance(map_, SightGround):
        if policy is not None:
            raise TypeError("this ground has its policy already: ask without one")
        return map_
    if policy is None:
        raise TypeError("a map alone has no rule of sight: give a policy")
    return SightGround(map_, policy, levels or {})


def judge_line(
    ground: SightGround, a: Hex, b: Hex, ends: tuple[End, End], events: tuple[Event, ...]
) -> Sight:
    """Return the sight along a line that meets these events."""
    policy, hexes = ground.policy, distance(a, b)
    allowed = ground.allowed(*ends)
    gates: tuple[Gate, ...] = ()
    if hexes > 1 or (hexes == 1 and not policy.adjacent_clear):
        gates = (*hex_gates(events, policy, frozenset({a, b})), *side_gates(events, policy))
    heights = ends[0].height, ends[1].height
    passed = tuple(
        sorted(
            (_pass(ground, gate, a, b, heights) for gate in gates),
            key=lambda one: (one.gate.start, one.gate.end),
        )
    )
    hindered = _is_hindered(policy, passed)
    shut = hindered
    for one in passed:
        shut = either(shut, one.shut)
    verdict = verdict_of(allowed.covers(hexes), shut)
    return Sight(a, b, verdict, hexes, allowed, heights, events, passed, hindered)


def _is_hindered(policy: SightPolicy, passed: tuple[Passed, ...]) -> Applies:
    """Whether hindrances add up to what blocks."""
    if policy.hindrance_blocks is None:
        return False
    if sum(one.hindrance[0] for one in passed) >= policy.hindrance_blocks:
        return True
    at_most = sum(one.hindrance[1] for one in passed)
    return None if at_most >= policy.hindrance_blocks else False


def findings_at(
    ground: SightGround, gate: Gate, place: Hex | Hexside, situation: Situation
) -> tuple[Finding, ...]:
    """Return what every obstacle that stands, or may stand, at a place means there."""
    cover, rules = _cover(ground, place)
    if cover is None:
        return ()
    found = []
    for number, (rule, present) in enumerate(zip(rules, cover.present, strict=True)):
        if present is False or not _counts(gate, number, rule):
            continue
        standing = cover.standing(rule.height)
        compared = tuple(comparison.compare(standing, situation) for comparison in rule.when)
        found.append(Finding(place, rule, compared, both(present, all_hold(compared))))
    return tuple(found)


def spot_of(place: Hex | Hexside, a: Hex, b: Hex, gate: Gate) -> Spot:
    """Return where on the line from *a* to *b* a place of a gate stands."""
    hexes = (place,) if isinstance(place, Hex) else tuple(place)
    near = [distance(a, hex_) for hex_ in hexes]
    far = [distance(b, hex_) for hex_ in hexes]
    weights = sum(near), sum(far)
    return Spot(min(near), min(far), distance(a, b), weights, gate.start, gate.end)


def _cover(
    ground: SightGround, place: Hex | Hexside
) -> tuple[Cover | None, tuple[Obstacle | SideObstacle, ...]]:
    if isinstance(place, Hex):
        return ground.cover(place), ground.policy.obstacles
    return ground.side_cover(place), ground.policy.sides


def _counts(gate: Gate, number: int, rule: Obstacle | SideObstacle) -> bool:
    """Whether a gate asks for this rule at all."""
    if isinstance(gate, SideGate):
        return number in gate.obstacles
    return not gate.inherent or (isinstance(rule, Obstacle) and rule.inherent)


def _pass(
    ground: SightGround,
    gate: Gate,
    a: Hex,
    b: Hex,
    heights: tuple[Height | None, Height | None],
) -> Passed:
    found: list[Finding] = []
    shut: Applies = True
    hinders: list[tuple[int, int]] = []
    for way in gate.ways:
        way_shut: Applies = False
        amounts = [(0, 0)]
        for place in way:
            findings = findings_at(
                ground, gate, place, Situation(*heights, spot_of(place, a, b, gate))
            )
            found += findings
            for finding in findings:
                if finding.obstacle.hinders is None:
                    way_shut = either(way_shut, finding.holds)
            amounts.append(_hindrance(findings))
        shut = both(shut, way_shut)
        hinders.append((max(low for low, _ in amounts), max(high for _, high in amounts)))
    least = min(low for low, _ in hinders), min(high for _, high in hinders)
    return Passed(gate, tuple(found), shut, least)


def _hindrance(findings: tuple[Finding, ...]) -> tuple[int, int]:
    """How much the obstacles at one place hinder: for sure, and at most."""
    amounts = [(finding.obstacle.hinders or 0, finding.holds) for finding in findings]
    return (
        sum(amount for amount, holds in amounts if holds),
        sum(amount for amount, holds in amounts if holds is not False),
    )


def verdict_of(in_range: Applies, shut: Applies) -> Verdict:
    """Return the verdict on a line by whether it is within range, and whether it is shut."""
    if in_range is False:
        return "out_of_range"
    if shut:
        return "blocked"
    return "clear" if in_range and shut is False else "unknown"
