"""The errors a user may meet, each one clear line: what, where, what to do.

MapkitError
├── NotationError        a hex, hexside, vertex or link that does not read
├── NumberingError       a numbering that cannot name, or does not know, a hex
├── UnknownHexError      a hex that is not on this map
├── GridError            a grid that is no grid (flat, or folded over itself)
├── DocumentError        a file that is not the document it should be
├── TableError           a spreadsheet with bad cells, all of them listed
├── SheetError           sheets that cannot be joined, cropped or turned so
├── MissingExtraError    an optional part of Mapkit that is not installed
└── StoreError           the disk: cannot read, cannot write, nothing lost
    ├── FileChangedError     the file changed since it was loaded
    ├── JournalError         a journal that does not belong to its file
    └── LockedError          another process is editing the file
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


class MapkitError(Exception):
    """Anything the user can mend. Shown as one line, exit code 1, no traceback."""


class NotationError(MapkitError, ValueError):
    """A hex, hexside, vertex or link was written in a way that does not read."""


class NumberingError(MapkitError, ValueError):
    """A numbering cannot name this hex, or no hex has this label."""


class UnknownHexError(MapkitError):
    """The hex is not on this map."""


class GridError(MapkitError, ValueError):
    """The grid is not one: flat, or folded over itself."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a document: where, what, and how to mend it."""

    place: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.remedy}"


class DocumentError(MapkitError):
    """A file is not the document it should be; *faults* holds all that was found."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def listing(cls, source: str, faults: Sequence[Fault]) -> Self:
        """Return the error that names the first fault and counts the others."""
        more = (
            f" (and {len(faults) - 1} more: `mapkit map check` lists them)"
            if len(faults) > 1
            else ""
        )
        return cls(f"{source}: {faults[0]}{more if len(faults) > 1 else ''}", faults)


class TableError(MapkitError):
    """A spreadsheet has bad cells; the message lists every one, *problems* holds them."""

    def __init__(self, message: str, problems: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    @classmethod
    def listing(cls, source: str, problems: Sequence[Fault], *, hint: str = "") -> Self:
        """Return the error that lists all bad cells, a line each; *hint* stands first and last."""
        if len(problems) == 1:
            return cls(f"{source}: {problems[0]}", problems)
        lines = [f"{source}: {len(problems):,} bad cells:", *(f"  {fault}" for fault in problems)]
        return cls("\n".join([hint, *lines, hint] if hint else lines), problems)


class SheetError(MapkitError):
    """These sheets cannot be joined, cropped or turned like that."""


class StoreError(MapkitError):
    """The disk refused; what was there before is still there."""


class FileChangedError(StoreError):
    """The file changed since it was loaded, so it is not overwritten."""


class JournalError(StoreError):
    """The journal does not belong to the file beside it, or is damaged."""


class LockedError(StoreError):
    """Another process is editing the file."""


class MissingExtraError(MapkitError):
    """An optional part is not installed; the message names the extra to install."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the optional part '{extra}': pip install \"mapkit[{extra}]\""
        )
        self.extra = extra
