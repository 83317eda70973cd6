"""Rulings on sight: cites, margins, doubts, other starting points, unbound words."""

from dataclasses import replace
from pathlib import Path

import pytest

from mapkit.errors import UnknownHexError
from mapkit.hexes import Hex
from mapkit.kinds import Kind, Kinds
from mapkit.model import Provenance, Shape
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.sight import SightJudge
from rules.project import BindingEntry, Project
from rules.registry import find_pack
from rules.schema.forces import Levels
from rules.told import told_ruling
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")


def field_of(map_, pack=STRAFEXPEDITION, **binding):
    return battlefield(Project(Path(), "x", binding=BindingEntry(**binding)), map_, pack)


def ruled(map_, a, b, pack=STRAFEXPEDITION, weather=None, **binding):
    field = field_of(map_, pack, **binding)
    return SightJudge(field, weather).rule(field.hex(a), field.hex(b))


def test_a_blocked_line_names_place_numbers_and_rule():
    ruling = ruled(board(".2", ".4", "w3", ".3"), "0101", "0104")
    assert ruling.verdict == "blocked"
    assert ruling.working["blocked_by"] == ["0102", "0103"]
    told = [reason.told() for reason in ruling.reasons]
    assert "0102 blocks, higher ground: level 4 > higher end 3 [13.2.2]" in told
    assert "0103 blocks, woods: level 3 = higher end 3 [13.2.3]" in told
    assert set(ruling.cites) == {"13.2.2", "13.2.3"}


def test_the_data_has_what_the_page_and_the_exports_need():
    data = ruled(board(".2", ".2", ".2"), "0101", "0103").as_data()
    assert data["verdict"] == "clear"
    assert (data["distance"], data["range"], data["blocked_by"]) == (2, 6, [])
    assert data["trace"][0] == {"kind": "through", "hexes": ["0101"], "from": "0", "to": "1/4"}
    assert data["margin"] is None
    assert data["cites"]


def test_how_close_it_was_in_hexes_and_millimetres():
    map_ = board(".1 .1 .1", ".1 .1 .4", ".1 .1 .1")
    map_ = replace(map_, grid=replace(map_.grid, hex_mm=16.0))
    margin = ruled(map_, "0201", "0203").working["margin"]
    assert margin["place"] == "0302"
    assert margin["mm"] == pytest.approx(16 * margin["hexes"], abs=0.05)


def test_a_doubtful_level_is_named_and_whether_it_would_change_the_verdict():
    map_ = board(".2", ".2", ".2")
    middle = map_.hex("0102")
    read = Provenance("scan", 0.6, 4)
    doubtful = replace(map_[middle], provenance={"level": read})
    map_ = replace(map_, hexes={**map_.hexes, middle: doubtful})
    ruling = ruled(map_, "0101", "0103")
    (doubt,) = [one for one in ruling.rests_on if one.doubtful]
    assert (doubt.place, doubt.value, doubt.is_, doubt.flips) == ("0102", "level", "2", True)
    told = told_ruling(STRAFEXPEDITION, ruling)
    assert "is its level really 2? a scan read it with 60 %" in told
    assert "would change the verdict" in told


def test_a_doubtful_terrain_is_spoken_in_the_games_words():
    map_ = board(".2", ".2", ".2")
    kinds = Kinds((Kind("clear"), Kind("bosco")))
    middle = map_.hex("0102")
    doubtful = replace(map_[middle], provenance={"terrain": Provenance("scan", 0.5, "bosco")})
    map_ = replace(map_, kinds=kinds, hexes={**map_.hexes, middle: doubtful})
    ruling = ruled(map_, "0101", "0103", terrain={"bosco": "woods"})
    (doubt,) = [one for one in ruling.rests_on if one.doubtful]
    assert doubt.flips is True


def test_terrain_the_game_has_no_word_for_is_unknown_until_it_is_bound():
    map_ = board(".2", "m2", ".2")
    assert ruled(map_, "0101", "0103").verdict == "unknown"
    assert ruled(map_, "0101", "0103", terrain={"marsh": ""}).verdict == "clear"
    assert ruled(map_, "0101", "0103", terrain={"marsh": "woods"}).verdict == "blocked"


def town_map():
    """An observer in 0201 whose town reaches to the east edge of his hex; woods before him."""
    map_ = board(". .T . .", ". w . .", ". . . .", ". . . .")
    levels = {hex_: replace(here, level=1) for hex_, here in map_.hexes.items()}
    map_ = replace(map_, hexes=levels)
    x, y = map_.grid.centre(map_.hex("0201"))
    pitch = map_.grid.pitch_px(Hex(0, 0))
    ring = [(x + 0.1 * pitch, y), (x + 0.5 * pitch, y - 0.1 * pitch), (x + 0.5 * pitch, y)]
    return replace(map_, shapes=(Shape("town", "outline", ((*ring, ring[0]),)),))


def test_an_observer_in_a_town_may_look_from_its_edge():
    map_ = town_map()
    best = ruled(map_, "0201", "0304", CAPORETTO)
    plain = ruled(replace(map_, shapes=()), "0201", "0304", CAPORETTO)
    assert (plain.verdict, best.verdict) == ("blocked", "clear")
    assert best.working["start"]
    assert any(reason.key == "rules.sight.start" for reason in best.reasons)
    assert ruled(map_, "0201", "0304", STRAFEXPEDITION).working["start"] is None


def test_weather_the_game_does_not_know_is_said():
    with pytest.raises(RulesError, match="no weather 'hail'; there is: clear, overcast, rain"):
        ruled(board(".1 .1"), "0101", "0201", weather="hail")


def test_a_hex_off_the_map_is_said():
    field = field_of(board(".1 .1"))
    with pytest.raises(UnknownHexError):
        SightJudge(field).rule(field.hex("0101"), Hex(40, 40))


def test_a_game_whose_rule_we_lack_is_unknown_and_never_guessed():
    ruling = ruled(board(".1 .1 .1"), "0101", "0301", find_pack("durchbruch"))
    assert ruling.verdict == "unknown"
    assert ruling.missing


def test_a_game_without_sight_says_so():
    pack = CAPORETTO.model_copy(update={"sight": None, "no_rule": {"sight": "3.0"}})
    ruling = ruled(board(".1 .1 .1"), "0101", "0301", pack)
    assert (ruling.verdict, ruling.cites) == ("no_rule", ("3.0",))


def test_a_town_that_is_not_drawn_is_said_to_be_looked_out_of_from_the_centre():
    map_ = replace(town_map(), shapes=())
    ruling = ruled(map_, "0201", "0304", CAPORETTO)
    assert ruling.verdict == "blocked"
    assert "0201 holds town, which the map does not draw" in ruling.missing[0].told()
    assert not ruled(town_map(), "0201", "0203", CAPORETTO).missing


def test_the_cause_of_not_knowing_is_named():
    ruling = ruled(board(".2", "m2", ".2"), "0101", "0103")
    told = [reason.told() for reason in ruling.reasons]
    assert any("0102 is marsh, a word bound to nothing" in line for line in told)
    assert not any("0101" in line for line in told[2:])
    unread = ruled(board(".2", ".", ".2"), "0101", "0103")
    assert any("0102: its terrain or level is not known" in one.told() for one in unread.reasons)


def test_blizzard_lies_on_high_mountain_by_word_or_by_level():
    map_ = board(".6", ".6", ".6")
    plain = ruled(map_, "0101", "0103", CAPORETTO, weather="blizzard")
    assert plain.verdict == "unknown"
    assert "levels.high_mountain" in " ".join(one.told() for one in plain.missing)
    middle = board(".3", ".3")  # fog lies on 1 and 2, rain between them and high mountain
    assert ruled(middle, "0101", "0102", CAPORETTO, weather="blizzard").verdict == "clear"
    levels = Levels(high_mountain=5, cite="TEC")
    known = CAPORETTO.model_copy(update={"levels": levels})
    assert ruled(map_, "0101", "0103", known, weather="blizzard").verdict == "out_of_range"
    assert ruled(map_, "0101", "0103", known, weather="first_turn").verdict == "out_of_range"
    low = board(".4", ".4", ".4")
    assert ruled(low, "0101", "0103", known, weather="blizzard").verdict == "clear"
