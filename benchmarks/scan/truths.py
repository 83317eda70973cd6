"""Maps whose truth is known: our samples as printed sheets, and published maps where they are.

The published maps lie beside the project, at ../shared/real_maps, on the founders' machines only;
where they are not, every benchmark says so and goes on without them.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import sample_maps
from mapkit.drawing.legend import LegendEntry
from mapkit.grid import Grid, Matrix
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import Kinds
from mapkit.model import Feature, Ground, HexMap
from mapkit.numbering import Axis, Numbering
from mapkit.scan.sheet import FlatSheet
from sample_maps.sheets import print_sheet

REAL_MAPS = Path(__file__).resolve().parents[3] / "shared" / "real_maps"
STYLES = ("plain", "textured", "antique")


@dataclass(frozen=True, eq=False)
class Truth:
    """A picture of a map as it was printed, and all that is known to be true of it."""

    name: str
    sheet: FlatSheet
    map_: HexMap
    legend: tuple[LegendEntry, ...] = ()


def sample_truth(name: str, style: str, *, hex_px: float = 60.0) -> Truth:
    """Return one of our own maps, printed in a style."""
    map_ = sample_maps.load(name)
    printed = print_sheet(map_, style, hex_px=hex_px)
    sheet = FlatSheet(printed.pixels, printed.grid, tuple(map_.hexes))
    return Truth(f"{name}, {style}", sheet, map_, printed.legend)


def real_truths(*names: str) -> Iterator[Truth]:
    """Return the published maps, or those of these names; none where they are not at hand."""
    if not REAL_MAPS.is_dir():
        print(f"passed over: there are no published maps at {REAL_MAPS}", file=sys.stderr)
        return
    for path in sorted(REAL_MAPS.glob("*/truth.json")):
        if not names or path.parent.name in names:
            yield _real_truth(path)


def _real_truth(path: Path) -> Truth:
    data = json.loads(path.read_text("utf-8"))
    [picture] = path.parent.glob("map.*")
    with Image.open(picture) as opened:
        pixels = np.asarray(opened.convert("RGB"))
    (bx, by), (ax, ay) = data["basis"]  # one step straight on, one step aslant
    # Axial q of flat-top runs aslant and r straight down; of pointy-top q straight and r aslant.
    flat = data["orientation"] == "flat"
    q, r = ((ax, ay), (bx, by)) if flat else ((bx, by), (ax, ay))
    rows: Matrix = ((q[0], r[0], data["x0"]), (q[1], r[1], data["y0"]), (0.0, 0.0, 1.0))
    grid = Grid(data["orientation"], rows)
    named = {k: grid.hex_at(v["x"], v["y"]) for k, v in data.get("hexes", {}).items()}
    hexes = {named[k]: _ground(v) for k, v in data.get("hexes", {}).items()}
    if not hexes:
        hexes = {hex_: Ground() for hex_ in _covering(grid, data["width"], data["height"])}
    straight = "columns" if flat else "rows"
    map_ = HexMap(
        grid,
        Numbering(straight=straight, columns=Axis(digits=3), rows=Axis(digits=3)),
        hexes,
        Kinds().with_ids("terrain", iter(sorted({g.terrain for g in hexes.values()}))),
        hexsides=_both(
            _features(data, "river_hexsides", "river", named, Hexside.between),
            _features(data, "bridges", "bridge", named, Hexside.between),
        ),
        links=_features(data, "road_edges", "road", named, Link.between),
        title=path.parent.name,
    )
    return Truth(path.parent.name, FlatSheet(pixels, grid, tuple(hexes)), map_)


def _ground(value: dict[str, Any]) -> Ground:
    if "traits" in value:
        return Ground("+".join(sorted(value["traits"])).lower())
    if "centre" in value:
        return Ground(value["centre"].lower(), value["elev_centre"])
    towns = (Feature("town"),) if value.get("town") else ()
    return Ground("stream" if value.get("stream") else "clear", features=towns)


def _features(
    data: dict[str, Any], key: str, kind: str, named: dict[str, Hex], between: Any
) -> dict[Any, tuple[Feature, ...]]:
    pairs = [(str(a), str(b)) for a, b in data.get(key, ())]
    return {
        between(named[a], named[b]): (Feature(kind),) for a, b in pairs if a in named and b in named
    }


def _both(
    one: dict[Any, tuple[Feature, ...]], other: dict[Any, tuple[Feature, ...]]
) -> dict[Any, tuple[Feature, ...]]:
    """Return what either has: a bridge does not take the river away."""
    return {place: one.get(place, ()) + other.get(place, ()) for place in {**one, **other}}


def _covering(grid: Grid, width: int, height: int) -> Iterator[Hex]:
    corners = [grid.hex_at(x, y) for x in (0, width) for y in (0, height)]
    for q in range(min(c.q for c in corners) - 1, max(c.q for c in corners) + 2):
        for r in range(min(c.r for c in corners) - 1, max(c.r for c in corners) + 2):
            x, y = grid.to_pixel(q, r)
            if 0 < x < width and 0 < y < height:
                yield Hex(q, r)
