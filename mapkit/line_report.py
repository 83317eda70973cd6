"""A line between two hexes told: as words, as data, and as a picture players can agree on."""

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


def line_data(map_: HexMap, a: Hex, b: Hex) -> dict[str, object]:
    """Return what the line meets as JSON-able data, positions as exact fractions."""
    return {
        "from": map_.label(a),
        "to": map_.label(b),
        "distance": distance(a, b),
        "trace": trace_data(map_, hex_line(a, b)),
    }


def trace_data(map_: HexMap, events: tuple[Event, ...]) -> list[dict[str, object]]:
    """Return what a line meets as JSON-able data, in order."""
    return [
        {
            "kind": event.kind,
            "hexes": [map_.label(hex_) for hex_ in event.hexes],
            "from": str(event.start),
            "to": str(event.end),
        }
        for event in events
    ]


def told_line(map_: HexMap, a: Hex, b: Hex) -> str:
    """Return what the line meets, one line for each event."""
    hexes = distance(a, b)
    head = say("mapkit.line.head", a=map_.label(a), b=map_.label(b), n=hexes)
    return "\n".join([head, *(f"  {_told(map_, event)}" for event in hex_line(a, b))])


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


def _told(map_: HexMap, event: Event) -> str:
    names = [map_.label(hex_) for hex_ in event.hexes]
    start, end = str(event.start), str(event.end)
    match event.kind:
        case "through":
            return say("mapkit.line.through", hex=names[0], start=start, end=end)
        case "along":
            return say("mapkit.line.along", left=names[0], right=names[1], start=start, end=end)
        case "touch":
            return say("mapkit.line.touch", hex=names[0], at=start)
        case "cross":
            return say("mapkit.line.cross", before=names[0], after=names[1], at=start)
        case "cross_at_vertex":
            return say(
                "mapkit.line.cross_at_vertex",
                before=names[0],
                after=names[1],
                third=names[2],
                at=start,
            )


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
