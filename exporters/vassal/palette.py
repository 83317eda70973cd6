"""The counters of the game as pieces: a palette by side and formation, faces as layers."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from counters.drawing import CounterStyle, draw_face, face_names
from counters.drawing.file_names import file_stems
from counters.model import Counter, Marker, Unit
from exporters.material import CounterMaterial
from exporters.model import OutFile
from exporters.vassal.boxes import Boxes
from exporters.vassal.elements import Element, add
from exporters.vassal.traits import (
    INNERMOST,
    Trait,
    basic_piece,
    delete,
    listed,
    mark,
    piece_text,
    prototype,
    trait,
)
from mapkit.drawing import rasterise
from mapkit.progress import OnProgress
from mapkit.texts import say

COUNTER = "Counter"
"""The prototype that every piece has: taken off, marked as moved, and what else all can do."""

_MODULE, _WIDGET = "build.module", "build.widget"
_FLIP_KEY = "70,130"  # Ctrl+F


@dataclass
class Palette:
    """What counters add to a module: pieces, pictures, prototypes."""

    size_px: int
    boxes: Boxes | None = None
    images: list[OutFile] = field(default_factory=list)

    def add_to(
        self,
        root: Element,
        prototypes: Element,
        given: CounterMaterial,
        first_gpid: int,
        common: Iterable[Trait],
        on_progress: OnProgress,
    ) -> int:
        """Add the palette of all counters; return the next free gpid."""
        if not given.counters:
            return first_gpid
        made = add(prototypes, f"{_MODULE}.PrototypeDefinition", name=COUNTER, description="")
        made.text = piece_text([*_common(), *common, INNERMOST])
        title = say("exporters.vassal.pieces")
        window = add(
            root,
            f"{_MODULE}.PieceWindow",
            name=title,
            text=title,
            tooltip=title,
            icon="/images/counter.gif",
        )
        tabs = add(window, f"{_WIDGET}.TabWidget", entryName=title)
        stems = file_stems(counter.id for counter in given.counters)
        gpid = first_gpid
        for side, groups in _by_side(given).items():
            tab = add(tabs, f"{_WIDGET}.TabWidget", entryName=side)
            for name, counters in groups.items():
                pieces = add(tab, f"{_WIDGET}.ListWidget", entryName=name, width=300, height=300)
                for counter in counters:
                    share = (gpid - first_gpid) / len(given.counters)
                    on_progress(share, say("exporters.vassal.drawing_pieces"))
                    self._add_slot(pieces, counter, str(gpid), stems[counter.id], given.style)
                    gpid += 1
        return gpid

    def _add_slot(
        self, pieces: Element, counter: Counter, gpid: str, stem: str, style: CounterStyle
    ) -> None:
        files = []
        for name in face_names(counter, style):
            drawing = draw_face(counter, name, style)
            file = f"counter-{stem}-{name}.png"
            picture = rasterise(drawing, scale=self.size_px / drawing.width_px)
            self.images.append(OutFile(f"images/{file}", picture))
            files.append((name, file))
        slot = add(
            pieces,
            f"{_WIDGET}.PieceSlot",
            entryName=counter.name,
            gpid=gpid,
            width=self.size_px,
            height=self.size_px,
        )
        boxed = self.boxes.traits(counter) if self.boxes else []
        slot.text = piece_text([*boxed, *counter_traits(counter, files, gpid)])


def counter_traits(counter: Counter, files: list[tuple[str, str]], gpid: str) -> list[Trait]:
    """Return the traits of a counter, the outermost first; *files* names each face's picture."""
    layers = [_faces(files)] if len(files) > 1 else []
    return [
        *layers,
        prototype(COUNTER),
        mark(**_properties(counter)),
        basic_piece(counter.name, files[0][1] if files else "", gpid),
    ]


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


def _faces(files: list[tuple[str, str]]) -> Trait:
    """Return the faces as levels of a layer that is always there; one key turns them over."""
    images = listed(*(file for _, file in files))
    names = listed("", *(f"+ ({name})" for name, _ in files[1:]))
    before = ["", 2, "", say("exporters.vassal.flip"), 2, "", "", 2, "", "", "", 1, False, 0, 0]
    always = [False, "", 1, 1, True, "", _FLIP_KEY, "", ""]
    return trait(
        "emb2", *before, images, names, True, "Face", "", "", *always, "1.0", "", True, state="1"
    )


def _common() -> list[Trait]:
    moved = ("/images/moved.gif", 18, -24, say("exporters.vassal.moved"), "77,130", "", True)
    return [
        delete(say("exporters.vassal.delete")),
        trait("markmoved", *moved, "", "", "", "", state="false"),
    ]


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
