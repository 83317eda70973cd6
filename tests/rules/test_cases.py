"""Every worked example of every pack, put to the judges; and what makes a case a case."""

from collections import Counter

import pytest

from rules.case_maps import CaseMap, case_field
from rules.case_units import placed_units
from rules.cases import FILES, load_cases, rule_case, unmet
from rules.errors import PackError, RulesError
from rules.lookup.rulebook import load_rulebook
from rules.pack import Pack
from rules.registry import find_pack, pack_folder, pack_names

PLAYED = ("strafexpedition", "caporetto-1917")
FEWEST_FROM_TEXT = 15  # of each game; there are many more
# The judges a pack needs for what it holds, by the names cases call them.
JUDGES = {
    "sight": "sight",
    "supply": "supply",
    "zones": "zones",
    "movement": "movement",
    "stacking": "stacking",
    "command": "command",
    "retreat": "retreat",
    "combat": "combat",
    "losses": "losses",
    "tasks": "task",
}
CASES = [
    pytest.param(name, case, id=f"{name}: {case.id}")
    for name in pack_names()
    for case in load_cases(pack_folder(name))
]


def cases_of(name):
    return load_cases(pack_folder(name))


def judges_needed(pack: Pack) -> set[str]:
    needed = {judge for part, judge in JUDGES.items() if getattr(pack, part)}
    if pack.command is not None and pack.command.activation is not None:
        needed.add("activation")
    return needed


@pytest.mark.parametrize(("name", "case"), CASES)
def test_the_judges_answer_as_the_rules_do(name, case):
    if refusal := case.expect.get("error"):
        with pytest.raises(RulesError) as refused:
            rule_case(find_pack(name), case)
        assert refusal in str(refused.value)
        return
    ruling = rule_case(find_pack(name), case)
    assert unmet(case, ruling) == {}
    assert ruling.cites


@pytest.mark.parametrize("name", PLAYED)
def test_both_answers_occur(name):
    verdicts = {case.expect.get("verdict") for case in cases_of(name)}
    assert verdicts >= {"clear", "blocked", "out_of_range", "in_supply", "out_of_supply"}
    assert verdicts >= {"zone", "no_zone", "reached", "not_reached", "within", "over"}
    assert verdicts >= {"in_command", "out_of_command", "depends_on_roll", "retreats", "surrenders"}


@pytest.mark.parametrize("name", pack_names())
def test_each_case_has_a_name_of_its_own(name):
    named = Counter(case.id for case in cases_of(name))
    assert [id_ for id_, times in named.items() if times > 1] == []


@pytest.mark.parametrize("name", pack_names())
def test_each_case_cites_a_rule_of_the_rulebook(name):
    cases = cases_of(name)
    if not cases:
        pytest.skip("this game has no worked examples yet")
    book = load_rulebook(pack_folder(name))
    assert [(case.id, case.cite) for case in cases if not book.find(case.cite)] == []


@pytest.mark.parametrize("name", PLAYED)
def test_every_judge_of_a_game_is_held_to_the_text(name):
    from_text = [case for case in cases_of(name) if case.from_text]
    assert len(from_text) >= FEWEST_FROM_TEXT
    asked = {case.judge for case in cases_of(name)}
    assert judges_needed(find_pack(name)) - asked == set()
    # tasks have their examples beside their rules
    assert judges_needed(find_pack(name)) - {case.judge for case in from_text} <= {"task"}


@pytest.mark.parametrize("name", PLAYED)
def test_each_case_expects_something(name):
    assert [case.id for case in cases_of(name) if not case.expect] == []


def test_a_wrong_expectation_is_found():
    (case, *_) = cases_of("strafexpedition")
    ruling = rule_case(find_pack("strafexpedition"), case)
    wrong = case.model_copy(update={"expect": {"verdict": "never", "no.such.thing": 1}})
    assert unmet(wrong, ruling) == {"verdict": ruling.verdict, "no.such.thing": None}


def test_what_a_case_enters_counts_for_it_alone():
    pack = find_pack("strafexpedition")
    moves = [case for case in cases_of("strafexpedition") if case.judge == "movement"]
    case = next(case for case in moves if case.path and case.values and not case.hexsides)
    assert rule_case(pack, case).verdict != "unknown"
    assert rule_case(pack, case.model_copy(update={"values": {}})).verdict == "unknown"
    assert not pack.terrain["clear"].costs


@pytest.mark.parametrize("file", FILES)
def test_a_broken_case_file_is_one_clear_line(tmp_path, file):
    (tmp_path / file).write_text('[[case]]\njudge = "sight"\nid = "x"\n', encoding="utf-8")
    with pytest.raises(PackError, match=r"case\.0\.sight\.observer"):
        load_cases(tmp_path)
    (tmp_path / file).write_text("[[case", encoding="utf-8")
    with pytest.raises(PackError, match="broken TOML"):
        load_cases(tmp_path)


def named(name, id_):
    return next(case for case in cases_of(name) if case.id == id_)


def test_the_map_of_a_case_has_no_gaps_between_far_hexes():
    case = named(
        "strafexpedition",
        "level 8 sees level 1 at thirteen hexes, for no ceiling is set on the bonus",
    )
    field = case_field(find_pack("strafexpedition"), case, ("0505", "0518", "1018"))
    assert all(
        field.hex(f"{row:02}{column:02}") in field.map
        for row in range(5, 11)
        for column in range(5, 19)
    )


def test_a_narrow_map_holds_only_what_is_named():
    pack = find_pack("strafexpedition")
    case = named("strafexpedition", "alpini who have spent one point cannot cross crags")
    assert rule_case(pack, case).verdict == "not_reached"
    around = case.model_copy(update={"narrow": False})
    assert rule_case(pack, around).verdict == "reached"


def test_nobody_knows_whether_a_unit_of_unknown_morale_gives_up_on_crags():
    pack = find_pack("caporetto-1917")
    case = named("caporetto-1917", "mountain troops who reach the threshold over crags give up")
    given_up = rule_case(pack, case)
    assert given_up.reasons[0].key == "rules.retreat.gives_up"
    ruling = rule_case(pack, case.model_copy(update={"unit": "mountain_infantry:battalion"}))
    assert ruling.verdict == "retreats"
    assert "rules.retreat.may_give_up" in {reason.key for reason in ruling.reasons}


def test_other_assaults_close_their_hexes_only_where_the_game_says_so():
    about = {"came_from": ("0506",), "other_assaults_from": ("0605",)}
    case = named(
        "strafexpedition",
        "assaulted from one hex the defender goes to the opposite hex or beside it",
    )
    ruling = rule_case(find_pack("strafexpedition"), case.model_copy(update=about))
    assert "0605" in ruling.working["to"]


def test_a_counter_says_all_that_is_printed_on_it():
    pack = find_pack("caporetto-1917")
    field = case_field(pack, CaseMap(), ("0505",))
    texts = [
        "0505:light_artillery:move:range=8:disorganization=1",
        "0505:headquarters:of=german",
        "0505",
    ]
    gun, staff, other = placed_units(field, "it", texts)
    assert (gun.value("range"), gun.face, dict(gun.statuses)) == (
        8,
        "move",
        {"move_mode": 1, "disorganization": 1},
    )
    assert staff.unit.nationality == "german"
    assert [gun.name, staff.name, other.name] == ["0505", "0505:headquarters", "0505+"]
    with pytest.raises(RulesError, match="whole number"):
        placed_units(field, "it", ["0505:light_artillery:range=far"])
