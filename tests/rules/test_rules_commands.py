"""`mapkit rules search|show|book|note`, in three languages, with the owner's own material."""

import json

import pytest

from rules.registry import find_pack
from tests.rules.own_game import BOOK, write_game


@pytest.fixture(autouse=True)
def own_game(tmp_path, monkeypatch):
    monkeypatch.setenv("MAPKIT_PACKS", str(tmp_path / "packs"))
    monkeypatch.setenv("MAPKIT_BOOKS", str(tmp_path / "own"))
    yield write_game(tmp_path / "packs")
    find_pack.cache_clear()


@pytest.fixture
def book_file(tmp_path):
    path = tmp_path / "ford.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def test_search_tells_number_title_and_place(mapkit_cli):
    ran = mapkit_cli("rules", "search", "skirmish", "artillery", "forest")
    assert ran.exit_code == 0
    assert ran.stdout.startswith(
        "4.3  Woods\n"
        "  A *forest* hex costs two, and the *artillery* cannot enter it at all.\n"
        "  [artillery, forest]\n\n5.2  Hungry units\n"
    )
    assert ran.stderr == ""


def test_search_as_data(mapkit_cli):
    ran = mapkit_cli("rules", "search", "skirmish", "suply", "--json", "--limit", "1")
    data = json.loads(ran.stdout)
    assert data["read_as"] == {"suply": ["supply"]}
    (hit,) = data["hits"]
    assert (hit["id"], hit["title"], hit["because"], hit["kind"]) == (
        "5",
        "Supply",
        "title",
        "rule",
    )
    assert data["total"] == 2


@pytest.mark.parametrize(
    ("lang", "nothing", "instead"),
    [
        ("en", "nothing found for: zzyzx\n", "'Versorung' stands nowhere; looked for: Versorgung"),
        ("de", "nichts gefunden zu: zzyzx\n", "'Versorung' steht nirgends; gesucht wurde: Vers"),
        ("it", "nessun risultato per: zzyzx\n", "'Versorung' non compare; cercato invece: Vers"),
    ],
)
def test_search_speaks_three_languages(mapkit_cli, lang, nothing, instead):
    ran = mapkit_cli("--lang", lang, "rules", "search", "skirmish", "zzyzx")
    assert (ran.exit_code, ran.stdout, ran.stderr) == (1, "", nothing)
    ran = mapkit_cli("--lang", lang, "rules", "search", "skirmish", "Versorung")
    assert ran.exit_code == 0
    assert ran.stderr.startswith(instead)
    assert ran.stdout.startswith("5  Supply\n")


def test_nothing_found_as_data_is_still_json(mapkit_cli):
    ran = mapkit_cli("rules", "search", "skirmish", "9.9", "--json")
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["nearest"] == ["5", "5.2", "6"]


@pytest.mark.parametrize("words", [['"'], ["AND"], ["*"], ["NEAR(", "x"], ["", ""], ["\udcff"]])
def test_search_takes_whatever_is_typed(mapkit_cli, words):
    ran = mapkit_cli("rules", "search", "skirmish", *words)
    assert ran.exit_code in (0, 1)
    assert "bug" not in ran.stderr


def test_a_word_with_spaces_is_a_phrase(mapkit_cli):
    ran = mapkit_cli("rules", "search", "skirmish", "hungry unit", "--json")
    assert [hit["id"] for hit in json.loads(ran.stdout)["hits"]] == ["5.2", "Table 1"]


def test_show_tells_all_there_is(mapkit_cli, book_file):
    mapkit_cli("rules", "book", "skirmish", book_file)
    mapkit_cli("rules", "note", "skirmish", "5.2", "only", "in", "winter")
    ran = mapkit_cli("rules", "show", "skirmish", "5.2")
    assert ran.exit_code == 0
    assert ran.stdout == (
        "Skirmish at the Ford\n"
        "5.2  Hungry units\n"
        "  A unit that is not supplied for two turns stops listening. Artillery needs no bread.\n"
        "  units: drum major\n"
        "\n"
        "your note 1 on 5.2\n"
        "  only in winter\n"
        "\n"
        "your book ford, page 2\n"
        "  5.2 Hungry units. They stop listening and 4.1 no longer holds for them.\n"
        "\n"
        "see\n"
        "  4.1  Walking\n"
        "  Table 1  Moods of hungry units\n"
        "\n"
        "referred to by\n"
        "  4.1  Walking\n"
    )
    german = mapkit_cli("--lang", "de", "rules", "show", "skirmish", "5.2").stdout
    assert "dein Regelheft ford, Seite 2" in german
    assert "verweisen hierher" in german


def test_show_as_data(mapkit_cli, book_file):
    mapkit_cli("rules", "book", "skirmish", book_file)
    data = json.loads(mapkit_cli("rules", "show", "skirmish", "4", "--json").stdout)
    assert [one["id"] for one in data["sub_rules"]] == ["4.1", "4.3", "4.10"]
    assert data["entries"][0]["title"] == "Movement"
    assert data["books"][0]["page"] == 1
    assert data["books"][0]["text"].startswith("4. Movement Boots decide.")


@pytest.mark.parametrize(
    ("number", "first"),
    [
        (["table", "1"], "Table 1  Moods of hungry units"),
        (["1"], "1.0  What the game is about"),
        (["2"], "2  Ford"),
        (["2 Band"], "2  Band"),
    ],
)
def test_show_by_other_names(mapkit_cli, number, first):
    assert mapkit_cli("rules", "show", "skirmish", *number).stdout.splitlines()[1] == first


def test_show_what_only_the_owners_book_has(mapkit_cli, book_file):
    mapkit_cli("rules", "book", "skirmish", book_file)
    ran = mapkit_cli("rules", "show", "skirmish", "7.1")
    assert "7.1  Weather\n\nyour book ford, page 2\n" in ran.stdout
    assert "7.1  Weather" in mapkit_cli("rules", "show", "skirmish", "7").stdout
    found = mapkit_cli("rules", "search", "skirmish", "sun", "shines").stdout
    assert found.startswith("7.1  Weather\n")
    assert "[your book ford, page 2]" in found


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "skirmish", "4.2"], "skirmish has no rule 4.2; nearest: 4.1, 4.3, 4.10"),
        (["show", "skirmish", "bread"], "`mapkit rules search skirmish …` looks for words"),
        (["show", "chess", "4.2"], "no rules pack 'chess'; there is: "),
        (["note", "skirmish", "4.2", "why"], "skirmish has no rule 4.2; nearest: 4.1, 4.3, 4.10"),
        (["note", "skirmish", "--remove", "1"], "no note 1 on skirmish; there is: none"),
        (["book", "skirmish", "--remove", "x"], "no book 'x' for skirmish; there is: none"),
        (["book", "skirmish", "nowhere.pdf"], "nowhere.pdf: no such file or folder"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(mapkit_cli, args, message):
    ran = mapkit_cli("rules", *args)
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_game_without_rules_says_what_to_do(mapkit_cli, own_game):
    (own_game / "rules.toml").unlink()
    ran = mapkit_cli("rules", "show", "skirmish", "4.1")
    assert ran.exit_code == 1
    assert "`mapkit rules book skirmish FILE` adds your own rulebook" in ran.stderr
    assert mapkit_cli("rules", "note", "skirmish", "4.1", "mine").exit_code == 0


def test_broken_rules_name_the_file(mapkit_cli, own_game):
    (own_game / "rules.toml").write_text("[[rule]]\nnumber = 3\n")
    ran = mapkit_cli("rules", "search", "skirmish", "x")
    assert ran.exit_code == 1
    assert "rules.toml" in ran.stderr


def test_books_are_listed_and_forgotten(mapkit_cli, book_file):
    assert mapkit_cli("rules", "book", "skirmish").stderr == "you have added no book for skirmish\n"
    added = mapkit_cli("rules", "book", "skirmish", book_file)
    assert added.stderr == "added your book 'ford': 6 numbered rules found\n"
    assert mapkit_cli("rules", "book", "skirmish").stdout == "ford: 6 rules\n"
    (data,) = json.loads(mapkit_cli("rules", "book", "skirmish", "--json").stdout)
    assert (data["name"], data["pages"], data["rules"][:3]) == ("ford", 2, ["1", "4", "4.1"])
    book_file.write_text("4.1 Other words\nhere", encoding="utf-8")
    refused = mapkit_cli("rules", "book", "skirmish", book_file)
    assert (refused.exit_code, "--force" in refused.stderr) == (1, True)
    assert mapkit_cli("rules", "book", "skirmish", book_file, "--force").exit_code == 0
    assert mapkit_cli("rules", "book", "skirmish", "--remove", "ford").exit_code == 0
    assert json.loads(mapkit_cli("rules", "book", "skirmish", "--json").stdout) == []


def test_notes_come_first_and_go(mapkit_cli):
    empty = mapkit_cli("rules", "note", "skirmish", "--list")
    assert (empty.exit_code, empty.stderr) == (0, "you have no notes on skirmish\n")
    kept = mapkit_cli("rules", "note", "skirmish", "Table", "1", "bread", "cheers", "them", "up")
    assert kept.stderr == "kept: your note 1 on Table 1\n"
    mapkit_cli("rules", "note", "skirmish", "--house-rule", "2 loaves of bread each")
    listed = "your note 1 on Table 1\n  bread cheers them up\n\nyour house rule 2\n"
    assert mapkit_cli("rules", "note", "skirmish", "--list").stdout.startswith(listed)
    found = json.loads(mapkit_cli("rules", "search", "skirmish", "bread", "--json").stdout)
    kinds = [hit["kind"] for hit in found["hits"]]
    assert (set(kinds[:2]), kinds[2]) == ({"note", "house_rule"}, "rule")
    assert mapkit_cli("rules", "note", "skirmish", "--remove", "1").exit_code == 0
    (left,) = json.loads(mapkit_cli("rules", "note", "skirmish", "--json").stdout)
    assert (left["id"], left["kind"], left["rule"]) == (2, "house_rule", "")


@pytest.mark.parametrize(
    "args",
    [
        ["note", "skirmish", "--list", "--remove", "1"],
        ["note", "skirmish", "words", "--list"],
        ["book", "skirmish", "a.pdf", "--remove", "b"],
    ],
)
def test_one_thing_at_a_time(mapkit_cli, args):
    assert mapkit_cli("rules", *args).exit_code == 2


def test_the_disk_may_refuse(mapkit_cli, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("MAPKIT_BOOKS", str(tmp_path / "file"))
    ran = mapkit_cli("rules", "note", "skirmish", "hello", "there")
    assert ran.exit_code == 1
    assert "bug" not in ran.stderr
