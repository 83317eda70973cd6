"""Rivers, roads and rails, drawn so that joints and junctions look right.

All casings come first, then all fills from the least to the greatest: a road that joins another
opens into it.
"""

from collections.abc import Iterable, Mapping, Sequence

from mapkit.drawing.chains import Curve
from mapkit.drawing.network import Network
from mapkit.drawing.style import LineLook
from mapkit.drawing.svg import Sheet, Value


def draw_river_banks(sheet: Sheet, network: Network) -> None:
    """Draw the banks: the shores of lakes are painted over them at a mouth."""
    looks = {kind: network.looks.hexside(kind) for kind in network.water}
    draw_casings(sheet, network.water, looks, network.frame.pitch)


def draw_rivers(sheet: Sheet, network: Network) -> None:
    """Draw the water between the banks."""
    looks = {kind: network.looks.hexside(kind) for kind in network.water}
    draw_fills(sheet, network.water, looks, network.frame.pitch)


def draw_roads(sheet: Sheet, network: Network) -> None:
    """Draw roads, trails and rails."""
    looks = {kind: network.looks.link(kind) for kind in network.roads}
    draw_casings(sheet, network.roads, looks, network.frame.pitch)
    draw_fills(sheet, network.roads, looks, network.frame.pitch)


def draw_casings(
    sheet: Sheet, lines: Mapping[str, Sequence[Curve]], looks: Mapping[str, LineLook], pitch: float
) -> None:
    """Draw the edges of all lines, the least important first."""
    for kind in reversed(list(lines)):
        look = looks[kind]
        if look.casing and look.casing_width:
            width = look.width + 2 * look.casing_width
            for curve in lines[kind]:
                sheet.path(curve.path, **stroke(look.casing, width, pitch))


def draw_fills(
    sheet: Sheet, lines: Mapping[str, Sequence[Curve]], looks: Mapping[str, LineLook], pitch: float
) -> None:
    """Draw the inside of all lines, the least important first."""
    for kind in reversed(list(lines)):
        draw_curves(sheet, lines[kind], looks[kind], pitch)


def draw_curves(sheet: Sheet, curves: Iterable[Curve], look: LineLook, pitch: float) -> None:
    """Draw lines of one look without their casing."""
    for curve in curves:
        if look.pattern == "rail":
            sheet.path(curve.path, **stroke(look.colour, look.width, pitch))
            ties = (0.4 * look.width + 0.012, look.spacing)
            sheet.path(curve.path, **stroke(look.colour, look.length, pitch, ties, cap="butt"))
        elif look.pattern == "beads":
            sheet.path(curve.path, **stroke(look.colour, look.width, pitch, (0.0005, look.spacing)))
        else:
            cap = "butt" if look.dash else "round"
            sheet.path(curve.path, **stroke(look.colour, look.width, pitch, look.dash, cap=cap))


def stroke(
    colour: str,
    width: float,
    pitch: float,
    dash: Sequence[float] = (),
    *,
    cap: str = "round",
) -> dict[str, Value]:
    """Return the attributes of a line; lengths in pitches."""
    dashes = " ".join(f"{length * pitch:.2f}" for length in dash)
    return {
        "fill": "none",
        "stroke": colour,
        "stroke_width": width * pitch,
        "stroke_dasharray": dashes or None,
        "stroke_linecap": cap,
        "stroke_linejoin": "round",
    }
