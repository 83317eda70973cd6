"""The generator: the same bytes on every machine, and the committed files are those bytes."""

import hashlib

import pytest

from sample_maps import make
from sample_maps.catalogue import SAMPLES

# As `python -m sample_maps.make` prints them.
SUMS = """\
87dc63dd76623f6f2b2d7bc1bb90ecf2d74b97b73a04949708658f6c47fb7fe1  alpine.hexmap.json
d00f7ae0b8a9cd40e7418685eb127d2112071c01609cb36f75a0158c451b6694  alpine.shapes.geojson
092c52fca4803f4d0d9489a6a7e1e438f960e98ef16721a4b691f897d5888d7f  front.hexmap.json
77211503130166771fb9feda5e6a568776737fffd04dafa56a4926e6c0dd6b39  front.shapes.geojson
67cb2ab7cba306b911e546da6666fa24556ab039dbdfb139a63d42ba7784e736  hills.hexmap.json
b22fea6c5403ea6179b3c8ada4f0b83b268ffacb879aabd65b9fbc18793188cb  hills.shapes.geojson
1ebd38b0c3c121b9f2c83d33aad2a9d40bfd1fe72113ebe395454e84542d3f48  valley.hexmap.json
2611dc3116aaf27c139e4d7fbd8ec1d212685093d873d5467664c19108e35281  valley.shapes.geojson
6f91f236fc6fa6eea4b1dc0be482913583b2175578a0180a4d168f347ce7ae89  valley_guns.hexmap.json
379a4bf07e83f7ebbc588b88c6d1d93bdd12159286119dfd85f4bfd63fd653d9  valley_guns.shapes.geojson
"""
SHA256 = {file: sum_ for sum_, file in map(str.split, SUMS.splitlines())}


def digest(data):
    return hashlib.sha256(data).hexdigest()


def truths():
    return sorted(make.DATA.glob("*json"))


def test_the_committed_truths_are_the_ones_known():
    assert {p.name: digest(p.read_bytes()) for p in truths()} == SHA256


def test_the_truths_stay_small():
    assert sum(path.stat().st_size for path in truths()) <= 6_000_000


def test_a_small_map_made_anew_is_the_committed_one():
    made = make.truth_files("valley_guns", SAMPLES["valley_guns"].make())
    assert {file: digest(data) for file, data in made.items()} == {
        file: SHA256[file] for file in made
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "valley_guns"])
def test_every_map_made_anew_is_the_committed_one(name, capsys):
    assert make.main(["--check", name]) == 0
    assert "(new)" not in capsys.readouterr().out


def test_a_stale_file_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make, "DATA", tmp_path)
    assert make.main(["--check", "valley_guns"]) == 1
    assert not list(tmp_path.iterdir())
    assert make.main(["valley_guns"]) == 0
    assert make.main(["--check", "valley_guns"]) == 0
    assert "valley_guns.hexmap.json" in capsys.readouterr().out


def test_an_unknown_name_lists_the_known_ones(capsys):
    with pytest.raises(SystemExit):
        make.main(["atlantis"])
    assert "alpine" in capsys.readouterr().err
