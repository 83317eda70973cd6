"""What commands share: JSON that survives a narrow console, progress that stays on stderr."""

import io
import json
import logging
import sys

import pytest

from mapkit.command_line import print_json, progress_shown, talk


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def quiet():
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)
    yield
    root.setLevel(level)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_json_stays_json_in_every_encoding(monkeypatch, encoding):
    seen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(seen, encoding=encoding))
    print_json({"name": "Höhe → 1534"})
    assert json.loads(seen.getvalue().decode(encoding)) == {"name": "Höhe → 1534"}
    assert ("→".encode() in seen.getvalue()) == (encoding == "utf-8")


def test_progress_off_a_terminal_is_a_line_for_each_new_message(capsys):
    with progress_shown() as tell:
        for share, message in [(0.0, "reading"), (0.2, "reading"), (0.5, "joining"), (1.0, "")]:
            tell(share, message)
    assert capsys.readouterr() == ("", "  0% reading\n 50% joining\n")


def test_progress_on_a_terminal_is_a_bar_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with progress_shown() as tell:
        tell(0.5, "joining [sheet] 2")
    assert "joining [sheet] 2" in screen.getvalue()
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("quiet")
def test_quiet_silences_talk_and_progress(capsys):
    with progress_shown() as tell:
        tell(0.5, "joining")
    talk("hello")
    assert capsys.readouterr() == ("", "")
