"""Sheets of counters on disk: read what is to be printed, write the PDF."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from counters.counter_sets import CounterSet, load_sets
from counters.drawing import face_names, load_counter_style
from counters.printing.pdf import Offset, print_offset_page, print_sheets
from counters.printing.pictures import Printable, face_pictures
from counters.printing.plan import Duplex, plan_sheets
from counters.printing.sizes import SIZES, parse_size
from mapkit.drawing.errors import SizeError
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import real_path, require_folder, require_free, write_whole
from mapkit.texts import say

WHAT = "PDF"


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """How counters are put on paper; without a size they are as big as their sheet says."""

    size_mm: float | None = None
    paper: str = "A4"
    duplex: Duplex = "long"
    gutter_mm: float = 0.0
    bleed_mm: float = 0.0
    offsets: Mapping[str, Offset] = field(default_factory=dict)


def print_counters(
    paths: Sequence[Path],
    out: Path,
    settings: PrintSettings,
    *,
    style: str,
    title: str = "",
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> list[str]:
    """Print counters to a PDF, and return what their owner should know.

    Raises:
        MapkitError: something does not read, does not fit, or the disk refused.
    """
    _require_free(out, force=force)
    sets = load_sets(paths)
    look = load_counter_style(style)
    listed = [Printable(counter, one.folder) for one in sets for counter in one.printed()]
    if not listed:
        raise SizeError(f"{', '.join(map(str, paths))}: there is no counter to print")
    size_mm = settings.size_mm or _own_size(sets)
    sides = [face_names(one.counter, look) for one in listed]
    plan = plan_sheets(
        [len(names) > 1 for names in sides],
        size_mm,
        settings.paper,
        gutter_mm=settings.gutter_mm,
        bleed_mm=settings.bleed_mm,
        duplex=settings.duplex,
    )
    pictures = face_pictures(
        listed, look, size_mm, bleed_mm=settings.bleed_mm, on_progress=on_progress
    )
    data = print_sheets(plan, pictures, title=title, offsets=settings.offsets)
    write_whole(real_path(out, what=WHAT), data, what=WHAT)
    lost = sorted({name for names in sides for name in names[2:]})
    remarks = [say("counters.print.third_faces", faces=", ".join(lost))] if lost else []
    backs = sum(len(names) > 1 for names in sides)
    if settings.duplex == "off" and backs:
        remarks.append(say("counters.print.no_backs", n=backs))
    done = say(
        "counters.print.done",
        file=out,
        n=len(listed),
        mm=f"{size_mm:g}",
        pages=len(plan.pages),
    )
    return [*remarks, done]


def write_offset_page(out: Path, settings: PrintSettings, *, force: bool = False) -> list[str]:
    """Write the page that tests a printer, and return what to do with it."""
    _require_free(out, force=force)
    data = print_offset_page(settings.paper, offsets=settings.offsets)
    write_whole(real_path(out, what=WHAT), data, what=WHAT)
    return [say("counters.print.test_done", file=out)]


def _own_size(sets: Sequence[CounterSet]) -> float:
    """The size that all sheets agree on, else half an inch."""
    sections = [section for one in sets if one.sheet for section in one.sheet.sections]
    sizes = {side for one in sections if one.counter_mm for side in one.counter_mm}
    if len(sizes) > 1:
        told = ", ".join(f"{size:g}" for size in sorted(sizes))
        raise SizeError(f"the sheets have counters of {told} mm; say which with --size")
    return sizes.pop() if sizes else parse_size(SIZES[0])


def _require_free(out: Path, *, force: bool) -> None:
    target = real_path(out, what=WHAT)
    require_free(target, force=force, told=out)
    require_folder(target)
