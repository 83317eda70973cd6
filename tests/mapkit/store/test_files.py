"""The disk: reading, whole writes, locks, and what is said when the disk refuses."""

import errno
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from mapkit.errors import LockedError, StoreError
from mapkit.store.files import (
    DISK,
    Disk,
    locked,
    read_file,
    read_if_there,
    real_path,
    refusal,
    remove_stale,
    set_aside,
    sha256,
    write_whole,
)
from tests.mapkit.store.disks import FullDisk, RecordingDisk, faults_of_order

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a map with spaces è.hexmap.json"
    write_whole(path, b"one", what="map")
    write_whole(path, b"two", what="map")
    assert read_file(path, what="map") == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_sha256_is_the_published_one() -> None:
    assert sha256(b"abc").startswith("ba7816bf8f01cfea414140de5dae2223")


@posix_only
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"one")
    path.chmod(0o640)
    write_whole(path, b"two", what="map")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"one")
    path.chmod(0o444)
    with pytest.raises(StoreError, match=r"cannot write the map .*map: permission denied; check"):
        write_whole(path, b"two", what="map")
    assert path.read_bytes() == b"one"
    path.chmod(0o644)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot read the map .*nowhere: no such file"):
        read_file(tmp_path / "nowhere", what="map")
    assert read_if_there(tmp_path / "nowhere", what="map") is None


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder, not a map: name the file in it"):
        read_file(tmp_path, what="map")
    with pytest.raises(StoreError, match="is a folder, not a map"):
        write_whole(tmp_path, b"", what="map")


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="check the name"):
        read_file(tmp_path / "file" / "map", what="map")


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot write the map .*: no such file or folder"):
        write_whole(tmp_path / "nowhere" / "map", b"", what="map")


@posix_only
@pytest.mark.parametrize("device", ["null", "pipe"])
def test_a_device_is_no_file(tmp_path: Path, device: str) -> None:
    path = Path("/dev/null")
    if sys.platform != "win32" and device == "pipe":
        os.mkfifo(path := tmp_path / "pipe")
    with pytest.raises(StoreError, match="is a device or pipe, not a map: name a plain file"):
        read_file(path, what="map")
    with pytest.raises(StoreError, match="is a device or pipe"):
        write_whole(path, b"", what="map")


@posix_only
def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreError, match="its symbolic links run in a circle"):
        read_file(real_path(tmp_path / "a", what="map"), what="map")
    with pytest.raises(StoreError, match="its symbolic links run in a circle"):
        read_file(tmp_path / "a", what="map")


@posix_only
def test_a_link_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "map").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "map")
    assert real_path(tmp_path / "link", what="map") == (tmp_path / "map").resolve()


def test_a_name_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no file name"):
        read_file(tmp_path / "a\0b", what="map")


def test_the_limit_is_exact_and_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"12345678")
    assert read_file(path, what="map", limit_bytes=8) == b"12345678"
    with pytest.raises(StoreError, match="too big for a map"):
        read_file(path, what="map", limit_bytes=7)
    with path.open("r+b") as file:
        file.truncate(600 * 1024 * 1024)  # a hole: nothing is really written
    with pytest.raises(StoreError, match=r"too big for a map: 629 MB, the limit is 537 MB; check"):
        read_file(path, what="map")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EACCES, "permission denied; check the rights"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EIO, "the disk reports a fault"),
        (errno.EMFILE, "Too many open files; check the disk"),
    ],
)
def test_a_refusal_says_what_where_and_what_to_do(number: int, words: str) -> None:
    error = refusal("write the map", Path("m"), OSError(number, os.strerror(number)))
    assert str(error).startswith("cannot write the map m: ")
    assert words in str(error)


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("fails_at", [1, 2, 3, 4])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, fails_at: int, for_good: bool) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"old")
    disk = FullDisk(fails_at, for_good=for_good)
    with pytest.raises(StoreError, match=r"cannot write the map .*: the disk is full"):
        write_whole(path, b"the new one", what="map", files=disk)
    assert path.read_bytes() == b"old"
    remove_stale(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["map"]


def test_a_folder_that_takes_no_new_file(tmp_path: Path) -> None:
    disk = FullDisk(1, for_good=True, number=errno.EACCES)
    with pytest.raises(StoreError, match=r"cannot write the map .*: permission denied; check"):
        write_whole(tmp_path / "map", b"new", what="map", files=disk)
    assert not list(tmp_path.iterdir())


def test_an_interruption_leaves_no_temporary_file(tmp_path: Path) -> None:
    class Interrupted(Disk):
        def replace(self, source: Path, target: Path) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "map", b"new", what="map", files=Interrupted())
    assert not list(tmp_path.iterdir())


def test_a_file_is_synced_before_it_takes_its_name_and_the_folder_after(tmp_path: Path) -> None:
    disk = RecordingDisk()
    write_whole(tmp_path / "map", b"new", what="map", files=disk)
    acts = [act for act, _ in disk.events]
    assert acts == ["create", "write", "sync", "replace", "sync_folder"]
    assert faults_of_order(disk.events) == []


def test_only_our_own_stale_files_are_removed(tmp_path: Path) -> None:
    stale = [
        ".map.part-0123abcd",
        ".map.journal.part-0123abcd",
        ".map.journal.kept-2.part-00000000",
    ]
    others = [".map.part-mine", "map.part-0123abcd", ".map2.part-0123abcd", ".map.part-0123abcd.x"]
    for name in stale + others:
        (tmp_path / name).write_bytes(b"")
    remove_stale(tmp_path / "map")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(others)


def test_a_short_write_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"")

    class Stingy:
        """A file that takes three bytes at a time, as a disk may."""

        def __init__(self) -> None:
            self.got = b""

        def write(self, data: bytes) -> int:
            self.got += bytes(data[:3])
            return len(data[:3])

    file = Stingy()
    DISK.write(file, b"0123456789")  # type: ignore[arg-type]  # only `write` is used
    assert file.got == b"0123456789"


def test_setting_aside_never_overwrites(tmp_path: Path) -> None:
    for text in (b"first", b"second"):
        (tmp_path / "map.journal").write_bytes(text)
        set_aside(tmp_path / "map.journal", what="journal")
    assert (tmp_path / "map.journal.kept-1").read_bytes() == b"first"
    assert (tmp_path / "map.journal.kept-2").read_bytes() == b"second"


def test_the_lock_is_held_by_one_and_let_go(tmp_path: Path) -> None:
    path = tmp_path / "map"
    with locked(path, what="map", wait_s=0):
        with pytest.raises(LockedError, match=r"the map .*map is being edited elsewhere; close"):
            locked(path, what="map", wait_s=0).__enter__()
        with pytest.raises(LockedError):
            locked(path, what="map", wait_s=0.05).__enter__()
    with locked(path, what="map", wait_s=0):
        pass


def test_the_lock_can_be_let_go_by_another_thread(tmp_path: Path) -> None:
    held = locked(tmp_path / "map", what="map", wait_s=0)
    held.__enter__()
    thread = threading.Thread(target=held.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    with locked(tmp_path / "map", what="map", wait_s=0):
        pass


def test_a_lock_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot lock the map .*: no such file or folder"):
        locked(tmp_path / "nowhere" / "map", what="map", wait_s=0).__enter__()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may do everything")
def test_a_folder_without_rights(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="permission denied"):
            write_whole(path, b"new", what="map")
        with pytest.raises(StoreError, match="permission denied"):
            locked(path, what="map", wait_s=0).__enter__()
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == b"old"
