"""The part of a text that shows why it was found, with the words looked for marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.lookup.query import spans

WINDOW_WORDS: Final = 28


@dataclass(frozen=True, slots=True)
class Marked:
    """A text, and where its marked words begin and end."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def with_signs(self, before: str = "*", after: str = "*") -> str:
        """Return the text with a sign before and after each mark.

        >>> Marked("in supply", ((3, 9),)).with_signs()
        'in *supply*'
        """
        parts, last = [], 0
        for start, end in self.marks:
            parts += [self.text[last:start], before, self.text[start:end], after]
            last = end
        return "".join([*parts, self.text[last:]])


def snippet(text: str, marked: Sequence[int], *, words: int = WINDOW_WORDS) -> Marked:
    """Return the stretch of *text* with the most marked words, in one line.

    *marked* counts the words of the text from 0. A text that is short enough comes whole.

    >>> snippet("A unit in supply may move.", [3]).with_signs()
    'A unit in *supply* may move.'
    """
    found = spans(text)
    first = _best_start(marked, len(found), words)
    last = min(first + words, len(found))
    start = found[first].start if first else 0
    end = len(text) if last == len(found) else found[last - 1].end
    before, after = "… " if first else "", " …" if last < len(found) else ""
    inside = [found[at] for at in marked if first <= at < last]
    # Line breaks of the owner's text become spaces, sign by sign: the marks stay in place.
    flat = "".join(" " if sign.isspace() else sign for sign in text[start:end])
    shift = len(before) - start
    marks: list[tuple[int, int]] = []
    for span in inside:
        if marks and not text[marks[-1][1] - shift : span.start].strip():
            marks[-1] = (marks[-1][0], span.end + shift)  # a phrase is one mark
        else:
            marks.append((span.start + shift, span.end + shift))
    return Marked(before + flat + after, tuple(marks))


def _best_start(marked: Sequence[int], total: int, words: int) -> int:
    if total <= words or not marked:
        return 0
    starts = {0, *(max(0, min(at - words // 4, total - words)) for at in marked)}
    held = {start: sum(start <= at < start + words for at in marked) for start in starts}
    return min(starts, key=lambda start: (-held[start], start))
