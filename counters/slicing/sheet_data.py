"""What slicing found, as the model keeps it: the sheet, its units, and a list to review."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO

import numpy as np

from counters.model import Colours, Face, Flip, Quad, Section, Sheet, Unit
from counters.slicing.cut import CutSection
from counters.slicing.features import ground_of
from counters.slicing.pairing import Verdict
from counters.slicing.reading import SURE, ReadText, factors_of, name_of
from counters.slicing.sections import Place
from counters.slicing.slice_sheet import Sliced
from counters.slicing.turns import Turn
from mapkit.scan.sheet import Pixels

FOLDER = "counters"
_MM = 25.4
_ONE_GROUND = 20.0  # shades: grounds that differ less are one side


@dataclass(frozen=True)
class Naming:
    """The id of every cell, in the order of the cells."""

    ids: tuple[str, ...]

    def picture(self, index: int, face: str) -> str:
        """Return where the picture of a face lies, from the sheet's folder."""
        return f"{FOLDER}/{self.ids[index]}-{face}.png"


def name_cells(sliced: Sliced, units: Sequence[Unit] | None = None) -> Naming:
    """Name cells by section, row and column: A-02-05; or by a table, in reading order.

    A copy has the name of what it is a copy of.
    """
    if units is not None:
        ids = [unit.id for unit in units for _ in range(unit.copies)]
        return Naming(tuple(ids))
    own = []
    for cell in sliced.cells:
        row, column = cell.place
        own.append(f"{sliced.names[cell.section]}-{row + 1:02d}-{column + 1:02d}")
    return Naming(tuple(own[cell.kind] for cell in sliced.cells))


def sheet_of(
    sliced: Sliced,
    naming: Naming,
    *,
    name: str,
    files: tuple[str, str],
    dpi: float | None,
    reduced: tuple[float, float] = (1.0, 1.0),
) -> Sheet:
    """Return the sheet; corners are those of the files, which may be bigger than what was read."""
    pairing = sliced.pairing
    sections = []
    for number, front in enumerate(sliced.fronts):
        lattice = front.found.lattice
        pairs = pairing.sections[number] if pairing else None
        back: Quad | None = None
        if pairs and pairing and pairing.turn and pairs.pairs and pairs.back is not None:
            corners = _whole_back(sliced.backs[pairs.back], front, pairs.begin, pairing.turn)
            back = _grown(_as_read(corners, pairing.turn.quarters), reduced[1])
        cells = {
            cell.place: naming.ids[index]
            for index, cell in enumerate(sliced.cells)
            if cell.section == number
        }
        size = tuple(round(px / dpi * _MM, 2) for px in lattice.cell_px) if dpi else None
        step = lattice.pitch_px
        gaps = tuple(
            round(px * (1 - share) / dpi * _MM, 2) if dpi else 0.0
            for px, share in zip(step, lattice.share, strict=True)
        )
        sections.append(
            Section(
                name=sliced.names[number],
                rows=lattice.rows,
                columns=lattice.columns,
                front=_grown(lattice.quad, reduced[0]),
                back=back,
                counter_mm=(size[0], size[1]) if size else None,
                gutter_mm=(max(gaps[0], 0.0), max(gaps[1], 0.0)),
                flip=pairing.turn.flip if pairing and pairing.turn else Flip.COLUMNS,
                cells=cells,
            )
        )
    whole = round(dpi / reduced[0], 2) if dpi else None
    return Sheet(name, files[0], files[1], whole, tuple(sections))


def _whole_back(back: CutSection, front: CutSection, begin: Place, turn: Turn) -> Quad:
    """Return the corners on the back's scan of all that lies behind a section, bare cells too."""
    rows, columns = front.found.rows, front.found.columns
    if turn.quarters % 2:
        rows, columns = columns, rows
    lattice = back.found.lattice
    moved = np.array([[1, 0, -begin[1]], [0, 1, -begin[0]], [0, 0, 1]], float)
    return replace(lattice, matrix=lattice.matrix @ moved, rows=rows, columns=columns).quad


def _as_read(corners: Quad, quarters: int) -> Quad:
    """Return corners from the upper left as one reads, of a sheet that lies turned to the right."""
    a, b, c, d = (corners[(index + quarters) % 4] for index in range(4))
    return a, b, c, d


def _grown(corners: Quad, reduced: float) -> Quad:
    a, b, c, d = ((round(x / reduced, 2), round(y / reduced, 2)) for x, y in corners)
    return a, b, c, d


def units_of(
    sliced: Sliced, naming: Naming, texts: Mapping[tuple[int, str], Sequence[ReadText]]
) -> list[Unit]:
    """Return a unit for every counter: its pictures, its ground, and what was surely read.

    Nobody knows yet whose it is: counters of one ground get one side, to be renamed.
    """
    sides = _sides([sliced.cells[index].front for index in sliced.kinds])
    units = []
    for index, (side, ground) in zip(sliced.kinds, sides, strict=True):
        cell = sliced.cells[index]
        faces = [("front", cell.front), ("back", cell.back)]
        units.append(
            Unit(
                id=naming.ids[index],
                name=name_of(texts.get((index, "front"), ())) or naming.ids[index],
                side=side,
                faces=tuple(
                    Face(face, _values(texts.get((index, face), ())), naming.picture(index, face))
                    for face, picture in faces
                    if picture is not None
                ),
                colours=Colours(ground=ground),
                copies=sliced.copies(index),
            )
        )
    return units


def units_with_pictures(sliced: Sliced, naming: Naming, units: Sequence[Unit]) -> list[Unit]:
    """Return the units of somebody's table with the pictures of their faces.

    What they call the second of two faces (reduced, fire) is the back; else it is called so.
    """
    cells = {naming.ids[index]: index for index in reversed(range(len(sliced.cells)))}
    found = []
    for unit in units:
        index = cells[unit.id]
        faces = {face.name: face for face in unit.faces}
        names = [*faces, *("front", "back")[len(faces) :]][:2]
        pictures = (sliced.cells[index].front, sliced.cells[index].back)
        for name, side, picture in zip(names, ("front", "back"), pictures, strict=True):
            if picture is not None:
                known = faces.get(name, Face(name))
                faces[name] = replace(known, picture=naming.picture(index, side))
        found.append(replace(unit, faces=tuple(faces.values())))
    return found


def _values(texts: Sequence[ReadText]) -> dict[str, int]:
    """Name factors by their order: what they mean is the game's."""
    return {f"factor_{place}": value for place, value in enumerate(factors_of(texts), 1)}


def _sides(fronts: Sequence[Pixels]) -> list[tuple[str, str]]:
    """Return for every counter the number of its ground, by first appearance, and its colour."""
    seen: list[tuple[float, ...]] = []
    found = []
    for picture in fronts:
        ground = tuple(float(value) for value in ground_of(picture))
        near = next((i for i, other in enumerate(seen) if _apart(ground, other) < _ONE_GROUND), -1)
        if near < 0:
            seen.append(ground)
            near = len(seen) - 1
        red, green, blue = (round(value) for value in seen[near])
        found.append((f"ground-{near + 1}", f"#{red:02x}{green:02x}{blue:02x}"))
    return found


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return max(abs(one - two) for one, two in zip(a, b, strict=True))


REVIEW_COLUMNS = ("section", "row", "column", "face", "text", "confidence", "taken", "picture")


def review_table(
    sliced: Sliced, naming: Naming, texts: Mapping[tuple[int, str], Sequence[ReadText]]
) -> bytes:
    """Return everything that was read as a CSV file, the least sure first."""
    rows = []
    for (index, face), read in texts.items():
        cell = sliced.cells[index]
        taken = {name_of(read) if face == "front" else ""} - {""}
        factors = factors_of(read)
        for text in read or (ReadText("", 0.0, 0.0),):
            is_taken = text.confidence >= SURE and (
                text.text in taken or bool(factors and text.factors == factors)
            )
            row, column = cell.place
            rows.append(
                (
                    text.confidence,
                    (
                        sliced.names[cell.section], row + 1, column + 1, face, text.text,
                        f"{text.confidence:.2f}", "yes" if is_taken else "no",
                        naming.picture(index, face),
                    ),
                )
            )  # fmt: skip
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(REVIEW_COLUMNS)
    writer.writerows(row for _, row in sorted(rows, key=lambda one: one[0]))
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def verdict_of(sliced: Sliced) -> Verdict | None:
    """Return what can be said of the pairing; None where no back was given."""
    if sliced.blank_back:
        return Verdict.UNPROVEN
    return sliced.pairing.verdict if sliced.pairing else None
