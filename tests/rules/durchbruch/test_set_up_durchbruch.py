"""The set-up of Durchbruch against the sheets themselves: every row, hex, date and free unit."""

import re
from collections import Counter
from pathlib import Path

import pytest

from rules.registry import find_pack
from rules.scenarios.deployment import SET_UP
from rules.scenarios.scenario_files import find_scenarios

SEED = Path(__file__).parents[4] / "shared" / "seeds" / "durchbruch.txt"
SCENARIOS = find_scenarios("durchbruch")
SCENARIO = SCENARIOS.find("s1")
TURNS = {"25": 2, "26": 3, "27": 4}
AT_THE_FRONT = {"207 Taro", "208 Taro", "125 Spezia", "126 Spezia", "71 Puglie"}
CLASSES = {
    "HQ": "headquarters",
    "ART": "artillery",
    "ENG": "engineers",
    "MG": "machine_guns",
    "ASS": "assault",
    "INF": "infantry",
    "INFM": "mountain_infantry",
    "Leader": "leader",
}


def printed_rows() -> list[tuple[str, str, str, str]]:
    """Return name, division, type and hex of every row of both sheets, in their order."""
    if not SEED.is_file():
        pytest.skip(f"the text of the sheets is not beside this project: {SEED}")
    text = re.sub(r"</?b>", "", SEED.read_text(encoding="utf-8"))
    lists = text[text.index("UNIT\tDIV") :].splitlines()
    rows = [tuple(line.split("\t")) for line in lists if line.count("\t") == 3]
    return [row for row in rows if row[0] != "UNIT"]


def test_every_row_of_the_sheets_is_a_unit_in_its_hex():
    rows = printed_rows()
    assert len(rows) == len(SCENARIO.deployed) == 242
    for (name, division, type_, hex_), one in zip(rows, SCENARIO.deployed, strict=True):
        corps_hq = re.fullmatch(r"(\w+) [Cc]orps", name)
        assert one.unit.name == (division if corps_hq else name)
        formation = SCENARIOS.formations[one.unit.formation]
        told = corps_hq[1] if corps_hq else division
        corps, _, own = (part.strip() for part in told.partition("/"))
        assert formation.corps == corps
        assert (formation.kind == "division") == bool(own)
        assert own in formation.title
        date, _, label = hex_.rpartition("/")
        if label == "-":
            assert one.placement == f"near-{one.unit.formation}"
        else:
            assert one.placement == f"hex-{label}"
        turn = TURNS[date[:2]] if date and name not in AT_THE_FRONT else SET_UP
        assert one.turn == turn
        if CLASSES.get(type_) != one.unit.class_:
            assert f"printed {type_}" in one.note, one.unit.id


def test_the_counts_of_the_dossier():
    units = [one.unit for one in SCENARIO.deployed]
    assert Counter(unit.side for unit in units) == {"ag": 120, "it": 122}
    assert Counter(unit.side for unit in units if unit.class_ == "headquarters") == {
        "ag": 16,
        "it": 14,
    }
    assert Counter(one.turn for one in SCENARIO.deployed) == {SET_UP: 217, 2: 11, 3: 7, 4: 7}
    assert sum("27-10" in one.note for one in SCENARIO.deployed) == len(AT_THE_FRONT)
    odd = Counter(
        m[1] for one in SCENARIO.deployed if (m := re.match(r"printed (\S+?)[;,]", one.note))
    )
    assert odd == {"INF": 26, "INFM": 2, "RES": 20, "INFB": 1, "BINF": 1, "INF+1": 2}


def test_a_free_unit_keeps_to_its_division_or_corps_behind_the_line():
    free = {name: one for name, one in SCENARIO.placements.items() if name.startswith("near-")}
    assert len(free) == 26
    for name, placement in free.items():
        own = SCENARIOS.formations[name.removeprefix("near-")]
        line, near = placement.all_of
        assert (line.kind, line.side) == ("behind_front_line", own.side)
        assert (near.kind, near.n) == ("within_units", 3)
        meant = {
            id_
            for id_, other in SCENARIOS.formations.items()
            if (other.side, other.corps) == (own.side, own.corps)
            and (own.kind == "corps" or other == own)
        }
        assert set(near.formations) == meant


def test_the_three_hexes_with_two_regiments_are_as_printed():
    pack = find_pack("durchbruch")
    regiments = Counter(
        one.placement
        for one in SCENARIO.deployed
        if one.turn == SET_UP and "regiment" in pack.classes[one.unit.class_].groups
    )
    assert {place for place, n in regiments.items() if n > 1} == {
        "hex-3902",
        "hex-4203",
        "hex-2729",
    }


def test_the_italians_set_up_first():
    assert SCENARIO.file.order.sides == ("it", "ag")


def test_what_only_the_rulebook_tells_is_said_to_be_missing():
    assert set(SCENARIO.file.missing) == {"turns", "weather", "victory"}
