"""Finds the numbered rules in the pages of a book: where each begins, and its text.

Many lines begin with a number: headings, but also the table of contents, references and plain
counts. The headings of a rulebook rise from its first page to its last, so of all lines that begin
with a number the heaviest rising chain is taken; each line weighs by how much it is like a heading.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.lookup.book_pages import Page
from rules.lookup.rule_numbers import Key, number_key

LONGEST_TITLE: Final = 80

_HEADING = re.compile(
    r"(?:[−–—•*§\[(-]\s*)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,5})[.):\]]{0,2}"
    r"(?:\s+(?P<title>\S.*))?$",
    re.ASCII,
)
_CONTENTS = re.compile(r"(?:\.\s?){3,}\s*\d{1,4}$|[^\d\s]\s+\d{1,3}$")
_SENTENCE_END = re.compile(r"(?<=[\w)])[.:](?:\s|$)")


@dataclass(frozen=True, slots=True)
class Section:
    """One numbered rule of a book, from its heading to the next."""

    number: str
    title: str
    text: str
    page: int | None = None
    last_page: int | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    page: int | None


@dataclass(frozen=True, slots=True)
class _Candidate:
    at: int
    number: str
    title: str
    weight: int

    @property
    def key(self) -> Key:
        return number_key(self.number)


def find_sections(pages: Sequence[Page], *, known: Iterable[str] = ()) -> tuple[Section, ...]:
    """Return the rules of a book in its order; *known* are the numbers that its game has."""
    lines = [_Line(line, page.number) for page in pages for line in page.lines]
    numbers = frozenset(map(number_key, known))
    headings = _rising(_candidates(lines, numbers))
    sections: list[Section] = []
    ends = [*(heading.at for heading in headings[1:]), len(lines)]
    for heading, end in zip(headings, ends, strict=False):
        own = lines[heading.at : end]
        while len(own) > 1 and not own[-1].text:
            own = own[:-1]
        sections.append(
            Section(
                heading.number,
                _title(heading, own),
                flowing([line.text for line in own]),
                own[0].page,
                own[-1].page,
            )
        )
    return tuple(sections)


def flowing(lines: Iterable[str]) -> str:
    """Return lines as paragraphs: joined up to an empty line, words broken at an end made whole.

    >>> flowing(["A unit in sup-", "ply may move.", "", "Mountain-", "Infantry too."])
    'A unit in supply may move.\\n\\nMountain-Infantry too.'
    """
    paragraphs: list[str] = []
    fresh = True
    for line in lines:
        if not line:
            fresh = True
        elif fresh or line[0] in "•●▪■◦–*":
            paragraphs.append(line)
            fresh = False
        elif re.search(r"\w-$", paragraphs[-1]):
            last = paragraphs[-1][:-1] if line[0].islower() else paragraphs[-1]
            paragraphs[-1] = last + line
        else:
            paragraphs[-1] += f" {line}"
    return "\n\n".join(paragraphs)


def _candidates(lines: Sequence[_Line], known: frozenset[Key]) -> list[_Candidate]:
    found: list[_Candidate] = []
    before = ""
    for at, line in enumerate(lines):
        match = _HEADING.match(line.text)
        if match and not _CONTENTS.search(line.text):
            title = match["title"] or ""
            weight = _weight(match["number"], title, before, known)
            if weight > 0:
                found.append(_Candidate(at, match["number"], title, weight))
        before = line.text
    return [
        # What is followed by text is a rule, what is followed by the next number is a list.
        _Candidate(one.at, one.number, one.title, one.weight + min(4, end - one.at))
        for one, end in zip(found, [*(c.at for c in found[1:]), len(lines)], strict=False)
    ]


def _weight(number: str, title: str, before: str, known: frozenset[Key]) -> int:
    """Return how much a line is like a heading; 0 where it is none."""
    if known and number_key(number) in known:
        weight = 6
    elif "." in number:
        weight = 2
    elif title[:1].isupper() and not known:
        weight = 1
    else:
        return 0  # "3 steps": a count at the begin of a line
    weight += 2 * (not before or before[-1] in '.!?:)»”"')
    weight += 2 * title[:1].isupper()
    return weight


def _rising(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the heaviest chain of candidates whose numbers rise strictly.

    A Fenwick tree of best chains by number makes it n log n: a book has thousands of lines that
    begin with a number. Of equals the later wins: the table of contents stands in front.
    """
    keys = sorted({one.key for one in candidates})
    rank = {key: at for at, key in enumerate(keys, 1)}
    best: list[tuple[int, int]] = [(0, -1)] * (len(keys) + 1)  # weight of a chain, its last link
    before: list[int] = []
    for at, one in enumerate(candidates):
        place = rank[one.key] - 1
        chain = (0, -1)
        while place > 0:
            chain = max(chain, best[place])
            place -= place & -place
        before.append(chain[1])
        mine = (chain[0] + one.weight, at)
        place = rank[one.key]
        while place <= len(keys):
            best[place] = max(best[place], mine)
            place += place & -place
    taken: list[_Candidate] = []
    link = max(best)[1]
    while link >= 0:
        taken.append(candidates[link])
        link = before[link]
    return taken[::-1]


def _title(heading: _Candidate, own: Sequence[_Line]) -> str:
    """Return the words after the number, up to the first full stop; else the next line."""
    words = heading.title or next((line.text for line in own[1:] if line.text), "")
    end = _SENTENCE_END.search(words)
    title = words[: end.start()] if end else words
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…"
