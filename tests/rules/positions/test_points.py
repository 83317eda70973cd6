"""Which points a game counts, and under which words."""

from rules.positions.points import points_words
from rules.registry import pack_names
from rules.scenarios.scenario_files import Scenarios, find_scenarios

SE, C17 = find_scenarios("strafexpedition"), find_scenarios("caporetto-1917")


def test_the_pools_of_a_scenario_and_what_is_counted_by_hand():
    assert set(points_words(C17, C17.find("s1"))["ahg"]) >= {
        "vp",
        "vp_left",
        "vp_right",
        "surrendered_steps",
    }
    assert "logistics_points_left" in points_words(C17, C17.find("s1"))["it"]
    assert "logistics_points_left" not in points_words(C17, C17.find("s2"))["it"]
    assert "vp" not in points_words(SE, SE.find("s1"))["it"], "only one side has a total"


def test_without_a_scenario_all_words_of_the_game_are_known():
    for game in pack_names():
        scenarios = find_scenarios(game)
        words = points_words(scenarios, None)
        for one in scenarios.scenarios:
            for side, known in points_words(scenarios, one).items():
                assert set(known) <= set(words[side])


def test_a_game_that_names_no_points_knows_none():
    assert points_words(Scenarios(SE.pack), None) == {}
