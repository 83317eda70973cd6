"""Whose a piece is: only what the module says, by a mark, a prototype or the palette it lies in."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exporters.model import ExportError
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.importing.slots import Slot
from exporters.vassal.standing import CONTROL, MARKER
from rules.pack import Pack

SIDE_MARK = "side"

_ROSTER = "VASSAL.build.module.PlayerRoster"
_MARKERS = re.compile(r"(?<!\w)(markers?|marqueurs|segnalini|marcadores)(?!\w)")
_SHORTEST = 3  # a shorter word within a longer name is chance: "A" in "A Company"


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of a module's players, and the words that tell whose a piece is.

    *roster* is what the module calls them; *words*, in small letters, are these names, what the
    user says beside, and what the game calls its own sides.
    """

    roster: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' sides as the project calls them."""
        return tuple(dict.fromkeys(self.words[name.casefold()] for name in self.roster))

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


def read_sides(
    module: ForeignModule, further: Iterable[str] = (), pack: Pack | None = None
) -> Sides:
    """Return the sides of a module; *further* words are written WORD=SIDE.

    A side that the game calls by the same word, by its title or a nationality, is that of the game.

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
    of_game = {} if pack is None else _called_by_game(pack)
    words = {name.casefold(): name for name in names if name} | of_game
    for text in further:
        word, sign, side = (part.strip() for part in text.partition("="))
        if not (word and sign and side):
            raise ExportError(f"--side takes a word of the module and a side, WORD=SIDE: '{text}'")
        words[word.casefold()] = side
    return Sides(tuple(dict.fromkeys(filter(None, names))), words)


def _called_by_game(pack: Pack) -> dict[str, str]:
    """Return the sides of a game by all that it calls them, in small letters."""
    called: dict[str, set[str]] = {}
    for id_, side in pack.sides.items():
        for word in (id_, side.title, *side.nationalities, *side.codes):
            called.setdefault(word.replace("_", "-").casefold(), set()).add(id_)
    return {word: ids.pop() for word, ids in called.items() if len(ids) == 1}


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
    marked: dict[str, set[str]] = {name: set() for name in sides.names}
    for slot in slots:
        named, own = sides.by_names(slot), sides.of(slot)
        if named in marked and own is not None:
            marked[named].add(own)
    ours = {name: sides.words[name.casefold()] for name in sides.roster}
    return {
        name: next(iter(marked[side])) if len(marked[side]) == 1 else side
        for name, side in ours.items()
    }
