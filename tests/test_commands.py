"""Every command of the tree has help, an example, a page, a test, and never a traceback."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from mapkit.command_tree import leaves
from mapkit.main import root_command
from tests.documented import documented_commands

COMMANDS = {" ".join(words): command for words, command in leaves(root_command())}


def needed(name):
    return [param for param in COMMANDS[name].params if param.required]


every_command = pytest.mark.parametrize("name", sorted(COMMANDS))


def test_the_tree_is_not_empty():
    assert "demo" in COMMANDS


@every_command
def test_has_help(name):
    command = COMMANDS[name]
    assert command.help, f"`{name}` has no docstring"
    first = command.help.partition("\n\n")[0]
    assert re.fullmatch(r"[A-Z].*\.", first, re.DOTALL), f"not a sentence: {first!r}"
    assert not command.get_short_help_str(62).endswith("..."), f"too long for a list: {first!r}"
    silent = [param.name for param in command.params if not getattr(param, "help", None)]
    assert silent == [], f"`{name}` has options without help"


@every_command
def test_shows_an_example_in_its_help(name):
    title, *lines = (COMMANDS[name].epilog or "").replace("\b", "").strip().splitlines()
    assert title == "Examples:"
    assert lines
    assert [line for line in lines if not re.match(rf"  mapkit (-\S+ )*{name}\b", line)] == []


@every_command
def test_has_an_example_in_the_docs(name):
    words = tuple(name.split())
    pages = [shown.place for shown in documented_commands() if _calls(shown.words, words)]
    assert pages, f"show `mapkit {name} …` in a code block of a page under docs/"


@every_command
def test_has_a_test(name):
    """A test calls it as `mapkit_cli("noun", "verb", …)` or `mapkit_process(…)`."""
    words = tuple(name.split())
    assert any(_calls(call, words) for call in _calls_in_tests()), (
        f"no test calls mapkit_cli({', '.join(repr(word) for word in words)}, …)"
    )


@every_command
@pytest.mark.parametrize(
    "nonsense",
    [
        pytest.param(["--no-such-option"], id="option"),
        pytest.param(["no/such/file"] * 9, id="words"),
        pytest.param(["\udcff\N{SNOWMAN}", "", "-", "--", "-x"], id="letters"),
    ],
)
def test_nonsense_is_a_usage_error(mapkit_cli, tmp_path, monkeypatch, name, nonsense):
    monkeypatch.chdir(tmp_path)
    ran = mapkit_cli(*name.split(), *nonsense)
    assert ran.exit_code in (1, 2)
    assert_told(ran)


@pytest.mark.parametrize("name", [name for name in sorted(COMMANDS) if needed(name)])
@pytest.mark.parametrize("content", ["missing", "empty", "folder", "binary", "json"])
def test_wrong_files_are_told_in_a_line(mapkit_cli, tmp_path, monkeypatch, name, content):
    monkeypatch.chdir(tmp_path)
    path = wrong_file(tmp_path, content)
    args = [word for param in needed(name) for word in _given(param, path)]
    before = path.read_bytes() if path.is_file() else b""
    ran = mapkit_cli(*name.split(), *args)
    assert ran.exit_code in (1, 2)
    assert_told(ran)
    assert (path.read_bytes() if path.is_file() else b"") == before


def assert_told(ran):
    assert ran.stderr.strip(), "it fails without a word"
    assert "Traceback" not in ran.stderr
    assert "a bug in Mapkit" not in ran.stderr


def wrong_file(folder: Path, content: str) -> Path:
    path = folder / "wrong.hexmap.json"
    if content == "folder":
        path.mkdir()
    elif content != "missing":
        data = {"empty": b"", "binary": bytes(range(256)) * 8, "json": b'{"format": 7}'}
        path.write_bytes(data[content])
    return path


def _given(param, path: Path) -> list[str]:
    return [param.opts[0], str(path)] if param.param_type_name == "option" else [str(path)]


def _calls(line: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Say whether *line* calls the command *words*, options of `mapkit` itself passed over."""
    rest = list(line)
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] == "--lang" else rest[1:]
    return tuple(rest[: len(words)]) == words


@cache
def _calls_in_tests() -> list[tuple[str, ...]]:
    found = []
    for path in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in ("mapkit_cli", "mapkit_process"):
                words = [arg.value if isinstance(arg, ast.Constant) else "" for arg in node.args]
                found.append(tuple(map(str, words)))
    return found
