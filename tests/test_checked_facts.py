"""The page of facts checked against the rulebooks speaks of the packs as they are."""

import re
import runpy

import pytest

from rules.registry import pack_folder
from tests.documented import DOCS

FACTS_OF = runpy.run_path(str(DOCS / "draw_facts.py"))["facts_of"]
GAMES = {
    "Strafexpedition 1916": "strafexpedition",
    "Caporetto 1917": "caporetto-1917",
    "Caporetto: The Italian Front": "caporetto-front",
    "Durchbruch": "durchbruch",
    "Custoza": "custoza",
}
RESULTS = ("right", "wrong", "wrong, mended", "not decidable")
ROW = re.compile(
    r"\| (?P<cite>[^|]+) \| `(?P<file>[^`]+)` `(?P<key>[^`]+)` \| `(?P<value>[^`]*)` "
    r"\| (?P<line>[^|]+) \| (?P<result>[^|]+) \|"
)


def test_every_value_stands_in_the_pack_as_listed(checked):
    """It fails when a checked value changed: look it up again, then change the page."""
    game, rows = checked
    here = {(fact.file, fact.key, fact.value, fact.cite) for fact in FACTS_OF(pack_folder(game))}
    listed = [(row["file"], row["key"], row["value"], row["cite"]) for row in rows]
    assert [row for row in listed if row not in here] == []
    assert len(listed) == len(set(listed))


def test_forty_and_more_were_checked(checked):
    _, rows = checked
    assert len(rows) >= 40


def test_every_row_has_its_line_and_result(checked):
    _, rows = checked
    assert [row["key"] for row in rows if not re.fullmatch(r"[\d–, ]*\d", row["line"])] == []
    assert {row["result"].partition(":")[0] for row in rows} <= {*RESULTS}


def test_the_summary_counts_the_drawn_rows(checked):
    game, rows = checked
    drawn = [row["result"] for row in rows][:40]
    counted = [sum(one.startswith(word) for one in drawn) for word in ("right", "wrong", "not ")]
    (name,) = (name for name, id_ in GAMES.items() if id_ == game)
    said = re.search(rf"^\| {name} \| 40 \| \d+ \| (\d+) \| (\d+) \| (\d+) \|$", _page(), re.M)
    assert said is not None
    assert [int(number) for number in said.groups()] == counted


@pytest.fixture(params=GAMES, ids=GAMES.values())
def checked(request):
    """A game and the rows of its part of the page; every line with a key must be one."""
    part = next(
        part for part in re.split(r"^## ", _page(), flags=re.M) if part.startswith(request.param)
    )
    lines = [line for line in part.splitlines() if ".toml`" in line]
    rows = [ROW.fullmatch(line) for line in lines]
    assert None not in rows, lines[rows.index(None)]
    return GAMES[request.param], rows


def _page():
    return (DOCS / "checked-facts.md").read_text(encoding="utf-8")
