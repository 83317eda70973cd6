"""The rules at hand of Caporetto 1917: complete against the rulebook, and true in what they say."""

import re
from collections import Counter
from pathlib import Path

import pytest

import rules.packs
from rules.lookup.rulebook import load_rulebook
from rules.registry import find_pack

FOLDER = Path(rules.packs.__file__).parent / "caporetto_1917"
SEED = Path(__file__).parents[4] / "shared" / "seeds" / "caporetto-1917.txt"
BOOK = load_rulebook(FOLDER)
CHARTS = ["TEC", "Set-up", "Charts", "Assault Table", "Fire Table", "Turn Record Track"]
CHARTS += ["Counters", "Map"]
HEAD = (FOLDER / "rules.toml").read_text(encoding="utf-8").split("[[rule]]")[0]
PHASES = {str(number) for number in range(1, 14)}
PHASES |= {f"{phase}.{step}" for phase in "56" for step in "1234"}
PHASES |= {f"{phase}{step}" for phase in "78" for step in "ABCDEFGHI"}
PHASES |= {"9A", "9B", "10A", "10B"}

the_seed = pytest.mark.skipif(
    not SEED.is_file(), reason=f"the rulebook's text is not beside this project: {SEED}"
)


def summary(entry_id: str) -> str:
    (entry,) = (entry for entry in BOOK.rules if entry.id == entry_id)
    return entry.summary


def seed_lines() -> list[str]:
    """Return the rules' part of the text: no contents, no history, no closing overview."""
    lines = SEED.read_text(encoding="utf-8").splitlines()
    return lines[lines.index("1.0 EINFÜHRUNG") : lines.index("ABKÜRZUNGEN")]


def seed_numbers() -> list[str]:
    """Return the numbers of the rules in their order.

    The steps of phases 5 and 6 are numbered 5.1 to 6.4 within 4.0: they are not rules 5.1 to 6.2.
    """
    lines = seed_lines()
    steps = range(lines.index("4.0 SPIELABLAUF") + 1, lines.index("5.0 VERSTÄRKUNGEN"))
    found = (
        re.match(r"(\d+(?:\.\d+)+)\.?\s+\S", line) for i, line in enumerate(lines) if i not in steps
    )
    return [match[1] for match in found if match]


@the_seed
def test_every_rule_of_the_rulebook_is_listed_in_its_order():
    numbers = seed_numbers()
    assert len(numbers) == len(set(numbers)) > 200
    ours = dict.fromkeys(entry.number for entry in BOOK.rules)
    assert [number for number in ours if number not in CHARTS] == numbers


@the_seed
def test_every_term_of_the_glossary_has_an_entry():
    lines = seed_lines()
    glossary = lines[lines.index("3.0 SPIELBEGRIFFE") + 3 : lines.index("4.0 SPIELABLAUF")]
    terms = [entry.term for entry in BOOK.find("3.0") if entry.term]
    assert len(terms) == len([line for line in glossary if line.strip()]) == 20


@the_seed
def test_every_phase_has_an_entry():
    lines = seed_lines()
    sequence = lines[lines.index("4.0 SPIELABLAUF") : lines.index("5.0 VERSTÄRKUNGEN")]
    phases = [match[1] for line in sequence if (match := re.match(r"(\d+)\. ", line))]
    assert [e.term for e in BOOK.find("4.0") if e.term] == [f"Phase {number}" for number in phases]


@the_seed
@pytest.mark.parametrize(
    "number", ["24.11", "24.14", "24.16", "25.14", "26.2", "26.3", "27.3", "21.7", "21.9"]
)
def test_the_hexes_named_are_those_of_the_rulebook(number):
    """Nobody's eye catches a slipped digit among forty hexes."""
    text = "\n".join(seed_lines())
    section = re.split(rf"^{re.escape(number)} ", text, flags=re.MULTILINE)[1]
    section = re.split(r"^\d+\.\d+(?:\.\d+)* ", section, flags=re.MULTILINE)[0]
    hexes = r"\b(?:\d{4}|\d\dxx)\b"
    assert Counter(re.findall(hexes, summary(number))) == Counter(re.findall(hexes, section))


@the_seed
def test_no_hex_is_named_that_the_rulebook_does_not_name():
    hexes = r"(?<!\d)\d{4}(?!\d)"
    named = {hex_ for entry in BOOK.rules for hex_ in re.findall(hexes, entry.summary)}
    assert len(named) > 40
    assert named <= set(re.findall(hexes, "\n".join(seed_lines()))) | {"1916", "1917"}


def test_how_much_there_is():
    assert len(BOOK.rules) == 295
    assert sum(entry.number[0].isdigit() and not entry.term for entry in BOOK.rules) == 244
    assert len(BOOK.words) == 167


def test_every_chart_is_listed_and_says_that_we_lack_it():
    charts = [entry for entry in BOOK.rules if entry.number in CHARTS]
    assert {entry.number for entry in charts} == set(CHARTS)
    assert len(charts) == 13
    for entry in charts:
        assert "do not have" in entry.summary or entry.term == "Abbreviations"


def test_tags_are_words_of_the_pack_or_of_the_list_at_the_top():
    pack = find_pack("caporetto-1917")
    ground = pack.words("terrain") | pack.words("features") | pack.words("links")
    tables = set(CHARTS) | {entry.term for entry in BOOK.find("Charts")}
    units = set(re.findall(r"[a-z_]+", HEAD.split("# units:")[1].split("No tag")[0]))
    assert len(units) == 24
    for entry in BOOK.rules:
        assert set(entry.phases) <= PHASES, entry.id
        assert set(entry.units) <= units, entry.id
        assert set(entry.terrain) <= ground, entry.id
        assert set(entry.hexsides) <= pack.words("hexsides"), entry.id
        assert set(entry.tables) <= tables, entry.id
        assert entry.number not in entry.see or entry.term, entry.id


def test_what_the_pack_cites_can_be_looked_up():
    cited = re.findall(r'cite = "([^"]+)"', (FOLDER / "pack.toml").read_text(encoding="utf-8"))
    assert cited
    # "12.3.3 C" is a lettered part of 12.3.3 and has no entry of its own
    assert [cite for cite in cited if not BOOK.find(re.sub(r" [A-Z]$", "", cite))] == []


def test_summaries_are_sentences():
    for entry in BOOK.rules:
        assert re.search(r"[.)]$", entry.summary), entry.id
        assert "  " not in entry.summary, entry.id


@pytest.mark.parametrize(
    ("entry_id", "facts"),
    [
        ("2.1.1", ["900 metres", "twelve hours"]),
        ("7.1", ["1–3 the trace is blocked", "4–6"]),
        ("7.3", ["13 guns costs 4 LP", "one gun 2 LP"]),
        ("7.4", ["up to 15 guns"]),
        ("8.1 Fog", ["levels 1 and 2", "2 columns left"]),
        ("8.1 Overcast", ["4 hexes"]),
        ("8.1 Light rain", ["2 hexes"]),
        ("9.2", ["at most 5 hexes"]),
        ("9.4.1", ["German HQs are immune"]),
        ("10.3.2", ["at least 3 hexes (2 between)", "double"]),
        ("10.4", ["50 %", "1 Disorganization point"]),
        ("11.1", ["two battalion equivalents", "one in high mountain"]),
        ("12.1", ["Light guns fire directly only", "indirectly at half"]),
        ("12.1.1", ["at most 6 hexes", "0610", "1007", "0908"]),
        ("12.1.1.1", ["higher than both"]),
        ("12.1.1.2", ["1 hex farther", "10 hexes in all"]),
        ("12.2.5", ["quarter", "8 factors (2 points)", "4 factors (1 point)"]),
        ("12.3.3", ["11:3 is 3.5:1", "3:5 is 1:1.75", "net 3 at most", "below 1:2", "D2R/1"]),
        ("14.0", ["2 LP without guns", "4 LP with fewer than 6"]),
        ("15.4.1", ["Disorganization is applied first"]),
        ("18.2", ["Disorganized 2", "Disorganized 4"]),
        ("18.6", ["half of the gun's printed", "At 5 points"]),
        ("19.2", ["1–4"]),
        ("19.2.1", ["1–3"]),
        ("23.1", ["5 VP", "1 VP per 10 steps", "gun 5", "twice its value"]),
        ("24.11", ["Turn 2: light rain", "From turn 3 on: clear"]),
        ("24.14", ["20 LP", "2 per turn", "5 LP"]),
        ("25.7", ["fewer than 90", "91 to 120", "more than 120", "Exactly 90 is not covered"]),
        ("25.14", ["50 LP", "5 per turn"]),
        ("25.15", ["at least 6 of the 10"]),
    ],
)
def test_facts(entry_id, facts):
    for fact in facts:
        assert fact in summary(entry_id)


@pytest.mark.parametrize(
    ("word", "called"),
    [
        ("line_of_sight", ["LoS", "Sichtlinie", "linea di vista"]),
        ("zone_of_control", ["ZoC", "Kontrollzone", "zona di controllo"]),
        ("logistics_points", ["LP", "Logistikpunkte", "punti logistici"]),
        ("crags", ["crags", "Felsen", "rocce"]),
        ("track", ["trail", "Gleis", "mulattiera"]),
        ("step", ["steps", "Verlustpunkt", "passo"]),
    ],
)
def test_words_in_three_languages(word, called):
    known = BOOK.words[word]
    assert set(called) <= {*known.en, *known.de, *known.it}


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
