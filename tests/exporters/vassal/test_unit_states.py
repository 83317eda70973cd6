"""Steps, statuses and facing of every game's units as layers: told right, drawn, and read back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counters.drawing import face_names, load_counter_style
from exporters.vassal.badges import BadgeBox
from exporters.vassal.layers import layer_name, level_of
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from exporters.vassal.standing import (
    FACING,
    STATUS,
    STEPS,
    STEPS_FACE,
    CounterState,
    in_state,
    state_of,
    untold,
)
from exporters.vassal.unit_states import MOST_POINTS, MOST_STEPS, UnitStates
from mapkit.texts import LANGUAGES, speaking
from rules.positions import states
from rules.positions.position import Piece
from rules.registry import find_pack
from rules.scenarios.deployment import Status
from rules.schema.forces import classes_in
from tests.exporters.vassal.game_palettes import GAMES, counters, palette

NUMBER_IN_MENU = 8  # more lines than these nobody reads


def expanded(game, unit, turns=6):
    made, _, _ = palette(game, turns)
    return made.expanded(made.units[unit.id])


@st.composite
def units_in_play(draw):
    """Draw a unit of any game in states that the rules can bring it into."""
    game = draw(st.sampled_from(GAMES))
    pack = find_pack(game)
    unit = draw(st.sampled_from(counters(game)))
    piece = Piece(unit)
    words = [word for word in pack.statuses if states.can_be(piece, word, pack)]
    for word in draw(st.lists(st.sampled_from(words), max_size=6)) if words else ():
        n = draw(st.integers(1, MOST_POINTS)) if pack.statuses[word].counted else None
        piece = states.in_state(piece, Status(word, n), pack)
    most = MOST_STEPS if unit.steps is None else unit.steps - 1
    if any(one.steps_lost for one in pack.statuses.values()) and STEPS in layers_of(game, unit):
        piece = replace(piece, steps_lost=draw(st.integers(0, max(most, 0))))
    elif STEPS not in layers_of(game, unit):
        piece = replace(piece, steps_lost=0)
    faces = pack.facing and unit.class_ in classes_in(pack.facing.groups, pack.classes)
    return game, replace(piece, facing=draw(st.none() | st.integers(0, 5)) if faces else None)


def layers_of(game, unit):
    return {layer_name(one) for one in expanded(game, unit)} - {""}


@settings(max_examples=300)
@given(units_in_play(), st.sampled_from([6, 12]))
def test_every_state_of_a_unit_is_told_by_its_counter(drawn, turns):
    game, piece = drawn
    traits = expanded(game, piece.unit, turns)
    shown = state_of(in_state(traits, piece))
    assert shown == CounterState(piece.steps_lost, piece.statuses, piece.facing)
    assert untold(traits, piece) == ()


@settings(max_examples=300)
@given(units_in_play())
def test_the_face_that_is_up_is_the_one_the_rules_turn_up(drawn):
    game, piece = drawn
    pack = find_pack(game)
    up = states.face_up(states.states_of(piece, pack), pack)
    made, _, _ = palette(game)
    files = {one.path.removeprefix("images/") for one in made.images}
    stem = split(";", made.units[piece.unit.id].traits[-1].type)[3].removesuffix("front.png")
    if f"{stem}{up}.png" in files:
        assert shown_face(in_state(expanded(game, piece.unit), piece)) == f"{stem}{up}.png"


def shown_face(traits):
    """Return the uppermost picture of a face that the engine draws: outer layers lie on top."""
    for one in traits:
        level = level_of(one) if one.type.startswith("emb2;") else 0
        image = split(",", split(";", one.type)[16])[level - 1] if level else ""
        if image.startswith("counter-"):
            return image
    return split(";", traits[-1].type)[3]


@pytest.mark.parametrize("game", GAMES)
def test_every_state_that_must_be_said_has_a_layer(game):
    pack = find_pack(game)
    for unit in counters(game):
        wanted = {
            STATUS + word
            for word, entry in pack.statuses.items()
            if states.can_be(Piece(unit), word, pack) and not entry.unless and not entry.steps_lost
        }
        found = layers_of(game, unit)
        assert {name for name in found if name.startswith(STATUS)} == wanted
        assert found <= wanted | {STEPS, STEPS_FACE, FACING, "Face"}


@pytest.mark.parametrize("game", GAMES)
def test_every_trait_decodes_and_its_pictures_are_there(game):
    made, root, prototypes = palette(game)
    files = {one.path for one in made.images}
    assert len(files) == len(made.images)
    slots = list(root.iter("VASSAL.build.widget.PieceSlot"))
    assert len(slots) == len(made.units) + len(made.markers) + len(made.controls)
    for element in [*slots, *prototypes]:
        sign, id_, types, conditions = split("/", element.text)
        traits, told = unnest(TAB, types), unnest(TAB, conditions)
        assert join("/", [sign, id_, nest(TAB, traits), nest(TAB, told)]) == element.text
        for one in traits:
            fields = split(";", one)
            assert join(";", fields) == one
            if fields[0] == "emb2":
                images = split(",", fields[16])
                assert len(fields) == 34
                assert len(images) == len(split(",", fields[17]))
                assert {f"images/{name}" for name in images if name} <= files


@pytest.mark.parametrize("game", GAMES)
def test_no_two_badges_of_a_counter_share_a_place(game):
    for unit in counters(game):
        badges = [
            tuple(split(";", one.type)[14:16])
            for one in expanded(game, unit)
            if layer_name(one).startswith((STATUS, STEPS))
        ]
        around = [at for at in badges if at != ("0", "0")]
        assert len(around) == len(set(around))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_menu_stays_short_and_every_entry_has_its_own_name(game, language):
    pack, style = find_pack(game), load_counter_style(game)
    with speaking(language):
        made = UnitStates(pack, BadgeBox(16))
        for unit in counters(game):
            class_, faces = unit.class_, {name: f"{name}.png" for name in face_names(unit, style)}
            own = made.own(unit, faces)
            entries, taken = menu([*made.shared(class_), *made.facing(class_), *own])
            assert len(entries) == len(set(entries))
            assert taken <= set(entries)
            assert len(set(entries) - taken) <= NUMBER_IN_MENU


def menu(traits):
    """Return the entries of a piece's menu, and those that lie in a menu of their own."""
    entries, taken = [], set()
    for one in traits:
        fields = split(";", one.type)
        if fields[0] == "emb2":
            entries += [fields[at] for at in (1, 4, 7, 10) if fields[at]]
        elif fields[0] == "rotate":
            entries += fields[4:6]
        elif fields[0] == "submenu":
            entries.append(fields[1])
            taken |= set(split(",", fields[2]))
    return entries, taken


def test_pieces_of_a_class_share_a_prototype_and_are_short():
    made, _, _ = palette("strafexpedition")
    infantry = [
        slot
        for unit, slot in ((one, made.units[one.id]) for one in counters("strafexpedition"))
        if unit.class_ == "infantry"
    ]
    assert {slot.traits[0].type for slot in infantry} == {"prototype;Unit_infantry"}
    assert max(len(slot.traits) for slot in infantry) <= 5


def test_the_same_game_gives_the_same_bytes():
    first = palette("custoza")[0].images
    palette.cache_clear()
    assert palette("custoza")[0].images == first
