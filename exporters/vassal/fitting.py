"""A map laid on an author's board: by labels, and only where its hexes lie as ours do."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exporters.material import MapMaterial
from exporters.model import ExportError
from exporters.vassal.boards import upright_fit
from exporters.vassal.foreign_grids import ForeignBoard, Location, places_called
from exporters.vassal.hex_grid import Lattice
from mapkit.hexes import Hex
from mapkit.model import HexMap

LEAST_SHARE = 0.9
"""So many of a map's hexes must be places of the board; the rest is told as lost."""

_NEAR = 0.3  # of a hex: farther off it is another hex


@dataclass(frozen=True, slots=True)
class Fit:
    """A map on a board: what the engine calls its hexes there, and how they lie."""

    board: ForeignBoard
    lattice: Lattice
    locations: dict[Hex, str]


def fit_map(one: MapMaterial, boards: Sequence[ForeignBoard], module: str) -> Fit:
    """Return the board that holds a map; of several, the one that bears its name, else the first.

    Raises:
        ExportError: no board names its hexes, or they lie otherwise there.
    """
    if not one.map.hexes:
        raise ExportError(f"the map {one.map.named} has no hexes: there is nothing to export")
    fits = [fit for board in boards if (fit := _fit(one.map, board)) is not None]
    if not fits:
        raise _no_board(one, boards, module)
    most = max(len(fit.locations) for fit in fits)
    if most < LEAST_SHARE * len(one.map.hexes):
        raise _no_board(one, boards, module)
    names = {one.id.casefold(), one.map.title.casefold()}
    best = [fit for fit in fits if len(fit.locations) == most]
    named = [
        fit
        for fit in best
        if fit.board.name.casefold() in names or fit.board.map_name.casefold() in names
    ]
    return (named or best)[0]


def _fit(map_: HexMap, board: ForeignBoard) -> Fit | None:
    """Return a map on a board, its lattice from the grid that names most of its hexes."""
    labels = {map_.label(hex_): hex_ for hex_ in map_.hexes}
    found = [matched for group in board.groups if len(matched := _matched(labels, group)) > 1]
    if not found:
        return None
    surest = max(found, key=len)
    lattice, _ = upright_fit(map_.grid, list(surest), [place.at for place in surest.values()])
    steps = (round(step, 6) for step in (lattice.across_px, lattice.along_px))
    lattice = Lattice(lattice.orientation, lattice.first_px, *steps)
    locations: dict[Hex, str] = {}
    for matched in found:
        for hex_, place in matched.items():
            if math.dist(lattice.centre(hex_), place.at) <= _NEAR * lattice.along_px:
                locations.setdefault(hex_, place.name)
    ordered = {hex_: locations[hex_] for hex_ in map_.hexes if hex_ in locations}
    return Fit(board, lattice, ordered)


def _matched(labels: dict[str, Hex], group: Iterable[Location]) -> dict[Hex, Location]:
    return {labels[word]: place for word, place in places_called(group, labels).items()}


def _no_board(one: MapMaterial, boards: Sequence[ForeignBoard], module: str) -> ExportError:
    """Return the error that says how far the labels match, and what the board's look like."""
    labels = {one.map.label(hex_) for hex_ in one.map.hexes}
    places = [[place for group in board.groups for place in group] for board in boards]
    if not any(places):
        return ExportError(
            f"{module}: no board of it has a hex grid with numbers, so there is nothing to key"
            " sight by"
        )
    known = max(places, key=lambda all_: len(labels & {word for p in all_ for word in p.calls}))
    words = {word for place in known for word in place.calls}
    missing = sorted(labels - words)
    share = f"{len(labels) - len(missing)} of {len(labels)} hexes of the map {one.id}"
    if len(missing) <= (1 - LEAST_SHARE) * len(labels):
        return ExportError(
            f"{module}: its board names {share}, but they lie otherwise there; turn the map as the"
            " board is printed (mapkit map turn), or correct its numbering"
        )
    return ExportError(
        f"{module}: its boards name {share}: there is no {missing[0]}, but {known[0].name};"
        " correct the map's numbering, or give the module of this map"
    )
