"""What can be wrong with a drawing: a style that does not read, a size nobody can print."""

from mapkit.errors import MapkitError


class StyleError(MapkitError):
    """A style is unknown, or its file does not read."""


class LayerError(MapkitError):
    """A layer that no drawing has."""


class SizeError(MapkitError):
    """A picture bigger than anyone can print, or smaller than anyone can read."""
