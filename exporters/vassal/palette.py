"""The counters and markers of the game as pieces: a palette by side and formation."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from counters.drawing import face_names
from counters.drawing.file_names import file_stems
from counters.model import Counter, Marker, Unit
from exporters.material import CounterMaterial
from exporters.model import OutFile
from exporters.vassal.badges import BadgeBox
from exporters.vassal.boxes import BOXES, Boxes
from exporters.vassal.elements import Element, add
from exporters.vassal.game_markers import marker_pieces
from exporters.vassal.saves.pieces import SavedPiece, expanded
from exporters.vassal.standing import Turns
from exporters.vassal.traits import (
    INNERMOST,
    Trait,
    basic_piece,
    delete,
    mark,
    outline,
    piece_text,
    prototype,
    trait,
)
from exporters.vassal.unit_states import UnitStates, face_layer
from mapkit.drawing import rasterise
from mapkit.progress import OnProgress
from mapkit.texts import say
from rules.pack import Pack

COUNTER = "Counter"
"""The prototype that every piece has: taken off, marked as moved, and what else all can do."""

CLASS = "Unit_"
"""Before the pack's word in the name of the prototype of a class."""

_MODULE, _WIDGET = "build.module", "build.widget"
_MOST_TABS = 8


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece of the palette: its number, and its traits as they stand there, outermost first."""

    gpid: str
    name: str
    traits: tuple[Trait, ...]


@dataclass
class Palette:
    """What counters and markers add to a module: pieces, pictures, prototypes.

    *units* are the slots by the id of their counter, *fronts* the pictures of their fronts,
    *markers* the slots by kind and side ("" is nobody's), *controls* by side. *shared* are
    prototypes that the module defines beside these and every counter has, by name.
    """

    size_px: int
    pack: Pack | None = None
    turns: Turns = 6
    boxes: Boxes | None = None
    shared: Mapping[str, tuple[Trait, ...]] = field(default_factory=dict)
    images: list[OutFile] = field(default_factory=list)
    units: dict[str, Slot] = field(default_factory=dict)
    fronts: dict[str, bytes] = field(default_factory=dict)
    markers: dict[tuple[str, str], Slot] = field(default_factory=dict)
    controls: dict[str, Slot] = field(default_factory=dict)
    prototypes: dict[str, tuple[Trait, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._gpids = count()
        self._badges = BadgeBox(self.size_px)
        self._states = UnitStates(self.pack, self._badges, self.turns) if self.pack else None

    def add_to(
        self,
        root: Element,
        prototypes: Element,
        given: CounterMaterial,
        first_gpid: int,
        on_progress: OnProgress,
    ) -> int:
        """Add the palette of all counters and markers; return the next free gpid."""
        self._define_prototypes(given)
        for name, traits in self.prototypes.items():
            made = add(prototypes, f"{_MODULE}.PrototypeDefinition", name=name, description="")
            made.text = piece_text([*traits, INNERMOST])
        title = say("exporters.vassal.pieces")
        icon = "/images/counter.gif"
        window = add(
            root, f"{_MODULE}.PieceWindow", name=title, text=title, tooltip=title, icon=icon
        )
        tabs = add(window, f"{_WIDGET}.TabWidget", entryName=title)
        self._gpids = count(first_gpid)
        self._add_counters(tabs, given, on_progress)
        self._add_markers(tabs, given)
        _fold(tabs)
        self.images += self._badges.images.values()
        return next(self._gpids)

    def made(self, slot: Slot) -> SavedPiece:
        """Return a piece as the engine makes it from its slot, not yet anywhere."""
        return SavedPiece("", self.expanded(slot), gpid=slot.gpid)

    def expanded(self, slot: Slot) -> tuple[Trait, ...]:
        """Return the traits of a slot with its prototypes in their place, as saves hold them."""
        defined = {**self.shared, **self.prototypes}
        known = {name: SavedPiece("", (*traits, INNERMOST)) for name, traits in defined.items()}
        return expanded(SavedPiece("", slot.traits), known).traits

    def _define_prototypes(self, given: CounterMaterial) -> None:
        """Note what pieces share: all of them, and the units of each class."""
        self.prototypes[COUNTER] = tuple(self._common())
        if self.boxes is not None:
            self.prototypes[BOXES] = self.boxes.shared()
        if self._states is None:
            return
        classes = (one.class_ for one in given.counters if isinstance(one, Unit))
        for class_ in sorted(set(classes)):
            badges, turned = self._states.shared(class_), self._states.facing(class_)
            shape = outline(list(_corners(self.size_px, round_=bool(turned))))
            # What lies outside the turning stays upright.
            self.prototypes[CLASS + class_] = (shape, *badges, prototype(COUNTER), *turned)

    def _common(self) -> list[Trait]:
        image, at = self._badges.moved()
        moved = (image, *at, say("exporters.vassal.moved"), "77,130", "", True)
        return [
            delete(say("exporters.vassal.delete")),
            trait("markmoved", *moved, "", "", "", "", state="false"),
        ]

    def _add_counters(self, tabs: Element, given: CounterMaterial, on_progress: OnProgress) -> None:
        stems = file_stems(counter.id for counter in given.counters)
        for side, groups in _by_side(given).items():
            for name, counters in groups.items():
                pieces = _list(_tab(tabs, side), name)
                for counter in counters:
                    share = len(self.units) / len(given.counters)
                    on_progress(share, say("exporters.vassal.drawing_pieces"))
                    files = self._drawn(counter, stems[counter.id], given)
                    gpid = str(next(self._gpids))
                    slot = Slot(gpid, counter.name, self._counter_traits(counter, files, gpid))
                    self.units[counter.id] = slot
                    _add_slot(pieces, slot, self.size_px)

    def _add_markers(self, tabs: Element, given: CounterMaterial) -> None:
        """Add the markers of the game beside those that somebody described."""
        made = list(marker_pieces(self.pack, self._badges, given.style)) if self.pack else []
        if not made:
            return
        tab = _tab(tabs, say("exporters.vassal.markers"))
        pieces = _list(tab, say("exporters.vassal.game_markers"))
        for one in made:
            gpid = str(next(self._gpids))
            asks = map(prototype, self.shared)
            traits = (*asks, *one.traits, basic_piece(one.name, one.image, gpid))
            slot = Slot(gpid, one.name, traits)
            if one.kind:
                self.markers[one.kind, one.side] = slot
            else:
                self.controls[one.side] = slot
            _add_slot(pieces, slot, self._badges.chip_px)

    def _drawn(self, counter: Counter, stem: str, given: CounterMaterial) -> dict[str, str]:
        """Draw the faces of a counter, or take them as they were cut; return the file of each."""
        files = {}
        for name in face_names(counter, given.style):
            drawing = given.drawn(counter, name)
            files[name] = f"counter-{stem}-{name}.png"
            picture = rasterise(drawing, scale=self.size_px / drawing.width_px)
            self.images.append(OutFile(f"images/{files[name]}", picture))
            self.fronts.setdefault(counter.id, picture)
        return files

    def _counter_traits(
        self, counter: Counter, files: Mapping[str, str], gpid: str
    ) -> tuple[Trait, ...]:
        """Return the traits of a counter, outermost first; *files* names each face's picture."""
        if isinstance(counter, Unit) and self._states is not None:
            own = [prototype(CLASS + counter.class_), *self._states.own(counter, files)]
        else:
            own = [*face_layer(files), prototype(COUNTER)]
        front = next(iter(files.values()), "")
        if self.boxes is not None:
            own = [*self.boxes.traits(counter), *own]
        # The engine writes every trait anew for each one around it: what is long lies outermost.
        shared = map(prototype, self.shared)
        return (*shared, *own, mark(**_properties(counter)), basic_piece(counter.name, front, gpid))


def _properties(counter: Counter) -> dict[str, str]:
    """Return what the engine may ask of a counter: by which pieces are found and listed."""
    if isinstance(counter, Marker):
        return {"Id": counter.id, "Layer": "Markers"}
    return {
        "Id": counter.id,
        "Layer": "Units",
        "Side": counter.side,
        "Formation": counter.formation,
        "Class": counter.class_,
        "Nationality": counter.nationality,
    }


def _corners(size_px: int, *, round_: bool) -> Iterator[tuple[float, float]]:
    """Yield the corners of where a counter takes a click: its own, or a circle's if it turns."""
    half = size_px / 2
    if not round_:
        yield from ((-half, -half), (half, -half), (half, half), (-half, half))
        return
    for number in range(12):
        turn = math.tau * number / 12
        yield round(1.15 * half * math.cos(turn), 2), round(1.15 * half * math.sin(turn), 2)


def _tab(tabs: Element, title: str) -> Element:
    """Return the tab of a title; it is made where there is none."""
    for tab in tabs:
        if tab.get("entryName") == title:
            return tab
    return add(tabs, f"{_WIDGET}.TabWidget", entryName=title)


def _list(tab: Element, title: str) -> Element:
    return add(tab, f"{_WIDGET}.ListWidget", entryName=title, width=300, height=300)


def _add_slot(pieces: Element, slot: Slot, size_px: int) -> None:
    made = add(
        pieces,
        f"{_WIDGET}.PieceSlot",
        entryName=slot.name,
        gpid=slot.gpid,
        width=size_px,
        height=size_px,
    )
    made.text = piece_text(slot.traits)


def _fold(tabs: Element) -> None:
    """Turn tabs that would pile up, row upon row, into a box to choose from."""
    for tab in tabs:
        if len(tab) > _MOST_TABS:
            tab.tag = f"VASSAL.{_WIDGET}.BoxWidget"


def _by_side(given: CounterMaterial) -> dict[str, dict[str, list[Counter]]]:
    """Return the counters by side and formation, as titles, in the order they come in."""
    sides: dict[str, dict[str, list[Counter]]] = {}
    for counter in given.counters:
        side, formation = _place(given, counter)
        sides.setdefault(side, {}).setdefault(formation, []).append(counter)
    return sides


def _place(given: CounterMaterial, counter: Counter) -> tuple[str, str]:
    if isinstance(counter, Unit):
        side = given.sides.get(counter.side, counter.side)
        independent = say("exporters.vassal.independent")
        name = given.formations.get(counter.formation, counter.formation) or independent
        return side, name
    return say("exporters.vassal.markers"), say("exporters.vassal.markers")
