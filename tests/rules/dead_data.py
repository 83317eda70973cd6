"""No dead data: every value of a pack that a judge should read changes some answer.

Each value set under the sections below is changed in turn, and the battery of questions must
answer something else. A key that nobody reads is a rule that nobody applies.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, zip_longest
from typing import Any

import pytest
from pydantic import ValidationError

from mapkit.errors import MapkitError
from rules.cases import load_cases, rule_case
from rules.pack import Pack
from rules.registry import pack_folder
from tests.rules.judges.battery import ASKED, answers
from tests.rules.judges.positions import PACKS

SECTIONS = (
    "sight",
    "supply",
    "zones",
    "movement",
    "levels",
    "weather",
    "terrain",
    "features",
    "hexsides",
    "links",
)
# Whom to ask first; where they notice nothing, everybody is asked.
FIRST_ASKED = {
    "sight": ("sight", "guns"),
    "supply": ("supply",),
    "zones": ("zones", "fire", "movement"),
    "movement": ("movement",),
}
STRICT = ("sight", "supply", "zones", "movement", "stacking")
WORDS_FOR_READERS = ("cite", "title", "titles", "sign")  # told, or kept to be looked up
MOST_NOT_JUDGED = 10  # hundredths of a pack's keys

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all values that are set, and of each member of a list of words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in WORDS_FOR_READERS and not str(key).endswith("_cite"):
                yield from leaves(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    elif value is not None:
        yield path


def set_values(pack: Pack) -> dict[str, Any]:
    return pack.model_dump(exclude_unset=True)


def leaves_of(pack: Pack) -> list[Path]:
    data = set_values(pack)
    return [path for section in SECTIONS for path in leaves(data.get(section), (section,))]


LEAVES = [
    pytest.param(pack, path, id=f"{pack.id}: {'.'.join(map(str, path))}")
    for pack in PACKS
    for path in leaves_of(pack)
]


def changed(pack: Pack, path: Path) -> Iterator[Pack]:
    """Yield the pack with one value changed, in every way that still is a pack."""
    for value in candidates(pack, path):
        data = set_values(pack)
        *parents, last = path
        place: Any = data
        for step in parents:
            place[step] = list(place[step]) if isinstance(place[step], tuple) else place[step]
            place = place[step]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
        try:
            yield Pack.model_validate(data)
        except (ValidationError, ValueError):
            continue


REMOVED = object()


def candidates(pack: Pack, path: Path) -> Iterator[Any]:
    value: Any = set_values(pack)
    for step in path:
        value = value[step]
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 3, 0)
    elif isinstance(value, Fraction):
        yield from (value + 1, value / 2)
    elif isinstance(path[-1], int):
        yield REMOVED
    yield from words(pack, value) if isinstance(value, str) else ()


def words(pack: Pack, value: str) -> Iterator[str]:
    """Yield words that may stand in the place of a word: choices of the schema, the pack's own."""
    schema = str(Pack.model_json_schema())
    for choice in CHOICES:
        if choice != value and f"'{choice}'" in schema:
            yield choice
    yield from ("level > 90", "level = 90", "2020")
    own = [*pack.statuses, *pack.groups, "steps", *pack.words("hexsides"), *pack.words("terrain")]
    yield from (word for word in own if word != value)


CHOICES = (
    "command_range",
    "unit_in_command",
    "traced",
    "distance",
    "both_block",
    "either_blocks",
    "ignored",
    "observer",
    "either",
    "target",
    "stop",
    "go_on",
    "zones",
    "adjacent",
    "entered",
    "both",
    "never",
    "first_only",
    "whole",
)


class Said:
    """What a pack answers as it is: asked once, and only as far as it is needed."""

    def __init__(self, pack: Pack, asked: tuple[str, ...]) -> None:
        self._known: list[Any] = []
        self._rest = answers(pack, pack, asked)

    def __iter__(self) -> Iterator[Any]:
        yield from self._known
        for one in self._rest:
            self._known.append(one)
            yield one


@cache
def said(game: str, asked: tuple[str, ...]) -> Said:
    return Said(next(pack for pack in PACKS if pack.id == game), asked)


def differs(pack: Pack, base: Pack, asked: tuple[str, ...] = ASKED) -> bool:
    nothing = object()
    both = zip_longest(said(base.id, asked), answers(pack, base, asked), fillvalue=nothing)
    return any(one != other for one, other in both)


@cache
def examples(game: str) -> tuple[tuple[Any, Any], ...]:
    """The worked examples of a pack, each with what the pack answers as it is."""
    pack = next(pack for pack in PACKS if pack.id == game)
    return tuple((case, answered(pack, case)) for case in load_cases(pack_folder(game)))


def answered(pack: Pack, case: Any) -> Any:
    try:
        ruling = rule_case(pack, case)
    except MapkitError as error:
        return str(error)
    return ruling.verdict, ruling.working, ruling.reasons, ruling.missing, ruling.cites


def cases_differ(pack: Pack, base: Pack) -> bool:
    return any(answered(pack, case) != before for case, before in examples(base.id))


@pytest.mark.slow
@pytest.mark.no_cover  # it runs what the other tests run, thousands of times
@pytest.mark.parametrize(("pack", "path"), LEAVES)
def test_every_value_changes_some_answer(pack: Pack, path: Path) -> None:
    name = ".".join(map(str, path))
    if any(name.startswith(key) for key in not_judged(pack)):
        pytest.skip("the pack says that nobody judges by it")
    others = list(islice(changed(pack, path), 4))
    assert others, f"{name}: no other value was found to try"
    first = FIRST_ASKED.get(str(path[0]), ASKED)
    if not any(cases_differ(other, pack) for other in others) and not any(
        differs(other, pack, asked) for asked in (first, ASKED) for other in others
    ):
        pytest.fail(f"{name}: {len(others)} other values, and not one answer changes")


def not_judged(pack: Pack) -> list[str]:
    return [key for one in pack.not_judged.values() for key in one.keys]


@pytest.mark.parametrize("pack", PACKS, ids=[pack.id for pack in PACKS])
def test_little_is_left_unjudged_and_nothing_players_argue_about(pack: Pack) -> None:
    names = [".".join(map(str, path)) for path in leaves_of(pack)]
    unjudged = [name for name in names if any(name.startswith(key) for key in not_judged(pack))]
    assert 100 * len(unjudged) <= MOST_NOT_JUDGED * len(names)
    assert not [key for key in not_judged(pack) if key.partition(".")[0] in STRICT]
    assert all(one.why for one in pack.not_judged.values())


@pytest.mark.slow
@pytest.mark.no_cover
def test_a_key_that_nobody_reads_would_be_seen() -> None:
    """The battery does not tell two packs apart that differ only in a title."""
    pack = PACKS[0]
    other = pack.model_copy(update={"publisher": "somebody else"})
    assert not differs(other, pack)
