"""What a result means: its effects in the game's order of losses, with the rule of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.combat.losses import Blow
from rules.combat.modifiers import Said
from rules.combat.result_words import Result, parse_result
from rules.combat.table_check import halves
from rules.pack import Pack
from rules.ruling import Reason
from rules.schema.results import Effect
from rules.schema.tables import Table

_SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True)
class Consequence:
    """One effect on one side. *side* is "target" where a fire hits its target alone."""

    side: str
    word: str
    effect: Effect
    number: int | None

    @property
    def told(self) -> str:
        """What it does, in the pack's words."""
        return self.effect.title.replace("#", str(self.number))


def consequences(
    pack: Pack, table: Table, cell: str, *, procedure: str | None, said: Said
) -> tuple[Consequence, ...]:
    """Return all that a cell does, in order: the attacker's half first."""
    if table.results is None:
        return ()
    found: list[Consequence] = []
    sides = _SIDES if table.two_sided else ("target",)
    for side, half in zip(sides, halves(table, cell), strict=True):
        found += _of_half(pack, table.results, half, side, procedure, said)
    return tuple(found)


def automatic_consequences(
    pack: Pack, table: Table, result: str, side: str, *, procedure: str | None, said: Said
) -> tuple[Consequence, ...]:
    """Return what an automatic result does to the side it falls on."""
    if table.results is None:
        return ()
    return tuple(_of_half(pack, table.results, result, side, procedure, said))


def lowered_to(one: Consequence, said: Said) -> tuple[int, int] | None:
    """Return a number on the map before and after, where somebody told it; None: nothing falls."""
    rule = one.effect.lowers
    was = None if rule is None else said.get(rule.number)
    if rule is None or was is None:
        return None
    lowest = rule.lowest_there if rule.hexside in said else rule.lowest
    return was, max(was - 1, min(was, lowest))


def lowering(one: Consequence, said: Said) -> Reason | None:
    """Tell to what a number on the map falls, or that it falls no lower."""
    fall, rule = lowered_to(one, said), one.effect.lowers
    if fall is None or rule is None:
        return None
    was, now = fall
    values: dict[str, str | int] = {"what": rule.number.replace("_", " "), "was": was, "now": now}
    return Reason(f"rules.combat.{'lowered' if now < was else 'lowest'}", values, rule.cite)


def blow_of(found: tuple[Consequence, ...], side: str) -> Blow:
    """Return what one side suffers in numbers."""
    mine = [one for one in found if one.side == side]
    return Blow(
        steps=sum(one.number or 0 for one in mine if one.effect.does == "lose_steps"),
        points=sum(one.number or 0 for one in mine if one.effect.does == "disorganize"),
        retreat=any(one.effect.does == "retreat" for one in mine),
    )


def _of_half(
    pack: Pack, results: str, half: str, side: str, procedure: str | None, said: Said
) -> list[Consequence]:
    grammar = pack.results[results]
    result = parse_result(grammar, half)
    order = pack.losses.order if pack.losses else ()
    ranks = {"lose_steps": "steps", "disorganize": "disorganization"}

    def rank(one: Consequence) -> int:
        kind = ranks.get(one.effect.does)
        return order.index(kind) if kind in order else len(order)

    found = [
        Consequence(
            grammar.effects[word].on or side, word, grammar.effects[word], result.numbers.get(word)
        )
        for word in _effects(grammar.effects, result)
        if _holds(grammar.effects[word], procedure, said)
    ]
    return sorted(found, key=rank)


def _effects(effects: dict[str, Effect], result: Result) -> Iterator[str]:
    """The effects of a result with all that comes along, each once."""
    seen: list[str] = []
    waiting = list(result.effects)
    while waiting:
        word = waiting.pop(0)
        if word not in seen:
            seen.append(word)
            waiting += effects[word].also
    yield from seen


def _holds(effect: Effect, procedure: str | None, said: Said) -> bool:
    if any(word in said for word in effect.unless):
        return False
    if procedure is None:
        return not effect.only_in
    return procedure not in effect.not_in and (not effect.only_in or procedure in effect.only_in)
