"""Every problem both ways: the map that has it, and its neighbour that is fine."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mapkit.check import Problem, check_file, check_map
from mapkit.document.edits import correct
from mapkit.document.writing import dump_map
from mapkit.errors import StoreError
from mapkit.hexes import Hex, Hexside, Link, hexsides, neighbours
from mapkit.kinds import Kind, Kinds, known_word
from mapkit.maps import edit_map
from mapkit.model import (
    CONFIRMED,
    CORRECTED,
    Area,
    Feature,
    Ground,
    HexMap,
    Picture,
    Provenance,
    Shape,
)
from mapkit.notation import parse_place
from mapkit.numbering import Axis, Numbering
from mapkit.store.files import sha256
from mapkit.texts import LANGUAGES, catalogue, use
from tests.boards import board, field

OPEN = field(7, 7)
# From the northern to the southern edge of OPEN, between columns 02 and 03.
RIVER = (
    "0301/0201 0201/0302 0302/0202 0202/0303 0303/0203 0203/0304 0304/0204 "
    "0204/0305 0305/0205 0205/0306 0306/0206 0206/0307 0307/0207"
)
# Around 0404, but for its western side.
BEND = "0404/0403 0404/0504 0404/0505 0404/0405"
GUESS = Provenance("scan", confidence=0.6, runner_up="rough")


def found(map_: HexMap, code: str, **options: float) -> list[str]:
    return [problem.place for problem in check_map(map_, **options) if problem.code == code]


def without(text: str, *places: str) -> str:
    return " ".join(place for place in text.split() if place not in places)


def reground(map_: HexMap, label: str, **changes: object) -> HexMap:
    hex_ = map_.hex(label)
    return replace(map_, hexes={**map_.hexes, hex_: replace(map_.hexes[hex_], **changes)})


# Roads


@pytest.mark.parametrize("kind", ["main_road", "road", "trail", "rail"])
@pytest.mark.parametrize(
    ("rows", "chain", "places"),
    [
        pytest.param(OPEN, "0401-0402-0403-0404", ["0404"], id="in open country"),
        pytest.param(OPEN, "0403-0404-0405", ["0403", "0405"], id="at both ends"),
        pytest.param(OPEN, "0401-0402-0403-0404-0405-0406-0407", [], id="edge to edge"),
        pytest.param(OPEN, "0400-0401-0402-0403", ["0403"], id="from beyond the edge"),
        pytest.param(
            (*field(4, 3), ". . . V", *field(4, 2)), "0401-0402-0403-0404", [], id="village"
        ),
        pytest.param(
            (*OPEN[:3], ". . . t . . .", *OPEN[3:]), "0401-0402-0403-0404", [], id="town terrain"
        ),
        pytest.param((*OPEN[:3], ". . . F . . .", *OPEN[3:]), "0401-0402-0403-0404", [], id="fort"),
        pytest.param((*OPEN[:4], ". . . _ . . ."), "0401-0402-0403-0404", [], id="gap in the map"),
    ],
)
def test_dead_end(rows, chain, places, kind):
    assert found(board(*rows, links={kind: chain}), "dead_end") == places


def test_a_road_may_end_at_a_named_hex():
    map_ = reground(board(*OPEN, links={"road": "0401-0402-0403"}), "0403", name="Passo Rolle")
    assert found(map_, "dead_end") == []


def test_a_road_may_end_at_a_ferry():
    sides = {"river": RIVER, "ferry": "0303/0203"}
    map_ = board(*OPEN, links={"road": "0301-0302-0303"}, hexsides=sides)
    assert found(map_, "dead_end") == []
    assert found(replace(map_, hexsides={}), "dead_end") == ["0303"]


def test_a_road_goes_on_as_a_trail_but_not_as_a_railway():
    assert found(board(*OPEN, links={"road": "0401-0402", "trail": "0402-0403"}), "dead_end") == [
        "0403"
    ]
    map_ = board(*OPEN, links={"road": "0401-0402-0403", "rail": "0403-0404-0405-0406-0407"})
    assert found(map_, "dead_end") == ["0403", "0403"]


def test_a_road_may_go_on_as_a_link_without_a_role():
    map_ = board(*OPEN, links={"road": "0401-0402-0403", "ski lift": "0403-0404-0405"})
    assert found(map_, "dead_end") == []


@pytest.mark.parametrize(
    ("rows", "links", "places"),
    [
        pytest.param(OPEN, {"road": "0403-0404"}, ["0403-0404"], id="in open country"),
        pytest.param(OPEN, {"rail": "0403-0404"}, ["0403-0404"], id="rail"),
        pytest.param(
            OPEN, {"road": "0401-0402-0403", "rail": "0403-0404"}, ["0403-0404"], id="other net"
        ),
        pytest.param(OPEN, {"road": "0401-0402"}, ["0401-0402"], id="from the edge inward"),
        pytest.param(OPEN, {"road": "0401-0501"}, [], id="along the edge"),
        pytest.param(OPEN, {"road": "0401-0402-0403", "trail": "0403-0404"}, [], id="as a trail"),
        pytest.param((*OPEN[:2], ". . . T . . .", *OPEN), {"road": "0403-0404"}, ["0403-0404"],
                     id="out of a town"),
        pytest.param((*OPEN[:2], ". . . T . . .", ". . . F . . .", *OPEN), {"road": "0403-0404"},
                     [], id="from town to fort"),
        pytest.param(OPEN, {"path": "0401-0402-0403", "road": "0403-0404"}, [], id="after a link "
                     "without a role"),
    ],
)  # fmt: skip
def test_one_hex_road(rows, links, places):
    assert found(board(*rows, links=links), "one_hex_road") == places


def test_a_one_hex_road_is_told_once():
    assert [p.code for p in check_map(board(*OPEN, links={"road": "0403-0404"}))] == [
        "one_hex_road"
    ]


THROUGH = "0404-0405-0406-0407"


@pytest.mark.parametrize(
    ("rows", "links", "places"),
    [
        pytest.param(OPEN, {"road": "0401-0402-0403-0404", "trail": THROUGH}, ["0404"], id="bare"),
        pytest.param(OPEN, {"road": f"0401-0402-0403-{THROUGH}"}, [], id="same kind"),
        pytest.param(
            OPEN,
            {"road": "0401-0402-0403-0404", "trail": f"{THROUGH} 0404-0504"},
            [],
            id="junction",
        ),
        pytest.param(
            (*OPEN[:3], ". . . V . . .", *OPEN[:3]),
            {"road": "0401-0402-0403-0404", "trail": THROUGH},
            [],
            id="village",
        ),
        pytest.param(
            OPEN, {"rail": "0401-0402-0403-0404", "trail": THROUGH}, [], id="rail is another net"
        ),
        pytest.param(
            OPEN,
            {"road": f"0401-0402-0403-{THROUGH}", "trail": THROUGH},
            [],
            id="one of two kinds goes on",
        ),
        pytest.param(
            OPEN,
            {"road": "0401-0402-0403-0404", "trail": THROUGH, "path": "0404-0504"},
            [],
            id="junction with a link without a role",
        ),
        pytest.param(OPEN, {"road": "0101-0201", "trail": "0201-0301"}, ["0201"], id="at the edge"),
        pytest.param(OPEN, {"road": "0401-0400", "trail": "0400-0501"}, [], id="off the map"),
    ],
)
def test_road_that_changes_kind(rows, links, places):
    assert found(board(*rows, links=links), "road_changes") == places


# Rivers and crossings


@pytest.mark.parametrize(
    ("sides", "gaps"),
    [
        pytest.param({"river": RIVER}, [], id="whole"),
        pytest.param({"river": without(RIVER, "0304/0204")}, ["0204/0304"], id="one missing"),
        pytest.param(
            {"river": without(RIVER, "0304/0204"), "stream": "0304/0204"}, [], id="as a stream"
        ),
        pytest.param(
            {"river": without(RIVER, "0304/0204"), "canal": "0304/0204"}, [], id="no role there"
        ),
        pytest.param(
            {"river": without(RIVER, "0304/0204"), "crags": "0304/0204"},
            ["0204/0304"],
            id="crags are no water",
        ),
        pytest.param(
            {"river": without(RIVER, "0304/0204", "0204/0305")}, ["0204/0304"], id="two missing"
        ),
        pytest.param(
            {"river": without(RIVER, "0304/0204", "0204/0305", "0305/0205")}, [], id="three missing"
        ),
        pytest.param({"river": without(RIVER, "0301/0201")}, [], id="missing at the edge"),
        pytest.param(
            {"river": RIVER, "stream": "0304/0404 0304/0305"}, [], id="tributary that arrives"
        ),
        pytest.param(
            {"river": RIVER, "stream": "0304/0404 0404/0403"},
            ["0304/0305"],
            id="tributary one short",
        ),
        pytest.param({"river": RIVER, "stream": "0403/0404"}, [], id="tributary two short"),
        pytest.param({"stream": f"{BEND} 0404/0305"}, [], id="its two ends one apart"),
        pytest.param({"stream": BEND}, [], id="its two ends two apart"),
        pytest.param({"stream": f"{BEND} 0404/0305 0304/0305"}, [], id="one short of itself"),
    ],
)
def test_river_gap(sides, gaps):
    assert found(board(*OPEN, hexsides=sides), "river_gap") == gaps


def test_a_gap_of_two_hexsides_names_both():
    map_ = board(*OPEN, hexsides={"river": without(RIVER, "0304/0204", "0204/0305")})
    (problem,) = check_map(map_)
    assert (problem.values["n"], problem.values["hexsides"]) == (2, "0204/0304, 0204/0305")
    assert "the 2 hexsides" in problem.message


@pytest.mark.parametrize("water", ["l", "s"])
def test_rivers_end_in_lake_and_sea(water):
    rows = (*OPEN[:3], f". . {water} . . . .", *OPEN[:3])
    assert found(board(*OPEN, hexsides={"river": without(RIVER, "0304/0204")}), "river_gap")
    assert not found(board(*rows, hexsides={"river": without(RIVER, "0304/0204")}), "river_gap")


@pytest.mark.parametrize(
    ("sides", "links", "dry", "roadless"),
    [
        ({"river": RIVER, "bridge": "0303/0203"}, {"road": "0303-0203"}, [], []),
        ({"stream": RIVER, "bridge": "0303/0203"}, {"rail": "0303-0203"}, [], []),
        ({"canal": RIVER, "bridge": "0303/0203"}, {"road": "0303-0203"}, [], []),
        ({"shore": RIVER, "bridge": "0303/0203"}, {"road": "0303-0203"}, [], []),
        ({"crags": RIVER, "bridge": "0303/0203"}, {"road": "0303-0203"}, ["0203/0303"], []),
        ({"river": RIVER, "bridge": "0303/0203"}, {}, [], ["0203/0303"]),
        ({"river": RIVER, "bridge": "0303/0203"}, {"trail": "0303-0203"}, [], ["0203/0303"]),
        ({"river": RIVER, "bridge": "0303/0203"}, {"path": "0303-0203"}, [], []),
        ({"river": RIVER, "bridge": "0303/0203"}, {"road": "0303-0304"}, [], ["0203/0303"]),
        ({"river": RIVER, "ford": "0303/0203"}, {"trail": "0303-0203"}, [], []),
        ({"river": RIVER, "footbridge": "0303/0203"}, {"trail": "0303-0203"}, [], []),
        ({"river": RIVER, "footbridge": "0303/0203"}, {}, [], ["0203/0303"]),
        ({"river": RIVER, "ford": "0303/0203"}, {}, [], ["0203/0303"]),
        ({"river": RIVER, "ferry": "0303/0203"}, {}, [], []),
        ({"ferry": "0303/0203"}, {}, ["0203/0303"], []),
        ({"bridge": "0303/0203"}, {}, ["0203/0303"], ["0203/0303"]),
        ({"stream": "0401/0400", "bridge": "0401/0400"}, {}, [], []),
    ],
)
def test_crossings(sides, links, dry, roadless):
    map_ = board(*OPEN, hexsides=sides, links=links)
    assert found(map_, "crossing_without_water") == dry
    assert found(map_, "crossing_without_road") == roadless


def test_a_ferry_crosses_a_lake():
    map_ = board(*OPEN[:2], ". l l . . . .", *OPEN, hexsides={"ferry": "0303/0202"})
    assert found(map_, "crossing_without_water") == []


# Terrain, levels, hexes


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param([". . .", ". w .", ". . ."], ["0202"], id="lone"),
        pytest.param([". . .", ". w .", ". w ."], [], id="one alike"),
        pytest.param([". w .", ". . .", ". . ."], [], id="at the edge"),
        pytest.param([". . .", ". wV .", ". . ."], [], id="a village explains it"),
        pytest.param([". . .", ". t .", ". . ."], [], id="towns stand alone"),
        pytest.param([". . .", ". ? .", ". . ."], [], id="unknown itself"),
        pytest.param([". ? .", "? w ?", "? ? ?"], [], id="unknown neighbours"),
        pytest.param(["h . m", "r w r", "m h h"], ["0202"], id="motley neighbours"),
    ],
)
def test_lone_hex(rows, places, layout):
    assert found(board(*rows, layout=layout), "lone_hex") == places


def test_a_lone_hex_tells_what_lies_around_it():
    (problem,) = check_map(board("h . m", "h w r", "m h h"))
    assert problem.values == {"terrain": "woods", "around": "hills"}


@pytest.mark.parametrize("touch", [CONFIRMED, CORRECTED])
def test_what_a_person_has_seen_is_not_doubted(touch):
    map_ = board("1 1 1", "1 w9 1", "1 1 1")
    assert found(map_, "lone_hex") == found(map_, "level_jump") == ["0202"]
    seen = reground(map_, "0202", provenance={"terrain": touch, "level": touch})
    assert check_map(seen) == ()
    assert found(reground(map_, "0202", provenance={"terrain": touch}), "level_jump")
    assert found(reground(map_, "0202", provenance={"level": touch}), "lone_hex")
    assert check_map(replace(map_, provenance=touch)) == ()


def test_a_name_explains_a_lone_hex():
    assert found(reground(board(". . .", ". w .", ". . ."), "0202", name="Bosco"), "lone_hex") == []


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param(["1 1 1", "1 3 1", "1 1 1"], ["0202"], id="two up"),
        pytest.param(["4 4 4", "4 2 4", "4 4 4"], ["0202"], id="two down"),
        pytest.param(["1 1 1", "1 2 1", "1 1 1"], [], id="one up"),
        pytest.param(["1 1 1", "1 3 1", "1 2 1"], [], id="a slope"),
        pytest.param(["1 1 1", "1 P3 1", "1 1 1"], [], id="a peak"),
        pytest.param(["1 1 1", "1 F3 1", "1 1 1"], [], id="a fort on top"),
        pytest.param(["1 1 1", "1 T3 1", "1 1 1"], ["0202"], id="a town"),
        pytest.param(["4 4 4", "4 P2 4", "4 4 4"], ["0202"], id="a peak in a pit"),
        pytest.param(["1 1 1", "1 3 1", ". . ."], [], id="three known"),
        pytest.param(["1 1 1", "1 3 1", ". 1 ."], ["0202"], id="four known"),
        pytest.param(["1 1 1", "1 . 1", "1 1 1"], [], id="level unknown"),
        pytest.param(["0 0 0", "0 -2 0", "0 0 0"], ["0202"], id="below zero"),
    ],
)
def test_level_jump(rows, places):
    assert found(board(*rows), "level_jump") == places


def test_unknown_terrain():
    assert found(board(". ? ."), "unknown_terrain") == ["0201"]
    seen = reground(board(". ? ."), "0201", provenance={"terrain": CONFIRMED})
    assert found(seen, "unknown_terrain") == []


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize(
    ("rows", "places"),
    [
        pytest.param([". . .", ". _ .", ". . ."], ["0202"], id="hole"),
        pytest.param([". . . .", ". _ _ .", ". . . .", ". . . ."], [], id="a chart in the map"),
        pytest.param([". _ .", ". . .", ". . ."], [], id="at the edge"),
    ],
)
def test_hole(rows, places, layout):
    assert found(board(*rows, layout=layout), "hole") == places


def test_hexes_that_the_numbering_cannot_name():
    map_ = board(". .", ". .")
    short = replace(map_, numbering=Numbering(straight="columns", rows=Axis(first=99)))
    assert found(short, "no_label") == ["(0,1)", "(1,1)"]
    assert found(map_, "no_label") == []


# Words and confidence


@pytest.mark.parametrize(
    ("group", "place"),
    [
        ("terrain", "0101"),
        ("features", "0201"),
        ("hexsides", "0101/0201"),
        ("links", "0101-0201"),
        ("areas", "Val Sugana"),
    ],
)
def test_undeclared_kind(group, place):
    map_ = board("w wV w", links={"road": "0101-0201"}, hexsides={"river": "0101/0201"})
    map_ = replace(
        map_,
        areas=(Area("Val Sugana", "sector"),),
        kinds=map_.kinds.with_ids("areas", iter(["sector"])),
    )
    assert found(map_, "undeclared_kind") == []
    undeclared = replace(map_, kinds=replace(map_.kinds, **{group: (Kind("other"),)}))
    (problem,) = (p for p in check_map(undeclared) if p.code == "undeclared_kind")
    assert (problem.place, problem.severity, problem.values["group"]) == (place, "error", group)
    assert problem.values["known"] == "other"


def test_an_undeclared_kind_is_told_once_with_its_count():
    (problem,) = check_map(replace(board("w w w"), kinds=Kinds()))
    assert problem.message.startswith("'woods' stands in 3 places, but kinds.terrain")


@pytest.mark.parametrize(
    ("value", "ground", "code"),
    [
        ("terrain", Ground("clear"), "unsure_terrain"),
        ("level", Ground("clear", level=0), "unsure_level"),
        ("name", Ground("clear", name="Asiago"), "unsure_name"),
    ],
)
def test_unreviewed_low_confidence(value, ground, code):
    map_ = board(". .")
    place = map_.hex("0201")

    def stated(source: Provenance) -> HexMap:
        return replace(
            map_, hexes={**map_.hexes, place: replace(ground, provenance={value: source})}
        )

    low = Provenance("scan", confidence=0.6, runner_up="rough")
    assert found(stated(low), code) == ["0201"]
    assert "60 %" in check_map(stated(low))[0].message
    assert "rough" in check_map(stated(low))[0].remedy
    assert found(stated(low), code, threshold=0.6) == []
    assert found(stated(replace(low, confidence=0.8)), code) == []
    assert found(stated(replace(low, confidence=0.8)), code, threshold=0.81) == ["0201"]
    assert found(stated(replace(low, touch="confirmed")), code) == []
    assert found(stated(replace(low, source="import")), code) == []
    assert found(stated(replace(low, confidence=None)), code) == []


def test_a_value_that_states_nothing_is_as_sure_as_the_map():
    map_ = replace(board(". ?"), provenance=GUESS)
    assert [(p.code, p.place) for p in check_map(map_)] == [
        ("unsure_terrain", "0101"),
        ("unknown_terrain", "0201"),
    ]


def test_low_confidence_of_features():
    map_ = board("V .", links={"road": "0101-0201"}, hexsides={"river": "0101/0201"})
    assert found(map_, "unsure_feature") == []
    guessed = replace(
        map_,
        hexes={
            hex_: replace(
                ground, features=tuple(replace(f, provenance=GUESS) for f in ground.features)
            )
            for hex_, ground in map_.hexes.items()
        },
        links={link: (Feature("road", provenance=GUESS),) for link in map_.links},
        hexsides={side: (Feature("river", provenance=GUESS),) for side in map_.hexsides},
    )
    assert found(guessed, "unsure_feature") == ["0101", "0101-0201", "0101/0201"]


@pytest.mark.parametrize(("grid", "place"), [("sound", "0201"), ("horizon", "Monte Grappa")])
def test_low_confidence_of_a_shape_stands_where_it_begins(grid, place):
    map_ = board(". .")
    x, y = map_.grid.centre(map_.hex("0201"))
    if grid == "horizon":
        tilted = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 1.0))
        map_ = replace(map_, grid=replace(map_.grid, homography=tilted))
        x, y = 1.0, 0.0
    line = ((x, y), (x + 90, y))
    map_ = replace(map_, shapes=(Shape("contour", "line", (line,), "Monte Grappa"),))
    assert found(map_, "unsure_feature") == []
    guessed = replace(map_, shapes=(replace(map_.shapes[0], provenance=GUESS),))
    assert found(guessed, "unsure_feature") == [place]


def test_a_confidence_just_below_the_threshold_is_not_shown_as_equal():
    map_ = reground(board("."), "0101", provenance={"terrain": replace(GUESS, confidence=0.799)})
    assert "79 %" in check_map(map_)[0].message


# Properties


@st.composite
def messy_maps(draw) -> HexMap:
    words = [".", ".", "w", "h", "l", "?", "_", "T", "1", "1", "4", "P5", "w4"]
    rows = draw(st.lists(st.lists(st.sampled_from(words), min_size=6, max_size=6), min_size=5,
                         max_size=6))  # fmt: skip
    map_ = board(*map(" ".join, rows), layout=draw(st.sampled_from(["flat", "pointy"])))
    sides = sorted({side for hex_ in map_.hexes for side in hexsides(hex_)})
    assume(sides)
    water = st.sampled_from(["river", "river", "stream", "bridge", "ford", "canal"])
    ways = st.sampled_from(["road", "road", "trail", "rail", "path"])
    along = draw(st.dictionaries(st.sampled_from(sides), water, max_size=40))
    over = draw(st.dictionaries(st.sampled_from(sides), ways, max_size=40))
    kinds = map_.kinds.with_ids("hexsides", iter(along.values()))
    return replace(
        map_,
        hexsides={side: (Feature(kind),) for side, kind in along.items()},
        links={Link(*side): (Feature(kind),) for side, kind in over.items()},
        # "path" stays undeclared
        kinds=kinds.with_ids("links", iter(["road", "trail", "rail"])),
    )


def renamed(map_: HexMap, rename, numbering=None) -> HexMap:
    return replace(
        map_,
        hexes={rename(hex_): ground for hex_, ground in map_.hexes.items()},
        hexsides={
            Hexside.between(*map(rename, side)): features
            for side, features in map_.hexsides.items()
        },
        links={Link.between(*map(rename, link)): f for link, f in map_.links.items()},
        numbering=numbering or map_.numbering,
    )


@settings(max_examples=40)
@given(messy_maps(), st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30)))
def test_a_moved_map_has_the_same_problems(map_, by):
    moved = renamed(map_, lambda hex_: hex_.moved(by), map_.numbering.moved(by))
    assert check_map(moved) == check_map(map_)


@settings(max_examples=40)
@given(messy_maps(), st.randoms(use_true_random=False))
def test_the_order_of_the_entries_does_not_matter(map_, random):
    def shuffled(mapping):
        items = list(mapping.items())
        random.shuffle(items)
        return dict(items)

    other = replace(
        map_,
        hexes=shuffled(map_.hexes),
        hexsides=shuffled(map_.hexsides),
        links=shuffled(map_.links),
    )
    assert check_map(other) == check_map(map_)


@settings(max_examples=40)
@given(messy_maps(), st.integers(1, 5), st.booleans())
def test_a_turned_or_mirrored_map_has_as_many_problems(map_, turns, mirror):
    def turn(hex_: Hex) -> Hex:
        q, r = hex_
        for _ in range(turns):
            q, r = -r, q + r
        return Hex(r, q) if mirror else Hex(q, r)

    def sorts(problems: tuple[Problem, ...]) -> Counter[str]:
        return Counter(p.code for p in problems if p.code != "no_label")

    assert sorts(check_map(renamed(map_, turn))) == sorts(check_map(map_))


BARE = board(*field(9, 9))
VERTEX_NET = nx.Graph(
    (*side.vertices, {"side": side})
    for hex_ in BARE.hexes
    for side in hexsides(hex_)
    if set(side) <= set(BARE.hexes)
)
HEX_NET = nx.Graph((h, n) for h in BARE.hexes for n in neighbours(h) if n in BARE.hexes)


def inland(place) -> bool:
    hexes = place if not isinstance(place, Hex) else neighbours(place)
    return all(hex_ in BARE.hexes for hex_ in hexes)


VERTICES_AT_EDGE = sorted(v for v in VERTEX_NET if not inland(v))
HEXES_AT_EDGE = sorted(h for h in HEX_NET if not inland(h))


@st.composite
def courses(draw, net: nx.Graph, ends: list) -> list:
    """Return a way from edge to edge that never comes near itself: a shortest one."""
    one, other = draw(st.lists(st.sampled_from(ends), min_size=2, max_size=2, unique=True))
    weights = {}

    def weight(a, b, _):
        return weights.setdefault(frozenset((a, b)), 1000 + len(weights) % draw_offset)

    draw_offset = draw(st.integers(1, 7))  # among the shortest ways, not always the same
    return nx.shortest_path(net, one, other, weight=weight)


def with_river(sides) -> HexMap:
    return replace(
        BARE,
        hexsides={side: (Feature("river"),) for side in sides},
        kinds=BARE.kinds.with_ids("hexsides", iter(["river"])),
    )


@given(courses(VERTEX_NET, VERTICES_AT_EDGE), st.data())
def test_a_hexside_taken_out_of_a_river_is_the_gap_that_is_found(course, data):
    sides = [VERTEX_NET.edges[a, b]["side"] for a, b in nx.utils.pairwise(course)]
    assert check_map(with_river(sides)) == ()
    middle = [side for side in sides if all(map(inland, side.vertices))][1:-1]
    assume(middle)
    gone = data.draw(st.sampled_from(middle))
    problems = check_map(with_river([side for side in sides if side != gone]))
    assert [(p.code, p.place) for p in problems] == [("river_gap", BARE.label_place(gone))]


@given(courses(HEX_NET, HEXES_AT_EDGE), st.data())
def test_a_link_taken_out_of_a_road_leaves_two_dead_ends(course, data):
    def with_road(links) -> HexMap:
        return replace(
            BARE,
            links={link: (Feature("road"),) for link in links},
            kinds=BARE.kinds.with_ids("links", iter(["road"])),
        )

    links = [Link.between(a, b) for a, b in nx.utils.pairwise(course)]
    assert check_map(with_road(links)) == ()
    assume(len(links) > 5)
    gone = data.draw(st.sampled_from(links[2:-2]))
    problems = check_map(with_road([link for link in links if link != gone]))
    ends = sorted(BARE.label(hex_) for hex_ in gone if inland(hex_))
    assert [(p.code, p.place) for p in problems] == [("dead_end", end) for end in ends]


@given(st.sets(st.sampled_from(sorted(nx.get_edge_attributes(VERTEX_NET, "side").values()))))
def test_gaps_by_definition(sides):
    """A slow judge: what a gap is, put to a graph library."""
    water = nx.Graph(side.vertices for side in sides)
    of = {v: i for i, course in enumerate(nx.connected_components(water)) for v in course}
    loose = {v for v in water if water.degree(v) == 1 and inland(v)}
    due = {
        BARE.label_place(side)
        for a, b, side in VERTEX_NET.edges(data="side")
        if a in loose and b in loose and of[a] != of[b]
    }
    problems = [p for p in check_map(with_river(sides)) if p.code == "river_gap"]
    assert due <= {p.place for p in problems}
    for problem in problems:
        names = str(problem.values["hexsides"]).split(", ")
        added = [parse_place(name, BARE.numbering) for name in names]
        assert not set(added) & sides
        joined = nx.Graph([*water.edges, *(side.vertices for side in added)])
        assert nx.number_connected_components(joined) < nx.number_connected_components(water)


@settings(max_examples=40)
@given(messy_maps())
def test_problems_come_errors_first_then_by_place(map_):
    problems = check_map(map_)
    assert [(p.severity, p.place) for p in problems] == sorted(
        (p.severity, p.place) for p in problems
    )
    assert len({(p.code, p.place, str(p.values)) for p in problems}) == len(problems)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_spoken(language):
    map_ = board(
        "? . . . . . _ .", ". w . 9 . . . .", ". . _ . . . . .", *field(8, 6),
        links={"road": "0402-0403-0404 0506-0507", "trail": "0404-0405"},
        hexsides={"river": "0304/0204 0305/0205", "bridge": "0606/0607", "moat": "0101/0201"},
    )  # fmt: skip
    map_ = replace(map_, kinds=replace(map_.kinds, terrain=(known_word("terrain", "clear"),)))
    try:
        use(language)
        for problem in check_map(map_):
            assert problem.message != problem.remedy
            assert "{" not in problem.message + problem.remedy
    finally:
        use(None)


def test_every_sort_of_problem_has_its_texts():
    texts = catalogue("mapkit", "en")
    parts = [key.split(".") for key in texts if key.startswith("mapkit.check.")]
    sorts = {part[2] for part in parts if len(part) == 4 and part[2] != "heading"}
    assert {(sort, word) for sort in sorts for word in ("problem", "remedy")} == {
        (part[2], part[3]) for part in parts if len(part) == 4 and part[2] != "heading"
    }


# The file and the command

FAULTY = (
    b'"hexsides": [{"hexside": "0101/0103", "features": [{"kind": "river"}]},'
    b'{"hexside": "0101/0301", "features": [{"kind": "river"}]}]'
)


@pytest.fixture
def saved(tmp_path):
    def save(map_: HexMap):
        path = tmp_path / "board.hexmap.json"
        path.write_bytes(dump_map(map_))
        return path

    return save


def test_a_clean_map(mapkit_cli, saved):
    path = saved(board(*OPEN, hexsides={"river": RIVER}))
    ran = mapkit_cli("map", "check", path)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, f"{path}: no problems found\n", "")


def test_warnings_only_exit_with_0(mapkit_cli, saved):
    path = saved(board(". . .", ". w .", ". . ."))
    ran = mapkit_cli("map", "check", path)
    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        f"{path}: 1 warning",
        "",
        "Warnings",
        "  0202: 'woods' stands alone: all six neighbours are something else, mostly 'clear'",
        "    remedy: compare it with the printed map, then confirm or correct the terrain",
    ]


def test_errors_exit_with_1_and_come_first(mapkit_cli, saved):
    map_ = board("? . .", ". w .", ". . .", links={"road": "0101-0201"})
    path = saved(replace(map_, kinds=replace(map_.kinds, links=())))
    ran = mapkit_cli("map", "check", path)
    assert ran.exit_code == 1
    assert ran.stdout.startswith(f"{path}: 1 error, 2 warnings\n\nErrors\n  0101-0201: 'road'")
    assert "\nWarnings\n" in ran.stdout
    assert ran.stderr == ""


def test_json(mapkit_cli, saved):
    path = saved(board("? . .", ". w .", ". . ."))
    data = json.loads(mapkit_cli("map", "check", path, "--json").stdout)
    assert (data["map"], data["errors"], data["warnings"]) == (str(path), 0, 2)
    assert data["problems"][0] == {
        "code": "unknown_terrain",
        "severity": "warning",
        "place": "0101",
        "problem": "the terrain is unknown",
        "remedy": "say what lies there",
    }


def test_many_warnings_of_one_sort_are_counted_in_text_and_listed_in_json(mapkit_cli, saved):
    path = saved(board(*field(6, 6, word="?")))
    shown = mapkit_cli("map", "check", path).stdout
    assert shown.count("the terrain is unknown") == 10
    assert shown.count("remedy:") == 1
    assert "and 26 more like these" in shown
    assert len(json.loads(mapkit_cli("map", "check", path, "--json").stdout)["problems"]) == 36


def test_exactly_ten_are_all_shown(mapkit_cli, saved):
    shown = mapkit_cli("map", "check", saved(board(*field(5, 2, word="?")))).stdout
    assert shown.count("the terrain is unknown") == 10
    assert "more like these" not in shown


def test_the_threshold_is_the_users_to_set(mapkit_cli, saved):
    path = saved(reground(board(". ."), "0101", provenance={"terrain": GUESS}))
    assert "60 % confidence" in mapkit_cli("map", "check", path).stdout
    assert "no problems" in mapkit_cli("map", "check", path, "--threshold", "0.5").stdout
    assert mapkit_cli("map", "check", path, "--threshold", "80").exit_code == 2


def test_every_fault_of_a_document_is_an_error(mapkit_cli, saved):
    path = saved(board(*OPEN))
    path.write_bytes(path.read_bytes().replace(b'"hexsides": []', FAULTY))
    ran = mapkit_cli("map", "check", path, "--json")
    data = json.loads(ran.stdout)
    assert (ran.exit_code, data["errors"], data["warnings"]) == (1, 2, 0)
    assert [problem["place"] for problem in data["problems"]] == [
        "hexside 0101/0103",
        "hexside 0101/0301",
    ]
    assert "do not touch" in data["problems"][0]["problem"]
    assert "roads, rivers and terrain were not checked" in ran.stderr


def test_all_errors_are_shown_however_many(mapkit_cli, saved):
    path = saved(board(*OPEN))
    path.write_bytes(path.read_bytes().replace(b'"terrain": "clear"', b'"terrain": 7'))
    shown = mapkit_cli("map", "check", path).stdout
    assert f"{path}: 49 errors" in shown
    assert shown.count(".terrain)") == 49


def test_faults_of_the_shapes_name_their_file(saved, tmp_path):
    path = saved(board(". ."))
    (tmp_path / "board.shapes.geojson").write_bytes(b'{"type": "FeatureCollection"}')
    report = check_file(path)
    assert [p.place for p in report.problems] == [
        "board.shapes.geojson mapkit",
        "board.shapes.geojson features",
    ]


def test_edits_that_are_not_saved_yet_are_checked_too(saved):
    path = saved(board("? . ."))
    with edit_map(path) as session:
        session.edit(correct(session.value, Hex(0, 0), "terrain", "clear"))
    assert b"unknown" in path.read_bytes()
    assert check_file(path).problems == ()


def test_a_relative_path_and_a_link_to_the_file(tmp_path, monkeypatch):
    (tmp_path / "wrong.hexmap.json").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    problems = [check_file(Path("wrong.hexmap.json")).problems[0].message]
    with suppress(OSError):  # Windows lets few users make links
        Path("link.hexmap.json").symlink_to("wrong.hexmap.json")
        problems.append(check_file(Path("link.hexmap.json")).problems[0].message)
    assert all(problem.startswith("broken JSON") for problem in problems)


def test_duplicate_labels(saved):
    path = saved(board(". ."))
    path.write_bytes(path.read_bytes().replace(b'"label": "0201"', b'"label": "0101"'))
    report = check_file(path)
    assert [p.message for p in report.problems] == ["two hexes have this label"]
    assert not report.was_read


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b'{"format": ', "broken JSON at line 1", id="broken"),
        pytest.param(b"", "broken JSON", id="empty"),
        pytest.param(b"\xff\xfe", "not UTF-8", id="not text"),
        pytest.param(b'{"format": "mapkit-map/9"}', "written in format mapkit-map/9", id="newer"),
        pytest.param(b"[" * 200_000, "nested too deeply", id="deep"),
    ],
)
def test_a_file_that_does_not_read_is_one_error(mapkit_cli, tmp_path, data, said):
    path = tmp_path / "wrong.hexmap.json"
    path.write_bytes(data)
    ran = mapkit_cli("map", "check", path, "--json")
    (problem,) = json.loads(ran.stdout)["problems"]
    assert (ran.exit_code, problem["severity"], problem["place"]) == (1, "error", str(path))
    assert said in problem["problem"]
    assert str(path) not in problem["problem"]
    assert problem["remedy"]
    assert problem["remedy"] not in problem["problem"]


def test_a_missing_file_is_one_line(mapkit_cli, tmp_path):
    ran = mapkit_cli("map", "check", tmp_path / "none.hexmap.json")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.count("\n") == 1
    with pytest.raises(StoreError, match="no such file"):
        check_file(tmp_path / "none.hexmap.json")


def test_the_check_speaks_the_users_language(mapkit_cli, saved):
    path = saved(board(". ?"))
    assert "1 Warnung\n" in mapkit_cli("--lang", "de", "map", "check", path).stdout
    assert "il terreno è sconosciuto" in mapkit_cli("--lang", "it", "map", "check", path).stdout


def test_words_of_the_file_do_not_steer_the_terminal(mapkit_cli, saved):
    map_ = reground(board(". ."), "0101", terrain="\x1b[31mred\nline")
    ran = mapkit_cli("map", "check", saved(map_))
    assert "\x1b" not in ran.stdout
    assert "\\x1b[31mred\\nline" in ran.stdout


def pictured(path: str, data: bytes) -> HexMap:
    return replace(
        board(". ."), picture=Picture(path, sha256=sha256(data), width_px=400, height_px=400)
    )


def test_the_picture_is_there_and_the_same(saved, tmp_path):
    path = saved(pictured("sheet.png", b"png"))
    assert [p.code for p in check_file(path).problems] == ["picture_missing"]
    (tmp_path / "sheet.png").write_bytes(b"other")
    assert [(p.code, p.place) for p in check_file(path).problems] == [
        ("picture_changed", "sheet.png")
    ]
    (tmp_path / "sheet.png").write_bytes(b"png")
    assert check_file(path).problems == ()


def test_a_picture_that_is_a_folder(saved, tmp_path):
    (tmp_path / "sheet.png").mkdir()
    path = saved(pictured("sheet.png", b""))
    assert [p.code for p in check_file(path).problems] == ["picture_missing"]


@pytest.mark.parametrize("where", ["/etc/passwd", r"\\server\share\sheet.png", "C:\\sheet.png"])
def test_a_picture_elsewhere_on_the_computer_is_not_opened(saved, where):
    path = saved(pictured(where, b"png"))
    assert [p.code for p in check_file(path).problems] == ["picture_absolute"]
