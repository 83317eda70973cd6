"""The backs of drawn sheets: right ones however turned, alike ones, and those of other sheets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from benchmarks.counters.drawn_counters import Dice, Drawn, Print
from benchmarks.counters.drawn_sheets import DrawnSection, DrawnSheet, Filling, fill, mirrored
from benchmarks.counters.printed_sheets import PrintedSheet, other_back

Answer = Literal["paired", "unproven", "foreign", "one section"]


@dataclass(frozen=True)
class BackKind:
    """How a back is made, how it lies, and what should be said of it."""

    answer: Answer
    flip: Literal["columns", "rows"] = "columns"
    quarters: int = 0
    change: str = ""


BACKS: Mapping[str, BackKind] = {
    "columns": BackKind("paired"),
    "rows": BackKind("paired", "rows"),
    "columns, turned by 180°": BackKind("paired", quarters=2),
    "rows, turned by 180°": BackKind("paired", "rows", 2),
    "columns, turned by 90°": BackKind("paired", quarters=1),
    "rows, turned by 270°": BackKind("paired", "rows", 3),
    "another ground on all backs": BackKind("paired", change="ground"),
    "all alike": BackKind("unproven", change="alike"),
    "bare grounds": BackKind("unproven", change="bare"),
    "of another sheet": BackKind("foreign", change="foreign"),
    "one section of another sheet": BackKind("one section", change="one"),
}


def can_have(sheet: DrawnSheet, name: str) -> bool:
    """Say whether that back can be made: what was printed is not drawn anew."""
    change = BACKS[name].change
    if change == "one":
        return len(sheet.sections) > 1
    return not isinstance(sheet, PrintedSheet) or change in ("", "foreign")


def back_kind(name: str, sheet: DrawnSheet) -> BackKind:
    """Return what is to be said of a back: a printed one was turned over as it was printed."""
    kind = BACKS[name]
    return replace(kind, flip=sheet.flip) if isinstance(sheet, PrintedSheet) else kind


def back_of(sheet: DrawnSheet, kind: BackKind, dice: Dice) -> DrawnSheet:
    """Return the sheet turned over, its backs as that kind has them."""
    if isinstance(sheet, PrintedSheet):
        return other_back(sheet, dice) if kind.change else mirrored(sheet, sheet.flip)
    back = mirrored(sheet, kind.flip)
    if kind.change in ("foreign", "one"):
        changed = [_foreign(one, dice) for one in back.sections]
        first = 0 if kind.change == "foreign" else len(changed) - 1
        return replace(back, sections=(*back.sections[:first], *changed[first:]))
    if not kind.change:
        return back
    model = next(iter(sheet.sections[0].cells.values())).back
    changes: dict[str, Callable[[Print], Print]] = {
        "alike": lambda _: model,
        "bare": lambda _: replace(model, blank=True, free=0, bar=None),
        "ground": lambda own: replace(own, ground=(236, 232, 222)),
    }
    change = changes[kind.change]
    sections = tuple(
        replace(
            one,
            cells={at: Drawn(cell.front, change(cell.back)) for at, cell in one.cells.items()},
        )
        for one in back.sections
    )
    return replace(back, sections=sections)


def _foreign(section: DrawnSection, dice: Dice) -> DrawnSection:
    """Return the same cells with counters of another sheet in them, of the same grounds."""
    strange = fill(section.rows, section.columns, Filling(2, by_block=False), dice)
    own = list(section.cells.values())
    cells = {}
    for place in section.cells:
        ground = own[int(dice.integers(0, len(own)))].back.ground
        other = strange.get(place, next(iter(strange.values())))
        cells[place] = Drawn(other.front, replace(other.back, ground=ground))
    return replace(section, cells=cells)
