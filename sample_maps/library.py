"""The sample maps that come with Mapkit: read from the package, wherever it is installed."""

from dataclasses import replace
from importlib.resources import files

from mapkit.document.reading import parse_map
from mapkit.document.shapes import parse_shapes
from mapkit.errors import MapkitError
from mapkit.model import HexMap

MAP_SUFFIX = ".hexmap.json"
SHAPES_SUFFIX = ".shapes.geojson"

_DATA = files("sample_maps") / "data"


def names() -> tuple[str, ...]:
    """Return the names of the sample maps."""
    found = (entry.name for entry in _DATA.iterdir())
    return tuple(sorted(n.removesuffix(MAP_SUFFIX) for n in found if n.endswith(MAP_SUFFIX)))


def load(name: str) -> HexMap:
    """Return a sample map with its shapes.

    Raises:
        MapkitError: no sample map has this name.
    """
    if name not in names():
        raise MapkitError(f"no sample map is called '{name}'; there is: {', '.join(names())}")
    map_file, shapes_file = f"{name}{MAP_SUFFIX}", f"{name}{SHAPES_SUFFIX}"
    map_ = parse_map((_DATA / map_file).read_bytes(), map_file)
    shapes = parse_shapes((_DATA / shapes_file).read_bytes(), shapes_file)
    return replace(map_, shapes=shapes)
