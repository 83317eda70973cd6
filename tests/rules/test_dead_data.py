"""No dead data: every value of a pack changes some answer.

Each value is changed in turn, and somebody must answer otherwise: a judge, a table, a task, the
turn keeper, a list or sheet, the rules at hand. A key that nobody reads is a rule that nobody
applies. What is kept for reading only stands in the pack's `not_judged`, with its reason.

All values take minutes: `make dead-data`. Else one in twenty-four is tried, always the same ones.
"""

import os
from collections.abc import Iterator
from itertools import islice
from zlib import crc32

import pytest

from mapkit.texts import use
from tests.rules.whole_games.changes import Path, Words, changed, leaves, told, value_at
from tests.rules.whole_games.games import GAMES, Game, game_of, games_that_change, is_sound
from tests.rules.whole_games.questions import Kept, asked_of, readers

ONE_IN = 1 if "MAPKIT_MANY" in os.environ else 24  # `make dead-data` asks for every value
STRICT = ("sight", "supply", "zones", "movement", "stacking")
MOST_NOT_JUDGED = 10  # hundredths of a pack's keys
MOST_TRIED = 4  # other values for each value
PARTS = {
    "ground": ("sight", "zones", "supply", "movement", "weather", "levels", "allowance"),
    "words": ("terrain", "features", "hexsides", "links"),
    "units": ("stacking", "command", "retreat", "facing"),
    "forces": ("sides", "classes", "statuses", "markers", "boxes"),
    "counters": ("counters",),
    "tables": ("tables", "results", "checks", "combat", "losses", "events"),
    "tasks": ("tasks", "facts"),
    "lists": ("id", "title", "publisher", "year", "layout", "no_rule", "assumptions", "missing"),
    "play": ("sequence", "formations", "victory", "scenarios"),
}


@pytest.fixture(autouse=True, scope="module")
def _games_that_change() -> Iterator[None]:
    with games_that_change():
        yield
    use(None)


@pytest.mark.slow
@pytest.mark.no_cover  # it runs what the other tests run, hundreds of times
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", GAMES)
def test_every_value_changes_some_answer(name: str, part: str) -> None:
    dead = [told(path) for path in leaves_of(name, PARTS[part]) if not is_read(name, path)]
    assert dead == []


def leaves_of(name: str, parts: tuple[str, ...]) -> Iterator[Path]:
    """Yield the values of some parts of a game, but for those that are for reading only."""
    for path in leaves(game_of(name)):
        key = path[1:] if path[0] == "pack" else path
        if key[0] not in parts or crc32(told(key).encode()) % ONE_IN:
            continue
        if not any(lies_in(told(key), one) for one in not_judged(name)):
            yield path


def lies_in(key: str, part: str) -> bool:
    """Tell whether a key lies in a part that is for reading only; `*` there is any one name."""
    steps, names = key.split("."), part.split(".")
    return len(steps) >= len(names) and all(
        wanted in ("*", step) for step, wanted in zip(steps, names, strict=False)
    )


def named(game: Game) -> list[str]:
    """Return the keys of all values of a game's pack and of its formations."""
    formations = [told(("formations", *path)) for path in leaves(game.formations)]
    return [told(path) for path in leaves(game.pack)] + formations


def is_read(name: str, path: Path) -> bool:
    """Tell whether somebody answers otherwise where a value is another.

    Where the rest of the pack leaves a value no choice, it is enough that somebody reads it.
    """
    others = Kept(islice(_sound(game_of(name), path), MOST_TRIED))
    for some in readers(name, path):
        if not any(True for _ in others):
            return True
        if any(one.notices(*pair) for pair in others for one in some):
            return True
    return False


def _sound(game: Game, path: Path) -> Iterator[tuple[Game, Game]]:
    for before, after in changed(game, path, vocabularies(game)):
        scenario = str(path[1]) if path[0] == "scenarios" else None
        if path[0] in ("pack", "rulebook") or is_sound(after, str(path[0]), scenario):
            yield before, after


def vocabularies(game: Game) -> Words:
    """Return all words of a game, kind by kind: what may stand in the place of a word."""
    pack = game.pack
    return (
        tuple(sorted(pack.groups)),
        *(tuple(getattr(pack, kind)) for kind in ("terrain", "features", "hexsides", "links")),
        tuple(pack.statuses),
        tuple(pack.weather),
        tuple(pack.sides),
        tuple(pack.combat),
        tuple(pack.checks),
        tuple(pack.facts),
        tuple(pack.markers),
        tuple(game.formations),
        tuple(game.scenarios),
        tuple(phase.id for phase in (game.sequence.phases if game.sequence else ())),
    )


def not_judged(name: str) -> list[str]:
    return [key for one in game_of(name).pack.not_judged.values() for key in one.keys]


@pytest.mark.slow
@pytest.mark.no_cover  # it runs what the other tests run, hundreds of times
@pytest.mark.parametrize("name", GAMES)
def test_every_key_of_the_rules_at_hand_is_shown_or_searched(name: str) -> None:
    """A few values for each key: the entries are many, and all go the same way."""
    keys: dict[str, list[Path]] = {}
    for path in leaves(game_of(name).rulebook):
        keys.setdefault(str(path[2]), []).append(("rulebook", *path))
    assert {"title", "summary", "see", "de"} <= set(keys)
    unread = [
        key for key, paths in keys.items() if not any(is_read(name, one) for one in paths[:3])
    ]
    assert unread == []


@pytest.mark.parametrize("name", GAMES)
def test_little_is_left_unjudged_and_nothing_players_argue_about(name: str) -> None:
    pack, names = game_of(name).pack, named(game_of(name))
    unjudged = [one for one in names if any(lies_in(one, key) for key in not_judged(name))]
    assert 100 * len(unjudged) <= MOST_NOT_JUDGED * len(names)
    assert not [key for key in not_judged(name) if key.partition(".")[0] in STRICT]
    assert all(one.why for one in pack.not_judged.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_part_of_a_pack_is_looked_at(name: str) -> None:
    """A new part of the schema is in none of the parts above until somebody puts it there."""
    game = game_of(name)
    known = {word for some in PARTS.values() for word in some} | {"rulebook", "not_judged"}
    found = {str(path[1] if path[0] == "pack" else path[0]) for path in leaves(game)}
    assert found <= known


@pytest.mark.parametrize("name", GAMES)
def test_what_is_kept_for_reading_only_is_there(name: str) -> None:
    names = named(game_of(name))
    for key in not_judged(name):
        assert any(lies_in(one, key) for one in names), key


@pytest.mark.slow
@pytest.mark.no_cover
def test_a_key_that_nobody_reads_would_be_seen() -> None:
    """No judge cares who published the game."""
    name = GAMES[0]
    game = game_of(name)
    path = ("pack", "publisher")
    pairs = list(islice(changed(game, path, ()), 2))
    assert pairs
    assert value_at(pairs[0][1], path) != value_at(game, path)
    assert not any(one.notices(*pair) for one in asked_of(name, "cases") for pair in pairs)
