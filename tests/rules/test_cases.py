"""Every worked example of every pack, put to the judges; and what makes a case a case."""

import pytest

from rules.cases import load_cases, rule_case
from rules.errors import PackError
from rules.registry import find_pack, pack_folder, pack_names

CASES = [
    pytest.param(name, case, id=f"{name}: {case.id}")
    for name in pack_names()
    for case in load_cases(pack_folder(name))
]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_the_judges_answer_as_the_rules_do(name, case):
    ruling = rule_case(find_pack(name), case)
    got = {"verdict": ruling.verdict, **ruling.working}
    assert {key: got.get(key) for key in case.expect} == case.expect
    assert ruling.cites


@pytest.mark.parametrize("name", ["strafexpedition", "caporetto-1917"])
def test_both_answers_occur(name):
    verdicts = [case.expect["verdict"] for case in load_cases(pack_folder(name))]
    for verdict in ("clear", "blocked", "out_of_range", "in_supply", "out_of_supply"):
        assert verdict in verdicts


@pytest.mark.parametrize("name", pack_names())
def test_each_case_has_a_name_of_its_own(name):
    ids = [case.id for case in load_cases(pack_folder(name))]
    assert len(ids) == len(set(ids))


def test_a_broken_case_file_is_one_clear_line(tmp_path):
    (tmp_path / "cases.toml").write_text('[[case]]\njudge = "sight"\nid = "x"\n', encoding="utf-8")
    with pytest.raises(PackError, match=r"case\.0\.sight\.observer"):
        load_cases(tmp_path)
    (tmp_path / "cases.toml").write_text("[[case", encoding="utf-8")
    with pytest.raises(PackError, match="broken TOML"):
        load_cases(tmp_path)
