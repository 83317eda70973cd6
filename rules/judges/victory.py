"""Who has won? A position held against its scenario, with what each side still needs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mapkit.hexes import neighbours
from mapkit.model import HexMap
from mapkit.numbering import Numbering
from mapkit.texts import say
from rules.errors import RulesError
from rules.judges.victory_objectives import SecretCount, with_objectives
from rules.judges.victory_observed import Sightings
from rules.judges.victory_score import Count, Scene, count_score, held_hexes, printed_points
from rules.pack import Pack
from rules.positions.position import Position
from rules.positions.turn_entry import known_sequence
from rules.registry import find_pack
from rules.ruling import Reason, Ruling, Values
from rules.scenarios.scenario_files import Scenario, Scenarios, scenarios_of
from rules.scenarios.victory import Decision, decide
from rules.scenarios.victory_needs import Prospect, prospect
from rules.schema.victory import DRAW, ControlsNextTo, Outcome

UNDECIDED, UNKNOWN, NOBODY = "undecided", "unknown", "nobody"


def rule_victory(
    position: Position,
    maps: Sequence[HexMap] = (),
    *,
    pack: Pack | None = None,
    over: bool | None = None,
) -> Ruling:
    """Rule who has won a position, and what each side still needs.

    *maps* are in the pack's words (`Battlefield.ground`); without them nobody knows what places
    score, unless the position holds a count by hand. *pack* is the game as its owner reads it,
    None: as it is installed. *over* tells whether to count as at the end;
    None asks the clock.

    Raises:
        RulesError: the position names no scenario, or one that its game does not have.
    """
    if not position.scenario:
        raise RulesError("the position names no scenario, so nobody knows how it is won")
    scenarios = scenarios_of(pack or find_pack(position.game))
    return _Verdict.of(position, scenarios, maps, over).ruling()


@dataclass(frozen=True)
class _Verdict:
    """A position counted and held against every outcome."""

    scenarios: Scenarios
    scenario: Scenario
    count: Count
    decision: Decision
    prospects: tuple[Prospect, ...]
    secret: SecretCount | None = None

    @classmethod
    def of(
        cls, position: Position, scenarios: Scenarios, maps: Sequence[HexMap], over: bool | None
    ) -> "_Verdict":
        scenario, scoring = scenarios.find(position.scenario), scenarios.scoring
        outcomes = tuple(_outcomes(scenarios, scenario))
        conditions = [outcome.when for outcome in outcomes]
        checked = _in_victory_check(position)
        final = scenario.file.turns.final
        last = final is not None and position.clock.turn >= final
        numbering = _numbering(scenarios, maps)
        scene = Scene(
            scenarios.pack,
            position,
            scoring if _scores(outcomes) else None,
            printed_points(maps, scoring.feature) if scoring else None,
            held_hexes(position, scenarios.pack, scoring),
            {
                one.hex: _around(one.hex, numbering)
                for one in conditions
                if isinstance(one, ControlsNextTo)
            },
            position.clock.over or (checked and last) if over is None else over,
            position.clock.over or checked if over is None else over,
        )
        count = count_score(scene, conditions)
        sightings = Sightings(scenarios, position, maps, scene.control)
        score = with_objectives(count.score, scenario, position, sightings, numbering)
        score = replace(score, turn=position.clock.turn, rolls=_rolls(position, outcomes))
        count = replace(count, score=score)
        secret = (
            SecretCount(scenarios.pack, scenario.objectives, score, numbering)
            if scenario.objectives
            else None
        )
        decision = decide(scenario.file.victory, scoring, count.score, numbering)
        prospects = tuple(prospect(one, count.score, numbering) for one in outcomes)
        return cls(scenarios, scenario, count, decision, prospects, secret)

    @property
    def verdict(self) -> str:
        """The side that has won, or why none has."""
        if not self.prospects:
            return UNKNOWN  # how the scenario is won is not in our sources
        if self.decision.outcome is not None:
            return self.decision.outcome.winner or UNDECIDED
        if not self.count.score.over:
            return UNDECIDED
        ends = [one for one in self.decision.unknown if one.at == "end"]
        return UNKNOWN if ends else NOBODY

    def ruling(self) -> Ruling:
        cites = [self.scenario.file.victory.cite]
        cites += [part.says.cite for part in self.count.parts]
        cites += [one.outcome.cite for one in self.prospects]
        return Ruling(
            question="victory",
            verdict=self.verdict,
            reasons=tuple(self._reasons()),
            cites=tuple(dict.fromkeys(cites)),
            working=self._working(),
            assumptions=self._assumptions(),
            missing=tuple(self._missing()),
        )

    def _reasons(self) -> Iterator[Reason]:
        yield self._told_verdict()
        for part in self.count.parts:
            if part.points is not None:
                yield part.says
        for side, total in self.count.score.points.items():
            values: Values = {"side": self._side(side), "n": total}
            yield Reason("rules.victory.total", values, self.scenario.file.victory.cite)
        if self.secret:
            yield from self.secret.reasons()
        if self.decision.outcome is None:
            yield from self._told_prospects()
        if self.count.unrecorded:
            hexes = ", ".join(self.count.unrecorded)
            scoring = self.scenarios.scoring
            cite = scoring.control.cite if scoring else self.scenario.file.victory.cite
            yield Reason("rules.victory.unrecorded", {"hexes": hexes}, cite)

    def _told_verdict(self) -> Reason:
        outcome, turn_cite = self.decision.outcome, self.scenario.file.victory.cite
        if outcome is None:
            return Reason(f"rules.victory.verdict_{self.verdict}", {}, turn_cite)
        if outcome.winner == DRAW:
            return Reason("rules.victory.verdict_draw", {}, outcome.cite)
        key = "rules.victory.verdict_complete" if outcome.complete else "rules.victory.verdict_won"
        return Reason(key, {"side": self._winner(outcome)}, outcome.cite)

    def _told_prospects(self) -> Iterator[Reason]:
        """Yield for each side, and for a draw, the ways that are open, in one line."""
        ways: dict[str, list[Prospect]] = {}
        for one in self.prospects:
            ways.setdefault(self._winner(one.outcome), []).append(one)
        for winner, found in ways.items():
            told = say("rules.victory.or").join(map(_told_way, found))
            cites = ", ".join(dict.fromkeys(one.outcome.cite for one in found))
            yield Reason("rules.victory.way", {"side": winner, "ways": told}, cites)

    def _missing(self) -> Iterator[Reason]:
        yield from self.count.missing
        if self.secret and self.decision.outcome is None:
            yield from self.secret.missing()
        unknown = not self.prospects or any(one.holds is None for one in self.prospects)
        name = self.scenario.file.missing.get("victory")
        if name and unknown and (self.count.missing or not self.count.parts):
            entry = self.scenarios.pack.missing[name]
            values = {"what": entry.what, "where": entry.printed_on}
            yield Reason("rules.turn.not_in_sources", values)

    def _assumptions(self) -> tuple[str, ...]:
        """Return the open questions of the scenario that touch how it is won."""
        scoring = self.scenarios.scoring
        cites = {one.outcome.cite for one in self.prospects} | {self.scenario.file.victory.cite}
        if self.count.parts and scoring:
            cites |= {scoring.cite, scoring.control.cite}
        cites -= {self.scenario.file.cite}
        known = self.scenarios.pack.assumptions
        return tuple(
            name for name in self.scenario.file.assumptions if cites & set(known[name].cites)
        )

    def _working(self) -> dict[str, Any]:
        score, outcome = self.count.score, self.decision.outcome
        return {
            "over": score.over,
            "winner": outcome.winner if outcome else None,
            "wing": outcome.wing if outcome else None,
            "complete": bool(outcome and outcome.complete),
            "points": dict(score.points),
            "wing_points": {f"{side}.{wing}": n for (side, wing), n in score.wing_points.items()},
            "parts": [
                {"side": part.side, "points": part.points, "says": part.says.told()}
                for part in self.count.parts
            ],
            "outcomes": [_prospect_data(one) for one in self.prospects],
            "unrecorded": list(self.count.unrecorded),
            **({"objectives": self.secret.as_data()} if self.secret else {}),
        }

    def _winner(self, outcome: Outcome) -> str:
        if outcome.winner is None:
            return say("rules.victory.end_of_game")
        if outcome.winner == DRAW:
            return say("rules.victory.a_draw")
        wing = f", {outcome.wing}" if outcome.wing else ""
        return f"{self._side(outcome.winner)}{wing}"

    def _side(self, side: str) -> str:
        return self.scenarios.pack.sides[side].title


def _outcomes(scenarios: Scenarios, scenario: Scenario) -> Iterator[Outcome]:
    victory = scenario.file.victory
    if scenarios.scoring:
        yield from (scenarios.scoring.outcomes[name] for name in victory.sudden)
    yield from victory.outcomes


def _scores(outcomes: Iterable[Outcome]) -> bool:
    """Tell whether points decide a scenario."""
    return any(outcome.when.kind in ("points", "more_points") for outcome in outcomes)


def _rolls(position: Position, outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Return what players keep of the rolls that outcomes take."""
    return {
        one.by_hand: rolled
        for one in outcomes
        if one.by_hand
        and (rolled := position.points.get(one.winner or "", {}).get(one.by_hand)) is not None
    }


def _in_victory_check(position: Position) -> bool:
    sequence = known_sequence(position.game)
    phases = sequence.phases if sequence else ()
    return any(one.id == position.clock.phase and "victory" in one.due for one in phases)


def _numbering(scenarios: Scenarios, maps: Sequence[HexMap]) -> Numbering:
    """Return how hexes lie: by the map where there is one, else as the pack presumes."""
    for map_ in maps:
        if isinstance(map_.numbering, Numbering):
            return map_.numbering
    layout = scenarios.pack.layout
    return layout.numbering() or layout.any_numbering()


def _around(label: str, numbering: Numbering) -> tuple[str, ...]:
    return tuple(map(numbering.format_label, neighbours(numbering.parse_label(label))))


def _told_way(one: Prospect) -> str:
    key = "rules.victory.at_once" if one.outcome.at == "every_check" else "rules.victory.at_end"
    return say(key, needs=one.needs.told())


def _prospect_data(one: Prospect) -> dict[str, Any]:
    return {
        "winner": one.outcome.winner,
        "wing": one.outcome.wing,
        "complete": one.outcome.complete,
        "at": one.outcome.at,
        "holds": one.holds,
        "needs": one.needs.told(),
        "values": dict(one.needs.values),
        "cite": one.outcome.cite,
    }
