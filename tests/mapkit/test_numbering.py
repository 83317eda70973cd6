"""Labels: the five games' layouts as examples, every other scheme as a property."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mapkit.errors import NumberingError
from mapkit.grid import Grid
from mapkit.hexes import Hex, are_neighbours, distance, neighbours
from mapkit.numbering import Axis, Numbering, SheetNumbering, SheetPart, steps_from_compass

STRAFEXPEDITION = Numbering(
    straight="rows",
    order="RRCC",
    columns=Axis(first=1),
    rows=Axis(first=58, step=-1),
    shoved="odd",
)
ITALIAN_FRONT = replace(STRAFEXPEDITION, columns=Axis(first=-3, wrap_from=90))
CAPORETTO_1917, CAPORETTO_NORTH = Numbering(
    straight="columns", columns=Axis(first=64), rows=Axis(first=32), shoved="even"
).running(columns="NW", rows="NE")
CUSTOZA = Numbering(straight="columns", columns=Axis(first=10), rows=Axis(first=1), shoved="odd")

ADJACENT = [
    (
        STRAFEXPEDITION,
        "0146-0247 3502-3603 3603-3604 0747-0847 1937-1938 1938-2038 0225-0226 0238-0239 "
        "4018-4019 3351-3352 1468-1469 1469-1470 1470-1471 2443-2543 2543-2644 3202-3302 "
        "3302-3303 1235-1234 1235-1236 1235-1134 1235-1335 3511-3612 4129-4230 4336-4437 "
        "4337-4438 3324-3325 3423-3523 1333-1434 1435-1535",
    ),
    (
        ITALIAN_FRONT,
        "2718-2818 2718-2819 2718-2619 2718-2717 2717-2618 2718-2618 2619-2618 2717-2817 "
        "2304-2405 3311-3412 3317-3218 2520-2420 2420-2319 2420-2320 2100-2001 2120-2221 "
        "3099-3000 2000-2199",
    ),
    (CAPORETTO_1917, "3628-3629 1524-1624 3926-3927 0610-0711 1701-1801 3017-3117"),
    (
        CUSTOZA,
        "1705-1606 1705-1704 1705-1805 4929-5029 4929-5030 5029-5030 5129-5029 5129-5030 "
        "2529-2430 4913-4914 4913-5014 4914-5014 2315-2215 2215-2115 3923-3924 3922-3923",
    ),
]


@pytest.mark.parametrize(
    ("numbering", "pair"),
    [
        pytest.param(numbering, pair, id=pair)
        for numbering, pairs in ADJACENT
        for pair in pairs.split()
    ],
)
def test_hexes_that_touch_on_the_printed_map(numbering, pair):
    one, other = map(numbering.parse_label, pair.split("-"))
    assert are_neighbours(one, other)


@pytest.mark.parametrize(
    ("numbering", "one", "other", "hexes"),
    [
        (STRAFEXPEDITION, "3405", "3412", 7),
        (STRAFEXPEDITION, "2415", "1705", 13),
        (STRAFEXPEDITION, "3129", "3728", 6),
        (ITALIAN_FRONT, "3099", "3000", 1),
        (ITALIAN_FRONT, "3299", "3099", 2),
        (ITALIAN_FRONT, "1911", "2120", 10),
        (CAPORETTO_1917, "0610", "1007", 5),
        (CUSTOZA, "1705", "7004", 53),
        (CUSTOZA, "4913", "5029", 16),
        (CUSTOZA, "4014", "4913", 9),
    ],
)
def test_printed_distances(numbering, one, other, hexes):
    assert distance(numbering.parse_label(one), numbering.parse_label(other)) == hexes


def test_a_neighbour_that_only_the_other_parity_would_have():
    assert not are_neighbours(
        CAPORETTO_1917.parse_label("0610"), CAPORETTO_1917.parse_label("0709")
    )


def test_rows_from_the_south_lie_higher_on_the_sheet():
    grid = Grid.regular("pointy", pitch_px=60)
    south = grid.centre(STRAFEXPEDITION.parse_label("0101"))
    north = grid.centre(STRAFEXPEDITION.parse_label("5801"))
    east = grid.centre(STRAFEXPEDITION.parse_label("0174"))
    assert north[1] < south[1]
    assert east[0] > south[0]
    assert grid.centre(STRAFEXPEDITION.parse_label("5701"))[0] > north[0]


def test_column_99_lies_west_of_column_00():
    grid = Grid.regular("pointy", pitch_px=60)
    xs = [grid.centre(ITALIAN_FRONT.parse_label(f"30{c}"))[0] for c in ("97", "98", "99", "00")]
    assert xs == sorted(xs)


def test_two_numberings_of_one_land_that_lies_with_north_east_on_top():
    durchbruch, north_deg = replace(
        CAPORETTO_1917, columns=Axis(first=1), rows=Axis(first=1)
    ).running(columns="SE", rows="SW")
    assert north_deg == CAPORETTO_NORTH == -45.0
    corner = CAPORETTO_1917.parse_label("6432")
    assert durchbruch.format_label(corner) == "0101"


@pytest.mark.parametrize(
    ("columns", "rows", "steps"),
    [
        ("E", "S", (1, 1, 0.0)),
        ("E", "N", (1, -1, 0.0)),
        ("W", "N", (-1, -1, 0.0)),
        ("SE", "SW", (1, 1, -45.0)),
        ("NE", "SE", (1, 1, 45.0)),
        ("N", "E", (1, 1, 90.0)),
        ("N", "W", (-1, 1, -90.0)),
    ],
)
def test_axes_that_run_to_compass_points(columns, rows, steps):
    assert steps_from_compass(columns, rows) == steps


def test_axes_that_do_not_cross_are_refused():
    with pytest.raises(NumberingError, match="right angles"):
        steps_from_compass("N", "NE")


@pytest.mark.parametrize(
    ("axis", "texts"),
    [
        pytest.param(Axis(first=99, digits=3), ["099", "100", "101"], id="three digits"),
        pytest.param(Axis(first=9, digits=1), ["9", "10", "11"], id="as short as possible"),
        pytest.param(Axis(first=0, digits=1), ["0", "1", "2"], id="from nought"),
        pytest.param(Axis(first=7, step=-1), ["07", "06", "05"], id="falling"),
        pytest.param(Axis(first=26, letters="AA AB"), ["Z", "AA", "AB"], id="spreadsheet letters"),
        pytest.param(Axis(first=26, letters="AA BB"), ["Z", "AA", "BB"], id="doubled letters"),
        pytest.param(
            Axis(first=8, letters="AA AB", alphabet="ABCDEFGHJKLMNPQRSTUVWXYZ"),
            ["H", "J", "K"],
            id="no letter I",
        ),
        pytest.param(Axis(first=98, wrap_from=100, digits=3), ["098", "099"], id="not yet round"),
        pytest.param(Axis(first=-2, wrap_from=90), ["98", "99", "00", "01"], id="wrapped"),
        pytest.param(Axis(first=3, skip=(4, 5, 7)), ["03", "06", "08", "09"], id="gaps"),
        pytest.param(Axis(first=9, step=-1, skip=(7, 8)), ["09", "06", "05"], id="gaps, falling"),
    ],
)
def test_what_an_axis_prints(axis, texts):
    assert [axis.format_part(i) for i in range(len(texts))] == texts
    assert [axis.parse_part(text) for text in texts] == list(range(len(texts)))


axes = st.builds(
    Axis,
    first=st.integers(0, 40),
    step=st.sampled_from([1, -1]),
    digits=st.integers(2, 3),
    letters=st.none(),
    skip=st.lists(st.integers(41, 80), max_size=3).map(tuple),
) | st.builds(
    Axis,
    first=st.integers(1, 60),
    step=st.sampled_from([1, -1]),
    letters=st.sampled_from(["AA AB", "AA BB"]),
    alphabet=st.sampled_from(["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGH"]),
)
wrapped = st.builds(Axis, first=st.integers(-9, 3), wrap_from=st.just(90))
hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
numberings = st.builds(
    Numbering,
    straight=st.sampled_from(["columns", "rows"]),
    order=st.sampled_from(["CCRR", "RRCC"]),
    columns=axes | wrapped,
    rows=axes,
    separator=st.sampled_from([".", ",", " "]),
    shoved=st.sampled_from(["odd", "even"]),
    toward=st.sampled_from(["higher", "lower"]),
    origin=hexes,
)


@given(numberings, hexes)
def test_label_and_hex_are_inverse(numbering, hex_):
    try:
        label = numbering.format_label(hex_)
    except NumberingError:
        assume(False)
    assert numbering.parse_label(label) == hex_


bare = st.builds(Axis, first=st.integers(0, 120), digits=st.integers(1, 3))


@given(
    st.builds(
        Numbering,
        straight=st.sampled_from(["columns", "rows"]),
        order=st.sampled_from(["CCRR", "RRCC"]),
        columns=bare,
        rows=bare,
    ),
    hexes,
)
def test_labels_with_nothing_between_their_numbers_come_back(numbering, hex_):
    try:
        label = numbering.format_label(hex_)
    except NumberingError:
        assume(False)
    assert numbering.parse_label(label) == hex_


@given(numberings, hexes)
def test_position_and_hex_are_inverse(numbering, hex_):
    assert numbering.hex_at(*numbering.position(hex_)) == hex_


@given(numberings, st.integers(-20, 20), st.integers(-20, 20))
def test_lines_that_are_straight_stay_straight(numbering, column, row):
    here = numbering.hex_at(column, row)
    along = (column, row + 1) if numbering.straight == "columns" else (column + 1, row)
    assert numbering.hex_at(*along) in neighbours(here)


@given(numberings, st.integers(-20, 20), st.integers(-20, 20))
def test_shoved_lines_stand_half_a_hex_toward_the_side_named(numbering, column, row):
    """The picture itself is asked: grid and numbering must tell the same story."""
    grid = Grid.regular(numbering.orientation, pitch_px=10, first_px=(0, 0))
    line, along = (
        (numbering.columns, numbering.rows)
        if numbering.straight == "columns"
        else (numbering.rows, numbering.columns)
    )
    position = column if numbering.straight == "columns" else row
    wanted = numbering.shoved == "odd"
    if (line.count(position) % 2 == 1) != wanted:
        return
    plain = (
        numbering.hex_at(column + 1, row)
        if numbering.straight == "columns"
        else numbering.hex_at(column, row + 1)
    )
    shoved = numbering.hex_at(column, row)
    axis = 1 if numbering.straight == "columns" else 0
    off = grid.centre(shoved)[axis] - grid.centre(plain)[axis]
    sign = along.step * (1 if numbering.toward == "higher" else -1)
    assert off == pytest.approx(sign * 5)


@given(numberings, hexes, hexes)
def test_a_moved_numbering_names_the_moved_hex_alike(numbering, hex_, by):
    assert numbering.moved(by).position(hex_.moved(by)) == numbering.position(hex_)


def test_joined_sheets_that_keep_their_numbers():
    one = Numbering(straight="columns")
    other = one.moved(one.hex_at(9, 0))
    both = SheetNumbering(
        (SheetPart("A", one, (0, 9), (0, 5)), SheetPart("B", other, (0, 9), (0, 5)))
    )
    assert both.format_label(one.parse_label("1003")) == "A:1003"
    assert both.parse_label("B:0103") == both.parse_label("A:1003")
    assert both.format_label(other.parse_label("0201")) == "B:0201"
    with pytest.raises(NumberingError, match="look like A:0101"):
        both.parse_label("0101")
    with pytest.raises(NumberingError, match="not on sheet A"):
        both.parse_label("A:4401")


@pytest.mark.parametrize("text", ["305", "03055", "0a05", "", "/", "٠٣٠٥"])
def test_a_label_that_does_not_read_says_how_labels_look(text):
    with pytest.raises(NumberingError, match="look like 0101"):
        Numbering(straight="columns").parse_label(text)


@pytest.mark.parametrize(
    ("numbering", "labels"),
    [
        pytest.param(
            Numbering("columns", columns=Axis(first=9, digits=1)), ["901", "1001"], id="first grows"
        ),
        pytest.param(
            Numbering("columns", columns=Axis(first=99)), ["9901", "10001"], id="alike, the first"
        ),
        pytest.param(
            Numbering("columns", "RRCC", rows=Axis(first=9, digits=1)), ["901", "902"], id="rows"
        ),
    ],
)
def test_of_two_numbers_side_by_side_one_may_outgrow_its_zeros(numbering, labels):
    found = [numbering.format_label(numbering.hex_at(column, 0)) for column in (0, 1)]
    assert found == labels
    assert [numbering.position(numbering.parse_label(label)) for label in labels] == [
        (0, 0),
        (1, 0),
    ]


def test_the_number_with_fewer_digits_grows_even_as_the_second():
    numbering = Numbering("columns", rows=Axis(first=9, digits=1))
    assert [numbering.format_label(numbering.hex_at(0, row)) for row in (0, 1)] == ["019", "0110"]
    assert numbering.parse_label("0110") == numbering.hex_at(0, 1)


def test_a_label_that_lost_its_zeros_is_asked_back():
    with pytest.raises(NumberingError, match=r"look like 0101; did you mean 0305\?"):
        Numbering(straight="columns").parse_label("305")


def test_letters_may_be_typed_small():
    numbering = Numbering(
        straight="columns", columns=Axis(letters="AA BB"), rows=Axis(digits=1), shoved="odd"
    )
    assert numbering.parse_label("gg10") == numbering.parse_label("GG10")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Numbering(straight="columns", separator="-"),
        lambda: Numbering(straight="columns", separator="x"),
        lambda: Axis(digits=4),
        lambda: Axis(first=3, skip=(3,)),
        lambda: Axis(letters="AA AB", wrap_from=90),
        lambda: Axis(alphabet="ABCA"),
        lambda: Axis(alphabet="A]^B"),
        lambda: SheetNumbering(()),
        lambda: (
            Axis(first=99).format_part(0)
            and Numbering(straight="columns", rows=Axis(first=99)).format_label(Hex(0, 1))
        ),
        lambda: Axis(first=0).format_part(-1),
        lambda: Axis(letters="AA AB").format_part(-1),
        lambda: Axis(letters="AA BB").format_part(400),
        lambda: Axis(letters="AA BB").parse_part("AB"),
        lambda: Axis(skip=(4,)).parse_part("04"),
        lambda: Axis(first=0, wrap_from=90).format_part(90),
    ],
)
def test_numberings_that_cannot_be(wrong):
    with pytest.raises(NumberingError):
        wrong()
