"""What a scan is told about a game's map: its words with usual colours, levels, numberings.

Mapkit knows no game: whoever knows one writes a profile, a JSON file, and a scan reads it. All
of it is a hint; what is not known is left out.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.errors import MapkitError
from mapkit.kinds import Kinds
from mapkit.numbering import Numbering
from mapkit.store.files import read_file, require_free, write_whole

FORMAT = "mapkit-profile/1"
WHAT = "profile"


class ProfileError(MapkitError):
    """A profile does not read."""


class NumberingCandidate(BaseModel):
    """One way the sheet may be numbered; *likely* is the one to try first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    numbering: Numbering
    likely: bool = False


class Profile(BaseModel):
    """What a game's map may hold. A colour is a usual one, not that of the printed sheet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["mapkit-profile/1"] = "mapkit-profile/1"
    title: Annotated[str, Field(min_length=1)]
    kinds: Kinds
    lowest_level: int | None = None
    highest_level: int | None = None
    numberings: tuple[NumberingCandidate, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the profile as JSON-able data."""
        return self.model_dump(mode="json")

    def dump(self) -> bytes:
        """Return the profile as the bytes of its file."""
        return (json.dumps(self.as_data(), indent=1, ensure_ascii=False) + "\n").encode()


def write_profile(path: Path, profile: Profile, *, force: bool = False) -> None:
    """Write a profile to a file.

    Raises:
        StoreError: the file exists and *force* was not given, or the disk refused.
    """
    require_free(path, force=force)
    write_whole(path, profile.dump(), what=WHAT)


def load_profile(path: Path) -> Profile:
    """Return the profile in a file.

    Raises:
        ProfileError: it is none, or of a later format; the message says where.
    """
    return parse_profile(read_file(path, what=WHAT), str(path))


def parse_profile(data: bytes, source: str) -> Profile:
    """Return the profile in some bytes; *source* is named in errors."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        raise ProfileError(f"{source}: this is no profile: it is not JSON") from None
    found = raw.get("format") if isinstance(raw, dict) else None
    if found != FORMAT:
        raise ProfileError(f"{source}: this is no profile of the format {FORMAT}, but {found!r}")
    try:
        return Profile.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ProfileError(f"{source}: {place}: {first['msg']}") from None
