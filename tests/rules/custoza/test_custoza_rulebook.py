"""Custoza's rules at hand: none is missing, the facts are right, the words are known."""

import re
from pathlib import Path

import pytest

from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack, pack_folder

FOLDER = pack_folder("custoza")
SEED = Path(__file__).parents[4] / "shared" / "seeds" / "custoza.txt"
BOOK = load_rulebook(FOLDER)
PACK = find_pack("custoza")
STEPS = {"2.1", "2.2", "2.3", "2.4", "2.5", "7.1", "7.2", "7.3", "8.1", "8.2", "8.3"}
LACKED = {"7", "7.8", "8", "9", "9.1", "9.3", "9.4", "17", "17.1", "17.3", "17.4"} | {
    "18", "18.2", "18.6", "20",
}  # fmt: skip
with_the_seed = pytest.mark.skipif(not SEED.is_file(), reason="the rulebook's text is not here")


def summary(entry_id):
    (entry,) = (entry for entry in BOOK.rules if entry.id == entry_id)
    return entry.summary


def test_counts():
    assert len(BOOK.rules) == 234
    assert len({entry.number for entry in BOOK.rules if entry.number[0].isdigit()}) == 179
    assert len(BOOK.words) == 100


@pytest.mark.parametrize(
    ("entry", "fact"),
    [
        ("3 1 Initiative", "two dice"),
        ("3 2.2 Activation Step", "third pass"),
        ("4.2", "A hex with a road of any kind counts ½"),
        ("5.1.1", "after three failures -3"),
        ("6.2 Number of markers", "A Corps 6, a Division 4, a Brigade 2"),
        ("10.4 1 Strength ratio", "11 against 3 is 3.66:1"),
        ("10.4 2 Rounding", "5:7 is 1:1.4 and becomes 1-1.5"),
        ("10.4 10 Loser retreats", "attacker retreats 1 hex, a beaten defender 2"),
        ("10.6.2", "of 5 they lose 3"),  # CU-H7
        ("11.5.5", "5 against 6 gives +3"),
        ("13.2", "11 against 7, four too many, two Status Levels lost"),
        ("13.3", "a Shaken unit that loses one is Disordered"),  # CU-H8
        ("13.5", "At four levels down a unit Routs"),
        ("13.6.1", "2 Status Levels back"),
        ("13.7", "at +4 for each"),
        ("16.8", "within 9 hexes (8 between)"),
        ("16.12", "more than 4 hexes (its Commander more than 10)"),
        ("22.3.5", "1606, 1704 and 1805"),
        ("22.4", "3 hexes at most"),
        ("24.1.4.1", "puts a 4 on it"),
        ("24.1.5", "7004, 7006, 7011, 7014"),
        ("26.1.3", "a natural 5 or 6"),
        ("Charts Unit Status Chart", "Shaken takes 1 and Disordered 2"),  # CU-H9
    ],
)
def test_facts(entry, fact):
    assert fact in " ".join(summary(entry).split())


@pytest.mark.parametrize("number", sorted(LACKED))
def test_what_our_pages_lack_is_said(number):
    assert "not in our sources" in summary(number).lower()


@pytest.mark.parametrize("entry", ["TEC", "Assault Table", "Fire Table", "Map", "Counters"])
def test_charts_we_lack_are_named(entry):
    assert "we do not have" in summary(entry).lower()


def test_tags_use_the_words_of_the_pack():
    ground = {"level"}.union(*map(PACK.words, ("terrain", "features", "links")))
    charts = {entry.term or entry.number for entry in BOOK.rules if not entry.number[0].isdigit()}
    sequence = (FOLDER / "sequence.toml").read_text("utf-8")
    phases = set(re.findall(r'^id = "([^"]+)"', sequence, re.M))
    for entry in BOOK.rules:
        assert set(entry.units) <= PACK.groups, entry.id
        assert set(entry.terrain) <= ground, entry.id
        assert set(entry.hexsides) <= PACK.words("hexsides"), entry.id
        assert set(entry.tables) <= charts, entry.id
        assert set(entry.phases) <= phases, entry.id


def test_what_the_pack_cites_can_be_looked_up():
    for name in ("pack.toml", "tables.toml", "tasks.toml", "sequence.toml", "formations.toml"):
        text = (FOLDER / name).read_text("utf-8")
        cited = re.findall(r'cite = "([^"]+)"', text)
        assert cited
        assert [cite for cite in cited if not BOOK.find(cite)] == []


def test_every_word_is_there_in_three_languages():
    assert [word for word, names in BOOK.words.items() if not (names.de and names.it)] == []


def seed_text():
    return re.sub(r"<\|[^|]*\|>", "\n", SEED.read_text("utf-8"))  # page breaks


@with_the_seed
def test_no_rule_is_left_out():
    """A rule opens a line with its number; steps of the two sequences look like rules."""
    opening = re.compile(r"^\s*(\d{1,2}(?:\.\d{1,2})+):?\s+\S", re.MULTILINE)
    printed = set(opening.findall(seed_text())) - STEPS - {"16.0"}  # "(see 16.0 - Advanced Game)"
    assert len(printed) > 120
    assert printed <= {entry.number for entry in BOOK.rules}
    sections = set(re.findall(r"^(\d{1,2})\. ?(?:[A-Z] |[A-Z]\w+)", seed_text(), re.MULTILINE))
    assert sections - {"1", "2"} <= {entry.number for entry in BOOK.rules}


@with_the_seed
def test_every_hex_of_the_rulebook_is_named():
    hexes = re.compile(r"(?<!\d)[1-7]\d{3}(?!\d)")
    printed = set(hexes.findall(seed_text())) - {"1500", "1848", "1866", "1870", "2010", "2020"}
    named = {hex_ for entry in BOOK.rules for hex_ in hexes.findall(entry.summary)}
    assert named - {"1848", "1866"} == printed
