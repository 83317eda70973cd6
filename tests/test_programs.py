"""The `program` marker: a missing program skips a test, and fails it in CI."""

from types import SimpleNamespace

import pytest

from tests.conftest import find_program, pytest_runtest_setup


def item(name):
    marker = SimpleNamespace(args=(name,))
    return SimpleNamespace(iter_markers=lambda wanted: [marker] if wanted == "program" else [])


def test_a_program_that_is_there_lets_the_test_run():
    pytest_runtest_setup(item("python3"))


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_missing_program(monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no-such-program is not installed"):
        pytest_runtest_setup(item("no-such-program"))


def test_a_program_is_found_under_its_other_names(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/x/{name}" if "google" in name else None)
    assert find_program("chromium") == "/x/google-chrome"
