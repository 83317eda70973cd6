"""What an exporter is, and what it gives back: files, and an honest account of what was lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from mapkit.errors import MapkitError
from mapkit.progress import OnProgress
from mapkit.texts import say

if TYPE_CHECKING:
    from exporters.material import Material


class ExportError(MapkitError):
    """This project cannot be exported so; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that the user names in an option, read before `render` is called: name and bytes.

    An option of that type is written `field(default=None, metadata={"help": ..., "file": ".vmod"})`
    and typed `GivenFile | None`; the command line takes a path for it. "file" says how it ends.
    """

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OutFile:
    """A file to be written: its path, relative, with slashes, and its bytes."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something the target cannot hold: a text key with its values, spoken when shown."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @property
    def told(self) -> str:
        """The line that the user reads: one, whatever signs an author's names hold."""
        text = say(self.key, **self.values)
        return "".join(sign if sign.isprintable() else " " for sign in text)


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The files, what was lost on the way, and what the user should know about them."""

    files: tuple[OutFile, ...]
    dropped: tuple[Dropped, ...] = ()
    hints: tuple[Dropped, ...] = ()


class Exporter(Protocol):
    """Renders a project; never opens a file, reads a clock, or prints.

    *options* is a frozen dataclass, each field with a default and the help of its option in its
    metadata under "help"; the command line makes its options of it. A file that the user names is
    a `GivenFile`: its bytes reach the exporter, its path does not; "needed" in its metadata says
    that nothing is made without it.
    """

    @property
    def name(self) -> str:
        """The word on the command line: "vassal"."""
        ...

    @property
    def title(self) -> str:
        """What it makes: the key of a text, or plain words."""
        ...

    @property
    def suffix(self) -> str:
        """How its one file ends: ".vmod"; "" where it fills a folder."""
        ...

    @property
    def options(self) -> type:
        """The dataclass of what the user may choose."""
        ...

    def render(self, material: "Material", options: Any, on_progress: OnProgress) -> ExportResult:
        """Return the files; the same project and options give the same bytes.

        Raises:
            ExportError: the project lacks what this target cannot do without.
        """
        ...
