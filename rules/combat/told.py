"""Rulings on combat in words: the verdict, why, the numbers, and a small chart of the odds."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from mapkit.texts import say
from rules.pack import Pack
from rules.ruling import Ruling
from rules.spoken import spoken
from rules.told import told_ruling

_BAR = 24  # signs a certain result is long
_FULL, _EIGHTHS = "█", " ▏▎▍▌▋▊▉"


def told_combat(pack: Pack, ruling: Ruling) -> str:
    """Return a ruling on combat or on a table as text."""
    return "\n".join([told_ruling(pack, ruling), *_numbers(pack, ruling)])


def chart(odds: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each result: its odds as a fraction, and a bar of that length.

    >>> print(*chart({"-": "3/6", "D1": "3/6"}), sep="\\n")
    -   3/6  ████████████
    D1  3/6  ████████████
    """
    width = max(map(len, odds), default=0)
    chances = max(map(len, odds.values()), default=0)
    for result, chance in odds.items():
        yield f"{result.ljust(width)}  {chance.rjust(chances)}  {bar(Fraction(chance))}"


def bar(chance: Fraction) -> str:
    """Return a bar for a chance, to an eighth of a sign."""
    eighths = int(chance * _BAR * 8)
    whole, rest = divmod(eighths, 8)
    return (_FULL * whole + _EIGHTHS[rest]).rstrip()


def _numbers(pack: Pack, ruling: Ruling) -> Iterator[str]:
    working = ruling.working
    if "faces" not in working:
        return
    names = _titles(pack, working)
    yield say("rules.combat.faces", die=working["die"])
    rolls = [_told_face(face, names) for face in working["faces"]]
    yield from (f"  {line}" for line in rolls)
    yield say("rules.combat.odds")
    yield from (f"  {line}" for line in chart(_named(working["odds"], names)))
    if "odds_after_rerolls" in working:
        yield say("rules.combat.odds_after_rerolls")
        yield from (f"  {line}" for line in chart(working["odds_after_rerolls"]))
    if means := {name: mean for name, mean in working.get("expected", {}).items() if mean != "0"}:
        told = ", ".join(f"{name} {_mean(mean)}" for name, mean in means.items())
        yield say("rules.combat.expected", means=told)


def _told_face(face: Mapping[str, Any], names: Mapping[str, str]) -> str:
    roll = str(face["roll"])
    if face["modified"] != face["roll"]:
        roll += f" → {face['modified']}"
    return f"{roll}: {names.get(face['result'], face['result'])}"


def _named(odds: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    return {names.get(result, result): chance for result, chance in odds.items()}


def _titles(pack: Pack, working: Mapping[str, Any]) -> dict[str, str]:
    """The titles of events, and what a check brings; other results stand as they are printed."""
    if working.get("name") in pack.checks:
        results = dict.fromkeys(face["result"] for face in working["faces"])
        return {result: spoken(pack, result) for result in results}
    if pack.events is None or working.get("name") not in pack.events.tables:
        return {}
    return {name: spoken(pack, event.title) for name, event in pack.events.events.items()}


def _mean(text: str) -> str:
    mean = Fraction(text)
    hundredths = round(mean * 100)
    return f"{text} ({hundredths // 100}.{hundredths % 100:02d})" if "/" in text else text
