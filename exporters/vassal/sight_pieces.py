"""Observer and target: the pieces that ask and show who sees whom in an unmodified engine.

The field of view is a stack of layers on the observer's own piece: each shows one of 127 strips of
up to seven hexes, chosen by a stretch of its hex's row. So it moves with the piece by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exporters.model import OutFile
from exporters.vassal.hex_grid import Lattice
from exporters.vassal.places import OBSERVED
from exporters.vassal.sight_expressions import (
    layer_expression,
    state_expression,
    text_expression,
)
from exporters.vassal.sight_names import OWN, SightNames
from exporters.vassal.sight_rows import Run
from exporters.vassal.traits import (
    Trait,
    basic_piece,
    calculated,
    command,
    delete,
    listed,
    mark,
    outline,
    prototype,
    report,
    set_property,
    trait,
    trigger,
)
from mapkit.drawing.fonts import font_folder
from mapkit.texts import say

OBSERVE, CLEAR, ASK, SHOW, TAKE_OFF = "Observe", "Clear", "Seen", "Field", "TakeOff"
"""The commands of sight, by their last word."""

_STRIPS = range(1, 128)
_TINT = "#ffd400"
_OPACITY = 0.32
_SIZE = 48


@dataclass(frozen=True, slots=True)
class SightView:
    """A table that an observer can stand for: its rows' names, where in them, the board's hexes."""

    table: str
    runs: tuple[Run, ...]
    shift: int
    lattice: Lattice
    strips: str
    title: str
    names: SightNames = OWN


def query_traits(names: SightNames) -> list[Trait]:
    """Return what any counter gets: "Seen by observer?", and the verdict as a property."""
    ask = names.command(ASK)
    return [
        report(ask, f"${names.observer}$ → $LocationName$: ${names.text}$"),
        calculated(names.text, text_expression(names)),
        calculated(names.state, state_expression(names)),
        trigger(ask, say("exporters.vassal.sight.ask")),
    ]


def observer_traits(view: SightView, gpid: str) -> list[Trait]:
    """Return the observer of one table, with his field of view."""
    half = _SIZE / 2
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    now = say("exporters.vassal.sight.now")
    names = view.names
    eye, observe, clear = names.image("observer.png"), names.command(OBSERVE), names.command(CLEAR)
    return [
        # Only the counter takes a click, not the field around it.
        outline(square, eye),
        _picture(eye),
        report(observe, f"{now} $LocationName$"),
        *_bearing(names, lowest=True),
        set_property(
            names.observer,
            (say("exporters.vassal.sight.observe"), observe, "$LocationName$"),
            (say("exporters.vassal.sight.clear"), clear, ""),
        ),
        set_property(names.table, ("", observe, f"{view.table}{OBSERVED}"), ("", clear, "")),
        set_property(names.shift, ("", observe, str(view.shift)), ("", clear, "")),
        prototype(names.prototype),
        *_field_layers(view),
        basic_piece(view.title, "", gpid),
    ]


def target_traits(names: SightNames, gpid: str) -> list[Trait]:
    """Return the marker that always tells whether its hex is seen."""
    label = ("", "", 12, "255,255,255", "0,0,0", "t", 0, "c", 0, "b", "c", "$pieceName$")
    told = f"{{{names.text}}}"
    return [
        trait("label", *label, "Dialog", 1, 0, "SightLabel", "", False, state=told),
        *_bearing(names, lowest=False),
        prototype(names.prototype),
        basic_piece(say("exporters.vassal.sight.target"), names.image("target.png"), gpid),
    ]


def _bearing(names: SightNames, *, lowest: bool) -> Iterator[Trait]:
    """Yield how a piece of sight lies on the map: in its layer, never stacked, to be taken off."""
    if names.layers is not None:
        property_, low, high = names.layers
        yield mark(**{property_: low if lowest else high})
    yield trait("immob", "", "N", "R", "")
    key = names.delete_key or command(names.command(TAKE_OFF))
    yield delete(say("exporters.vassal.delete"), key)


def strip_pictures(lattice: Lattice, name: str) -> Iterator[OutFile]:
    """Yield the 127 strips of up to seven hexes, *name* before their number.

    The highest bit is the first hex.
    """
    wide, tall = _strip_size(lattice)
    for bits in _STRIPS:
        shapes = "".join(
            f'<path d="{_hexagon(lattice, place)}"/>'
            for place in range(7)
            if bits >> (6 - place) & 1
        )
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}">'
            f'<g fill="{_TINT}" fill-opacity="{_OPACITY}">{shapes}</g></svg>'
        )
        yield OutFile(f"images/{_strip(name, bits)}", _png(svg))


def marker_pictures(names: SightNames) -> list[OutFile]:
    """Return the pictures of observer and target."""
    eye = (
        '<path d="M6 24 Q24 6 42 24 Q24 42 6 24Z" fill="#fff" stroke="#1b1b1b" stroke-width="2.5"/>'
        '<circle cx="24" cy="24" r="7.5" fill="#1b1b1b"/>'
        '<circle cx="26.5" cy="21.5" r="2.2" fill="#fff"/>'
    )
    aim = (
        '<g fill="none" stroke="#b3261e" stroke-width="3"><circle cx="24" cy="24" r="14"/>'
        '<path d="M24 3V17M24 31V45M3 24H17M31 24H45"/></g>'
        '<circle cx="24" cy="24" r="3" fill="#b3261e"/>'
    )
    return [
        OutFile(f"images/{names.image('observer.png')}", _png(_counter(eye, "#ffe9a8"))),
        OutFile(f"images/{names.image('target.png')}", _png(_counter(aim, "#fdf3f2"))),
    ]


def _field_layers(view: SightView) -> Iterator[Trait]:
    for number, run in enumerate(view.runs):
        menu = say("exporters.vassal.sight.show") if number == 0 else ""
        yield _field_layer(view, run, menu)


def _field_layer(view: SightView, run: Run, menu: str) -> Trait:
    """Return a layer that follows its hex's row; one command shows and hides all of them."""
    x, y = _offset(view.lattice, run)
    images = listed("", *(_strip(view.strips, bits) for bits in _STRIPS))
    expression = layer_expression(view.table, run.position, run.length)
    before = [menu, 2, "", "", 2, "", "", 2, "", "", "", 1, False, x, y, images]
    names = "," * len(_STRIPS)
    follows = [
        True,
        f"{{{expression}}}",
        0,
        1,
        False,
        command(view.names.command(SHOW)),
        "",
        "",
        "",
    ]
    return trait("emb2", *before, names, True, "", "", "", *follows, "1.0", "", True, state="1")


def _picture(image: str) -> Trait:
    """Return the counter's own picture as a layer above the field."""
    before = ["", 2, "", "", 2, "", "", 2, "", "", "", 1, False, 0, 0, image]
    always = [False, "", 1, 1, True, "", "", "", ""]
    return trait("emb2", *before, "", True, "", "", "", *always, "1.0", "", True, state="1")


def _offset(lattice: Lattice, run: Run) -> tuple[int, int]:
    """Return where the middle of a strip lies, from the middle of the observer's hex."""
    across = round(run.line * lattice.across_px)
    along = round((run.along + run.line / 2 + 3) * lattice.along_px)
    return (across, along) if lattice.orientation == "flat" else (along, across)


def _strip(name: str, bits: int) -> str:
    return f"{name}{bits:03d}.png"


def _strip_size(lattice: Lattice) -> tuple[int, int]:
    across, along = round(lattice.across_px * 4 / 3) + 2, round(lattice.along_px * 7) + 2
    return (across, along) if lattice.orientation == "flat" else (along, across)


def _hexagon(lattice: Lattice, place: int) -> str:
    """Return the outline of one hex of a strip as path data."""
    wide, tall = _strip_size(lattice)
    flat = lattice.orientation == "flat"
    middle = (wide if flat else tall) / 2
    at = (tall if flat else wide) / 2 + (place - 3) * lattice.along_px
    corners = []
    for over, down in ((2, 0), (1, 1.5), (-1, 1.5), (-2, 0), (-1, -1.5), (1, -1.5)):
        across = middle + over * lattice.across_px / 3
        along = at + down * lattice.along_px / 3
        corners.append((across, along) if flat else (along, across))
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners) + "Z"


def _counter(inside: str, ground: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}">'
        f'<rect x="1" y="1" width="46" height="46" rx="5" fill="{ground}" stroke="#3a3a3a" '
        f'stroke-width="2"/>{inside}</svg>'
    )


def _png(svg: str) -> bytes:
    import resvg_py

    made = resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_dirs=[str(font_folder())]
    )
    return bytes(made)


def all_slots(
    views: Sequence[SightView], names: SightNames, gpids: Iterator[str]
) -> list[tuple[str, str, list[Trait]]]:
    """Return the slots of the palette: name, gpid, traits."""
    slots = []
    for view in views:
        gpid = next(gpids)
        slots.append((view.title, gpid, observer_traits(view, gpid)))
    gpid = next(gpids)
    slots.append((say("exporters.vassal.sight.target"), gpid, target_traits(names, gpid)))
    return slots
