"""Styles are data: complete, checked, and extended by a player's own file."""

import pytest

from mapkit.drawing import StyleError, load_style, parse_style, style_names
from mapkit.drawing.style import level_tint
from mapkit.drawing.symbols import SYMBOLS


@pytest.mark.parametrize("name", style_names())
def test_bundled_styles_are_whole(name):
    style = load_style(name)
    assert style.name == name
    assert {look.symbol for look in style.features.values()} <= SYMBOLS


def test_there_are_at_least_three():
    assert {"antique", "plain", "textured"} <= set(style_names())


def test_a_file_gives_only_what_differs(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "plain"\nname = "mine"\n[terrain.woods]\nfill = "#123456"\n')
    style = load_style(str(path))
    assert style.terrain["woods"].fill == "#123456"
    assert style.terrain["lake"] == load_style("plain").terrain["lake"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extends = "plain"\n[terrain.woods]\nfill = "green"', "terrain.woods.fill: "),
        ('extends = "plain"\n[terrain.jungle]\nfill = "#123456"', "terrain: jungle missing or"),
        ('extends = "plane"', "no style 'plane'"),
        ("name = ", "not TOML"),
        ('name = "x"', "sheet: Field required"),
        ('extends = "plain"\n[grid]\nwidht = 1', "grid.widht: Extra inputs"),
    ],
)
def test_faults_name_the_key(text, message):
    with pytest.raises(StyleError, match=f"mine.toml: .*{message}"):
        parse_style(text, "mine.toml")


@pytest.mark.parametrize("name", ["nonesuch", "nonesuch.toml", "\0.toml", "../plain"])
def test_an_unknown_style_is_told(name):
    with pytest.raises(StyleError):
        load_style(name)


def test_few_levels_use_a_part_of_the_tints():
    levels = load_style("plain").levels
    assert level_tint(levels, 1, 1, 8) == levels.tints[0]
    assert level_tint(levels, 9, 1, 9) == levels.tints[-1]
    assert level_tint(levels, 2, 1, 2) != levels.tints[-1]
