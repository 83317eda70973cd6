"""The contact sheet: all counters on one picture, by side and formation, faces side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from counters.drawing.looks import formation_name
from counters.drawing.style import CounterStyle
from counters.model import Counter, Unit
from mapkit.drawing.frame import require_size
from mapkit.drawing.outlines import advance, has_letter, outline
from mapkit.drawing.picture import Picture
from mapkit.drawing.raster import rasterise
from mapkit.drawing.svg import Sheet
from mapkit.texts import say

if TYPE_CHECKING:
    from PIL.Image import Image

PAPER, INK = "#ecebe6", "#2b2b2b"

_SIDE, _GAP, _BETWEEN, _MARGIN = 100, 3, 13, 24  # pixels
_HEAD = 44
_WIDTH = 6 * (2 * _SIDE + _GAP + _BETWEEN) - _BETWEEN  # six counters of two faces


@dataclass(frozen=True, slots=True)
class _Placed:
    counter: str
    face: str
    x: int
    y: int


def contact_sheet(
    counters: Sequence[Counter],
    pictures: Mapping[tuple[str, str], Picture],
    style: CounterStyle,
) -> bytes:
    """Return a PNG with every face of *pictures*, which are found by counter and face.

    Raises:
        SizeError: there are more counters than one picture can hold.
    """
    from PIL import Image

    placed: list[_Placed] = []
    heads: list[tuple[str, int]] = []
    y = _MARGIN
    for title, members in _groups(counters, style):
        heads.append((title, y))
        y = _lay_out(members, pictures, y + _HEAD, placed) + _BETWEEN
    width = _WIDTH + 2 * _MARGIN
    require_size(width, y + _MARGIN)
    sheet = Image.new("RGB", (width, y + _MARGIN), PAPER)
    for title, top in heads:
        sheet.paste(_heading(title, width), (0, top))
    for one in placed:
        drawn = pictures[one.counter, one.face]
        sheet.paste(
            _opened(rasterise(drawn, scale=_SIDE / max(drawn.width_px, drawn.height_px))),
            (one.x, one.y),
        )
    out = BytesIO()
    sheet.save(out, "PNG", optimize=True)
    return out.getvalue()


def _lay_out(
    members: Sequence[Counter],
    pictures: Mapping[tuple[str, str], Picture],
    y: int,
    placed: list[_Placed],
) -> int:
    """Place counters in rows from *y* on, and return where the rows end."""
    x = _MARGIN
    for counter in members:
        faces = [face for id_, face in pictures if id_ == counter.id]
        wide = len(faces) * (_SIDE + _GAP) - _GAP
        if x > _MARGIN and x + wide > _MARGIN + _WIDTH:
            x, y = _MARGIN, y + _SIDE + _BETWEEN
        for i, face in enumerate(faces):
            placed.append(_Placed(counter.id, face, x + i * (_SIDE + _GAP), y))
        x += wide + _BETWEEN
    return y + _SIDE


def _groups(
    counters: Sequence[Counter], style: CounterStyle
) -> Iterator[tuple[str, list[Counter]]]:
    """Yield sides and formations in the order of the table; markers come last."""
    groups: dict[tuple[str, str], list[Counter]] = {}
    for counter in counters:
        key = (counter.side, counter.formation) if isinstance(counter, Unit) else ("", "")
        groups.setdefault(key, []).append(counter)
    sides = list(dict.fromkeys(side for side, _ in groups))
    for key in sorted(groups, key=lambda key: (key == ("", ""), sides.index(key[0]))):
        yield _title(key[0], groups[key], style), groups[key]


def _title(side: str, members: Sequence[Counter], style: CounterStyle) -> str:
    first = members[0]
    if not isinstance(first, Unit):
        return say("counters.draw.markers")
    return " · ".join(filter(None, (side, formation_name(first.formation, style))))


def _heading(title: str, width: int) -> "Image":
    words = "".join(letter if has_letter(letter) else "?" for letter in title)
    size = min(20.0, (width - 2 * _MARGIN) / max(advance(words, 1.0), 1e-6))
    sheet = Sheet(width, _HEAD)
    sheet.add("rect", x=0, y=0, width=width, height=_HEAD, fill=PAPER)
    sheet.path(outline(words, _MARGIN, 28, size).d, fill=INK)
    return _opened(rasterise(Picture(sheet.to_text(), width, _HEAD)))


def _opened(data: bytes) -> "Image":
    from PIL import Image

    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB")
