"""Make the pictures of the sample maps: `python -m sample_maps.pictures [--only NAME] …`.

For every map and style: the printed sheet, four kinds of scan, and the records that say where
everything lies. They are kept in the user's cache and made anew only when the map, the style or
the code behind them has changed. `--shipped` makes the few that come with Mapkit.
"""

import argparse
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from mapkit.drawing.style import style_names
from mapkit.errors import MapkitError
from mapkit.extras import missing_extra
from sample_maps import library
from sample_maps.scan_kinds import MAKINGS, Kind
from sample_maps.scans import Scan, simulate
from sample_maps.sheets import DEFAULT_HEX_PX, PrintedSheet, dump_grid, print_sheet
from sample_maps.transforms import Pixels, product

SHIPPED = Path(__file__).parent / "data" / "pictures"

_MADE = "made.json"
_CODE = ("charts", "exposures", "folds", "pictures", "scan_kinds", "scans", "sheets", "transforms")
# A phone makes the sheet smaller: printed so, its hexes are still 60 px apart on the picture.
_HEX_PX_FOR_PHONE = 74.0
_LIMIT_BYTES = 3_000_000  # for each picture that comes with Mapkit
_QUALITIES = (90, 85, 82, 80, 78, 76, 75)


@dataclass(frozen=True, slots=True)
class Job:
    """One map in one style, and the folder its pictures go to."""

    name: str
    style: str
    folder: Path
    hex_px: float = DEFAULT_HEX_PX

    @property
    def seed(self) -> int:
        """A number of its own for every map and style."""
        return zlib.crc32(f"{self.name} {self.style}".encode()) % 10_000

    def inputs(self) -> str:
        """Return a fingerprint of everything that the pictures depend on."""
        digest = hashlib.sha256(f"{self.style} {self.hex_px:g} {self.seed}".encode())
        digest.update(_code_fingerprint().encode())
        for suffix in (library.MAP_SUFFIX, library.SHAPES_SUFFIX):
            truth = files("sample_maps").joinpath("data", f"{self.name}{suffix}")
            digest.update(truth.read_bytes())
        return digest.hexdigest()


def cache_folder() -> Path:
    """Return where pictures are kept unless told otherwise."""
    from platformdirs import user_cache_path

    return user_cache_path("mapkit") / "samples"


def make_pictures(job: Job) -> list[str]:
    """Make the pictures of one map in one style; return the files, none if all were there."""
    inputs, made = job.inputs(), job.folder / _MADE
    if _is_made(made, inputs):
        return []
    job.folder.mkdir(parents=True, exist_ok=True)
    made.unlink(missing_ok=True)
    sheet = print_sheet(library.load(job.name), job.style, hex_px=job.hex_px)
    written = ["sheet.png", "sheet.json"]
    (job.folder / "sheet.png").write_bytes(_png(sheet.pixels))
    _write_json(job.folder / "sheet.json", {"map": job.name, **sheet.record()})
    for kind in MAKINGS:
        for stem, scan in _named_scans(sheet, kind, job.seed):
            (job.folder / f"{stem}.jpg").write_bytes(scan.data)
            _write_json(job.folder / f"{stem}.json", scan_record(job.name, sheet, scan))
            written += [f"{stem}.jpg", f"{stem}.json"]
    _write_json(made, {"inputs": inputs, "files": written})
    return written


def scan_record(name: str, sheet: PrintedSheet, scan: Scan) -> dict[str, Any]:
    """Return the record of a scan; *grid* leaves out the bend, which *bend* then gives."""
    record = scan.record()
    grid = dump_grid(sheet.grid)
    grid["homography"] = product(record["homography"], grid["homography"])
    return {"map": name, "style": sheet.style, "grid": grid, **record}


def ship(folder: Path) -> list[str]:
    """Make the pictures that come with Mapkit: 60 px and more per hex, none over 3 MB."""
    folder.mkdir(parents=True, exist_ok=True)
    alpine = print_sheet(library.load("alpine"), "textured", hex_px=DEFAULT_HEX_PX)
    (folder / "alpine-clean.jpg").write_bytes(_fitting_jpeg(alpine.pixels))
    _write_json(folder / "alpine-clean.json", {"map": "alpine", **alpine.record()})
    hills = print_sheet(library.load("hills"), "antique", hex_px=_HEX_PX_FOR_PHONE)
    wanted: list[tuple[str, PrintedSheet, Kind]] = [
        ("alpine", alpine, "flatbed"),
        ("hills", hills, "good_phone"),
    ]
    for name, sheet, kind in wanted:
        (scan,) = simulate(sheet.pixels, kind, seed=1)
        if len(scan.data) > _LIMIT_BYTES:
            raise MapkitError(f"the {kind} scan of {name} is {len(scan.data):,} bytes: over 3 MB")
        stem = f"{name}-{kind.replace('_', '-')}"
        (folder / f"{stem}.jpg").write_bytes(scan.data)
        _write_json(folder / f"{stem}.json", scan_record(name, sheet, scan))
    return sorted(path.name for path in folder.iterdir())


def main(arguments: list[str] | None = None) -> int:
    """Make what is missing and tell on stderr what is being done."""
    parser = argparse.ArgumentParser(prog="python -m sample_maps.pictures")
    parser.add_argument("--only", metavar="NAME", choices=library.names(), help="only this map")
    parser.add_argument("--style", metavar="S", choices=style_names(), help="only this style")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to; else the user's cache")
    parser.add_argument("--hex-px", metavar="N", type=float, default=DEFAULT_HEX_PX)
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--shipped", action="store_true", help="those that come with Mapkit")
    chosen = parser.parse_args(arguments)
    out: Path = chosen.out or (SHIPPED if chosen.shipped else cache_folder())
    try:
        if chosen.shipped:
            _tell(f"{out}: {', '.join(ship(out))}")
        else:
            _make_all(list(_jobs(out, chosen.only, chosen.style, chosen.hex_px)), chosen.jobs)
    except (MapkitError, ModuleNotFoundError) as error:
        known = missing_extra(error, "making scans") or error
        if not isinstance(known, MapkitError):
            raise
        _tell(str(known))
        return 1
    return 0


def _jobs(out: Path, only: str | None, style: str | None, hex_px: float) -> Iterator[Job]:
    """The big maps first, so that no core is left with one at the end."""

    def size(name: str) -> int:
        return -len(
            files("sample_maps").joinpath("data", f"{name}{library.MAP_SUFFIX}").read_bytes()
        )

    for name in [only] if only else sorted(library.names(), key=size):
        for each in [style] if style else style_names():
            yield Job(name, each, out / name / each, hex_px)


def _make_all(jobs: list[Job], workers: int) -> None:
    begun = time.monotonic()

    def told(index: int, job: Job, made: list[str]) -> None:
        what = f"{len(made)} files" if made else "there already"
        seconds = time.monotonic() - begun
        _tell(f"[{index}/{len(jobs)}] {job.folder}: {what} ({seconds:.0f} s)")

    if workers <= 1 or len(jobs) == 1:
        for index, job in enumerate(jobs, 1):
            told(index, job, make_pictures(job))
        return
    with ProcessPoolExecutor(workers, initializer=_one_thread) as pool:
        running = {pool.submit(make_pictures, job): job for job in jobs}
        for index, done in enumerate(as_completed(running), 1):
            told(index, running[done], done.result())


def _one_thread() -> None:
    """Every worker has a core of its own."""
    import cv2

    cv2.setNumThreads(1)


def _named_scans(sheet: PrintedSheet, kind: Kind, seed: int) -> Iterator[tuple[str, Scan]]:
    for scan in simulate(sheet.pixels, kind, seed):
        yield (f"part-{scan.part + 1:02}" if kind == "parts" else kind.replace("_", "-")), scan


def _is_made(made: Path, inputs: str) -> bool:
    try:
        known = json.loads(made.read_text(encoding="utf-8"))
        there = all((made.parent / name).is_file() for name in known["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return there and bool(known.get("inputs") == inputs)


def _code_fingerprint() -> str:
    digest = hashlib.sha256()
    for package in ("numpy", "opencv-python-headless", "resvg_py"):
        digest.update(f"{package} {version(package)}".encode())
    drawing = Path(str(files("mapkit.drawing")))
    sources = [Path(__file__).with_name(f"{module}.py") for module in _CODE]
    sources += sorted(p for p in drawing.rglob("*") if p.suffix in (".py", ".toml", ".ttf", ".otf"))
    for source in sources:
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _png(pixels: Pixels) -> bytes:
    import cv2

    # Level 1: a third bigger than the best, and ten times as quick.
    packed = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    return cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), packed)[1].tobytes()


def _fitting_jpeg(pixels: Pixels) -> bytes:
    """Return the best JPEG that stays within the limit."""
    import cv2

    picture = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    for quality in _QUALITIES:
        packed = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
        data = cv2.imencode(".jpg", picture, packed)[1].tobytes()
        if len(data) <= _LIMIT_BYTES:
            return data
    raise MapkitError(f"the clean picture is over 3 MB at quality {_QUALITIES[-1]}")


def _write_json(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
