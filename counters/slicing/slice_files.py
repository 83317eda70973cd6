"""Scans on disk become a folder of counters: pictures, sheet.toml, tables, contact sheet, page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from counters.counter_files import load_counters
from counters.model import Unit
from counters.sheet_files import FILE, dump_sheet
from counters.slicing.contact_sheet import contact_sheet
from counters.slicing.cut import rounded
from counters.slicing.errors import SliceError
from counters.slicing.reading import ReadText, counter_reader, read_faces
from counters.slicing.sheet_data import (
    FOLDER,
    Naming,
    name_cells,
    review_table,
    sheet_of,
    units_of,
    units_with_pictures,
)
from counters.slicing.slice_report import PAGE, UNITS, report_files
from counters.slicing.slice_sheet import Sliced, Wishes, slice_sheet
from counters.units_table import dump_units
from mapkit.errors import MissingExtraError
from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.load import LoadedScan, load_scan, pdf_pages
from mapkit.scan.sheet import Pixels
from mapkit.store.files import read_file, refusal, require_free, write_whole
from mapkit.texts import say

CONTACT = "contact-sheet.png"
REVIEW = "review.csv"
UNPAIRED = "unpaired-backs"
_MM = 25.4
_PDF = b"%PDF-"

Texts = Mapping[tuple[int, str], Sequence[ReadText]]


@dataclass(frozen=True, slots=True)
class SliceJob:
    """Scans to slice, where to, and what somebody says of them."""

    front: Path
    back: Path | None
    out: Path
    wishes: Wishes = field(default_factory=Wishes)
    dpi: float | None = None
    size_mm: tuple[float, float] | None = None
    round_mm: float | None = None
    units: Path | None = None
    read: bool = True
    report: bool = False


@dataclass(frozen=True, eq=False)
class SliceDone:
    """What was made: the sheet sliced, the names of its cells, the files, and remarks."""

    sliced: Sliced
    naming: Naming
    dpi: float | None
    files: tuple[Path, ...]
    remarks: tuple[str, ...] = ()


def run_slice(job: SliceJob, *, force: bool = False, on_progress: OnProgress = ignore) -> SliceDone:
    """Slice the scans of a job and write all files of the result into its folder.

    Raises:
        MapkitError: a scan does not read, cannot be cut with confidence, or a file is in the way.
    """
    for name in (FILE, UNITS, CONTACT, PAGE):
        require_free(job.out / name, force=force)
    table = (
        [one for one in load_counters(job.units) if isinstance(one, Unit)] if job.units else None
    )
    pages = _pages(job)
    front = load_scan(job.front, page=pages[0])
    back = load_scan(job.back, page=pages[1]) if job.back else None
    sliced = slice_sheet(
        front.pixels,
        back.pixels if back else None,
        job.wishes,
        names=(str(job.front), str(job.back or "")),
        on_progress=part_of(on_progress, 0.0, 0.6),
    )
    dpi = _resolution(job, sliced, front)
    remarks = _unused_pages(job, pages) + ([] if dpi else [say("counters.slice.no_mm")])
    table = _require_count(table, sliced, job.units)
    naming = name_cells(sliced, table)
    texts: Texts = {}
    if job.read:
        on_progress(0.6, say("counters.slice.stage_read"))
        try:
            texts = _texts(sliced, part_of(on_progress, 0.6, 0.9))
        except MissingExtraError as error:
            remarks.append(say("counters.slice.no_ocr", reason=error))
    on_progress(0.92, say("counters.slice.stage_write"))
    made = _made(job, sliced, naming, texts, dpi, (front, back))
    units = units_with_pictures(sliced, naming, table) if table else units_of(sliced, naming, texts)
    made[UNITS] = dump_units(units)
    files = _write(job.out, made, force=force)
    return SliceDone(sliced, naming, dpi, files, tuple(remarks))


def _pages(job: SliceJob) -> tuple[int, int]:
    """Return which page of a PDF is the front, and which the back: of one PDF given twice, two."""
    is_twice = job.back is not None and job.back.resolve() == job.front.resolve()
    return (1, 2) if is_twice and pdf_pages(job.front) > 1 else (1, 1)


def _unused_pages(job: SliceJob, pages: tuple[int, int]) -> list[str]:
    """Return what is to be said of PDFs of which pages were passed over."""
    if pages[1] == 2:
        return []
    counts = {path: pdf_pages(path) for path in (job.front, job.back) if path is not None}
    return [
        say("counters.slice.pages", file=path, count=n, page=1)
        for path, n in counts.items()
        if n > 1
    ]


def _resolution(job: SliceJob, sliced: Sliced, scan: LoadedScan) -> float | None:
    """Return how many pixels of what was read make an inch: as told, by a size, or by the file."""
    if job.size_mm is not None:
        sizes = [cut.found.lattice.cell_px for cut in sliced.fronts]
        if max(size[0] for size in sizes) > 1.05 * min(size[0] for size in sizes):
            raise SliceError(say("counters.slice.sizes_differ"))
        (wide, high), (width, height) = sizes[0], job.size_mm
        return round((wide / width + high / height) / 2 * _MM, 2)
    return job.dpi * scan.reduced if job.dpi else scan.dpi


def _require_count(
    units: list[Unit] | None, sliced: Sliced, path: Path | None
) -> list[Unit] | None:
    if units is None:
        return None
    given = sum(unit.copies for unit in units)
    if given != len(sliced.cells):
        seen = len(sliced.cells)
        raise SliceError(say("counters.slice.units_differ", table=path, given=given, seen=seen))
    return units


def _texts(sliced: Sliced, on_progress: OnProgress) -> Texts:
    """Return what stands on every face of every different counter."""
    reader = counter_reader()
    faces: list[tuple[tuple[int, str], Pixels]] = []
    for index in sliced.kinds:
        cell = sliced.cells[index]
        faces.append(((index, "front"), cell.front))
        if cell.back is not None:
            faces.append(((index, "back"), cell.back))
    found: dict[tuple[int, str], Sequence[ReadText]] = {}
    pictures = (picture for _, picture in faces)
    for number, texts in enumerate(read_faces(reader, pictures)):
        found[faces[number][0]] = texts
        on_progress((number + 1) / len(faces), say("counters.slice.stage_read"))
    return found


def _made(
    job: SliceJob,
    sliced: Sliced,
    naming: Naming,
    texts: Texts,
    dpi: float | None,
    scans: tuple[LoadedScan, LoadedScan | None],
) -> dict[str, bytes]:
    """Return all files of the result by their path in the folder."""
    made = dict(_pictures(job, sliced, naming, dpi))
    paths = []
    for side, source in (("front", job.front), ("back", job.back)):
        pixels = scans[0 if side == "front" else 1]
        path, data = _scan_file(source, side, job.out, pixels) if source else ("", None)
        paths.append(path)
        if data is not None:
            made[path] = data
    front, back = scans
    sheet = sheet_of(
        sliced,
        naming,
        name=job.front.stem,
        files=(paths[0], paths[1]),
        dpi=dpi,
        reduced=(front.reduced, back.reduced if back else 1.0),
    )
    made[FILE] = dump_sheet(sheet)
    if texts:
        made[REVIEW] = review_table(sliced, naming, texts)
    made[CONTACT] = _png(contact_sheet(sliced, naming, title=sheet.name))
    if job.report:
        sources = (job.front.name, job.back.name if job.back else "")
        made |= report_files(sliced, naming, texts, name=sheet.name, sources=sources, dpi=dpi)
    return made


def _pictures(
    job: SliceJob, sliced: Sliced, naming: Naming, dpi: float | None
) -> list[tuple[str, bytes]]:
    """Return the cut counters: one picture of each face of each different counter.

    Backs that belong to no front for sure lie apart, named by where they lie on their scan.
    """
    if job.round_mm and dpi is None:
        raise SliceError(say("counters.slice.no_mm"))
    radius = job.round_mm * dpi / _MM if job.round_mm and dpi else 0.0

    def packed(picture: Pixels) -> bytes:
        return _png(rounded(picture, radius) if radius else picture, dpi)

    found: dict[str, bytes] = {}
    for index, cell in enumerate(sliced.cells):
        for face, picture in (("front", cell.front), ("back", cell.back)):
            path = naming.picture(index, face)
            if picture is not None and path not in found:
                found[path] = packed(picture)
    for number, back in enumerate(sliced.backs):
        if _has_pairs(sliced, number):
            continue
        for (row, column), picture in back.cells.items():
            name = f"{number + 1}-{row + 1:02d}-{column + 1:02d}.png"
            found[f"{UNPAIRED}/{name}"] = packed(picture)
    return list(found.items())


def _has_pairs(sliced: Sliced, back: int) -> bool:
    sections = sliced.pairing.sections if sliced.pairing else ()
    return any(one.back == back and one.pairs for one in sections)


def _scan_file(
    source: Path, side: str, folder: Path, scan: LoadedScan | None
) -> tuple[str, bytes | None]:
    """Return where the sheet finds its scan: where it is if that is in the folder, else a copy.

    Of a PDF it is the page that was cut, as a picture.
    """
    data = read_file(source, what="scan")
    if data.startswith(_PDF) and scan is not None:
        return f"scans/{side}.png", _png(scan.pixels, scan.dpi)
    if source.resolve().is_relative_to(folder.resolve()):
        return source.resolve().relative_to(folder.resolve()).as_posix(), None
    return f"scans/{side}{source.suffix.lower()}", data


def _png(picture: Pixels, dpi: float | None = None) -> bytes:
    from PIL import Image

    packed = BytesIO()
    known = {"dpi": (dpi, dpi)} if dpi else {}
    Image.fromarray(picture).save(packed, "PNG", **known)
    return packed.getvalue()


def _write(folder: Path, made: Mapping[str, bytes], *, force: bool) -> tuple[Path, ...]:
    """Write all files, or none where one of them would be written over."""
    targets = {folder / path: data for path, data in made.items()}
    for path in targets:
        require_free(path, force=force)
    for parent in sorted({path.parent for path in targets} | {folder / FOLDER}):
        try:
            parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal("make the folder", parent, error) from None
    for path, data in targets.items():
        write_whole(path, data, what="file of the sheet")
    return tuple(targets)
