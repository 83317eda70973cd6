"""The kinds of scan, and how each of them is made."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["flatbed", "good_phone", "bad_phone", "parts"]


@dataclass(frozen=True)
class Making:
    """How one kind of scan is made; lengths are shares of the sheet's longer side."""

    turn_deg: float
    scale: float
    jpeg_quality: int
    noise: float  # standard deviation in shades of grey
    cast: float  # how far the colours may drift apart
    blur_px: float
    crease: float  # how strongly the folds show, 0 to 1
    margin: float = 0.012
    perspective: float = 0.0  # by how much the far edge is smaller
    lens: float = 0.0  # displacement at the corners, as a share of the half diagonal
    fold: float = 0.0  # displacement beside a fold
    shading: float = 0.0
    vignette: float = 0.0
    on_table: bool = False


MAKINGS: dict[Kind, Making] = {
    "flatbed": Making(1.5, 1.0, 80, 1.6, 0.02, 0.45, 0.35, shading=0.02),
    "good_phone": Making(
        4.0, 0.85, 65, 2.6, 0.04, 0.55, 0.8,
        margin=0.035, perspective=0.03, lens=0.006, fold=0.0006, shading=0.14, vignette=0.06,
        on_table=True,
    ),
    "bad_phone": Making(
        9.0, 0.75, 45, 5.0, 0.09, 1.25, 1.0,
        margin=0.05, perspective=0.08, lens=0.012, fold=0.001, shading=0.34, vignette=0.26,
        on_table=True,
    ),
    "parts": Making(2.0, 1.0, 80, 1.6, 0.025, 0.45, 0.35, shading=0.06),
}  # fmt: skip
