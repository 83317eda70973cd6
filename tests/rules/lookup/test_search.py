"""Rules are found by number and by words, in three languages and with slips; the order is right."""

import sqlite3
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.lookup import search as search_module
from rules.lookup.at_hand import AtHand
from rules.lookup.notes import Note
from rules.lookup.query import edits, fold, folded, nearest_words, spans, split_query, words_within
from rules.lookup.rule_numbers import find_number, is_under, nearest_numbers, number_key
from rules.lookup.rulebook import load_rulebook
from rules.lookup.search import RuleSearch, SearchError
from rules.lookup.snippets import Marked, snippet
from rules.pack import load_pack
from tests.rules.own_game import write_game


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory):
    folder = write_game(tmp_path_factory.mktemp("packs"))
    return AtHand(load_pack(folder, "skirmish"), load_rulebook(folder))


@pytest.fixture(scope="module")
def index(at_hand):
    with at_hand.search() as index:
        yield index


def ids(found):
    return [hit.passage.id for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("4.1", ["4.1"], id="number"),
        pytest.param("4", ["4", "4.1", "4.3", "4.10"], id="section in the book's order"),
        pytest.param("4.0", ["4", "4.1", "4.3", "4.10"], id="a section's other name"),
        pytest.param("§ 4.1.", ["4.1"], id="signs around it"),
        pytest.param("table 1", ["Table 1"], id="table"),
        pytest.param("2", ["2 Ford", "2 Band"], id="glossary"),
        pytest.param("1", ["1.0"], id="1 is 1.0"),
        pytest.param("supply", ["5", "5.2"], id="title before text, stem of supplied"),
        pytest.param("hungry", ["5.2", "Table 1"], id="shorter title first"),
        pytest.param("hungry turns", ["5.2"], id="all words before some"),
        pytest.param("Forest", ["4.3"], id="capitals"),
        pytest.param('"hungry unit"', ["5.2"], id="phrase"),
        pytest.param("how does a mule cross the ford", ["4.10"], id="a question"),
        pytest.param("drum major", ["5.2"], id="tag"),
    ],
)
def test_what_comes_first(index, query, first):
    assert ids(index.find(query))[: len(first)] == first


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Versorgung", "5"),
        ("Nachschub", "5"),
        ("rifornimento", "5"),
        ("provisions", "5"),
        ("Sichtlinie", "6"),
        ("linea di vista", "6"),
        ("los", "6"),
        ("Geschütze", "4.3"),
        ("geschutze", "4.3"),
        ("Hohe", "6"),
        ("citta alta", "6"),
        ("Nachschub Geschütze", "5.2"),
    ],
)
def test_three_languages(index, query, first):
    found = index.find(query)
    assert ids(found)[0] == first
    assert found.read_as == ()


@pytest.mark.parametrize(
    ("query", "first", "read_as"),
    [
        ("suply", "5", "supply"),
        ("artilery", "4.3", "artillery"),
        ("Versorung", "5", "Versorgung"),
        ("rifornimeto", "5", "rifornimento"),
        ("wlaking", "4.1", "Walking"),
        ("Sichtlienie", "6", "Sichtlinie"),
        ("Nachschubweg", "5", "Nachschub"),
    ],
)
def test_slips_are_forgiven_and_told(index, query, first, read_as):
    found = index.find(query)
    assert ids(found)[0] == first
    assert found.read_as == ((query, (read_as,)),)


def test_a_word_that_is_only_begun(index):
    found = index.find("artill")
    assert set(ids(found)) == {"4.3", "5.2"}
    assert found.read_as == ()


def test_all_words_then_some(index):
    found = ids(index.find("ford bread"))
    assert found[0] == "5"
    assert {"2 Ford", "4.10", "5.2"} <= set(found)


def test_a_phrase_is_nearer_than_its_words(index):
    assert "4.10" not in ids(index.find('"bread comes"'))
    assert ids(index.find('"comes bread"')) == ids(index.find("comes bread"))


def test_an_expression_is_taken_as_a_whole(index):
    assert "1.0" in ids(index.find("line"))
    for query in ("line of sight", "lines of sight", "linea di vista", "LoS"):
        assert ids(index.find(query)) == ["6"]


def test_nothing_found_names_what_comes_near(index):
    found = index.find("hungerstrike")
    assert (found.hits, found.unknown) == ((), ("hungerstrike",))
    assert index.find("xqzw").nearest == ()
    assert index.find("sopply chain gang").hits
    assert index.find("4.2").nearest == ("4.1", "4.3", "4.10")


def test_words_that_look_alike_are_offered(index):
    assert "Artillerie" in index.find("artilleristico").nearest


def test_the_hits_are_marked(index):
    (hit,) = index.find("pulls").hits
    assert hit.snippet.with_signs().endswith("only if somebody *pulls* it.")
    (hit, *_) = index.find("two turns").hits
    assert "*two turns*" in hit.snippet.with_signs()


def test_the_owners_notes_come_first(at_hand):
    notes = (
        Note(id=1, kind="house_rule", text="Wir spielen Versorgung nur bei schönem Wetter."),
        Note(id=2, rule="4.1", text="five hexes in summer"),
    )
    with replace(at_hand, notes=notes).search() as index:
        found = index.find("supply")
        assert [(hit.passage.kind, hit.passage.id) for hit in found.hits][:2] == [
            ("house_rule", "1"),
            ("rule", "5"),
        ]
        assert "*Versorgung*" in found.hits[0].snippet.with_signs()
        numbered = index.find("4.1")
        assert [hit.passage.kind for hit in numbered.hits] == ["rule", "note"]
        assert [hit.because for hit in numbered.hits] == ["number", "number"]
        assert [hit.passage.kind for hit in index.find("4").hits].index("note") == 2


def test_the_limit_says_how_many_there_are(index):
    found = index.find("unit", limit=2)
    assert len(found.hits) == 2
    assert found.total > 2


def test_no_fts5_is_one_clear_line(at_hand, monkeypatch):
    class Plain(sqlite3.Connection):
        def execute(self, *args):
            raise sqlite3.OperationalError("no such module: fts5")

    real = sqlite3.connect
    monkeypatch.setattr(search_module.sqlite3, "connect", lambda name: real(name, factory=Plain))
    with pytest.raises(SearchError, match="no such module: fts5; install a Python"):
        at_hand.search()


def test_an_empty_rulebook_finds_nothing():
    with RuleSearch((), {}) as index:
        assert index.find("supply 1.2").hits == ()


signs = st.text(st.sampled_from("abs \"*-():^+{}~.\\'AND OR NOT NEAR\x00äß½²\u0308\ud800,;1.2…„“"))


@given(st.one_of(st.text(), signs, st.lists(st.sampled_from(["supply", "NEAR(", '"', "4."]))))
@example('"')
@example("AND")
@example("supply*")
@example("title:supply")
@example("- supply")
@example("NEAR(a b")
@example("ª º ½ ⅷ ㏂ ﷺ")
@example("\x00")
def test_no_query_is_refused(index, query):
    text = query if isinstance(query, str) else " ".join(query)
    found = index.find(text, limit=3)
    assert len(found.hits) <= 3 <= max(3, found.total)
    for hit in found.hits:
        assert all(0 <= a < b <= len(hit.snippet.text) for a, b in hit.snippet.marks)


@given(st.text())
def test_spans_and_folded_words_agree(text):
    import unicodedata

    composed = unicodedata.normalize("NFC", text)
    assert tuple(span.word for span in spans(composed)) == folded(text)
    assert all(word.isalnum() for word in folded(text))


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_agree_with_a_slow_judge(one, other):
    assert edits(one, other, most=9) == slow_edits(one, other)
    assert edits(one, other, most=9) == edits(other, one, most=9)
    assert edits(one, other, most=1) == min(slow_edits(one, other), 2)


def slow_edits(one, other):
    if not one or not other:
        return len(one) + len(other)
    best = min(
        slow_edits(one[1:], other) + 1,
        slow_edits(one, other[1:]) + 1,
        slow_edits(one[1:], other[1:]) + (one[0] != other[0]),
    )
    if len(one) > 1 and len(other) > 1 and one[:2] == other[1::-1]:
        best = min(best, slow_edits(one[2:], other[2:]) + 1)
    return best


def test_short_words_forgive_nothing():
    assert nearest_words("hax", {"hex": 3}) == ()
    assert nearest_words("1634", {"1633": 1}) == ()
    assert nearest_words("forst", {"forest": 1, "frost": 5}) == ("frost", "forest")
    assert words_within("hexfeld", ["feld"]) == ()


def test_a_query_is_cut_to_size():
    assert len(split_query("word " * 1000)) == 12
    assert len(split_query("a" * 5000)[0].words[0]) == 64
    assert [term.form for term in split_query("13.2 „in Reihe“ x")] == ["number", "phrase", "word"]
    assert fold("Größe") == "grosse"


numbers = st.lists(st.integers(0, 30), min_size=1, max_size=4).map(
    lambda parts: ".".join(map(str, parts))
)


@given(numbers, numbers)
def test_numbers_sort_as_in_a_book(one, other):
    if is_under(one, other):
        assert number_key(other) < number_key(one)
        assert not is_under(other, one)
    assert not is_under(one, one)


@given(st.lists(numbers, max_size=8), numbers)
def test_the_nearest_numbers_are_known_ones(known, number):
    near = nearest_numbers(number, known)
    assert set(near) <= set(known)
    assert len(near) == min(3, len(set(known)))
    if number in known:
        assert find_number(number, known) == number
        assert number in near


def test_a_snippet_keeps_to_the_words_that_were_found():
    text = " ".join(f"w{n}" for n in range(100))
    found = snippet(text, [70, 71], words=8)
    assert found.with_signs() == "… w68 w69 *w70 w71* w72 w73 w74 w75 …"
    assert snippet("one\ntwo", [1]).with_signs("<", ">") == "one <two>"
    assert snippet("", []) == Marked("")
