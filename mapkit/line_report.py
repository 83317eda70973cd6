"""A line between two hexes told: as words and as data."""

from mapkit.hexes import Hex, distance
from mapkit.lines import Event, hex_line
from mapkit.model import HexMap
from mapkit.texts import say


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
