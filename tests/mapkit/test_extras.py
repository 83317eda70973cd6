"""Every module of an optional part is known, and its absence is told by name."""

import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from mapkit.extras import EXTRA_OF, missing_extra

PYPROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
EXTRAS = PYPROJECT["project"]["optional-dependencies"]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("extra", "distribution"),
    [
        (extra, re.split(r"[<>=\[; ]", need)[0])
        for extra in ("scan", "ocr", "web", "print")
        for need in EXTRAS[extra]
    ],
)
def test_every_optional_dependency_leads_to_its_extra(extra, distribution):
    modules = [
        module
        for module, found in packages_distributions().items()
        if plain(distribution) in map(plain, found)
    ]
    assert extra in {EXTRA_OF.get(module) for module in modules}


@pytest.mark.parametrize("error", [ModuleNotFoundError(name="numpy"), ValueError("cv2"), OSError()])
def test_other_errors_are_not_ours_to_explain(error):
    assert missing_extra(error, "this") is None


def test_the_command_line_names_the_extra(mapkit_cli, install_plugin):
    code = "def look():\n    raise ModuleNotFoundError('No module', name='sklearn.svm')"
    install_plugin("mapkit.commands", "look = stranger_code:look", code)
    ran = mapkit_cli("look")
    assert ran.exit_code == 1
    assert ran.stderr == (
        "mapkit: this command needs the optional part 'scan': pip install \"mapkit[scan]\"\n"
    )
