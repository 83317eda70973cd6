"""The errors of projects and rules packs, each one clear line.

MapkitError
├── PackError       a rules pack that does not exist or does not read
└── ProjectError    a project folder that is not what its project.toml says
"""

from mapkit.errors import MapkitError


class PackError(MapkitError):
    """A rules pack does not exist, or its files do not read."""


class ProjectError(MapkitError):
    """A project folder is not what its project.toml says."""
