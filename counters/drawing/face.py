"""One face of a counter, drawn: the layout of its class, its values, its symbol, its colours."""

from collections.abc import Iterable
from dataclasses import dataclass

from counters.drawing.contrast import contrast
from counters.drawing.lettering import CAP, Fitted, fit, in_font, known
from counters.drawing.looks import Looks, look_of
from counters.drawing.scene import BLACK, PAPER, SIDE_PX, Contrast, Notice, Scene, row_width
from counters.drawing.style import (
    FRONT,
    BadgeSlot,
    CounterStyle,
    PlainSlot,
    RowSlot,
    SignSlot,
    Slot,
    TextSlot,
    ValueSlot,
)
from counters.model import Counter, Unit, Value
from counters.model import Face as FaceValues
from counters.symbols import (
    HEIGHT,
    WIDTH,
    Box,
    draw_echelon,
    draw_symbol,
    echelon_title,
    find_echelon,
    symbol_title,
    symbols,
)
from mapkit.drawing.outlines import Face, advance
from mapkit.drawing.picture import Picture
from mapkit.drawing.svg import Sheet

_BLANK = 0.62  # how wide the box of an unknown value is, of the size of the figures
_FOR_A_PEN = 8.0  # the contrast that an empty plate needs to be written on
_FOR_A_TITLE = 60.0  # hundredths of a counter: so much room the title of a formation needs
_GAP = 0.05  # the room between a figure and a blank, of the same


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """A face as a picture, how well its ink reads, and what had to give way."""

    picture: Picture
    contrasts: tuple[Contrast, ...]
    notices: tuple[Notice, ...]


def draw_face(
    counter: Counter, face_name: str, style: CounterStyle, *, bleed: float = 0.0
) -> Picture:
    """Draw one face of a counter, 300 pixels wide; the same counter gives the same bytes.

    A value nobody knows is an empty dotted box. *bleed* is how far the colours run over the edge
    on every side, in sides of the counter: the picture grows by as much.
    """
    return compose_face(counter, face_name, style, bleed=bleed).picture


def compose_face(
    counter: Counter, face_name: str, style: CounterStyle, *, bleed: float = 0.0
) -> DrawnFace:
    """Draw one face, and tell how well it reads and what had to give way."""
    looks = look_of(counter, face_name, style)
    side = round(SIDE_PX * (1 + 2 * bleed))
    sheet = Sheet(side, side)
    scale, edge = SIDE_PX / 100, SIDE_PX * bleed
    group = sheet.add("g", transform=f"translate({edge:.2f} {edge:.2f}) scale({scale:g})")
    sheet.enter(group)
    painter = _Painter(
        Scene(sheet, looks.ground, looks.ink), counter, face_name, looks, 100 * bleed
    )
    painter.paint()
    sheet.leave()
    picture = Picture(sheet.to_text(), side, side)
    return DrawnFace(picture, tuple(painter.scene.contrasts), tuple(painter.notices()))


class _Painter:
    """Fills the slots of one face."""

    def __init__(
        self, scene: Scene, counter: Counter, face: str, looks: Looks, bleed: float
    ) -> None:
        self.scene = scene
        self._counter = counter
        self._face = face
        self._looks = looks
        self._bleed = bleed
        self._told: list[Notice] = []
        self._shown: set[str] = set()

    def paint(self) -> None:
        looks, sheet = self._looks, self.scene.sheet
        over = self._bleed
        with sheet.group("ground"):
            everything = Box(-over, -over, 100 + 2 * over, 100 + 2 * over)
            self.scene.plate(everything, looks.ground)
            if looks.face.stripe:
                self.scene.plate(self._stretched(looks.face.stripe_at), looks.face.stripe)
        for name, slot in looks.layout.slots.items():
            with sheet.group(name):
                self._fill(slot)

    def notices(self) -> Iterable[Notice]:
        yield from self._told
        if self._looks.lacking:
            word = self._counter.class_ if isinstance(self._counter, Unit) else ""
            yield self._notice("no_symbol", what=word or "?")
        face = self._found_face()
        for value in face.known if face else ():
            if value not in self._shown:
                yield self._notice("not_shown", what=value)
        for one in self.scene.contrasts:
            if one.ratio < one.needed:
                ratio, least = f"{one.ratio:.1f}", f"{one.needed:g}"
                yield self._notice(
                    "contrast",
                    what=one.what,
                    ink=one.ink,
                    below=one.below,
                    ratio=ratio,
                    least=least,
                )

    def _fill(self, slot: Slot) -> None:
        if isinstance(slot, ValueSlot):
            self._fill_value(slot)
        elif isinstance(slot, RowSlot):
            self._fill_row(slot)
        elif isinstance(slot, TextSlot):
            self._fill_text(slot)
        elif isinstance(slot, BadgeSlot):
            self._fill_badge(slot)
        elif isinstance(slot, SignSlot):
            if slot.badge.casefold() in map(str.casefold, self._counter.badges):
                self._lay_plate(slot, Box(*slot.at))
        else:
            self._fill_plain(slot)

    def _fill_value(self, slot: ValueSlot) -> None:
        box = Box(*slot.at)
        words = known(self._value(slot.value, slot.also), slot.fixed)
        if words:
            self._lay_plate(slot, box)
            inner = _inset(box, 0.14 if slot.shape != "none" else 0.0)
            self._write(words, inner, slot, size=slot.size, least=slot.size * 0.45)
        elif slot.shape == "none":
            high = min(box.height, slot.size * CAP * 1.3)
            wide = min(box.width, slot.size * _BLANK)
            x, y = box.centre
            self._blank(Box(x - wide / 2, y - high / 2, wide, high))
        else:
            self._blank_plate(slot, box)

    def _fill_row(self, slot: RowSlot) -> None:
        box, face = Box(*slot.at), _face(slot)
        self._lay_plate(slot, box)
        tokens = [
            known(self._value(value, slot.also.get(value, ())), slot.fixed.get(value))
            for value in slot.values
        ]
        blank = _BLANK + 2 * _GAP
        at_one = row_width(tokens, 1.0, face, blank, slot.separator)
        size = min(slot.size, box.width / at_one, box.height / CAP)
        x = box.centre[0] - at_one * size / 2
        baseline = box.centre[1] + CAP * size / 2
        ink = self._ink(slot, box)
        for i, token in enumerate(tokens):
            if i and slot.separator:
                self.scene.line(slot.separator, x, baseline, size, face, ink)
                x += advance(slot.separator, size, face)
            if token:
                self.scene.line(token, x, baseline, size, face, ink)
                x += advance(token, size, face)
            else:
                high = CAP * size * 1.12
                top = baseline - CAP * size / 2 - high / 2
                self._blank(Box(x + _GAP * size, top, _BLANK * size, high))
                x += blank * size

    def _fill_text(self, slot: TextSlot) -> None:
        words = self._spoken(slot.text, short=slot.at[2] < _FOR_A_TITLE)
        if not words:
            return
        box = Box(*slot.at)
        self._lay_plate(slot, box)
        if not slot.turn:
            inner = _inset(box, 0.06 if slot.shape != "none" else 0.0)
            self._write(
                words, inner, slot, size=slot.size, least=slot.least, lines=slot.lines,
                align=slot.align,
            )  # fmt: skip
            return
        x, y = box.centre
        sheet = self.scene.sheet
        sheet.enter(sheet.add("g", transform=f"rotate({slot.turn} {x:.2f} {y:.2f})"))
        turned = Box(x - box.height / 2, y - box.width / 2, box.height, box.width)
        self._write(
            words, turned, slot, size=slot.size, least=slot.least, lines=slot.lines, within=box
        )
        sheet.leave()

    def _fill_badge(self, slot: BadgeSlot) -> None:
        slots = self._looks.layout.slots.values()
        signs = {one.badge.casefold() for one in slots if isinstance(one, SignSlot)}
        badges = [badge for badge in self._counter.badges if badge.casefold() not in signs]
        if slot.number > len(badges):
            return
        box = Box(*slot.at)
        self._lay_plate(slot, box)
        inner = _inset(box, 0.14 if slot.shape != "none" else 0.0)
        words = badges[slot.number - 1]
        self._write(words, inner, slot, size=slot.size, least=slot.least)

    def _fill_plain(self, slot: PlainSlot) -> None:
        box, looks = Box(*slot.at), self._looks
        if slot.draw == "plate":
            self._lay_plate(slot, box)
        elif slot.draw in ("bar", "stripe"):
            colour = looks.bar if slot.draw == "bar" else looks.stripe
            if colour:
                shape = "box" if slot.shape == "none" else slot.shape
                line = None if slot.line is None else looks.colour(slot.line)
                self.scene.plate(self._stretched(slot.at), colour, shape, line=line)
        elif slot.draw == "symbol":
            self._draw_symbol(looks.symbol, box)
        elif slot.draw == "mark":
            self._draw_symbol(looks.mark, box)
        else:
            self._draw_echelon(slot, box)

    def _draw_symbol(self, name: str | None, box: Box) -> None:
        if name is None:
            return
        looks, symbol = self._looks, symbols()[name]
        place = box.inside(WIDTH / HEIGHT)
        ink = looks.symbol_ink if symbol.frame else self.scene.ink_for(place)
        draw_symbol(self.scene.sheet, name, box, ink=ink, fill=looks.symbol_fill)
        if symbol.frame:
            self.scene.framed(place, ink, looks.symbol_fill, symbol_title(name))
        else:
            self.scene.unframed(place, ink, symbol_title(name))

    def _draw_echelon(self, slot: PlainSlot, box: Box) -> None:
        word = self._counter.echelon if isinstance(self._counter, Unit) else ""
        echelon = find_echelon(word) if word else None
        if echelon is not None:
            ink = self._ink(slot, box)
            draw_echelon(self.scene.sheet, echelon, box, ink=ink)
            self.scene.unframed(box, ink, echelon_title(echelon))
        elif word:
            self._told.append(self._notice("no_echelon", what=word))

    def _write(
        self,
        words: str,
        box: Box,
        slot: Slot,
        *,
        size: float,
        least: float,
        lines: int = 1,
        align: str = "middle",
        within: Box | None = None,
    ) -> None:
        face = _face(slot)
        written, missing = in_font(words, face)
        if missing:
            self._told.append(self._notice("letters", what=words, letters=missing))
        fitted: Fitted = fit(
            written, box.width, box.height, size=size, least=least, lines=lines, face=face
        )
        if fitted.shortened:
            self._told.append(self._notice("shortened", what=words, to=" ".join(fitted.lines)))
        ink = self._ink(slot, within or box)
        self.scene.text(fitted, box, face, ink, align=align, within=within)

    def _blank(self, box: Box) -> None:
        below = self.scene.below(box)[0]
        paper = self._looks.colour("pale") if below == self._looks.ground else below
        self.scene.blank(box, self.scene.ink_for(box), paper)

    def _blank_plate(self, slot: ValueSlot, box: Box) -> None:
        """Leave a plate empty; one too dark for a pen gets a pale box to write into."""
        paper = self._looks.colour(slot.plate)
        if contrast(BLACK, paper) >= _FOR_A_PEN:
            self.scene.blank(box, self.scene.ink_for(box), paper, slot.shape)
        else:
            self._lay_plate(slot, box)
            self.scene.blank(_inset(box, 0.17), BLACK, PAPER)

    def _lay_plate(self, slot: Slot, box: Box) -> None:
        if slot.shape != "none":
            line = None if slot.line is None else self._looks.colour(slot.line)
            self.scene.plate(box, self._looks.colour(slot.plate), slot.shape, line=line)

    def _ink(self, slot: Slot, box: Box) -> str:
        return self.scene.ink_for(box) if slot.ink == "auto" else self._looks.colour(slot.ink)

    def _value(self, name: str, also: Iterable[str]) -> Value:
        face = self._found_face()
        for word in (name, *also):
            self._shown.add(word)
            if face is not None and face.values.get(word) is not None:
                return face.values[word]
        return None

    def _found_face(self) -> FaceValues | None:
        return next((one for one in self._counter.faces if one.name == self._face), None)

    def _spoken(self, template: str, *, short: bool) -> str:
        counter = self._counter
        formation = self._looks.formation_short if short else self._looks.formation
        fields = {"name": counter.name, "id": counter.id, "formation": formation}
        fields["face"] = "" if self._face == FRONT else self._face.replace("_", " ").capitalize()
        if isinstance(counter, Unit):
            fields |= {"side": counter.side, "nationality": counter.nationality}
            fields |= {"class": counter.class_, "echelon": counter.echelon}
        text = template
        for name, words in fields.items():
            text = text.replace("{" + name + "}", words.strip())
        return text.strip()

    def _stretched(self, at: tuple[float, float, float, float]) -> Box:
        """Let what touches the edge run over it, where the drawing has a bleed."""
        x, y, width, height = at
        left, top = (x if x > 0 else -self._bleed), (y if y > 0 else -self._bleed)
        right = x + width + (self._bleed if x + width >= 100 else 0)
        low = y + height + (self._bleed if y + height >= 100 else 0)
        return Box(left, top, right - left, low - top)

    def _notice(self, kind: str, **values: object) -> Notice:
        return Notice(self._counter.id, self._face, kind, values)


def _face(slot: Slot) -> Face:
    return "bold" if slot.bold else "italic" if slot.italic else "regular"


def _inset(box: Box, share: float) -> Box:
    by = min(box.width, box.height) * share
    return Box(box.x + by, box.y + by, box.width - 2 * by, box.height - 2 * by)
