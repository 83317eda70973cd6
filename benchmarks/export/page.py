"""The offline page of a whole sheet: how big, how long to make, how long until it answers.

`python -m benchmarks.export.page [NAME GAME]`: a sample (alpine with Strafexpedition unless
named) printed at about 10,000 × 7,000 px, its flatbed scan as the map's picture. Made with nothing
kept, then once more; opened in Chromium from the disk at the sizes of a phone and a desk, where
there is one.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import sample_maps
from benchmarks.scan.truths import sample_truth
from exporters.exporting import export_to
from exporters.page.offline_page import PAGE, PageOptions
from mapkit.maps import save_map
from mapkit.model import Picture
from mapkit.store.files import sha256
from rules.project_new import new_project
from sample_maps.scans import simulate
from tests.exporters.page.browsing import DESK, PHONE, OpenedPage
from tests.rules.assistant.browser import browser

PIXELS = 70_000_000
OPENINGS = 5
GAME = ("alpine", "strafexpedition")


def sheet_as_project(name: str, game: str, folder: Path) -> Path:
    """Return a project whose map has a scan of about PIXELS as its picture."""
    small = sample_truth(name, "textured", hex_px=30.0).sheet.pixels
    scale = (PIXELS / (small.shape[0] * small.shape[1])) ** 0.5
    truth = sample_truth(name, "textured", hex_px=30.0 * scale)
    picture = folder / "sheet.jpg"
    # A scan's grain makes tiles bigger than clean print does; that it lies aslant changes nothing.
    [scan] = simulate(truth.sheet.pixels, "flatbed", 1)
    picture.write_bytes(scan.data)
    width, height = scan.transform.scan_px
    print(f"{name}, {game}: {width} × {height} px, {len(truth.map_.hexes)} hexes", flush=True)
    known = Picture(picture.name, sha256(picture.read_bytes()), width, height)
    map_ = replace(sample_maps.load(name), grid=truth.sheet.grid, picture=known)
    save_map(folder / "sheet.hexmap.json", map_)
    target = folder / "project"
    new_project(target, name="Sheet", game=game, maps=[folder / "sheet.hexmap.json"])
    return target


def made(project: Path, page: Path) -> float:
    """Make the page and return how many seconds that took."""
    start = time.monotonic()
    export_to(PAGE, project, page, PageOptions(), force=True)
    return time.monotonic() - start


def until_it_answers_ms(program: str, page: Path, profile: Path, size: tuple[int, int]) -> float:
    """Return the median time from opening the file to the page that can be tapped."""
    times = []
    with browser(program, profile, *size) as driver:
        shown = OpenedPage(driver, page)
        for _ in range(OPENINGS):
            shown.open()
            times.append(float(shown.ask("page.readyMs ?? performance.now()")))
    return statistics.median(times)


def main(arguments: list[str]) -> None:
    """Print what was measured."""
    name, game = arguments if len(arguments) == 2 else GAME
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["MAPKIT_CACHE"] = str(folder / "kept")
        project, page = sheet_as_project(name, game, folder), folder / "page.html"
        first, again = made(project, page), made(project, page)
        print(f"made in {first:.1f} s (goal 25), with tiles kept in {again:.1f} s (goal 3)")
        print(f"{page.stat().st_size / 1e6:.1f} MB (goal 20)", flush=True)
        program = shutil.which("chromium")
        if program is None:
            print("passed over: there is no chromium here to open it in")
            return
        for what, size in (("phone", PHONE), ("desk", DESK)):
            ms = until_it_answers_ms(program, page, folder / what, size)
            print(f"ready to be tapped, {what}: {ms:.0f} ms (goal 2,000)")


if __name__ == "__main__":
    main(sys.argv[1:])
