"""Who reads what: each question put once under watch, so that only its readers are asked again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel

from rules.schema.cites import Strict
from tests.rules.whole_games.changes import Path

EVERYTHING, ITSELF = "*", "."  # of a model that is written out as a whole, or copied
_WHOLE = frozenset({"model_dump", "model_dump_json", "__iter__", "__eq__", "__hash__"})
_SHALLOW = frozenset({"model_copy", "__dict__", "__copy__"})

Reads = set[tuple[Path, str]]


class Watch:
    """Knows every model of a value by its path, and writes down which of their fields are read."""

    def __init__(self) -> None:
        self.seen: Reads = set()
        self._paths: dict[int, Path] = {}
        self._kept: list[Any] = []  # so that no other object gets the number of one of ours

    def follow(self, value: Any, path: Path = ()) -> None:
        """Know all models in a value from now on."""
        if isinstance(value, BaseModel):
            self._paths.setdefault(id(value), path)
            self._kept.append(value)
            for name in type(value).model_fields:
                self.follow(vars(value)[name], (*path, name))
        elif isinstance(value, dict):
            for key, inner in value.items():
                self.follow(inner, (*path, key))
        elif isinstance(value, tuple):
            for number, inner in enumerate(value):
                self.follow(inner, (*path, number))

    def note(self, model: BaseModel, name: str) -> None:
        """Write down that a field of a model is read."""
        path = self._paths.get(id(model))
        if path is None:
            return
        whole = EVERYTHING if name in _WHOLE else ITSELF if name in _SHALLOW else name
        self.seen.add((path, whole))


_ON_WATCH: list[Watch] = []


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Let a watch see every look at a model."""

    def look(self: Any, name: str) -> Any:
        if _ON_WATCH:
            watch.note(self, name)
        return object.__getattribute__(self, name)

    _ON_WATCH.append(watch)
    Strict.__getattribute__ = look  # type: ignore[method-assign]  # for a while
    try:
        yield
    finally:
        _ON_WATCH.pop()
        del Strict.__getattribute__


def made_unseen(path: Path, make: Callable[[], Any]) -> Any:
    """Return what *make* makes, unseen: making it reads nothing, and who reads it is seen."""
    on_watch = _ON_WATCH.copy()
    _ON_WATCH.clear()
    try:
        made = make()
        for watch in on_watch:
            for one in made if isinstance(made, list) else [made]:
                watch.follow(one, path)
    finally:
        _ON_WATCH.extend(on_watch)
    return made


def reads_it(reads: Reads, owner: Path, field: str) -> bool:
    """Tell whether somebody read a field of a model, or wrote out what it belongs to."""
    if (owner, field) in reads or (owner, ITSELF) in reads:
        return True
    return any((owner[:depth], EVERYTHING) in reads for depth in range(len(owner) + 1))
