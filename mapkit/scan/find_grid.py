"""Find the grid of hexes on a scan, with no help or with a little.

Periods of the picture suggest lattices; each is held against the pattern of a printed grid; the
best is grown over the whole picture and fitted by a homography and a bend. When nothing stands out
the answer is a refusal with the reason, never a guess.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.errors import MapkitError
from mapkit.grid import Grid, Orientation
from mapkit.progress import OnProgress, ignore
from mapkit.scan.found_grid import Alternative, FoundGrid
from mapkit.scan.honeycomb import DOTS, SIDES, Marks
from mapkit.scan.ink import Ink, InkPicture, ink_pictures
from mapkit.scan.laid_grid import LaidGrid, lay_grid
from mapkit.scan.sheet import Pixels
from mapkit.scan.spectrum import Period, find_periods
from mapkit.scan.tiling import PITCH_PX, Mask, Tile, mix_inks, worth_of
from mapkit.texts import say

Numbers = npt.NDArray[np.float64]

WORKING_PX = 12_000_000  # a grid is found on a reduction of this many pixels
SURE = 0.5  # below this the finder refuses

_LATTICES = 4  # that are held against the pattern
_FIRST_RING = 0.08
_WORTH_A_LOOK = 3.0
_FEW_HEXES = (4.0, 16.0)  # across the shorter side
_ROUND, _CLEAR_DOT, _CLEARER = 1.35, 0.75, 0.1  # what dots have, and how far beyond hexsides
_COARSER = 0.4  # of the finer lattice's strength: what a coarser one is credited with


class NoGridError(MapkitError):
    """No grid was found that is sure enough; the message says what may help."""


@dataclass(frozen=True, eq=False)
class _Lattice:
    """A lattice that the picture may show: its period, the ink it shows best in, its tiles."""

    pitch_px: float
    orientation: Orientation
    ink: Ink
    tiles: tuple[Tile, ...]
    worth: float
    strength: float
    marks: Marks

    @property
    def score(self) -> float:
        """How it ranks: a finer lattice on the same lines is weaker, and looks less like a grid."""
        return float(self.worth * self.strength**0.3)

    def is_near(self, other: "_Lattice") -> bool:
        """Whether this is the other lattice again, seen on a part of a slanting sheet."""
        return (
            self.orientation == other.orientation
            and abs(math.log(self.pitch_px / other.pitch_px)) < 0.12
        )

    def is_dotted(self, lined: "_Lattice") -> bool:
        """Whether its hexes bear a dot and no hexsides: numbers are no dots, for they are wide."""
        tile = self.surest
        return tile.slender < _ROUND and tile.clearness > max(
            _CLEAR_DOT, lined.surest.clearness + _CLEARER
        )

    @property
    def surest(self) -> Tile:
        return max(self.tiles, key=lambda tile: tile.worth)


def find_grid(
    picture: Pixels,
    *,
    hex_px: float | None = None,
    on_progress: OnProgress = ignore,
) -> FoundGrid:
    """Return the grid of a scan, in its own pixels.

    *hex_px* is about how far neighbouring centres are apart, where somebody measured it.

    Raises:
        NoGridError: none stands out enough.
    """
    working, reduced = working_picture(picture)
    on_progress(0.05, say("mapkit.scan.stage.ink"))
    inks = ink_pictures(working)
    on_progress(0.2, say("mapkit.scan.stage.periods"))
    periods = [period for ink in inks for period in find_periods(ink)]
    groups = _groups(periods, None if hex_px is None else hex_px * reduced)
    if hex_px is None:
        groups = _with_coarser(groups, min(working.shape[:2]))
    if not groups:
        raise NoGridError(_refusal("nothing on it repeats like a grid of hexes", hex_px))
    on_progress(0.4, say("mapkit.scan.stage.lattices"))
    held = [(_lattice(inks, group, SIDES), group) for group in groups]
    held.sort(key=lambda one: -one[0].score)
    on_progress(0.6, say("mapkit.scan.stage.growth"))
    lined, group = held[0]
    dotted = _lattice(inks, group, DOTS)
    if dotted.is_dotted(lined):
        first = dotted
    else:
        laid = lay_grid(lined.ink, lined.surest.centre, lined.surest.basis)
        first = _lattice(inks, group, SIDES, laid.print_on(lined.ink))
    on_progress(0.8, say("mapkit.scan.stage.growth"))
    lattices = [first, *(lattice for lattice, _ in held[1:])]
    found = _found(lattices, (picture.shape[1], picture.shape[0]), reduced)
    if found.confidence < SURE:
        raise NoGridError(
            _refusal(
                f"the best guess is {found.grid.orientation}-top hexes {found.pitch_px:.0f} px "
                f"apart, and that is only {found.confidence:.0%} sure",
                hex_px,
            )
        )
    on_progress(1.0, say("mapkit.scan.stage.grid"))
    return found


def working_picture(picture: Pixels) -> tuple[Pixels, float]:
    """Return a picture reduced to WORKING_PX where it is bigger, and by how much."""
    import cv2

    height, width = picture.shape[:2]
    reduced = min(1.0, math.sqrt(WORKING_PX / (height * width)))
    if reduced == 1:
        return picture, 1.0
    size = (round(width * reduced), round(height * reduced))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), reduced


def _refusal(why: str, hex_px: float | None) -> str:
    more = "" if hex_px else "say how far hexes are apart (--hex-px N), or "
    return f"no grid was found on this scan: {why}; {more}point at three neighbours (--three-hexes)"


def _groups(periods: Sequence[Period], pitch_px: float | None) -> list[list[Period]]:
    """Gather the periods that mean one lattice; the strongest lattices first."""
    groups: list[list[Period]] = []
    for period in sorted(periods, key=lambda one: -one.strength):
        if pitch_px is not None and abs(math.log(period.pitch_px / pitch_px)) > 0.12:
            continue
        like = next((group for group in groups if group[0].is_like(period)), None)
        groups.append([period]) if like is None else like.append(period)
    highest = max((period.first_ring for period in periods), default=0.0)
    least = max(_FIRST_RING * highest, _WORTH_A_LOOK)
    groups = [group for group in groups if max(one.first_ring for one in group) > least]
    return sorted(groups, key=lambda group: -_strength(group))[:_LATTICES]


def _with_coarser(groups: list[list[Period]], shorter_px: int) -> list[list[Period]]:
    """Add the lattices of which the strongest may be the finer: twice the pitch, and √3 times.

    A sheet of few big hexes repeats too seldom for its own period to stand out.
    """
    added: list[list[Period]] = []
    for group in groups[:2]:
        for factor, turn in ((2.0, 0.0), (math.sqrt(3), 30.0)):
            coarse = Period(
                group[0].pitch_px * factor,
                (group[0].angle_deg + turn) % 60.0,
                _COARSER * _strength(group),
                0.0,
            )
            across = shorter_px / coarse.pitch_px
            known = any(one[0].is_like(coarse) for one in (*groups, *added))
            if _FEW_HEXES[0] < across < _FEW_HEXES[1] and not known:
                added.append([coarse])
    return groups + added


def _strength(group: Sequence[Period]) -> float:
    return sum(period.strength for period in group)


def _lattice(
    inks: Sequence[InkPicture],
    group: Sequence[Period],
    marks: Marks,
    masked: Mask | None = None,
) -> _Lattice:
    """Hold a lattice against the pattern of a grid, in the inks that show it best."""
    period = group[0]
    orientation, basis = lattice_basis(period.angle_deg)
    mixed, tiles = mix_inks(inks, basis, period.pitch_px, masked, marks)
    return _Lattice(
        period.pitch_px, orientation, mixed, tiles, worth_of(tiles), _strength(group), marks
    )


def lattice_basis(angle_deg: float) -> tuple[Orientation, Numbers]:
    """Return the orientation and the steps of q and r of a lattice at PITCH_PX.

    The angle is that of a reciprocal vector: neighbours lie 30° beside it.
    """
    turned = (angle_deg + 30.0) % 60.0
    turned -= 60.0 if turned > 30.0 else 0.0
    orientation: Orientation = "pointy" if abs(turned) <= 15 else "flat"
    grid = Grid.regular(
        orientation,
        pitch_px=PITCH_PX,
        first_px=(0.0, 0.0),
        turned_deg=turned if orientation == "pointy" else turned - math.copysign(30.0, turned),
    )
    return orientation, np.array(grid.homography)[:2, :2]


def _found(lattices: Sequence[_Lattice], size: tuple[int, int], reduced: float) -> FoundGrid:
    best = lattices[0]
    laid = lay_grid(best.ink, best.surest.centre, best.surest.basis, best.marks)
    sure = _confidence(lattices, laid)
    return laid.on_scan(
        best.orientation,
        scale=PITCH_PX / best.pitch_px * reduced,
        size=size,
        confidence=sure,
        alternatives=tuple(
            Alternative(
                one.pitch_px / reduced, one.orientation, sure * 0.5 * one.score / best.score
            )
            for one in lattices[1:]
        ),
    )


def _confidence(lattices: Sequence[_Lattice], laid: LaidGrid) -> float:
    """From how strongly the picture repeats, how much like a grid it looks, how nodes agree."""
    best = lattices[0]
    rivals = [one.score / best.score for one in lattices[1:] if not one.is_near(best)]
    evidence = (
        2.5 * math.log(best.strength / 20)
        + 4.0 * (0.6 - max(rivals, default=0.0))
        + 4.0 * (best.surest.clearness - 0.45)
        + 5.0 * (laid.agreement - 0.85)
        + min(0.0, math.log(len(laid.growth) / 12))
    )
    return 1 / (1 + math.exp(-evidence))
