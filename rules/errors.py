"""The errors of projects and rules packs, each one clear line.

MapkitError
├── PackError       a rules pack that does not exist or does not read
├── RulesError      a question the rules cannot take: an unknown side, weather, class
└── ProjectError    a project folder that is not what its project.toml says
"""

from mapkit.errors import MapkitError


class PackError(MapkitError):
    """A rules pack does not exist, or its files do not read."""


class RulesError(MapkitError):
    """A question names something the game does not know."""


class ProjectError(MapkitError):
    """A project folder is not what its project.toml says."""
