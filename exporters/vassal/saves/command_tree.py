"""The text of a saved game: commands within commands, which the engine carries out in order."""

from collections.abc import Iterable, Iterator

from exporters.model import ExportError
from exporters.vassal.sequence import ESC, join, split

_DEEPEST = 60
"""How deep commands may lie in each other: the engine's own lie three deep."""


def leaves(text: str) -> Iterator[str]:
    """Yield the commands that a text holds, in the order the engine carries them out.

    >>> list(leaves(together(["begin_save", together(["+/1", "+/2"]), "end_save"])))
    ['begin_save', '+/1', '+/2', 'end_save']

    Raises:
        ExportError: they lie in each other too deep for any engine to have written them.
    """
    return _leaves(text, 0)


def steps(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands of a text in the groups in which they were given.

    A log is such a text: what a player did at one go stands together.

    >>> list(steps(together(["a", together(["b", "c"]), "", "d"])))
    [('a',), ('b', 'c'), ('d',)]
    """
    parts = split(ESC, text)
    if parts == [text]:
        yield tuple(leaves(text))
        return
    groups = (tuple(_leaves(part, 1)) for part in parts)
    yield from (group for group in groups if group)


def together(commands: Iterable[str]) -> str:
    """Return commands as one: the inverse of `leaves`, level by level."""
    return join(ESC, commands)


def _leaves(text: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise ExportError("the saved game is no text of the engine's: its commands never end")
    parts = split(ESC, text)
    if parts == [text]:
        if text:
            yield text
        return
    for part in parts:
        yield from _leaves(part, depth + 1)
