"""What every test may use: the command line, real programs, a stranger's plugin."""

import io
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import settings

from mapkit import main, plugins, texts

# Examples are drawn the same way every time in CI, so that a red run stays red.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")

# Inherited by every process a test starts.
os.environ |= {"MAPKIT_LANG": "en", "MAPKIT_STRICT_TEXTS": "1", "COLUMNS": "80"}

ALSO_CALLED = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "chrome"),
    "soffice": ("soffice", "libreoffice"),
}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    exit_code: int
    stdout: str
    stderr: str


class Cli(Protocol):
    def __call__(self, *args: str | Path, stdin: str | bytes = "") -> Ran: ...


class InstallPlugin(Protocol):
    def __call__(self, group: str, entries: str, code: str, *, package: str = ...) -> Path: ...


def find_program(name: str) -> str | None:
    """Return the path of a real program under any name it goes by."""
    return next(filter(None, map(shutil.which, ALSO_CALLED.get(name, (name,)))), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing; in CI, where it must be there, fail."""
    for marker in item.iter_markers("program"):
        (name,) = marker.args
        if find_program(name):
            continue
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is not installed; .ci/debian-packages should name it")
        pytest.skip(f"{name} is not installed")


@pytest.fixture
def program() -> Callable[[str], str]:
    """Find the path of a program that the test's `program` marker asked for."""

    def path_of(name: str) -> str:
        path = find_program(name)
        assert path, f"mark the test with @pytest.mark.program({name!r})"
        return path

    return path_of


@pytest.fixture
def mapkit_cli(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cli]:
    """Run `mapkit` in this process: `mapkit_cli("map", "check", path)`."""

    def run(*args: str | Path, stdin: str | bytes = "") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        code = main.run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield run
    root.setLevel(level)
    root.handlers[:] = handlers
    texts.use(None)


@pytest.fixture
def mapkit_process(tmp_path: Path) -> Cli:
    """Run `mapkit` as its users do, in a process of its own and an empty folder."""

    def run(*args: str | Path, stdin: str | bytes = "") -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "mapkit.main", *map(str, args)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            check=False,
        )
        out, err = (raw.decode().replace("\r\n", "\n") for raw in (done.stdout, done.stderr))
        return Ran(done.returncode, out, err)

    return run


@pytest.fixture
def install_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InstallPlugin]:
    """Install a stranger's package: `install_plugin("mapkit.demo", "x = mod:x", code)`.

    *code* becomes the module `<package>_code`, importable as the entries say.
    """
    installed: list[str] = []

    def install(group: str, entries: str, code: str, *, package: str = "stranger") -> Path:
        site = tmp_path / f"site-{package}"
        info = site / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{entries}\n")
        (site / f"{package}_code.py").write_text(code, encoding="utf-8")
        monkeypatch.syspath_prepend(site)
        plugins.found.cache_clear()
        installed.append(f"{package}_code")
        return site

    yield install
    for module in installed:
        sys.modules.pop(module, None)
    plugins.found.cache_clear()
