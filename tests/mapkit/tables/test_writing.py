"""A map through tables and back: what the tables hold comes back as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.feature_notation import parse_features
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link
from mapkit.model import Area, Feature, Ground, HexMap, Picture, Provenance, Shape
from mapkit.numbering import Axis, Numbering
from mapkit.tables.layouts import dump_layout, parse_layout
from mapkit.tables.reading import TableFiles, map_from_tables
from mapkit.tables.spreadsheet import write_csv
from mapkit.tables.workbook import write_workbook
from mapkit.tables.writing import left_out, tables_from_map

NUMBERINGS = [
    Numbering(straight="columns"),
    Numbering(straight="rows", order="RRCC", rows=Axis(first=58, step=-1), shoved="odd"),
    Numbering(straight="rows", columns=Axis(first=-3, wrap_from=90), toward="lower"),
    Numbering(straight="columns", separator=".", origin=Hex(3, -2)),
    Numbering(straight="columns", columns=Axis(letters="AA BB", skip=(9,)), rows=Axis(digits=1)),
]

awkward = st.sampled_from(["=1+1", "'=1", "-3", "0012", " a ", 'say "hi"', "a;b", "a\r\nb", "\x01"])
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=6) | awkward
words = texts.filter(bool) | st.sampled_from(["woods", "clear", "river", "main road"])
levels = st.sampled_from([None, 0, -1, 3]) | st.integers(-(10**14), 10**14)
hexes = st.builds(Hex, st.integers(-2, 6), st.integers(-2, 6))


def features(facing):
    return st.builds(
        Feature,
        kind=words,
        value=st.none() | st.integers(-9, 99),
        owner=texts,
        state=texts,
        facing=facing,
        name=texts,
        note=texts,
    )


grounds = st.builds(
    Ground,
    terrain=words | st.just("unknown"),
    level=levels,
    features=st.lists(features(st.none()), max_size=2).map(tuple),
    name=texts,
    note=texts,
)


@st.composite
def maps(draw):
    numbering = draw(st.sampled_from(NUMBERINGS))
    grid = Grid.regular(numbering.orientation, pitch_px=60)
    content = draw(st.dictionaries(hexes, grounds, min_size=1, max_size=5))
    near = st.tuples(st.sampled_from(sorted(content)), st.integers(0, 5))

    def sides(kind):
        found = {}
        for hex_, direction in draw(st.lists(near, max_size=3)):
            side = kind.between(hex_, hex_.step(direction))
            facing = st.sampled_from([None, *side])
            found[side] = tuple(draw(st.lists(features(facing), min_size=1, max_size=2)))
        return found

    return HexMap(grid, numbering, content, hexsides=sides(Hexside), links=sides(Link))


def as_csv(tables):
    return {table.name: write_csv(table) for table in (tables.hexes, tables.hexsides, tables.links)}


def as_workbook(tables):
    return {"hexes": write_workbook([tables.hexes, tables.hexsides, tables.links])}


def read_back(files, numbering):
    tables = TableFiles()
    for role, data in files.items():
        tables.add(role, data, f"{role}.table")
    layout = parse_layout(dump_layout(numbering).encode(), "n.toml", numbering.orientation)
    return map_from_tables(tables, layout)


def assert_same(map_, back):
    assert dict(back.hexes) == dict(map_.hexes)
    assert dict(back.hexsides) == dict(map_.hexsides)
    assert dict(back.links) == dict(map_.links)
    assert back.numbering == map_.numbering


@given(maps())
def test_a_map_comes_back_from_csv(map_):
    assert_same(map_, read_back(as_csv(tables_from_map(map_)), map_.numbering).map_)


@settings(max_examples=30)
@given(maps())
def test_a_map_comes_back_from_a_workbook(map_):
    assert_same(map_, read_back(as_workbook(tables_from_map(map_)), map_.numbering).map_)


@pytest.mark.parametrize("written", [as_csv, as_workbook])
def test_what_a_person_sees(written):
    numbering = Numbering(straight="columns")
    one, two = Hex(0, 0), Hex(0, 1)
    trench = parse_features("trench:2>0102; wire", numbering)
    map_ = HexMap(
        Grid.regular("flat", pitch_px=60),
        numbering,
        {
            two: Ground("woods", 3, (Feature("town", name="Asiago"),), "Asiago", "errata"),
            one: Ground(),
        },
        hexsides={Hexside.between(one, two): trench},
        links={Link.between(one, two): (Feature("main road"),)},
    )
    tables = tables_from_map(map_)
    assert tables.hexes.rows == [
        ("0101", "", None, "", "", ""),
        ("0102", "woods", 3, 'town "Asiago"', "Asiago", "errata"),
    ]
    assert tables.hexsides.rows == [("0101/0102", "trench:2>0102; wire")]
    assert tables.links.rows == [("0101-0102", "main road")]
    back = read_back(written(tables), numbering)
    assert_same(map_, back.map_)
    assert back.remarks == ()
    assert back.map_.kinds.roles("links") == {"main road": "main_road"}
    assert back.map_.kinds.roles("hexsides") == {"trench": "trench"}
    assert back.map_.kinds.ids("terrain") == {"unknown", "woods"}
    assert back.map_.provenance.source == "import"


def test_what_tables_cannot_hold_is_told():
    map_ = HexMap(
        Grid.regular("flat", pitch_px=60),
        Numbering(straight="columns"),
        {Hex(0, 0): Ground(provenance={"terrain": Provenance("scan", 0.5)})},
        areas=(Area("north", "sector"),) * 2,
        shapes=(Shape("peak", "point", (((0.0, 0.0),),)),),
        notes=("errata",),
        picture=Picture("a.png", "0" * 64, 9, 9),
    )
    (told,) = left_out(map_)
    for what in ("2 areas", "1 shape,", "1 note ", "values of 1 hex ", "the picture a.png"):
        assert what in told
