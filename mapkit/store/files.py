"""The disk: files read whole, written whole or not at all, and every refusal one clear line."""

import errno
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final, Protocol

from mapkit.errors import FileChangedError, LockedError, StoreError

LIMIT_BYTES: Final = 512 * 1024 * 1024
"""Nothing bigger is read unless the caller says so: a map of 10,000 hexes has a few megabytes."""


class Files(Protocol):
    """Every way in which Mapkit's documents change the disk; tests record it, or make it fail."""

    def create(self, path: Path, mode: int | None) -> FileIO:
        """Make a new file, refusing an existing one, with the permissions *mode* if given."""
        ...

    def open(self, path: Path) -> FileIO:
        """Open an existing file to be changed."""
        ...

    def write(self, file: FileIO, data: bytes) -> None:
        """Write all of *data* where the file stands."""
        ...

    def truncate(self, file: FileIO, size: int) -> None:
        """Cut the file to *size* bytes."""
        ...

    def sync(self, file: FileIO) -> None:
        """Return only when the file's content is on the disk."""
        ...

    def replace(self, source: Path, target: Path) -> None:
        """Rename *source* to *target* in one step, whatever was there."""
        ...

    def remove(self, path: Path) -> None:
        """Delete a file."""
        ...

    def sync_folder(self, folder: Path) -> None:
        """Return only when the folder's names are on the disk, where the platform can tell."""
        ...


class Disk:
    """The real `Files`."""

    def create(self, path: Path, mode: int | None) -> FileIO:
        """Make a new file; the permissions are set before anything is in it."""
        file = path.open("xb", buffering=0)
        if mode is not None:
            # A disk without permissions (FAT, some network shares) keeps its own.
            with suppress(OSError):
                path.chmod(mode)
        return file

    def open(self, path: Path) -> FileIO:
        """Open an existing file to be changed."""
        return path.open("r+b", buffering=0)

    def write(self, file: FileIO, data: bytes) -> None:
        """Write all of *data*: one call of the system may take only a part."""
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]

    def truncate(self, file: FileIO, size: int) -> None:
        """Cut the file to *size* bytes and stand at its end."""
        file.truncate(size)
        file.seek(size)

    def sync(self, file: FileIO) -> None:
        """Push the file's content to the disk itself."""
        _sync(file.fileno())

    def replace(self, source: Path, target: Path) -> None:
        """Rename in one step. Windows refuses while a reader has the target open: try a while."""
        if sys.platform == "win32":
            for pause_s in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
                try:
                    source.replace(target)
                except PermissionError:
                    time.sleep(pause_s)
                else:
                    return
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Delete a file."""
        path.unlink()

    def sync_folder(self, folder: Path) -> None:
        """Push the folder's names to the disk; Windows has no such call, and keeps its own log."""
        if sys.platform != "win32":
            try:
                handle = os.open(folder, os.O_RDONLY)
            except PermissionError:
                return  # a folder one may write to but not list: nothing to sync through
            try:
                _sync(handle)
            except OSError as error:
                if error.errno not in _NO_FOLDER_SYNC:
                    raise
            finally:
                os.close(handle)


DISK: Final[Files] = Disk()

_NO_FOLDER_SYNC: Final = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}


def _sync(handle: int) -> None:
    if sys.platform == "darwin":
        import fcntl

        # On macOS fsync stops at the drive's own cache; not every disk knows the stronger call.
        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of *data* in hex: what a version of a file is called."""
    return hashlib.sha256(data).hexdigest()


def real_path(path: Path, *, what: str) -> Path:
    """Follow symbolic links, so that a save replaces the file and not the link to it."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: a loop, before 3.13
        raise refusal(f"find the {what}", path, error) from error


def read_file(path: Path, *, what: str, limit_bytes: int = LIMIT_BYTES) -> bytes:
    """Read a file whole.

    Raises:
        StoreError: missing, unreadable, a folder, a device, or bigger than *limit_bytes*.
    """
    require_file(path, what=what, limit_bytes=limit_bytes)
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)
    except (OSError, ValueError) as error:
        raise refusal(f"read the {what}", path, error) from error
    if len(data) > limit_bytes:
        raise _too_big(path, what, len(data), limit_bytes)
    return data


def require_file(path: Path, *, what: str, limit_bytes: int = LIMIT_BYTES) -> None:
    """Refuse what `read_file` would refuse, without reading it."""
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise refusal(f"read the {what}", path, error) from error
    _require_plain(path, what, found, limit_bytes)


def read_if_there(path: Path, *, what: str, limit_bytes: int = LIMIT_BYTES) -> bytes | None:
    """Read a file whole, or return None when there is no file of that name."""
    try:
        return read_file(path, what=what, limit_bytes=limit_bytes)
    except StoreError as error:  # asked afterwards: a file may go between a look and a read
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise


def _require_plain(path: Path, what: str, found: os.stat_result, limit_bytes: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{path} is a folder, not a {what}: name the file in it")
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is a device or pipe, not a {what}: name a plain file")
    if found.st_size > limit_bytes:
        raise _too_big(path, what, found.st_size, limit_bytes)


def _too_big(path: Path, what: str, size: int, limit_bytes: int) -> StoreError:
    return StoreError(
        f"{path} is too big for a {what}: {size / 1e6:.0f} MB, the limit is "
        f"{limit_bytes / 1e6:.0f} MB; check that it is the right file"
    )


def require_free(path: Path, *, force: bool = False, told: Path | None = None) -> None:
    """Refuse to write over what exists, a broken link included; *told* is the name to tell.

    Raises:
        FileChangedError: it exists, and *force* is not given.
    """
    if not force and os.path.lexists(path):
        raise FileChangedError(f"{told or path} exists; give --force to overwrite it")


def require_folder(path: Path) -> None:
    """Refuse at once what could not be written at the end: a file in a folder that is not there.

    Raises:
        StoreError: the folder does not exist.
    """
    if not path.parent.is_dir():
        raise StoreError(f"cannot write {path}: there is no folder {path.parent}; make it first")


def write_whole(path: Path, data: bytes, *, what: str, files: Files = DISK) -> None:
    """Write a file so that, whatever happens, there is the old one or the new one, whole.

    The bytes go to a temporary file beside it, are synced, and take the name in one step. A
    kill may leave the temporary file, which `remove_stale` knows by its name.

    Raises:
        StoreError: the disk refused. The old file is as it was; only when the folder could not
            be synced is the new one already in its place.
    """
    temporary = path.with_name(f".{path.name}.part-{os.urandom(4).hex()}")
    try:
        mode = _mode_to_keep(path, what)
        try:
            with files.create(temporary, mode) as file:
                files.write(file, data)
                files.sync(file)
            files.replace(temporary, path)
        except BaseException:
            with suppress(OSError):  # the first error is the one to tell
                files.remove(temporary)
            raise
        files.sync_folder(path.parent)
    except (OSError, ValueError) as error:
        raise refusal(f"write the {what}", path, error) from error


def _mode_to_keep(path: Path, what: str) -> int | None:
    """Return the permissions of the file to be replaced; refuse one that is not ours to replace."""
    if not os.path.lexists(path):
        return None
    found = path.stat()
    _require_plain(path, what, found, sys.maxsize)
    if not found.st_mode & stat.S_IWUSR:
        # A rename would not mind, but who made the file read-only would.
        raise PermissionError(errno.EACCES, "the file is read-only")
    return stat.S_IMODE(found.st_mode)


def set_aside(path: Path, *, what: str, files: Files = DISK) -> Path:
    """Rename a file to the first free `NAME.kept-1`, `NAME.kept-2`, … and return that."""
    kept = name_for_kept(path)
    try:
        files.replace(path, kept)
        files.sync_folder(path.parent)
    except OSError as error:
        raise refusal(f"set aside the {what}", path, error) from error
    return kept


def name_for_kept(path: Path) -> Path:
    """Return the first free `NAME.kept-1`, `NAME.kept-2`, …"""
    number = 1
    while os.path.lexists(kept := path.with_name(f"{path.name}.kept-{number}")):
        number += 1
    return kept


def remove_stale(path: Path, *, files: Files = DISK) -> None:
    """Delete the temporary files that a kill left of *path* and of what stands beside it.

    Only under the lock of *path*: a file being written looks the same. What cannot be deleted
    does no harm and is left.
    """
    ours = re.compile(rf"\.{re.escape(path.name)}(\.journal(\.kept-\d+)?)?\.part-[0-9a-f]{{8}}")
    with suppress(OSError):
        for entry in [found for found in path.parent.iterdir() if ours.fullmatch(found.name)]:
            files.remove(entry)


@contextmanager
def locked(path: Path, *, what: str, wait_s: float) -> Iterator[None]:
    """Hold the lock of *path*, the file `NAME.lock` beside it; a kill lets it go.

    The file itself stays: deleting a lock file would let two processes hold "the" lock.

    Raises:
        LockedError: another process still held it after *wait_s* seconds.
    """
    from filelock import FileLock, Timeout

    if not path.parent.is_dir():  # else filelock would make it
        raise refusal(f"lock the {what}", path, FileNotFoundError(errno.ENOENT, "no folder"))
    # Not thread-local: a web server may open in one thread and close in another.
    lock = FileLock(path.with_name(f"{path.name}.lock"), thread_local=False)
    try:
        lock.acquire(timeout=max(wait_s, 0.0), poll_interval=0.01)
    except Timeout:
        raise LockedError(
            f"the {what} {path} is being edited elsewhere; close it there, then try again"
        ) from None
    except (OSError, ValueError) as error:
        raise refusal(f"lock the {what}", path, error) from error
    try:
        yield
    finally:
        lock.release()


def refusal(action: str, path: Path, error: Exception) -> StoreError:
    """Say in one line what the disk refused, where, and what to do."""
    if isinstance(error, OSError):
        plain = error.strerror or str(error) or type(error).__name__
        why = _REASONS.get(error.errno or 0, f"{plain}; check the disk and try again")
    elif isinstance(error, RuntimeError):
        why = _REASONS[errno.ELOOP]
    else:
        why = "that is no file name; check it"
    return StoreError(f"cannot {action} {path}: {why}")


_REASONS: Final = {
    errno.ENOENT: "no such file or folder; check the name",
    errno.ENOTDIR: "a part of the path is a file, not a folder; check the name",
    errno.EISDIR: "it is a folder; name a file",
    errno.ELOOP: "its symbolic links run in a circle; mend them or name the file itself",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
    errno.EACCES: "permission denied; check the rights of the file and its folder",
    errno.EPERM: "permission denied; check the rights of the file and its folder",
    errno.EROFS: "the disk is read-only; copy the file to another place",
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "your share of the disk is used up; free some space and try again",
    errno.EFBIG: "the file would be too big for this disk; choose another place",
    errno.EIO: "the disk reports a fault; copy your files to another one",
}
