"""How things stand for one task: each condition looked up on the board, or asked of the players.

What a player says wins over what the board shows; what neither knows stays open, and the finding
tells what to say.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from mapkit.texts import say
from rules.judges.task_board import TaskBoard
from rules.judges.task_situation import Finding, Known, Situation, State
from rules.ruling import Reason
from rules.schema.forces import classes_in
from rules.schema.tasks import (
    AllOf,
    AnyOf,
    Bounded,
    Company,
    Condition,
    Count,
    EnemyWithin,
    EnemyZone,
    FormationThere,
    FreePath,
    FromHexes,
    GroundThere,
    InRange,
    InTurns,
    InWeather,
    Level,
    NearGround,
    Observed,
    OfNation,
    Printed,
    Said,
    SideThere,
    Supplied,
    Within,
    said_word,
)

_NUMBERED = Said | Count | Printed | Level  # what is said of these is a word of their own
_FEW = ("enemy_there", "enemy_next")  # in the hex, next to it


@dataclass(frozen=True)
class Circumstances:
    """Ticks conditions off in one situation."""

    now: Situation

    @cached_property
    def board(self) -> TaskBoard:
        """What the board shows."""
        return TaskBoard(self.now)

    def find(self, conditions: Mapping[str, Condition]) -> Iterator[Finding]:
        """Yield a finding for each condition that concerns this unit."""
        for name, condition in conditions.items():
            concerned = self.concerns(condition.sides, condition.classes, condition.not_for)
            if concerned is not False and not condition.waived:
                yield self._finding(name, condition, sure=concerned is True)

    def concerns(
        self, sides: tuple[str, ...], classes: tuple[str, ...], not_for: tuple[str, ...] = ()
    ) -> bool | None:
        """Tell whether something concerns the unit; None where its class leaves that open."""
        if sides and self.now.unit.side not in sides:
            return False
        inside = self.is_one_of(classes) if classes else True
        outside = self.is_one_of(not_for) if not_for else False
        if inside is False or outside is True:
            return False
        return True if inside and outside is False else None

    def is_one_of(self, groups: tuple[str, ...]) -> bool | None:
        """Tell whether the unit belongs to some groups; None where nobody said what it is."""
        class_, known = self.now.unit.class_, self.now.pack.classes
        mine = frozenset({class_}) if class_ in known else classes_in((class_,), known)
        wanted = classes_in(groups, known)
        if not mine or not (mine <= wanted or mine.isdisjoint(wanted)):
            return None
        return mine <= wanted

    def known(self, name: str, condition: Condition) -> Known:
        """Return how things stand with one condition."""
        said = self.now.said.get(name)
        if said is None or isinstance(condition, _NUMBERED):
            return _LOOK_UPS[condition.kind](self, name, condition)
        unseen = replace(self.now, battlefield=None)  # what is said needs no look at the board
        found = _LOOK_UPS[condition.kind](Circumstances(unseen), name, condition)
        return replace(found, is_so=bool(said), assumed=False)

    def _finding(self, name: str, condition: Condition, *, sure: bool) -> Finding:
        known = self.known(name, condition)
        needed, word = known.told(so=condition.holds), known.word

        def found(state: State, key: str, **values: str) -> Finding:
            reason = Reason(f"rules.task.{key}", values, condition.cite)
            roll = condition.or_roll if state == "roll" else None
            assumed = known.assumed and state == "fulfilled"
            return Finding(name, condition.kind, state, reason, word, assumed, roll)

        if known.is_so is None:
            return found("unknown", known.ask, what=needed, word=word)
        if known.is_so == condition.holds:
            if known.assumed:
                return found("fulfilled", "taken", what=needed, word=known.otherwise)
            return found("fulfilled", "met", what=needed)
        if not sure:
            return found("unknown", "class_unsaid", what=needed)
        what = known.told(so=known.is_so)
        if condition.or_roll is not None:
            check = self.now.pack.checks[condition.or_roll].title
            return found("roll", "or_roll", what=what, check=check)
        return found("broken", "against", what=what)

    # What the players say.

    def _said(self, name: str, condition: Said) -> Known:
        word = said_word(name, condition)
        fact = self.now.pack.facts[word]
        n, assumed = self._fact(word)
        is_so = None if n is None else bool(n)
        return Known(is_so, fact.told(1), fact.told(0), word, assumed)

    def _count(self, name: str, condition: Count) -> Known:
        word = said_word(name, condition)
        n, assumed = self._fact(word)
        told = self.now.pack.facts[word].told("?" if n is None else n)
        return _bounded(n, condition, told, word, assumed=assumed)

    def _printed(self, name: str, condition: Printed) -> Known:
        word = condition.value
        n = self._value(word)
        told = say("rules.task.printed", value=word.replace("_", " "), n="?" if n is None else n)
        return replace(_bounded(n, condition, told, word), ask="on_counter")

    def _value(self, word: str) -> int | None:
        """A value of the counter, as said or printed; half points are rounded down."""
        printed = self.now.said.get(word, self.now.unit.value(word))
        return None if printed is None else int(printed)

    def _fact(self, word: str) -> tuple[int | None, bool]:
        """The number of a fact, and whether it was only taken for granted."""
        if word in self.now.said:
            return self.now.said[word], False
        fact, unit = self.now.pack.facts[word], self.now.unit
        if fact.status is not None and (unit.unit is not None or fact.status in unit.statuses):
            return unit.statuses.get(fact.status, 0), False
        return fact.usual, fact.usual is not None

    # What the board shows.

    def _level(self, name: str, condition: Level) -> Known:
        n = self.now.said.get(condition.marker)
        if n is None and self._has_map:
            n = self.board.level(condition)
        title = self.now.pack.markers[condition.marker].told()
        told = say("rules.task.level", what=title, n="?" if n is None else n)
        return _bounded(n, condition, told, condition.marker)

    def _enemy_zone(self, name: str, condition: EnemyZone) -> Known:
        is_so = None
        if self._has_map:
            is_so = not self.board.zones.isdisjoint(self.board.places(condition.at))
        return _state(name, "enemy_zone", is_so)

    def _enemy_within(self, name: str, condition: EnemyWithin) -> Known:
        is_so, where = None, say(f"rules.task.at_{condition.at}")
        hexes = ""
        if self._has_map:
            near = self.board.enemies_near(condition)
            is_so = bool(near)
            hexes = ", ".join(dict.fromkeys(self.board.field.label(one.hex) for one in near))
        key = _FEW[condition.n] if condition.n < len(_FEW) else "enemy_within"
        key = "enemy_other" if condition.but_target else key
        return _state(name, key, is_so, n=condition.n, where=where, hexes=hexes or "?")

    def _within(self, name: str, condition: Within) -> Known:
        far = self.board.away() if self._has_map else None
        is_so = None if far is None else far <= condition.n
        return _state(name, "within", is_so, n=condition.n, far="?" if far is None else far)

    def _free_path(self, name: str, condition: FreePath) -> Known:
        is_so = self.board.has_free_path(condition) if self._has_map else None
        return _state(name, "free_path", is_so)

    def _supplied(self, name: str, condition: Supplied) -> Known:
        is_so = self.board.is_supplied(self.now.unit.hex) if self._has_map else None
        return _state(name, "supplied", is_so)

    def _ground(self, name: str, condition: GroundThere) -> Known:
        is_so, wanted = None, condition.words
        if self._has_map:
            places = self.board.places(condition.at)
            is_so = self._is_on(places, wanted)
        where = say(f"rules.task.at_{condition.at}")
        return _state(name, "ground", is_so, words=_spoken(wanted), where=where)

    def _is_on(self, places: tuple[Hex, ...], words: tuple[str, ...]) -> bool | None:
        """Whether some ground is in a hex; None where its terrain is unknown and could be that."""
        here = [self.board.words_in(one) for one in places]
        if any(not one.isdisjoint(words) for one in here):
            return True
        could_be = not self.now.pack.words("terrain").isdisjoint(words)
        return None if could_be and any(UNKNOWN in one for one in here) else False

    def _hexside(self, name: str, condition: SideThere) -> Known:
        is_so = self.board.is_on_side(condition) if self._has_map else None
        key = "hexside_blown" if condition.state == "blown" else "hexside"
        return _state(name, key, is_so, words=_spoken(condition.words))

    def _company(self, name: str, condition: Company) -> Known:
        is_so: bool | None = None
        if self._has_map:
            is_so = self.board.stands_with(condition.who)
            printed = self._is_on((self.now.unit.hex,), condition.ground)
            is_so = None if printed is not False and not is_so else is_so
        return _state(name, "company", is_so, who=_spoken(condition.who))

    def _near_ground(self, name: str, condition: NearGround) -> Known:
        is_so = self.board.is_near(condition) if self._has_map else None
        words = _spoken(condition.ground)
        return _state(name, "near_ground", is_so, words=words, n=condition.n)

    def _formation_on_map(self, name: str, condition: FormationThere) -> Known:
        is_so = bool(self.board.comrades) if self._has_map else None
        return _state(name, "formation_on_map", is_so)

    def _in_range(self, name: str, condition: InRange) -> Known:
        value = self._value(condition.value)
        is_so = None
        if self._has_map and value is not None:
            is_so = self.board.away() <= value
        known = _state(name, "in_range", is_so, n="?" if value is None else value)
        if self._has_map:
            known = replace(known, word=condition.value, ask="on_counter")
        return known

    def _observed(self, name: str, condition: Observed) -> Known:
        is_so = None
        if self._has_map and condition.unseen is not None:
            is_so = self.board.counts_as_seen(condition.unseen) or None
        return _state(name, "observed", is_so)

    def _nationality(self, name: str, condition: OfNation) -> Known:
        unit, side = self.now.unit, self.now.pack.sides.get(self.now.unit.side)
        nation = unit.unit.nationality if unit.unit else ""
        if not nation and side is not None and len(side.nationalities) == 1:
            nation = side.nationalities[0]
        is_so = nation in condition.words if nation else None
        return _state(name, "nationality", is_so, words=_spoken(condition.words))

    def _in_turns(self, name: str, condition: InTurns) -> Known:
        first, last = condition.first_turn, condition.last_turn
        turn, scenario = self.now.turn, self.now.scenario
        in_time: bool | None = first is None and last is None
        if not in_time:
            in_time = None if turn is None else (first or 1) <= turn <= (last or turn)
        in_scenario: bool | None = not condition.scenarios
        if not in_scenario:
            in_scenario = None if scenario is None else scenario in condition.scenarios
        is_so = None if None in (in_time, in_scenario) else True
        if in_time is False or in_scenario is False:
            is_so = False
        assumed = is_so is None and condition.usual is not None
        scenarios = ", ".join(condition.scenarios)
        key = "in_turns" if scenarios else "in_turns_any"
        key = key if first or last else "in_scenario"
        is_so = condition.usual if assumed else is_so
        known = _state(name, key, is_so, turns=_span(first, last), scenarios=scenarios)
        return replace(known, assumed=assumed, ask="turn_unsaid")

    def _any_of(self, name: str, condition: AnyOf) -> Known:
        ways = {
            inner: one
            for inner, one in condition.of.items()
            if self.concerns(one.sides, one.classes, one.not_for) is not False
        }
        parts = [(self.known(inner, one), one.holds) for inner, one in ways.items()]
        fulfilled = [(known, holds) for known, holds in parts if known.is_so is holds]
        open_ = [known for known, _ in parts if known.is_so is None]
        either = f" {say('rules.task.or')} ".join(one.told(so=so) for one, so in parts)
        neither = f" {say('rules.task.and')} ".join(one.told(so=not so) for one, so in parts)
        if not fulfilled:
            word = open_[0].word if open_ else name
            return Known(None if open_ else False, either, neither, word)
        one, so = min(fulfilled, key=lambda part: part[0].assumed)  # what is known goes first
        return Known(True, one.told(so=so), neither, name, one.assumed, instead=one.otherwise)

    def _all_of(self, name: str, condition: AllOf) -> Known:
        parts = [(self.known(inner, one), one.holds) for inner, one in condition.of.items()]
        broken = [(known, holds) for known, holds in parts if known.is_so is (not holds)]
        open_ = [known for known, _ in parts if known.is_so is None]
        every = f" {say('rules.task.and')} ".join(one.told(so=so) for one, so in parts)
        if broken:
            return Known(False, every, broken[0][0].told(so=not broken[0][1]), name)
        lacking = f" {say('rules.task.or')} ".join(one.told(so=not so) for one, so in parts)
        if open_:
            return Known(None, every, lacking, open_[0].word, ask=open_[0].ask)
        taken = next((one for one, _ in parts if one.assumed), None)
        return Known(
            True, every, lacking, name, taken is not None, instead=taken.otherwise if taken else ""
        )

    def _from_hexes(self, name: str, condition: FromHexes) -> Known:
        is_so = None
        if self._has_map and self.now.target is not None:
            field, target = self.board.field, self.now.target
            aimed = isinstance(target, Hex) and field.label(target) == condition.target
            is_so = not aimed or field.label(self.now.unit.hex) in condition.hexes
        hexes = ", ".join(condition.hexes)
        known = _state(name, "from_hexes", is_so, target=condition.target, hexes=hexes)
        return _usually(known, condition.usual)

    def _weather(self, name: str, condition: InWeather) -> Known:
        weather, titles = self.now.weather, self.now.pack.weather
        is_so = None if weather is None else weather in condition.words
        words = ", ".join(titles[word].title for word in condition.words)
        return _usually(_state(name, "weather", is_so, words=words), condition.usual)

    @property
    def _has_map(self) -> bool:
        return self.now.battlefield is not None


def _state(name: str, key: str, is_so: bool | None, **values: str | int) -> Known:
    yes = say(f"rules.task.{key}_yes", **values)
    return Known(is_so, yes, say(f"rules.task.{key}_no", **values), name)


def _usually(known: Known, usual: bool | None) -> Known:
    """Take for granted what is usual, where nobody knows better."""
    if known.is_so is not None or usual is None:
        return known
    return replace(known, is_so=usual, assumed=True)


def _bounded(
    n: int | None, bounds: Bounded, told: str, word: str, *, assumed: bool = False
) -> Known:
    low, high = bounds.at_least, bounds.at_most
    is_so = None
    if n is not None:
        is_so = (low is None or low <= n) and (high is None or n <= high)
    limits = [
        say("rules.task.at_least", n=low) if low is not None else "",
        say("rules.task.at_most", n=high) if high is not None else "",
    ]
    text = f"{told} ({', '.join(filter(None, limits))})"
    return Known(is_so, text, text, word, assumed, "number_unsaid")


def _span(first: int | None, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(last) if (first or 1) == last else f"{first or 1}–{last}"


def _spoken(words: tuple[str, ...]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)


_LOOK_UPS: Mapping[str, Callable[[Circumstances, str, Any], Known]] = {
    "said": Circumstances._said,
    "count": Circumstances._count,
    "printed": Circumstances._printed,
    "level": Circumstances._level,
    "enemy_zone": Circumstances._enemy_zone,
    "enemy_within": Circumstances._enemy_within,
    "within": Circumstances._within,
    "free_path": Circumstances._free_path,
    "supplied": Circumstances._supplied,
    "ground": Circumstances._ground,
    "hexside": Circumstances._hexside,
    "company": Circumstances._company,
    "near_ground": Circumstances._near_ground,
    "formation_on_map": Circumstances._formation_on_map,
    "in_range": Circumstances._in_range,
    "observed": Circumstances._observed,
    "nationality": Circumstances._nationality,
    "in_turns": Circumstances._in_turns,
    "from_hexes": Circumstances._from_hexes,
    "weather": Circumstances._weather,
    "any_of": Circumstances._any_of,
    "all_of": Circumstances._all_of,
}
