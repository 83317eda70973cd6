"""The judge of tasks: may a unit do this now, what does it need, how long does it take, what then?

Digging, turning guns, blowing bridges, rallying, declaring assaults: each is data of its game, a
list of conditions that are ticked off one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from mapkit.hexes import Hex
from mapkit.notation import format_place
from rules.combat.circumstances import require_words
from rules.combat.look_up import look_up_check
from rules.combat.reasons import drms_to_read
from rules.errors import RulesError
from rules.judges.task_conditions import Circumstances
from rules.judges.task_situation import Finding, Situation, State
from rules.judges.zones import assumed_zones
from rules.pack import Pack
from rules.ruling import Reason, Ruling
from rules.schema.open_points import Assumption
from rules.schema.tables import Check
from rules.schema.tasks import Effect, Level, Takes, Task, each_condition, said_word

Verdict = Literal["allowed", "not_allowed", "depends_on_roll", "unknown"]
Values = dict[str, str | int]


def find_task(pack: Pack, name: str) -> Task:
    """Return a task of a game by its name.

    Raises:
        RulesError: the game has no such task.
    """
    word = name.replace("-", "_")
    if word not in pack.tasks:
        known = ", ".join(pack.tasks) or "none in the pack"
        raise RulesError(f"{pack.title} has no task '{name}'; there is: {known}")
    return pack.tasks[word]


def words_of(task: Task, pack: Pack) -> frozenset[str]:
    """Return every word that can be said about a task."""
    inside = (*each_condition(task.conditions), *each_condition(task.finish))
    words = {word for name, one in inside for word in (name, said_word(name, one))}
    words |= {one.value for _, one in inside if one.kind == "in_range"}
    words |= {one.points for one in task.takes if one.points}
    checks = [word for word in (task.check, *(one.or_roll for _, one in inside)) if word]
    for check in (pack.checks[word] for word in checks):
        words |= {check.threshold.asks} if check.threshold and check.threshold.asks else set()
        words |= check.words
    return frozenset(words)


@dataclass(frozen=True)
class TaskJudge:
    """Rules on the tasks of one unit in one situation."""

    now: Situation

    def rule(self, name: str) -> Ruling:
        """Return whether the unit may do it, with each condition and what comes of it.

        Raises:
            RulesError: there is no such task, nothing it is aimed at, or a word it does not know.
        """
        task = self._task(name)
        found = [*self._of_the_unit(task), *self._circumstances.find(task.conditions)]
        verdict = _verdict(task, [one.state for one in found])
        reasons = [self._head(f"rules.task.{verdict}", task)]
        reasons += [Reason("rules.task.must", {}, task.cite)] if task.must else []
        reasons += [one.reason for one in found]
        reasons.append(_when(task))
        open_: list[Reason] = []
        if verdict != "not_allowed":
            rolled = list(self._rolls(task, found))
            open_ = [reason for reason in rolled if reason.key == "rules.task.roll_on_counter"]
            reasons += [*rolled, *self._what_follows(task)]
        return Ruling(
            question="task",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=_cites(reasons),
            working=self._working(name, task, found, verdict),
            assumptions=self._assumptions(name, found),
            missing=(*self._missing(found), *open_),
        )

    def rule_finish(self, name: str) -> Ruling:
        """Return whether a work begun earlier is completed now, or was broken off.

        Raises:
            RulesError: it is no work that lasts.
        """
        task = self._task(name)
        if not task.finish:
            raise RulesError(f"'{name}' is done at once: there is nothing to finish later")
        found = list(self._circumstances.find(task.finish))
        states = {one.state for one in found}
        verdict = "broken_off" if "broken" in states else "finished"
        verdict = "unknown" if verdict == "finished" and "unknown" in states else verdict
        key = "rules.task.unknown" if verdict == "unknown" else f"rules.task.{verdict}"
        reasons = [self._head(key, task), *(one.reason for one in found)]
        if verdict != "broken_off":
            reasons += self._effects(task)
        return Ruling(
            question="task_finish",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=_cites(reasons),
            working=self._working(name, task, found, verdict),
            assumptions=self._assumptions(name, found),
            missing=self._missing(found),
        )

    @cached_property
    def _circumstances(self) -> Circumstances:
        return Circumstances(self.now)

    def _task(self, name: str) -> Task:
        task, now = find_task(self.now.pack, name), self.now
        require_words(dict(now.said), words_of(task, now.pack), task.title)
        if now.battlefield is not None and task.target != "none":
            is_hex = isinstance(now.target, Hex)
            if now.target is None or is_hex != (task.target == "hex"):
                shown = "1534" if task.target == "hex" else "1534/1535"
                raise RulesError(
                    f"{task.title}: name the {task.target} it is aimed at: --target {shown}"
                )
        return task

    def _of_the_unit(self, task: Task) -> Iterator[Finding]:
        """Who may do it at all, and when."""
        cite, phase = task.who_cite or task.cite, self.now.phase
        if task.sides:
            who = ", ".join(self.now.pack.sides[side].title for side in task.sides)
            is_so: bool | None = self.now.unit.side in task.sides
            yield _finding("side", is_so, ("side", "side_not"), {"who": who}, task.cite)
        if task.who:
            who, is_so = _spoken(task.who), self._circumstances.is_one_of(task.who)
            yield _finding("class", is_so, ("who", "who_not"), {"who": who}, cite)
        if task.not_for and (barred := self._circumstances.is_one_of(task.not_for)) is not False:
            who, cite = _spoken(task.not_for), task.not_for_cite or cite
            yield _finding(
                "class", False if barred else None, ("", "who_barred"), {"who": who}, cite
            )
        if phase and phase not in (*task.phases, task.step):
            yield _finding("phase", False, ("", "wrong_phase"), {"phase": phase}, task.cite)

    def _head(self, key: str, task: Task) -> Reason:
        places = []
        if self.now.battlefield is not None:
            places.append(self.now.battlefield.label(self.now.unit.hex))
            if self.now.target is not None:
                target = format_place(self.now.target, self.now.battlefield.map.numbering)
                places.append(target)
        where = f" ({' → '.join(places)})" if places else ""
        return Reason(key, {"what": f"{task.told()}{where}"}, task.cite)

    # What is rolled, what it costs, how long it takes, what it does.

    def _rolls(self, task: Task, found: list[Finding]) -> Iterator[Reason]:
        for word in _checks(task, found):
            check = self.now.pack.checks[word]
            asked = check.threshold.asks if check.threshold else None
            number = None if asked is None else self._number(asked)
            if asked is not None and number is None:
                values: Values = {"check": check.title, "value": asked.replace("_", " ")}
                yield Reason("rules.task.roll_on_counter", values, check.cite)
                continue
            yield from self._outcomes(check, number)

    def _outcomes(self, check: Check, number: int | None) -> Iterator[Reason]:
        by = None if self.now.turn is None else str(self.now.turn)
        said = {word: n for word, n in self.now.said.items() if n and word in check.words}
        if self.now.weather in check.words and self.now.weather not in self.now.said:
            said[self.now.weather or ""] = 1
        faces, drms = look_up_check(check, said, number=number, by=by)
        yield from drms_to_read(drms, check.title)
        rolls: dict[str, list[int]] = {}
        for face in faces or ():
            rolls.setdefault(face.result, []).append(face.rolled)
        for result, totals in rolls.items():
            values: Values = {"roll": ", ".join(_runs(totals)), "what": result}
            yield Reason("rules.task.outcome", values, check.cite)

    def _number(self, word: str) -> int | None:
        printed = self.now.said.get(word, self.now.unit.value(word))
        return None if printed is None else int(printed)

    def _what_follows(self, task: Task) -> Iterator[Reason]:
        if task.cost is not None:
            free = task.cost.free_for.get(self.now.unit.side)
            points: Values = {
                "n": task.cost.n,
                "points": task.cost.points,
                "each": task.cost.for_each,
            }
            if free is None:
                yield Reason(f"rules.task.cost_{task.cost.of}", points, task.cost.cite)
            else:
                yield Reason("rules.task.cost_free", {}, free)
        yield from self._takes(task)
        if self._lasts(task):
            for name, one in task.finish.items():
                what = self._circumstances.known(name, one).told(so=not one.holds)
                yield Reason("rules.task.breaks_off", {"what": what}, one.cite)
        yield from self._effects(task)
        yield from (Reason("rules.task.note", {"note": one.says}, one.cite) for one in task.notes)

    def _takes(self, task: Task) -> Iterator[Reason]:
        for one in task.takes:
            level = self._level(one)
            if not self._is_meant(one.classes) or (level is not None and level < one.level):
                continue
            if one.points is not None and one.below is not None:
                yield self._recovers(task, one, one.points, one.below)
            elif one.turns is not None:
                values: Values = {"n": one.turns, "ready": ", ".join(one.ready)}
                time = "now" if one.turns == 1 else "later"
                key = f"{time}_level" if level is None and one.level else time
                yield Reason(f"rules.task.takes_{key}", {**values, "level": one.level}, one.cite)
            if level is not None or not one.level:
                return

    def _lasts(self, task: Task) -> bool:
        """Whether it goes on beyond this turn, as far as anybody knows."""
        return any(not one.key.startswith("rules.task.takes_now") for one in self._takes(task))

    def _recovers(self, task: Task, one: Takes, status: str, below: int) -> Reason:
        mine = [effect for effect in task.effects if effect.does == "adds"]
        added = sum(
            effect.n for effect in mine if effect.word == status and self._is_meant(effect.classes)
        )
        title = self.now.pack.statuses[status].told()
        unit, told = self.now.unit, {**self.now.unit.statuses, **self.now.said}
        if status not in told and unit.unit is None:  # nobody described the unit
            asked: Values = {"below": below, "status": title, "word": status}
            return Reason("rules.task.takes_unsaid", asked, one.cite)
        points = told.get(status, 0) + added
        values: Values = {"n": max(0, points - below + 1), "below": below, "status": title}
        return Reason("rules.task.takes_points", values, one.cite)

    def _level(self, one: Takes) -> int | None:
        """The level the work starts from; None where nobody knows it."""
        if one.marker is None:
            return 0
        condition = Level(kind="level", marker=one.marker, at_least=0, cite=one.cite)
        said = self.now.said.get(one.marker)
        if said is None and self.now.battlefield is not None:
            return self._circumstances.board.level(condition)
        return said

    def _effects(self, task: Task) -> Iterator[Reason]:
        for effect in task.effects:
            if self._is_meant(effect.classes):
                values: Values = {"what": effect.says or self._title(effect), "n": effect.n}
                yield Reason(f"rules.task.does_{effect.does}", values, effect.cite)

    def _title(self, effect: Effect) -> str:
        word, pack = effect.word or "", self.now.pack
        if word in pack.markers and effect.does in _OF_MARKERS:
            return pack.markers[word].told()
        if word in pack.statuses:
            return pack.statuses[word].told()
        return pack.combat[word].title if word in pack.combat else ""

    def _is_meant(self, classes: tuple[str, ...]) -> bool:
        return not classes or self._circumstances.is_one_of(classes) is True

    def _assumptions(self, name: str, found: list[Finding]) -> tuple[str, ...]:
        """The open questions this rests on; a condition that is met anyway raises none."""
        word, pack = name.replace("-", "_"), self.now.pack
        met = {one.name for one in found if one.state == "fulfilled"}
        mine = [
            id_
            for id_ in pack.assumptions_about(f"tasks.{word}")
            if not _only_waives(pack.assumptions[id_], f"tasks.{word}", met)
            and (self._lasts(pack.tasks[word]) or not _only_takes(pack.assumptions[id_], word))
        ]
        looked_up = self._circumstances.board.supply.values()
        others = [one for ruling in looked_up for one in ruling.assumptions]
        return tuple(dict.fromkeys((*mine, *others)))

    def _missing(self, found: list[Finding]) -> tuple[Reason, ...]:
        field = self.now.battlefield
        zones = () if field is None else assumed_zones(field, self.now.enemies, self.now.weather)
        return (*(one.reason for one in found if one.state == "unknown"), *zones)

    def _working(self, name: str, task: Task, found: list[Finding], verdict: str) -> dict[str, Any]:
        field, now = self.now.battlefield, self.now
        target = None
        if field is not None and now.target is not None:
            target = format_place(now.target, field.map.numbering)
        effects = [one for one in task.effects if self._is_meant(one.classes)]
        return {
            "task": name.replace("-", "_"),
            "title": task.title,
            "phases": list(task.phases),
            "step": task.step,
            "must": task.must,
            "side": now.unit.side,
            "class": now.unit.class_,
            "hex": None if field is None else field.label(now.unit.hex),
            "target": target,
            "conditions": [one.as_data() for one in found],
            "rolls": list(_checks(task, found)) if verdict != "not_allowed" else [],
            "effects": [{"does": one.does, "word": one.word, "n": one.n} for one in effects],
        }


_OF_MARKERS = frozenset({"raises", "lowers", "clears", "lays", "takes_off"})


def _finding(
    name: str, is_so: bool | None, keys: tuple[str, str], values: Values, cite: str
) -> Finding:
    """A finding about the unit itself: its side, its class, the phase."""
    state: State = "unknown" if is_so is None else "fulfilled" if is_so else "broken"
    key = "who_unsaid" if is_so is None else keys[0] if is_so else keys[1]
    return Finding(name, name, state, Reason(f"rules.task.{key}", values, cite), name)


def _runs(totals: list[int]) -> Iterator[str]:
    """Rolls as they are spoken: those that follow each other as one run."""
    for total in totals:
        if total - 1 not in totals:
            last = total
            while last + 1 in totals:
                last += 1
            yield str(total) if last == total else f"{total}–{last}"


def _verdict(task: Task, states: list[str]) -> Verdict:
    if "broken" in states:
        return "not_allowed"
    if "unknown" in states:
        return "unknown"
    return "depends_on_roll" if task.check or "roll" in states else "allowed"


def _checks(task: Task, found: list[Finding]) -> Iterator[str]:
    """The rolls it comes to: the task's own, and those of conditions that are not fulfilled."""
    if task.check is not None:
        yield task.check
    for one in found:
        if one.roll is not None:
            yield one.roll


def _only_waives(assumption: Assumption, task: str, met: set[str]) -> bool:
    """Whether its other answers could only drop conditions of the task that are met anyway."""
    part = f"{task}.conditions."
    about = [one for one in assumption.about if one == task or one.startswith(f"{task}.")]
    changes = [path for other in assumption.alternatives.values() for path in other.set]
    return all(
        one.startswith(part) and one.removeprefix(part).partition(".")[0] in met for one in about
    ) and all(path.endswith(".waived") for path in changes)


def _only_takes(assumption: Assumption, task: str) -> bool:
    """Whether it only asks how long the task takes."""
    about = [one for one in assumption.about if one.startswith(f"tasks.{task}")]
    return all(one.startswith(f"tasks.{task}.takes") for one in about)


def _when(task: Task) -> Reason:
    phases = ", ".join(task.phases)
    if task.step:
        return Reason("rules.task.in_step", {"phases": phases, "step": task.step}, task.cite)
    return Reason("rules.task.in_phase", {"phases": phases}, task.cite)


def _cites(reasons: list[Reason]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.cite for one in reasons if one.cite))


def _spoken(words: tuple[str, ...]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)
