"""The command as a whole: help, languages, exit codes, last words, strangers."""

import io
import os
import subprocess
import sys

import pytest

from mapkit.command_tree import leaves
from mapkit.main import root_command

BOOM = """
import errno, sys
import typer
from mapkit.errors import MapkitError

boom = typer.Typer(help="Go wrong in every way.")

@boom.command()
def ours(): raise MapkitError("no hex 9999 on this map; it ends at 4010")

@boom.command()
def listed(): raise MapkitError("two problems:\\n  one\\n  two")

@boom.command()
def bug(): return {}["nowhere"]

@boom.command()
def interrupt(): raise KeyboardInterrupt

@boom.command()
def disk(): open("/no/such/folder/file")

@boom.command()
def full(): raise OSError(errno.ENOSPC, "No space left on device")

@boom.command()
def memory(): raise MemoryError

@boom.command()
def pipe(): raise BrokenPipeError(errno.EPIPE, "Broken pipe")

@boom.command()
def three(): raise typer.Exit(3)

@boom.command()
def flood():
    for number in range(100_000): typer.echo(f"line {number}")

@boom.command()
def unflushed(): sys.stdout.write("word")

@boom.command()
def letters(): typer.echo("Höhe → 1534")
"""


@pytest.fixture
def boom(install_plugin):
    return install_plugin("mapkit.commands", "boom = stranger_code:boom", BOOM)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_nouns_with_a_line_each(mapkit_cli, flag):
    ran = mapkit_cli(flag)
    assert ran.exit_code == 0
    assert "  map       Make, check, join and change map documents.\n" in ran.stdout
    assert "Examples:\n    mapkit demo\n" in ran.stdout
    assert ran.stderr == ""


def test_version(mapkit_cli):
    assert mapkit_cli("--version").stdout == "mapkit 0.1.0\n"


def test_a_noun_alone_shows_its_verbs_as_a_usage_error(mapkit_cli, boom):
    ran = mapkit_cli("boom")
    assert (ran.exit_code, ran.stdout) == (2, "")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        pytest.param(["mop"], "Did you mean 'map'?", id="unknown noun"),
        pytest.param(["map", "no-such-verb"], "No such command 'no-such-verb'", id="unknown verb"),
        pytest.param(["--lang", "fr", "demo"], "'en', 'de', 'it'", id="unknown language"),
        pytest.param(["--frobnicate"], "No such option", id="unknown option"),
    ],
)
def test_a_command_line_that_does_not_read_exits_2(mapkit_cli, args, said):
    ran = mapkit_cli(*args)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("verb", "code", "stderr"),
    [
        ("ours", 1, "mapkit: no hex 9999 on this map; it ends at 4010\n"),
        ("listed", 1, "mapkit: two problems:\n  one\n  two\n"),
        ("interrupt", 130, "mapkit: interrupted\n"),
        ("disk", 1, "mapkit: /no/such/folder/file: No such file or directory\n"),
        ("full", 1, "mapkit: No space left on device\n"),
        ("memory", 1, "mapkit: out of memory; close other programs, or work on a smaller file\n"),
        ("pipe", 1, ""),
        ("three", 3, ""),
    ],
)
def test_an_error_is_told_without_a_traceback(mapkit_cli, boom, verb, code, stderr):
    ran = mapkit_cli("boom", verb)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (code, "", stderr)


def test_our_own_fault_names_the_place(mapkit_cli, boom):
    ran = mapkit_cli("boom", "bug")
    assert ran.exit_code == 1
    line = BOOM[: BOOM.index("def bug")].count("\n") + 1
    assert f"a bug in Mapkit, not your doing: KeyError at {boom.name}/stranger_code.py:{line}" in (
        ran.stderr
    )
    assert len(ran.stderr.splitlines()) == 1


def test_verbose_shows_the_traceback_of_our_fault(mapkit_cli, boom):
    assert "Traceback (most recent call last)" in mapkit_cli("-v", "boom", "bug").stderr


def test_a_closed_pipe_is_quiet(boom):
    command = [sys.executable, "-m", "mapkit.main", "boom", "flood"]
    env = os.environ | {"PYTHONPATH": str(boom)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().strip() == b"line 0"
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_pipe_closed_before_the_last_flush_is_quiet(boom):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "mapkit.main", "boom", "unflushed"]
    env = os.environ | {"PYTHONPATH": str(boom), "PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=env, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_interrupt_while_it_still_loads(mapkit_cli, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("mapkit.main.root_command", interrupted)
    ran = mapkit_cli("demo")
    assert (ran.exit_code, ran.stderr) == (130, "mapkit: interrupted\n")


def test_a_console_that_lacks_a_letter_shows_its_code(mapkit_cli, boom, monkeypatch):
    seen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(seen, encoding="cp1252"))
    assert mapkit_cli("boom", "letters").exit_code == 0
    assert seen.getvalue().rstrip() == rb"H\xf6he \u2192 1534".replace(rb"\xf6", b"\xf6")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        pytest.param("import no_such_module", "ModuleNotFoundError", id="missing module"),
        pytest.param("raise SystemExit(3)", "SystemExit", id="leaves Python"),
        pytest.param("x = (", "SyntaxError", id="does not parse"),
        pytest.param("", "AttributeError", id="object missing"),
        pytest.param("bad = 42", "it is a int, not a command", id="no command"),
    ],
)
def test_a_broken_stranger_breaks_only_itself(mapkit_cli, install_plugin, code, why):
    install_plugin("mapkit.commands", "bad = stranger_code:bad", code)
    listing = mapkit_cli("--help")
    assert listing.exit_code == 0
    assert "bad       (broken: package stranger does not load)" in listing.stdout
    assert mapkit_cli("demo", "--help").exit_code == 0
    for args in (["bad"], ["bad", "--help"], ["bad", "verb", "--option", "1"]):
        ran = mapkit_cli(*args)
        assert ran.exit_code == 1
        assert ran.stderr.startswith("mapkit: 'bad' of package stranger does not load (")
        assert why in ran.stderr
        assert len(ran.stderr.splitlines()) == 1


def test_a_broken_stranger_does_not_stop_a_walk_of_the_tree(install_plugin):
    install_plugin("mapkit.commands", "bad = stranger_code:bad", "import no_such_module")
    assert {("bad",), ("demo",)} <= {words for words, _ in leaves(root_command())}


def test_a_stranger_never_replaces_a_name_of_ours(mapkit_cli, install_plugin):
    code = "def usurper(): raise SystemExit(66)"
    install_plugin("mapkit.commands", "demo = aaa_code:usurper", code, package="aaa")
    ran = mapkit_cli("-v", "demo", "--help")
    assert "Make the tour" in ran.stdout


def test_a_plain_function_is_a_command(mapkit_cli, install_plugin):
    code = 'import typer\ndef hello(name: str):\n    """Greet."""\n    typer.echo(f"hi {name}")'
    install_plugin("mapkit.commands", "hello = stranger_code:hello", code)
    assert mapkit_cli("hello", "Cadorna").stdout == "hi Cadorna\n"
    assert "hello     Greet." in mapkit_cli("--help").stdout


def test_only_the_noun_asked_for_is_loaded(mapkit_cli, boom):
    assert mapkit_cli("demo", "--help").exit_code == 0
    assert "stranger_code" not in sys.modules


@pytest.mark.parametrize(("flag", "heard"), [("-q", ""), ("-v", "mapkit: soft\nmapkit: loud\n")])
def test_how_loud_the_log_is(mapkit_cli, install_plugin, flag, heard):
    code = "import logging\ndef talk():\n  logging.info('soft')\n  logging.warning('loud')"
    install_plugin("mapkit.commands", "talk = stranger_code:talk", code)
    assert mapkit_cli(flag, "talk").stderr == heard
    assert mapkit_cli("talk").stderr == "mapkit: loud\n"
