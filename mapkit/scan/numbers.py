"""The numbers printed in the hexes: read a few hundred at most, and say which numbering they show.

First where in the hex they stand, from texts found on a few tiles; then crops of that place, from
hexes spread over the sheet, until the vote is decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from mapkit.errors import NumberingError
from mapkit.hexes import Hex
from mapkit.numbering import Numbering
from mapkit.progress import OnProgress, ignore
from mapkit.scan.numbers_form import may_be_label
from mapkit.scan.numbers_place import Place, Text, cut, places, texts_around, tile_centres
from mapkit.scan.numbers_vote import Disagreement, Known, Read, Standing, Vote, vote
from mapkit.scan.ocr import Line, Reader, load_reader
from mapkit.scan.sheet import FlatSheet, Pixels
from mapkit.texts import say

MOST_HEXES = 300
_FIRST_TILES, _MORE_TILES = 5, 4
_LOOK_PITCHES_PX = (100.0, 160.0)  # how far apart hexes are when looked at: small numbers need more
_LEAST_TEXTS = 4  # on some tiles, or there is nothing to read
_PILOTS = 9  # texts that tell which way numbers are turned
_ROUND = 60  # hexes read between two counts of the votes
_GIVE_UP = (110, 0.08)  # after so many hexes, when fewer than this share agree
_EDGE = 40  # hexes without a label that are looked at once more
_MOST_PLACES = 6
_WORTH = 0.3
_LEAST_SCORE = 0.5


@dataclass(frozen=True)
class NumbersFound:
    """What the printed numbers say about a sheet.

    *numbering* is None while undecided; *standings* holds the best candidates either way.
    *turned_deg* tells how far the numbers are turned on the sheet, clockwise: turning the sheet
    back by so much sets it upright. *reads* are the texts that may be labels, *place* is where in
    a hex they stand.
    """

    numbering: Numbering | None
    share: float
    turned_deg: int | None = None
    reads: tuple[Read, ...] = ()
    standings: tuple[Standing, ...] = ()
    hexes_read: int = 0
    place: Place | None = None

    @property
    def undecided(self) -> bool:
        """Whether someone has to say what one hex is called."""
        return self.numbering is None

    @property
    def numbered(self) -> frozenset[Hex]:
        """The hexes whose number was read and agrees."""
        return (
            frozenset(read.hex_ for read in self.standings[0].agreeing)
            if self.numbering
            else frozenset()
        )

    @property
    def disagreeing(self) -> tuple[Disagreement, ...]:
        """The hexes where another text was read than the numbering has there."""
        return self.standings[0].against if self.numbering else ()


def read_numbers(
    sheet: FlatSheet,
    *,
    known: Sequence[Known] = (),
    candidates: Sequence[Numbering] = (),
    on_progress: OnProgress = ignore,
) -> NumbersFound:
    """Find the numbering of a sheet from the numbers printed in its hexes.

    *known* are labels that someone read off the sheet, each with its hex. *candidates* are
    numberings that the game's maps may have.

    Raises:
        MissingExtraError: the optional part `ocr` is not installed.
    """
    reading = _Reading(sheet, load_reader(), tuple(known), tuple(candidates))
    best = NumbersFound(None, 0.0)
    for look, pitch_px in enumerate(_LOOK_PITCHES_PX):
        on_progress(0.5 * look, say("mapkit.scan.stage.look_numbers"))
        for rank, (place, turn) in enumerate(reading.prospects(pitch_px)):
            on_progress(0.5 * look + 0.03 * (rank + 1), say("mapkit.scan.stage.numbers"))
            found = reading.follow(place, turn)
            if not found.undecided:
                on_progress(1.0, say("mapkit.scan.stage.numbers_read"))
                return found
            best = max(best, found, key=_promise)
    on_progress(1.0, say("mapkit.scan.stage.numbers_read"))
    if known and not best.standings:
        return _found(
            vote((), sheet.grid.orientation, known=known, candidates=candidates), None, []
        )
    return best


@dataclass
class _Reading:
    """One sheet on the reader's desk."""

    sheet: FlatSheet
    reader: Reader
    known: tuple[Known, ...]
    candidates: tuple[Numbering, ...]

    def prospects(self, pitch_px: float) -> Iterator[tuple[Place, int]]:
        """Yield places where numbers may stand, and how they are turned, the most texts first."""
        tiles = tile_centres(self.sheet)
        texts: list[Text] = []
        for count in (_FIRST_TILES, _MORE_TILES):
            before = len(texts)
            for centre in islice(tiles, count):
                texts += texts_around(self.sheet, centre, self.reader, pitch_px=pitch_px)
            if len(texts) - before < _LEAST_TEXTS:
                return
            for place in places(self.sheet, texts)[:_MOST_PLACES]:
                piloted = [(self._pilot(place, turn), turn) for turn in place.turns]
                worth, turn = max(piloted)
                if worth >= _WORTH:
                    yield place, turn

    def _pilot(self, place: Place, turn: int) -> float:
        """Return how much the texts at a place look like labels when turned so, 0 to 1."""
        texts = _thinned(place.texts, _PILOTS)
        return sum(read.score**2 for read in self._read_texts(texts, turn)) / len(texts)

    def follow(self, place: Place, turn: int) -> NumbersFound:
        """Read on at one place of the hexes until the vote is decided."""
        texts = _thinned(place.texts, _ROUND)
        reads = self._read_texts(texts, turn)
        asked = {text.hex_ for text in texts}
        spread = [hex_ for hex_ in _spread(self.sheet.hexes) if hex_ not in asked]
        counted = self._count(reads)
        while True:
            room = MOST_HEXES - len(asked)
            if len(asked) >= _GIVE_UP[0] and _agreeing(counted) < _GIVE_UP[1] * len(asked):
                break
            chosen = _likely(spread, asked, counted)[: min(_ROUND, room)]
            if not chosen:
                break
            asked.update(chosen)
            reads += self._read_hexes(place, chosen, turn)
            counted = self._count(reads)
            if counted.numbering:
                edge = _without_label(counted.numbering, spread, asked)[:_EDGE]
                reads += self._read_hexes(place, edge, turn)
                asked.update(edge)
                counted = self._count(reads) if edge else counted
                break
        if not self.known and place.is_on_edge(self.sheet):
            # Which of two hexes such a number belongs to, someone has to say.
            counted = replace(counted, decided=False)
        return replace(_found(counted, turn, reads, hexes_read=len(asked)), place=place)

    def _read_texts(self, texts: Sequence[Text], turn: int) -> list[Read]:
        crops = [(text.hex_, cut(self.sheet.pixels, *text.box[:4])) for text in texts]
        return self._read(crops, turn)

    def _read_hexes(self, place: Place, hexes: Iterable[Hex], turn: int) -> list[Read]:
        return self._read([(hex_, place.crop(self.sheet, hex_)) for hex_ in hexes], turn)

    def _read(self, crops: Sequence[tuple[Hex, Pixels | None]], turn: int) -> list[Read]:
        """Read crops that are turned; keep what may be a label."""
        whole = [(hex_, np.rot90(crop, turn // 90)) for hex_, crop in crops if crop is not None]
        lines: list[Line] = self.reader.read([crop for _, crop in whole])
        return [
            Read(hex_, line.text, round(line.score, 4))
            for (hex_, _), line in zip(whole, lines, strict=True)
            if line.score >= _LEAST_SCORE and may_be_label(line.text)
        ]

    def _count(self, reads: Sequence[Read]) -> Vote:
        return vote(
            reads,
            self.sheet.grid.orientation,
            known=self.known,
            candidates=self.candidates,
        )


def _likely(spread: Sequence[Hex], asked: set[Hex], counted: Vote) -> list[Hex]:
    """Return the hexes to ask next: where only some rows bear numbers, those of such rows."""
    left = [hex_ for hex_ in spread if hex_ not in asked]
    best = counted.best
    if best is None or len(best.agreeing) > 0.5 * len(asked):
        return left
    rows = {best.numbering.position(read.hex_)[1] for read in best.agreeing}
    columns = {best.numbering.position(read.hex_)[0] for read in best.agreeing}

    def unlikely(hex_: Hex) -> bool:
        column, row = best.numbering.position(hex_)
        return not (row in rows and column in columns)

    return sorted(left, key=unlikely)


def _without_label(numbering: Numbering, hexes: Sequence[Hex], asked: set[Hex]) -> list[Hex]:
    """Return the hexes before number 0: off the map, or the numbers wrap there."""
    found = []
    for hex_ in hexes:
        try:
            numbering.format_label(hex_)
        except NumberingError:
            if hex_ not in asked:
                found.append(hex_)
    return found


def _spread(hexes: Iterable[Hex]) -> list[Hex]:
    """Return hexes in an order that soon has some of every part of the sheet, always the same."""
    ordered = sorted(hexes)
    dice = np.random.Generator(np.random.PCG64(len(ordered)))
    return [ordered[index] for index in dice.permutation(len(ordered)).tolist()]


def _found(
    counted: Vote, turn: int | None, reads: Sequence[Read], *, hexes_read: int = 0
) -> NumbersFound:
    share = counted.best.share if counted.best else 0.0
    if counted.best and not counted.decided:
        share = min(share, _agreeing(counted) / max(len(reads), 1))
    return NumbersFound(counted.numbering, share, turn, tuple(reads), counted.standings, hexes_read)


def _agreeing(counted: Vote) -> int:
    return len(counted.best.agreeing) if counted.best else 0


def _promise(found: NumbersFound) -> float:
    return found.standings[0].votes * found.share if found.standings else 0.0


def _thinned(texts: Sequence[Text], most: int) -> Sequence[Text]:
    """Return some of many texts, from first to last."""
    chosen = np.linspace(0, len(texts) - 1, min(most, len(texts))).round().astype(int)
    return [texts[index] for index in chosen.tolist()]
