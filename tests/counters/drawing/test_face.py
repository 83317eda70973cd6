"""Faces drawn: values in their places, unknown ones blank, nothing over the edge."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from counters.drawing import (
    SIDE_PX,
    compose_face,
    contrast,
    draw_face,
    face_names,
    games_with_style,
    load_counter_style,
    style_names,
)
from counters.drawing.looks import look_of
from counters.drawing.style import SignSlot
from counters.model import Colours, Face, Marker, Unit
from counters.symbols import symbols
from mapkit.drawing.raster import rasterise

CLASSES = ["", "infantry", "artillery", "headquarters", "leader", "fortress", "?"]
CLASSIC = load_counter_style("classic")
SVG = "{http://www.w3.org/2000/svg}"


def unit(**changes) -> Unit:
    front = Face("front", {"attack": 4, "defense": 5, "movement": 6})
    plain = Unit(
        "a", "207/I", "it", "italian", "taro", "infantry", "battalion", steps=2, faces=(front,)
    )
    return replace(plain, **changes)


def slots(picture) -> dict[str, etree._Element]:
    root = etree.fromstring(picture.svg.encode())
    return {group.get("id"): group for group in root.iter(f"{SVG}g") if group.get("id")}


def blanks(picture, slot="factors") -> int:
    return sum(1 for path in slots(picture)[slot] if path.get("stroke-dasharray"))


def pixels(picture, size=SIDE_PX) -> np.ndarray:
    data = rasterise(picture, scale=size / SIDE_PX)
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)


def test_known_values_leave_no_blank():
    drawn = compose_face(unit(), "front", CLASSIC)
    assert blanks(drawn.picture) == 0
    assert [one.what for one in drawn.contrasts if one.what in "456"] == ["4", "5", "6"]
    assert drawn.notices == ()


@pytest.mark.parametrize("unknown", ["attack", "defense", "movement"])
def test_each_unknown_value_is_one_dotted_box(unknown):
    values = {"attack": 4, "defense": 5, "movement": 6, unknown: None}
    drawn = compose_face(unit(faces=(Face("front", values),)), "front", CLASSIC)
    assert blanks(drawn.picture) == 1
    assert len([one for one in drawn.contrasts if one.what in "456"]) == 2


def test_a_face_nobody_described_is_all_blank_and_invents_nothing():
    picture = draw_face(unit(faces=()), "front", CLASSIC)
    assert blanks(picture) == 3


def test_a_blank_can_be_seen_and_written_into():
    blank, whole = (pixels(draw_face(unit(faces=f), "front", CLASSIC)) for f in ((), unit().faces))
    row = blank[int(0.84 * SIDE_PX)]
    ground = np.array(
        [int(look_of(unit(), "front", CLASSIC).ground[i : i + 2], 16) for i in (1, 3, 5)]
    )
    assert (row.sum(axis=1) > ground.sum() + 60).sum() > 40  # paler than the ground
    assert (blank != whole).any()


def test_the_reduced_side_is_paler_and_striped():
    front, reduced = (pixels(draw_face(unit(), face, CLASSIC)) for face in ("front", "reduced"))
    assert reduced[200, 2].sum() > front[200, 2].sum() + 50
    assert tuple(reduced[140, 2]) == (255, 255, 255)
    assert tuple(front[140, 2]) != (255, 255, 255)


def test_own_colours_go_before_the_styles():
    own = unit(colours=Colours(ground="#123456", ink="#ffee00", bar="#ff0000"))
    seen = pixels(draw_face(own, "front", CLASSIC))
    assert tuple(seen[-2, 2]) == (0x12, 0x34, 0x56)
    assert tuple(seen[2, 2]) == (255, 0, 0)


def test_a_formation_has_one_colour_wherever_it_stands():
    one, other = (
        look_of(unit(id=i, class_=c), "front", CLASSIC) for i, c in ("ab", ("b", "cavalry"))
    )
    assert one.bar == other.bar is not None
    assert look_of(unit(formation=""), "front", CLASSIC).bar is None


def test_a_class_without_symbol_gets_the_generic_one_and_it_is_told():
    drawn = compose_face(unit(class_="wizards"), "front", CLASSIC)
    assert [notice.kind for notice in drawn.notices] == ["no_symbol"]
    assert drawn.notices[0].values == {"what": "wizards"}
    same = compose_face(unit(class_="wizards", symbol="cavalry"), "front", CLASSIC)
    assert same.notices == ()


def test_a_value_the_style_has_no_place_for_is_told():
    values = {"attack": 1, "defense": 1, "movement": 1, "magic": 3}
    drawn = compose_face(unit(faces=(Face("front", values),)), "front", CLASSIC)
    assert [(n.kind, n.values) for n in drawn.notices] == [("not_shown", {"what": "magic"})]


def test_an_unknown_size_is_told():
    drawn = compose_face(unit(echelon="legion"), "front", CLASSIC)
    assert [notice.kind for notice in drawn.notices] == ["no_echelon"]


def test_a_long_name_is_shortened_and_told():
    drawn = compose_face(unit(name="Bersaglieri " * 8), "front", CLASSIC)
    assert [notice.kind for notice in drawn.notices] == ["shortened"]


def test_bad_contrast_is_found_with_its_numbers():
    style = CLASSIC.model_copy(deep=True)
    row = style.layouts["combat"].slots["factors"].model_copy(update={"ink": "#98af73"})
    style.layouts["combat"].slots["factors"] = row
    (first, *_) = [n for n in compose_face(unit(), "front", style).notices if n.kind == "contrast"]
    below = CLASSIC.colours["italian"].ground
    assert first.values == {
        "what": "4", "ink": "#98af73", "below": below, "least": "3",
        "ratio": f"{contrast('#98af73', below):.1f}",
    }  # fmt: skip


def test_ink_is_held_against_the_plate_it_stands_on():
    style = load_counter_style("battalion")
    drawn = compose_face(unit(faces=(Face("front", {"morale": 7}),)), "front", style)
    (morale,) = [one for one in drawn.contrasts if one.what == "7"]
    assert morale.below == "#ffffff"


def test_a_unit_of_one_step_has_no_reduced_side():
    assert face_names(unit(), CLASSIC) == ("front", "reduced")
    assert face_names(unit(steps=1), CLASSIC) == ("front",)
    assert face_names(unit(faces=(Face("fire", {"range": 3}),)), CLASSIC) == (
        "front", "reduced", "fire",
    )  # fmt: skip
    assert face_names(Marker("m", "Turn"), CLASSIC) == ("front",)


def test_a_bleed_lets_colours_run_over_the_edge_and_moves_nothing():
    plain, wide = (
        draw_face(unit(), "front", CLASSIC),
        draw_face(unit(), "front", CLASSIC, bleed=0.1),
    )
    assert wide.width_px == 360
    inner = pixels(wide, size=SIDE_PX)[30:330, 30:330]
    assert np.abs(inner - pixels(plain)).mean() < 0.05
    for x in (2, 180, 357):  # the bar, from edge to edge
        assert tuple(pixels(wide)[2, x]) == tuple(pixels(plain)[2, 150])
    assert tuple(pixels(wide)[358, 2]) == tuple(pixels(plain)[298, 2])  # the ground


def test_the_picture_needs_no_font():
    svg = draw_face(unit(name="Jäger <&> čő"), "front", CLASSIC).standalone()
    assert "<text" not in svg
    assert "font" not in svg
    assert len(svg) < 12_000


def styles():
    return [*style_names(), *games_with_style()]


@pytest.mark.parametrize("name", styles())
def test_every_symbol_can_be_drawn_in_every_style(name):
    style = load_counter_style(name)
    for symbol in symbols():
        for face in ("front", "reduced", "strange_face"):
            drawn = compose_face(unit(class_="x", symbol=symbol, faces=()), face, style)
            assert {n.kind for n in drawn.notices} <= {"no_symbol"}


@given(
    st.sampled_from(styles()),
    st.builds(
        Unit,
        id=st.just("u"),
        name=st.text(max_size=40),
        side=st.text(max_size=8),
        nationality=st.sampled_from(["", "italian", "german"]),
        formation=st.text(max_size=12),
        class_=st.sampled_from(CLASSES),
        echelon=st.sampled_from(["", "battalion", "XX", "legion"]),
        faces=st.just(()) | st.dictionaries(
            st.sampled_from(["attack", "combat", "strength", "morale", "range", "movement"]),
            st.none() | st.integers(-99, 999) | st.fractions(-9, 9, max_denominator=9),
        ).map(lambda values: (Face("front", values),)),
        badges=st.lists(st.text(max_size=10), max_size=3).map(tuple),
    ),
)  # fmt: skip
def test_whatever_a_table_says_is_drawn_the_same_twice(name, counter):
    style = load_counter_style(name)
    one, other = draw_face(counter, "front", style), draw_face(counter, "front", style)
    assert one.svg == other.svg
    etree.fromstring(one.svg.encode())


@pytest.mark.parametrize("name", styles())
def test_ink_stays_on_the_counter(name):
    """Long names, long numbers, many badges: nothing is cut off by the edge."""
    style = load_counter_style(name)
    values = dict.fromkeys(
        ("attack", "defense", "combat", "machine_guns", "strength", "morale", "movement", "ma",
         "bombardment", "range", "initiative", "command_range", "command_value", "cohesion"), 88,
    )  # fmt: skip
    for class_ in ("infantry", "artillery", "headquarters", "leader", "fortress", "air"):
        one = unit(
            class_=class_,
            formation="",
            name="Großherzog Wilhelm von Mecklenburg",
            badges=("XXVIII", "88"),
            faces=(Face("front", values),),
            echelon="army_group",
        )
        seen = pixels(draw_face(one, "front", style, bleed=0.05), size=SIDE_PX)
        outside = np.concatenate([seen[20:-20, :13], seen[20:-20, -13:]])
        assert (outside.sum(axis=2) < 250).sum() == 0


def test_a_sign_stands_for_its_badge_and_no_other_place_shows_it():
    style = CLASSIC.model_copy(deep=True)
    sign = SignSlot(draw="sign", badge="GHQ", at=(80, 2, 16, 16), shape="triangle", plate="paper")
    style.layouts["combat"].slots["sign"] = sign
    drawn = compose_face(unit(badges=("ghq", "5")), "front", style)
    assert {"sign", "badge"} <= set(slots(drawn.picture))
    assert "badge_2" not in slots(drawn.picture)
    assert "5" in {one.what for one in drawn.contrasts}
    assert "ghq" not in {one.what for one in drawn.contrasts}
    assert "sign" not in slots(draw_face(unit(badges=("5",)), "front", style))


def test_markers_show_their_name_symbol_and_badge():
    marker = Marker("m", "Out of supply", symbol="no_supply", badges=("2",))
    drawn = slots(draw_face(marker, "front", CLASSIC))
    assert {"name", "symbol", "badge"} <= set(drawn)
    bare = slots(draw_face(Marker("m", "Turn"), "front", CLASSIC))
    assert {"symbol", "badge"}.isdisjoint(bare)
