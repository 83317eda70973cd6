"""Several dice of which a player takes one: what each brings, and what a double means."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rules.combat.modifiers import Said
from rules.combat.odds import Face, odds
from rules.errors import RulesError
from rules.ruling import Reason
from rules.schema.combat import Pick, Procedure
from rules.schema.dice import parse_dice


def pick_of(procedure: Procedure, said: Said) -> Pick | None:
    """Return the rule by which somebody picks a die here, where it was said to hold."""
    return next((pick for word, pick in procedure.picks.items() if word in said), None)


def split_pick(texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return rolls with the dice that were put aside taken out of the first: `3/5` takes the 3.

    >>> split_pick(["3/5", "2"])
    (('3', '2'), ('5',))
    """
    if not texts:
        return (), ()
    taken, *aside = texts[0].split("/")
    return (taken, *texts[1:]), tuple(aside)


def require_picked(procedure: Procedure, pick: Pick | None, taken: int, aside: int) -> None:
    """Raise RulesError where another number of dice was thrown than the rule asks for."""
    if pick is None and aside:
        raise RulesError(
            f"{procedure.title}: one die is thrown; who picks one of several is said with --with "
            f"({', '.join(procedure.picks) or 'nobody does here'})"
        )
    if pick is not None and taken and aside != pick.dice - 1:
        dice = "/".join(str(number) for number in range(3, 3 + pick.dice))
        raise RulesError(
            f"{pick.title}: write all {pick.dice} dice, the one you take first: --roll {dice}"
        )


def pick_reasons(
    pick: Pick | None, die: str | None, shown: Iterable[Face], rolls: Sequence[int]
) -> Iterator[Reason]:
    """Tell how many dice are thrown, what the others would have brought, and of a double."""
    if pick is None or die is None:
        return
    if not rolls:
        _, sides = parse_dice(die)
        chance = str(Fraction(1, sides ** (pick.dice - 1)))
        values: dict[str, str | int] = {"what": pick.title, "chance": chance, "double": pick.double}
        yield Reason("rules.combat.pick", values, pick.cite)
        return
    results = {face.rolled: face.result for face in shown}
    for other in rolls[1:]:
        if other in results:
            told: dict[str, str | int] = {"taken": rolls[0], "other": other}
            yield Reason("rules.combat.picked", {**told, "result": results[other]}, pick.cite)
    if len(set(rolls)) == 1:
        yield Reason("rules.combat.note", {"note": pick.double}, pick.cite)


def picked_odds(pick: Pick | None, shown: Iterable[Face] | None) -> dict[str, str]:
    """Return how often each result is there to be taken: on at least one of the dice."""
    if pick is None or shown is None:
        return {}
    return {result: str(1 - (1 - chance) ** pick.dice) for result, chance in odds(shown).items()}
