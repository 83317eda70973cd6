"""Strafexpedition's rules at hand: none is missing, the facts are right, the words are known."""

import re
from collections import Counter
from pathlib import Path

import pytest

import rules
from rules.lookup.rulebook import load_rulebook
from rules.pack import load_pack

FOLDER = Path(rules.__file__).parent / "packs" / "strafexpedition"
SEED = Path(__file__).parents[4] / "shared" / "seeds" / "strafexpedition-1916.txt"
BOOK = load_rulebook(FOLDER)
UNITS = frozenset(
    """
    infantry mountain_infantry alpini bersaglieri militia border_guards independent artillery
    mountain_artillery field_artillery heavy_artillery fortress headquarters
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
YEARS = {"1916", "2012"}  # in the running titles of the pages
with_the_seed = pytest.mark.skipif(not SEED.is_file(), reason="the rulebook's text is not here")


def of_sections():
    return [entry for entry in BOOK.rules if entry.number[0].isdigit()]


def summary(entry_id):
    (entry,) = (entry for entry in BOOK.rules if entry.id == entry_id)
    return entry.summary


def test_counts():
    assert len([entry for entry in of_sections() if not entry.term]) == 176
    assert len([entry for entry in of_sections() if entry.term]) == 20  # the game terms of 3.0
    scenarios = Counter(e.number for e in BOOK.rules if e.number.startswith("Scenario"))
    assert sorted(scenarios) == [f"Scenario {number}" for number in range(1, 6)]
    assert len(BOOK.rules) == 240
    assert len(BOOK.words) == 108


def test_every_section_has_a_heading_of_its_own():
    """Sub-rules and game terms hang on a number that can be looked up."""
    numbers = {entry.number for entry in of_sections()}
    assert {f"{section}.0" for section in range(1, 26)} <= numbers


@pytest.mark.parametrize(
    ("entry", "fact"),
    [
        ("2.1.1", "900 m"),
        ("3.0 Railroad", "trail"),
        ("8.1", "1–3"),
        ("8.3", "13 guns make 4 LP, a single gun 2 LP"),
        ("8.4", "up to two"),
        ("9.1", "LoS reaches 2 hexes"),
        ("10.2", "at most 10 hexes"),
        ("10.2.1", "only at the first hexside"),
        ("11.2.2", "4 or more hexes (3 in between)"),
        ("13.2.2", "Level 5 to Level 1: 10 hexes"),
        ("13.3.4", "at most 6 hexes away"),
        ("13.3.6", "up to 8 Bombardment Factors add 2 points"),
        ("13.4.3", "11:3 to 3.5:1, 3:5 to 1:1.75"),
        ("13.4.3", "1D2R"),
        ("13.4.5.1", "two Disorganization Points"),
        ("18.2", "up to 5 levels"),
        ("19.6", "two step losses"),
        ("23.2", "1 VP for every 10 enemy steps"),
        ("Scenario 1", "16 VP or more"),
        ("Scenario 4", "control any hex next to Monte Novegno 1235"),
        ("Scenario 5 Bridge of Roana", "1–4 succeeds"),
        ("Scenario 5 Logistics Points", "5 a day on May 16–20, 10 on May 21–31, 15 on June 1–15"),
        ("Events Table", "7 or more: Russian Success"),
    ],
)
def test_facts(entry, fact):
    assert fact in summary(entry)


@pytest.mark.parametrize("entry", ["TEC", "Assault Table", "Fire Table", "Map", "Counters"])
def test_what_we_lack_is_said(entry):
    assert "we do not have" in summary(entry).lower()


def test_tags_use_the_words_of_the_pack():
    pack = load_pack(FOLDER, "strafexpedition")
    ground = {"level", "trench"}.union(*map(pack.words, ("terrain", "features", "links")))
    charts = {entry.term or entry.number for entry in BOOK.rules if not entry.number[0].isdigit()}
    phases = {str(phase) for phase in range(1, 13)}
    phases |= {f"{phase}{step}" for phase in (8, 9) for step in "ABCDEFGHI"}
    for entry in BOOK.rules:
        assert set(entry.units) <= UNITS, entry.id
        assert set(entry.terrain) <= ground, entry.id
        assert set(entry.hexsides) <= pack.words("hexsides"), entry.id
        assert set(entry.tables) <= charts, entry.id
        assert set(entry.phases) <= phases, entry.id


def test_what_the_pack_cites_can_be_looked_up():
    cited = re.findall(r'\bcite = "([^"]+)"', (FOLDER / "pack.toml").read_text("utf-8"))
    assert cited
    # "13.4.5 A" is a lettered part of 13.4.5 and has no entry of its own
    assert [cite for cite in cited if not BOOK.find(re.sub(r" [A-Z]$", "", cite))] == []


def test_every_word_is_there_in_three_languages():
    assert [word for word, names in BOOK.words.items() if not (names.de and names.it)] == []


def seed_text():
    return re.sub(r"<\|[^|]*\|>", "\n", SEED.read_text("utf-8"))  # page breaks


@with_the_seed
def test_no_rule_is_left_out():
    """A rule opens a line with its number; two of section 23 have a dash before it.

    A line that begins with "13.3.3 also apply" is the end of a sentence of 13.3.4: such a number
    has been there already, and counts once.
    """
    opening = re.compile(r"^\s*(?:−\s*)?(\d{1,2}(?:\.\d{1,2})+)\s+\S", re.MULTILINE)
    printed = list(dict.fromkeys(opening.findall(seed_text())))
    assert [entry.number for entry in of_sections() if not entry.term] == printed


@with_the_seed
def test_no_game_term_is_left_out():
    terms = re.search(r"^3\.0 .*?(?=^4\.0 )", seed_text(), re.MULTILINE | re.DOTALL)
    headings = re.findall(r"\n\s*\n([A-Z][A-Za-z ]+?)(?: \([A-Za-z]+\))? ?:", terms.group())
    printed = ["Morale Value" if word == "Moral Value" else word for word in headings]
    assert [entry.term for entry in of_sections() if entry.term] == printed


@with_the_seed
def test_every_hex_named_is_printed():
    hexes = re.compile(r"(?<!\d)\d{4}(?!\d)")
    printed = set(hexes.findall(seed_text()))
    named = {hex_ for entry in BOOK.rules for hex_ in hexes.findall(entry.summary)}
    assert len(named) > 100
    assert named <= printed


@with_the_seed
@pytest.mark.parametrize("scenario", range(1, 6))
def test_every_hex_of_a_scenario_is_named(scenario):
    """Set-up, trenches, arrivals and objectives: no hex of the lists is forgotten."""
    text = seed_text()
    start = re.search(rf"^SCENARIO {scenario}\b", text, re.MULTILINE).start()
    end = re.compile(r"^(SCENARIO \d|25\.0 )", re.MULTILINE).search(text, start + 1).start()
    printed = set(re.findall(r"(?<![\d,])[0-5]\d{3}(?!\d)", text[start:end])) - YEARS
    named = " ".join(e.summary for e in BOOK.rules if e.number == f"Scenario {scenario}")
    assert {hex_ for hex_ in printed if hex_ not in named} == set()
