"""The one place where exports reach the disk: whole or not at all, and never outside."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from exporters.model import ExportError, OutFile
from mapkit.store.files import refusal, require_folder, require_free, write_whole

_PORTS = (f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))

DEVICES = frozenset(("con", "prn", "aux", "nul", *_PORTS))
"""Windows keeps these names for devices, whatever follows the dot."""

_FORBIDDEN = set('<>:"|?*\\') | {chr(code) for code in range(32)}


def write_files(folder: Path, files: Iterable[OutFile], *, force: bool = False) -> list[Path]:
    """Write files below *folder*, which is made where missing, and return their paths.

    All names are looked at before the first file is written.

    Raises:
        ExportError: a path leads outside, two are one on some system, or no system takes it.
        FileChangedError: a file exists, and *force* is not given.
        StoreError: the disk refused.
    """
    listed = list(files)
    require_safe([file.path for file in listed])
    targets = [folder / Path(*PurePosixPath(file.path).parts) for file in listed]
    for target in targets:
        require_free(target, force=force)
    for file, target in zip(listed, targets, strict=True):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal("make the folder", target.parent, error) from error
        write_whole(target, file.data, what="export")
    return targets


def write_single(path: Path, file: OutFile, *, force: bool = False) -> None:
    """Write the one file of an export under the name the user chose.

    Raises:
        FileChangedError: it exists, and *force* is not given.
        StoreError: the disk refused.
    """
    require_folder(path)
    require_free(path, force=force)
    write_whole(path, file.data, what="export")


def require_safe(paths: Iterable[str]) -> None:
    """Refuse paths that lead outside or that one of the three systems cannot hold.

    Raises:
        ExportError: the message names the path.
    """
    seen: set[str] = set()
    for path in paths:
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or PureWindowsPath(path).drive or ".." in parts:
            raise ExportError(f"the export would write outside its folder: '{path}'")
        if any(_is_unfit(part) for part in parts):
            raise ExportError(f"'{path}' is no file name on every system")
        if path.casefold() in seen:
            raise ExportError(f"the export would write '{path}' twice")
        seen.add(path.casefold())


def _is_unfit(part: str) -> bool:
    stem = part.partition(".")[0].casefold()
    return stem in DEVICES or part[-1] in ". " or bool(_FORBIDDEN & set(part))
