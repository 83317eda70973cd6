"""The catalogues are complete and true in every language; the language is found."""

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mapkit import texts
from mapkit.texts import LANGUAGES, catalogue, language, say

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
SPEAKING = [package for package in PACKAGES if (ROOT / package / "texts").is_dir()]
TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]
# Where a key stands in each call that takes one: its position and its keyword.
TAKES_KEY = {"say": (0, "key"), "Reason": (0, "key"), "DemoStep": (1, "title")}


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def calls_with_key() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the place, the key and the call of every key written out in a call."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            position, keyword = TAKES_KEY.get(name, (99, ""))
            given = [*node.args[position : position + 1]]
            given += [word.value for word in node.keywords if word.arg == keyword]
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", value.value, node


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", TRANSLATED)
@pytest.mark.parametrize("package", SPEAKING)
def test_every_language_has_the_keys_of_english(package, lang):
    assert sorted(catalogue(package, lang)) == sorted(catalogue(package, "en"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("package", SPEAKING)
def test_every_text_has_the_placeholders_and_forms_of_english(package, lang):
    for key, english in catalogue(package, "en").items():
        forms = catalogue(package, lang)[key].split("|")
        assert len(forms) == len(english.split("|")), key
        assert all(form.strip() for form in forms), key
        for form in forms:  # "a hex|{n} hexes": the singular may do without its number
            assert placeholders(form) | {"n"} == placeholders(english) | {"n"}, key
        if len(forms) > 1:
            assert len(forms) == 2, f"{key}: two forms, one and many"
            assert "n" in placeholders(english), f"{key}: what is counted is called n"


@pytest.mark.parametrize("package", SPEAKING)
def test_keys_are_lower_case_words(package):
    for key in catalogue(package, "en"):
        assert re.fullmatch(r"[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+", key), key


def test_every_key_in_the_code_has_a_text():
    known = {key for package in SPEAKING for key in catalogue(package, "en")}
    assert [f"{place} {key}" for place, key, _ in calls_with_key() if key not in known] == []


def test_every_call_fills_the_placeholders_of_its_text():
    wrong = []
    for place, key, call in calls_with_key():
        given = {word.arg for word in call.keywords}
        if getattr(call.func, "id", "") == "say" and None not in given:
            text = catalogue(key.partition(".")[0], "en").get(key, "")
            wrong += [f"{place} {key} {given}"] if placeholders(text) - given else []
    assert wrong == []


def tables_named(node):
    """Yield the beginnings of keys that a field or argument called *texts* names."""
    field = isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "texts"
    argument = isinstance(node, ast.keyword) and node.arg == "texts"
    if (field or argument) and isinstance(node.value, ast.Constant):
        yield f"{node.value.value}."


def test_every_text_is_used_in_the_code():
    """A key counts as used where it stands as a whole, or where an f-string begins it."""
    words: set[str] = set()
    begun: set[str] = set()
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                begun.add(str(node.values[0].value))
            begun.update(tables_named(node))
    starts = tuple(start for start in begun if start.count(".") >= 2)
    keys = {key for package in SPEAKING for key in catalogue(package, "en")}
    assert sorted(key for key in keys - words if not key.startswith(starts)) == []


def test_one_and_many():
    assert say("mapkit.demo.done", n=1, folder="x") == "The demo made 1 file in x:"
    assert say("mapkit.demo.done", n=0, folder="x") == "The demo made 0 files in x:"


def test_a_value_may_hold_braces_and_bars():
    assert say("mapkit.demo.what", what="{n}|{x}") == "what: {n}|{x}"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        pytest.param({"MAPKIT_LANG": "it", "LC_ALL": "de_DE.UTF-8"}, "it", id="ours first"),
        pytest.param({"MAPKIT_LANG": "fr", "LANG": "de_DE"}, "de", id="ours unknown"),
        pytest.param({"LC_ALL": "de_CH.UTF-8", "LANG": "it_IT"}, "de", id="LC_ALL wins"),
        pytest.param({"LC_MESSAGES": "it_IT@euro", "LANG": "de_DE"}, "it", id="LC_MESSAGES"),
        pytest.param({"LC_ALL": "C.UTF-8", "LANG": "de_DE"}, "en", id="C is English"),
        pytest.param({"LANG": "fr_FR.UTF-8"}, "en", id="not spoken"),
        pytest.param({"LANG": "de"}, "de", id="bare"),
    ],
)
def test_the_language_of_the_environment(monkeypatch, environment, expected):
    for name in ("MAPKIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language() == expected


@pytest.mark.parametrize(
    ("system", "expected"),
    [(("German_Austria", "1252"), "de"), (("it_IT", "UTF-8"), "it"), ((None, None), "en")],
)
def test_the_language_of_the_system_where_the_environment_is_silent(monkeypatch, system, expected):
    for name in ("MAPKIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(texts.locale, "getlocale", lambda: system)
    assert language() == expected


def test_a_locale_that_python_cannot_read_is_english(monkeypatch):
    def unreadable() -> None:
        raise ValueError("unknown locale: UTF-8")

    for name in ("MAPKIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(texts.locale, "getlocale", unreadable)
    assert language() == "en"


def test_the_flag_wins_over_the_environment(mapkit_cli, tmp_path, monkeypatch):
    monkeypatch.setenv("MAPKIT_LANG", "it")
    monkeypatch.setattr("mapkit.demo.installed_steps", list)
    said = mapkit_cli("--lang", "de", "demo", "--out", tmp_path / "demo").stdout
    assert said == "Die Vorführung hat nichts zu zeigen: kein Paket hat einen Schritt angemeldet.\n"
    assert mapkit_cli("demo", "--out", tmp_path / "demo").stdout.startswith("La dimostrazione")


@pytest.mark.parametrize("key", ["mapkit.no.such", "nowhere.at.all", "plain words", "Über.x"])
def test_an_unknown_key_is_an_error_here_and_itself_elsewhere(monkeypatch, key):
    with pytest.raises(KeyError, match="no text"):
        say(key)
    monkeypatch.delenv("MAPKIT_STRICT_TEXTS")
    assert say(key) == key
