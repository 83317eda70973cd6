"""Boards that an engine with its usual memory cannot open: reduced, and the heap asked for."""

import math
import warnings
from dataclasses import replace
from io import BytesIO

from exporters.model import Dropped
from exporters.vassal.boards import Board
from exporters.vassal.elements import Element
from exporters.vassal.hex_grid import Lattice

USUAL_HEAP_MB = 512
"""What the engine gives a module that asks for nothing."""

_MEGA = 1_000_000


def reduced(board: Board, most_megapixels: int) -> tuple[Board, tuple[Dropped, ...]]:
    """Return a board that has at most so many megapixels, and what was done to it; 0 sets no limit.

    Hexes stay upright and regular, and half a step stays a whole number of pixels, as the
    engine's grid needs it.
    """
    width, height = board.size_px
    if not most_megapixels or width * height <= most_megapixels * _MEGA:
        return board, ()
    along = board.lattice.along_px
    wanted = math.sqrt(most_megapixels * _MEGA / (width * height))
    share = max(2 * math.floor(along * wanted / 2), 4) / along
    smaller = _scaled(board, share)
    values = {
        "board": board.name,
        "was_width": width,
        "was_height": height,
        "width": smaller.size_px[0],
        "height": smaller.size_px[1],
        "most": most_megapixels,
    }
    return smaller, (Dropped("exporters.vassal.hint.reduced", values),)


def heap_mb(board: Board) -> int:
    """Return how much memory the engine needs to cut a board into tiles, in MB.

    VASSAL.launch.TilingHandler: 1.66 times the picture at four bytes a pixel, and 150 MB.
    """
    width, height = board.size_px
    return math.ceil(1.66 * 4 * width * height / 2**20) + 150


def ask_for_heap(root: Element, heap: int) -> tuple[Dropped, ...]:
    """Have the module ask for memory where the usual does not do; return what to tell of it."""
    if heap <= USUAL_HEAP_MB:
        return ()
    (options,) = root.findall("VASSAL.build.module.GlobalOptions")
    options.set("minMaxHeap", str(heap))
    return (Dropped("exporters.vassal.hint.heap", {"heap": heap}),)


def _scaled(board: Board, share: float) -> Board:
    from PIL import Image

    width, height = board.size_px
    # Cut to whole pixels: what is left over at the far edges is less than one of them.
    size = (math.floor(width * share), math.floor(height * share))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(BytesIO(board.picture)) as image:
            box = (0.0, 0.0, size[0] / share, size[1] / share)
            made = image.convert("RGB").resize(size, Image.Resampling.LANCZOS, box=box)
    out = BytesIO()
    if board.suffix == ".jpg":
        made.save(out, "JPEG", quality=90)
    else:
        made.save(out, "PNG", compress_level=6)
    old = board.lattice
    x, y = (value * share for value in old.first_px)
    lattice = Lattice(old.orientation, (x, y), old.across_px * share, old.along_px * share)
    suffix = ".jpg" if board.suffix == ".jpg" else ".png"
    return replace(
        board, picture=out.getvalue(), suffix=suffix, size_px=size, lattice=lattice, resampled=False
    )
