"""From the pixels of a scan to a map document: all stages, one after the other.

The person stays in charge: a grid, a known hex, a legend and examples may each be given, and what
could not be read is said in the notes of the map instead of being guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from mapkit.errors import MissingExtraError
from mapkit.grid import Grid, Point, nearest_hex
from mapkit.hexes import Hex
from mapkit.kinds import GROUPS, Group, Kinds
from mapkit.model import HexMap, Provenance
from mapkit.numbering import AnyNumbering, Numbering
from mapkit.numbering_rule import counted_numbering
from mapkit.profile import Profile
from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.area import find_area
from mapkit.scan.area_numbers import area_by_numbers
from mapkit.scan.area_outlines import area_outlines
from mapkit.scan.flatten import Flattened, flatten
from mapkit.scan.found_grid import FoundGrid, found_grid_of
from mapkit.scan.ground import study_ground
from mapkit.scan.honeycomb import MARKS
from mapkit.scan.kept_stages import Keeper, Stage, keep_nothing
from mapkit.scan.known_sheet import KnownSheet
from mapkit.scan.legend_checks import check_frames, unseen
from mapkit.scan.line_examples import line_teaching
from mapkit.scan.line_reading import read_lines
from mapkit.scan.load import LoadedScan
from mapkit.scan.numbers import NumbersFound, read_numbers
from mapkit.scan.self_test import try_on_itself
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.sheet_grid import find_sheet_grid
from mapkit.scan.style_pack import StylePack, attach_style, style_of
from mapkit.scan.teaching import NONE, Teaching, TeachingError
from mapkit.scan.trials import SelfTest
from mapkit.texts import say

GRID = Stage("grid", FoundGrid.as_data, found_grid_of)

_MM_PER_INCH = 25.4
_GROUP_OF = {"terrain": "terrain", "feature": "features", "hexside": "hexsides", "link": "links"}


@dataclass(frozen=True, slots=True)
class KnownHex:
    """A hex whose number a person read off the scan, and a pixel inside it."""

    label: str
    at: Point


@dataclass(frozen=True, eq=False)
class ScannedMap:
    """A map as a scan reads it, the flattened picture it refers to, and how it was found.

    *style* is how the sheet looks, for reviews and for its sisters; None where nothing was taught.
    *self_test* is how the reading fares without a map known to be right.
    """

    map_: HexMap
    sheet: FlatSheet
    flattened: Flattened
    numbers: NumbersFound | None
    style: StylePack | None
    self_test: SelfTest = field(default_factory=SelfTest)


def scan_map(
    scan: LoadedScan,
    teaching: Teaching,
    *,
    grid: FoundGrid | KnownSheet | None = None,
    profile: Profile | None = None,
    style: StylePack | None = None,
    known: Sequence[KnownHex] = (),
    title: str = "",
    seed: int = 0,
    keep: Keeper = keep_nothing,
    on_progress: OnProgress = ignore,
) -> ScannedMap:
    """Return the map that a scan shows; places of *teaching* and *known* are pixels of the scan.

    *style* is that of a sister sheet; what *teaching* says of a kind goes before it. Of a *grid*
    that knows its hexes and their labels nothing else is looked for.
    *keep* is asked for the grid and for the numbers, and may know them already.

    Raises:
        NoGridError: no grid was given, and none is sure enough.
        TeachingError: an example lies on no hex, a sample outside of the scan.
    """
    check_frames(teaching.legend, scan)
    if isinstance(grid, KnownSheet):
        flattening = part_of(on_progress, 0.0, 0.5)
        flattened = flatten(scan.pixels, grid.found, on_progress=flattening)
        sheet = FlatSheet(flattened.pixels, flattened.grid, grid.hexes)
        named = _Named(grid.numbering)
        laid = replace(sheet.grid, hex_mm=grid.paper.hex_mm, north_deg=grid.paper.north_deg)
    else:
        flattened, sheet, named = _laid_out(
            scan, teaching, grid, profile, known, keep=keep, on_progress=on_progress
        )
        laid = _measured(sheet.grid, scan.dpi, flattened.found)
    taught = teaching.placed(lambda at: _moved(flattened, at))
    looked_at = sheet
    if style is not None:
        looked_at, samples = attach_style(sheet, style)
        taught = taught.with_legend(samples)
    reading = study_ground(
        looked_at, taught, seed=seed, on_progress=part_of(on_progress, 0.5, 0.75)
    )
    on_progress(0.75, say("mapkit.scan.stage.lines"))
    lines = read_lines(looked_at, line_teaching(looked_at, taught), seed=seed)
    on_progress(0.95, say("mapkit.scan.stage.shapes"))
    grounds = reading.grounds()
    areas = area_outlines(sheet, grounds, seed=seed)
    map_ = HexMap(
        grid=laid,
        numbering=named.numbering,
        hexes=grounds,
        kinds=_kinds(taught, profile),
        hexsides=lines.hexsides,
        links=lines.links,
        shapes=(*areas, *lines.curves, *reading.features.points()),
        title=title,
        provenance=Provenance("scan"),
    )
    map_ = replace(map_, notes=(*named.notes, *unseen(map_, taught.legend)))
    on_progress(1.0, say("mapkit.scan.stage.map"))
    tested = try_on_itself(reading, seed=seed)
    return ScannedMap(map_, sheet, flattened, named.numbers, style_of(looked_at, taught), tested)


class _Named(NamedTuple):
    """How hexes are called, what was read of that, and what stays open."""

    numbering: AnyNumbering
    numbers: NumbersFound | None = None
    notes: tuple[str, ...] = ()


def _laid_out(
    scan: LoadedScan,
    teaching: Teaching,
    grid: FoundGrid | None,
    profile: Profile | None,
    known: Sequence[KnownHex],
    *,
    keep: Keeper,
    on_progress: OnProgress,
) -> tuple[Flattened, FlatSheet, _Named]:
    """Find the grid where none is given, lay the scan flat, and find its area and its numbers."""
    finding = part_of(on_progress, 0.0, 0.3)
    found = grid or keep(GRID, None, lambda: find_sheet_grid(scan.pixels, on_progress=finding))
    found = _with_its_page(found, teaching, known)
    flattened = flatten(scan.pixels, found, on_progress=part_of(on_progress, 0.3, 0.35))
    on_progress(0.35, say("mapkit.scan.stage.area"))
    area = find_area(flattened.pixels, flattened.grid, MARKS[found.marks])
    sheet = FlatSheet(flattened.pixels, flattened.grid, flattened.on_page(area))
    numbers, notes = _numbers(
        sheet, found, known, profile, keep=keep, on_progress=part_of(on_progress, 0.4, 0.5)
    )
    if numbers is not None:
        sheet = area_by_numbers(sheet, numbers)
        sheet = replace(sheet, hexes=flattened.on_page(sheet.hexes))
    return flattened, sheet, _Named(_numbering(numbers, sheet), numbers, notes)


def _with_its_page(found: FoundGrid, teaching: Teaching, known: Sequence[KnownHex]) -> FoundGrid:
    """Return the grid without the outline of its sheet where somebody points beside that."""
    at = [one.at for one in known] + [(one.x, one.y) for one in teaching.examples]
    for sample in teaching.legend:
        if sample.rect is not None:
            x, y, width, height = sample.rect
            at += [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    if found.page is None or found.page.holds(np.array(at).reshape(-1, 2)).all():
        return found
    return replace(found, page=None)


def _moved(flattened: Flattened, at: Point) -> Point:
    x, y = flattened.from_scan(np.array([at], float))[0].tolist()
    return x, y


def _measured(grid: Grid, dpi: float | None, found: FoundGrid) -> Grid:
    """Say how wide hexes are on paper, where the file says how fine the scan is."""
    return replace(grid, hex_mm=round(found.pitch_px / dpi * _MM_PER_INCH, 2)) if dpi else grid


def _numbers(
    sheet: FlatSheet,
    found: FoundGrid,
    known: Sequence[KnownHex],
    profile: Profile | None,
    *,
    keep: Keeper,
    on_progress: OnProgress,
) -> tuple[NumbersFound | None, tuple[str, ...]]:
    """Read the printed numbers, and say what stays open."""
    at = [(one.label, _hex_of(found, one)) for one in known]
    for label, hex_ in at:
        if hex_ not in sheet.hexes:
            raise TeachingError(
                f"the known hex {label} does not lie on the playing area of the scan"
            )
    candidates = [one.numbering for one in profile.numberings] if profile else []
    made_from = [found.as_data(), at, repr(candidates)]
    try:
        numbers = keep(
            _numbers_stage(),
            made_from,
            lambda: read_numbers(sheet, known=at, candidates=candidates, on_progress=on_progress),
        )
    except MissingExtraError as error:
        return None, (say("mapkit.scan.note.no_ocr", reason=str(error)),)
    if numbers.undecided:
        return numbers, (say("mapkit.scan.note.undecided", percent=round(100 * numbers.share)),)
    return numbers, ()


def _numbers_stage() -> Stage[NumbersFound]:
    from pydantic import TypeAdapter

    adapter = TypeAdapter(NumbersFound)
    return Stage(
        "numbers", lambda found: adapter.dump_python(found, mode="json"), adapter.validate_python
    )


def _hex_of(found: FoundGrid, known: KnownHex) -> Hex:
    q, r = found.from_scan(np.array([known.at], float))[0].tolist()
    return nearest_hex(q, r)


def _numbering(numbers: NumbersFound | None, sheet: FlatSheet) -> Numbering:
    """Return what was read, or plain numbers from the upper left corner of the playing area."""
    if numbers is not None and numbers.numbering is not None:
        return numbers.numbering
    return counted_numbering(sheet.hexes, sheet.grid.orientation)


def _kinds(teaching: Teaching, profile: Profile | None) -> Kinds:
    """The words of the legend, of the examples and of the profile, in this order."""
    kinds = Kinds()
    for group in GROUPS:
        samples = [sample for sample in teaching.legend if sample.group == group]
        words = [sample.kind for sample in samples]
        words += [one.value for one in teaching.examples if _GROUP_OF.get(one.what) == group]
        kinds = kinds.with_ids(group, iter(word for word in words if word != NONE))
        titles = {sample.kind: sample.title for sample in samples}
        kinds = _titled(kinds, group, titles)
    return kinds.merged(profile.kinds) if profile else kinds


def _titled(kinds: Kinds, group: Group, titles: dict[str, str]) -> Kinds:
    named = tuple(
        replace(kind, title=titles.get(kind.id, kind.title)) for kind in kinds.group(group)
    )
    return replace(kinds, **{group: named})
