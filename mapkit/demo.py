"""The demo: steps that packages register, run into one folder of results.

A package adds a step by pointing an entry point of the group `mapkit.demo` at
a `DemoStep`. Steps run in the order of their numbers; a later step may read
what an earlier one wrote. A step whose optional part is not installed is left
out and said so; any other failure ends the demo.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from mapkit import plugins
from mapkit.errors import MapkitError, StoreError
from mapkit.extras import missing_extra
from mapkit.progress import OnProgress, ignore, part_of
from mapkit.texts import say

GROUP = "mapkit.demo"
MARKER = ".mapkit-demo"
_MARKER_TEXT = "Made by `mapkit demo`, which clears this folder when it runs again.\n"


@dataclass(frozen=True, slots=True)
class DemoFile:
    """A file or folder a step made: *what* it is and *how_to_open* it, in the user's language."""

    path: Path
    what: str
    how_to_open: str


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One step: *order* places it, *title* is a text key, *run* fills the folder.

    *run* is called with the folder and a listener for its progress. *weight* is how long the step
    takes beside the others, so that the progress of the whole is true.
    """

    order: int
    title: str
    run: Callable[[Path, OnProgress], Sequence[DemoFile]]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A step that was not run, and which optional part it needs."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demo made, in order, and what it had to leave out."""

    folder: Path
    files: tuple[DemoFile, ...]
    left_out: tuple[LeftOut, ...] = ()


class DemoError(MapkitError):
    """A step of the demo failed; the message says which."""


def installed_steps() -> list[DemoStep]:
    """Return every registered step in the order in which they run.

    Raises:
        PluginError: a step does not load, or is no `DemoStep`.
    """
    steps: list[tuple[int, str, DemoStep]] = []
    for name, entry in plugins.found(GROUP).items():
        step = plugins.load(entry)
        if not isinstance(step, DemoStep):
            raise plugins.broken(entry, f"it is a {type(step).__name__}, not a DemoStep")
        steps.append((step.order, name, step))
    return [step for *_, step in sorted(steps, key=lambda entry: entry[:2])]


def run_demo(
    folder: Path, steps: Sequence[DemoStep], *, on_progress: OnProgress = ignore
) -> DemoResult:
    """Run *steps* into *folder*, which is cleared first and belongs to the demo.

    Raises:
        StoreError: the folder holds something that no demo made, or cannot be written.
        DemoError: a step failed.
    """
    _claim(folder)
    files: list[DemoFile] = []
    left_out: list[LeftOut] = []
    shares = [0.0, *accumulate(step.weight for step in steps)]
    for number, step in enumerate(steps, start=1):
        title = say(step.title)
        told = say("mapkit.demo.step", number=number, total=len(steps), title=title)
        start, end = (share / shares[-1] for share in shares[number - 1 : number + 1])
        on_progress(start, told)
        listener = part_of(on_progress, start, end)
        try:
            files += step.run(folder, listener)
        except Exception as error:  # whatever a stranger's step does, the user learns which
            if missing := missing_extra(error, "this step"):
                left_out.append(LeftOut(title, str(missing)))
                continue
            reason = _reason(error)
            message = say("mapkit.demo.failed", number=number, title=title, reason=reason)
            raise DemoError(message) from error
    on_progress(1.0, "")
    return DemoResult(folder, tuple(files), tuple(left_out))


def told(result: DemoResult) -> str:
    """Return the closing list: each file, what it is, how to open it."""
    if not result.files and not result.left_out:
        return say("mapkit.demo.empty")
    lines = [say("mapkit.demo.done", n=len(result.files), folder=result.folder)]
    for file in result.files:
        lines += [
            "",
            str(file.path),
            "  " + say("mapkit.demo.what", what=file.what),
            "  " + say("mapkit.demo.open", how=file.how_to_open),
        ]
    for step in result.left_out:
        lines += ["", say("mapkit.demo.left_out", title=step.title, reason=step.reason)]
    return "\n".join(lines)


def _reason(error: Exception) -> str:
    expected = isinstance(error, MapkitError | OSError)
    return str(error) if expected else f"{type(error).__name__}: {error}"


def _claim(folder: Path) -> None:
    marker = folder / MARKER
    try:
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is a file; name a folder for the demo with --out")
        folder.mkdir(parents=True, exist_ok=True)
        if not marker.is_file() and any(folder.iterdir()):
            raise StoreError(
                f"{folder} is not empty and no demo made it; name another folder with --out"
            )
        # The marker stays while the rest goes: an interrupted clearing is still ours.
        marker.write_text(_MARKER_TEXT, encoding="utf-8")
        for child in folder.iterdir():
            if child.name != MARKER:
                _remove(child)
    except OSError as error:
        raise StoreError(
            f"cannot clear the demo's folder {folder} ({error.strerror or error});"
            " close what is open in it, or name another with --out"
        ) from error


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
