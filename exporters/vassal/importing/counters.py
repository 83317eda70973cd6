"""The pieces of a module as units and markers: names, sides, values and pictures, as far as told.

Pieces that are alike in all they show are copies of one counter: in a palette each slot is one, and
what lies in the palette and in a stack at start is the same counter.
"""

import re
from collections import Counter as Tally
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from counters.counter_cells import MOST_COPIES, parse_value, parse_whole
from counters.model import Counter, Face, Marker, Unit, Value
from exporters.model import Dropped, OutFile
from exporters.vassal.foreign_pictures import ForeignPicture, ForeignPictures
from exporters.vassal.importing.faces import FRONT, shown_by
from exporters.vassal.importing.names import FreeNames, plain_name
from exporters.vassal.importing.sides import Sides, is_marker
from exporters.vassal.importing.slots import Slot
from exporters.vassal.slots import ID
from mapkit.kinds import UNKNOWN

FOLDER = "pictures"

_WHOLE_COUNTER = 0.8  # of both its sides: what is smaller is a mark laid upon a counter
_MOST_FACES = 20  # a layer with more draws something, as a field of view; it is no face
_OWN_WORDS = ("nationality", "formation", "class", "echelon", "steps", "side", "id", "picture")
_BETWEEN = " / "


@dataclass
class ImportedCounters:
    """Units and markers of a module, their pictures, and which slot is which of them.

    *images* are the files of pictures by what the module calls them; *id_mark* is the mark that
    holds a counter's id, where the module has such.
    """

    counters: list[Counter] = field(default_factory=list)
    by_slot: dict[int, str] = field(default_factory=dict)
    id_mark: str = ""
    images: dict[str, str] = field(default_factory=dict)
    files: list[OutFile] = field(default_factory=list)
    lost: list[Dropped] = field(default_factory=list)

    @property
    def units(self) -> list[Unit]:
        """Those that are units."""
        return [one for one in self.counters if isinstance(one, Unit)]


def import_counters(
    slots: Sequence[Slot],
    sides: Sides,
    pictures: ForeignPictures,
    *,
    passed_over: Container[str] = (),
) -> ImportedCounters:
    """Return the counters that slots hold; *by_slot* names each slot's by its number.

    Marks that are *passed_over* are no values: they say in what order pieces are drawn.

    Raises:
        ExportError: the pictures unpack to more than any module holds.
    """
    made = _Counters(slots, sides, pictures, passed_over)
    groups: dict[object, list[int]] = {}
    for number, slot in enumerate(slots):
        groups.setdefault(_likeness(slot), []).append(number)
    made.trust_ids([slots[numbers[0]] for numbers in groups.values()])
    # A piece in a palette tells more than its like in a stack: which formation it is of.
    for numbers in groups.values():
        best = min(numbers, key=lambda number: (slots[number].where != "palette", number))
        copies = Tally(slots[number].where for number in numbers)
        id_ = made.add(slots[best], min(max(copies.values()), MOST_COPIES))
        made.done.by_slot |= dict.fromkeys(numbers, id_)
    return made.done


def _likeness(slot: Slot) -> object:
    """Return what is the same for pieces that are copies of each other."""
    traits = slot.piece.traits
    inner = traits[-1].type  # its state is where it lies and which slot it is
    return (inner, tuple(traits[:-1]), slot.name)


class _Counters:
    def __init__(
        self,
        slots: Sequence[Slot],
        sides: Sides,
        pictures: ForeignPictures,
        passed_over: Container[str],
    ) -> None:
        self.done = ImportedCounters()
        self._passed_over = passed_over
        self._own_ids = False
        self._sides = sides
        self._pictures = pictures
        self._ids = FreeNames()
        self._files = FreeNames()
        paths = [slot.path for slot in slots if slot.where == "palette"]
        self._common = _common_beginning(paths)

    def trust_ids(self, slots: Sequence[Slot]) -> None:
        """Take a mark called Id for that where each piece that has one has its own."""
        ids = [id_ for slot in slots if (id_ := _own_id(slot))]
        self._own_ids = len(set(ids)) == len(ids)
        self.done.id_mark = ID if ids and self._own_ids else ""

    def add(self, slot: Slot, copies: int) -> str:
        marks = _folded(slot)
        own_id = self._own_ids and _own_id(slot)
        id_ = self._ids.take(own_id or plain_name(slot.name, otherwise="piece"))
        side = self._sides.of(slot)
        values = _values(slot.piece.marks(), self._passed_over)
        faces = self._faces(slot, values)
        name = slot.name or id_
        if side is None and is_marker(slot):
            self.done.counters.append(Marker(id_, name, faces, copies=copies))
            return id_
        unit = Unit(
            id_,
            name,
            side or UNKNOWN,
            nationality=marks.get("nationality", ""),
            formation=marks["formation"] if "formation" in marks else self._formation(slot),
            class_=marks.get("class", ""),
            echelon=marks.get("echelon", ""),
            steps=parse_whole(marks.get("steps", "")),
            faces=faces,
            copies=copies,
        )
        self.done.counters.append(unit)
        return id_

    def _formation(self, slot: Slot) -> str:
        """Return the palette it lies in, below what all share and what tells its side."""
        if slot.where == "stack":
            return ""
        own = slot.path[self._common :] if slot.where == "palette" else slot.path[-1:]
        return _BETWEEN.join(name for name in own if not self._sides.tells(name))

    def _faces(self, slot: Slot, values: Mapping[str, Value]) -> tuple[Face, ...]:
        """Return the faces of a counter; values are its front's, for nobody tells of others."""
        faces: list[Face] = []
        whole: tuple[int, int] | None = None
        for shown in shown_by(slot.piece):
            found = self._pictures.find(shown.image)
            if isinstance(found, Dropped):
                if not shown.image.startswith("/"):
                    words = {"name": slot.name, "why": found.told}
                    self.done.lost.append(Dropped("exporters.import.lost.face", words))
                continue
            path = self._kept(found)
            if whole is None:
                whole = found.size_px
            elif any(
                side < _WHOLE_COUNTER * of for side, of in zip(found.size_px, whole, strict=True)
            ):
                continue
            face = FRONT if not faces else shown.face
            faces.append(Face(face, values if not faces else {}, path))
        if len(faces) > _MOST_FACES:
            many = {"name": slot.name, "n": len(faces) - 1}
            self.done.lost.append(Dropped("exporters.import.lost.faces", many))
            faces = faces[:1]
        if not faces and values:
            faces.append(Face(FRONT, values))
        return tuple(faces)

    def _kept(self, found: ForeignPicture) -> str:
        """Return where a picture lies in the project; written once for all who show it."""
        if found.name not in self.done.images:
            stem = plain_name(found.name.rpartition(".")[0] or found.name, otherwise="picture")
            path = f"{FOLDER}/{self._files.take(stem)}{found.suffix}"
            self.done.files.append(OutFile(path, found.data))
            self.done.images[found.name] = path
        return self.done.images[found.name]


def _own_id(slot: Slot) -> str:
    return slot.piece.marks().get(ID, "").strip()


def _folded(slot: Slot) -> dict[str, str]:
    marks = slot.piece.marks()
    return {name.strip().casefold(): value.strip() for name, value in marks.items()}


def _values(marks: Mapping[str, str], passed_over: Container[str]) -> dict[str, Value]:
    """Return the marks that hold a number, under names that a table of units can have."""
    found: dict[str, Value] = {}
    for name, text in marks.items():
        word = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
        value = parse_value(text)
        fits = re.fullmatch(r"[a-z][a-z0-9_]*", word) and word not in _OWN_WORDS
        if value is not None and fits and name not in passed_over:
            found.setdefault(word, value)
    return found


def _common_beginning(paths: Sequence[tuple[str, ...]]) -> int:
    """Return how many palettes all pieces lie in: they tell nothing of one of them."""
    levels = zip(*paths, strict=False)
    return next((n for n, names in enumerate(levels) if len(set(names)) > 1), _least(paths))


def _least(paths: Sequence[tuple[str, ...]]) -> int:
    return min((len(path) for path in paths), default=0)
