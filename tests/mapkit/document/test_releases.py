"""A file of every release loads forever; what this release writes does not change unnoticed."""

from pathlib import Path

import pytest

from mapkit.document.shapes import dump_shapes
from mapkit.document.writing import FORMAT, dump_map
from mapkit.maps import load_map, shapes_path

RELEASES = Path(__file__).parents[2] / "cases" / "releases"
FILES = sorted(RELEASES.glob("*/*.hexmap.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name} {path.name}")
def test_a_map_of_a_release_loads(path):
    map_ = load_map(path)
    assert map_.hexes
    if FORMAT.encode() in path.read_bytes():
        assert dump_map(map_) == path.read_bytes()
        if map_.shapes:
            assert dump_shapes(map_.shapes) == shapes_path(path).read_bytes()


def test_the_files_hold_everything_a_document_can():
    map_ = load_map(RELEASES / "0.1.0" / "everything.hexmap.json")
    assert all((map_.hexsides, map_.links, map_.areas, map_.shapes, map_.picture, map_.notes))
