"""All questions that are put to a game, each with what it answers as it is and what it read."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path as FilePath
from typing import Any, Generic, TypeVar

from rules.battlefield import battlefield
from rules.cases import load_cases, rule_case
from rules.pack import BOUND_GROUPS
from rules.project import Project
from rules.registry import pack_folder
from rules.ruling import Ruling
from tests.rules.judges.battery import ASKED, asked_in, drawn_map, is_drawn, readings
from tests.rules.whole_games.changes import Path, owner_of, value_at
from tests.rules.whole_games.desk import at_the_desk
from tests.rules.whole_games.duties import of_tasks
from tests.rules.whole_games.games import Game, game_of, played
from tests.rules.whole_games.listings import Question, listings, rules_at_hand
from tests.rules.whole_games.on_the_ground import on_the_ground
from tests.rules.whole_games.owners import of_owners
from tests.rules.whole_games.readers import Reads, Watch, made_unseen, reads_it, watched
from tests.rules.whole_games.tabletop import in_play
from tests.rules.whole_games.victories import of_victory

SCENES = 24
AT_ONCE = 8  # who is asked about one change before the next change is tried

BOUND = frozenset(BOUND_GROUPS)  # words that every map of a case has

T = TypeVar("T")


@dataclass(frozen=True)
class Asked:
    """A question that was put to a game as it is."""

    question: Question
    answer: Any
    reads: Reads
    about: frozenset[str]

    def notices(self, before: Game, after: Game) -> bool:
        """Tell whether one game answers otherwise than another."""
        known = before is game_of(before.pack.id)
        said = self.answer if known else answered(self.question, before)
        return bool(answered(self.question, after) != said)


def answered(question: Question, game: Game) -> Any:
    """Return what a game answers; a refusal is an answer too, and so is a word nobody knows."""
    with played(game):
        try:
            answer = question(game)
        except Exception as error:
            return repr(error)
    return plain(answer) if isinstance(answer, Ruling) else answer


def plain(ruling: Ruling) -> Any:
    """Return all of a ruling that players see."""
    told = (ruling.verdict, ruling.working, ruling.reasons, ruling.missing, ruling.cites)
    return (*told, ruling.assumptions)


@cache
def asked_of(name: str, family: str) -> Iterable[Asked]:
    """Return the questions of one family on a game, those that read least first.

    Scenes are long and all read much: they are put one by one, as long as somebody wants more.
    """
    found = (_asked(question, name) for question in FAMILIES[family](game_of(name)))
    return Kept(found) if family == "scenes" else sorted(found, key=lambda one: len(one.reads))


class Kept(Generic[T]):
    """Things that are made only as far as somebody asks for them, and kept."""

    def __init__(self, things: Iterable[T]) -> None:
        self._made: list[T] = []
        self._rest = iter(things)

    def __iter__(self) -> Iterator[T]:
        yield from self._made
        for one in self._rest:
            self._made.append(one)
            yield one


def readers(name: str, path: Path) -> Iterator[list[Asked]]:
    """Yield the questions whose answer rests on a value, some at once.

    Who speaks of the same things is asked first, in the likely families; then all others.
    """
    game = game_of(name)
    owner, field = owner_of(game, path)
    names = {
        str(step) for at, step in enumerate(path) if isinstance(value_at(game, path[:at]), dict)
    }
    words = names | {str(value_at(game, path))} | {str(path[1])} - BOUND

    def some_at_once(asked: Iterable[Asked]) -> Iterator[list[Asked]]:
        found = (one for one in asked if reads_it(one.reads, owner, field))
        while some := list(islice(found, AT_ONCE)):
            yield some

    likely = LIKELY.get(str(path[1] if path[0] == "pack" else path[0]), ())
    for family in likely:
        if family != "scenes":
            mine = [one for one in asked_of(name, family) if words & one.about]
            mine.sort(key=lambda one: -len(words & one.about) - len(names & one.about))
            yield from some_at_once(mine)
    for family in dict.fromkeys((*likely, *FAMILIES)):
        asked_before = words if family in likely and family != "scenes" else frozenset[str]()
        yield from some_at_once(
            one for one in asked_of(name, family) if not asked_before & one.about
        )


@cache
def _watch(name: str) -> Watch:
    watch = Watch()
    watch.follow(game_of(name))
    return watch


def _asked(question: Question, name: str) -> Asked:
    watch = _watch(name)
    watch.seen = set()
    with watched(watch):
        answer = answered(question, game_of(name))
    return Asked(question, answer, watch.seen, _words_of(question))


def _words_of(question: Question) -> frozenset[str]:
    """Return the words that a question was made of: its case, its class, its hexside."""
    cells = [cell.cell_contents for cell in getattr(question, "__closure__", None) or ()]
    inner = [_words_of(one) for one in cells if callable(one)]
    written = " ".join(map(repr, (*cells, *(getattr(question, "__defaults__", None) or ()))))
    return frozenset(re.findall(r"\w+", written)).union(*inner)


def _cases(game: Game) -> Iterator[Question]:
    for case in load_cases(pack_folder(game.pack.id)):
        yield lambda one, case=case: rule_case(one.pack, case)  # type: ignore[misc]


def _scenes(game: Game) -> Iterator[Question]:
    if not is_drawn(game.pack.id):
        return
    for seed, word in product(range(SCENES), ASKED):
        yield _scene(seed, word)


def _scene(seed: int, word: str) -> Question:
    """Ask some judges in a scene drawn by lot; the map is drawn for the game as it is."""

    def of(game: Game) -> Any:
        map_ = drawn_map(game.pack.id, seed)
        found: list[Any] = []
        for reading in made_unseen(("pack",), lambda: list(readings(game.pack, seed))):
            field = battlefield(Project(FilePath(), "x"), map_, reading)
            found += asked_in(field, seed, (word,))
        return found

    return of


FAMILIES: Mapping[str, Callable[[Game], Iterator[Question]]] = {
    "cases": _cases,
    "lists": listings,
    "desk": at_the_desk,
    "tasks": of_tasks,
    "play": in_play,
    "victory": of_victory,
    "ground": on_the_ground,
    "owners": of_owners,
    "scenes": _scenes,
    "rules": rules_at_hand,
}
_GROUND, _PLAY, _DESK = (
    ("cases", "ground", "owners", "scenes"),
    ("lists", "play"),
    ("cases", "desk"),
)
# Whom to ask first; where they notice nothing, everybody is asked.
LIKELY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("sight", "zones", "supply", "movement", "weather", "levels"), _GROUND),
    **dict.fromkeys(("terrain", "features", "hexsides", "links"), ("lists", "ground", "cases")),
    **dict.fromkeys(("tables", "results", "checks", "combat", "losses", "events"), _DESK),
    **dict.fromkeys(("statuses", "markers"), ("play",)),
    **dict.fromkeys(("sequence", "scenarios", "formations"), _PLAY),
    "victory": ("victory", *_PLAY),
    **dict.fromkeys(("tasks", "facts"), ("tasks", "cases")),
    **dict.fromkeys(("stacking", "command", "retreat"), _GROUND),
    "sides": ("ground", "lists"),
    "classes": ("lists", "ground", "tasks", "play", "cases"),
    "allowance": ("ground",),
    **dict.fromkeys(("assumptions", "missing", "not_judged", "layout", "counters"), ("lists",)),
    "rulebook": ("rules",),
}
