"""The generator: the same bytes on every machine, and the committed files are those bytes."""

import hashlib

import pytest

from sample_maps import make
from sample_maps.catalogue import SAMPLES

# As `python -m sample_maps.make` prints them.
SUMS = """\
87dc63dd76623f6f2b2d7bc1bb90ecf2d74b97b73a04949708658f6c47fb7fe1  alpine.hexmap.json
2bae7927e39784a5bc1b09274bc7eb8c3bf0c4a153e3d55a98e41ae20c108341  alpine.shapes.geojson
092c52fca4803f4d0d9489a6a7e1e438f960e98ef16721a4b691f897d5888d7f  front.hexmap.json
09fd184ce6571302673acbce6a682aeeb901cd7c8099f09143b640894970cfe0  front.shapes.geojson
67cb2ab7cba306b911e546da6666fa24556ab039dbdfb139a63d42ba7784e736  hills.hexmap.json
2136850af60f5cb83465cbb43bef3c6a5ef5032c29a5b88b7b26923839798d16  hills.shapes.geojson
1ebd38b0c3c121b9f2c83d33aad2a9d40bfd1fe72113ebe395454e84542d3f48  valley.hexmap.json
d8c35bed91c3e5e9eb62b7221ac87ab791b4b2c70fa46a8e0cd8e679e4a35250  valley.shapes.geojson
6f91f236fc6fa6eea4b1dc0be482913583b2175578a0180a4d168f347ce7ae89  valley_guns.hexmap.json
79150be623bd4031fa76f62679a631bdb34b90d70c119a19ceaacaf31f1b4000  valley_guns.shapes.geojson
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
