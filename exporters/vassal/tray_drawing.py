"""Boards of boxes as pictures: plain frames in the house's letters, with room for counters."""

from exporters.vassal.trays import HEAD, NAME, SIDE, Tray
from mapkit.drawing import Picture
from mapkit.drawing.svg import Sheet, Value

_FAMILY = "Cabin"
_CLOTH, _PAPER, _FRAME, _INK = "#d9dfdc", "#f8f7f1", "#9aa5a1", "#22262b"
_BAND, _LIGHT = "#2f4858", "#ffffff"
_COLOURS = {HEAD: _BAND, SIDE: _LIGHT, NAME: _INK}
_PALE = "#4d565e"


def draw_tray(tray: Tray) -> Picture:
    """Return the board without its counters."""
    width, height = tray.size_px
    sheet = Sheet(width, height)
    sheet.add("rect", x=0.0, y=0.0, width=float(width), height=float(height), fill=_CLOTH)
    for left, top, wide, tall in tray.heads:
        size = {"width": float(wide), "height": float(tall), "rx": 6.0}
        sheet.add("rect", x=float(left), y=float(top), fill=_BAND, **size)
    for box in tray.boxes:
        left, top, wide, tall = box.bounds
        frame = {"stroke": _FRAME, "fill": _PAPER}
        size = {"width": wide - 1.0, "height": tall - 1.0, "rx": 6.0}
        sheet.add("rect", x=left + 0.5, y=top + 0.5, **size, **frame)
    for one in tray.letterings:
        weight = "bold" if one.size in _COLOURS else None
        colour = _COLOURS.get(one.size, _PALE)
        look: dict[str, Value] = {"font_size": one.size, "font_weight": weight, "fill": colour}
        sheet.text(one.words, one.x, one.y, font_family=_FAMILY, **look)
    return Picture(sheet.to_text(), width, height)
