"""A sheet of which a map document tells already where its hexes lie and what they are called.

Maps that come from other programs bring their grid along: the scan then reads the ground only.
"""

from dataclasses import dataclass, replace

import numpy as np

from mapkit.grid import Grid
from mapkit.hexes import Hex
from mapkit.model import HexMap, Picture
from mapkit.numbering import AnyNumbering
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.homographies import as_rows
from mapkit.scan.load import ScanError

_EXACT = 1e-9


@dataclass(frozen=True, eq=False)
class KnownSheet:
    """Grid, hexes and labels of a sheet: nothing of them is looked for.

    *paper* is the map's own grid: how wide hexes are on paper and where north lies.
    """

    found: FoundGrid
    hexes: tuple[Hex, ...]
    numbering: AnyNumbering
    paper: Grid

    def scaled(self, factor: float) -> "KnownSheet":
        """Return the same on a picture of another size."""
        return replace(self, found=self.found.scaled(factor))


def known_sheet(
    map_: HexMap, *, source: str, image: str, sha256: str, size_px: tuple[int, int]
) -> KnownSheet:
    """Return what a map says of the picture it was made for, or of the scan behind that.

    *source* and *image* are the names of the two files, *sha256* and *size_px* those of the image.

    Raises:
        ScanError: the map has no hexes, or its grid refers to another picture.
    """
    if not map_.hexes:
        raise ScanError(f"{source}: the map has no hexes, so it brings no grid; leave --grid out")
    picture = map_.picture
    if picture is None:
        raise ScanError(
            f"{source}: the map names no picture, so nobody can tell where its hexes lie on {image}"
        )
    grid = _grid_on(map_.grid, picture, image, sha256, size_px)
    if grid is None:
        width, height = picture.width_px, picture.height_px
        raise ScanError(
            f"{source}: its grid is for the picture {picture.path} of {width} × {height} px, not "
            f"for {image}; give that picture, or leave --grid out"
        )
    return KnownSheet(FoundGrid(grid, 1.0, size_px), tuple(map_.hexes), map_.numbering, map_.grid)


def _grid_on(
    grid: Grid, picture: Picture, image: str, sha256: str, size_px: tuple[int, int]
) -> Grid | None:
    """Return a map's grid on an image: its own picture, the same saved anew, or its scan."""
    same_size = size_px == (picture.width_px, picture.height_px)
    if sha256 == picture.sha256 or (same_size and not picture.scan):
        return grid
    if image != picture.scan or not _is_upright(picture.from_scan):
        return None  # a bend of the scan is not in its matrix
    back = np.linalg.inv(np.array(picture.from_scan).reshape(3, 3))
    matrix = back @ np.array(grid.homography)
    return replace(grid, homography=as_rows(matrix / matrix[2, 2]))


def _is_upright(from_scan: tuple[float, ...]) -> bool:
    """Tell whether a scan was moved and stretched only; one whose grid was found never was."""
    if len(from_scan) != 9:
        return False
    beside = np.array(from_scan).reshape(3, 3)[[0, 1, 2, 2], [1, 0, 0, 1]]
    return bool(np.abs(beside).max() < _EXACT)
