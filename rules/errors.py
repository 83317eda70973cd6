"""The errors of projects and rules packs, each one clear line.

MapkitError
├── PackError       a rules pack that does not exist or does not read
├── RulesError      a question the rules cannot take: an unknown side, weather, class
└── ProjectError    a project folder that is not what its project.toml says
"""

from collections.abc import Sequence
from typing import Self

from mapkit.errors import Fault, MapkitError


class FaultsError(MapkitError):
    """A file with one or more *faults*; the message lists them all."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def listing(cls, source: str, faults: Sequence[Fault]) -> Self:
        """Return the error that lists every fault, a line each."""
        if len(faults) == 1:
            return cls(f"{source}: {faults[0]}", faults)
        lines = [f"{source}: {len(faults)} faults:", *(f"  {fault}" for fault in faults)]
        return cls("\n".join(lines), faults)


class PackError(FaultsError):
    """A rules pack does not exist, or its files do not read."""


class RulesError(MapkitError):
    """A question names something the game does not know."""


class ProjectError(MapkitError):
    """A project folder is not what its project.toml says."""
