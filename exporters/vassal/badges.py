"""The small pictures that states and markers show, and where they lie around a counter."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from counters.drawing.badge import BADGE_PX, draw_arrow, draw_badge, draw_chip
from counters.symbols import find_symbol
from exporters.model import OutFile
from mapkit.drawing import rasterise
from mapkit.drawing.picture import Picture

Spot = tuple[int, int]

_HIGH = 0.39  # of a counter's side: letters still read at half size
_CHIP = 0.6
_ARROW = 0.36
_MOVED_GROUND = "#3b3b3b"
_OUT, _MIDDLE, _FAR, _NEAR = 0.57, 0.17, 0.5, 0.18

# Around the counter, half outside: its symbol stays free, and the values along its lower edge as
# long as they can. The last ones overlap with their neighbours.
_PLACES = (
    (_OUT, -_FAR),
    (-_OUT, -_FAR),
    (_OUT, -_MIDDLE),
    (-_OUT, -_MIDDLE),
    (_OUT, _MIDDLE),
    (-_OUT, _MIDDLE),
    (_NEAR, -_OUT),
    (-_NEAR, -_OUT),
    (_OUT, _FAR),
    (-_OUT, _FAR),
    (_NEAR, _OUT),
    (-_NEAR, _OUT),
    (_OUT, 0.0),
    (-_OUT, 0.0),
    (0.0, -_OUT),
    (0.0, _OUT),
)


@dataclass
class BadgeBox:
    """Draws badges for counters of a size, each once, and keeps their pictures."""

    counter_px: int
    images: dict[str, OutFile] = field(default_factory=dict)

    def badge(self, name: str, words: str, ground: str) -> str:
        """Return the file of a badge with a short text."""
        return self._kept(name, draw_badge(words, ground, wide=len(words) > 1), _HIGH)

    def moved(self) -> tuple[str, Spot]:
        """Return the file of the sign that a counter has moved, and where its corner lies."""
        x, y = self.at(*_PLACES[-1])
        half = round(self.counter_px * _HIGH) // 2
        drawn = draw_badge("", _MOVED_GROUND, symbol=find_symbol("arrow"))
        return self._kept("moved", drawn, _HIGH), (x - half, y - half)

    def chip(self, name: str, words: str, ground: str, ink: str, symbol: str | None) -> str:
        """Return the file of a chip that lies on the board."""
        return self._kept(name, draw_chip(words, ground, ink, symbol=symbol), _CHIP)

    def arrow(self, name: str, ground: str) -> str:
        """Return the file of the arrow at the front of a counter."""
        return self._kept(name, draw_arrow(ground), _ARROW)

    @property
    def chip_px(self) -> int:
        """How many pixels the side of a chip has."""
        return round(self.counter_px * _CHIP)

    def at(self, x: float, y: float) -> Spot:
        """Return a place on a counter, given in its sides from the middle, in pixels."""
        return round(x * self.counter_px), round(y * self.counter_px)

    def places(self, words: Iterable[str], together: Sequence[Collection[str]]) -> dict[str, Spot]:
        """Return where each badge lies: no two that one counter can have in one place.

        The first of *words* get the best places; *together* are the badges of each kind of
        counter. Once a counter has more than there are places, the first are taken twice.
        """
        found: dict[str, int] = {}
        for word in words:
            beside = {other for group in together if word in group for other in group}
            taken = [found[other] for other in beside if other in found]
            found[word] = min(range(len(_PLACES)), key=lambda at: (taken.count(at), at))
        return {word: self.at(*_PLACES[number]) for word, number in found.items()}

    def _kept(self, name: str, drawing: Picture, high: float) -> str:
        file = f"{name}.png"
        if file not in self.images:
            scale = round(self.counter_px * high) / BADGE_PX
            self.images[file] = OutFile(f"images/{file}", rasterise(drawing, scale=scale))
        return file
