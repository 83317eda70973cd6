"""Random maps for property tests: every part of the document, on any grid and numbering."""

from dataclasses import replace

from hypothesis import strategies as st

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import Kind, Kinds
from mapkit.model import (
    NOTHING_STATED,
    Area,
    Feature,
    Ground,
    HexMap,
    Picture,
    Provenance,
    Shape,
)
from mapkit.numbering import Axis, Numbering

# Drawn from a list, because a map has hundreds of texts; titles are drawn letter by letter.
texts = st.sampled_from(
    [
        "",
        "",
        "",
        "Asiago",
        "Höhe 1232",
        'said "so"; \\n',
        "a\nb",
        "\u2028",
        "🏔",
        "'=1+1",
        "<b>&amp;",
    ]
)
words = st.sampled_from(["clear", "woods", "Bosco fitto", "Höhe", "town", "river", "=cmd|x"])
confidences = st.integers(0, 100).map(lambda percent: percent / 100)
provenances = st.builds(
    Provenance,
    source=st.sampled_from(["scan", "person", "import"]),
    confidence=st.none() | confidences,
    runner_up=st.none() | words | st.integers(-2, 9),
    touch=st.none() | st.sampled_from(["confirmed", "corrected"]),
    note=texts,
)
features = st.builds(
    Feature,
    kind=words,
    value=st.none() | st.integers(-5, 99),
    owner=texts,
    state=texts,
    name=texts,
    note=texts,
    provenance=st.none() | provenances,
)
grounds = st.builds(
    Ground,
    terrain=words,
    level=st.none() | st.integers(-3, 12),
    features=st.lists(features, max_size=2).map(tuple),
    name=texts,
    note=texts,
    provenance=st.just(NOTHING_STATED)
    | st.dictionaries(st.sampled_from(["terrain", "level", "name"]), provenances, min_size=1),
)
numberings = st.builds(
    Numbering,
    straight=st.sampled_from(["columns", "rows"]),
    order=st.sampled_from(["CCRR", "RRCC"]),
    columns=st.sampled_from(
        [Axis(), Axis(first=40, step=-1), Axis(first=-2, wrap_from=90), Axis(digits=3)]
    ),
    rows=st.sampled_from([Axis(), Axis(first=58, step=-1), Axis(letters="AA BB")]),
    shoved=st.sampled_from(["odd", "even"]),
    toward=st.sampled_from(["higher", "lower"]),
)
pixels = st.tuples(st.integers(0, 900), st.integers(0, 900)).map(lambda xy: (xy[0] / 4, xy[1] / 4))


UP_TO_SIX, UP_TO_FIVE = st.integers(1, 6), st.integers(1, 5)


@st.composite
def shapes(draw):
    form = draw(st.sampled_from(["point", "line", "outline"]))
    points = draw(st.lists(pixels, min_size=3, max_size=5))
    rings = {
        "point": ((points[0],),),
        "line": (tuple(points),),
        "outline": ((*points, points[0]),),
    }[form]
    return Shape(draw(words), form, rings, draw(texts), draw(st.none() | st.integers(0, 8)))


@st.composite
def maps(draw, columns=UP_TO_SIX, rows=UP_TO_FIVE, with_holes=True):
    """A map of some columns and rows with everything a document can hold."""
    numbering = draw(numberings)
    grid = Grid.regular(
        numbering.orientation,
        pitch_px=draw(st.integers(20, 90)),
        turned_deg=draw(st.integers(-10, 10)),
        hex_mm=draw(st.none() | st.just(16.0)),
        north_deg=draw(st.sampled_from([0.0, -45.0, 90.0])),
    )
    places = [
        numbering.hex_at(column, row)
        for column in range(draw(columns))
        for row in range(draw(rows))
    ]
    hexes = {hex_: draw(grounds) for hex_ in places if not with_holes or draw(st.integers(0, 9))}
    hexes = hexes or {places[0]: Ground()}
    near = st.sampled_from(sorted(hexes)).flatmap(
        lambda hex_: st.tuples(st.just(hex_), st.sampled_from(neighbours(hex_)))
    )
    sides = [Hexside.between(*pair) for pair in draw(st.lists(near, max_size=6))]
    links = [Link.between(*pair) for pair in draw(st.lists(near, max_size=6))]
    return HexMap(
        grid=grid,
        numbering=numbering,
        hexes=hexes,
        kinds=Kinds(
            terrain=(Kind("clear", "Freies Feld", "clear", "#aabbcc"), Kind("woods")),
            links=(Kind("road", role="road"),),
        ),
        hexsides={
            side: (_facing(draw, side), *draw(st.lists(features, max_size=1))) for side in sides
        },
        links={link: (draw(features),) for link in links},
        areas=tuple(draw(st.lists(_areas(hexes, sides), max_size=2, unique_by=lambda a: a.name))),
        shapes=tuple(draw(st.lists(shapes(), max_size=2))),
        title=draw(st.text(max_size=20)),
        notes=tuple(draw(st.lists(texts, max_size=2))),
        picture=draw(st.none() | st.just(Picture("p/karte.png", "0" * 64, 9000, 9000))),
        provenance=draw(provenances),
    )


def _facing(draw, side: Hexside) -> Feature:
    return replace(draw(features), facing=draw(st.none() | st.sampled_from(side)))


def _areas(hexes: dict[Hex, Ground], sides: list[Hexside]):
    return st.builds(
        Area,
        name=texts.map(lambda text: f"Area {text}"),
        kind=words,
        hexes=st.lists(st.sampled_from(sorted(hexes)), max_size=3).map(tuple),
        hexsides=(
            st.lists(st.sampled_from(sides), max_size=2).map(tuple) if sides else st.just(())
        ),
        note=texts,
    )
