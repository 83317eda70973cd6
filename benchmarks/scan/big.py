"""A whole sheet at 300 dpi, and bigger ones: how long and how much memory, in a child process.

`python -m benchmarks.scan.big [grid] [scan] [parts] [huge] [NAME]`: a flatbed scan of a sample
(alpine unless named) of about 75 megapixels; its grid alone, the whole map by its printed legend,
the sheet in twelve pieces of 300 dpi, and 290 megapixels, which are reduced. All but `huge` where
nothing is named. Times are those of the machine as it is: a busy one is slower,
so the time of its processors is told too.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sample_maps
from benchmarks.scan.truths import Truth, sample_truth
from benchmarks.scan.whole import legend_on
from mapkit.scan.teaching import Sample
from sample_maps.scans import simulate

LONG_PX = 10_200
HUGE_PX = 290_000_000


def sheet_of(name: str) -> Truth:
    """Return a sample printed so large that its longer side has LONG_PX."""
    small = sample_truth(name, "plain", hex_px=60.0)
    return sample_truth(name, "plain", hex_px=60.0 * LONG_PX / max(small.sheet.pixels.shape))


def legend_text(legend: tuple[Sample, ...]) -> str:
    """Return the legend as the file that a person would type."""
    return "\n".join(
        f'[[sample]]\ngroup = "{one.group}"\nkind = "{one.kind}"\ntitle = "{one.title}"\n'
        f"rect = {[round(number) for number in one.rect or ()]}\n"
        for one in legend
    )


_CHILD = """
import sys
from mapkit.main import run
code = run()
print("peak", open("/proc/self/status").read().split("VmHWM:")[1].split()[0], file=sys.stderr)
sys.exit(code)
"""


def ran(*arguments: str | Path) -> None:
    """Run mapkit in a child and print how long it took, and the most memory it held.

    The child tells its memory itself: what the system tells of it begins with its parent's.
    """
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(argument) for argument in arguments]
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, *words], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    *said, peak = child.stderr.strip().splitlines()
    if child.returncode:
        print("\n".join(said[-3:]))
    print(
        f"{' '.join(Path(word).name for word in words[:3])} …: exit code {child.returncode}, "
        f"{time.monotonic() - start:.0f} s ({cpu:.0f} s of processors), "
        f"peak {int(peak.split()[1]) / 1e6:.2f} GB",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """Print a line for every task."""
    name = next((one for one in arguments if one in sample_maps.names()), "alpine")
    tasks = [one for one in ("grid", "scan", "parts", "huge") if one in arguments]
    tasks = tasks or ["grid", "scan", "parts"]
    truth = sheet_of(name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if tasks != ["parts"]:
            [scan] = simulate(truth.sheet.pixels, "flatbed", 1)
            (folder / "sheet.jpg").write_bytes(scan.data)
            (folder / "legend.toml").write_text(legend_text(legend_on(truth, scan)), "utf-8")
            print(f"{name}: {scan.transform.scan_px} px, {len(truth.sheet.hexes)} hexes")
        if "grid" in tasks:
            ran("map", "grid", folder / "sheet.jpg")
        if "scan" in tasks:
            legend = ("--legend", folder / "legend.toml")
            ran("map", "scan", folder / "sheet.jpg", *legend, "-o", folder / "a.hexmap.json")
        if "parts" in tasks:
            pieces = []
            for part in simulate(truth.sheet.pixels, "parts", 1):
                pieces.append(folder / f"part{part.part}.jpg")
                pieces[-1].write_bytes(part.data)
            print(f"{len(pieces)} pieces of {part.transform.scan_px} px")
            ran("map", "stitch", *pieces, "-o", folder / "joined.jpg")
        if "huge" in tasks:
            _enlarge(folder / "sheet.jpg", folder / "huge.jpg")
            ran("map", "grid", folder / "huge.jpg")


def _enlarge(source: Path, target: Path) -> None:
    from PIL import Image

    with Image.open(source) as small:
        scale = (HUGE_PX / (small.width * small.height)) ** 0.5
        size = (int(small.width * scale), int(small.height * scale))
        small.resize(size).save(target, quality=85)
    print(f"huge: {size} px")


if __name__ == "__main__":
    main(sys.argv[1:])
