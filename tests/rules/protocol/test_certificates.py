"""Certificates: the same bytes for the same question, read back, refused when they are none."""

import pytest

from mapkit import texts
from mapkit.document.edits import correct
from mapkit.errors import MapkitError
from mapkit.maps import edit_map
from rules.certificates import (
    certified,
    dump_certificate,
    pack_sha256,
    parse_certificate,
    ruling_of,
    seal_of,
    sealed,
)
from rules.judges.sight import SightJudge
from rules.reproduction import asked, put_to_test
from rules.ruling_page import load_certificate
from tests.boards import board
from tests.rules.judges.positions import CAPORETTO, STRAFEXPEDITION
from tests.rules.protocol.certified_boards import certificate_of, saved

ROWS = [".2 .2 .2 .2", ".4 .2 w2 .2", ".2 .2 .2 .S2"]


@pytest.fixture
def table(tmp_path):
    map_ = board(*ROWS, links={"road": "0202-0303-0403"})
    return saved(map_, STRAFEXPEDITION, tmp_path)


def sight(table, a="0101", b="0103"):
    project, field = table
    ends = {"from": field.hex(a), "to": field.hex(b), "weather": None}
    return certificate_of(project, field, "sight", **ends)


def test_the_same_question_has_the_same_bytes_in_any_language(table):
    texts.use("en")
    english = dump_certificate(sight(table))
    texts.use("it")
    italian = dump_certificate(sight(table))
    texts.use(None)
    assert english == italian == dump_certificate(sight(table))


def test_it_holds_all_it_was_made_from(table):
    certificate = sight(table)
    assert certificate["question"] == {
        "judge": "sight",
        "from": "0101",
        "to": "0103",
        "weather": None,
    }
    assert certificate["map"]["file"] == "board.hexmap.json"
    assert certificate["pack"] == {"id": "strafexpedition", "sha256": pack_sha256(STRAFEXPEDITION)}
    assert certificate["policy"]["sight"]["reach"]["hexes"] == 6
    assert certificate["binding"]["terrain"]["woods"] == "woods"
    assert certificate["seal"] == seal_of(certificate)


def test_two_games_have_two_fingerprints():
    assert pack_sha256(STRAFEXPEDITION) != pack_sha256(CAPORETTO)


def test_it_reads_back_as_it_was_written(table, tmp_path):
    certificate = sight(table)
    path = tmp_path / "ruling.json"
    path.write_bytes(dump_certificate(certificate))
    assert load_certificate(path) == certificate


def test_the_ruling_comes_out_as_it_went_in(table):
    certificate = sight(table)
    ruling = asked(table[1], certificate["question"])
    assert ruling_of(certificate).as_data() == ruling.as_data()


def test_edits_that_are_not_saved_cannot_be_certified(table, tmp_path):
    certificate = sight(table)
    map_, path = table[1].map, tmp_path / "board.hexmap.json"
    with edit_map(path) as session:
        session.edit(correct(map_, map_.hex("0102"), "level", 1))
    with pytest.raises(MapkitError, match="not saved"):
        put_to_test(certificate, tmp_path / "ruling.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "half written"),
        (b'{"format": "mapkit-ruling/1", "que', "half written"),
        (b"[" * 100_000, "half written"),
        (b"[1, 2]", "its format is None"),
        (b'{"format": "mapkit-map/1"}', "its format is 'mapkit-map/1'"),
        (b'{"format": "mapkit-ruling/2"}', "'mapkit-ruling/2'.*install a newer Mapkit"),
        (b'{"format": "mapkit-ruling/x"}', "not 'mapkit-ruling/1'; give a saved ruling"),
        (b'{"format": "mapkit-ruling/1", "map": {}}', "it lacks mapkit, question"),
        (b"\xff\xfe\x00", "half written"),
    ],
)
def test_what_is_no_certificate_is_one_clear_line(data, message):
    with pytest.raises(MapkitError, match=message) as refused:
        parse_certificate(data, "x.json")
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("x.json: ")


@pytest.mark.parametrize(
    "part", ["question", "map", "pack", "binding", "policy", "zones", "ruling", "position"]
)
@pytest.mark.parametrize("junk", [None, 7, "x", [], {}, {"judge": []}, {"sha256": 5}])
def test_junk_inside_never_passes_and_never_crashes(table, tmp_path, part, junk):
    certificate = sight(table)
    if certificate[part] == junk:
        return
    told = _test(sealed({**certificate, part: junk}), tmp_path / "ruling.json")
    assert told != "verified"
    assert "\n" not in told


def test_a_fault_of_the_judge_is_not_told_as_a_broken_certificate(table, tmp_path, monkeypatch):
    certificate = sight(table)

    def falls_over(*_):
        raise LookupError("a fault of ours")

    monkeypatch.setattr(SightJudge, "rule", falls_over)
    with pytest.raises(LookupError, match="a fault of ours"):
        put_to_test(certificate, tmp_path / "ruling.json")


UNIT = {"name": "x", "side": "it", "hex": "0101", "class": "infantry"}
REACH = {"friends": [], "enemies": [], "points": 4, "mode": "tactical", "weather": None}


@pytest.mark.parametrize(
    "junk",
    [
        {"unit": UNIT, "to": "0102", **REACH, "points": "many"},
        {"unit": UNIT, "to": "0102", **REACH, "points": None},
        {"unit": UNIT, "to": ["0102"], **REACH},
        {"unit": UNIT, "to": "0102", **REACH, "mode": []},
        {"unit": UNIT, "to": "0102", **REACH, "weather": {}},
        {"unit": UNIT, "to": "0102", **REACH, "enemies": 7},
        {"unit": {**UNIT, "side": []}, "to": "0102", **REACH},
        {"unit": {**UNIT, "class": {}}, "to": "0102", **REACH},
        {"unit": {**UNIT, "statuses": {"reduced": []}}, "to": "0102", **REACH},
        {"unit": {**UNIT, "unit": {"id": "x"}}, "to": "0102", **REACH},
    ],
)
def test_a_question_that_does_not_read_is_a_broken_certificate(table, tmp_path, junk):
    project, field = table
    good = {"judge": "reach", "unit": UNIT, "to": "0102", **REACH}
    certificate = certified(field, project, good, asked(field, good))
    assert _test(certificate, tmp_path / "ruling.json").startswith("not_verifiable")
    forged = sealed({**certificate, "question": {"judge": "reach", **junk}})
    assert "a broken certificate" in _test(forged, tmp_path / "ruling.json")


def _test(certificate, path):
    try:
        tested = put_to_test(certificate, path)
    except MapkitError as refused:
        return str(refused)
    return tested.outcome if tested.asked_again else f"{tested.outcome}, not asked again"
