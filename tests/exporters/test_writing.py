"""Exports reach the disk whole, and never outside their folder."""

import io
import zipfile

import pytest

from exporters.archives import pack_zip
from exporters.model import ExportError, OutFile
from exporters.writing import write_files, write_single
from mapkit.errors import FileChangedError, StoreError

OUTSIDE = ["../x", "a/../../x", "/etc/x", "C:\\x", "C:x", "\\\\host\\x", "", "."]
UNFIT = ["con", "aux.txt", "a/NUL.png", "a.", "b ", "a?b", "tab\tx", "a\\b"]


@pytest.mark.parametrize("path", [*OUTSIDE, *UNFIT])
def test_a_path_outside_or_unfit_is_refused_before_anything_is_written(tmp_path, path):
    with pytest.raises(ExportError):
        write_files(tmp_path / "out", [OutFile("good.txt", b"1"), OutFile(path, b"2")])
    assert not (tmp_path / "out").exists()
    with pytest.raises(ExportError):
        pack_zip([OutFile(path, b"2")])


def test_two_names_that_are_one_on_windows_are_refused(tmp_path):
    with pytest.raises(ExportError, match="twice"):
        write_files(tmp_path, [OutFile("Map.png", b"1"), OutFile("map.PNG", b"2")])


def test_files_are_written_below_the_folder(tmp_path):
    made = write_files(tmp_path / "new", [OutFile("a/b.txt", b"1"), OutFile("c.txt", b"2")])
    assert [path.relative_to(tmp_path / "new").as_posix() for path in made] == ["a/b.txt", "c.txt"]
    assert (tmp_path / "new/a/b.txt").read_bytes() == b"1"


def test_what_exists_is_kept_unless_forced(tmp_path):
    (tmp_path / "b.txt").write_bytes(b"mine")
    files = [OutFile("a.txt", b"1"), OutFile("b.txt", b"2")]
    with pytest.raises(FileChangedError, match="b.txt exists"):
        write_files(tmp_path, files)
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]
    write_files(tmp_path, files, force=True)
    assert (tmp_path / "b.txt").read_bytes() == b"2"


def test_a_single_file_needs_its_folder(tmp_path):
    with pytest.raises(StoreError, match="make it first"):
        write_single(tmp_path / "no/x.zip", OutFile("x.zip", b"1"))


def test_an_archive_hangs_on_its_content_alone():
    files = [OutFile("b.xml", b"<b/>" * 99), OutFile("images/a.png", b"\x89PNG")]
    packed = pack_zip(files)
    assert pack_zip(files) == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["b.xml", "images/a.png"]
        assert {entry.date_time for entry in archive.infolist()} == {(2020, 1, 1, 0, 0, 0)}
        kinds = [entry.compress_type for entry in archive.infolist()]
        assert kinds == [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED]
        assert archive.read("b.xml") == b"<b/>" * 99
