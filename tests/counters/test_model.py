"""The unit class: plain, frozen, and honest about what nobody knows."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from counters.model import Face, Unit

REGIMENT = Unit(
    "it-roma-79-i",
    "79/I",
    "it",
    class_="infantry",
    steps=2,
    faces=(
        Face("front", {"combat": 4, "morale": None}),
        Face("reduced", {"combat": Fraction(3, 2)}),
    ),
)


def test_an_unknown_value_is_not_zero():
    assert REGIMENT.value("combat", "front") == 4
    assert REGIMENT.value("combat", "reduced") == Fraction(3, 2)
    assert REGIMENT.value("morale", "front") is None
    assert REGIMENT.value("combat", "back") is None
    assert REGIMENT.face("front").known == {"combat": 4}


def test_a_unit_never_changes():
    with pytest.raises(FrozenInstanceError):
        REGIMENT.name = "79/II"
    with pytest.raises(TypeError):
        REGIMENT.faces[0].values["combat"] = 5


def test_a_face_keeps_its_own_values():
    given = {"combat": 4}
    face = Face("front", given)
    given["combat"] = 5
    assert face.values == {"combat": 4}


def test_units_are_values():
    for again in (copy.deepcopy(REGIMENT), pickle.loads(pickle.dumps(REGIMENT))):
        assert again == REGIMENT
        assert hash(again) == hash(REGIMENT)
