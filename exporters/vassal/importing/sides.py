"""Whose a piece is: only what the module says, by a mark, a prototype or the palette it lies in."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.model import ExportError
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.importing.slots import Slot
from exporters.vassal.standing import CONTROL, MARKER

SIDE_MARK = "side"

_ROSTER = "VASSAL.build.module.PlayerRoster"
_MARKERS = re.compile(r"(?<!\w)(markers?|marqueurs|segnalini|marcadores)(?!\w)")
_SHORTEST = 3  # a shorter word within a longer name is chance: "A" in "A Company"


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of a module's players, and the words that tell whose a piece is.

    *words* are in small letters: each side's own name, and what the user says beside.
    """

    names: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def of(self, slot: Slot) -> str | None:
        """Return the side of a piece; None where the module does not tell, or tells of two.

        A mark called Side tells it in so many words.
        """
        marks = {name.strip().casefold(): text.strip() for name, text in slot.piece.marks().items()}
        if told := marks.get(SIDE_MARK):
            return self.words.get(told.casefold(), told)
        return self.by_names(slot, marks.values())

    def by_names(self, slot: Slot, marks: Iterable[str] = ()) -> str | None:
        """Return the side that the values of marks, prototypes or palettes are called after."""
        for told in (marks, slot.prototypes, slot.path):
            found = {side for text in told for side in self._in(text)}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def tells(self, name: str) -> bool:
        """Tell whether a palette's name says whose its pieces are."""
        return any(True for _ in self._in(name))

    def _in(self, text: str) -> Iterator[str]:
        folded = text.strip().casefold()
        if folded in self.words:
            yield self.words[folded]
            return
        for word, side in self.words.items():
            if len(word) >= _SHORTEST and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded):
                yield side


def read_sides(module: ForeignModule, further: Iterable[str] = ()) -> Sides:
    """Return the sides of a module; *further* words are written WORD=SIDE.

    Raises:
        ExportError: one is not written so.
    """
    names = [
        (entry.text or "").strip()
        for roster in tags(module.root)
        if roster.tag == _ROSTER
        for entry in roster
        if entry.tag == "entry"
    ]
    words = {name.casefold(): name for name in names if name}
    for text in further:
        word, sign, side = (part.strip() for part in text.partition("="))
        if not (word and sign and side):
            raise ExportError(f"--side takes a word of the module and a side, WORD=SIDE: '{text}'")
        words[word.casefold()] = side
    return Sides(tuple(dict.fromkeys(words.values())), words)


def is_marker(slot: Slot) -> bool:
    """Tell whether the module calls a piece a marker: itself, its palette or a prototype."""
    marks = slot.piece.marks()
    told = (*slot.path, *slot.prototypes)
    return (
        MARKER in marks
        or CONTROL in marks
        or any(_MARKERS.search(name.casefold()) for name in told)
    )


def sides_by_roster(slots: Sequence[Slot], sides: Sides) -> dict[str, str]:
    """Return our sides by what the module calls its players': a mark may say it otherwise.

    A palette that is called after a player's side, and whose pieces are all marked with one
    other word, says that both are one.
    """
    found: dict[str, set[str]] = {name: set() for name in sides.names}
    for slot in slots:
        named, own = sides.by_names(slot), sides.of(slot)
        if named in found and own is not None:
            found[named].add(own)
    return {name: own.pop() if len(own) == 1 else name for name, own in found.items()}
