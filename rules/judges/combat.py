"""The judge of combat: from strengths to the column, every face, the odds and what follows.

Where a table is not entered, the ruling goes up to the column and says what to read on which card.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.combat.as_data import look_up_data, strength_data
from rules.combat.circumstances import require_words, table_words
from rules.combat.columns import Column
from rules.combat.consequences import (
    Consequence,
    automatic_consequences,
    blow_of,
    consequences,
    lowered_to,
    lowering,
)
from rules.combat.fates import fates
from rules.combat.look_up import (
    LookUp,
    look_up,
    look_up_check,
    reroll_of,
)
from rules.combat.losses import Occasion, Suffered, Target
from rules.combat.modifiers import Said
from rules.combat.odds import Face
from rules.combat.picks import pick_of, pick_reasons, picked_odds, require_picked
from rules.combat.reasons import (
    drm_reasons,
    effect_reasons,
    entry_reasons,
    final_reasons,
    shift_reasons,
    strength_reasons,
    to_read,
    told_ratio,
    unsaid,
)
from rules.combat.strengths import Strength, strength
from rules.combat.table_check import BETWEEN_SIDES, halves
from rules.errors import RulesError
from rules.judges.losses import fate_reason, fate_reasons, suffered_data
from rules.pack import Pack
from rules.ruling import Evidence, Reason, Ruling
from rules.schema.combat import Procedure
from rules.schema.losses import RoutTrace
from rules.schema.spans import span_of
from rules.schema.tables import Table


@dataclass(frozen=True)
class Fight:
    """One combat as the players put it. *attack* and *defend* hold factors by term.

    *rolls* are the dice thrown, the second where the first result asks to roll again; *aside* those
    thrown beside the first and not taken. *units* are the counters of a side that the result falls
    on, *first* whose morale was used. What decides the fight and nobody knows is *unsettled*: then
    there is no verdict.
    """

    procedure: str
    attack: Mapping[str, Fraction]
    defend: Mapping[str, Fraction] = field(default_factory=dict)
    said: Said = field(default_factory=dict)
    rolls: tuple[int, ...] = ()
    units: Mapping[str, tuple[Target, ...]] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    enemy_adjacent: bool = True
    rests_on: tuple[Evidence, ...] = ()
    printed: Mapping[str, Fraction] = field(default_factory=dict)
    more_reasons: tuple[Reason, ...] = ()
    unsettled: tuple[Reason, ...] = ()
    aside: tuple[int, ...] = ()


@dataclass(frozen=True)
class CombatJudge:
    """Rules on the combats of one game."""

    pack: Pack

    def rule(self, fight: Fight) -> Ruling:
        """Return the ruling on a combat.

        Raises:
            RulesError: the game has no such procedure, or does not know a circumstance.
        """
        procedure = self.procedure(fight.procedure)
        fight = replace(fight, procedure=fight.procedure.replace("-", "_"))
        require_words(fight.said, self.words(fight.procedure), procedure.title)
        table = self.pack.tables[procedure.table]
        pick = pick_of(procedure, fight.said)
        require_picked(procedure, pick, len(fight.rolls), len(fight.aside))
        attack = strength(procedure, "attack", fight.attack, fight.said, fight.printed)
        _require_attackers(procedure, fight, attack)
        defend = strength(procedure, "defend", fight.defend, fight.said)
        found = self._look_up(procedure, table, fight, attack, defend)
        outcome = None if fight.unsettled else self._outcome(table, found, fight)
        suffered = () if outcome is None else tuple(self._suffered(fight, outcome))
        verdict = "unknown" if fight.unsettled else _verdict(found)
        unread = (fate_reason(one) for one in suffered if one.to_read)
        missing = (*fight.unsettled, *to_read(found), *unread)
        left_out = tuple(unsaid(found, fight.said, fight.procedure))
        reasons = (
            _verdict_reason(procedure, found, verdict, unsettled=bool(fight.unsettled)),
            *([Reason("rules.combat.so_far")] if left_out and verdict != "unknown" else []),
            *fight.more_reasons,
            *strength_reasons(attack),
            *strength_reasons(defend),
            *entry_reasons(found, attack.total, defend.total if procedure.defend else None),
            *shift_reasons(found, procedure.cap_cite),
            *final_reasons(found),
            *drm_reasons(found.drms, table.card),
            *fight.unsettled,
            *to_read(found),
            *left_out,
            *self._outcome_reasons(table, outcome, fight.said),
            *(
                pick_reasons(pick, table.die, found.faces or (), (*fight.rolls[:1], *fight.aside))
                if found.automatic is None
                else ()
            ),
            *(reason for one in suffered for reason in fate_reasons(one, self._rout)),
            *self._die_reasons(procedure, fight),
            *(
                Reason("rules.combat.note", {"note": note})
                for note in procedure.notes
                if found.automatic is None  # cautions for those who roll
            ),
        )
        return Ruling(
            question="combat",
            verdict=verdict,
            reasons=reasons,
            cites=_cites(procedure.cite, reasons),
            working={
                "procedure": fight.procedure,
                "attack_total": str(attack.total),
                "defend_total": str(defend.total) if procedure.defend else None,
                "attack": strength_data(attack),
                **({"defend": strength_data(defend)} if procedure.defend else {}),
                **_ratio_data(procedure, attack, defend),
                **({} if fight.unsettled else look_up_data(self.pack, found)),
                **({"odds_to_pick": more} if (more := picked_odds(pick, found.faces)) else {}),
                **_outcome_data(outcome, suffered, fight.said),
            },
            assumptions=self.pack.assumptions_about(*_leans_on(procedure, fight, found, outcome)),
            rests_on=fight.rests_on,
            missing=missing,
        )

    def procedure(self, name: str) -> Procedure:
        """Return a procedure by its name."""
        word = name.replace("-", "_")
        if word not in self.pack.combat:
            known = ", ".join(self.pack.combat)
            raise RulesError(
                f"{self.pack.title} has no combat '{name}'; there is: {known or 'none in the pack'}"
            )
        return self.pack.combat[word]

    def words(self, name: str) -> frozenset[str]:
        """Return every circumstance that a procedure listens to."""
        procedure = self.procedure(name)
        table = self.pack.tables[procedure.table]
        words = table_words(self.pack, table, name.replace("-", "_")) | set(procedure.changes)
        for term in (*procedure.attack.values(), *procedure.defend.values()):
            words |= set(term.limit.lifted_by) if term.limit else set()
        for more in procedure.on_die.values():
            words |= set(more.unless)
        return words | set(procedure.picks)

    def _look_up(
        self,
        procedure: Procedure,
        table: Table,
        fight: Fight,
        attack: Strength,
        defend: Strength,
    ) -> LookUp:
        nobody = bool(procedure.defend) and not defend.total
        number = attack.total
        if procedure.defend and defend.total:
            number = attack.total / defend.total
        if nobody and table.zero_defender is None:
            raise RulesError(f"{procedure.title}: the defender's strength is 0: give --defend N")
        return look_up(
            table,
            number=number,
            said=fight.said,
            procedure=fight.procedure,
            no_defender=nobody,
        )

    def _outcome(self, table: Table, found: LookUp, fight: Fight) -> "_Outcome | None":
        """What was rolled, or what comes without a roll."""
        if found.automatic is not None and found.automatic.result is not None:
            side = found.automatic.on or "attacker"
            result = found.automatic.result
            effects = automatic_consequences(
                self.pack, table, result, side, procedure=fight.procedure, said=fight.said
            )
            return _Outcome(None, result, (), effects, False)
        if not fight.rolls or found.faces is None:
            return None
        rolled, *again = fight.rolls
        face = _face(found.faces, rolled, table.title)
        cell, open_ = self._rerolled(table, face.result, again)
        effects = consequences(self.pack, table, cell, procedure=fight.procedure, said=fight.said)
        return _Outcome(face, cell, tuple(again), effects, open_)

    def _rerolled(self, table: Table, cell: str, again: Sequence[int]) -> tuple[str, bool]:
        """A cell with its re-roll put in; and whether one is still to be thrown."""
        waiting = list(again)
        parts, open_ = [], False
        for half in halves(table, cell):
            check = reroll_of(self.pack, table, half)
            if check is None:
                parts.append(half)
            elif not waiting:
                parts.append(half)
                open_ = True
            else:
                rules = self.pack.checks[check]
                shown, _ = look_up_check(rules, {})
                parts.append(_face(shown or (), waiting.pop(0), rules.title).result)
        return f" {BETWEEN_SIDES} ".join(parts), open_

    def _outcome_reasons(
        self, table: Table, outcome: "_Outcome | None", said: Said
    ) -> Iterator[Reason]:
        if outcome is None:
            return
        if outcome.face is not None:
            values: dict[str, str | int] = {"roll": outcome.face.rolled, "result": outcome.result}
            yield Reason("rules.combat.rolled", values, table.cite)
        for one in outcome.effects:
            yield from effect_reasons(self.pack, one)
            if (fallen := lowering(one, said)) is not None:
                yield fallen
        grammar = self.pack.results.get(table.results or "")
        loses = any(one.effect.does == "lose_steps" for one in outcome.effects)
        if loses and grammar is not None and grammar.first_loss:
            note = {"note": grammar.first_loss}
            yield Reason("rules.combat.note", note, grammar.first_loss_cite or grammar.cite)
        if self.pack.losses is not None and _both_losses(outcome.effects):
            kinds = self.pack.losses.order
            key = "steps_first" if kinds[0] == "steps" else "points_first"
            yield Reason(f"rules.combat.{key}", {}, self.pack.losses.order_cite)

    def _suffered(self, fight: Fight, outcome: "_Outcome") -> Iterator[Suffered]:
        """What becomes of every unit that is named."""
        if self.pack.losses is None:
            return
        for side, units in fight.units.items():
            first, near = fight.first.get(side), fight.enemy_adjacent
            occasion = Occasion(fight.procedure, first, near, side)
            blow = blow_of(outcome.effects, side)
            yield from fates(self.pack.losses, self.pack.classes, units, blow, occasion)

    @property
    def _rout(self) -> RoutTrace | None:
        return None if self.pack.losses is None else self.pack.losses.rout

    def _die_reasons(self, procedure: Procedure, fight: Fight) -> Iterator[Reason]:
        """What a natural roll brings beside the result."""
        for span, more in procedure.on_die.items():
            if any(word in fight.said for word in more.unless):
                continue
            if not fight.rolls:
                values: dict[str, str | int] = {"roll": span, "what": more.title}
                yield Reason("rules.combat.on_die", values, more.cite)
            elif span_of((span,), fight.rolls[0]):
                yield Reason("rules.combat.note", {"note": more.title}, more.cite)


@dataclass(frozen=True)
class _Outcome:
    """What happened: the face, the result after re-rolls, what it does."""

    face: Face | None
    result: str
    again: tuple[int, ...]
    effects: tuple[Consequence, ...]
    open_: bool


def _face(shown: Sequence[Face], rolled: int, title: str) -> Face:
    """The face of a roll.

    Raises:
        RulesError: the dice that this is rolled with cannot show it.
    """
    for face in shown:
        if face.rolled == rolled:
            return face
    can = ", ".join(str(face.rolled) for face in shown)
    raise RulesError(f"{title}: its dice cannot show {rolled}; they show {can}")


def _require_attackers(procedure: Procedure, fight: Fight, attack: Strength) -> None:
    """Raise RulesError where a rule leaves none of those who would attack."""
    for word, change in procedure.changes.items():
        if not attack.total and change.factor == 0 and word in fight.said:
            raise RulesError(f"{procedure.title}: {change.title} [{change.cite}]")


def _leans_on(
    procedure: Procedure, fight: Fight, found: LookUp, outcome: "_Outcome | None"
) -> Iterator[str]:
    """The parts of the pack this fight made use of: only their open questions are told."""
    here, table = f"combat.{fight.procedure}", f"tables.{procedure.table}"
    for side, given in (("attack", fight.attack), ("defend", fight.defend)):
        yield from (f"{here}.{side}.{term}" for term, number in given.items() if number)
    yield from (f"{here}.changes.{word}" for word in procedure.changes if word in fight.said)
    yield from (f"{table}.shifts.{line.word}" for line in found.shifts.lines)
    if found.table.columns is None:
        yield f"{table}.known"
    if found.fixed_cite is not None:
        yield f"{table}.zero_defender"
    if isinstance(found.start, Column) and found.start.side in ("below", "above"):
        yield f"{table}.beyond"
    if found.shifts.net != found.shifts.total or found.shifts.cap_lifted:
        yield f"{table}.shift_cap"
    if outcome is not None and _both_losses(outcome.effects):
        yield "losses.order"
    for one in () if outcome is None else outcome.effects:
        if lowered_to(one, fight.said) is not None:
            yield f"results.{found.table.results}.effects.{one.word}.lowers"


def _outcome_data(
    outcome: "_Outcome | None", suffered: tuple[Suffered, ...], said: Said
) -> dict[str, Any]:
    if outcome is None:
        return {}
    data: dict[str, Any] = {"result": outcome.result, "roll_again": outcome.open_}
    if outcome.face is not None:
        data["roll"] = outcome.face.rolled
    data["consequences"] = [
        {
            "side": one.side,
            "does": one.effect.does,
            "n": one.number,
            "what": one.told,
            "cite": one.effect.cite,
            **({"statuses": list(one.effect.statuses)} if one.effect.statuses else {}),
            **({"was": fall[0], "now": fall[1]} if (fall := lowered_to(one, said)) else {}),
        }
        for one in outcome.effects
    ]
    data["units"] = {one.name: suffered_data(one) for one in suffered}
    return data


def _ratio_data(procedure: Procedure, attack: Strength, defend: Strength) -> dict[str, Any]:
    if not procedure.defend or not defend.total:
        return {}
    ratio = attack.total / defend.total
    return {"ratio": str(ratio), "ratio_told": told_ratio(ratio)}


def _verdict(found: LookUp) -> str:
    if found.automatic is not None:
        return "automatic"
    return found.used if found.used is not None else "unknown"


def _verdict_reason(
    procedure: Procedure, found: LookUp, verdict: str, *, unsettled: bool
) -> Reason:
    values: dict[str, str | int] = {"procedure": procedure.title, "table": found.table.title}
    if unsettled:
        return Reason("rules.combat.unsettled", values, procedure.cite)
    if found.automatic is not None:
        values |= {"result": found.automatic.result or ""}
        side = found.automatic.on or "attacker"
        return Reason(f"rules.combat.automatic_{side}", values, found.automatic.cite)
    if verdict == "unknown":
        return Reason("rules.combat.unknown", values, procedure.cite)
    return Reason("rules.combat.verdict", {**values, "column": verdict}, procedure.cite)


def _both_losses(effects: tuple[Consequence, ...]) -> bool:
    kinds = {one.effect.does for one in effects}
    return {"lose_steps", "disorganize"} <= kinds


def _cites(first: str, reasons: Sequence[Reason]) -> tuple[str, ...]:
    found = [first, *(cite for one in reasons for cite in one.cite.split(", ") if cite)]
    return tuple(dict.fromkeys(found))
