"""The order of battle: every unit of a scenario once, with the hex or the words it begins by."""

import io

import pytest
from PIL import Image

from exporters.vassal.elements import element
from exporters.vassal.order_of_battle import OrderOfBattle, draw_order
from rules.positions.set_up import begin_from
from rules.registry import find_pack
from rules.scenarios.scenario_files import scenarios_of

SIDE_PX = 56
RED = (200, 30, 30)


def a_face():
    out = io.BytesIO()
    Image.new("RGB", (SIDE_PX, SIDE_PX), RED).save(out, "PNG")
    return out.getvalue()


def order_of(game):
    scenarios = scenarios_of(find_pack(game))
    positions = {one.id: begin_from(scenarios.pack, one.id) for one in scenarios.scenarios}
    fronts = dict.fromkeys((id_ for one in positions.values() for id_ in one.pieces), a_face())
    titles = {id_: one.title for id_, one in scenarios.formations.items()}
    made = OrderOfBattle(scenarios, titles, fronts, SIDE_PX)
    for one in scenarios.scenarios:
        made.add(one, one.id, positions[one.id])
    return made, positions


@pytest.mark.parametrize("game", ["strafexpedition", "custoza", "durchbruch", "caporetto-front"])
def test_every_unit_lies_once_on_the_page_of_its_side(game):
    made, positions = order_of(game)
    for id_, position in positions.items():
        _, pages = made.pages[id_]
        laid = [unit for page in pages for unit in page.board.spots]
        assert sorted(laid) == sorted(position.pieces)
        for page in pages:
            assert len({position.pieces[unit].unit.side for unit in page.board.spots}) == 1


def test_hexes_stand_below_counters_and_places_above_them():
    made, positions = order_of("strafexpedition")
    position = positions["s4"]
    for page in made.pages["s4"][1]:
        words = {(one.x, one.y): one.words for one in page.board.letterings}
        for id_, (x, y) in page.board.spots.items():
            piece = position.pieces[id_]
            below = [
                told
                for (left, top), told in words.items()
                if abs(left - x) <= SIDE_PX and 0 < top - y <= 2 * SIDE_PX
            ]
            stands = piece.place.kind == "hex"
            assert any(told.startswith(piece.place.at) for told in below) == stands, id_
    lost = {id_ for id_, one in position.pieces.items() if one.steps_lost}
    assert lost, "the scenario has lost its weakened battalion"
    told = [one.words for page in made.pages["s4"][1] for one in page.board.letterings]
    for id_ in lost:
        assert f"{position.pieces[id_].place.at} -{position.pieces[id_].steps_lost}" in told


def test_who_comes_later_is_told_with_turn_and_place():
    made, positions = order_of("strafexpedition")
    due = {one.due for one in positions["s1"].pieces.values() if one.due}
    told = [one.words for page in made.pages["s1"][1] for one in page.board.letterings]
    assert due
    for turn in due:
        assert any(words.startswith(f"turn {turn}, ") for words in told)


def test_counters_are_drawn_where_the_page_has_them():
    made, _ = order_of("strafexpedition")
    board = made.pages["s4"][1][0].board
    picture = Image.open(io.BytesIO(draw_order(board, made.fronts))).convert("RGB")
    assert picture.size == board.size_px
    for spot in board.spots.values():
        assert picture.getpixel(spot) == pytest.approx(RED, abs=8)


def test_the_window_names_scenarios_and_sides_and_brings_its_pictures():
    made, _ = order_of("custoza")
    root = element("build.GameModule")
    files = {one.path for one in made.add_to(root)}
    charts = list(root.iter("VASSAL.build.widget.Chart"))
    assert {f"images/{one.get('fileName')}" for one in charts} == files
    tabs = [one.get("entryName") for one in root.iter("VASSAL.build.widget.TabWidget")]
    assert {title for title, _ in made.pages.values()} <= set(tabs)


def test_a_game_whose_units_our_sources_lack_has_no_such_window():
    made, _ = order_of("caporetto-1917")
    root = element("build.GameModule")
    assert made.add_to(root) == []
    assert len(root) == 0
