"""Sight against drawn outlines: the drawing blocks, not the hex; decided in whole numbers."""

from mapkit.depiction.answers import DepictedSight, MetOutline, NearOutline, Verdict
from mapkit.depiction.canvas import Canvas
from mapkit.depiction.errors import DepictionError
from mapkit.depiction.outlines import Outline, Repair
from mapkit.depiction.sight import Depiction, depicted_sight

__all__ = [
    "Canvas",
    "DepictedSight",
    "Depiction",
    "DepictionError",
    "MetOutline",
    "NearOutline",
    "Outline",
    "Repair",
    "Verdict",
    "depicted_sight",
]
