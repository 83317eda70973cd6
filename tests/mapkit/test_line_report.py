"""`mapkit map line`: words, data and a picture, in every language and without a gap."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest
from lxml import etree

from mapkit.maps import save_map
from tests.boards import board

# The line from 0102 to 0302 leaves 0102 at a corner and runs along the hexside 0201/0202.
ALONG = ("0102", "0302")


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "board.hexmap.json"
    save_map(target, board("1 2 1 1", "1 3 1 1", "1 1 1 4"))
    return target


def test_a_line_along_a_hexside_in_words(path, mapkit_cli):
    told = mapkit_cli("map", "line", path, *ALONG).stdout
    assert told.splitlines()[0] == "0102 to 0302: 2 hexes"
    assert "along the hexside 0201/0202, 0201 on the left (from 1/3 to 2/3)" in told


def test_a_line_as_data_has_no_gap(path, mapkit_cli):
    data = json.loads(mapkit_cli("map", "line", path, "0101", "0403", "--json").stdout)
    stretches = [e for e in data["trace"] if e["kind"] in ("through", "along")]
    assert stretches[0]["hexes"] == ["0101"]
    assert stretches[-1]["hexes"] == ["0403"]
    assert Fraction(stretches[0]["from"]) == 0
    assert Fraction(stretches[-1]["to"]) == 1
    assert all(one["to"] == other["from"] for one, other in pairwise(stretches))
    assert all(e["from"] == e["to"] for e in data["trace"] if e not in stretches)


@pytest.mark.parametrize(("lang", "words"), [("de", "liegt links"), ("it", "a sinistra")])
def test_a_line_in_other_languages(path, mapkit_cli, lang, words):
    assert words in mapkit_cli("--lang", lang, "map", "line", path, *ALONG).stdout


def test_a_line_as_a_picture(path, mapkit_cli):
    picture = path.with_name("line.svg")
    ran = mapkit_cli("map", "line", path, *ALONG, "--picture", picture)
    assert ran.exit_code == 0, ran.stderr
    text = "".join(etree.parse(picture).getroot().itertext())
    assert "red: along 1 hexside" in text
    again = mapkit_cli("map", "line", path, *ALONG, "--picture", picture)
    assert (again.exit_code, "exists" in again.stderr) == (1, True)


def test_a_line_to_a_hex_that_is_not_there(path, mapkit_cli):
    ran = mapkit_cli("map", "line", path, "0101", "0909")
    assert (ran.exit_code, "there is no hex 0909" in ran.stderr) == (1, True)


def test_a_line_from_a_hex_to_itself(path, mapkit_cli):
    data = json.loads(mapkit_cli("map", "line", path, "0101", "0101", "--json").stdout)
    assert data["trace"] == [{"kind": "through", "hexes": ["0101"], "from": "0", "to": "1"}]
