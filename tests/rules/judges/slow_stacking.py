"""The rules of stacking of two games a second time: plain counting, all that is unknown tried out.

Written from the rulebooks and not from the packs. S is Strafexpedition 1916, C is Caporetto 1917.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

S_CLASSES = [
    "infantry",
    "mountain_infantry",
    "alpini",
    "bersaglieri",
    "militia",
    "border_guards",
    "mountain_artillery",
    "field_artillery",
    "heavy_artillery",
    "fortress",
    "headquarters",
]
C_CLASSES = [
    "infantry",
    "mountain_infantry",
    "assault_infantry",
    "bersaglieri",
    "cyclists",
    "cavalry",
    "machine_guns",
    "engineers",
    "flamethrower",
    "light_artillery",
    "medium_artillery",
    "heavy_artillery",
    "minenwerfer",
    "headquarters",
]
C_GUNS = ("light_artillery", "medium_artillery", "heavy_artillery", "minenwerfer")


@dataclass(frozen=True)
class Counter:
    """A unit of the slow judge; None is what nobody said."""

    class_: str | None
    size: str | None = "battalion"
    mode: str | None = "fire"
    regiment: str | None = None


def slow_stack(game: str, counters: list[Counter], *, high: bool | None) -> str:
    """Return the verdict on the counters of one side; *high* says if it is high mountain."""
    answers = {
        legal(list(whole), height)
        for whole in _completions(game, counters)
        for height in ((True, False) if high is None else (high,))
        for legal in ([_legal_s] if game == "strafexpedition" else [_legal_c])
    }
    if len(answers) > 1:
        return "unknown"
    return "within" if answers.pop() else "over"


def _legal_s(counters: list[Counter], high: bool) -> bool:
    """S 12.1: two units; S 12.2: one on Level 8; S 12.6: Fortresses and HQs stack for free."""
    counted = [one for one in counters if one.class_ not in ("fortress", "headquarters")]
    return len(counted) <= (1 if high else 2)


def _legal_c(counters: list[Counter], high: bool) -> bool:
    most = 1 if high else 2  # C 11.1 and its last sentence
    if sum(one.class_ == "flamethrower" for one in counters) > 1:  # C 21.4
        return False
    guns = [one for one in counters if one.class_ in C_GUNS]
    emplaced = [one for one in guns if one.mode == "fire"]
    if len(emplaced) > most:  # C 11.1, exception 3
        return False
    rest = [
        one
        for one in counters
        if one.class_ not in ("flamethrower", "headquarters") and one not in emplaced  # C 11.5
    ]
    tries = [rest]
    for at, one in enumerate(rest):  # C 11.5: one company of three kinds is free
        company = one.size == "company" or one.class_ == "machine_guns"
        if company and one.class_ in ("machine_guns", "mountain_infantry", "assault_infantry"):
            tries.append(rest[:at] + rest[at + 1 :])
    return any(_equivalents(left) <= most or _one_regiment(left) for left in tries)


def _equivalents(counters: list[Counter]) -> int:
    """C 3.0: a battalion, reduced or not; C 11.1.2: up to four companies; C 11.1: a moving gun."""
    large = small = 0
    for one in counters:
        if one.class_ in C_GUNS:
            large += 1
        elif one.size == "company" or one.class_ == "machine_guns":
            small += 1
        else:
            large += 1
    return large + (small + 3) // 4


def _one_regiment(counters: list[Counter]) -> bool:
    """C 11.1, exception 1: all units of one regiment; guns are of none."""
    if any(one.class_ in C_GUNS for one in counters):
        return False
    return len({one.regiment for one in counters}) <= 1


def _completions(game: str, counters: list[Counter]) -> Iterator[tuple[Counter, ...]]:
    """Yield the stack with everything unknown filled in, in every way."""
    regiments = sorted({one.regiment for one in counters if one.regiment} | {"new"})
    yield from product(
        *(set(_fillings(game, at, one, regiments)) for at, one in enumerate(counters))
    )


def _fillings(game: str, at: int, one: Counter, regiments: list[str]) -> Iterator[Counter]:
    is_s = game == "strafexpedition"
    classes = (S_CLASSES if is_s else C_CLASSES) if one.class_ is None else [one.class_]
    for class_ in classes:
        gun, hq = class_ in C_GUNS, class_ in ("headquarters", "flamethrower")
        sizes = ["battalion", "company"] if one.size is None else [one.size]
        modes = ["fire", "move"] if one.mode is None else [one.mode]
        own = [*regiments, f"own {at}"] if one.regiment is None else [one.regiment]
        yield from (
            replace(one, class_=class_, size=size, mode=mode, regiment=regiment)
            for size in (["-"] if is_s or gun or hq else sizes)
            for mode in (modes if gun and not is_s else ["-"])
            for regiment in (["-"] if is_s or gun or hq else own)
        )
