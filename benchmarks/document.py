"""How long a map takes to load, check and save, beside the bare JSON of the same bytes.

The last column is the multiple of what Python's own json needs for the file: the price of
validation, labels and provenance, whatever the machine's mood.
"""

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mapkit.check import check_map
from mapkit.document.reading import parse_map
from mapkit.document.writing import dump_map
from mapkit.grid import Grid
from mapkit.hexes import Hexside, Link
from mapkit.kinds import Kinds
from mapkit.maps import load_map, save_map
from mapkit.model import Feature, Ground, HexMap, Provenance
from mapkit.numbering import Axis, Numbering

SIZES = [(70, 60, 9), (400, 250, 3)]  # columns, rows, runs
GOAL_MS = 150  # to load and validate, or to save, 4,200 hexes


def scanned_map(columns: int, rows: int) -> HexMap:
    """Return a map as a scan leaves it: two values with provenance in every hex."""
    dice = random.Random(1916)
    digits = 2 if max(columns, rows) < 100 else 3
    rule = Numbering(straight="columns", columns=Axis(digits=digits), rows=Axis(digits=digits))
    places = [rule.hex_at(column, row) for column in range(columns) for row in range(rows)]
    hexes = {}
    for hex_ in places:
        read = Provenance("scan", round(dice.uniform(0.5, 1), 2), "woods")
        features = (Feature("town"),) if dice.random() < 0.1 else ()
        terrain, level = dice.choice(["clear", "woods"]), dice.randrange(8)
        hexes[hex_] = Ground(terrain, level, features, provenance={"terrain": read, "level": read})
    kinds = Kinds().with_ids("terrain", iter(["clear", "woods"]))
    kinds = kinds.with_ids("features", iter(["town"])).with_ids("hexsides", iter(["river"]))
    some = dice.sample(places, len(places) // 4)
    return HexMap(
        Grid.regular("flat", pitch_px=60),
        rule,
        hexes,
        kinds.with_ids("links", iter(["road"])),
        {Hexside.between(hex_, hex_.step(1)): (Feature("river"),) for hex_ in some},
        {Link.between(hex_, hex_.step(2)): (Feature("road"),) for hex_ in some},
    )


def best_ms(run: Callable[[], object], runs: int) -> float:
    """Return the median of some runs, the first left out."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def measure(map_: HexMap, runs: int) -> None:
    """Print the rows of one map."""
    data = dump_map(map_)
    plain = json.loads(data)
    loads_ms = best_ms(lambda: json.loads(data), runs)
    dumps_ms = best_ms(lambda: json.dumps(plain), runs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.hexmap.json"
        save_map(path, map_)
        table: list[tuple[str, Callable[[], object], float]] = [
            ("parse", lambda: parse_map(data, "map"), loads_ms),
            ("load from disk", lambda: load_map(path), loads_ms),
            ("check", lambda: check_map(map_), loads_ms),
            ("dump", lambda: dump_map(map_), dumps_ms),
            ("save to disk, synced", lambda: save_map(path, map_, force=True), dumps_ms),
        ]
        for what, run, bare_ms in table:
            ms = best_ms(run, runs)
            row = f"{len(map_.hexes):>8}{len(data) / 1e6:>7.1f}  {what:<22}{ms:>7.0f} ms"
            goal = "" if len(map_.hexes) > 5000 else f"  goal {GOAL_MS} ms"
            print(f"{row}{bare_ms:>9.0f} ms{ms / bare_ms:>10.1f}{goal}")


def main() -> None:
    """Measure and print the table."""
    print(f"{'hexes':>8}{'MB':>7}  {'what':<22}{'median':>10}{'bare json':>12}{'multiple':>10}")
    for columns, rows, runs in SIZES:
        measure(scanned_map(columns, rows), runs)


if __name__ == "__main__":
    main()
