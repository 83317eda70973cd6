"""Sheets of a map: moved, turned, cut out, joined."""

from mapkit.sheets.joining import crop, join, offset_by_labels, offset_by_match, rectangle
from mapkit.sheets.moving import Quarters, moved, turn, turn_numbering

__all__ = [
    "Quarters",
    "crop",
    "join",
    "moved",
    "offset_by_labels",
    "offset_by_match",
    "rectangle",
    "turn",
    "turn_numbering",
]
