"""Make the sample maps: `python -m sample_maps.make [--check] [NAME …]`."""

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from mapkit.document.shapes import dump_shapes
from mapkit.document.writing import dump_map
from mapkit.model import HexMap
from sample_maps.catalogue import SAMPLES
from sample_maps.library import MAP_SUFFIX, SHAPES_SUFFIX

DATA = Path(__file__).parent / "data"


def truth_files(name: str, map_: HexMap) -> dict[str, bytes]:
    """Return the files of a map's truth, by name."""
    return {
        f"{name}{MAP_SUFFIX}": dump_map(map_),
        f"{name}{SHAPES_SUFFIX}": dump_shapes(map_.shapes),
    }


def main(arguments: list[str] | None = None) -> int:
    """Write the truths, or with --check tell whether the written ones are up to date."""
    parser = argparse.ArgumentParser(prog="python -m sample_maps.make", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these maps")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if stale")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    unknown = sorted(set(chosen.names) - SAMPLES.keys())
    if unknown:
        parser.error(f"no sample map is called {unknown[0]}; there is: {', '.join(SAMPLES)}")
    stale = 0
    DATA.mkdir(exist_ok=True)
    for made in _made(chosen.names or list(SAMPLES), chosen.jobs):
        for file, data in made.items():
            path = DATA / file
            same = path.exists() and path.read_bytes() == data
            stale += not same
            if not chosen.check:
                path.write_bytes(data)
            _tell(f"{hashlib.sha256(data).hexdigest()}  {file}{'' if same else '  (new)'}")
    return 1 if chosen.check and stale else 0


def _made(names: list[str], jobs: int) -> Iterator[dict[str, bytes]]:
    """Make the maps side by side, and yield their files in the order asked for."""
    workers = min(jobs, len(names))
    if workers <= 1:
        yield from map(_make_one, names)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_make_one, names)


def _make_one(name: str) -> dict[str, bytes]:
    return truth_files(name, SAMPLES[name].make())


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
