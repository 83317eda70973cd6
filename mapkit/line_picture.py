"""A line between two hexes as a picture players can agree on."""

from collections.abc import Iterable

from mapkit.drawing import (
    ALL_LAYERS,
    Drawing,
    HexOverlay,
    LineOverlay,
    ProfileOverlay,
    ProfilePoint,
    TextOverlay,
    draw_map,
    load_style,
)
from mapkit.drawing.overlays import Overlay
from mapkit.hexes import Hex, distance
from mapkit.lines import Event, hex_line
from mapkit.model import HexMap
from mapkit.sheets import crop
from mapkit.texts import say

_AROUND = 5  # columns and rows of land shown about the line
_THROUGH, _ALONG, _TOUCHED = "#1b6ec2", "#d7263d", "#8a6d1f"


def draw_line(map_: HexMap, a: Hex, b: Hex, *, style: str, hex_px: float) -> Drawing:
    """Return the land around the line, with everything it meets marked."""
    return draw_map(
        crop(map_, land_around(map_, (a, b))),
        load_style(style),
        layers=ALL_LAYERS - {"title", "legend", "scale", "compass"},
        overlays=_overlays(map_, a, b, hex_line(a, b)),
        hex_px=hex_px,
    )


def land_around(map_: HexMap, hexes: Iterable[Hex]) -> set[Hex]:
    """Return the columns and rows about some hexes, with room for what is written beside them."""
    places = [map_.numbering.position(hex_) for hex_ in hexes]
    columns = range(min(c for c, _ in places) - _AROUND, max(c for c, _ in places) + _AROUND + 1)
    rows = range(min(r for _, r in places) - _AROUND, max(r for _, r in places) + _AROUND + 1)
    return {
        hex_
        for hex_ in map_.hexes
        for column, row in [map_.numbering.position(hex_)]
        if column in columns and row in rows
    }


def _overlays(map_: HexMap, a: Hex, b: Hex, events: tuple[Event, ...]) -> list[Overlay]:
    def marked(kind: str, colour: str, opacity: float) -> HexOverlay:
        hexes = [hex_ for event in events if event.kind == kind for hex_ in event.hexes]
        return HexOverlay(tuple(dict.fromkeys(hexes)), colour=colour, opacity=opacity)

    counts = {kind: sum(event.kind == kind for event in events) for kind in ("through", "along")}
    lines = (
        say("mapkit.line.head", a=map_.label(a), b=map_.label(b), n=distance(a, b)),
        say("mapkit.line.legend_through", n=counts["through"]),
        say("mapkit.line.legend_along", n=counts["along"]),
    )
    # Written where the line does not run: beside the way it falls or rises on the sheet.
    (ax, ay), (bx, by) = map_.grid.centre(a), map_.grid.centre(b)
    falls = (bx - ax) * (by - ay) > 0
    overlays: list[Overlay] = [
        marked("through", _THROUGH, 0.25),
        marked("along", _ALONG, 0.25),
        marked("touch", _TOUCHED, 0.15),
        LineOverlay(a, b),
        TextOverlay(lines, "top-right" if falls else "top-left"),
    ]
    profile = _profile(map_, events)
    if profile:
        overlays.append(ProfileOverlay(profile, corner="bottom-left" if falls else "bottom-right"))
    return overlays


def _profile(map_: HexMap, events: tuple[Event, ...]) -> tuple[ProfilePoint, ...]:
    """The levels along the line; on a hexside the higher neighbour. Empty where one is unknown."""
    points: list[ProfilePoint] = []
    for event in events:
        if event.kind not in ("through", "along"):
            continue
        levels = [map_[hex_].level for hex_ in event.hexes if hex_ in map_]
        known = [level for level in levels if level is not None]
        if len(known) < len(event.hexes):
            return ()
        label = map_.label(event.hexes[0]) if event.kind == "through" else ""
        middle = float((event.start + event.end) / 2)
        points += [
            ProfilePoint(float(event.start), max(known)),
            ProfilePoint(middle, max(known), label),
            ProfilePoint(float(event.end), max(known)),
        ]
    return tuple(points)
