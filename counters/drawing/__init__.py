"""Counters drawn: a style, a layout, one picture for each face."""

from counters.drawing.contrast import contrast
from counters.drawing.cut_pictures import PictureError, cut_face, open_picture
from counters.drawing.face import DrawnFace, compose_face, draw_face
from counters.drawing.looks import face_names, printed_names, printed_values
from counters.drawing.scene import SIDE_PX, Contrast, Notice
from counters.drawing.style import CounterStyle
from counters.drawing.style_files import (
    PACK_FILE,
    games_with_style,
    load_counter_style,
    parse_counter_style,
    style_names,
)

__all__ = [
    "PACK_FILE",
    "SIDE_PX",
    "Contrast",
    "CounterStyle",
    "DrawnFace",
    "Notice",
    "PictureError",
    "compose_face",
    "contrast",
    "cut_face",
    "draw_face",
    "face_names",
    "games_with_style",
    "load_counter_style",
    "open_picture",
    "parse_counter_style",
    "printed_names",
    "printed_values",
    "style_names",
]
