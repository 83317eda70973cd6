"""The drawing as a whole: every role in every style, true to the map, the same every time."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from lxml import etree

from mapkit.drawing import (
    ALL_LAYERS,
    LAYERS,
    LayerError,
    Looks,
    SizeError,
    draw_map,
    ground_colour,
    load_style,
    moved_to,
    style_names,
)
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import ROLES, WATERCOURSES, Kind, Kinds
from mapkit.model import Area, Feature, Ground, HexMap
from tests.mapkit.drawing.landscapes import NUMBERINGS, every_role, landscape, with_shapes

SVG = "{http://www.w3.org/2000/svg}"
every_style = pytest.mark.parametrize(
    "style", [load_style(name) for name in style_names()], ids=str
)
GROUND = frozenset({"levels", "terrain"})


def parsed(drawing):
    return etree.fromstring(drawing.svg.encode())


def groups(drawing):
    return {group.get("id") for group in parsed(drawing).iter(f"{SVG}g")}


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def board(hexes, **more):
    return HexMap(
        Grid.regular("pointy", pitch_px=40), NUMBERINGS["pointy"], hexes, kinds_of_all(), **more
    )


def kinds_of_all():
    return every_role().kinds


def row(terrain, length=6):
    return {
        NUMBERINGS["pointy"].hex_at(c, r): Ground(terrain) for c in range(length) for r in range(4)
    }


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_every_layer_of_a_map_with_every_role_is_drawn(name, orientation):
    drawing = draw_map(every_role(orientation), load_style(name), hex_px=40)
    wanted = set(LAYERS) - {"relief", "texture"}  # no levels here; plain has no texture
    assert wanted <= groups(drawing)
    assert (drawing.grid.hex_mm, drawing.grid.north_deg) == (16, 20)


CASES = [(group, role) for group, roles in ROLES.items() for role in (*roles, "odd")]


MIDDLE, EAST = NUMBERINGS["pointy"].hex_at(1, 1), NUMBERINGS["pointy"].hex_at(2, 1)
BARE = ALL_LAYERS - {"legend", "names", "title", "scale", "compass", "frame"}


def with_one(group, role):
    """Return a map with one thing on it, and the same map without."""
    plain = board(row("rough" if (group, role) == ("terrain", "clear") else "clear", length=4))
    feature = Feature(role, value=3)
    changes = {
        "terrain": {"hexes": plain.hexes | {MIDDLE: Ground(role)}},
        "features": {"hexes": plain.hexes | {MIDDLE: Ground("clear", features=(feature,))}},
        "hexsides": {"hexsides": {Hexside.between(MIDDLE, EAST): (feature,)}},
        "links": {"links": {Link.between(MIDDLE, EAST): (feature,)}},
        "areas": {"areas": (Area("A", role, hexes=(MIDDLE, EAST)),)},
    }
    return replace(plain, **changes[group]), plain


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize(("group", "role"), CASES)
def test_every_role_leaves_its_mark(pixels, name, group, role):
    """A map with one such thing looks different, there, from the same map without it."""
    with_it, without = with_one(group, role)
    style = load_style(name)
    drawing = draw_map(with_it, style, layers=BARE, hex_px=32)
    before = pixels(draw_map(without, style, layers=BARE, hex_px=32))
    different = np.abs(before - pixels(drawing)).max(axis=2) > 12
    assert different.sum() > 15
    ys, xs = np.nonzero(different)
    x, y = drawing.grid.centre(MIDDLE)
    assert np.hypot(xs - x, ys - y).min() < 32


@pytest.mark.parametrize("name", style_names())
def test_terrains_are_told_apart(name):
    """By their colour, or by what is drawn on them."""
    looks = load_style(name).terrain
    for (one, a), (other, b) in combinations(looks.items(), 2):
        alike = np.abs(rgb(a.fill) - rgb(b.fill)).max() < 9
        same_texture = (a.marks, a.hatch, a.lining) == (b.marks, b.hatch, b.lining)
        assert not (alike and same_texture), f"{one} looks like {other}"


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_the_centre_of_a_hex_has_the_colour_of_its_terrain(pixels, orientation):
    map_ = landscape(orientation, columns=16, rows=12)
    looks = Looks(load_style("plain"), map_.kinds)
    drawing = draw_map(map_, looks.style, layers=GROUND, hex_px=24)
    picture = pixels(drawing)
    for hex_ in map_.hexes:
        x, y = drawing.grid.centre(hex_)
        assert np.abs(picture[int(y), int(x)] - rgb(ground_colour(map_, looks, hex_))).max() <= 2


@pytest.mark.parametrize("name", style_names())
def test_soft_edges_keep_the_colour_at_the_centre(pixels, name):
    map_ = landscape("pointy", columns=16, rows=12)
    style = load_style(name)
    drawing = draw_map(map_, style, layers=GROUND, hex_px=24)
    picture = pixels(drawing)
    looks = Looks(style, map_.kinds)
    off = [
        hex_
        for hex_ in map_.hexes
        if np.abs(
            picture[tuple(int(v) for v in drawing.grid.centre(hex_)[::-1])]
            - rgb(ground_colour(map_, looks, hex_))
        ).max()
        > 2
    ]
    hatched = {"lake"} if name != "plain" else set()
    assert [hex_ for hex_ in off if map_.hexes[hex_].terrain not in hatched] == []


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_rivers_and_roads_are_seen_where_the_map_has_them(pixels, name, orientation):
    map_ = landscape(orientation, columns=20, rows=14)
    style = load_style(name)
    paper = rgb(style.sheet.paper)
    rivers = [side for side, features in map_.hexsides.items() if features[0].kind in WATERCOURSES]
    for layer, places in (("water", rivers), ("roads", list(map_.links))):
        drawing = draw_map(map_, style, layers={layer}, hex_px=64)
        picture = pixels(drawing)
        unseen = [
            place
            for place in places
            if np.abs(around(picture, middle_of(drawing, place), 8) - paper).max() < 60
        ]
        assert places
        assert unseen == []


def middle_of(drawing, pair):
    return drawing.grid.to_pixel((pair.a.q + pair.b.q) / 2, (pair.a.r + pair.b.r) / 2)


def around(picture, place, reach):
    x, y = (int(v) for v in place)
    return picture[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3)


def near(picture, place, colours, *, reach):
    part = around(picture, place, reach)
    return any(np.abs(part - colour).max(axis=1).min() <= 40 for colour in colours)


@pytest.mark.parametrize("name", style_names())
def test_the_same_map_gives_the_same_bytes(name):
    style = load_style(name)
    map_ = landscape(columns=10, rows=8)
    shuffled = replace(
        map_,
        hexes=dict(reversed(map_.hexes.items())),
        hexsides=dict(reversed(map_.hexsides.items())),
        links=dict(reversed(map_.links.items())),
    )
    first = draw_map(map_, style, hex_px=40)
    assert first == draw_map(map_, style, hex_px=40)
    assert first.svg == draw_map(shuffled, style, hex_px=40).svg


HOSTILE = '<script>alert(1)</script> & "x" \x00\x0b\x1f\ud800\ufffe ]]> \u202e'


def test_hostile_names_are_text_and_nothing_else(pixels):
    hexes = {
        hex_: Ground(
            "clear",
            features=(Feature("town", name=HOSTILE), Feature("peak", value=9999)),
            name=HOSTILE,
        )
        for hex_ in row("clear")
    }
    odd = Kinds(terrain=(Kind("clear", title=HOSTILE),), features=(Kind(HOSTILE),))
    map_ = replace(board(hexes), title=HOSTILE, notes=(HOSTILE,), kinds=odd)
    drawing = draw_map(map_, load_style("antique"), hex_px=20)
    root = parsed(drawing)
    assert not list(root.iter(f"{SVG}script"))
    assert any("<script>" in (text.text or "") for text in root.iter(f"{SVG}text"))
    assert pixels(drawing).shape[2] == 3


def test_endless_names_are_cut():
    hexes = {hex_: Ground("clear", name="A" * 20_000) for hex_ in row("clear")}
    kinds = Kinds(terrain=(Kind("clear", title="long " * 9_000, colour='red"/>'),))
    map_ = replace(board(hexes), title="word " * 5_000, notes=("x" * 50_000,), kinds=kinds)
    assert len(draw_map(map_, load_style("plain"), hex_px=20).svg) < 50_000


def test_layers_are_left_out():
    map_ = landscape(columns=8, rows=6)
    style = load_style("textured")
    assert groups(draw_map(map_, style, layers={"grid"}, hex_px=30)) == {"grid"}
    assert "names" not in groups(draw_map(map_, style, layers=ALL_LAYERS - {"names"}, hex_px=30))
    with pytest.raises(LayerError, match="no layer 'gird'; there is: areas, "):
        draw_map(map_, style, layers={"gird"})


@pytest.mark.parametrize(
    ("hex_px", "message"),
    [(1900, "too big: the limit is"), (1, "cannot be drawn"), (float("nan"), "cannot be drawn")],
)
def test_sizes_nobody_can_use_are_refused(hex_px, message):
    with pytest.raises(SizeError, match=message):
        draw_map(landscape(columns=20, rows=20), load_style("plain"), hex_px=hex_px)


def test_a_map_without_hexes_is_refused():
    with pytest.raises(SizeError, match="nothing to draw"):
        draw_map(board({}), load_style("plain"))


@pytest.mark.parametrize("name", style_names())
def test_shapes_replace_the_schematic_form(pixels, name):
    style = load_style(name)
    map_ = replace(with_shapes(landscape(columns=16, rows=12)), hexsides={})
    drawing = draw_map(map_, style, layers={"terrain", "roads"}, hex_px=32)
    placed = moved_to(map_, drawing.grid)
    wood, road = placed.shapes[0], placed.shapes[1]
    picture = pixels(drawing)
    xs, ys = zip(*wood.rings[0], strict=True)
    centre = (sum(xs) / len(xs), min(ys) + 8)
    assert near(picture, centre, [rgb(style.terrain["woods"].fill)], reach=3)
    woods = [hex_ for hex_, ground in map_.hexes.items() if ground.terrain == "woods"]
    outside = [h for h in woods if np.hypot(*np.subtract(drawing.grid.centre(h), centre)) > 160]
    assert outside
    for hex_ in outside:
        assert not near(
            picture, drawing.grid.centre(hex_), [rgb(style.terrain["woods"].fill)], reach=0
        )
    inside = [p for p in road.rings[0] if 20 < p[0] < drawing.width_px - 20]
    assert all(near(picture, p, [rgb(style.links["road"].colour)], reach=3) for p in inside[2:-2])


def test_a_turned_and_stretched_grid_is_drawn_regular():
    map_ = replace(
        landscape(columns=8, rows=6),
        grid=Grid.regular("pointy", pitch_px=50, turned_deg=7, stretch=1.1, first_px=(90, 80)),
    )
    drawing = draw_map(map_, load_style("plain"), hex_px=40)
    assert drawing.grid.pitch_px(Hex(3, 2)) == pytest.approx(40)
    there = moved_to(map_, drawing.grid)
    assert there.grid == drawing.grid


def test_kinds_nobody_declared_are_drawn():
    map_ = replace(
        board({Hex(0, 0): Ground("lava", features=(Feature("gate"),)), Hex(1, 0): Ground()}),
        kinds=Kinds(),
        hexsides={Hexside.between(Hex(0, 0), Hex(1, 0)): (Feature("fence"),)},
        links={Link.between(Hex(1, 0), Hex(2, 0)): (Feature("tunnel"),)},
    )
    assert draw_map(map_, load_style("antique"), hex_px=30).svg


def test_the_svg_for_other_viewers_carries_its_fonts():
    drawing = draw_map(landscape(columns=5, rows=4), load_style("plain"), hex_px=30)
    text = drawing.standalone()
    assert "@font-face" in text
    assert "Gentium Book Basic" in text
    etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True))
