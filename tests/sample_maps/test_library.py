"""Sample maps from the installed package."""

import subprocess
import sys

import pytest

import sample_maps
from mapkit.errors import MapkitError


def test_a_name_that_is_not_there_lists_those_that_are():
    with pytest.raises(MapkitError, match="alpine, front, hills"):
        sample_maps.load("atlantis")


def test_public_names_are_there():
    assert all(hasattr(sample_maps, name) for name in sample_maps.__all__)
    assert sorted(sample_maps.__all__) == sample_maps.__all__


def test_loading_needs_no_generator():
    """A map is read without numpy: the generator stays out of a user's way."""
    code = (
        "import sys, sample_maps; sample_maps.load('valley_guns'); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
