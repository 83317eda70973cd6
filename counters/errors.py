"""What can be wrong with counters: a style that does not read, a face that is not there."""

from mapkit.errors import MapkitError


class CounterStyleError(MapkitError):
    """A style of counters is unknown, or its file does not read."""


class CounterSizeError(MapkitError):
    """A size of counters that nobody can read or print."""
