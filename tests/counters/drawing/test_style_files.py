"""Styles of counters: those that come along, a game's, one's own; and what is wrong in them."""

import re

import pytest

from counters.drawing import load_counter_style, parse_counter_style, style_names
from counters.drawing.looks import formation_name
from counters.errors import CounterStyleError

OWN = """
extends = "classic"
name = "mine"

[colours]
red = { ground = "#cc8888" }

[classes.knights]
symbol = "heavy_cavalry"
"""


@pytest.mark.parametrize("name", style_names())
def test_styles_that_come_along_read(name):
    style = load_counter_style(name)
    assert style.name == name
    assert style.title


def test_an_own_style_says_only_what_differs(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN, encoding="utf-8")
    style = load_counter_style(str(path))
    assert style.colours["red"].ground == "#cc8888"
    assert style.colours["italian"] == load_counter_style("classic").colours["italian"]
    assert style.layouts == load_counter_style("classic").layouts


def test_a_layout_can_be_replaced_as_a_whole():
    slot = '[layouts.combat.slots]\nname = { draw = "text", at = [0, 0, 9, 9] }\n'
    merged = parse_counter_style(OWN + slot, "a.toml").layouts["combat"]
    replaced = parse_counter_style(OWN + "[layouts.combat]\ninstead = true\n" + slot, "a.toml")
    assert len(merged.slots) > 1
    assert list(replaced.layouts["combat"].slots) == ["name"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param("[colours.x]\nground = 'red'", "mine.toml: colours.x.ground", id="colour"),
        pytest.param("[colours.x]\ngrund = 'x'", "mine.toml: colours.x.ground: Field", id="key"),
        pytest.param("[classes.x]\nsymbol = 'wizard'", "no symbol 'wizard'", id="symbol"),
        pytest.param("[classes.x]\nlayout = 'odd'", "classes.x: there is no layout", id="layout"),
        pytest.param(
            "[layouts.a.slots.b]\ndraw = 'value'\nat = [0, 0, 10, 300]\nvalue = 'x'",
            r"mine.toml: layouts.a.slots.b.at.3: Input should be less",
            id="a value's place",
        ),
        pytest.param(
            "[layouts.a.slots.b]\ndraw = 'poem'", "layouts.a.slots.b: ", id="kind of slot"
        ),
        pytest.param("bars = []", "mine.toml: bars", id="no bars"),
        pytest.param("[[", "mine.toml: not TOML", id="no TOML"),
    ],
)
def test_a_fault_is_told_with_file_and_key(more, told):
    text = OWN.replace("[colours]", f"{more}\n[colours]") if "bars" in more else f"{OWN}\n{more}\n"
    with pytest.raises(CounterStyleError, match=told):
        parse_counter_style(text, "mine.toml")


def test_a_style_that_stands_on_nothing_is_refused():
    with pytest.raises(CounterStyleError, match="extends: no style 'modern'.*classic"):
        parse_counter_style('extends = "modern"', "mine.toml")


@pytest.mark.parametrize("name", ["modern", "", "no/such", "classic.tom"])
def test_an_unknown_name_lists_what_there_is(name):
    with pytest.raises(CounterStyleError, match=re.escape("there is: battalion, classic")):
        load_counter_style(name)


def test_files_that_are_no_style_are_told(tmp_path):
    missing = tmp_path / "missing.toml"
    with pytest.raises(CounterStyleError, match="cannot read the style"):
        load_counter_style(str(missing))
    missing.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CounterStyleError, match="not UTF-8"):
        load_counter_style(str(missing))
    missing.write_bytes(b"#" * 1_000_001)
    with pytest.raises(CounterStyleError, match="bigger than any style"):
        load_counter_style(str(missing))


def test_formations_have_their_titles_where_the_style_names_nothing_shorter():
    style = load_counter_style("strafexpedition")
    assert formation_name("kj-180", style) == "180th KJ Brigade"
    assert formation_name("guns-v-corps", style) == "V"
    text = 'extends = "classic"\nname = "x"\ntitle = "X"\n[formations.a]\ncolour = "#102030"\n'
    own = parse_counter_style(text, "x.toml", formations='[a]\ntitle = "First"\n')
    assert (formation_name("a", own), own.formations["a"].colour) == ("First", "#102030")
