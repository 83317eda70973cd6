"""A scan on disk becomes a map on disk, with its flattened picture beside it."""

import json
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np

from mapkit.maps import SUFFIX, load_map, save_map, shapes_path
from mapkit.model import HexMap, Picture
from mapkit.profile import load_profile
from mapkit.progress import OnProgress, ignore, part_of
from mapkit.scan.asked_grid import parse_points
from mapkit.scan.found_grid import FoundGrid, found_grid_of
from mapkit.scan.kept_stages import KeptStages
from mapkit.scan.known_sheet import KnownSheet, known_sheet
from mapkit.scan.load import LoadedScan, ScanError
from mapkit.scan.piece_files import load_sheet
from mapkit.scan.review import load_answers, review
from mapkit.scan.scan_map import KnownHex, ScannedMap, scan_map
from mapkit.scan.sheet import Pixels
from mapkit.scan.style_pack import SUFFIX as STYLE_SUFFIX
from mapkit.scan.style_pack import dump_style_pack, load_style_pack
from mapkit.scan.teaching import Teaching, load_examples, load_legend
from mapkit.store.files import read_file, require_folder, require_free, sha256, write_whole
from mapkit.texts import say

PICTURE_SUFFIX = ".sheet.jpg"
STAGES_SUFFIX = ".stages"
_QUALITY = 92


@dataclass(frozen=True, slots=True)
class ScanJob:
    """A scan and all that somebody has to say about it; every file but the images may be absent.

    Several images are pieces of one sheet. *grid* is a grid alone, or a map that knows its own.
    """

    images: tuple[Path, ...]
    out: Path
    legend: Path | None = None
    examples: Path | None = None
    answers: Path | None = None
    profile: Path | None = None
    grid: Path | None = None
    style: Path | None = None
    save_style: Path | None = None
    known: tuple[str, ...] = ()
    page: int = 1
    title: str = ""
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ScanDone:
    """What was made: the map with its picture, and the files that hold them."""

    scanned: ScannedMap
    map_: HexMap
    map_file: Path
    picture_file: Path
    stages: KeptStages
    style_files: tuple[Path, ...] = ()
    shapes_files: tuple[Path, ...] = ()

    @property
    def files(self) -> list[Path]:
        """All files that were written."""
        return [self.map_file, self.picture_file, *self.shapes_files, *self.style_files]


def run_scan(
    job: ScanJob, *, force: bool = False, anew: bool = False, on_progress: OnProgress = ignore
) -> ScanDone:
    """Read a scan, write the map and its flattened picture, and return both.

    What an earlier run found on the same images is taken from the folder of stages beside the
    map, unless it shall be found *anew*.

    Raises:
        MapkitError: a file does not read, or is in the way; the message says which.
    """
    stem = job.out.name.removesuffix(SUFFIX)
    picture_file = job.out.with_name(stem + PICTURE_SUFFIX)
    require_folder(job.out)
    style_file = style_beside(job.out)
    beside = (picture_file, style_file, shapes_path(job.out))
    for path in (job.out, *beside, *([job.save_style] if job.save_style else ())):
        require_free(path, force=force)
    teaching, known = _teaching(job), tuple(map(parse_known, job.known))
    brought = _map_with_grid(job)
    found = _found_grid(job) if brought is None else None
    profile = load_profile(job.profile) if job.profile else None
    style = load_style_pack(job.style) if job.style else None
    if job.save_style and not (style or teaching.legend or teaching.of("terrain")):
        raise ScanError("--save-style needs a legend or examples of terrain: nothing else to keep")
    fingerprints = [sha256(read_file(image, what="scan")) for image in job.images]
    stages = KeptStages(
        job.out.with_name(stem + STAGES_SUFFIX),
        sha256(" ".join([*fingerprints, str(job.page)]).encode()),
        anew=anew,
    )
    loaded = 0.05 if len(job.images) == 1 else 0.3
    loading = part_of(on_progress, 0.0, loaded)
    if len(job.images) == 1:
        scan = load_sheet(job.images, page=job.page, on_progress=loading)
    else:
        scan = stages.sheet(lambda: load_sheet(job.images, on_progress=loading))
    grid: FoundGrid | KnownSheet | None = found
    if brought is not None:
        grid = _known_sheet(job, brought, fingerprints, scan)
    scanned = scan_map(
        scan,
        teaching.placed(lambda at: (at[0] * scan.reduced, at[1] * scan.reduced)),
        grid=grid and grid.scaled(scan.reduced),
        profile=profile,
        style=style,
        known=[_reduced(one, scan) for one in known],
        title=job.title or (brought.title if brought else ""),
        seed=job.seed,
        keep=stages,
        on_progress=part_of(on_progress, loaded, 0.9),
    )
    on_progress(0.9, say("mapkit.scan.stage.write"))
    data = _jpeg(scanned.sheet.pixels)
    map_ = replace(scanned.map_, picture=_picture(job, scanned, picture_file.name, data, scan))
    if job.answers:
        map_ = review(map_, load_answers(job.answers, map_), scanned.sheet, style=scanned.style)
    write_whole(picture_file, data, what="flattened picture")
    styles = _write_style(scanned, [style_file, *([job.save_style] if job.save_style else ())])
    save_map(job.out, map_, force=force)
    on_progress(1.0, say("mapkit.scan.stage.map"))
    shapes = (shapes_path(job.out),) if map_.shapes else ()
    return ScanDone(scanned, map_, job.out, picture_file, stages, styles, shapes)


def style_beside(map_file: Path) -> Path:
    """Return where the style of a scanned map is kept: reviews read it again."""
    return map_file.with_name(map_file.name.removesuffix(SUFFIX) + STYLE_SUFFIX)


def _write_style(scanned: ScannedMap, files: list[Path]) -> tuple[Path, ...]:
    if scanned.style is None:
        return ()
    for file in files:
        write_whole(file, dump_style_pack(scanned.style), what="style")
    return tuple(files)


def parse_known(text: str) -> KnownHex:
    """Return a hex whose number is known, written as `0305@1200,840`.

    Raises:
        ScanError: it is not written so.
    """
    label, _, at = text.rpartition("@")
    if not label:
        raise ScanError(f"--known takes a label and a pixel, as in 0305@1200,840: not '{text}'")
    [place] = parse_points(at, 1, "--known") or ()
    return KnownHex(label, place)


def _reduced(known: KnownHex, scan: LoadedScan) -> KnownHex:
    x, y = known.at
    return replace(known, at=(x * scan.reduced, y * scan.reduced))


def _teaching(job: ScanJob) -> Teaching:
    return Teaching(
        load_legend(job.legend) if job.legend else (),
        load_examples(job.examples) if job.examples else (),
    )


def _map_with_grid(job: ScanJob) -> HexMap | None:
    """Return the map that knows its own grid, where one is given in place of a grid."""
    if job.grid is None or not job.grid.name.endswith(SUFFIX):
        return None
    if job.known:
        raise ScanError(f"--known is for numbers that are to be read: {job.grid} has its labels")
    return load_map(job.grid)


def _known_sheet(
    job: ScanJob, map_: HexMap, fingerprints: list[str], scan: LoadedScan
) -> KnownSheet:
    height, width = scan.pixels.shape[:2]
    size_px = (round(width / scan.reduced), round(height / scan.reduced))
    [sha] = fingerprints if len(fingerprints) == 1 else [""]
    names = ", ".join(image.name for image in job.images)
    return known_sheet(map_, source=str(job.grid), image=names, sha256=sha, size_px=size_px)


def _found_grid(job: ScanJob) -> FoundGrid | None:
    if job.grid is None:
        return None
    try:
        return found_grid_of(json.loads(read_file(job.grid, what="grid")))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise ScanError(
            f"{job.grid}: this is no grid; `mapkit map grid IMAGE --json` writes one"
        ) from None


def _jpeg(pixels: Pixels) -> bytes:
    from PIL import Image

    packed = BytesIO()
    Image.fromarray(pixels).save(packed, "JPEG", quality=_QUALITY, subsampling=0)
    return packed.getvalue()


def _picture(
    job: ScanJob, scanned: ScannedMap, name: str, data: bytes, scan: LoadedScan
) -> Picture:
    flattened = scanned.flattened
    plane = np.array(flattened.grid.homography) @ np.linalg.inv(
        np.array(flattened.found.scaled(1 / scan.reduced).grid.homography)
    )
    height, width = flattened.pixels.shape[:2]
    return Picture(
        path=name,
        sha256=sha256(data),
        width_px=width,
        height_px=height,
        scan=", ".join(image.name for image in job.images),
        from_scan=tuple(float(number) for number in (plane / plane[2, 2]).ravel()),
    )
