"""Units as tables: there and back, and every bad cell told at once."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Face, Unit
from counters.units_table import UnitRow, dump_unit_rows, dump_units, load_unit_rows, load_units
from mapkit.errors import TableError

HEAD = "id,name,side,class,steps,front.combat,front.morale\n"


def loaded(text):
    return load_units(text.encode(), source="units.csv")


def problems(text):
    with pytest.raises(TableError) as caught:
        loaded(text)
    return [str(fault) for fault in caught.value.problems]


def test_a_table_as_somebody_types_it():
    (unit,) = loaded(HEAD + "007,79/I,it,infantry,2,4,\n")
    assert unit == Unit(
        "007",
        "79/I",
        "it",
        class_="infantry",
        steps=2,
        faces=(Face("front", {"combat": 4, "morale": None}),),
    )


def test_values_are_exact_and_a_face_without_any_is_not_there():
    first, second = loaded(HEAD + "a,A,it,,,1/2,−3\nb,B,it,,,,\n")
    assert first.faces == (Face("front", {"combat": Fraction(1, 2), "morale": -3}),)
    assert second.faces == ()
    assert second.steps is None


def test_every_bad_cell_is_told_with_its_remedy():
    found = problems(HEAD + "a,A,it,,two,x,\na,,it,,,,1.5\n,C,,,,,\n")
    assert found == [
        "units!E2 (steps): 'two' is no number of steps; write a whole number such as 2, "
        "or leave it empty",
        "units!F2 (front.combat): 'x' is no value; write a whole number or a fraction such as "
        "1/2, or leave it empty",
        "units!B3 (name): no name is given; fill it in, or empty the row",
        "units!G3 (front.morale): '1.5' is no value; write a whole number or a fraction such as "
        "1/2, or leave it empty",
        "units!A3 (id): the id 'a' stands already in row 2; give each unit an id of its own",
        "units!A4 (id): no id is given; fill it in, or empty the row",
        "units!C4 (side): no side is given; fill it in, or empty the row",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the table is empty"),
        ("id,name\na,A\n", "there is no column 'side'"),
        ("id,name,side,side\n", "a second column 'side'"),
        ("id,name,side,colour\n", "'colour' is no column of units"),
        ("id,name,side\na,A,it,more\n", "stands in no column"),
    ],
)
def test_a_table_without_its_columns(text, told):
    assert any(told in problem for problem in problems(text))


def test_further_columns_are_read_only_when_asked_for():
    data = b"id,name,side,turn\na,A,it,2\n"
    (row,) = load_unit_rows(data, source="units.csv", further=["turn"])
    assert row == UnitRow(Unit("a", "A", "it"), {"turn": "2"}, "units!A2 (a)")
    with pytest.raises(TableError, match="'turn' is no column of units"):
        load_units(data, source="units.csv")


def test_what_would_run_is_defused():
    unit = Unit("a", "=1+1", "it", formation="@home")
    data = dump_units([unit])
    assert b"'=1+1" in data
    assert b"'@home" in data
    assert load_units(data, source="units.csv") == (unit,)


words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=12
)
values = st.none() | st.integers(-999, 999) | st.fractions(-99, 99, max_denominator=99)
faces = st.dictionaries(st.sampled_from(["combat", "morale", "range_1"]), values, max_size=3)


@st.composite
def units(draw):
    ids = draw(st.lists(words, max_size=6, unique=True))
    return [
        Unit(
            id_,
            draw(words),
            draw(words),
            draw(words | st.just("")),
            draw(words | st.just("")),
            draw(words | st.just("")),
            draw(words | st.just("")),
            draw(st.none() | st.integers(0, 9)),
            tuple(
                Face(name, draw(faces)) for name in draw(st.sampled_from([(), ("a",), ("a", "b")]))
            ),
        )
        for id_ in ids
    ]


def known(unit):
    """What a unit tells: a value nobody knows says as much as none."""
    told = {(face.name, name): value for face in unit.faces for name, value in face.known.items()}
    return (unit.id, unit.name, unit.side, unit.nationality, unit.formation), (
        unit.class_,
        unit.echelon,
        unit.steps,
        told,
    )


@given(units())
def test_there_and_back(listed):
    again = load_units(dump_units(listed), source="units.csv")
    assert [known(unit) for unit in again] == [known(unit) for unit in listed]
    once_more = load_units(dump_units(again), source="units.csv")
    assert [known(unit) for unit in once_more] == [known(unit) for unit in listed]


@given(units(), words)
def test_there_and_back_with_further_columns(listed, note):
    rows = [UnitRow(unit, {"note": note}) for unit in listed]
    data = dump_unit_rows(rows, ["note"])
    again = load_unit_rows(data, source="units.csv", further=["note"])
    assert [row.further["note"] for row in again] == [note] * len(listed)
