"""Modules as authors write them, put together from parts: boards, grids, zones, pieces, set-ups."""

import io
from xml.sax.saxutils import escape, quoteattr

from PIL import Image

from exporters.model import GivenFile
from tests.exporters.vassal.foreign_modules import pack, picture

_BUILD = "VASSAL.build"
_BOARD = f"{_BUILD}.module.map.boardPicker"


def tag(name, /, *inside, **words):
    """An element below VASSAL.build: True and False as the engine writes them."""
    written = "".join(f" {key}={quoteattr(_text(value))}" for key, value in words.items())
    return f"<{_BUILD}.{name}{written}>{''.join(inside)}</{_BUILD}.{name}>"


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _part(name):
    return f"module.map.boardPicker.{name}"


def hex_grid(numbering=None, **words):
    inside = (
        [] if numbering is None else [tag(_part("board.mapgrid.HexGridNumbering"), **numbering)]
    )
    return tag(_part("board.HexGrid"), *inside, **words)


def regions(names):
    """Named points by their pixels."""
    points = (
        tag(_part("board.Region"), name=name, originx=x, originy=y)
        for name, (x, y) in names.items()
    )
    return tag(_part("board.RegionGrid"), *points)


def zones(*inside):
    return tag(_part("board.ZonedGrid"), *inside)


def zone(
    name, left, top, right, bottom, *inside, form="$gridLocation$", parent=False, **properties
):
    told = [
        tag("module.properties.ZoneProperty", name=key, initialValue=value)
        for key, value in properties.items()
    ]
    path = f"{left},{top};{right},{top};{right},{bottom};{left},{bottom}"
    words = {"name": name, "path": path, "locationFormat": form, "useParentGrid": parent}
    return tag(_part("board.mapgrid.Zone"), *inside, *told, **words)


def board(grid="", *, name="Field", **words):
    if "image" not in words:
        words = {"width": 600, "height": 500} | words
    return tag(_part("Board"), grid, name=name, **words)


def window(*boards, name="Main", inside="", setup="", kind="module.Map", **words):
    first = f"<setup>{escape(setup)}</setup>" if setup else ""
    picker = tag("module.map.BoardPicker", first, *boards)
    return tag(kind, picker, inside, mapName=name, **words)


def slot(text, *, name="", gpid="", kind="widget.PieceSlot"):
    return tag(kind, escape(text), entryName=name, gpid=gpid)


def palette(*inside, name="Units"):
    return tag("module.PieceWindow", *inside, name=name)


def folder(name, *inside, kind="widget.ListWidget"):
    return tag(kind, *inside, entryName=name)


def roster(*sides):
    return tag("module.PlayerRoster", *(f"<entry>{escape(side)}</entry>" for side in sides))


def prototype(name, text):
    made = tag("module.PrototypeDefinition", escape(text), name=name)
    return tag("module.PrototypesContainer", made)


def authored(*inside, files=(), name="Authored", old=False, root="VASSAL.build.GameModule"):
    """The bytes of a module; *files* are what it holds beside its build file."""
    tree = f'<{root} name={quoteattr(name)} version="1.2">{"".join(inside)}</{root}>'
    version = "3.2.17" if old else "3.7.0"
    data = f'<data version="1"><VassalVersion>{version}</VassalVersion></data>'
    build_file = "buildFile" if old else "buildFile.xml"
    return pack({build_file: tree, "moduledata": data, **dict(files)})


def given(*inside, **words):
    return GivenFile("authored.vmod", authored(*inside, **words))


def drawn(size=(40, 40), colour="#406080", form="PNG", **words):
    """The bytes of a picture in any format that Pillow writes."""
    if form == "PNG" and not words:
        return picture(size, colour)
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, form, **words)
    return out.getvalue()
