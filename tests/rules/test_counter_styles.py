"""How the counters of each pack are drawn: every class, formation and unit, and all reads well."""

import tomllib
from dataclasses import replace
from itertools import product
from operator import attrgetter

import pytest

from counters.drawing import (
    PACK_FILE,
    compose_face,
    draw_face,
    face_names,
    games_with_style,
    load_counter_style,
)
from counters.drawing.looks import look_of
from counters.model import Face, Unit
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.scenario_files import find_scenarios

PLAIN = Unit("u", "207/I", "", class_="infantry", echelon="battalion", steps=2)
every_game = pytest.mark.parametrize("game", pack_names())


def test_every_pack_says_how_its_counters_look():
    assert set(games_with_style()) == set(pack_names())


@every_game
def test_every_class_of_a_pack_has_its_symbol_and_reads_well(game):
    style, pack = load_counter_style(game), find_pack(game)
    assert set(style.classes) == set(pack.classes)
    nations = [
        (side, nation)
        for side, about in pack.sides.items()
        for nation in ("", *about.nationalities)
    ]
    for class_, (side, nation) in product(pack.classes, nations):
        unit = replace(PLAIN, class_=class_, side=side, nationality=nation)
        for face in face_names(unit, style):
            assert compose_face(unit, face, style).notices == (), f"{class_} {side} {face}"


@every_game
def test_every_formation_of_a_pack_reads_well_on_its_bar(game):
    style, formations = load_counter_style(game), find_scenarios(game).formations
    assert set(style.formations) <= set(formations)
    for formation, about in formations.items():
        for class_ in style.classes:
            unit = replace(PLAIN, class_=class_, side=about.side, formation=formation)
            kinds = {one.kind for one in compose_face(unit, "front", style).notices}
            assert "contrast" not in kinds, f"{formation} {class_}"


@every_game
def test_every_unit_of_its_scenarios_can_be_drawn(game):
    style = load_counter_style(game)
    units = {one.unit for scenario in find_scenarios(game).scenarios for one in scenario.deployed}
    for unit in sorted(units, key=attrgetter("id")):
        for face in face_names(unit, style):
            told = compose_face(unit, face, style).notices
            assert told == (), f"{unit.id} {face}"


@every_game
def test_a_unit_has_its_colour_whether_or_not_its_nation_is_named(game):
    style, pack = load_counter_style(game), find_pack(game)
    for side, about in pack.sides.items():
        for nation in about.nationalities:
            unit = replace(PLAIN, side=side, nationality=nation)
            ground = look_of(unit, "front", style).ground
            assert ground != style.colours["other"].ground
            plain = look_of(replace(unit, nationality=""), "front", style).ground
            assert len(about.nationalities) > 1 or ground == plain


@every_game
def test_what_is_not_cited_is_owned_up_to(game):
    """Each look of a pack's own file cites a rule or says that it is our choice."""
    text = (pack_folder(game) / PACK_FILE).read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert data["colours"].pop("instead") is True
    for part in ("colours", "classes", "formations"):
        for name, look in data.get(part, {}).items():
            named_only = part == "formations" and "colour" not in look
            assert named_only or look.get("cite") or look.get("assumed"), f"{part}.{name}"
    assert data["sources"]
    assert data["silent"]


def test_guns_show_by_the_ground_of_their_range_whether_they_fire():
    """Strafexpedition 19.1: red and no bombardment when moving, yellow and no movement firing."""
    style = load_counter_style("strafexpedition")
    gun = replace(PLAIN, class_="field_artillery", side="it", faces=(Face("front", {"range": 8}),))
    assert face_names(gun, style) == ("front", "fire")
    moving, firing = (draw_face(gun, face, style).svg for face in ("front", "fire"))
    assert "#cf3a28" in moving
    assert "#f5cf35" in firing
    shown = {one.what for one in compose_face(gun, "front", style).contrasts}
    assert {"0", "8"} <= shown
    assert "0" in {one.what for one in compose_face(gun, "fire", style).contrasts}


def test_counters_of_the_two_battles_bear_their_stripe():
    """Custoza 23: red for 1848, black for 1866."""
    style = load_counter_style("custoza")
    for formation, stripe in (("it48-div-3", "#c1272d"), ("ah66-ix", "#1a1a1a")):
        svg = draw_face(replace(PLAIN, side="it", formation=formation), "front", style).svg
        assert f'id="stripe"><path fill="{stripe}"' in svg
