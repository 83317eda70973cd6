"""Light at the door: help and `import mapkit` load nothing heavy; `__all__` is true."""

import importlib
import json
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
HEAVY = {
    *("cv2", "lxml", "numpy", "onnxruntime", "openpyxl", "PIL", "pypdfium2", "rapidocr"),
    *("reportlab", "resvg_py", "scipy", "shapely", "sklearn", "starlette", "tomlkit", "uvicorn"),
    # Neither is ours to avoid once a command parses its options: typer needs pydantic then.
    *("pydantic", "rich"),
}
SHOW_HELP = "from mapkit.main import run; run(['--help'])"


def loaded_by(code: str) -> set[str]:
    """Return the top-level modules that a fresh Python holds after *code*."""
    tail = "; import sys, json; print(); print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def test_help_loads_nothing_heavy():
    assert loaded_by(SHOW_HELP) & HEAVY == set()


def test_import_mapkit_loads_nothing_heavy_and_no_command_line():
    assert loaded_by("import mapkit") & (HEAVY | {"typer"}) == set()


def packages_with_all() -> list[str]:
    below = [
        found.name
        for package in PACKAGES
        for found in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if found.ispkg
    ]
    return [
        name for name in [*PACKAGES, *below] if hasattr(importlib.import_module(name), "__all__")
    ]


@pytest.mark.parametrize("package", packages_with_all())
def test_all_is_what_the_package_offers(package):
    """Its order is ruff's to check (RUF022)."""
    module = importlib.import_module(package)
    offered = module.__all__
    assert [name for name in offered if not hasattr(module, name)] == []
    assert len(set(offered)) == len(offered)
    imported = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert imported <= set(offered)
