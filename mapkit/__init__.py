"""Hexes, grids, numbering and the map document: the centre of the house. Knows no game."""

from mapkit.errors import MapkitError
from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, Vertex
from mapkit.kinds import Kind, Kinds
from mapkit.model import Area, Feature, Ground, HexMap, Picture, Provenance, Shape
from mapkit.numbering import Axis, Numbering

__all__ = [
    "Area",
    "Axis",
    "Feature",
    "Grid",
    "Ground",
    "Hex",
    "HexMap",
    "Hexside",
    "Kind",
    "Kinds",
    "Link",
    "MapkitError",
    "Numbering",
    "Picture",
    "Provenance",
    "Shape",
    "Vertex",
]
