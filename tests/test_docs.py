"""The documentation is true: the reference fresh, links whole, command lines real."""

import doctest
import re
import subprocess
import sys
from urllib.parse import unquote

import pytest

from mapkit import plugins
from mapkit.command_tree import GROUP, leaves
from mapkit.main import root_command
from tests.documented import DOCS, ROOT, documented_commands, shown_commands, written_pages

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
ROOT_OPTIONS = {option for param in root_command().params for option in param.opts}
EVERYWHERE = {"--help", "-h"}


def test_the_reference_is_fresh():
    """It fails when a command changed: run `make docs`."""
    command = [sys.executable, str(DOCS / "make_reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_disputes_are_answered_as_today():
    """It fails when an answer changed: read it, then run `python docs/make_disputes.py`."""
    command = [sys.executable, str(DOCS / "make_disputes.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", written_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [unquote(target).partition("#")[0] for target in LINK.findall(text)]
    local = [target for target in targets if target and not re.match(r"\w+:", target)]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_every_command_line_shown_exists():
    commands = dict(leaves(root_command()))
    nouns = {(name,) for name in plugins.found(GROUP)} | {()}
    wrong = [
        f"{shown.place}: mapkit {' '.join(shown.words)}"
        for shown in [*documented_commands(), *examples_in_help()]
        if not is_real(shown.words, commands, nouns)
    ]
    assert wrong == []


def test_no_listing_of_commands_is_cut_off(mapkit_cli):
    """It fails when the first sentence of a command's help is too long for a line."""
    groups = {words[:-1] for words, _ in leaves(root_command())}
    cut = [
        f"{' '.join(words)}: {line.strip()}"
        for words in sorted(groups)
        for line in mapkit_cli(*words, "--help").stdout.splitlines()
        if line.startswith("  ") and line.endswith("...")
    ]
    assert cut == []


def test_the_index_leads_to_every_guide():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    guides = [path.name for path in (DOCS / "how-to").glob("*.md")]
    assert [name for name in guides if f"(how-to/{name})" not in index] == []


def examples_in_help():
    for words, command in [((), root_command()), *leaves(root_command())]:
        block = f"```\n{command.epilog or ''}\n```"
        yield from shown_commands(block, f"--help of mapkit {' '.join(words)}")


def is_real(line, commands, nouns):
    rest = list(line)
    while rest and rest[0] in ROOT_OPTIONS | EVERYWHERE:
        rest = rest[2:] if rest[0] == "--lang" else rest[1:]
    words = next((w for w in commands if w == tuple(rest[: len(w)])), None)
    if words is None:
        return tuple(word for word in rest if word not in EVERYWHERE) in nouns
    known = {o for p in commands[words].params for o in (*p.opts, *p.secondary_opts)} | EVERYWHERE
    options = [word.partition("=")[0] for word in rest if re.match(r"--?[a-zA-Z]", word)]
    return set(options) <= known


@pytest.mark.parametrize(
    "page",
    [page for page in written_pages() if ">>>" in page.read_text(encoding="utf-8")],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_python_shown_is_python_run(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, verbose=False)
    assert tried > 0
    assert failed == 0
