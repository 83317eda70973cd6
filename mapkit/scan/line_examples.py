"""The lines among what a scan is taught: which hexside or link an example means."""

from itertools import combinations

import numpy as np

from mapkit.grid import nearest_hex
from mapkit.hexes import Hexside, Link, neighbours
from mapkit.scan.line_teaching import LineSwatch, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import NONE, Example, Teaching, TeachingError

_NEAR = 0.3  # in pitches: an example farther from the middle of a hexside means none


def line_teaching(sheet: FlatSheet, teaching: Teaching) -> LineTeaching:
    """Return what is taught about hexsides and links; places are pixels of the sheet.

    Raises:
        TeachingError: an example lies at no hexside.
    """
    return LineTeaching(
        hexsides=tuple(
            (_side_at(sheet, example), None if example.value == NONE else example.value)
            for example in teaching.of("hexside")
        ),
        links=tuple(
            (
                Link(*_side_at(sheet, example)),
                None if example.value == NONE else example.value,
            )
            for example in teaching.of("link")
        ),
        swatches=tuple(
            LineSwatch(sample.group, sample.kind, sample.rect)
            for sample in teaching.legend
            if sample.rect is not None and sample.group in ("hexsides", "links", "areas")
        ),
    )


def _side_at(sheet: FlatSheet, example: Example) -> Hexside:
    """Return the hexside whose middle is nearest to a point."""
    near = nearest_hex(*sheet.grid.from_pixel(example.x, example.y))
    around = [near, *neighbours(near)]
    sides = [
        Hexside.between(one, other)
        for one, other in combinations(around, 2)
        if near in (one, other)
    ]
    middles = np.array(
        [np.add(sheet.grid.centre(side.a), sheet.grid.centre(side.b)) / 2 for side in sides]
    )
    far = np.linalg.norm(middles - (example.x, example.y), axis=1) / sheet.pitch_px
    best = int(far.argmin())
    known = set(sheet.hexes)
    if far[best] > _NEAR or known.isdisjoint(sides[best]):
        raise TeachingError(
            f"the example of {example.what} {example.value} at {example.x:g},{example.y:g} lies at "
            "no hexside of the map; give the pixel in the middle of a hexside"
        )
    return sides[best]
