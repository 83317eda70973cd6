"""A sheet on disk, in one file or in several pieces, as one scan."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.join_pieces import JoinedSheet, join_pieces
from mapkit.scan.load import LoadedScan, ScanError, load_scan, pdf_pages
from mapkit.scan.pieces import LEAST_PIECES, MOST_PIECES, Piece, PiecesError
from mapkit.store.files import read_file, require_free, sha256, write_whole
from mapkit.texts import say

_FORMATS = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".webp": "WEBP",
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "PNG": {"compress_level": 3},
    "JPEG": {"quality": 95, "subsampling": 0},
    "TIFF": {"compression": "tiff_lzw"},
    "WEBP": {"lossless": True, "method": 2},
}

PIECES_PX = 160_000_000  # all pieces together: with the sheet they make, well below 2 GB


def load_sheet(
    paths: Sequence[Path], *, page: int = 1, on_progress: OnProgress = ignore
) -> LoadedScan:
    """Return a scan, joined first where it lies in several files.

    Pixels of a joined scan are those of the picture that `mapkit map join` writes.

    Raises:
        ScanError: a file is no picture.
        PiecesError: the pieces do not make one sheet.
    """
    if len(paths) == 1:
        on_progress(0.0, say("mapkit.scan.stage.load"))
        return load_scan(paths[0], page=page)
    joined = join_files(paths, on_progress=on_progress)
    return LoadedScan(joined.pixels, joined.dpi)


def join_files(paths: Sequence[Path], *, on_progress: OnProgress = ignore) -> JoinedSheet:
    """Return the sheet whose pieces are in these files; a PDF brings all its pages.

    Raises:
        ScanError: a file is no picture.
        PiecesError: the pieces do not make one sheet.
    """
    pages = {path: pdf_pages(path) for path in paths}
    places = [
        _Place(path, page, pages[path]) for path in paths for page in range(1, pages[path] + 1)
    ]
    if not LEAST_PIECES <= len(places) <= MOST_PIECES:
        raise PiecesError(
            f"{paths[0]}: {LEAST_PIECES} to {MOST_PIECES} pieces are joined into a sheet, "
            f"not {len(places)}"
        )
    _require_different(paths)
    pieces = []
    for number, place in enumerate(places):
        on_progress(0.1 * number / len(places), say("mapkit.scan.stage.load"))
        scan = load_scan(place.path, page=place.page, most_px=PIECES_PX // len(places))
        pieces.append(Piece(place.told, scan.pixels, scan.dpi))
    return join_pieces(pieces, on_progress=part_of(on_progress, 0.1, 1.0))


def write_joined(path: Path, joined: JoinedSheet, *, force: bool = False) -> None:
    """Write a joined sheet as PNG, JPEG, TIFF or WebP, by the ending of the name.

    Raises:
        ScanError: the name ends otherwise.
        StoreError: the disk refused.
    """
    require_free(path, force=force)
    write_whole(path, _packed(joined, picture_format(path)), what="joined sheet")


def picture_format(path: Path) -> str:
    """Return the format that a file's name asks for.

    >>> picture_format(Path("sheet.jpg"))
    'JPEG'

    Raises:
        ScanError: none that can be written.
    """
    found = _FORMATS.get(path.suffix.lower())
    if found is None:
        raise ScanError(f"{path}: name the picture *.png, *.jpg, *.tif or *.webp")
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a piece is: a file, or a page of a PDF."""

    path: Path
    page: int
    pages: int

    @property
    def told(self) -> str:
        return self.path.name if self.pages == 1 else f"{self.path.name} ({self.page})"


def _require_different(paths: Sequence[Path]) -> None:
    known: dict[str, Path] = {}
    for path in paths:
        same = known.setdefault(sha256(read_file(path, what="piece")), path)
        if same is not path:
            raise PiecesError(f"{path}: this is the same picture as {same}; leave one of them out")


def _packed(joined: JoinedSheet, format_: str) -> bytes:
    from PIL import Image

    options: dict[str, Any] = dict(_OPTIONS[format_])
    if joined.dpi and format_ != "WEBP":
        options["dpi"] = (joined.dpi, joined.dpi)
    packed = BytesIO()
    try:
        Image.fromarray(joined.pixels).save(packed, format_, **options)
    except ValueError as error:  # WebP ends at 16,383 pixels a side
        raise ScanError(f"this sheet does not fit into {format_} ({error}); write PNG") from None
    return packed.getvalue()
