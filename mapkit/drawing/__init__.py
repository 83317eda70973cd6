"""Maps drawn: one SVG drawing per map, in any style, for screen, print and rulings."""

from mapkit.drawing.errors import LayerError, SizeError, StyleError
from mapkit.drawing.frame import moved_to
from mapkit.drawing.layers import ALL_LAYERS, LAYERS, parse_layers
from mapkit.drawing.legend import LegendEntry
from mapkit.drawing.overlays import (
    HexOverlay,
    LineOverlay,
    Overlay,
    PathOverlay,
    ProfileOverlay,
    ProfilePoint,
    TextOverlay,
)
from mapkit.drawing.picture import Drawing, Picture, draw_map
from mapkit.drawing.printing import plan_pages, print_map
from mapkit.drawing.raster import rasterise, render_box
from mapkit.drawing.style import Looks, Style, load_style, parse_style, style_names
from mapkit.drawing.terrain import ground_colour

__all__ = [
    "ALL_LAYERS",
    "LAYERS",
    "Drawing",
    "HexOverlay",
    "LayerError",
    "LegendEntry",
    "LineOverlay",
    "Looks",
    "Overlay",
    "PathOverlay",
    "Picture",
    "ProfileOverlay",
    "ProfilePoint",
    "SizeError",
    "Style",
    "StyleError",
    "TextOverlay",
    "draw_map",
    "ground_colour",
    "load_style",
    "moved_to",
    "parse_layers",
    "parse_style",
    "plan_pages",
    "print_map",
    "rasterise",
    "render_box",
    "style_names",
]
