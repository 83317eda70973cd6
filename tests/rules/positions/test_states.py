"""States of units: those said, those that hold by themselves, and the face that is up."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Unit
from rules.errors import RulesError
from rules.positions.position import Piece
from rules.positions.states import can_be, changed, face_up, in_state, out_of_state, states_of
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.deployment import Status
from rules.scenarios.sequences import load_sequence
from rules.schema.statuses import TURN

SE, C17 = find_pack("strafexpedition"), find_pack("caporetto-1917")


def piece(class_, **state):
    return Piece(Unit("x", "X", "it", class_=class_, steps=2), **state)


@pytest.mark.parametrize(
    ("pack", "class_", "state", "states", "face"),
    [
        pytest.param(SE, "field_artillery", {}, {"move_mode"}, "front", id="SE 19.1 moves"),
        pytest.param(
            SE, "field_artillery", {"fire_mode": 1}, {"fire_mode"}, "fire", id="SE 19.1 fires"
        ),
        pytest.param(C17, "light_artillery", {}, {"fire_mode"}, "front", id="C17 18.1 fires"),
        pytest.param(
            C17, "light_artillery", {"move_mode": 1}, {"move_mode"}, "move", id="C17 18.1 moves"
        ),
        pytest.param(SE, "infantry", {}, set(), "front", id="infantry has no modes"),
        pytest.param(
            SE, "infantry", {"disorganization": 2}, {"disorganization"}, "front", id="SE 16.1"
        ),
    ],
)
def test_states_and_the_face_that_is_up(pack, class_, state, states, face):
    found = states_of(piece(class_, statuses=state), pack)
    assert set(found) == states
    assert face_up(found, pack) == face


@pytest.mark.parametrize(("pack", "class_"), [(SE, "alpini"), (C17, "infantry")])
def test_a_unit_that_lost_a_step_is_reduced(pack, class_):
    found = states_of(piece(class_, steps_lost=1), pack)
    assert face_up(found, pack) == "reduced"
    whole = out_of_state(piece(class_, steps_lost=1), "reduced", pack)
    assert (whole.steps_lost, states_of(whole, pack)) == (0, {})
    assert in_state(whole, Status("reduced"), pack).steps_lost == 1


def test_a_gun_that_loses_its_step_is_not_reduced():
    assert "reduced" not in states_of(piece("field_artillery", steps_lost=1), SE)


def test_one_mode_ends_the_other():
    gun = changed(piece("field_artillery"), "fire_mode", SE)
    assert gun.statuses == {"fire_mode": 1}
    assert changed(gun, "move_mode", SE).statuses == {}
    german = changed(piece("heavy_artillery"), "move_mode", C17)
    assert changed(german, "fire_mode", C17).statuses == {}


def test_points_are_set_and_end():
    shaken = changed(piece("infantry"), "disorganization=3", SE)
    assert states_of(shaken, SE) == {"disorganization": 3}
    assert changed(shaken, "disorganization=0", SE).statuses == {}


@pytest.mark.parametrize(
    ("class_", "text", "told"),
    [
        ("infantry", "asleep", "has no state 'asleep'; there is: disorganization"),
        ("infantry", "fire_mode", r"cannot be 'fire_mode' \[19.1\]; its classes: artillery"),
        ("infantry", "disorganization", "counts points; write disorganization=2"),
        ("infantry", "activated=3", "counts no points"),
        ("infantry", "disorganization=x", "has no state"),
    ],
)
def test_a_change_that_cannot_be_is_refused(class_, text, told):
    with pytest.raises(RulesError, match=told):
        changed(piece(class_), text, SE)


@pytest.mark.parametrize("game", pack_names())
def test_the_words_of_every_pack_hang_together(game):
    pack = find_pack(game)
    sequence = load_sequence(pack_folder(game), pack)
    phases = {phase.id for phase in sequence.phases} | {TURN} if sequence else set()
    for entry in (*pack.statuses.values(), *pack.markers.values()):
        assert entry.sign or getattr(entry, "unless", ()) or getattr(entry, "face", None)
        assert set(entry.titles) == {"de", "it"}
        assert entry.ends is None or entry.ends in phases
    for entry in pack.statuses.values():
        assert not (entry.unless and entry.steps_lost)
        for other in entry.unless:
            assert not pack.statuses[other].unless  # else neither would ever end


@given(st.data())
def test_in_a_state_and_out_of_it(data):
    pack = data.draw(st.sampled_from([SE, C17]))
    word = data.draw(st.sampled_from(sorted(pack.statuses)))
    class_ = data.draw(st.sampled_from(sorted(pack.classes)))
    bare = piece(class_)
    if not can_be(bare, word, pack):
        return
    entry = pack.statuses[word]
    inside = in_state(bare, Status(word, 2 if entry.counted else None), pack)
    assert word in states_of(inside, pack)
    outside = out_of_state(inside, word, pack)
    assert outside == replace(bare, statuses={})
    assert (word in states_of(outside, pack)) == bool(entry.unless)
