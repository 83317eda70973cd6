"""The protocol: a chain nobody changes unseen, declared shots that bind, dice one can check."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from mapkit.errors import MapkitError
from rules.protocol import (
    declare,
    faces_of,
    load_protocol,
    roll,
    roll_holds,
    start_protocol,
)
from rules.schema.dice import Dice
from tests.boards import board
from tests.rules.judges.positions import STRAFEXPEDITION
from tests.rules.protocol.certified_boards import certificate_of, saved

ROWS = [".2 .2 .2 .2", ".4 .2 w2 .2", ".2 .2 .2 .S2"]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "game.protocol.jsonl"
    start_protocol(path, "a friendly game")
    return path


def sight(folder, a="0101", b="0103", rows=ROWS):
    project, field = saved(board(*rows), STRAFEXPEDITION, folder)
    ends = {"from": field.hex(a), "to": field.hex(b), "weather": None}
    return certificate_of(project, field, "sight", **ends)


@pytest.fixture
def played(log, tmp_path):
    """A protocol with two rulings and two rolls."""
    declare(log, sight(tmp_path))
    roll(log, "1d6", "who begins", 7)
    declare(log, sight(tmp_path, "0201", "0203"))
    roll(log, "2d6", "assault")
    return log


def test_a_protocol_is_never_written_over(log):
    with pytest.raises(MapkitError, match="never overwritten"):
        start_protocol(log)


def test_entries_are_numbered_and_chained(played):
    protocol = load_protocol(played)
    assert [(one.number, one.kind) for one in protocol.entries] == [
        (0, "start"),
        (1, "ruling"),
        (2, "roll"),
        (3, "ruling"),
        (4, "roll"),
    ]
    assert protocol.broken == ()
    assert protocol.title == "a friendly game"
    assert all(map(roll_holds, (protocol.entries[2], protocol.entries[4])))


def test_the_same_question_has_the_logged_answer(log, tmp_path):
    first, is_new = declare(log, sight(tmp_path))
    assert (first.number, is_new) == (1, True)
    declare(log, sight(tmp_path, "0201", "0203"))
    before = log.read_bytes()
    again, is_new = declare(log, sight(tmp_path))
    assert (again, is_new) == (first, False)
    assert log.read_bytes() == before


def test_on_a_map_that_changed_it_is_asked_anew_and_says_so(log, tmp_path):
    declare(log, sight(tmp_path))
    corrected = [".2 .2 .2 .2", ".2 .2 w2 .2", ".2 .2 .2 .S2"]
    entry, is_new = declare(log, sight(tmp_path, rows=corrected))
    assert (entry.number, is_new, entry.data["again"]) == (2, True, 1)


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_a_line_taken_out_breaks_the_chain(played, gone):
    lines = played.read_bytes().splitlines(keepends=True)
    played.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
    assert load_protocol(played).broken[0] == gone


def test_lines_exchanged_break_the_chain(played):
    lines = played.read_bytes().splitlines(keepends=True)
    lines[2], lines[3] = lines[3], lines[2]
    played.write_bytes(b"".join(lines))
    assert load_protocol(played).broken[0] == 2


@given(st.data())
def test_no_letter_of_the_log_changes_unseen(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("log")
    path = folder / "x.protocol.jsonl"
    start_protocol(path)
    roll(path, "2d6", "assault", 3)
    roll(path, "1d6", "rally", 4)
    end, text = load_protocol(path).end, path.read_bytes()
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.integers(32, 126).filter(lambda one: one != text[place]))
    path.write_bytes(text[:place] + bytes([letter]) + text[place + 1 :])
    try:
        protocol = load_protocol(path)
    except MapkitError:
        return
    assert protocol.broken or protocol.end != end


def test_what_a_seal_anew_would_hide_the_next_line_tells(played):
    from rules.protocol import _line

    lines = played.read_bytes().splitlines(keepends=True)
    forged = json.loads(lines[2])
    other = 7 - forged["total"]  # the other side of the die: never what was rolled
    forged["faces"], forged["total"] = [other], other
    before = forged.pop("before")
    del forged["sha256"]
    lines[2] = _line(forged, before)
    played.write_bytes(b"".join(lines))
    protocol = load_protocol(played)
    assert protocol.broken == (3,)
    assert not roll_holds(protocol.entries[2])


def test_nothing_is_added_to_a_broken_protocol(played, tmp_path):
    played.write_bytes(played.read_bytes().replace(b"who begins", b"who is it "))
    with pytest.raises(MapkitError, match="line 3 was changed"):
        roll(played, "1d6", "again")
    with pytest.raises(MapkitError, match="line 3 was changed"):
        declare(played, sight(tmp_path))


def test_the_end_tells_when_the_last_lines_are_gone(played):
    whole = load_protocol(played).end
    lines = played.read_bytes().splitlines(keepends=True)
    played.write_bytes(b"".join(lines[:-1]))
    shorter = load_protocol(played)
    assert shorter.broken == ()
    assert shorter.end != whole


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no protocol"),
        (b"\n", "line 1: broken"),
        (b'{"n": 0', "only half there"),
        (b'{"n": 0\n', "line 1: broken"),
        (b"[]\n", "no line of a protocol"),
        (b'{"format": "mapkit-map/1"}\n', "it lacks n, kind"),
        (b'{"n": 0, "kind": "start", "before": "", "sha256": ""}\n', "it is no protocol"),
        (b"[" * 100_000 + b"\n", "line 1: broken"),
        (b"\xff\xfe\n", "line 1: broken"),
        (b'{"n":0,"kind":"ruling","before":"","sha256":"","certificate":7}\n', "its format is"),
    ],
)
def test_what_is_no_protocol_is_one_clear_line(tmp_path, data, message):
    path = tmp_path / "x.protocol.jsonl"
    path.write_bytes(data)
    with pytest.raises(MapkitError, match=message) as refused:
        load_protocol(path)
    assert "\n" not in str(refused.value)


def test_a_seed_shows_the_same_faces_only_at_its_place(log):
    one, other = roll(log, "3d6", "x", 5), roll(log, "3d6", "x", 5)
    assert one.data["faces"] == faces_of(one.data["before"], 5, 3, 6)
    assert one.data["before"] != other.data["before"]


def test_every_face_is_as_likely():
    drawn = Counter(face for seed in range(600) for face in faces_of("x", seed, 10, 6))
    assert set(drawn) == {1, 2, 3, 4, 5, 6}
    assert max(drawn.values()) - min(drawn.values()) < 200  # of 1000 each


@pytest.mark.parametrize("text", ["", "d6", "0d6", "21d6", "1d1", "1d1001", "1x6", "-1d6", "1d6+1"])
def test_what_are_no_dice(log, text):
    with pytest.raises(MapkitError, match="no dice"):
        roll(log, text, "x")


def test_dice_are_written_as_players_do(log):
    rolled = [roll(log, text, "x").data["dice"] for text in ("1d6", "2D10", " 1w6 ")]
    assert rolled == ["1d6", "2d10", "1d6"]


@pytest.mark.parametrize("text", ["2D6", " 1d6", "1w6", "5d6", "1d100", "01d6", "1d06"])
def test_a_table_names_its_dice_in_one_way(text):
    with pytest.raises(ValueError, match=r"no dice of a table"):
        TypeAdapter(Dice).validate_python(text)


def test_a_protocol_of_a_newer_mapkit_is_told_so(log):
    line = b'{"format":"mapkit-protocol/2","entries":"elsewhere"}\n'
    log.write_bytes(line)
    with pytest.raises(MapkitError, match="'mapkit-protocol/2'.*install a newer Mapkit"):
        load_protocol(log)
    log.write_bytes(line.replace(b"protocol/2", b"protocol/x"))
    with pytest.raises(MapkitError, match="no line of a protocol"):
        load_protocol(log)
