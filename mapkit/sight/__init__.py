"""Lines of sight by any rule: one line with its working, a field of view, all pairs of a map."""

from mapkit.sight.comparisons import Compared, Comparison, Height
from mapkit.sight.fields import FieldOfView, Lookout, field_of_view
from mapkit.sight.ground import SightGround
from mapkit.sight.margins import Margin, margin
from mapkit.sight.packed import pack_table, unpack_table
from mapkit.sight.policy import (
    BorrowedLevel,
    EndHeight,
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightPolicy,
    when,
)
from mapkit.sight.profiles import ProfileStep, profile
from mapkit.sight.regions import RegionSight, region_of, sight_from_region
from mapkit.sight.sighting import Finding, Passed, Sight, sight
from mapkit.sight.table import SightTable, sight_table

__all__ = [
    "BorrowedLevel",
    "Compared",
    "Comparison",
    "EndHeight",
    "FieldOfView",
    "Finding",
    "Height",
    "Lookout",
    "Margin",
    "Obstacle",
    "Passed",
    "ProfileStep",
    "RangeLimit",
    "Reach",
    "RegionSight",
    "SideObstacle",
    "Sight",
    "SightGround",
    "SightPolicy",
    "SightTable",
    "field_of_view",
    "margin",
    "pack_table",
    "profile",
    "region_of",
    "sight",
    "sight_from_region",
    "sight_table",
    "unpack_table",
    "when",
]
