"""Does a map's numbering fit the layout that a rules pack presumes?"""

from typing import Literal

from mapkit.errors import MapkitError
from mapkit.hexes import neighbours
from mapkit.model import HexMap
from mapkit.notation import format_hex
from mapkit.numbering import Compass, Numbering
from mapkit.texts import say
from rules.pack import Pack

Severity = Literal["error", "warning", "note"]

_COMPARED = 400  # hexes looked at: a wrong parity shows at once
_WINDS: tuple[Compass, ...] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def compare_layout(map_: HexMap, pack: Pack) -> tuple[Severity, str]:
    """Say whether a map's numbering confirms, contradicts or settles a pack's layout.

    Only the form of the labels, the straight lines, the compass and the neighbours count. A
    layout that the sources force makes a contradiction an error, any other a warning.
    """
    numbering = _rule(map_)
    against: Severity = "error" if pack.layout.confirmed else "warning"
    other_form = _label_of_another_form(map_, pack)
    if other_form is not None:
        return "warning", say("rules.project.layout_other", label=other_form, game=pack.title)
    if numbering.straight != pack.layout.straight:
        return against, say(
            "rules.project.layout_straight",
            here=numbering.straight,
            there=pack.layout.straight,
            game=pack.title,
        )
    for here, there in _runs(map_, numbering, pack):
        if here != there:
            text = say("rules.project.layout_compass", here=here, there=there, game=pack.title)
            return "warning", text
    return _compare_neighbours(map_, pack, against)


def _rule(map_: HexMap) -> Numbering:
    numbering = map_.numbering
    return numbering if isinstance(numbering, Numbering) else numbering.parts[0].numbering


def _label_of_another_form(map_: HexMap, pack: Pack) -> str | None:
    form = pack.layout.any_numbering()
    for hex_ in list(map_.hexes)[:_COMPARED]:
        try:
            form.parse_label(map_.label(hex_))
        except MapkitError:
            return map_.label(hex_)
    return None


def _runs(map_: HexMap, numbering: Numbering, pack: Pack) -> list[tuple[str, str]]:
    """Where the map's columns and rows run by its own compass, and where by the pack."""
    north_deg = map_.grid.north_deg
    right = 90 - north_deg + (0 if numbering.columns.step == 1 else 180)
    down = 180 - north_deg + (0 if numbering.rows.step == 1 else 180)
    layout = pack.layout
    return [(_wind(right), layout.columns_run), (_wind(down), layout.rows_run)]


def _wind(bearing_deg: float) -> Compass:
    return _WINDS[round(bearing_deg / 45) % 8]


def _compare_neighbours(map_: HexMap, pack: Pack, against: Severity) -> tuple[Severity, str]:
    presumed = pack.layout.numbering()
    across = 0  # neighbours in another line: only they tell how lines are shoved
    for hex_ in list(map_.hexes)[:_COMPARED]:
        label = map_.label(hex_)
        near = {map_.label(other): other for other in neighbours(hex_) if other in map_}
        column, row = map_.numbering.position(hex_)
        across += sum(
            column != other_column and row != other_row
            for other_column, other_row in map(map_.numbering.position, near.values())
        )
        if presumed is None:
            continue
        expected = {format_hex(o, presumed) for o in neighbours(presumed.parse_label(label))}
        odd = next((other for other in sorted(near) if other not in expected), None)
        if odd is not None:
            text = say("rules.project.layout_contradicted", hex=label, near=odd, game=pack.title)
            return against, text
    if not across:
        return "note", say("rules.project.layout_nothing", game=pack.title)
    if presumed is None:
        return "note", say("rules.project.layout_settled", game=pack.title)
    return "note", say("rules.project.layout_confirmed", game=pack.title)
