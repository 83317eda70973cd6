"""The sample maps, handed out by name."""

import json

import pytest

from mapkit.errors import MapkitError
from mapkit.maps import load_map
from mapkit.samples import list_samples, sample_map
from sample_maps import library


def test_every_sample_is_listed(mapkit_cli):
    shown = mapkit_cli("map", "sample")
    assert [line.split()[0] for line in shown.stdout.splitlines()] == list(library.names())
    data = json.loads(mapkit_cli("map", "sample", "--json").stdout)
    assert [one["name"] for one in data] == list(library.names())
    assert all(one["title"] for one in data)


def test_a_sample_is_written_whole(mapkit_cli, tmp_path):
    file = tmp_path / "guns.hexmap.json"
    assert mapkit_cli("map", "sample", "valley_guns", "-o", file).exit_code == 0
    assert load_map(file) == library.load("valley_guns")
    assert mapkit_cli("map", "sample", "valley_guns", "-o", file).exit_code == 1


def test_another_numbering_keeps_the_land():
    one, other = sample_map("valley"), sample_map("valley", "from-the-south")
    assert one.hexes == other.hexes
    assert {one.label(hex_) for hex_ in one.hexes} == {other.label(hex_) for hex_ in other.hexes}
    assert any(one.label(hex_) != other.label(hex_) for hex_ in one.hexes)


@pytest.mark.parametrize(
    ("name", "numbered", "fault"),
    [("atlantis", None, "no sample map"), ("alpine", "from-the-south", "only its own numbering")],
)
def test_an_unknown_sample_is_told(name, numbered, fault):
    with pytest.raises(MapkitError, match=fault):
        sample_map(name, numbered)


def test_other_numberings_are_listed():
    assert {one.name: one.numbered for one in list_samples() if one.numbered} == {
        "valley": ("from-the-south",)
    }
