"""The rules at hand of The Italian Front: complete against the rulebook, and true."""

import re
from collections import Counter
from pathlib import Path

import pytest

from rules.lookup.at_hand import AtHand
from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack, pack_folder
from rules.scenarios.sequences import find_sequence

GAME = "caporetto-front"
FOLDER = pack_folder(GAME)
SEED = Path(__file__).parents[4] / "shared" / "seeds" / "caporetto-italian-front.txt"
BOOK = load_rulebook(FOLDER)
CHARTS = {"TEC", "Charts", "Events Table", "Turn Record Track", "Set-up", "Counters", "Map"}
ERRATA = {f"Errata {number}" for number in range(1, 7)}
YEARS = {"1914", "1917", "1918"}
HEX = r"(?<!\d)\d{4}(?!\d)"

the_seed = pytest.mark.skipif(
    not SEED.is_file(), reason=f"the rulebook's text is not beside this project: {SEED}"
)


def seed_text() -> str:
    text = SEED.read_text(encoding="utf-8").replace("2 .0 COMPONENTS", "2.0 COMPONENTS")
    return re.sub(r"<\|.*?\|>", "", text)


def seed_numbers() -> list[str]:
    """Return the numbers of the rules as their headings have them."""
    return re.findall(r"^(\d+(?:\.\d+)+)\.? [A-Z]", seed_text(), re.M)


def summary(entry_id: str) -> str:
    (entry,) = (entry for entry in BOOK.rules if entry.id == entry_id)
    return entry.summary


@the_seed
def test_every_rule_of_the_rulebook_is_listed_once():
    numbers = seed_numbers()
    assert len(numbers) == len(set(numbers)) > 90
    ours = dict.fromkeys(entry.number for entry in BOOK.rules)
    assert {number for number in ours if number not in CHARTS | ERRATA} == set(numbers)


@the_seed
def test_no_hex_is_named_that_the_rulebook_does_not_name():
    named = {hex_ for entry in BOOK.rules for hex_ in re.findall(HEX, entry.summary)}
    assert len(named) > 25
    assert named <= set(re.findall(HEX, seed_text())) | YEARS


@the_seed
@pytest.mark.parametrize(
    ("number", "next_heading"),
    [("3.2", "3.3 "), ("3.3", "3.4"), ("19.2", "19.3 "), ("19.3", "19.4 "), ("19.4", "19.5 ")],
)
def test_the_hexes_named_are_those_of_the_rulebook(number, next_heading):
    text = seed_text()
    section = text[text.index(f"\n{number} ") : text.index(f"\n{next_heading}")]
    assert set(re.findall(HEX, summary(number))) == set(re.findall(HEX, section)) - YEARS


def test_how_much_there_is():
    assert len(BOOK.rules) == 155
    assert sum(entry.number[0].isdigit() and not entry.term for entry in BOOK.rules) == 105
    assert len(BOOK.words) == 99


def test_every_erratum_chart_and_event_is_listed():
    assert {entry.number for entry in BOOK.rules} >= CHARTS | ERRATA
    events = {entry.term for entry in BOOK.find("Events Table") if entry.term}
    pack = find_pack(GAME)
    assert pack.events is not None
    titles = {one.title.casefold() for one in pack.events.events.values()}
    assert {term.casefold() for term in events} == titles
    assert len([entry for entry in BOOK.find("TEC") if entry.term]) == 13


def test_tags_are_words_of_the_pack():
    pack = find_pack(GAME)
    ground = pack.words("terrain") | pack.words("features") | pack.words("links")
    tables = CHARTS | {entry.term for entry in BOOK.find("Charts")}
    sequence = find_sequence(GAME)
    phases = {phase.id for phase in sequence.phases}
    phases |= {f"{phase.id}{step.id}" for phase in sequence.phases for step in phase.steps}
    for entry in BOOK.rules:
        assert set(entry.phases) <= phases, entry.id
        assert set(entry.units) <= set(pack.classes), entry.id
        assert set(entry.terrain) <= ground, entry.id
        assert set(entry.hexsides) <= pack.words("hexsides"), entry.id
        assert set(entry.tables) <= tables, entry.id
        assert entry.number not in entry.see or entry.term, entry.id


@pytest.mark.parametrize("file", ["pack.toml", "tables.toml", "tasks.toml", "sequence.toml"])
def test_what_the_pack_cites_can_be_looked_up(file):
    text = (FOLDER / file).read_text(encoding="utf-8")
    cited = re.findall(r'cite = "([^"]+)"', text)
    assert cited
    assert [cite for cite in cited if not BOOK.find(cite)] == []


def test_summaries_are_sentences():
    for entry in BOOK.rules:
        assert re.search(r"[.)]$", entry.summary), entry.id
        assert "  " not in entry.summary, entry.id


@pytest.mark.parametrize(
    ("entry_id", "facts"),
    [
        ("1.1", ["one month", "10 km"]),
        ("5.1", ["1911", "turn 1 or 2", "5 or 6 wins", "-3 or lower"]),
        ("5.3", ["at least 8 points more"]),
        ("7.8", ["half a point", "both hexes at its ends are friendly", "never destroyed"]),
        ("7.12", ["five Allied", "four units of the Central Powers"]),
        ("10.3", ["-4 to +2", "8 or more", "12 or more two"]),
        ("11.7.1", ["At 2:1 a 2 gives 3/1"]),
        ("11.8", ["half its factor, fractions up", "2818, 2819 and 2619"]),
        ("13.2.1", ["From turn 3", "twice in a game", "turn 5 at the earliest"]),
        ("13.3", ["lapses if it is already eliminated", "14th Army HQ before turn 5"]),
        ("14.2", ["three marked sources", "western map edge"]),
        ("14.3", ["halved, fractions down", "+2 on the die"]),
        ("15.1.1", ["movement factor is 6"]),
        ("15.1.2", ["within 3 hexes", "movement factor is 2", "five instead of four"]),
        ("16.3", ["modified 3 or more", "-2 on turns 1 and 2", "three to one makes 2R"]),
        ("16.6", ["+3 on the die on turn 1", "+2 on turn 2"]),
        ("17.2", ["two attacks at most", "two artillery units at most"]),
        ("19.2", ["2100 to 2001", "2 points"]),
        ("19.6", ["turn 10", "turn 11", "2 victory points"]),
        ("Errata 3", ["attacks with 2", "defends with 3"]),
    ],
)
def test_facts(entry_id, facts):
    for fact in facts:
        assert fact in summary(entry_id)


def test_a_word_means_one_thing():
    """A word of two concepts would drag the rules of both into every search."""
    for language in ("en", "de", "it"):
        said = [
            name
            for known in BOOK.words.values()
            for name in {phrase.casefold() for phrase in getattr(known, language)}
        ]
        assert said
        assert [name for name, times in Counter(said).items() if times > 1] == []


def test_every_concept_has_all_three_languages():
    assert all(known.en and known.de and known.it for known in BOOK.words.values())


@pytest.mark.parametrize("asked", ["LOS", "Versorgungslinie", "linea di rifornimento"])
def test_los_is_the_line_of_supply(asked):
    with AtHand(find_pack(GAME), BOOK).search() as index:
        found = index.find(asked, limit=3)
    assert "14.1" in [hit.passage.number for hit in found.hits]
