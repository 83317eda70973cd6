"""Every value the judges of The Italian Front should read changes the answer to some case."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from pydantic import ValidationError

from mapkit.errors import MapkitError
from rules.cases import load_cases, rule_case
from rules.pack import Pack
from rules.registry import find_pack, pack_folder

GAME = "caporetto-front"
PACK = find_pack(GAME)
# The parts that are read, and the judges whose cases should notice.
ASKED = {
    "terrain": ("movement", "zones"),
    "hexsides": ("movement",),
    "links": ("movement",),
    "weather": ("movement",),
    "movement": ("movement",),
    "zones": ("zones", "movement", "supply"),
    "supply": ("supply",),
    "stacking": ("stacking",),
    "retreat": ("retreat",),
    "command": ("command",),
    "tables": ("combat", "fight"),
    "checks": ("table",),
    "combat": ("combat", "fight"),
    "losses": ("losses",),
}
FOR_READERS = {"cite", "title", "titles", "card", "notes", "success", "failure", "outcomes", "die"}
# What cases cannot put: a unit elsewhere raises the limit, and nationalities.
ELSEWHERE = ("stacking.pools.units.raised", "stacking.nations")
# What only the owner's table decides by, what could stand for nothing else, and mere cites.
TOLD = (
    "tables.crt.kind",
    "tables.crt.rounding",
    "tables.crt.results",
    "tables.crt.two_sided",
    "combat.attack.table",
    "combat.attack.changes.attackers_out_of_supply.of",
    "combat.attack.changes.defenders_out_of_supply.of",
    "hexsides.river.crossed_by",
    "stacking.measure",
    "stacking.never",
    "movement.immobile",
    "movement.still",
    "losses.order",
)

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in FOR_READERS and not str(key).endswith("_cite"):
                yield from leaves(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    elif value is not None:
        yield path


def values() -> dict[str, Any]:
    return PACK.model_dump(exclude_unset=True, by_alias=True)


def read_leaves() -> Iterator[Path]:
    data = values()
    for part in ASKED:
        for path in leaves(data[part], (part,)):
            name = ".".join(map(str, path))
            if not name.startswith((*ELSEWHERE, *TOLD)):
                yield path


def others(path: Path) -> Iterator[Pack]:
    """Yield the pack with one value changed, in every way that still is a pack."""
    for value in candidates(path):
        data: Any = values()
        place = data
        for step in path[:-1]:
            place[step] = list(place[step]) if isinstance(place[step], tuple) else place[step]
            place = place[step]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
        try:
            yield Pack.model_validate(data)
        except (ValidationError, ValueError):
            continue


def candidates(path: Path) -> Iterator[Any]:
    value: Any = values()
    for step in path:
        value = value[step]
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 3)
    elif isinstance(value, Fraction):
        yield from (value + 1, value / 2)
    elif isinstance(path[-1], int):
        yield None
    else:
        words = ("whole", "never", "go_on", "shut", "up", "keep", "attack", "defense", "defend")
        words += ("at_most", "at_least", "assault", "eliminated", "goes_back", "friends", "nobody")
        words += ("down",)
        own = (*PACK.groups, *PACK.words("hexsides"), *PACK.statuses, *PACK.tables)
        yield from (word for word in (*words, *own) if word != value)
        yield from (1, 3)


@cache
def answers(judges: tuple[str, ...]) -> tuple[tuple[Any, Any], ...]:
    cases = [case for case in load_cases(pack_folder(GAME)) if case.judge in judges]
    return tuple((case, answered(PACK, case)) for case in cases if not case.values)


def answered(pack: Pack, case: Any) -> Any:
    try:
        ruling = rule_case(pack, case)
    except MapkitError as error:
        return str(error)
    return ruling.verdict, ruling.working, ruling.reasons


def notices(pack: Pack, judges: tuple[str, ...]) -> bool:
    return any(answered(pack, case) != before for case, before in answers(judges))


@pytest.mark.slow
@pytest.mark.parametrize("path", list(read_leaves()), ids=lambda path: ".".join(map(str, path)))
def test_some_case_notices_a_change(path):
    tried = list(others(path))
    assert tried, "no other value was found to try"
    assert any(notices(other, ASKED[str(path[0])]) for other in tried)
