"""Maps drawn from file to file: a picture, or pages to print."""

from pathlib import Path

from mapkit.drawing.errors import SizeError
from mapkit.drawing.layers import parse_layers
from mapkit.drawing.picture import DEFAULT_HEX_PX, Picture, draw_map
from mapkit.drawing.printing import OVERLAP_MM, Paper, print_map
from mapkit.drawing.raster import rasterise
from mapkit.drawing.style import load_style
from mapkit.errors import StoreError
from mapkit.maps import load_map
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import require_free, write_whole
from mapkit.texts import say

DEFAULT_HEX_MM = 16.0
_PRINT_HEX_PX = 96.0  # only a unit: pages are rendered from the SVG at their own resolution


def draw_file(
    map_file: Path,
    out: Path,
    *,
    style: str = "textured",
    hex_px: float = DEFAULT_HEX_PX,
    layers: str = "",
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> str:
    """Draw a map to PNG or SVG, as the ending of *out* says; return what was made.

    Raises:
        StoreError: *out* exists and *force* was not given, or the disk refused.
        SizeError: the picture would be too big.
        StyleError, LayerError: no such style or layer.
        DocumentError: the file is no map.
    """
    require_drawing(out, force=force)
    look, shown = load_style(style), parse_layers(layers)
    map_ = load_map(map_file)
    on_progress(0.1, say("mapkit.drawing.progress.drawing"))
    drawing = draw_map(map_, look, layers=shown, hex_px=hex_px)
    width, height = drawing.width_px, drawing.height_px
    on_progress(0.3, say("mapkit.drawing.progress.picture", width=width, height=height))
    write_drawing(drawing, out, force=force)
    return say("mapkit.drawing.done.picture", file=out, width=width, height=height, style=look.name)


def require_drawing(out: Path, *, force: bool) -> None:
    """Refuse a name that is no drawing's, or taken, before the work is done."""
    if out.suffix.lower() not in (".png", ".svg"):
        raise StoreError(f"{out}: a drawing ends in .png or .svg")
    _require_free(out, force=force)


def write_drawing(drawing: Picture, out: Path, *, force: bool = False) -> None:
    """Write a drawing as PNG or SVG, as the ending of *out* says."""
    require_drawing(out, force=force)
    vector = out.suffix.lower() == ".svg"
    data = drawing.standalone().encode() if vector else rasterise(drawing)
    write_whole(out, data, what="drawing")


def print_file(
    map_file: Path,
    out: Path,
    *,
    paper: Paper = "A4",
    hex_mm: float | None = None,
    style: str = "textured",
    layers: str = "",
    dpi: int = 200,
    overlap_mm: float = OVERLAP_MM,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> str:
    """Print a map to PDF pages; without *hex_mm* as wide as the map says, else 16 mm."""
    if out.suffix.lower() != ".pdf":
        raise StoreError(f"{out}: a print ends in .pdf")
    if not 50 <= dpi <= 600:
        raise SizeError(f"{dpi} dpi cannot be printed; give 50 to 600")
    _require_free(out, force=force)
    look, shown = load_style(style), parse_layers(layers)
    map_ = load_map(map_file)
    drawing = draw_map(map_, look, layers=shown, hex_px=_PRINT_HEX_PX)
    width_mm = hex_mm if hex_mm is not None else map_.grid.hex_mm or DEFAULT_HEX_MM
    data = print_map(
        drawing,
        hex_mm=width_mm,
        paper=paper,
        dpi=dpi,
        overlap_mm=overlap_mm,
        title=map_.title,
        on_progress=on_progress,
    )
    write_whole(out, data, what="print")
    return say("mapkit.drawing.done.print", file=out, mm=f"{width_mm:g}", paper=paper)


def _require_free(out: Path, *, force: bool) -> None:
    require_free(out, force=force)
    if not out.resolve().parent.is_dir():
        raise StoreError(f"{out}: there is no folder {out.parent}; make it first")
