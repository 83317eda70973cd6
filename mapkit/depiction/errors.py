"""What can be wrong with a question about drawn outlines."""

from mapkit.errors import MapkitError


class DepictionError(MapkitError):
    """An outline that lies nowhere on the canvas, or an uncertainty that is no length."""
