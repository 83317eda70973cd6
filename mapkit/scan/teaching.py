"""What a person tells a scan: the legend of the sheet, and hexes whose values are known.

A legend is a TOML file, one table for every sample, typed from the picture:

    [[sample]]
    group = "terrain"              # terrain, levels, features, hexsides, links, areas
    kind = "woods"                 # the map's own word; for levels the number
    title = "Woods"                # as printed; may be left out
    rect = [1860, 2250, 85, 54]    # left, top, width, height in pixels of the scan

Where the sheet has no sample to point at, `colour = "#a8c080"` stands in place of `rect`.
Examples are a CSV file with the columns x, y, what, value: pixels of the scan at the centre of a
hex (or the middle of a hexside), what ∈ terrain, level, feature, hexside, link; the value `none`
says that there is nothing of the sort.
"""

import csv
import io
import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.errors import MapkitError
from mapkit.store.files import read_file

What = Literal["terrain", "level", "feature", "hexside", "link"]
WHATS: tuple[What, ...] = get_args(What)
SampleGroup = Literal["terrain", "levels", "features", "hexsides", "links", "areas"]
Rect = tuple[float, float, float, float]
Place = tuple[float, float]
NONE = "none"
COLUMNS = ("x", "y", "what", "value")


class TeachingError(MapkitError):
    """A legend, or a table of examples or answers, does not read."""


class Sample(BaseModel):
    """One sample of a legend: where it lies on the scan, or what colour it has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    group: SampleGroup
    kind: Annotated[str, Field(min_length=1)]
    title: str = ""
    rect: Rect | None = None
    colour: Annotated[str | None, Field(pattern=r"^#[0-9a-fA-F]{6}$")] = None


@dataclass(frozen=True, slots=True)
class Example:
    """One value that is known: of the hex around a point, or of the hexside or link there."""

    x: float
    y: float
    what: What
    value: str


@dataclass(frozen=True, slots=True)
class Teaching:
    """All that a scan is taught; places are pixels of the picture that it is read from."""

    legend: tuple[Sample, ...] = ()
    examples: tuple[Example, ...] = ()

    def placed(self, move: Callable[[Place], Place]) -> "Teaching":
        """Return the same teaching on another picture: *move* takes points of this one there."""
        legend = tuple(_moved_sample(sample, move) for sample in self.legend)
        spots = [move((example.x, example.y)) for example in self.examples]
        examples = tuple(
            replace(example, x=x, y=y) for example, (x, y) in zip(self.examples, spots, strict=True)
        )
        return Teaching(legend, examples)

    def with_legend(self, samples: tuple[Sample, ...]) -> "Teaching":
        """Return the teaching with samples of such kinds as its own legend lacks."""
        own = {(sample.group, sample.kind) for sample in self.legend}
        more = tuple(one for one in samples if (one.group, one.kind) not in own)
        return replace(self, legend=(*self.legend, *more))

    def samples(self, group: SampleGroup) -> tuple[Sample, ...]:
        """Return the legend's samples of one group."""
        return tuple(sample for sample in self.legend if sample.group == group)

    def of(self, what: What) -> tuple[Example, ...]:
        """Return the examples of one sort."""
        return tuple(example for example in self.examples if example.what == what)


def load_legend(path: Path) -> tuple[Sample, ...]:
    """Return the samples in a legend's file."""
    return parse_legend(read_file(path, what="legend"), str(path))


def parse_legend(data: bytes, source: str) -> tuple[Sample, ...]:
    """Return the samples in the bytes of a legend; *source* is named in errors."""
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TeachingError(f"{source}: this is no TOML: {error}") from None
    tables = raw.get("sample")
    if not isinstance(tables, list) or not tables or set(raw) - {"sample"}:
        raise TeachingError(f"{source}: a legend holds tables [[sample]] and nothing else")
    return tuple(_sample(table, f"{source}: sample {n}") for n, table in enumerate(tables, 1))


def _sample(table: object, place: str) -> Sample:
    try:
        sample = Sample.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise TeachingError(f"{place}: {where}: {first['msg']}") from None
    if (sample.rect is None) == (sample.colour is None):
        raise TeachingError(f"{place} ({sample.kind}): give either a rect or a colour")
    if sample.rect and not (min(sample.rect[2:]) >= 1 and all(map(math.isfinite, sample.rect))):
        raise TeachingError(f"{place} ({sample.kind}): the rect is no area on the scan")
    if sample.group == "levels":
        read_level(sample.kind, place)
    return sample


def load_examples(path: Path) -> tuple[Example, ...]:
    """Return the examples in a CSV file."""
    return parse_examples(read_file(path, what="table of examples"), str(path))


def parse_examples(data: bytes, source: str) -> tuple[Example, ...]:
    """Return the examples in the bytes of a CSV file; *source* is named in errors."""
    return tuple(
        Example(
            _number(row["x"], f"{source}: row {line}: x"),
            _number(row["y"], f"{source}: row {line}: y"),
            read_what(row["what"], f"{source}: row {line}"),
            _value(row, f"{source}: row {line}"),
        )
        for line, row in read_rows(data, source, COLUMNS)
    )


def read_rows(
    data: bytes, source: str, columns: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file that must have these columns, each with its line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TeachingError(f"{source}: this is no table: it is not UTF-8 text") from None
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True, strict=True)
    try:
        heads = [head.strip() for head in reader.fieldnames or ()]
        if sorted(heads) != sorted(columns):
            wanted, found = ",".join(columns), ",".join(heads) or "nothing"
            raise TeachingError(f"{source}: the first row must be {wanted}; it is {found}")
        reader.fieldnames = heads
        for row in reader:
            if None in row or None in row.values():
                raise TeachingError(
                    f"{source}: row {reader.line_num}: it must have {len(columns)} cells"
                )
            yield reader.line_num, {head: cell.strip() for head, cell in row.items()}
    except csv.Error as error:
        raise TeachingError(f"{source}: row {reader.line_num}: {error}") from None


def read_what(word: str, place: str) -> What:
    """Return which sort of value a word names."""
    for what in WHATS:
        if word == what:
            return what
    raise TeachingError(f"{place}: there is no {word!r}; what is one of {', '.join(WHATS)}")


def read_level(word: str, place: str) -> int:
    """Return the level that a word names."""
    try:
        return int(word)
    except ValueError:
        raise TeachingError(f"{place}: a level is a whole number, not {word!r}") from None


def _value(row: dict[str, str], place: str) -> str:
    value = row["value"]
    if not value:
        raise TeachingError(f"{place}: the value is missing; write {NONE} where there is nothing")
    if row["what"] == "level" and value != NONE:
        return str(read_level(value, place))
    return value


def _number(cell: str, place: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise TeachingError(f"{place}: {cell!r} is no number of pixels")
    return number


def _moved_sample(sample: Sample, move: Callable[[Place], Place]) -> Sample:
    if sample.rect is None:
        return sample
    x, y, width, height = sample.rect
    corners = [move((x + dx, y + dy)) for dx in (0.0, width) for dy in (0.0, height)]
    left, right = _middle_two([c[0] for c in corners])
    top, bottom = _middle_two([c[1] for c in corners])
    rect = (left, top, max(right - left, 1.0), max(bottom - top, 1.0))
    return sample.model_copy(update={"rect": rect})


def _middle_two(values: list[float]) -> tuple[float, float]:
    """The inner bounds of an area that was turned: what surely lies in it."""
    ordered = sorted(values)
    return ordered[1], ordered[2]
