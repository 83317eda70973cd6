"""The doubts of a scan put to a person: chosen, as a table to read, and as one to answer."""

import csv
import io
from collections.abc import Iterable
from itertools import zip_longest

from mapkit.kinds import UNKNOWN
from mapkit.model import HexMap
from mapkit.scan.doubts import SURE, Doubt, doubts, tallies
from mapkit.scan.review import COLUMNS
from mapkit.scan.teaching import NONE, WHATS
from mapkit.texts import one_line, say

SHOWN = 20


def percent(share: float) -> str:
    """Return a share for people; what is not wholly sure is never shown as 100 %.

    >>> percent(0.998)
    '99\\xa0%'
    """
    return f"{int(100 * share + 1e-9)}\N{NO-BREAK SPACE}%"


def questions_of_each(map_: HexMap, *, count: int) -> tuple[Doubt, ...]:
    """Return what is less than 90 % sure, the sorts of value taking turns until there are *count*.

    They are returned sort by sort, each with its most doubtful first: a sheet whose levels are
    hard to read must not hide that of its roads some are too.
    """
    unsure = [doubt for doubt in doubts(map_) if doubt.confidence < SURE]
    sorts = [[doubt for doubt in unsure if doubt.what == what] for what in WHATS]
    turns = [doubt for turn in zip_longest(*sorts) for doubt in turn if doubt is not None]
    return tuple(sorted(turns[:count], key=lambda doubt: WHATS.index(doubt.what)))


def answers_table(questions: Iterable[Doubt], map_: HexMap) -> str:
    """Return the CSV table that `mapkit map review` takes, every answer being what was read."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in questions:
        value = NONE if one.value in (None, UNKNOWN) else one.value
        writer.writerow((map_.label_place(one.place), one.what, value))
    return text.getvalue()


def told_doubts(map_: HexMap, *, count: int | None = None) -> str:
    """Return what a scan is least sure of as text: how much there is, and a table of the first."""
    found = doubts(map_)
    if not found:
        return say("mapkit.scan.no_doubts")
    counted = tallies(map_)
    head = say(
        "mapkit.scan.doubts.head",
        n=len(found),
        unsure=sum(one.unsure for one in counted),
        doubtful=sum(one.doubtful for one in counted),
    )
    shown = found[: count or SHOWN]
    rows = [tuple(say(f"mapkit.scan.doubts.{name}") for name in _HEADS)]
    rows += [_row(doubt, map_) for doubt in shown]
    lines = [head, "", *_aligned(rows)]
    if count is None and len(found) > len(shown):
        lines += ["", say("mapkit.scan.doubts.more", n=len(shown))]
    return "\n".join(lines)


_HEADS = ("place", "what", "read", "sure", "other")


def _row(doubt: Doubt, map_: HexMap) -> tuple[str, ...]:
    words = [NONE if word is None else str(word) for word in (doubt.value, doubt.runner_up)]
    sure = percent(doubt.confidence).replace("\N{NO-BREAK SPACE}", " ")
    cells = (map_.label_place(doubt.place), doubt.what, words[0], sure, words[1])
    return tuple(map(one_line, cells))


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
