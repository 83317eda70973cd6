"""Counters drawn from file to file: a table in, a folder of pictures and a contact sheet out."""

from collections import Counter as Count
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from counters.counter_files import load_counters
from counters.drawing.contact_sheet import contact_sheet
from counters.drawing.cut_pictures import cut_face
from counters.drawing.face import DrawnFace, compose_face
from counters.drawing.file_names import file_stems
from counters.drawing.looks import face_names
from counters.drawing.scene import Notice
from counters.drawing.style import CounterStyle
from counters.drawing.style_files import load_counter_style
from counters.errors import CounterSizeError
from counters.model import Counter
from mapkit.drawing.raster import rasterise
from mapkit.errors import StoreError
from mapkit.progress import OnProgress, ignore
from mapkit.store.files import require_free, write_whole
from mapkit.texts import say

SIZES = (75, 150, 300)
CONTACT_SHEET = "contact-sheet.png"

_LARGEST, _MOST_SIZES = 2000, 8
_SHOWN = 20  # notices told one by one


@dataclass(frozen=True, slots=True)
class FaceFiles:
    """One face, the files it was written to, and the least contrast of its ink."""

    counter: str
    face: str
    svg: str
    pngs: tuple[tuple[int, str], ...]
    contrast: float


@dataclass(frozen=True, slots=True)
class DrawnFiles:
    """What `draw_counters` made, and what the drawer should know."""

    folder: Path
    style: str
    faces: tuple[FaceFiles, ...]
    notices: tuple[Notice, ...]

    def as_data(self) -> dict[str, object]:
        """Return it for JSON; paths are relative to the folder."""
        return {
            "folder": str(self.folder),
            "style": self.style,
            "contact_sheet": CONTACT_SHEET,
            "faces": [
                {
                    "counter": face.counter,
                    "face": face.face,
                    "svg": face.svg,
                    "png": {str(size): name for size, name in face.pngs},
                    "contrast": round(face.contrast, 2),
                }
                for face in self.faces
            ],
            "notices": [
                {"counter": one.counter, "face": one.face, "kind": one.kind, **one.values}
                for one in self.notices
            ],
        }

    def told(self) -> Iterator[str]:
        """Yield what the drawer should know, the first ones of many."""
        for one in self.notices[:_SHOWN]:
            text = say(f"counters.draw.notice.{one.kind}", **one.values)
            yield say("counters.draw.of_face", counter=one.counter, face=one.face, text=text)
        if len(self.notices) > _SHOWN:
            yield say("counters.draw.more", n=len(self.notices) - _SHOWN)

    def summary(self) -> str:
        """Return what was made, in a line."""
        n = len({face.counter for face in self.faces})
        files = sum(1 + len(face.pngs) for face in self.faces) + 1
        return say(
            "counters.draw.done", n=n, faces=len(self.faces), files=files, folder=self.folder
        )


def draw_counters(
    table: Path,
    folder: Path,
    *,
    style: str = "classic",
    sizes: Sequence[int] = SIZES,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> DrawnFiles:
    """Draw all counters of a table as SVG and PNG, and a contact sheet of them.

    A face that has a picture, cut from a scan, is shown as it was cut.

    Raises:
        StoreError: a file exists and *force* was not given, or the disk refused.
        CounterSizeError: a size nobody can read or print.
        CounterStyleError, TableError: the style or the table does not read.
    """
    wanted = _checked_sizes(sizes)
    look = load_counter_style(style)
    counters = load_counters(table)
    plan = _plan(counters, look, wanted)
    cut = _cut_faces(counters, table.parent)
    _require_room(folder, plan, force=force)
    drawn: dict[tuple[str, str], DrawnFace] = {}
    by_id = {counter.id: counter for counter in counters}
    for i, files in enumerate(plan):
        on_progress(0.9 * i / len(plan), say("counters.draw.drawing"))
        face = cut.get((files.counter, files.face)) or compose_face(
            by_id[files.counter], files.face, look
        )
        drawn[files.counter, files.face] = face
        _write(folder, files, face)
    on_progress(0.9, say("counters.draw.contact_sheet"))
    pictures = {key: face.picture for key, face in drawn.items()}
    write_whole(folder / CONTACT_SHEET, contact_sheet(counters, pictures, look), what="picture")
    faces = tuple(
        FaceFiles(one.counter, one.face, one.svg, one.pngs, _least(drawn[one.counter, one.face]))
        for one in plan
    )
    notices = tuple(notice for face in drawn.values() for notice in face.notices)
    return DrawnFiles(folder, look.name, faces, notices)


def _cut_faces(counters: Sequence[Counter], folder: Path) -> dict[tuple[str, str], DrawnFace]:
    """Return the faces that have a picture in a table's folder."""
    return {
        (counter.id, face.name): DrawnFace(cut_face(folder / face.picture), (), ())
        for counter in counters
        for face in counter.faces
        if face.picture
    }


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes in a text such as "75,150,300".

    Raises:
        CounterSizeError: it is no list of whole numbers.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise CounterSizeError(f"'{text}' is no list of sizes; write 75,150,300") from None


def _checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    wanted = tuple(dict.fromkeys(sizes))
    bad = [size for size in wanted if not 16 <= size <= _LARGEST]
    if bad or not 1 <= len(wanted) <= _MOST_SIZES:
        raise CounterSizeError(
            f"give one to {_MOST_SIZES} sizes from 16 to {_LARGEST} pixels, such as 75,150,300"
        )
    return wanted


def _plan(
    counters: Sequence[Counter], style: CounterStyle, sizes: tuple[int, ...]
) -> list[FaceFiles]:
    stems = file_stems(counter.id for counter in counters)
    plan = []
    for counter in counters:
        for face in face_names(counter, style):
            name = f"{stems[counter.id]}.{face}"
            pngs = tuple((size, f"png-{size}/{name}.png") for size in sizes)
            plan.append(FaceFiles(counter.id, face, f"svg/{name}.svg", pngs, 0.0))
    double = [name for name, n in Count(one.svg.casefold() for one in plan).items() if n > 1]
    if double:
        raise StoreError(f"two faces would both be written to {double[0]}; rename one of the ids")
    return plan


def _require_room(folder: Path, plan: Sequence[FaceFiles], *, force: bool) -> None:
    """Make the folders; refuse before the work is done where a file would be overwritten."""
    if not folder.resolve().parent.is_dir():
        raise StoreError(f"{folder}: there is no folder {folder.parent}; make it first")
    names = [name for one in plan for name in (one.svg, *(png for _, png in one.pngs))]
    for name in (CONTACT_SHEET, *names):
        require_free(folder / name, force=force)
    try:
        for name in sorted({str((folder / name).parent) for name in (CONTACT_SHEET, *names)}):
            Path(name).mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder {folder}: {error.strerror}") from None


def _write(folder: Path, files: FaceFiles, face: DrawnFace) -> None:
    picture = face.picture
    write_whole(folder / files.svg, picture.standalone().encode(), what="picture")
    for size, name in files.pngs:
        data = rasterise(picture, scale=size / picture.width_px)
        write_whole(folder / name, data, what="picture")


def _least(face: DrawnFace) -> float:
    return min((one.ratio for one in face.contrasts), default=21.0)
