"""Drawn outlines, lines and points beside the map: `NAME.shapes.geojson`, in picture pixels.

GeoJSON by form, so that common tools open it; the coordinates are pixels of the map's picture
(x to the right, y down), which the member "mapkit" says.
"""

import json
import math
import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mapkit.document.writing import sparse
from mapkit.errors import DocumentError, Fault
from mapkit.grid import Point
from mapkit.model import Form, Provenance, Shape

FORMAT = "mapkit-shapes/1"
PIXELS = "picture pixels, x to the right, y down"

_GEOMETRY: dict[Form, str] = {"point": "Point", "line": "LineString", "outline": "Polygon"}
_Line = Annotated[list[Point], Field(min_length=2)]
_Ring = Annotated[list[Point], Field(min_length=4)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class _PointGeometry(_Strict):
    type: Literal["Point"]
    coordinates: Point


class _LineGeometry(_Strict):
    type: Literal["LineString"]
    coordinates: _Line


class _OutlineGeometry(_Strict):
    type: Literal["Polygon"]
    coordinates: Annotated[list[_Ring], Field(min_length=1)]


class _Properties(_Strict):
    kind: str
    name: str = ""
    level: int | None = None
    note: str = ""
    provenance: Provenance | None = None


class _ShapeFeature(_Strict):
    type: Literal["Feature"]
    geometry: Annotated[
        _PointGeometry | _LineGeometry | _OutlineGeometry, Field(discriminator="type")
    ]
    properties: _Properties


class _About(_Strict):
    format: Literal["mapkit-shapes/1"]
    coordinates: str = PIXELS


class ShapesFile(_Strict):
    """The shapes beside a Mapkit map document."""

    type: Literal["FeatureCollection"]
    mapkit: _About
    features: list[_ShapeFeature]


def parse_shapes(data: bytes, source: str) -> tuple[Shape, ...]:
    """Return the shapes in a file's bytes; *source* names the file in messages."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        file = ShapesFile.model_validate_json(data)
    except ValidationError as error:
        newer = re.search(rb'"mapkit-shapes/(?!1")\d+"', data[:10_000])
        if newer:
            raise DocumentError(
                f"{source}: written in format {newer[0].decode()}, this Mapkit reads {FORMAT}; "
                "install a newer Mapkit"
            ) from None
        faults = [
            Fault(".".join(map(str, detail["loc"])) or "the file", detail["msg"], "correct it")
            for detail in error.errors()
        ]
        raise DocumentError.listing(source, faults) from None
    shapes = tuple(map(_shape_from, file.features))
    for index, shape in enumerate(shapes):
        if shape.form == "outline" and any(ring[0] != ring[-1] for ring in shape.rings):
            fault = Fault(f"features.{index}", "an outline is not closed", "repeat its first point")
            raise DocumentError.listing(source, [fault])
    return shapes


def dump_shapes(shapes: tuple[Shape, ...]) -> bytes:
    """Return the bytes of a shapes file, one shape per line: the inverse of `parse_shapes`."""
    head = {"format": FORMAT, "coordinates": PIXELS}
    lines = ",\n".join(json.dumps(_feature(shape), ensure_ascii=False) for shape in shapes)
    return (
        f'{{\n"type": "FeatureCollection",\n"mapkit": {json.dumps(head)},\n'
        f'"features": [\n{lines}\n]\n}}\n'
    ).encode()


def _shape_from(feature: _ShapeFeature) -> Shape:
    geometry = feature.geometry
    rings: tuple[tuple[Point, ...], ...]
    match geometry:
        case _PointGeometry():
            form: Form = "point"
            rings = ((geometry.coordinates,),)
        case _LineGeometry():
            form, rings = "line", (tuple(geometry.coordinates),)
        case _OutlineGeometry():
            form, rings = "outline", tuple(map(tuple, geometry.coordinates))
    said = feature.properties
    return Shape(said.kind, form, rings, said.name, said.level, said.note, said.provenance)


def _feature(shape: Shape) -> dict[str, object]:
    if not all(math.isfinite(number) for ring in shape.rings for xy in ring for number in xy):
        raise DocumentError(f"a shape of kind {shape.kind} has a coordinate that is no number")
    rings = [[[float(x), float(y)] for x, y in ring] for ring in shape.rings]
    coordinates: object = rings
    if shape.form == "line":
        coordinates = rings[0]
    elif shape.form == "point":
        coordinates = rings[0][0]
    said = sparse(shape)
    del said["form"], said["rings"]
    geometry = {"type": _GEOMETRY[shape.form], "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": said}
