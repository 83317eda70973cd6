"""Legend, scale bar and compass: where they lie, what they show, in which language."""

from dataclasses import replace

import pytest
from lxml import etree

from mapkit import texts
from mapkit.drawing import ALL_LAYERS, draw_map, load_style, style_names
from mapkit.model import Area
from tests.mapkit.drawing.landscapes import every_role, landscape, with_shapes

SVG = "{http://www.w3.org/2000/svg}"
LEGEND_WORDS = {"en": "Levels 1 to 7", "de": "Stufen 1 bis 7", "it": "Livelli da 1 a 7"}
SCALE_WORDS = {"en": "3 hexes", "de": "3 Hexfelder", "it": "3 esagoni"}


def words(drawing):
    root = etree.fromstring(drawing.svg.encode(), etree.XMLParser(huge_tree=True))
    return {text.text for text in root.iter(f"{SVG}text")}


def drawn(map_, style="plain", **options):
    return draw_map(map_, load_style(style), hex_px=40, **options)


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_furniture_speaks_the_language_asked_for(language):
    map_ = landscape(columns=12, rows=8)
    low, high = (f({g.level for g in map_.hexes.values()}) for f in (min, max))
    wanted = LEGEND_WORDS[language].replace("1", str(low)).replace("7", str(high))
    assert {wanted, SCALE_WORDS[language]} <= words(drawn(map_, language=language))


def test_without_a_language_it_is_the_one_in_use(monkeypatch):
    map_ = landscape(columns=12, rows=8)
    monkeypatch.setenv("MAPKIT_LANG", "de")
    assert drawn(map_) == drawn(map_, language="de")
    assert drawn(map_) != drawn(map_, language="en")


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_the_legend_lists_every_kind_in_use(name, orientation):
    map_ = every_role(orientation)
    listed = {(entry.group, entry.kind) for entry in drawn(map_, name).legend}
    used = {("terrain", ground.terrain) for ground in map_.hexes.values()}
    used |= {("features", f.kind) for g in map_.hexes.values() for f in g.features}
    used |= {("hexsides", f.kind) for features in map_.hexsides.values() for f in features}
    used |= {("links", f.kind) for features in map_.links.values() for f in features}
    used |= {("areas", area.kind) for area in map_.areas}
    assert len(used) > 40
    assert listed == used


@pytest.mark.parametrize("name", style_names())
def test_every_sample_of_the_legend_shows_something_in_its_place(name, pixels):
    map_ = every_role()
    drawing = drawn(map_, name, language="en")
    bare = drawn(map_, name, layers=ALL_LAYERS - {"areas"}, language="en")
    assert bare.legend == drawing.legend
    picture, paper = pixels(drawing), load_style(name).sheet.paper
    blank = [int(paper[i : i + 2], 16) for i in (1, 3, 5)]
    for entry in drawing.legend:
        x, y, width, height = entry.rect
        inside = picture[round(y) : round(y + height), round(x) : round(x + width)]
        assert (abs(inside - blank).max(axis=2) > 24).mean() > 0.02, entry


def test_levels_have_a_sample_each_in_their_tint(pixels):
    from mapkit.drawing.style import level_tint
    from mapkit.drawing.terrain import level_range

    map_, style = landscape(columns=20, rows=12), load_style("textured")
    drawing = drawn(map_, "textured")
    picture, heights = pixels(drawing), level_range(map_)
    tints = [entry for entry in drawing.legend if entry.group == "levels"]
    assert [int(entry.kind) for entry in tints] == list(range(heights[0], heights[1] + 1))
    for entry in tints:
        x, y, width, height = entry.rect
        seen = picture[round(y + height / 2), round(x + width / 2)]
        tint = level_tint(style.levels, int(entry.kind), *heights)
        assert abs(seen - [int(tint[i : i + 2], 16) for i in (1, 3, 5)]).max() <= 2


def test_samples_of_the_legend_lie_apart_and_on_the_sheet():
    drawing = drawn(every_role())
    for index, entry in enumerate(drawing.legend):
        x, y, width, height = entry.rect
        assert 0 < x < x + width < drawing.width_px
        assert 0 < y < y + height < drawing.height_px
        for other in drawing.legend[:index]:
            ox, oy, owidth, oheight = other.rect
            assert x >= ox + owidth - 0.02 or ox >= x + width - 0.02 or (
                y >= oy + oheight or oy >= y + height
            )  # fmt: skip


def test_a_sheet_without_legend_has_no_empty_strip():
    map_ = replace(landscape(columns=40, rows=12), title="The Long Valley of the Soznava")
    heights = {
        hidden: drawn(map_, layers=ALL_LAYERS - set(hidden)).height_px
        for hidden in [(), ("legend",), ("legend", "scale", "compass"), ("legend", "title")]
    }
    bare = drawn(map_, layers=ALL_LAYERS - {"legend", "title", "scale", "compass"}).height_px
    assert heights["legend",] < heights[()]
    # Two hexes for what is left: the title on one line, the scale bar, the compass.
    assert bare < heights["legend", "title"] <= heights["legend",] <= bare + 3.6 * 40
    assert not drawn(map_, layers=ALL_LAYERS - {"legend"}).legend


def test_nothing_to_say_leaves_no_strip():
    map_ = replace(landscape(columns=12, rows=8), title="", notes=())
    without = ALL_LAYERS - {"legend", "scale", "compass"}
    assert drawn(map_, layers=without).height_px == (
        drawn(map_, layers=without - {"title"}).height_px
    )


def test_an_area_without_ground_is_not_in_the_legend():
    map_ = replace(with_shapes(landscape(columns=12, rows=8)), areas=(Area("Void", "sector"),))
    assert not [entry for entry in drawn(map_).legend if entry.group == "areas"]
