"""Styles are data: complete, checked, and extended by a player's own file."""

from itertools import combinations

import pytest

from mapkit.drawing import StyleError, load_style, parse_style, style_names
from mapkit.drawing.style import level_tint, mixed
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


def lab(colour):
    """Return a colour in CIE L*a*b* (D65), where distance is about what the eye sees."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one, other):
    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5


def pattern(look):
    """What is seen of a terrain besides its colour."""
    first = look.marks[0] if look.marks else None
    return (
        first and (first.glyph, first.jitter == 0),
        look.hatch and look.hatch.angle_deg,
        bool(look.lining),
    )


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("highest", [0, 5, 7], ids=["no levels", "six levels", "eight levels"])
def test_every_two_terrains_are_told_apart(name, highest):
    """By their pattern, or by a colour that differs clearly on whichever level both lie."""
    style = load_style(name)
    tints = [level_tint(style.levels, level, 0, highest) for level in range(highest + 1)]
    poor = []
    for (one, a), (other, b) in combinations(sorted(style.terrain.items()), 2):
        if pattern(a) != pattern(b):
            continue
        pairs = [(a.fill, b.fill)]
        if highest:
            pairs = [
                (mixed(tint, a.fill, a.over_levels), mixed(tint, b.fill, b.over_levels))
                for tint in tints
            ]
        worst = min(apart(*pair) for pair in pairs)
        if worst < 10:
            poor.append(f"{one} and {other}: {worst:.1f}")
    assert poor == []


@pytest.mark.parametrize("name", style_names())
def test_scree_is_told_from_clear_ground_on_every_level_whatever_the_level_beside_it(name):
    style = load_style(name)
    clear, rough = style.terrain["clear"], style.terrain["rough"]
    if rough.marks:
        assert not clear.marks
        return
    tints = [level_tint(style.levels, level, 1, 8) for level in range(1, 9)]
    assert min(apart(a, mixed(b, rough.fill, rough.over_levels)) for a in tints for b in tints) > 8
