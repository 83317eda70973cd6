"""Counters on paper: a plan in millimetres, the pictures of the faces, the PDF."""

from counters.printing.pdf import print_offset_page, print_sheets
from counters.printing.pictures import FacePicture, face_pictures
from counters.printing.plan import Edges, Placed, PrintPage, SheetPlan, plan_sheets
from counters.printing.sizes import SIZES, parse_offset, parse_size

__all__ = [
    "SIZES",
    "Edges",
    "FacePicture",
    "Placed",
    "PrintPage",
    "SheetPlan",
    "face_pictures",
    "parse_offset",
    "parse_size",
    "plan_sheets",
    "print_offset_page",
    "print_sheets",
]
