"""One value of a game changed: which values there are, and what else might stand in their place."""

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

Path = tuple[str | int, ...]
Words = tuple[tuple[str, ...], ...]  # vocabularies: words of one kind each

REMOVED = object()
# Words that stand for many things in packs; whatever is none in its place is refused there.
OTHER_WORDS = (
    "steps",
    "level > 90",
    "level = 90",
    "2020",
    "2021/2022",
    "1d8",
    "1d4",
    "9-9",
    "7:3",
    "de",
)


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value that is set: of each member of a list, of an empty list too.

    Where an entry comes from is left out: a cite is held against the rules at hand elsewhere.
    """
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            if name in value.model_fields_set and not name.endswith(("cite", "cites")):
                yield from leaves(getattr(value, name), (*path, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, tuple) and value:
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    elif value is not None:
        yield path


def told(path: Path) -> str:
    """Return a path as the packs' files have it: `sight.reach.hexes`."""
    return ".".join(map(str, path))


def value_at(value: Any, path: Path) -> Any:
    """Return what stands at a path."""
    for step in path:
        value = getattr(value, str(step)) if isinstance(value, BaseModel) else value[step]
    return value


def owner_of(value: Any, path: Path) -> tuple[Path, str]:
    """Return the path of the innermost model a value belongs to, and its field there."""
    found: tuple[Path, str] = ((), "")
    for depth, step in enumerate(path):
        if isinstance(value, BaseModel):
            found = (path[:depth], str(step))
        value = value_at(value, (step,))
    return found


def replaced(value: Any, path: Path, new: Any) -> Any:
    """Return a value with another one at a path; every model on the way is checked again.

    A place that was empty is made, as an owner's entry makes it.
    """
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        given = {
            fields[name].alias or name: getattr(value, name) for name in value.model_fields_set
        }
        inner = replaced(getattr(value, str(step), None), rest, new)
        return type(value).model_validate(_with(given, fields[str(step)].alias or step, inner))
    if isinstance(value, tuple):
        members = _with(dict(enumerate(value)), int(step), replaced(value[int(step)], rest, new))
        return tuple(members.values())
    known = value or {}
    return _with(dict(known), step, replaced(known.get(step), rest, new))


def _with(given: dict[Any, Any], key: Any, inner: Any) -> dict[Any, Any]:
    if inner is REMOVED:
        return {name: one for name, one in given.items() if name != key}
    return given | {key: inner}


def changed(whole: BaseModel, path: Path, words: Words) -> Iterator[tuple[Any, Any]]:
    """Yield the whole as it is and with one value changed, in every way that its models let pass.

    Where a value does not stand alone, one of its neighbours is left out of both.
    """
    found = False
    for value in _candidates(whole, path, words):
        other = _tried(whole, path, value)
        if other is not None:
            found = True
            yield whole, other
    if not found:
        owner, field = owner_of(whole, path)
        for name in value_at(whole, owner).model_fields_set - {field}:
            without = _tried(whole, (*owner, name), REMOVED)
            other = None if without is None else _tried(without, path, REMOVED)
            if other is not None:
                yield without, other


def _tried(whole: BaseModel, path: Path, value: Any) -> Any:
    try:
        return replaced(whole, path, value)
    except (ValidationError, ValueError):
        return None


def _candidates(whole: BaseModel, path: Path, words: Words) -> Iterator[Any]:
    value = value_at(whole, path)
    parent = value_at(whole, path[:-1])
    if not isinstance(parent, BaseModel) and not isinstance(value, dict):
        yield REMOVED
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 3, 0)
    elif isinstance(value, Fraction):
        yield from (value + 1, value / 2)
    elif isinstance(value, date):
        yield value + timedelta(days=1)
    elif isinstance(value, str):
        yield from (one for one in _other_texts(whole, path, value, words) if one != value)
    elif value == ():
        yield from words


def _other_texts(whole: BaseModel, path: Path, value: str, words: Words) -> Iterator[Any]:
    owner, field = owner_of(whole, path)
    choices = _choices(type(value_at(whole, owner)), field)
    yield from choices
    if value in choices:
        return
    yield from (f"{value} else", f"{value}_else")
    optional = not type(value_at(whole, owner)).model_fields[field].is_required()
    if optional and path[-1] == field:
        yield REMOVED
    yield from (f"{value}-else", f"{value[:1]}2")
    yield from OTHER_WORDS
    near = list(words_in(value_at(whole, path[:2])))
    yield from dict.fromkeys((*near, *(word for some in words for word in some)))


def words_in(value: Any) -> Iterator[str]:
    """Yield the words that something is listed under, however deep."""
    if isinstance(value, BaseModel):
        for name in value.model_fields_set:
            yield from words_in(getattr(value, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from words_in(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from words_in(inner)


@cache
def _choices(model: type[BaseModel], field: str) -> tuple[str, ...]:
    """The words that a field chooses from, where it does."""
    return tuple(_literals(model.model_fields[field].annotation))


def _literals(annotation: Any) -> Iterator[str]:
    for one in get_args(annotation):
        if get_origin(annotation) is Literal:
            yield str(one)
        else:
            yield from _literals(one)
