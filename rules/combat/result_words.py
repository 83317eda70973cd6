"""The words of results tables read and written: `1D2R`, `D2R/1`, `P-M2`, by a pack's forms."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from rules.errors import RulesError
from rules.schema.results import Grammar

_PIECES = re.compile(
    r"<(?P<number>[a-z_]+)>"
    r"|\[(?P<letter>[^\]=<]+)=(?P<mark>[a-z_]+)\]"
    r"|\[(?P<before>[^\]<]*)<(?P<maybe>[a-z_]+)>(?P<after>[^\]]*)\]"
    r"|(?P<text>[^<\[\]]+)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a form: plain text, a number, a number that may be absent, a letter."""

    kind: Literal["text", "number", "maybe", "mark"]
    name: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A cell, read: *numbers* by slot, *marks* that are set, *means* what its form always does."""

    text: str
    form: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    means: tuple[str, ...] = ()

    @property
    def effects(self) -> tuple[str, ...]:
        """Every effect it has, in the order it is written; a number of 0 has none."""
        written = [word for word, number in self.numbers.items() if number]
        return (*self.means, *written, *sorted(self.marks))


def parse_result(grammar: Grammar, text: str) -> Result:
    """Return a cell as its parts.

    Raises:
        RulesError: no form of the grammar fits; the message lists them.
    """
    wanted = "".join(text.split())
    for one in grammar.forms:
        pieces = pieces_of(one.form)
        found = _pattern(one.form).fullmatch(wanted)
        if found is None:
            continue
        numbers = {
            piece.name: int(found[piece.name])
            for piece in pieces
            if piece.kind in ("number", "maybe") and found[piece.name] is not None
        }
        marks = {p.name for p in pieces if p.kind == "mark" and found[p.name] is not None}
        return Result(text.strip(), one.form, numbers, frozenset(marks), one.means)
    forms = ", ".join(plain_form(one.form) for one in grammar.forms)
    raise RulesError(f"'{text}' is no result [{grammar.cite}]; results are written: {forms}")


def format_result(result: Result) -> str:
    """Return a result as the table writes it, without spaces: the inverse of `parse_result`."""
    return "".join(_written(result, piece) for piece in pieces_of(result.form))


def plain_form(form: str) -> str:
    """Return a form as players write it, numbers as #.

    >>> plain_form("<steps>D<points>[R=retreat]")
    '#D#[R]'
    """
    return re.sub(r"=[a-z_]+\]", "]", re.sub(r"<[a-z_]+>", "#", form))


@cache
def pieces_of(form: str) -> tuple[Piece, ...]:
    """Return the parts of a form.

    Raises:
        RulesError: it is not written as forms are.
    """
    pieces, end = list(_pieces(form)), sum(len(found[0]) for found in _PIECES.finditer(form))
    names = [piece.name for piece in pieces if piece.kind != "text"]
    if end != len(form) or len(names) != len(set(names)):
        raise RulesError(f"'{form}' is no form; write it as '<steps>D<points>[R=retreat]'")
    return tuple(pieces)


def _pieces(form: str) -> Iterator[Piece]:
    for found in _PIECES.finditer(form):
        if found["number"]:
            yield Piece("number", found["number"])
        elif found["mark"]:
            yield Piece("mark", found["mark"], found["letter"])
        elif found["maybe"]:
            yield Piece("maybe", found["maybe"], found["before"], found["after"])
        else:
            yield Piece("text", before=found["text"])


@cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile("".join(_expression(piece) for piece in pieces_of(form)))


def _expression(piece: Piece) -> str:
    before, after = re.escape(piece.before), re.escape(piece.after)
    if piece.kind == "text":
        return before
    if piece.kind == "number":
        return rf"(?P<{piece.name}>\d+)"
    if piece.kind == "mark":
        return rf"(?P<{piece.name}>{before})?"
    return rf"(?:{before}(?P<{piece.name}>\d+){after})?"


def _written(result: Result, piece: Piece) -> str:
    if piece.kind == "text":
        return piece.before
    if piece.kind == "mark":
        return piece.before if piece.name in result.marks else ""
    if piece.name not in result.numbers:
        return ""
    return f"{piece.before}{result.numbers[piece.name]}{piece.after}"
