"""A sheet of counters as a file: `sheet.toml`, beside its scans and the table of its counters.

    format = "mapkit-sheet/1"
    name = "Sheet 1"
    front = "front.png"
    back = "back.png"
    dpi = 300

    [[sections]]
    name = "A"
    rows = 2
    columns = 3
    front = [[40, 40], [490, 42], [488, 342], [38, 340]]
    cells = [
      ["it-79-i", "it-79-ii", ""],
      ["mud", "mud", "mud"],
    ]

Each line of cells is a row of the front, each id one counter; "" is an empty cell.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from counters.model import Corner, Flip, Quad, Section, Sheet
from counters.picture_paths import as_written, leads_out
from mapkit.errors import DocumentError, Fault
from mapkit.store.files import read_file

FILE = "sheet.toml"
FORMAT = "mapkit-sheet/1"
WHAT = "counter sheet"
LIMIT_BYTES = 4_000_000
MOST_LINES = 200

_FORMAT = re.compile(r"mapkit-sheet/(\d+)", re.ASCII)


class SheetFileError(DocumentError):
    """A file is no sheet of counters; *faults* holds all that was found."""


def _inside(path: str) -> str:
    if path and leads_out(path):
        raise ValueError(f"'{path}' leads out of the folder of the file")
    return as_written(path)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Picture = Annotated[str, AfterValidator(_inside)]
Lines = Annotated[int, Field(ge=1, le=MOST_LINES)]
Length = Annotated[float, Field(gt=0, le=1000)]
Gap = Annotated[float, Field(ge=0, le=1000)]


class SectionEntry(_Strict):
    """A block of counters of one size."""

    name: str
    rows: Lines
    columns: Lines
    front: Quad | None = Field(
        None, description="Its corners in the front scan, in pixels, clockwise from the top left"
    )
    back: Quad | None = Field(None, description="Its corners in the back scan, as one reads it")
    counter_mm: tuple[Length, Length] | None = Field(None, description="Width and height")
    gutter_mm: tuple[Gap, Gap] = Field(
        (0.0, 0.0), description="Room between two columns, and between two rows"
    )
    flip: Literal["columns", "rows"] = Field(
        "columns", description="What changes order when the sheet is turned over"
    )
    cells: tuple[tuple[str, ...], ...] = Field(
        (), description="The ids of the counters, row by row; an empty text is an empty cell"
    )


class SheetFile(_Strict):
    """A sheet.toml."""

    format: Literal["mapkit-sheet/1"]
    name: Annotated[str, Field(min_length=1)]
    front: Picture = Field("", description="The scan of the front, in the folder of this file")
    back: Picture = Field("", description="The scan of the back")
    dpi: Annotated[float, Field(gt=0, le=100_000)] | None = None
    sections: tuple[SectionEntry, ...] = ()


def load_sheet(path: Path) -> Sheet:
    """Return the sheet that a file describes.

    Raises:
        SheetFileError: it is none, or of a later format; every wrong key is named.
        StoreError: the file cannot be read.
    """
    return parse_sheet(read_file(path, what=WHAT, limit_bytes=LIMIT_BYTES), str(path))


def parse_sheet(data: bytes, source: str) -> Sheet:
    """Return the sheet in the bytes of a file; *source* names it in messages.

    Raises:
        SheetFileError: it is none, or of a later format; every wrong key is named.
    """
    file = _read(data, source)
    faults = [fault for section in file.sections for fault in _misfits(section)]
    names = [section.name for section in file.sections]
    faults += [
        Fault(f"sections.{name}", "a second section of that name", "rename one of them")
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    if faults:
        raise _listing(source, faults)
    sections = tuple(map(_section, file.sections))
    return Sheet(file.name, file.front, file.back, file.dpi, sections)


def dump_sheet(sheet: Sheet) -> bytes:
    """Return a sheet as the bytes of its file: the inverse of `load_sheet`.

    Raises:
        SheetFileError: the sheet says what no file may, such as a counter off its section.
    """
    lines = [f'format = "{FORMAT}"', f"name = {_text(sheet.name)}"]
    lines += [f"{key} = {_text(path)}" for key in _SIDES if (path := getattr(sheet, key))]
    lines += [f"dpi = {_number(sheet.dpi)}"] if sheet.dpi is not None else []
    for section in sheet.sections:
        lines += ["", "[[sections]]", *_section_lines(section)]
    data = "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")
    parse_sheet(data, sheet.name or "the sheet")  # nothing is written that we would refuse to read
    return data


_SIDES = ("front", "back")


def _read(data: bytes, source: str) -> SheetFile:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise SheetFileError(f"{source}: not UTF-8 text; is it a {FILE}?") from None
    except (ValueError, RecursionError) as error:
        raise SheetFileError(f"{source}: broken TOML: {error}; mend that line") from None
    _require_format(content.get("format"), source)
    try:
        # By JSON's rules an array may become a tuple, and still no text becomes a number.
        return SheetFile.model_validate_json(json.dumps(content, default=str))
    except ValidationError as error:
        raise _listing(source, [_fault(dict(one)) for one in error.errors()]) from None


def _require_format(found: Any, source: str) -> None:
    if found == FORMAT:
        return
    later = _FORMAT.fullmatch(found) if isinstance(found, str) else None
    if later and int(later[1]) > 1:
        raise SheetFileError(
            f"{source}: written as '{found}', this Mapkit reads '{FORMAT}'; "
            f"install a Mapkit that reads {found}"
        )
    raise SheetFileError(
        f"{source}: its format is {found!r}, a sheet of counters says '{FORMAT}'; correct it"
    )


def _fault(detail: dict[str, Any]) -> Fault:
    place = ".".join(map(str, detail["loc"])) or "the file"
    problem = str(detail["msg"]).removeprefix("Value error, ")
    if detail["type"] == "extra_forbidden":
        return Fault(place, "a sheet has no such key", "remove it or correct its name")
    return Fault(place, problem[:1].lower() + problem[1:], "correct it")


def _misfits(section: SectionEntry) -> list[Fault]:
    """Find lines of cells that are not as many, or as long, as the section says."""
    if not section.cells:
        return []
    place = f"sections.{section.name}.cells"
    faults = []
    if len(section.cells) != section.rows:
        problem = f"{len(section.cells)} rows of cells, the section has {section.rows}"
        faults.append(Fault(place, problem, "write a line for each row"))
    for number, line in enumerate(section.cells, 1):
        if len(line) != section.columns:
            problem = f"row {number} has {len(line)} cells, the section has {section.columns}"
            faults.append(Fault(place, problem, 'name each cell; "" is an empty one'))
    return faults


def _section(entry: SectionEntry) -> Section:
    return Section(
        name=entry.name,
        rows=entry.rows,
        columns=entry.columns,
        front=entry.front,
        back=entry.back,
        counter_mm=entry.counter_mm,
        gutter_mm=entry.gutter_mm,
        flip=Flip(entry.flip),
        cells={
            (row, column): id_
            for row, line in enumerate(entry.cells)
            for column, id_ in enumerate(line)
            if id_
        },
    )


def _section_lines(section: Section) -> list[str]:
    lines = [f"name = {_text(section.name)}"]
    lines += [f"rows = {section.rows}", f"columns = {section.columns}"]
    for key in _SIDES:
        corners: Quad | None = getattr(section, key)
        lines += [f"{key} = [{', '.join(map(_pair, corners))}]"] if corners else []
    lines += [f"counter_mm = {_pair(section.counter_mm)}"] if section.counter_mm else []
    lines += [f"gutter_mm = {_pair(section.gutter_mm)}"] if any(section.gutter_mm) else []
    lines += [f'flip = "{section.flip.value}"']
    return [*lines, *_cell_lines(section)] if section.cells else lines


def _cell_lines(section: Section) -> list[str]:
    off = [
        Fault(f"sections.{section.name}.cells", f"'{id_}' lies off the section", "correct its cell")
        for (row, column), id_ in section.cells.items()
        if not (0 <= row < section.rows and 0 <= column < section.columns)
    ]
    if off:
        raise _listing(section.name, off)
    rows = (
        ", ".join(_text(section.cells.get((row, column), "")) for column in range(section.columns))
        for row in range(section.rows)
    )
    return ["cells = [", *(f"  [{row}]," for row in rows), "]"]


def _pair(pair: Corner) -> str:
    return f"[{_number(pair[0])}, {_number(pair[1])}]"


def _number(number: float) -> str:
    """Write a number so that it reads as the very same: 12.7, and 300 for 300.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _text(text: str) -> str:
    # A TOML text is written as a JSON one, but for the sign DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _listing(source: str, faults: list[Fault]) -> SheetFileError:
    if len(faults) == 1:
        return SheetFileError(f"{source}: {faults[0]}", faults)
    lines = "\n".join(f"  {fault}" for fault in faults)
    return SheetFileError(f"{source}: {len(faults)} faults:\n{lines}", faults)
