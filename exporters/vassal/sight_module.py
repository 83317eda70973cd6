"""Sight in the module: the tables as messages, the pieces in a palette, a prototype for all."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from exporters.material import MapMaterial
from exporters.model import Dropped, OutFile
from exporters.vassal.boards import Board
from exporters.vassal.elements import Element, add
from exporters.vassal.hex_grid import Lattice
from exporters.vassal.sight_expressions import FROM, TABLE
from exporters.vassal.sight_pieces import (
    PROTOTYPE,
    SightView,
    all_slots,
    marker_pictures,
    query_traits,
    strip_pictures,
)
from exporters.vassal.sight_rows import MOST, Rows, sight_rows
from exporters.vassal.traits import Trait, piece_text
from mapkit.hexes import Hex
from mapkit.model import HexMap
from mapkit.texts import say
from rules.battlefield import Battlefield

_MODULE = "build.module"
_WIDGET = "build.widget"
_INNERMOST = Trait("piece;;;;", "null;0;0;;0")


@dataclass
class SightParts:
    """What sight adds to a module, gathered map by map."""

    views: list[SightView] = field(default_factory=list)
    images: list[OutFile] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    _strips: dict[Lattice, str] = field(default_factory=dict)

    def add_map(self, messages: Element, one: MapMaterial, board: Board, map_key: str) -> None:
        """Add the tables of one map, in every weather in which they differ."""
        if one.field is None:
            return
        pack = one.field.pack
        if pack.sight is None:
            why = {"board": board.name, "game": pack.title}
            self.dropped.append(Dropped("exporters.vassal.lost.no_sight", why))
            return
        for rows in tables(one.field):
            table = f"Sight_{map_key}{rows.weather or ''}_"
            _add_rows(messages, board.map, table, rows)
            self.views.append(self._view(one.field, board, table, rows))
            if rows.cut:
                far = {"board": board.name, "n": MOST}
                self.dropped.append(Dropped("exporters.vassal.lost.far_sight", far))

    def add_pieces(self, root: Element, prototypes: Element, first_gpid: int) -> int:
        """Add palette, prototype and pictures; return the next free gpid."""
        if not self.views:
            return first_gpid
        proto = add(prototypes, f"{_MODULE}.PrototypeDefinition", name=PROTOTYPE, description="")
        proto.text = piece_text([*query_traits(), _INNERMOST])
        window = add(
            root,
            f"{_MODULE}.PieceWindow",
            name=say("exporters.vassal.sight.palette"),
            text=say("exporters.vassal.sight.palette"),
            tooltip=say("exporters.vassal.sight.palette_tip"),
            icon="/images/thread.gif",
        )
        pieces = add(window, f"{_WIDGET}.ListWidget", entryName=PROTOTYPE, width=300, height=300)
        slots = all_slots(self.views, first_gpid)
        for name, gpid, traits in slots:
            slot = add(
                pieces, f"{_WIDGET}.PieceSlot", entryName=name, gpid=gpid, width=48, height=48
            )
            slot.text = piece_text(traits)
        self.images += marker_pictures()
        return first_gpid + len(slots)

    def _view(self, where: Battlefield, board: Board, table: str, rows: Rows) -> SightView:
        lattice = Lattice(
            board.lattice.orientation, (0.0, 0.0), board.lattice.across_px, board.lattice.along_px
        )
        if lattice not in self._strips:
            name = "" if not self._strips else f"{len(self._strips)}-"
            self._strips[lattice] = name
            self.images += strip_pictures(lattice, name)
        title = say("exporters.vassal.sight.observer", board=board.name)
        if rows.weather is not None:
            title = f"{title} ({where.pack.weather[rows.weather].title})"
        return SightView(table, rows.reach, lattice, self._strips[lattice], title)


def tables(where: Battlefield) -> Iterator[Rows]:
    """Yield the table without a weather named, and those of the weathers that differ from it."""
    seen: list[dict[Hex, str]] = []
    for weather in (None, *where.pack.weather):
        rows = sight_rows(where, weather)
        if rows.rows not in seen:
            seen.append(rows.rows)
            yield rows


def add_properties(properties: Element) -> None:
    """Add where the observer stands and by which table he looks: empty at the start."""
    for name in (FROM, TABLE):
        add(
            properties,
            f"{_MODULE}.properties.GlobalProperty",
            name=name,
            initialValue="",
            description="",
            isNumeric=False,
            min="null",
            max="null",
            wrap=False,
        )


def _add_rows(messages: Element, map_: HexMap, table: str, rows: Rows) -> None:
    for hex_, row in rows.rows.items():
        add(
            messages,
            f"{_MODULE}.properties.GlobalTranslatableMessage",
            name=f"{table}{map_.label(hex_)}",
            initialValue=row,
            description="",
        )
