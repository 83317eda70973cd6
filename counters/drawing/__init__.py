"""Counters drawn: a style, a layout, one picture for each face."""

from counters.drawing.contrast import contrast
from counters.drawing.face import DrawnFace, compose_face, draw_face
from counters.drawing.looks import face_names
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
    "compose_face",
    "contrast",
    "draw_face",
    "face_names",
    "games_with_style",
    "load_counter_style",
    "parse_counter_style",
    "style_names",
]
