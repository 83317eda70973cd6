"""Sight in the module: the tables as messages, the pieces in a palette, a prototype for all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from exporters.material import MapMaterial
from exporters.model import Dropped, OutFile
from exporters.vassal.elements import Element, add, element
from exporters.vassal.hex_grid import Lattice
from exporters.vassal.places import board_key
from exporters.vassal.sight_expressions import SAYS
from exporters.vassal.sight_names import OWN, SightNames
from exporters.vassal.sight_pieces import (
    SightView,
    all_slots,
    marker_pictures,
    query_traits,
    strip_pictures,
)
from exporters.vassal.sight_rows import MOST, ChosenLines, Rows, Run, packed, runs_of, sight_rows
from exporters.vassal.terrain import MESSAGE
from exporters.vassal.traits import INNERMOST, Trait, piece_text
from mapkit.hexes import Hex
from mapkit.texts import say
from rules.battlefield import Battlefield

_MODULE = "build.module"
_WIDGET = "build.widget"


@dataclass(frozen=True, slots=True)
class SightBoard:
    """A board as sight needs it: window, name, its hexes' steps, what the engine calls them."""

    window: str
    name: str
    lattice: Lattice
    locations: Mapping[Hex, str]


@dataclass
class SightParts:
    """What sight adds to a module, gathered map by map."""

    names: SightNames = OWN
    views: list[SightView] = field(default_factory=list)
    images: list[OutFile] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    _strips: dict[Lattice, str] = field(default_factory=dict)

    def add_map(self, messages: Element, one: MapMaterial, board: SightBoard) -> None:
        """Add the tables of one map, in every weather in which they differ."""
        if one.field is None:
            return
        pack = one.field.pack
        if pack.sight is None:
            why = {"board": board.name, "game": pack.title}
            self.dropped.append(Dropped("exporters.vassal.lost.no_sight", why))
            return
        if not self.views:
            add_words(messages, self.names)
        found = list(tables(one.field))
        together = packed(found)
        begins = f"{self.names.rows}{board_key(board.window, board.name)}"
        _add_rows(messages, board.locations, begins, together.rows)
        for number, rows in enumerate(found):
            runs = tuple(runs_of(rows.reach, together, number))
            shift = together.shift(number)
            self.views.append(self._view(one.field, board, rows, runs, shift))
            if rows.cut:
                far = {"board": board.name, "n": MOST}
                self.dropped.append(Dropped("exporters.vassal.lost.far_sight", far))

    def prototype(self) -> Element:
        """Return the prototype that lets any piece ask."""
        name = self.names.prototype
        made = element(f"{_MODULE}.PrototypeDefinition", name=name, description="")
        made.text = piece_text([*query_traits(self.names), INNERMOST])
        return made

    @property
    def shared(self) -> dict[str, tuple[Trait, ...]]:
        """What that prototype holds, by its name; nothing where no map has a table."""
        return {self.names.prototype: tuple(query_traits(self.names))} if self.views else {}

    def palette(self, gpids: Iterator[str]) -> Element:
        """Return the window of observers and target, and gather their pictures."""
        window = element(
            f"{_MODULE}.PieceWindow",
            name=say("exporters.vassal.sight.palette"),
            text=say("exporters.vassal.sight.palette"),
            tooltip=say("exporters.vassal.sight.palette_tip"),
            icon="/images/thread.gif",
        )
        pieces = add(window, f"{_WIDGET}.ListWidget", entryName="Sight", width=300, height=300)
        for name, gpid, traits in all_slots(self.views, self.names, gpids):
            slot = add(
                pieces, f"{_WIDGET}.PieceSlot", entryName=name, gpid=gpid, width=48, height=48
            )
            slot.text = piece_text(traits)
        self.images += marker_pictures(self.names)
        return window

    def properties(self) -> Iterator[Element]:
        """Yield where the observer stands and by which table he looks: empty at the start."""
        for name in (self.names.observer, self.names.table, self.names.shift):
            yield element(
                f"{_MODULE}.properties.GlobalProperty",
                name=name,
                initialValue="",
                description="",
                isNumeric=False,
                min="null",
                max="null",
                wrap=False,
            )

    @property
    def slots(self) -> int:
        """How many slots its palette has."""
        return len(self.views) + 1 if self.views else 0

    def _view(
        self,
        where: Battlefield,
        board: SightBoard,
        rows: Rows,
        runs: tuple[Run, ...],
        shift: int,
    ) -> SightView:
        lattice = Lattice(
            board.lattice.orientation, (0.0, 0.0), board.lattice.across_px, board.lattice.along_px
        )
        if lattice not in self._strips:
            number = f"{len(self._strips)}-" if self._strips else ""
            self._strips[lattice] = self.names.image(f"sight{number}")
            self.images += strip_pictures(lattice, self._strips[lattice])
        title = say("exporters.vassal.sight.observer", board=board.name)
        if rows.weather is not None:
            title = f"{title} ({where.pack.weather[rows.weather].title})"
        strips = self._strips[lattice]
        return SightView(self.names.rows, runs, shift, lattice, strips, title, self.names)


def tables(where: Battlefield) -> Iterator[Rows]:
    """Yield the table without a weather named, and those of the weathers that differ from it."""
    seen: list[dict[Hex, str]] = []
    lines = ChosenLines(where)
    for weather in (None, *where.pack.weather):
        rows = sight_rows(where, weather, lines)
        if rows.rows not in seen:
            seen.append(rows.rows)
            yield rows


def add_words(messages: Element, names: SightNames) -> None:
    """Add the verdicts in words: kept once in the module, not on every counter of every save."""
    for letter, key in SAYS.items():
        words = say(f"exporters.vassal.sight.{key}")
        add(messages, MESSAGE, name=names.says(letter), initialValue=words)


def _add_rows(
    messages: Element, locations: Mapping[Hex, str], begins: str, rows: Mapping[Hex, str]
) -> None:
    for hex_, row in rows.items():
        if hex_ in locations:
            add(
                messages,
                MESSAGE,
                name=f"{begins}{locations[hex_]}",
                initialValue=row,
            )
