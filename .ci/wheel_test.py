"""Builds the wheel, installs it alone into a clean environment, and uses it from there.

Only the core dependencies are installed: a module of ours either imports
without the optional parts, or names the one it misses.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE_ONLY = """
import importlib, pkgutil, sys
from importlib.metadata import entry_points
from importlib.resources import files
from mapkit.extras import EXTRA_OF, missing_extra
from mapkit.texts import LANGUAGES, catalogue

outside = sys.argv[1]
packages = sys.argv[2:]
for name in packages:
    found = importlib.import_module(name).__file__
    assert not found.startswith(outside), f"{name} comes from the clone: {found}"
    assert (files(name) / "py.typed").is_file(), f"{name} lost its py.typed"
assert files("sample_maps").is_dir()
assert all(catalogue("mapkit", language) for language in LANGUAGES), "texts are missing"
here = [name for name in EXTRA_OF if importlib.util.find_spec(name)]
assert not here, f"the clean environment is not clean: {here}"

names = [
    found.name
    for package in packages
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, package + ".",
                                       onerror=lambda name: None)
    if not found.name.endswith(".__main__")
]
told = 0
for name in names:
    try:
        importlib.import_module(name)
    except Exception as error:
        assert missing_extra(error, name), f"{name}: {error!r} names no optional part"
        told += 1
print(f"{len(names)} modules: {len(names) - told} import, {told} name the part they miss")
print(f"{len(entry_points(group='mapkit.demo'))} demo steps")
"""


def main() -> None:
    """Build, install, use; the first thing that fails ends it with what was said."""
    with tempfile.TemporaryDirectory(prefix="mapkit-wheel-") as made:
        folder = Path(made)
        say(f"building in {folder}")
        build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
        run(sys.executable, *build)
        (wheel,) = folder.glob("mapkit-*.whl")
        say(f"installing {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)")
        scripts = clean_environment(folder / "venv")
        constraints = str(ROOT / "constraints.txt")
        python = str(scripts / "python")
        run(python, "-m", "pip", "install", "--quiet", "-c", constraints, str(wheel))
        (empty := folder / "empty").mkdir()
        use(scripts, empty)


def use(scripts: Path, empty: Path) -> None:
    """Do what a new user does, from a folder that holds nothing."""
    mapkit = str(scripts / "mapkit")
    packages = ["mapkit", "counters", "exporters", "rules", "sample_maps"]
    assert "Examples:" in run(mapkit, "--help", cwd=empty)
    say(run(mapkit, "--version", cwd=empty))
    say(run(str(scripts / "python"), "-c", CORE_ONLY, str(ROOT), *packages, cwd=empty))
    say(run(mapkit, "demo", "--out", "tour", cwd=empty))
    assert (empty / "tour" / ".mapkit-demo").is_file()
    run(mapkit, "--lang", "it", "demo", "--out", "tour", cwd=empty)


def clean_environment(folder: Path) -> Path:
    """Make a virtual environment and return the folder of its programs."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def run(*command: str, cwd: Path = ROOT) -> str:
    """Run *command* without any Python setting of ours and return its output."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … exits {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def say(line: str) -> None:
    """Print *line* at once, between the output of what we run."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
