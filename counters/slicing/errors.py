"""What can go wrong when a sheet is sliced."""

from mapkit.errors import MapkitError


class SliceError(MapkitError):
    """A scan shows no counter sheet that can be cut with confidence; the message says why."""


class BlankSheetError(SliceError):
    """A scan shows paper and nothing else."""
