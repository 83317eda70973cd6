"""Countersheet tables: as the extension reads them, there and back, and nothing lost silently."""

from fractions import Fraction

import pytest
from hypothesis import given

from counters.countersheet_table import dump_countersheet, load_countersheet
from counters.model import Face, Marker, Unit
from mapkit.errors import TableError
from tests.counters.drawn import counters, known


def read(text):
    return load_countersheet(text.encode(), source="c.csv")


def test_copies_id_and_back():
    found = read(",ID,name,side,combat,move>,BACK,combat\n3,a,A,it,5,4,y,3\n,b,B,it,2,3,,\n")
    assert found.remarks == ()
    assert found.counters == (
        Unit(
            "a",
            "A",
            "it",
            faces=(
                Face("front", {"combat": 5, "move": 4}),
                Face("back", {"move": 4, "combat": 3}),
            ),
            copies=3,
        ),
        Unit("b", "B", "it", faces=(Face("front", {"combat": 2, "move": 3}),)),
    )


def test_new_titles_follow_an_empty_row():
    found = read(",ID,name,side,combat\n,a,A,it,1\n,,,,\n,ID,name\n4,m,Mud\n")
    assert [type(one) for one in found.counters] == [Unit, Marker]
    assert found.counters[1] == Marker("m", "Mud", copies=4)


def test_what_is_lost_is_told():
    found = read(
        "unit,ID,name,side,box[style],star?,text,class,ground,BACK,text,value\n"
        "0,a,A,it,,,,,,,,\n"
        "ENDBOX\n"
        "1,b,,it,fill:red,y,hello,,wheat,BACK,,\n"
        "1,c,C,,,,,infantry,,,,7\n"
    )
    assert [one.id for one in found.counters] == ["b", "c"]
    assert found.counters[0] == Unit("b", "b", "it")
    assert found.counters[1] == Marker("c", "C")
    assert found.remarks == (
        "left out: the template 'unit'",
        "left out: 2 columns: 'box[style]', 'star?'",
        "left out: a counter of no copies: 'a'",
        "left out: 1 row that steers the layout: 'ENDBOX'",
        "left out: 2 cells that are no values: 'hello', 'wheat'",
        "left out: a back with nothing on it: 'b'",
        "a counter without a name is called by its ID: 'b'",
        "left out: what stands right of BACK where BACK is empty: 'c'",
        "a counter without a side became a marker and lost what only units have: 'c'",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there is no counter"),
        ("unit,combat\n3,2\n", "there is no column 'ID'"),
        (",ID,name\n1,,A\n", "no ID is given"),
        (",ID\n1,a\n1,a\n", "the ID 'a' stands already in row 2"),
        (",ID\n-1,a\n", "'-1' is no number of copies"),
        (",ID\n4000,a\n", "'4000' is no number of copies"),
        (",ID,BACK,BACK\n,a\n", "a second column BACK"),
        (",ID,picture\n,a,../x.png\n", "'../x.png' leads out"),
    ],
)
def test_what_cannot_be_read_is_refused(text, told):
    with pytest.raises(TableError, match=told.replace(".", r"\.")):
        read(text)


def test_faces_beyond_two_and_other_names_are_told():
    unit = Unit(
        "a",
        "A",
        "it",
        faces=(
            Face("move", {"steps": 1, "combat": Fraction(1, 2)}),
            Face("fire", {"range": 3}),
            Face("third", {"range": 3}),
        ),
    )
    written = dump_countersheet([unit])
    assert written.data == b",ID,name,side,combat,BACK,range\r\n1,a,A,it,1/2,BACK,3\r\n"
    assert written.remarks == (
        "a: a countersheet table has two sides; left out: third",
        "a: the face 'move' is called 'front' in a countersheet table",
        "a: left out, for a column of that name means something else: steps",
        "a: the face 'fire' is called 'back' in a countersheet table",
    )


@given(counters())
def test_there_and_back(listed):
    written = dump_countersheet(listed)
    again = load_countersheet(written.data, source="c.csv")
    assert written.remarks == ()
    assert again.remarks == ()
    assert [known(one) for one in again.counters] == [known(one) for one in listed]
