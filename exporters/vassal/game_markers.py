"""The markers that a game lays on its map, as pieces: small chips in the colours of their side.

They lie where they are dropped and not in the middle of a hex: beside the units there, or on a
hexside. A kind that only says how the ground is (a blown bridge) belongs to nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counters.drawing import CounterStyle
from counters.drawing.style import OTHER, Palette
from counters.symbols import find_symbol, symbols
from exporters.vassal.badges import BadgeBox, Spot
from exporters.vassal.layers import Order, stepped
from exporters.vassal.standing import BESIDE, CONTROL, MARKER, NUMBER, SIDE
from exporters.vassal.traits import Trait, command, delete, mark, trait
from mapkit.texts import say
from rules.pack import Pack
from rules.schema.statuses import MarkerEntry
from rules.spoken import spoken

MOST = 20
"""How high a marker counts where the game names no highest number."""

_CORNERS = ((-28, -28), (28, -28), (-28, 28), (28, 28))  # as `BESIDE` counts
_TOP = (0, -36)
_NUMBER_GROUND = "#1a1a1a"
_FLAG = "flag"


@dataclass(frozen=True, slots=True)
class MarkerPiece:
    """A marker of a kind and side ("" is nobody's): its name, its picture and what it can do.

    *kind* is "" where it tells who holds a hex. *traits* lack the basic piece.
    """

    kind: str
    side: str
    name: str
    image: str
    traits: tuple[Trait, ...]


def marker_pieces(pack: Pack, badges: BadgeBox, style: CounterStyle) -> Iterator[MarkerPiece]:
    """Yield the markers of a game, kind by kind, and those that tell who holds a hex."""
    box = _Box(pack, badges, style)
    for number, (kind, entry) in enumerate(pack.markers.items()):
        shift = _CORNERS[number % len(_CORNERS)]
        for side in ("",) if entry.state else ("", *pack.sides):
            yield box.marker(kind, entry, side, shift)
    for side in pack.sides:
        yield box.control(side, _TOP)


@dataclass(frozen=True, slots=True)
class _Box:
    pack: Pack
    badges: BadgeBox
    style: CounterStyle

    def marker(self, kind: str, entry: MarkerEntry, side: str, shift: Spot) -> MarkerPiece:
        title = entry.told()
        symbol = _icon(kind)
        sign = entry.sign or title[:1].upper()
        image = self._chip(f"marker-{kind}", sign, symbol, side)
        layers = [self._number(title, entry.highest or MOST)] if entry.counted else []
        traits = (*layers, *_lying(shift), mark(**{MARKER: kind, SIDE: side}))
        return MarkerPiece(kind, side, self._name(title, side), image, traits)

    def control(self, side: str, shift: Spot) -> MarkerPiece:
        title = say("exporters.vassal.control")
        image = self._chip("control", "", _icon(_FLAG), side)
        # Below the units: who stands in a hex holds it, and needs no flag.
        traits = (*_lying(shift, "Terrain"), mark(**{CONTROL: side}))
        return MarkerPiece("", side, self._name(title, side), image, traits)

    def _number(self, title: str, highest: int) -> Trait:
        """Return the layer of a marker's number: none, then 0 and up; it begins at 1."""
        numbers = [
            self.badges.badge(f"number-{n}", str(n), _NUMBER_GROUND) for n in range(highest + 1)
        ]
        more, less = (say(f"exporters.vassal.state.{key}", state=title) for key in ("more", "less"))
        return stepped(
            NUMBER,
            ["", *numbers],
            at=self.badges.at(0.22, 0.2),
            more=Order(more, command(f"{NUMBER}_more")),
            less=Order(less, command(f"{NUMBER}_less")),
            level=3,
        )

    def _chip(self, name: str, sign: str, symbol: str | None, side: str) -> str:
        palette = self._palette(side)
        file = f"{name}-{side}" if side else name
        return self.badges.chip(file, sign, palette.ground, palette.ink, symbol)

    def _palette(self, side: str) -> Palette:
        if not side:
            return self.style.markers
        nations = self.pack.sides[side].nationalities
        words = (side, *(f"{side}/{nation}" for nation in nations), *nations)
        found = next((word for word in words if word in self.style.colours), OTHER)
        return self.style.colours[found]

    def _name(self, title: str, side: str) -> str:
        if not side:
            return title
        return f"{title} ({spoken(self.pack, self.pack.sides[side].title, 'sides')})"


def _icon(word: str) -> str | None:
    """Return the icon of a word; a unit's symbol of that name is none."""
    found = find_symbol(word)
    return found if found is not None and symbols()[found].group == "icon" else None


def _lying(shift: Spot, layer: str = "Markers") -> tuple[Trait, ...]:
    """Return how a marker lies: where it is dropped, never in a stack, to be taken off."""
    right, down = shift
    return (
        delete(say("exporters.vassal.delete")),
        trait("immob", "g", "N", "R", ""),
        mark(**{"Layer": layer, BESIDE: f"{right}:{down}"}),
    )
