"""From a project on the disk to an export on the disk: read, render, write."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exporters.keeping import KeptFiles, cache_folder
from exporters.material import load_material
from exporters.model import Exporter, ExportError, GivenFile
from exporters.writing import write_files, write_single
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import read_file, require_folder, require_free

GIVEN_BYTES = 1_000_000_000
"""How big a file that the user names may be: modules with many boards are."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, what the target could not hold, and what to know about it, in words."""

    written: tuple[Path, ...]
    lost: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    def as_data(self) -> dict[str, list[str]]:
        """Return it as JSON-able data."""
        return {
            "written": [str(path) for path in self.written],
            "lost": list(self.lost),
            "hints": list(self.hints),
        }


def export_to(
    exporter: Exporter,
    project: Path,
    out: Path,
    options: Any,
    *,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> Exported:
    """Export a project, in the folder or under the name *out*.

    Raises:
        ExportError: it cannot be exported so, or *out* has another ending.
        FileChangedError: something would be overwritten, and *force* is not given.
        MapkitError: the project does not read, or the disk refused.
    """
    if exporter.suffix:
        if out.suffix.casefold() != exporter.suffix:
            raise ExportError(f"{out}: name a file that ends in {exporter.suffix}")
        require_folder(out)  # before the long work
        require_free(out, force=force)
    result = exporter.render(
        load_material(project, KeptFiles(cache_folder())), options, on_progress
    )
    if exporter.suffix:
        (file,) = result.files
        write_single(out, file, force=force)
        written = [out]
    else:
        written = write_files(out, result.files, force=force)
    lost = tuple(one.told for one in result.dropped)
    return Exported(tuple(written), lost, tuple(one.told for one in result.hints))


def read_given(path: Path, *, what: str) -> GivenFile:
    """Return a file that an option names, for an exporter that opens none itself.

    Raises:
        StoreError: it is not there, too big, or does not read.
    """
    return GivenFile(path.name, read_file(path, what=what, limit_bytes=GIVEN_BYTES))
