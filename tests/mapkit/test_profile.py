"""What a scan is told about a map: it comes back from its file, and bad files are refused."""

from pathlib import Path

import pytest

from mapkit.errors import StoreError
from mapkit.kinds import Kind, Kinds
from mapkit.numbering import Numbering
from mapkit.profile import (
    NumberingCandidate,
    Profile,
    ProfileError,
    load_profile,
    parse_profile,
    write_profile,
)

PROFILE = Profile(
    title="Any War",
    kinds=Kinds(terrain=(Kind("wood", "Wood", "woods", "#9fc286"),)),
    lowest_level=1,
    numberings=(NumberingCandidate(numbering=Numbering("columns"), likely=True),),
)


def test_a_profile_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "any.profile.json"
    write_profile(file, PROFILE)
    assert load_profile(file) == PROFILE


def test_a_profile_is_not_overwritten_unasked(tmp_path: Path) -> None:
    file = tmp_path / "any.profile.json"
    file.write_text("mine")
    with pytest.raises(StoreError, match="--force"):
        write_profile(file, PROFILE)
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no profile of the format"),
        (b'{"format": "mapkit-profile/2"}', "mapkit-profile/2"),
        (b'{"format": "mapkit-profile/1", "title": "x", "kinds": {}, "hexes": 1}', "x: hexes"),
    ],
)
def test_a_bad_profile_is_one_clear_line(data: bytes, fault: str) -> None:
    with pytest.raises(ProfileError, match=fault) as caught:
        parse_profile(data, "x")
    assert "\n" not in str(caught.value)
