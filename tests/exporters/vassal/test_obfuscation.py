"""Texts of saved games, veiled and unveiled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.model import ExportError
from exporters.vassal.obfuscation import unveil, veil


@given(st.text(), st.integers(0, 255))
def test_what_is_veiled_comes_back(text, key):
    assert unveil(veil(text, key)) == text


def test_a_plain_text_is_taken_as_it_is():
    assert unveil("begin_save\x1b€".encode()) == "begin_save\x1b€"


@pytest.mark.parametrize("data", [b"!VCSK", b"!VCSK0", b"!VCSK00zz", b"!VCSK00ff", b"\xff"])
def test_a_broken_one_is_told(data):
    with pytest.raises(ExportError, match="does not read"):
        unveil(data)
