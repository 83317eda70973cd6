"""How a table's labels name hexes: a word such as CCRR, or a TOML file for everything else.

A `Layout` is a numbering whose first column and row may be left open; they are then those of
the labels found, so that the leftmost column and topmost row meet in hex (0, 0).
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mapkit.errors import DocumentError, Fault, MapkitError, NumberingError
from mapkit.grid import Orientation
from mapkit.hexes import ORIGIN, Hex
from mapkit.numbering import (
    ALPHABET,
    AnyNumbering,
    Axis,
    Compass,
    Letters,
    Numbering,
    Order,
    Parity,
    Straight,
    Toward,
)

STRAIGHT: dict[Orientation, Straight] = {"flat": "columns", "pointy": "rows"}

_WORD = re.compile(r"(C{1,3})(R{1,3})|(R{1,3})(C{1,3})")


@dataclass(frozen=True, slots=True)
class Layout:
    """A numbering, what of it the labels must tell, and where north lies.

    *shove_is_guessed* where nobody said which lines stand half a hex off: no label shows that.
    """

    numbering: Numbering
    first_column_is_open: bool = False
    first_row_is_open: bool = False
    north_deg: float = 0.0
    shove_is_guessed: bool = False

    def fitted(self, labels: Iterable[str]) -> Numbering:
        """Return the numbering with its first column and row taken from the labels.

        What is no label is passed over: whoever reads the table reports it.
        """
        numbering = self.numbering
        if not (self.first_column_is_open or self.first_row_is_open):
            return numbering
        positions = []
        for label in labels:
            try:
                positions.append(numbering.position(numbering.parse_label(label)))
            except NumberingError:
                continue
        if not positions:
            return numbering
        columns, rows = numbering.columns, numbering.rows
        if self.first_column_is_open:
            columns = _beginning_at(columns, min(column for column, _ in positions))
        if self.first_row_is_open:
            rows = _beginning_at(rows, min(row for _, row in positions))
        return replace(numbering, columns=columns, rows=rows)


def is_word(text: str) -> bool:
    """Tell whether a layout is named by a word: CCRR, RRCC, or as many digits as there are."""
    return _WORD.fullmatch(text) is not None


def layout_from_word(
    word: str,
    orientation: Orientation,
    *,
    shoved: Parity | None = None,
    toward: Toward | None = None,
    columns_run: Compass | None = None,
    rows_run: Compass | None = None,
    separator: str = "",
) -> Layout:
    """Return the layout that a word names: each C is a digit of the column, each R of the row.

    >>> layout_from_word("RRCC", "pointy").fitted(["0512", "0611"]).parse_label("0511")
    Hex(q=0, r=0)
    """
    match = _WORD.fullmatch(word)
    if match is None:
        raise NumberingError(f"'{word}' is no numbering; give CCRR, RRCC or a TOML file")
    columns, rows = (len(match[1]), len(match[2])) if match[1] else (len(match[4]), len(match[3]))
    numbering = Numbering(
        straight=STRAIGHT[orientation],
        order="CCRR" if match[1] else "RRCC",
        columns=Axis(digits=columns),
        rows=Axis(digits=rows),
        separator=separator,
        shoved=shoved or "even",
        toward=toward or "higher",
    )
    numbering, north_deg = _running(numbering, columns_run, rows_run)
    guessed = shoved is None or toward is None
    return Layout(numbering, True, True, north_deg, guessed)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AxisFile(_Strict):
    """The table `[columns]` or `[rows]` of a numbering file."""

    first: int | None = None
    step: Literal[1, -1] | None = None
    digits: int = 2
    letters: Letters | None = None
    alphabet: str = ALPHABET
    wrap_from: int | None = None
    skip: list[int] = []

    def axis(self) -> Axis:
        """Return the axis; where *first* is open, with some number that is printed."""
        first = self.first
        if first is None:
            first = next(n for n in range(1, len(self.skip) + 2) if n not in self.skip)
        return Axis(
            first=first,
            step=self.step or 1,
            digits=self.digits,
            letters=self.letters,
            alphabet=self.alphabet,
            wrap_from=self.wrap_from,
            skip=tuple(self.skip),
        )


class LayoutFile(_Strict):
    """A numbering file: what `mapkit.numbering.Numbering` holds, in TOML."""

    straight: Straight | None = None
    order: Order = "CCRR"
    separator: str = ""
    shoved: Parity | None = None
    toward: Toward | None = None
    columns_run: Compass | None = None
    rows_run: Compass | None = None
    origin: tuple[int, int] | None = None
    columns: AxisFile = AxisFile()
    rows: AxisFile = AxisFile()


def parse_layout(data: bytes, source: str, orientation: Orientation) -> Layout:
    """Return the layout in a TOML file; *source* names the file in messages.

    Raises:
        DocumentError: it does not read; every wrong key is named.
    """
    file = _read(data, source)
    faults: list[Fault] = []
    straight = STRAIGHT[orientation]
    if file.straight not in (None, straight):
        faults.append(
            Fault(
                "straight",
                f"the {file.straight} are straight here, but --layout is {orientation}",
                "flat hexes stand in straight columns, pointy ones in straight rows",
            )
        )
    axes = {}
    for name, entry in (("columns", file.columns), ("rows", file.rows)):
        try:
            axes[name] = entry.axis()
        except NumberingError as error:
            faults.append(Fault(name, str(error), "correct it"))
    if len(axes) == 2:
        try:
            numbering, north_deg = _running(
                Numbering(
                    straight=straight,
                    order=file.order,
                    separator=file.separator,
                    shoved=file.shoved or "even",
                    toward=file.toward or "higher",
                    origin=ORIGIN if file.origin is None else Hex(*file.origin),
                    **axes,
                ),
                file.columns_run,
                file.rows_run,
            )
        except MapkitError as error:
            faults.append(Fault("numbering", str(error), "correct it"))
        else:
            faults += _contradictions(file, numbering)
    if faults:
        raise _listing(source, faults)
    return Layout(
        numbering,
        first_column_is_open=file.columns.first is None,
        first_row_is_open=file.rows.first is None,
        north_deg=north_deg,
        shove_is_guessed=file.shoved is None or file.toward is None,
    )


def dump_layout(numbering: AnyNumbering) -> str:
    """Return the TOML file that `parse_layout` reads as this very numbering."""
    import tomlkit

    if not isinstance(numbering, Numbering):
        raise NumberingError("joined sheets that keep their own numbers have no numbering file")
    document = tomlkit.document()
    document.add(tomlkit.comment("How the hexes of this map are numbered."))
    document["straight"] = numbering.straight
    document["order"] = numbering.order
    document["separator"] = numbering.separator
    document["shoved"] = numbering.shoved
    document["toward"] = numbering.toward
    if numbering.origin != ORIGIN:
        document["origin"] = list(numbering.origin)
    document["columns"] = _axis_entry(numbering.columns)
    document["rows"] = _axis_entry(numbering.rows)
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def _axis_entry(axis: Axis) -> Mapping[str, object]:
    entry: dict[str, object] = {"first": axis.first, "step": axis.step, "digits": axis.digits}
    if axis.letters:
        entry["letters"] = axis.letters
    if axis.alphabet != ALPHABET:
        entry["alphabet"] = axis.alphabet
    if axis.wrap_from is not None:
        entry["wrap_from"] = axis.wrap_from
    if axis.skip:
        entry["skip"] = list(axis.skip)
    return entry


def _read(data: bytes, source: str) -> LayoutFile:
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DocumentError(f"{source}: not UTF-8 text (byte {error.start})") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DocumentError(f"{source}: not a numbering file in TOML ({error})") from None
    try:
        # By JSON's rules an array may become a tuple, and still no text becomes a number.
        return LayoutFile.model_validate_json(json.dumps(content, default=str))
    except ValidationError as error:
        faults = [
            Fault(
                ".".join(map(str, detail["loc"])) or "the file",
                detail["msg"][:1].lower() + detail["msg"][1:],
                "remove it or correct its name"
                if detail["type"] == "extra_forbidden"
                else "correct it",
            )
            for detail in error.errors()
        ]
        raise _listing(source, faults) from None


def _listing(source: str, faults: list[Fault]) -> DocumentError:
    lines = "\n".join(f"  {fault}" for fault in faults)
    return DocumentError(f"{source}: this is no numbering:\n{lines}", faults)


def _running(
    numbering: Numbering, columns_run: Compass | None, rows_run: Compass | None
) -> tuple[Numbering, float]:
    if columns_run is None and rows_run is None:
        return numbering, 0.0
    if columns_run is None or rows_run is None:
        raise NumberingError("say where the columns run and where the rows run, or neither")
    return numbering.running(columns=columns_run, rows=rows_run)


def _contradictions(file: LayoutFile, numbering: Numbering) -> list[Fault]:
    """Find steps that say otherwise than the compass."""
    stated = (
        ("columns", file.columns.step, numbering.columns.step),
        ("rows", file.rows.step, numbering.rows.step),
    )
    return [
        Fault(
            f"{name}.step",
            f"is {step}, but by the compass these numbers step by {due}",
            f"remove it, or {name}_run",
        )
        for name, step, due in stated
        if step not in (None, due)
    ]


def _beginning_at(axis: Axis, position: int) -> Axis:
    """Return the same numbers with the line at *position* as the first."""
    # An axis that begins at 0 and skips nothing finds a number at its own position.
    plain = replace(axis, first=0, step=1, skip=())
    return replace(axis, first=plain.parse_part(axis.format_part(position)))
