"""A VASSAL module of a whole game: how long to make, without the making of pictures.

`python -m benchmarks.export.module [NAME GAME]`: a sample (alpine with Strafexpedition unless
named) with every counter, chart and scenario of the game. Drawing and encoding of pictures is
counted apart; the memory is the most that the process held, pictures and all.
"""

import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import sample_maps
from exporters.material import MapMaterial, Material, load_material
from exporters.vassal.module import MODULE, ModuleOptions
from mapkit.maps import save_map
from mapkit.progress import ignore
from rules.project_new import new_project

GAME = ("alpine", "strafexpedition")
PICTURES = (
    "drawn_board",
    "draw_map",
    "draw_face",
    "draw_tray",
    "draw_page",
    "draw_order",
    "rasterise",
)
"""What draws and encodes, wherever the exporter calls it."""


class Stopwatch:
    """Adds up the processor time of functions, that of one within another once."""

    def __init__(self) -> None:
        self.seconds, self.running = 0.0, False

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is timed."""

        def timed(*given: Any, **named: Any) -> Any:
            if self.running:
                return function(*given, **named)
            self.running, start = True, time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.running = False
                self.seconds += time.process_time() - start

        return timed


def main(arguments: list[str]) -> None:
    """Print what was measured."""
    name, game = arguments if len(arguments) == 2 else GAME
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        save_map(folder / "map.hexmap.json", sample_maps.load(name))
        new_project(folder / "p", name="Module", game=game, maps=[folder / "map.hexmap.json"])
        start = time.process_time()
        material = load_material(folder / "p")
        read_s = time.process_time() - start
    MODULE.render(warm_up(material), ModuleOptions(), ignore)  # imports what is needed
    watch = Stopwatch()
    drawing = ("exporters.vassal", "exporters.material")
    for module in [one for key, one in sys.modules.items() if key.startswith(drawing)]:
        for function in PICTURES:
            if hasattr(module, function):
                setattr(module, function, watch.around(getattr(module, function)))
    start = time.process_time()
    [file] = MODULE.render(material, ModuleOptions(), ignore).files
    made_s = time.process_time() - start
    names = zipfile.ZipFile(BytesIO(file.data)).namelist()
    counters = len(material.pieces.counters) if material.pieces else 0
    saves = sum(one.endswith(".vsav") for one in names)
    hexes = sum(len(one.map.hexes) for one in material.maps.values())
    print(f"{name}, {game}: {hexes} hexes, {counters} counters, {saves} scenarios")
    print(f"reading the project {read_s:.1f} s, pictures {watch.seconds:.1f} s")
    print(f"the module without its pictures {made_s - watch.seconds:.1f} s (goal 5)")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{len(file.data) / 1e6:.1f} MB; peak memory {peak:.2f} GB (goal 1)")


def warm_up(material: Material) -> Material:
    """Return the material without maps of thousands of hexes, for what is loaded but once."""
    [one] = material.maps.values()
    first = dict(list(one.map.hexes.items())[:40])
    small = replace(one.map, hexes=first, hexsides={}, links={})
    return replace(material, maps={"m": MapMaterial("m", small)}, pieces=None)


if __name__ == "__main__":
    main(sys.argv[1:])
