"""The markers of every game as pieces: of each side, with their numbers, lying where dropped."""

import math

import pytest

from counters.drawing import load_counter_style
from exporters.vassal.badges import BadgeBox
from exporters.vassal.game_markers import marker_pieces
from exporters.vassal.sequence import split
from exporters.vassal.standing import (
    MarkerState,
    beside,
    control_of,
    marker_in_state,
    marker_state_of,
)
from exporters.vassal.traits import mark
from mapkit.texts import speaking
from rules.positions.position import Marker
from rules.registry import find_pack
from tests.exporters.vassal.game_palettes import GAMES, palette


@pytest.mark.parametrize("game", GAMES)
def test_every_marker_of_the_game_is_a_piece(game):
    pack = find_pack(game)
    made, _, _ = palette(game)
    assert {kind for kind, _ in made.markers} == set(pack.markers)
    for kind, entry in pack.markers.items():
        sides = {side for one, side in made.markers if one == kind}
        assert sides == ({""} if entry.state else {"", *pack.sides})


@pytest.mark.parametrize("game", GAMES)
def test_what_is_put_on_a_marker_is_read_off_it(game):
    made, _, _ = palette(game)
    for (kind, side), slot in made.markers.items():
        entry = find_pack(game).markers[kind]
        for n in (None, *range((entry.highest or 20) + 1)) if entry.counted else (None,):
            marker = Marker(kind, "0101", side=side, n=n)
            shown = marker_in_state(made.expanded(slot), marker)
            assert marker_state_of(shown) == MarkerState(kind, side, n)


@pytest.mark.parametrize("game", GAMES)
def test_a_flag_of_each_side_tells_who_holds_a_hex(game):
    made, _, _ = palette(game)
    assert list(made.controls) == list(find_pack(game).sides)
    for side, slot in made.controls.items():
        assert control_of(made.expanded(slot)) == side
        assert marker_state_of(made.expanded(slot)) is None


@pytest.mark.parametrize("game", GAMES)
def test_markers_lie_beside_the_middle_and_look_unlike_each_other(game):
    made, _, _ = palette(game)
    pictures = {one.path.removeprefix("images/"): one.data for one in made.images}
    slots = [*made.markers.values(), *made.controls.values()]
    images = [split(";", slot.traits[-1].type)[3] for slot in slots]
    for slot in slots:
        x, y = beside(slot.traits, 100)
        assert 25 < math.hypot(x, y) < 43  # not on the units, and yet in its hex
        assert any(one.type == "immob;g;N;R;" for one in slot.traits)
    assert len({pictures[image] for image in images}) == len(images)


@pytest.mark.parametrize("told", ["", "7", "a:b", "1:", "1:2:3", "٣:٣", "9999:1"])
def test_what_is_no_shift_is_none(told):
    assert beside([mark(Beside=told)], 72) == (0, 0)


def test_they_are_named_in_the_language_of_the_export():
    style, pack = load_counter_style("strafexpedition"), find_pack("strafexpedition")
    with speaking("de"):
        names = [one.name for one in marker_pieces(pack, BadgeBox(16), style)]
    assert names[:2] == ["Schützengraben", "Schützengraben (Italiener)"]
    assert names[-1] == "Kontrolle (Österreich-Ungarn)"
