"""The judge of tables: one look-up, in a results table, a check, a table of events or a cup."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.combat.as_data import faces_data, look_up_data, sum_data
from rules.combat.circumstances import require_words, table_words
from rules.combat.consequences import Consequence, consequences
from rules.combat.events import event_faces, what_it_does
from rules.combat.look_up import (
    LookUp,
    look_up,
    look_up_check,
    natural_roll,
    number_changes,
)
from rules.combat.odds import Face
from rules.combat.reasons import (
    column_reasons,
    drm_reasons,
    drms_to_read,
    effect_reasons,
    final_reasons,
    number_reasons,
    shift_reasons,
    to_read,
)
from rules.errors import RulesError
from rules.pack import Pack
from rules.ruling import Reason, Ruling
from rules.schema.events import Cup
from rules.schema.tables import Check, Table


@dataclass(frozen=True)
class Entry:
    """How a table is entered: by column, ratio or factors, with circumstances and a roll.

    *asked* is the number a check is held against, *by* the word that decides it.
    """

    column: str | None = None
    number: Fraction | None = None
    said: Mapping[str, int | None] = field(default_factory=dict)
    roll: int | None = None
    asked: int | None = None
    by: str | None = None
    procedure: str | None = None


@dataclass(frozen=True)
class TableJudge:
    """Looks things up in the tables of one game."""

    pack: Pack

    def names(self) -> tuple[str, ...]:
        """Return the names of all tables, checks, tables of events and cups."""
        events = self.pack.events
        more = (*events.tables, *events.cups) if events else ()
        return (*self.pack.tables, *self.pack.checks, *more)

    def die_of(self, name: str) -> str | None:
        """Return the dice a table is rolled with; None where there are none, or none known."""
        found = self._find(name)
        die = None if isinstance(found, Cup) else found.die
        return None if die is None else str(die)

    def rule(self, name: str, entry: Entry) -> Ruling:
        """Return what a table says.

        Raises:
            RulesError: there is no such table, or it is entered with what it does not have.
        """
        word = name.replace("-", "_")
        found = self._find(word)
        if isinstance(found, Table):
            return self._table(word, found, entry)
        if isinstance(found, Check):
            return self._check(word, found, entry)
        return (
            self._cup(word, found, entry) if isinstance(found, Cup) else self._events(word, entry)
        )

    def _find(self, name: str) -> Any:
        word = name.replace("-", "_")
        events = self.pack.events
        more = (events.tables, events.cups) if events else ()
        for tables in (self.pack.tables, self.pack.checks, *more):
            if word in tables:
                return tables[word]
        raise RulesError(
            f"{self.pack.title} has no table '{name}'; there is: "
            f"{', '.join(self.names()) or 'none in the pack'}"
        )

    def _table(self, name: str, table: Table, entry: Entry) -> Ruling:
        require_words(entry.said, table_words(self.pack, table, entry.procedure), table.title)
        found = look_up(
            table,
            number=entry.number,
            column=entry.column,
            said=entry.said,
            procedure=entry.procedure,
        )
        face = _rolled(found.faces, entry.roll)
        missing = tuple(to_read(found))
        reasons = [
            _table_verdict(found, face),
            *column_reasons(table, found.start),
            *shift_reasons(found, None),
            *final_reasons(found),
            *drm_reasons(found.drms, table.card),
            *([] if found.cell is None else [_cell_reason(found.cell, table)]),
            *missing,
        ]
        effects = self._effects(table, entry, face)
        reasons += self._told_effects(table, effects)
        working = {"name": name, **look_up_data(self.pack, found), **_roll_data(face)}
        if effects:
            working["effects"] = [
                {
                    "side": one.side,
                    "does": one.effect.does,
                    "n": one.number,
                    "check": one.effect.check,
                }
                for one in effects
            ]
        parts = [f"tables.{name}.shifts.{line.word}" for line in found.shifts.lines]
        parts += [f"tables.{name}.known"] if table.columns is None else []
        about = self.pack.assumptions_about(*parts)
        return _ruling(table.cite, _verdict(found, face), reasons, working, about, missing)

    def _effects(self, table: Table, entry: Entry, face: Face | None) -> tuple[Consequence, ...]:
        if face is None:
            return ()
        return consequences(
            self.pack, table, face.result, procedure=entry.procedure, said=entry.said
        )

    def _told_effects(self, table: Table, effects: tuple[Consequence, ...]) -> Iterator[Reason]:
        """Tell all that a cell does, and off whom the first loss comes."""
        for one in effects:
            yield from effect_reasons(self.pack, one)
        grammar = self.pack.results.get(table.results or "")
        loses = any(one.effect.does == "lose_steps" for one in effects)
        if grammar is not None and grammar.first_loss and loses:
            note: dict[str, str | int] = {"note": grammar.first_loss}
            yield Reason("rules.combat.note", note, grammar.first_loss_cite or grammar.cite)

    def _check(self, name: str, check: Check, entry: Entry) -> Ruling:
        require_words(entry.said, check.words, check.title)
        shown, drms = look_up_check(check, entry.said, number=entry.asked, by=entry.by)
        changes = number_changes(check, entry.said)
        face = _rolled(shown, entry.roll)
        lacking = (*drms_to_read(drms, check.title), *drms_to_read(changes, check.title))
        missing = tuple(lacking)
        reasons = [
            _roll_reason(check.title, face, check.cite, unread=bool(missing)),
            *_natural_reasons(check, entry, face),
            *number_reasons(changes, check.title),
            *drm_reasons(drms, check.title),
            *missing,
        ]
        working = {
            "name": name,
            "table": check.title,
            "drms": sum_data(drms),
            **({"number_changes": sum_data(changes)} if changes.lines else {}),
            **({} if shown is None else faces_data(check.die, shown)),
            **_roll_data(face),
        }
        verdict = face.result if face else "unknown" if missing else "odds"
        about = self.pack.assumptions_about(f"checks.{name}")
        return _ruling(check.cite, verdict, reasons, working, about, missing)

    def _cup(self, name: str, cup: Cup, entry: Entry) -> Ruling:
        """Return what a cup holds; with the marker that was drawn, what that does."""
        events = self.pack.events
        if events is None or (entry.by is not None and entry.by not in cup.markers):
            raise RulesError(
                f"{cup.title}: no marker '{entry.by}'; there is: {', '.join(cup.markers)}"
            )
        drawn = cup.markers if entry.by is None else {entry.by: cup.markers[entry.by]}
        first, last = cup.first_turn, cup.last_turn
        turns = f"{first}+" if last is None else f"{first}–{last}"
        told: dict[str, str | int] = {"table": cup.title, "turns": turns}
        reasons = [Reason("rules.combat.cup", told, cup.cite)]
        for word, marker in drawn.items():
            event = events.events[word]
            values: dict[str, str | int] = {"title": event.title, "says": what_it_does(event)}
            key = "marker_returns" if marker.returns else "marker_leaves"
            reasons.append(Reason(f"rules.combat.{key}", values, event.cite))
        unread = [word for word, marker in cup.markers.items() if marker.count is None]
        missing: tuple[Reason, ...] = ()
        if entry.by is None and unread:
            words: dict[str, str | int] = {"table": cup.title, "words": ", ".join(unread)}
            missing = (Reason("rules.combat.cup_unread", words, cup.cite),)
        working = {
            "name": name,
            "table": cup.title,
            "turns": turns,
            "markers": {
                word: {"count": one.count, "returns": one.returns, "side": events.events[word].side}
                for word, one in drawn.items()
            },
        }
        verdict = entry.by or ("unknown" if unread else "odds")
        about = self.pack.assumptions_about(f"events.cups.{name}")
        return _ruling(cup.cite, verdict, [*reasons, *missing], working, about, missing)

    def _events(self, name: str, entry: Entry) -> Ruling:
        events = self.pack.events
        if events is None:
            raise RulesError(f"{self.pack.title} has no events")
        table = events.tables[name]
        require_words(entry.said, frozenset(table.drms), table.title)
        shown, drms = event_faces(events, name, entry.said)
        face = _rolled(shown, entry.roll)
        told = None if face is None else events.events[face.result].title
        unread = tuple(drms_to_read(drms, table.title))
        reasons = [
            _roll_reason(table.title, face, table.cite, told, unread=bool(unread)),
            *drm_reasons(drms, table.title),
        ]
        working = {
            "name": name,
            "table": table.title,
            "drms": sum_data(drms),
            **({} if shown is None else faces_data(table.die, shown)),
            **_roll_data(face),
        }
        if face is not None:
            event = events.events[face.result]
            for number in range(1, max(len(event.times), 1) + 1):
                if says := what_it_does(event, number):
                    time = f"{number}. " if event.times else ""
                    reasons.append(Reason("rules.combat.note", {"note": time + says}, event.cite))
            working |= {"then": event.then, "side": event.side}
        unsaid = [one.title for word, one in table.drms.items() if word not in entry.said]
        missing = (
            *unread,
            *(Reason("rules.combat.unsaid", {"title": title}) for title in unsaid),
        )
        verdict = face.result if face else "unknown" if unread else "odds"
        return _ruling(table.cite, verdict, [*reasons, *missing], working, (), missing)


def _ruling(
    cite: str,
    verdict: str,
    reasons: list[Reason],
    working: Mapping[str, Any],
    assumptions: tuple[str, ...],
    missing: tuple[Reason, ...] = (),
) -> Ruling:
    cites = [cite, *(one.cite for one in reasons if one.cite)]
    return Ruling(
        question="table",
        verdict=verdict,
        reasons=tuple(reasons),
        cites=tuple(dict.fromkeys(cites)),
        working=working,
        assumptions=assumptions,
        missing=missing,
    )


def _natural_reasons(check: Check, entry: Entry, face: Face | None) -> Iterator[Reason]:
    roll = None if face is None else natural_roll(check, entry.said, face.rolled)
    if face is not None and roll is not None:
        yield Reason("rules.combat.natural", {"roll": face.rolled}, roll.cite)


def _rolled(shown: tuple[Face, ...] | None, roll: int | None) -> Face | None:
    if shown is None or roll is None:
        return None
    return next((face for face in shown if face.rolled == roll), None)


def _roll_data(face: Face | None) -> dict[str, Any]:
    return {} if face is None else {"roll": face.rolled, "result": face.result}


def _verdict(found: LookUp, face: Face | None) -> str:
    if found.automatic is not None:
        return "automatic"
    if face is not None:
        return face.result
    if found.cell is not None:
        return found.cell
    if found.table.rolled and found.table.die is None:
        return "unknown"
    return found.used or ("unknown" if found.used is None else "odds")


def _roll_reason(
    title: str, face: Face | None, cite: str, result: str | None = None, *, unread: bool = False
) -> Reason:
    if unread:
        return Reason("rules.combat.roll_unknown", {"table": title}, cite)
    if face is None:
        return Reason("rules.combat.table_odds", {"table": title}, cite)
    values: dict[str, str | int] = {"table": title, "roll": face.rolled}
    return Reason("rules.combat.table_rolled", {**values, "result": result or face.result}, cite)


def _cell_reason(cell: str, table: Table) -> Reason:
    return Reason("rules.combat.cell", {"result": cell}, table.cite)


def _table_verdict(found: LookUp, face: Face | None) -> Reason:
    table = found.table
    values: dict[str, str | int] = {"procedure": table.title, "table": table.title}
    if found.automatic is not None:
        values["result"] = found.automatic.result or ""
        side = found.automatic.on or "attacker"
        return Reason(f"rules.combat.automatic_{side}", values, found.automatic.cite)
    if face is not None:
        return _roll_reason(table.title, face, table.cite)
    if found.used is None:
        return Reason("rules.combat.unknown", values, table.cite)
    if not found.used and table.die is None and table.rolled:
        return Reason("rules.combat.no_dice", {"table": table.title}, table.cite)
    if not found.used:
        return Reason("rules.combat.table_odds", {"table": table.title}, table.cite)
    return Reason(
        "rules.combat.table_column", {"table": table.title, "column": found.used}, table.cite
    )
