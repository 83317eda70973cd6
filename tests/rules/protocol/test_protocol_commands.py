"""The referee from the command line: save, verify, declare, roll, show, check."""

import json
import re

import pytest
from lxml import html

from mapkit.maps import save_map
from tests.boards import board

GAME = ("--game", "strafexpedition")
ROWS = [".2 .2 .2 .2", ".4 .2 w2 .2", ".2 .2 .2 .S2"]
QUESTIONS = [
    ("sight", "0101", "0103"),
    ("field", "0101"),
    ("supply", "0101", "--side", "it", "--enemy", "0402"),
    ("reach", "0101", "--side", "it", "--class", "infantry", "--points", "4"),
]


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "hills.hexmap.json"
    save_map(path, board(*ROWS, links={"road": "0202-0303-0403"}))
    return path


@pytest.fixture
def ask(mapkit_cli, map_file):
    def run(judge, *words):
        result = mapkit_cli("rules", judge, map_file, *words, *GAME)
        assert result.exit_code == 0, result.stderr
        return result

    return run


@pytest.fixture
def log(mapkit_cli, tmp_path):
    path = tmp_path / "game.protocol.jsonl"
    assert mapkit_cli("rules", "protocol", "start", path, "--title", "Asiago").exit_code == 0
    return path


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda words: words[0])
@pytest.mark.parametrize("ending", ["json", "html"])
def test_a_saved_ruling_is_verified(mapkit_cli, ask, tmp_path, question, ending):
    path = tmp_path / f"ruling.{ending}"
    told = ask(*question).stdout
    assert ask(*question, "--save", path).stdout == told
    result = mapkit_cli("rules", "verify", path)
    assert result.exit_code == 0
    expected = "not verified independently" if question[0] == "reach" else "verified: "
    assert result.stdout.startswith(expected)
    assert "the judge, asked again, says the same" in result.stdout


@pytest.mark.parametrize(
    ("unit", "verified"),
    [
        (("--class", "alpini", "--value", "morale=5/2", "--status", "disorganization=2"), True),
        (("--class", "headquarters", "--gun", "0402:8"), False),
    ],
    ids=["alpini", "headquarters under fire"],
)
def test_a_unit_is_part_of_its_question(mapkit_cli, ask, log, tmp_path, unit, verified):
    path = tmp_path / "ruling.json"
    ask("supply", "0101", "--side", "it", "--declare", log)
    second = ask("supply", "0101", "--side", "it", *unit, "--declare", log, "--save", path)
    assert "no. 2 of" in second.stderr
    result = mapkit_cli("rules", "verify", path, "--json")
    tested = json.loads(result.stdout)
    assert (tested["outcome"] == "verified", tested["asked_again"]) == (verified, True)


def test_a_ruling_is_never_saved_over_another(mapkit_cli, ask, map_file, tmp_path):
    path = tmp_path / "ruling.json"
    ask(*QUESTIONS[0], "--save", path)
    result = mapkit_cli(
        "rules", *QUESTIONS[0][:1], map_file, *QUESTIONS[0][1:], *GAME, "--save", path
    )
    assert (result.exit_code, result.stdout) == (1, "")
    assert "--force" in result.stderr
    ask(*QUESTIONS[0], "--save", path, "--force")


def test_a_forged_ruling_differs(mapkit_cli, ask, tmp_path):
    path = tmp_path / "ruling.json"
    ask(*QUESTIONS[0], "--save", path)
    path.write_text(path.read_text("utf-8").replace('"blocked"', '"clear"'), "utf-8")
    result = mapkit_cli("rules", "verify", path)
    assert result.exit_code == 1
    assert "differs" in result.stdout
    assert "verdict: the certificate says clear, found blocked" in result.stdout


def test_a_ruling_on_a_map_that_changed_is_stale(mapkit_cli, ask, map_file, tmp_path):
    path = tmp_path / "ruling.json"
    ask(*QUESTIONS[0], "--save", path)
    save_map(map_file, board(".2 .2", ".2 .2"), force=True)
    result = mapkit_cli("rules", "verify", path, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["outcome"] == "stale"
    assert json.loads(result.stdout)["changed"] == ["map"]


def test_a_ruling_is_stale_when_the_owner_chose_otherwise(mapkit_cli, map_file, tmp_path):
    folder, path = tmp_path / "hills", tmp_path / "hills" / "ruling.json"
    assert mapkit_cli("project", "new", folder, *GAME, "--map", map_file).exit_code == 0
    words = ("rules", "sight", folder, "0101", "0103", "--save", path)
    assert mapkit_cli(*words).exit_code == 0
    assert mapkit_cli("rules", "verify", path).exit_code == 0
    owner = 'format = "mapkit-owner/1"\ngame = "strafexpedition"\n[values]\nlevels.lowest = 1\n'
    (folder / "my.owner.toml").write_text(owner, "utf-8")
    project = folder / "project.toml"
    text = project.read_text("utf-8")
    project.write_text(text.replace("game =", 'owner = "my.owner.toml"\ngame ='), "utf-8")
    result = mapkit_cli("rules", "verify", path)
    assert result.exit_code == 1
    assert "stale" in result.stdout
    assert "owner file" in result.stdout


def test_the_map_may_lie_elsewhere(mapkit_cli, ask, map_file, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    path = folder / "ruling.json"
    ask(*QUESTIONS[2], "--save", path)
    lost = mapkit_cli("rules", "verify", path)
    assert (lost.exit_code, lost.stdout) == (1, "")
    assert "name it with --map" in lost.stderr
    assert mapkit_cli("rules", "verify", path, "--map", map_file).exit_code == 0


@pytest.mark.parametrize("name", ["none.json", "half.json", "page.html", "folder", "map"])
def test_what_is_no_ruling_is_one_clear_line(mapkit_cli, map_file, tmp_path, name):
    (tmp_path / "half.json").write_text('{"format": "mapkit-ru', "utf-8")
    (tmp_path / "page.html").write_text("<p>nothing</p>", "utf-8")
    (tmp_path / "folder").mkdir()
    path = map_file if name == "map" else tmp_path / name
    result = mapkit_cli("rules", "verify", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_map_that_leads_out_of_the_folder_is_refused(mapkit_cli, ask, tmp_path):
    path = tmp_path / "ruling.json"
    ask(*QUESTIONS[0], "--save", path)
    path.write_text(path.read_text("utf-8").replace("hills.hexmap", "../../hills.hexmap"), "utf-8")
    result = mapkit_cli("rules", "verify", path)
    assert result.exit_code == 1
    assert "leads out of" in result.stderr


def test_a_page_stands_alone(ask, tmp_path):
    path = tmp_path / "ruling.html"
    ask(*QUESTIONS[0], "--save", path)
    text = path.read_text("utf-8")
    page = html.fromstring(text.encode())
    assert page.findtext(".//h1") == "0101 does not see 0103: the line is blocked [13.2.2]"
    assert len(page.xpath("//*[local-name()='svg']")) == 1
    assert (
        page.xpath("//*[local-name()='script' or local-name()='link' or local-name()='img']") == []
    )
    sources = [value for value in page.xpath("//@src | //@href") if not value.startswith("#")]
    assert sources == []
    assert not re.search(r"url\((?!data:|#)", text)


def test_a_page_speaks_the_language_in_use(mapkit_cli, map_file, tmp_path):
    path = tmp_path / "ruling.html"
    words = ("--lang", "de", "rules", "sight", map_file, "0101", "0103", *GAME, "--save", path)
    assert mapkit_cli(*words).exit_code == 0
    text = path.read_text("utf-8")
    assert 'lang="de"' in text
    assert "0101 sieht 0103 nicht" in text
    assert mapkit_cli("rules", "verify", path).exit_code == 0


def test_mark_up_in_a_page_stays_text(mapkit_cli, tmp_path):
    from dataclasses import replace

    source = board(*ROWS)
    kinds = source.kinds.with_ids("features", iter(["</pre><script>x</script>\ufffe"]))
    path, page = tmp_path / "evil.hexmap.json", tmp_path / "ruling.html"
    save_map(path, replace(source, kinds=kinds))
    done = mapkit_cli("rules", "sight", path, "0101", "0301", *GAME, "--save", page)
    assert done.exit_code == 0
    assert "<script" not in page.read_text("utf-8")
    assert mapkit_cli("rules", "verify", page).exit_code == 0


def test_a_declared_shot_binds(ask, log):
    first = ask(*QUESTIONS[0], "--declare", log)
    assert "no. 1 of" in first.stderr
    again = ask(*QUESTIONS[0], "--declare", log)
    assert "asked before: no. 1 of" in again.stderr
    assert again.stdout == first.stdout
    other = ask("sight", "0101", "0103", "--weather", "rain", "--declare", log)
    assert "no. 2 of" in other.stderr


def test_the_logged_answer_stands_whatever_a_judge_would_say_today(ask, log, monkeypatch):
    first = ask(*QUESTIONS[0], "--declare", log, "--json")
    from rules.judges.sight import SightJudge
    from rules.ruling import Reason, Ruling

    def otherwise(self, a, b):
        reason = Reason("rules.sight.clear", {"a": "0101", "b": "0103"}, "13.2.2")
        return Ruling("sight", "clear", (reason,), ("13.2.2",), {})

    monkeypatch.setattr(SightJudge, "rule", otherwise)
    assert json.loads(ask(*QUESTIONS[0], "--json").stdout)["verdict"] == "clear"
    again = ask(*QUESTIONS[0], "--declare", log, "--json")
    assert json.loads(again.stdout) == json.loads(first.stdout)


def test_a_protocol_is_shown_and_checked(mapkit_cli, ask, log, tmp_path):
    for question in QUESTIONS:
        ask(*question, "--declare", log)
    rolled = mapkit_cli(
        "rules", "protocol", "roll", log, "1d6", "--for", "0102 or 0202", "--seed", "4"
    )
    assert re.match(r"1d6: [1-6] = [1-6] \(no\. 5 of", rolled.stdout)
    shown = mapkit_cli("rules", "protocol", "show", log).stdout
    assert shown.startswith("Protocol Asiago: 5 entries")
    assert "1. 0101 does not see 0103" in shown
    assert "for: 0102 or 0202" in shown
    page = tmp_path / "game.html"
    assert mapkit_cli("rules", "protocol", "show", log, "--html", page).exit_code == 0
    assert html.parse(page).findtext(".//h2").startswith("1. 0101")
    checked = mapkit_cli("rules", "protocol", "check", log)
    assert checked.exit_code == 0, checked.stdout
    assert checked.stdout.startswith("the chain holds")
    data = json.loads(mapkit_cli("rules", "protocol", "check", log, "--json").stdout)
    outcomes = [entry.get("outcome", entry.get("holds")) for entry in data["entries"]]
    assert outcomes == ["verified", "verified", "verified", "not_verifiable", True]


@pytest.mark.parametrize("forgery", ["verdict", "roll", "line"])
def test_a_forged_protocol_is_noticed(mapkit_cli, ask, log, forgery):
    ask(*QUESTIONS[0], "--declare", log)
    mapkit_cli("rules", "protocol", "roll", log, "1d6", "--for", "x")
    text = log.read_text("utf-8")
    if forgery == "verdict":
        text = text.replace('"verdict":"blocked"', '"verdict":"clear"')
    elif forgery == "roll":
        text = re.sub(r'"faces":\[\d\]', '"faces":[9]', text)
    else:
        text = "".join(line for line in text.splitlines(keepends=True) if '"n":1' not in line)
    log.write_text(text, "utf-8")
    result = mapkit_cli("rules", "protocol", "check", log)
    assert result.exit_code == 1
    assert "changed, or a line before it is gone" in result.stdout


def test_what_cannot_be_declared_is_one_clear_line(mapkit_cli, map_file, tmp_path):
    words = (
        "rules",
        "sight",
        map_file,
        "0101",
        "0103",
        *GAME,
        "--declare",
        tmp_path / "none.jsonl",
    )
    result = mapkit_cli(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.strip().splitlines()) == 1
