"""The pictures of a piece: its own, those of its layers, and its back, as faces of a counter.

A layer may show another side of the counter, or lay a small mark upon it. What is as large as
the counter is a face; the rest is listed with the piece, and its pictures are not cut to it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from exporters.vassal.saves.pieces import SavedPiece
from exporters.vassal.sequence import split
from exporters.vassal.traits import Trait

FRONT, BACK = "front", "back"

_LAYER, _OLD_LAYER, _MASK = "emb2", "emb", "obs"
_IMAGES, _LEVEL_NAMES, _NAME = 16, 17, 19  # fields of a layer
_OLD_FIRST = 9  # from here on an old layer lists picture and name of each level
_MASK_IMAGE = 2


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture that a piece can show: the name of its file, and a word for the face it may be."""

    image: str
    face: str


def shown_by(piece: SavedPiece) -> tuple[Shown, ...]:
    """Return every picture of a piece, its front first; each picture once."""
    found: dict[str, str] = {}
    levels = [one for trait in reversed(piece.traits) for one in _levels(trait)]
    if piece.image:
        found[piece.image] = FRONT
    for image, word in levels:
        if image and image not in found:
            found[image] = FRONT if not found else word
    taken: dict[str, int] = {}
    shown = []
    for image, word in found.items():
        taken[word] = taken.get(word, 0) + 1
        shown.append(Shown(image, word if taken[word] == 1 else f"{word}_{taken[word]}"))
    return tuple(shown)


def _levels(trait: Trait) -> Iterator[tuple[str, str]]:
    """Yield picture and word of each level of a layer, or of the back that a mask shows."""
    kind, *_ = fields = split(";", trait.type)
    if kind == _LAYER:
        images = split(",", _field(fields, _IMAGES))
        names = split(",", _field(fields, _LEVEL_NAMES))
        layer = _field(fields, _NAME)
        for number, image in enumerate(images, start=1):
            told = names[number - 1] if number <= len(names) else ""
            yield image, _word(told) or _word(layer, number) or f"level_{number}"
    elif kind == _OLD_LAYER:
        for number, text in enumerate(fields[_OLD_FIRST:], start=1):
            image, *names = split(",", text)
            yield image, _word("".join(names[:1])) or f"level_{number}"
    elif kind == _MASK:
        yield _field(fields, _MASK_IMAGE), BACK


def _word(text: str, number: int | None = None) -> str:
    """Return a text as the name of a face: small letters, digits, underscores; a letter first."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_")
    if not plain or not ("a" <= plain[0] <= "z"):
        return ""
    return plain[:30] if number is None else f"{plain[:30]}_{number}"


def _field(fields: list[str], number: int) -> str:
    return fields[number] if len(fields) > number else ""
