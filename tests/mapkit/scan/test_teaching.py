from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.teaching import (
    Example,
    Sample,
    Teaching,
    TeachingError,
    parse_examples,
    parse_legend,
)

LEGEND = b"""
[[sample]]
group = "terrain"
kind = "woods"
title = "Woods"
rect = [10, 20, 30, 40]

[[sample]]
group = "levels"
kind = "3"
colour = "#a0b0c0"
"""


def test_a_legend_reads():
    first, second = parse_legend(LEGEND, "legend.toml")
    assert first == Sample(group="terrain", kind="woods", title="Woods", rect=(10, 20, 30, 40))
    assert (second.kind, second.colour) == ("3", "#a0b0c0")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "this is no TOML"),
        (b"[[sample]\n", "this is no TOML"),
        (b"", r"holds tables \[\[sample\]\]"),
        (b"title = 'x'\n", r"holds tables \[\[sample\]\]"),
        (LEGEND.replace(b'"terrain"', b'"ground"'), "sample 1: group"),
        (LEGEND.replace(b"rect = [10, 20, 30, 40]", b""), "either a rect or a colour"),
        (LEGEND.replace(b"30, 40", b"0, 40"), "no area on the scan"),
        (LEGEND.replace(b'"3"', b'"high"'), "a level is a whole number, not 'high'"),
        (LEGEND.replace(b"#a0b0c0", b"blue"), "sample 2: colour"),
    ],
)
def test_a_broken_legend_is_one_clear_line(data: bytes, message: str):
    with pytest.raises(TeachingError, match=message) as error:
        parse_legend(data, "legend.toml")
    assert str(error.value).startswith("legend.toml: ")


def test_examples_read():
    data = b"x,y,what,value\n10.5, 20 ,terrain,woods\n1,2,hexside,none\n3,4,level,-1\n"
    assert parse_examples(data, "e.csv") == (
        Example(10.5, 20, "terrain", "woods"),
        Example(1, 2, "hexside", "none"),
        Example(3, 4, "level", "-1"),
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "the first row must be x,y,what,value; it is nothing"),
        (b"x,y,what\n", "the first row must be"),
        (b"x,y,what,value\n1,2,terrain\n", "row 2: it must have 4 cells"),
        (b"x,y,what,value\n1,2,terrain,a,b\n", "row 2: it must have 4 cells"),
        (b"x,y,what,value\n1,far,terrain,a\n", "row 2: y: 'far' is no number"),
        (b"x,y,what,value\n1,nan,terrain,a\n", "row 2: y: 'nan' is no number"),
        (b"x,y,what,value\n1,2,ground,a\n", "row 2: there is no 'ground'; what is one of terrain"),
        (b"x,y,what,value\n1,2,terrain,\n", "row 2: the value is missing"),
        (b"x,y,what,value\n1,2,level,top\n", "row 2: a level is a whole number"),
        (b'x,y,what,value\n1,2,terrain,"a\n', "unexpected end of data"),
    ],
)
def test_broken_examples_are_one_clear_line(data: bytes, message: str):
    with pytest.raises(TeachingError, match=message) as error:
        parse_examples(data, "e.csv")
    assert "\n" not in str(error.value)


@given(st.binary(max_size=80))
def test_no_bytes_break_the_readers(data: bytes):
    for read in (parse_examples, parse_legend):
        with suppress(TeachingError):
            read(data, "file")


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(0.5, 3))
def test_teaching_moves_with_its_picture(dx: float, dy: float, scale: float):
    teaching = Teaching(parse_legend(LEGEND, "l"), (Example(1, 2, "terrain", "woods"),))
    there = teaching.placed(lambda p: (p[0] * scale + dx, p[1] * scale + dy))
    back = there.placed(lambda p: ((p[0] - dx) / scale, (p[1] - dy) / scale))
    assert back.legend[0].rect == pytest.approx((10, 20, 30, 40), abs=1e-6)
    assert (back.examples[0].x, back.examples[0].y) == pytest.approx((1, 2), abs=1e-6)
    assert back.legend[1] == teaching.legend[1]
