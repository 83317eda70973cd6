"""The words of results: read, written, and read again; of both games and of other shapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.result_words import Result, format_result, parse_result, pieces_of, plain_form
from rules.errors import RulesError
from rules.registry import find_pack, pack_names
from rules.schema.results import Grammar

EFFECT = {"does": "told", "title": "something", "cite": "1.0"}
NAMES = (
    *("scatter", "minus", "morale", "pin", "exploit"),
    *("attacker_steps", "defender_steps", "own", "theirs"),
)
OTHERS = Grammar.model_validate(
    {
        "cite": "1.0",
        "forms": [
            {"form": "-"},
            {"form": "[S=scatter]M[<minus>]", "means": ["morale"]},
            {"form": "P-M<minus>", "means": ["pin", "morale"]},
            {"form": "X", "means": ["exploit"]},
            {"form": "<attacker_steps>-<defender_steps>"},
            {"form": "<own>/<theirs>"},
        ],
        "effects": dict.fromkeys(NAMES, EFFECT),
    }
)
GRAMMARS = [
    pytest.param(grammar, id=f"{game}: {name}")
    for game in pack_names()
    for name, grammar in find_pack(game).results.items()
] + [pytest.param(OTHERS, id="other shapes")]


@pytest.mark.parametrize(
    ("game", "results", "text", "numbers", "effects"),
    [
        ("strafexpedition", "assault", "1D2R", {"steps": 1, "points": 2}, ["retreat"]),
        ("strafexpedition", "assault", "D1", {"points": 1}, []),
        ("strafexpedition", "fire", "2D3T", {"steps": 2, "points": 3}, ["trench"]),
        ("strafexpedition", "fire", "*", {}, ["star"]),
        ("strafexpedition", "fire", "-", {}, []),
        ("caporetto-1917", "assault", "D2R/1", {"points": 2, "steps": 1}, ["retreat"]),
        ("caporetto-1917", "fire", "D2/1 S", {"points": 2, "steps": 1}, ["cut_off"]),
        ("caporetto-1917", "fire", "T", {}, ["trench"]),
    ],
)
def test_results_of_the_two_games(game, results, text, numbers, effects):
    result = parse_result(find_pack(game).results[results], text)
    assert result.numbers == numbers
    assert sorted({*result.effects} - {*numbers}) == effects


@pytest.mark.parametrize(
    ("text", "numbers", "effects"),
    [
        ("M", {}, {"morale"}),
        ("SM", {}, {"morale", "scatter"}),
        ("M2", {"minus": 2}, {"morale", "minus"}),
        ("P-M2", {"minus": 2}, {"pin", "morale", "minus"}),
        ("X", {}, {"exploit"}),
        ("5-0", {"attacker_steps": 5, "defender_steps": 0}, {"attacker_steps"}),
        ("3/1", {"own": 3, "theirs": 1}, {"own", "theirs"}),
    ],
)
def test_results_of_other_shapes(text, numbers, effects):
    result = parse_result(OTHERS, text)
    assert (result.numbers, set(result.effects)) == (numbers, effects)


@pytest.mark.parametrize("grammar", GRAMMARS)
@given(data=st.data())
def test_what_is_written_is_read_again(grammar, data):
    form = data.draw(st.sampled_from(grammar.forms))
    numbers, marks = {}, set()
    for piece in pieces_of(form.form):
        if piece.kind == "number" or (piece.kind == "maybe" and data.draw(st.booleans())):
            numbers[piece.name] = data.draw(st.integers(0, 12))
        elif piece.kind == "mark" and data.draw(st.booleans()):
            marks.add(piece.name)
    text = format_result(Result("", form.form, numbers, frozenset(marks), form.means))
    again = parse_result(grammar, text)
    assert format_result(again) == text
    assert (again.numbers, again.marks) == (numbers, frozenset(marks))


@pytest.mark.parametrize("text", ["", "D", "1DR", "D1RR", "?", "1D2 R x", "d1", "-1D2"])
def test_what_is_no_result_is_refused_with_the_forms(text):
    grammar = find_pack("strafexpedition").results["assault"]
    with pytest.raises(RulesError, match=r"results are written: -, \[#\]D#\[R\], R"):
        parse_result(grammar, text)


@pytest.mark.parametrize("form", ["<steps", "[R]", "<a><a>", "[=x]", "]"])
def test_a_form_that_is_none_is_refused(form):
    with pytest.raises(RulesError, match="is no form"):
        pieces_of(form)


def test_forms_are_told_as_players_write_them():
    assert plain_form("D<points>[R=retreat][/<steps>]") == "D#[R][/#]"
