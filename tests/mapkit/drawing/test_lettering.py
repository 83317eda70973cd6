"""Names keep clear of each other; every name on the map is written."""

from dataclasses import replace
from itertools import combinations

import pytest
from lxml import etree

from mapkit.drawing import Looks, draw_map, load_style, style_names
from mapkit.drawing.frame import Frame
from mapkit.drawing.hex_numbers import crowded_numbers
from mapkit.drawing.lettering import Obstacles, names_wanted, obstacles_for, place_names
from mapkit.drawing.network import Network
from mapkit.drawing.symbols import place_features
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.model import Area, Feature, Ground, HexMap, Shape
from tests.mapkit.drawing.landscapes import NUMBERINGS, all_kinds, landscape


def labels_of(map_, name="antique"):
    style = load_style(name)
    looks = Looks(style, map_.kinds)
    frame = Frame.around(map_, hex_px=64, margin=0.5)
    placed = place_features(frame, looks)
    obstacles = obstacles_for(frame, style, placed, Network(frame, looks))
    return place_names(frame, style, names_wanted(frame, looks, placed), obstacles), placed, frame


def overlap(a, b):
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


@pytest.mark.parametrize("name", style_names())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_names_do_not_overlap(name, orientation):
    labels, placed, frame = labels_of(landscape(orientation, columns=44, rows=30), name)
    assert len(labels) > 12
    assert [p for p in combinations(labels, 2) if overlap(p[0].box, p[1].box)] == []
    symbols = [(p.x - p.radius, p.y - p.radius, p.x + p.radius, p.y + p.radius) for p in placed]
    assert [
        label.lines for label in labels if any(overlap(label.box, box) for box in symbols)
    ] == []
    left, top, right, bottom = frame.land
    for label in labels:
        assert left - 40 < label.box[0] < label.box[2] < right + 40
        assert top - 40 < label.box[1] < label.box[3] < bottom + 40


def crowd(name="Castelnuovo della Valle"):
    numbering = NUMBERINGS["pointy"]
    hexes = {
        numbering.hex_at(c, r): Ground(
            "clear",
            features=(Feature("village"),) if (c + r) % 2 == 0 else (),
            name=f"{name} {c}{r}" if (c + r) % 2 == 0 else "",
        )
        for c in range(10)
        for r in range(10)
    }
    return HexMap(Grid.regular("pointy", pitch_px=60), numbering, hexes, all_kinds())


def test_a_crowd_of_names_is_written_whole():
    labels, _, _ = labels_of(crowd())
    assert len(labels) == 50


def test_a_name_shared_by_touching_hexes_is_written_once():
    numbering = NUMBERINGS["pointy"]
    hexes = {
        numbering.hex_at(c, r): Ground("lake", name="Lago Nero" if 2 <= c <= 4 else "")
        for c in range(7)
        for r in range(3)
    }
    map_ = HexMap(Grid.regular("pointy", pitch_px=60), numbering, hexes, all_kinds())
    labels, _, _ = labels_of(map_)
    assert [(label.lettering, " ".join(label.lines)) for label in labels] == [
        ("water", "Lago Nero")
    ]


def test_every_hex_has_its_number():
    map_ = landscape(columns=9, rows=7)
    root = etree.fromstring(draw_map(map_, load_style("plain"), hex_px=40).svg.encode())
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {map_.label(hex_) for hex_ in map_.hexes} <= set(texts)


def test_a_river_has_its_name_along_it():
    numbering = NUMBERINGS["pointy"]
    hexes = {numbering.hex_at(c, r): Ground("clear") for c in range(10) for r in range(4)}
    river = (Feature("river", name="Ardenza"),)
    sides = {
        Hexside.between(a, b): river
        for a in hexes
        for b in neighbours(a)
        if b in hexes and numbering.position(a)[1] == 1 and numbering.position(b)[1] == 2
    }
    grid = Grid.regular("pointy", pitch_px=60)
    map_ = HexMap(grid, numbering, hexes, all_kinds(), hexsides=sides)
    assert ">Ardenza</textPath>" in draw_map(map_, load_style("antique"), hex_px=40).svg


def test_obstacles_are_counted_once_however_many_cells_they_cover():
    obstacles = Obstacles(10)
    obstacles.add((0, 0, 100, 100), 5)
    assert obstacles.cost((20, 20, 80, 80)) == 5
    assert obstacles.cost((101, 0, 120, 50)) == 0


def with_named_shapes():
    """Return a map of 12 columns with a fort, a lake and an area in its west, drawn freely."""
    numbering = NUMBERINGS["pointy"]
    grid = Grid.regular("pointy", pitch_px=60)
    hexes = {numbering.hex_at(c, r): Ground("clear") for c in range(12) for r in range(6)}
    fort, lake = numbering.hex_at(1, 1), numbering.hex_at(2, 4)
    hexes[fort] = Ground("clear", features=(Feature("fort"),))
    shapes = (
        Shape("fort", "point", ((grid.centre(fort),),), name="Forte Ovest"),
        Shape("lake", "outline", ((*grid.polygon(lake), grid.polygon(lake)[0]),), name="Lago"),
    )
    west = tuple(numbering.hex_at(c, r) for c in range(3) for r in range(6))
    return HexMap(
        grid,
        numbering,
        hexes,
        all_kinds(),
        shapes=shapes,
        areas=(Area("Westen", "sector", hexes=west),),
    )


def columns_of(map_, first, last):
    kept = {h: g for h, g in map_.hexes.items() if first <= map_.numbering.position(h)[0] <= last}
    return replace(map_, hexes=kept)


def named(map_):
    labels, _, _ = labels_of(map_, "plain")
    return {" ".join(label.lines).casefold() for label in labels}


def test_a_part_of_a_map_names_only_what_lies_on_it():
    whole = with_named_shapes()
    assert named(whole) == {"forte ovest", "lago", "westen"}
    assert named(columns_of(whole, 0, 3)) == {"forte ovest", "lago", "westen"}
    assert named(columns_of(whole, 2, 8)) == {"lago", "westen"}
    assert named(columns_of(whole, 5, 11)) == set()


def network_of(map_, name="plain"):
    looks = Looks(load_style(name), map_.kinds)
    return Network(Frame.around(map_, hex_px=60, margin=0.5), looks)


def test_a_number_on_a_line_has_a_halo_and_the_others_have_none():
    numbering = NUMBERINGS["pointy"]
    hexes = {numbering.hex_at(c, r): Ground("clear") for c in range(6) for r in range(5)}
    upper, lower = numbering.hex_at(2, 1), numbering.hex_at(2, 2)
    trench = (Feature("trench", facing=lower),)
    road = {Link.between(numbering.hex_at(4, 3), numbering.hex_at(5, 3)): (Feature("road"),)}
    map_ = HexMap(
        Grid.regular("pointy", pitch_px=60),
        numbering,
        hexes,
        all_kinds(),
        hexsides={Hexside.between(upper, lower): trench},
        links=road,
    )
    # The road runs through the middle of its hexes, below the numbers.
    assert crowded_numbers(network_of(map_)) == {lower}
    root = etree.fromstring(draw_map(map_, load_style("plain"), hex_px=60).svg.encode())
    name = "{http://www.w3.org/2000/svg}"
    for group, stroked in (("hex-numbers", False), ("hex-numbers-on-lines", True)):
        found = root.find(f".//{name}g[@id='{group}']")
        assert (found.get("stroke") is not None) == stroked
        assert (map_.label(lower) in {text.text for text in found}) == stroked


def test_a_map_without_lines_has_no_crowded_number():
    hexes = {Hex(0, 0): Ground("clear"), Hex(1, 0): Ground("woods")}
    grid = Grid.regular("pointy", pitch_px=60)
    assert not crowded_numbers(network_of(HexMap(grid, NUMBERINGS["pointy"], hexes, all_kinds())))
