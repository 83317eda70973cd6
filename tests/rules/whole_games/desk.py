"""Questions of the combat desk: every table, check and combat, with cells that are made up.

No figure here is of any printed game. What a game says of its tables is asked on them, whatever
the cards print.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

from mapkit.errors import MapkitError
from rules.battlefield import Battlefield
from rules.case_maps import CaseMap
from rules.case_units import placed_units
from rules.combat.losses import Blow, Occasion, Target
from rules.combat.result_words import pieces_of
from rules.judges.combat import CombatJudge, Fight
from rules.judges.combat_desk import Spot, fight_there
from rules.judges.losses import rule_losses, rule_weakened
from rules.judges.tables import Entry, TableJudge
from rules.pack import Pack
from rules.ruling import Ruling
from rules.schema.events import Cup
from rules.schema.results import Grammar
from rules.schema.tables import Check, Table
from tests.rules.whole_games.bare_ground import case_field
from tests.rules.whole_games.changes import replaced
from tests.rules.whole_games.games import Game
from tests.rules.whole_games.listings import Question
from tests.rules.whole_games.readers import made_unseen

FACTORS = ("1", "2-3", "4-6", "7+")
RATIOS = ("1:2", "1:1", "2:1", "3:1", "4:1")
MOST_FILLED = 16
STRENGTHS = ((1, 9), (3, 5), (11, 3), (9, 1), (3, 0))
VALUES = "combat=6:bombardment=9:bombardment_indirect=5:machine_guns=3:barrage=4:morale=4:range=5"
GUNS = ("heavy_artillery",)
STATES = ("disorganization", "fire_mode", "out_of_command")
AT, FROM, FAR, AWAY = "1010", "1011", "1014", "1018"
BEHIND = "1009"  # on the other side of AT


def at_the_desk(game: Game) -> Iterator[Question]:
    """Yield questions on all tables and combats; *game* only tells which there are."""
    pack = game.pack
    for name, table in pack.tables.items():
        yield from (_look_up(name, procedure) for procedure in (None, *pack.combat))
        for word, one in table.shifts.items():
            others = [other for other in pack.combat if other not in one.procedures][:1]
            for procedure in (*one.procedures, *others) if one.procedures else (None,):
                yield _look_up(name, procedure, word)
                yield from (_look_up(name, procedure, word, other) for other in one.unless)
        for word in table.drms:
            yield _look_up(name, None, word)
        for group in table.groups:
            mine = [word for word, one in table.shifts.items() if one.group == group]
            yield _one_of_a_group(name, table.shifts[mine[0]].procedures[:1], mine)
    for name, check in pack.checks.items():
        yield _check(name, check)
    for name in pack.events.tables if pack.events else ():
        yield _events(name)
    for name, cup in (pack.events.cups if pack.events else {}).items():
        yield _cup(name, cup)
    for name in pack.combat:
        for word in (None, *sorted(CombatJudge(pack).words(name))):
            yield _combat(name, word)
        yield from _on_the_map(pack, name)
        yield _losses(name)
    yield _weakened


def filled(pack: Pack) -> Pack:
    """Return a pack with made-up cells and amounts wherever its tables have none."""
    if id(pack) not in _FILLED:
        if len(_FILLED) > MOST_FILLED:
            _FILLED.clear()
        tables = {name: _filled(pack, one) for name, one in pack.tables.items()}
        _FILLED[id(pack)] = pack, pack.model_copy(update={"tables": tables})
    made = _FILLED[id(pack)][1]
    found: Pack = made_unseen(("pack",), lambda: made)
    return found


_FILLED: dict[int, tuple[Pack, Pack]] = {}  # most questions ask for one of the last few again


def _filled(pack: Pack, table: Table) -> Table:
    shifts = {}
    for word, one in table.shifts.items():
        shifts[word] = one
        if one.valued and one.by_value is None:
            shifts[word] = replaced(one, ("by_value",), {"<=1": -1, "2": -2, "3+": 1})
        elif not one.valued and one.amount is None:
            shifts[word] = replaced(one, ("amount",), -1)
    update: dict[str, Any] = {"shifts": shifts}
    if table.rows is None:
        unknown = RATIOS if table.kind == "ratio" else FACTORS
        columns = table.known.columns if table.known else unknown
        cells = _cells(pack, table)
        update["columns"] = columns
        update["rows"] = {
            str(row): tuple(cells[(3 * row + n) % len(cells)] for n in range(len(columns)))
            for row in _rolls(table)
        }
    return table.model_copy(update=update)


def _rolls(table: Table) -> range:
    """The rows of a table: one for each roll of its dice, and one where nobody rolls."""
    dice = 2 if str(table.die) == "2d6" else 1
    return range(dice, 6 * dice + 1) if table.rolled else range(1, 2)


def _cells(pack: Pack, table: Table) -> list[str]:
    """Cells in all forms that results are written in, with all they may have and with nothing."""
    if table.results is None:
        return list("abcde")
    grammar: Grammar = pack.results[table.results]
    halves = [_written(one.form, whole) for one in grammar.forms for whole in (True, False)]
    if not table.two_sided:
        return halves
    return [f"{one} | {other}" for one, other in zip(halves, halves[1:] + halves[:1], strict=True)]


def _written(form: str, whole: bool) -> str:
    parts = []
    for piece in pieces_of(form):
        if piece.kind in ("text", "number"):
            parts.append(piece.before if piece.kind == "text" else "2")
        elif whole:
            parts.append(piece.before + ("" if piece.kind == "mark" else f"1{piece.after}"))
    return "".join(parts)


def _look_up(name: str, procedure: str | None, *words: str) -> Question:
    """Read a table in all columns under some circumstances."""

    def of(game: Game) -> Any:
        pack = filled(game.pack)
        columns = pack.tables[name].columns or ()
        plain = [word for word, one in pack.tables[name].shifts.items() if one.amount]
        plain += [word for word, one in pack.tables[name].drms.items() if not one.each]
        said = {word: None if word in plain else 2 for word in words}
        entries = [Entry(number=Fraction(2), said=said, procedure=procedure)]
        for number, column in enumerate(columns):
            rolls = _rolls(pack.tables[name])
            roll = rolls[number % len(rolls)] if pack.tables[name].rolled else None
            entries.append(Entry(column=column, said=said, roll=roll, procedure=procedure))
        found = [tried(TableJudge(pack).rule, name, entry) for entry in entries]
        if not words:
            found.append(tried(TableJudge(game.pack).rule, name, Entry(number=Fraction(2))))
        return found

    return of


def _one_of_a_group(name: str, procedures: tuple[str, ...], words: list[str]) -> Question:
    """Say all of a group at once, the first of them worth one more."""

    def of(game: Game) -> Any:
        pack = filled(game.pack)
        table = pack.tables[name]
        first = table.shifts[words[0]]
        other = first.model_copy(update={"amount": (first.amount or 0) + 1})
        shifts = {**table.shifts, words[0]: other}
        tables = {**pack.tables, name: table.model_copy(update={"shifts": shifts})}
        changed = made_unseen(("pack",), lambda: pack.model_copy(update={"tables": tables}))
        entry = Entry(
            column=(table.columns or ("",))[-1],
            said=dict.fromkeys(words),
            procedure=next(iter(procedures), None),
        )
        return tried(TableJudge(changed).rule, name, entry)

    return of


def tried(rule: Callable[..., Ruling], *asked: Any) -> Any:
    """Return all of a ruling that players see, or why the judge refuses."""
    try:
        return _plain(rule(*asked))
    except MapkitError as error:
        return str(error)


def _plain(ruling: Any) -> Any:
    told = (ruling.verdict, ruling.working, ruling.reasons, ruling.missing, ruling.cites)
    return (*told, ruling.assumptions)


def _check(name: str, check: Check) -> Question:
    by = next(iter(check.threshold.by), None) if check.threshold else None

    def of(game: Game) -> Any:
        judge = TableJudge(game.pack)
        words = [*check.drms, *(check.threshold.changes if check.threshold else ())]
        said: list[dict[str, int | None]] = [{}, *({word: n} for word in words for n in (None, 2))]
        return [
            tried(judge.rule, name, Entry(said=told, roll=roll, asked=3, by=by))
            for told in said
            for roll in range(1, 7)
        ] + [tried(judge.rule, name, Entry(roll=1)), *_grouped(game.pack, name, by)]

    return of


def _grouped(pack: Pack, name: str, by: str | None) -> Iterator[Any]:
    """Say two modifiers of a check at once, one of a group, which is worth one more."""
    check = pack.checks[name]
    for group in check.groups:
        words = [word for word, one in check.drms.items() if one.group == group]
        for first in words[:2]:
            one = check.drms[first]
            other = one.model_copy(update={"amount": (one.amount or 0) + 1})
            drms = {**check.drms, first: other}
            checks = {**pack.checks, name: check.model_copy(update={"drms": drms})}
            changed = made_unseen(
                ("pack",), lambda checks=checks: pack.model_copy(update={"checks": checks})
            )
            for said in ([first, word] for word in check.drms if word != first):
                entry = Entry(said=dict.fromkeys(said), roll=4, asked=3, by=by)
                yield tried(TableJudge(changed).rule, name, entry)


def _events(name: str) -> Question:
    def of(game: Game) -> Any:
        assert game.pack.events is not None
        table = game.pack.events.tables[name]
        judge = TableJudge(game.pack)
        said: list[dict[str, int | None]] = [{}]
        said += [{word: n} for word in table.drms for n in (1, -1)]
        return [
            tried(judge.rule, name, Entry(said=told, roll=roll))
            for told in said
            for roll in range(1, 7)
        ]

    return of


def _cup(name: str, cup: Cup) -> Question:
    """Look into a cup, and draw each of its markers."""

    def of(game: Game) -> Any:
        judge = TableJudge(game.pack)
        return [tried(judge.rule, name, Entry(by=by)) for by in (None, *cup.markers)]

    return of


def _combat(name: str, word: str | None) -> Question:
    """Fight at several strengths, with some rolls, under one circumstance."""

    def of(game: Game) -> Any:
        found = []
        for number, (attack, defend) in enumerate(STRENGTHS):
            pack = filled(game.pack) if number else game.pack
            procedure = pack.combat[name]
            units = {
                side: tuple(
                    Target(f"{side} {n}", class_, 2, 1, {"morale": 3, "bombardment": 4})
                    for n, class_ in enumerate(list(pack.classes)[:2])
                )
                for side in ("attacker", "defender", "target")
            }
            fight = Fight(
                name,
                {term: Fraction(attack) for term in procedure.attack},
                {term: Fraction(defend) for term in procedure.defend},
                {} if word is None else {word: 2 if number % 2 else None},
                (1 + number % 6, 2) if number > 1 else (),
                units,
                {side: members[0].name for side, members in units.items()},
            )
            found.append(tried(CombatJudge(pack).rule, fight))
        return found

    return of


def _on_the_map(pack: Pack, name: str) -> Iterator[Question]:
    """Fight on every ground, over every hexside, up and down, in every weather, by every class."""
    grounds = [f"{word} 2" for word in pack.terrain]
    grounds += [f"clear 2 {word}:{side}" for word in pack.features for side in pack.sides]
    grounds += ["clear 6", "clear 1"]
    for ground, here in product(grounds, (AT, FROM)):
        yield _fight(name, {here: ground}, {}, None, "infantry")
    for word in pack.hexsides:
        yield _fight(name, {}, {word: (f"{AT}/{FROM}",)}, None, "infantry")
        yield _fight(name, {}, {word: (f"{AT}/{BEHIND}",)}, None, "infantry")
    for weather in pack.weather:
        for ground in ("clear 2", "clear 6", "high_mountain 9"):
            yield _fight(name, {AT: ground}, {}, weather, "heavy_artillery")
        yield _fight(name, {FROM: "high_mountain 9"}, {}, weather, "infantry")
    for class_ in pack.classes:
        yield _fight(name, {}, {}, None, class_, by_all=True)


def _fight(
    name: str,
    hexes: dict[str, str],
    hexsides: dict[str, tuple[str, ...]],
    weather: str | None,
    class_: str,
    *,
    by_all: bool = False,
) -> Question:
    case = CaseMap(ground="clear 2", hexes=hexes, hexsides=hexsides)

    def of(game: Game) -> Any:
        pack = filled(game.pack)
        field = numbered(case_field(pack, case, (AT, FROM, AWAY)))
        ours, theirs = tuple(pack.sides)
        found = []
        spots = zip((FROM, FAR, AWAY), STATES, strict=True)
        for place, status in islice(spots, None if class_ in GUNS or by_all else 1):
            units = placed_units(field, ours, [f"{place}:{class_}:{VALUES}:{status}=1"])
            units += placed_units(field, ours, [f"{FROM}:infantry:{VALUES}"])
            enemies = placed_units(field, theirs, [f"{AT}:{class_}:{VALUES}:{status}=1"])
            sources = tuple(dict.fromkeys(unit.hex for unit in units))
            spot = Spot(field, field.hex(AT), sources, weather, (*units, *enemies))
            fight = Fight(name, {}, rolls=(6, 2))
            found.append(tried(_fought, pack, fight, spot))
        return found

    return of


def numbered(field: Battlefield) -> Battlefield:
    """Return a battlefield on which all works have a number: trenches of level 2."""
    hexes = {
        hex_: replace(here, features=tuple(replace(one, value=2) for one in here.features))
        for hex_, here in field.ground.hexes.items()
    }
    sides = {
        side: tuple(replace(one, value=2) for one in features)
        for side, features in field.ground.hexsides.items()
    }
    return replace(field, ground=replace(field.ground, hexes=hexes, hexsides=sides))


def _fought(pack: Pack, fight: Fight, spot: Spot) -> Ruling:
    return CombatJudge(pack).rule(fight_there(pack, fight, spot))


def _losses(procedure: str) -> Question:
    def of(game: Game) -> Any:
        pack = game.pack
        found = []
        for class_, blow, near in product(
            pack.classes, (Blow(1, 0, False), Blow(2, 2, True), Blow(0, 3, False)), (True, False)
        ):
            for first in (class_, "infantry"):
                values = {"morale": 3, "bombardment": 2, "combat": 4}
                units = [Target(first, first, 2, 1, values), Target("b", "infantry", 2, 0, values)]
                units += [Target("c", class_, 1, 2, values)]
                occasion = Occasion(procedure, first, near)
                found.append(_plain(rule_losses(pack, units, blow, occasion)))
        return found

    return of


def _weakened(game: Game) -> Any:
    return [
        _plain(rule_weakened(game.pack, class_, value, 6, points))
        for class_ in game.pack.classes
        for value in ("bombardment", "combat", "machine_guns")
        for points in (1, 2)
    ]
