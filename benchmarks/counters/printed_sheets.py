"""Sheets as Mapkit prints them: the counters of a game's scenario as PDF, its pages as pictures.

Where every counter lies is known from the plan of the print. The last row is seldom full, and
counters of one side leave bare cells on the back.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from benchmarks.counters.drawn_counters import FINE, Dice
from benchmarks.counters.drawn_sheets import DrawnSection, DrawnSheet
from counters.drawing import face_names, load_counter_style
from counters.model import Face, Unit
from counters.printing.pdf import print_sheets
from counters.printing.pictures import Printable, face_pictures
from counters.printing.plan import Duplex, PrintPage, SheetPlan, plan_sheets
from counters.printing.sizes import SIZES, parse_size
from rules.project import pack_named
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import unit_counters

Pixels = npt.NDArray[np.uint8]
GAMES = (
    ("strafexpedition", "s1"),
    ("strafexpedition", "s3"),
    ("strafexpedition", "s4"),
    ("custoza", "s1"),
    ("custoza", "s5"),
    ("durchbruch", "s1"),
    ("caporetto-front", "s1"),
)
_DPI = 400  # of the counters in the PDF
_POINTS = 72.0
_COPIES = 3


@dataclass(frozen=True, eq=False)
class PrintedSheet(DrawnSheet):
    """A sheet that was printed: the PDF, and which of its pages is the front or the back.

    *backs* are the cells that have a back.
    """

    pdf: bytes = b""
    pages: tuple[int, int | None] = (0, None)
    backs: frozenset[tuple[int, int]] = field(default=frozenset())

    def page(self, side: str, dpi: float) -> Pixels:
        """Return one side as a picture."""
        import pypdfium2

        index = self.pages[0 if side == "front" else 1]
        assert index is not None  # nobody asks for a back that is not there
        document = pypdfium2.PdfDocument(self.pdf)
        # PDFium lays pictures on whole pixels: so these are made fine.
        fine = document[index].render(scale=dpi * FINE / _POINTS).to_pil().convert("RGB")
        document.close()
        return np.asarray(fine.reduce(FINE), np.uint8)


def other_back(sheet: PrintedSheet, dice: Dice) -> PrintedSheet:
    """Return the back of another sheet of the same print."""
    while True:
        other = printed_sheet(dice)
        if other.backs and other.pdf != sheet.pdf:
            return other


def printed_sheet(
    dice: Dice, *, gutter_mm: float = 0.0, game: tuple[str, str] | None = None
) -> PrintedSheet:
    """Print some counters of one game: touching or apart, of any size, either way of duplex."""
    name, scenario = game or GAMES[int(dice.integers(0, len(GAMES)))]
    units = list(_units(name, scenario))
    size_mm = parse_size(SIZES[int(dice.integers(0, len(SIZES)))])
    first = int(dice.integers(0, max(1, len(units) - 60)))
    count = int(dice.integers(26, 61))
    some = units[first : first + count]
    some += [some[int(index)] for index in dice.integers(0, len(some), _COPIES)]
    if dice.random() < 0.5:
        filled = {unit.id: _filled(unit, dice) for unit in some}
        some = [filled[unit.id] for unit in some]
    duplex: Duplex = "long" if dice.random() < 0.5 else "short"
    look = load_counter_style(name)
    listed = [Printable(unit, Path()) for unit in some]
    has_back = [len(face_names(unit, look)) > 1 for unit in some]
    plan = plan_sheets(has_back, size_mm, gutter_mm=gutter_mm, duplex=duplex)
    pdf = print_sheets(plan, face_pictures(listed, look, size_mm, dpi=_DPI))
    return _sheet(plan, pdf, some, has_back)


@cache
def _units(name: str, scenario: str) -> tuple[Unit, ...]:
    return unit_counters(scenarios_of(pack_named(name)), scenario)


def _filled(unit: Unit, dice: Dice) -> Unit:
    """Return a unit whose unknown values somebody entered."""
    faces = []
    for face in unit.faces:
        values: dict[str, int | Fraction | None] = {
            word: int(dice.integers(1, 10)) if value is None else value
            for word, value in face.values.items()
        }
        faces.append(Face(face.name, values, face.picture))
    return replace(unit, faces=tuple(faces))


def _sheet(plan: SheetPlan, pdf: bytes, units: list[Unit], has_back: list[bool]) -> PrintedSheet:
    front = plan.pages[0]
    sides = [(page.sheet, page.side) for page in plan.pages]
    back = sides.index((1, "back")) if (1, "back") in sides else None
    columns, rows = (sorted(set(each)) for each in zip(*_corners(front), strict=True))
    gutter = columns[1] - columns[0] - plan.size_mm
    cells, backs = {}, set()
    for one in front.placed:
        place = (rows.index(round(one.y_mm, 6)), columns.index(round(one.x_mm, 6)))
        cells[place] = replace(units[one.index], id="")  # of the printed things alone
        if has_back[one.index]:
            backs.add(place)
    section = DrawnSection(
        len(rows), len(columns), (columns[0], rows[0]), (plan.size_mm, plan.size_mm),
        cells, (gutter, gutter),  # type: ignore[arg-type]  # what a cell holds is only compared
    )  # fmt: skip
    flip: Literal["columns", "rows"] = "rows" if plan.duplex == "short" else "columns"
    return PrintedSheet(
        plan.paper_mm, (section,), pdf=pdf, pages=(0, back), flip=flip, backs=frozenset(backs)
    )


def _corners(page: PrintPage) -> list[tuple[float, float]]:
    return [(round(one.x_mm, 6), round(one.y_mm, 6)) for one in page.placed]
