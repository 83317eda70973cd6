"""Which numbering the numbers read on a sheet speak for: a vote that single misreads do not sway.

Every read votes for all numberings that would print its text in its hex: which of its two parts
counts the straight lines, which way each part counts, which lines are shoved, and from what
number on. That is a small space, so nothing is tried out: the votes are counted.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mapkit.errors import NumberingError
from mapkit.grid import Orientation
from mapkit.hexes import Hex
from mapkit.numbering import Numbering
from mapkit.scan.numbers_form import FORMS, SEPARATORS, Form, is_near, skeleton
from mapkit.sheets.moving import turn_numbering

Known = tuple[str, Hex]  # what is printed in a hex, said by someone who looked

ENOUGH_SHARE = 0.8
# What a read must score to count, and how many must agree: where many are misread, the reader is
# mostly unsure of those.
_SURENESS = ((0.5, 6), (0.75, 10), (0.9, 14))
_LEAST_AHEAD, _TIMES_AHEAD = 3, 3  # reads that speak for one of two numberings only
_EXACT_SHARE = 0.25  # of the reads that must be right in every sign
_FORM_SHARE = 0.25  # of the reads that must look exactly like a form for it to stand
_PROPOSALS = 4  # of each form
_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Read(NamedTuple):
    """A text read in a hex, and how sure that is, from 0 to 1."""

    hex_: Hex
    text: str
    score: float


class Disagreement(NamedTuple):
    """A hex that should bear one label, and where another text was read."""

    hex_: Hex
    label: str
    text: str


@dataclass(frozen=True)
class Standing:
    """How a numbering fared: the reads for it, and those against it."""

    numbering: Numbering
    agreeing: tuple[Read, ...]
    against: tuple[Disagreement, ...]
    votes: float
    share: float
    to_the_sign: float = 0.0  # votes of the reads that also have the sign between the parts right


@dataclass(frozen=True)
class Vote:
    """The numberings that reads speak for, the best first, and whether that settles it."""

    standings: tuple[Standing, ...] = ()
    decided: bool = False

    @property
    def best(self) -> Standing | None:
        """The numbering with most votes."""
        return self.standings[0] if self.standings else None

    @cached_property
    def numbering(self) -> Numbering | None:
        """The numbering, where the vote is decided."""
        return self.standings[0].numbering if self.decided else None


def vote(
    reads: Iterable[Read],
    orientation: Orientation,
    *,
    known: Sequence[Known] = (),
    candidates: Sequence[Numbering] = (),
) -> Vote:
    """Count what reads speak for.

    *candidates* are numberings a game may have, wherever their origin lies: they stand beside
    those found, and the reads decide. *known* labels must come out right; with them the best
    numbering needs no share of the votes, only to be ahead of all others that fit.
    """
    best = _best_per_hex(reads)
    first: Vote | None = None
    fewer = len(best) + 1
    for score, enough in _SURENESS:
        counted = [read for read in best if read.score >= score]
        if len(counted) < fewer:
            found = _count(counted, orientation, known, candidates, enough)
            if found.decided:
                return found
            first, fewer = first or found, len(counted)
    return first or Vote()


def _count(
    reads: Sequence[Read],
    orientation: Orientation,
    known: Sequence[Known],
    candidates: Sequence[Numbering],
    enough: int,
) -> Vote:
    told = [Read(hex_, text, 1.0) for text, hex_ in known]
    seen: set[Numbering] = set()
    standings = []
    for numbering in _proposals(reads, told, orientation, candidates):
        if numbering not in seen and _knows(numbering, known):
            seen.add(numbering)
            standings.append(_stand(numbering, [*reads, *told]))
    standings.sort(key=lambda standing: (-standing.votes, -standing.to_the_sign))
    kept = tuple(standing for standing in standings if standing.votes > 0)
    return Vote(kept[:_PROPOSALS], _is_decided(kept, enough, known=bool(known)))


def _best_per_hex(reads: Iterable[Read]) -> list[Read]:
    best: dict[Hex, Read] = {}
    for read in reads:
        if read.hex_ not in best or best[read.hex_].score < read.score:
            best[read.hex_] = read
    return [best[hex_] for hex_ in sorted(best)]


def _knows(numbering: Numbering, known: Sequence[Known]) -> bool:
    return all(skeleton(label_of(numbering, hex_)) == skeleton(text) for text, hex_ in known)


def _is_decided(standings: Sequence[Standing], least: int, *, known: bool) -> bool:
    if not standings:
        return False
    best = standings[0]
    if not all(_beats(best, rival, known=known) for rival in standings[1:]):
        return False
    heard = len(best.agreeing) + len(best.against)
    enough = len(best.agreeing) >= max(least, _EXACT_SHARE * heard)
    return known or (enough and best.share >= ENOUGH_SHARE)


def _beats(best: Standing, rival: Standing, *, known: bool) -> bool:
    """Tell whether the reads that only one of two numberings explains are clearly the best one's.

    Most reads may well fit both: half the lines do when the other half is shoved wrongly.
    """
    ours = set(best.agreeing) - set(rival.agreeing)
    theirs = set(rival.agreeing) - set(best.agreeing)
    if known and len(ours) > len(theirs):
        return True
    if len(ours) >= _LEAST_AHEAD and len(ours) >= _TIMES_AHEAD * len(theirs):
        return True
    return not ours and not theirs and _same_labels(best, rival)


def _stand(numbering: Numbering, reads: Sequence[Read]) -> Standing:
    labels = {read.hex_: label_of(numbering, read.hex_) for read in reads}
    agreeing = [read for read in reads if skeleton(read.text) == skeleton(labels[read.hex_])]
    if not agreeing:
        return Standing(numbering, (), (), 0.0, 0.0)
    field = _Field.around(numbering, (read.hex_ for read in agreeing))
    lengths = {len(skeleton(read.text)) for read in agreeing}
    others = [
        read
        for read in reads
        if skeleton(read.text) != skeleton(labels[read.hex_])
        and len(skeleton(read.text)) in lengths
        and any(sign.isdecimal() for sign in read.text)
        and field.holds(numbering, read.hex_)
    ]
    against = tuple(Disagreement(read.hex_, labels[read.hex_], read.text) for read in others)
    votes = sum(read.score for read in agreeing)
    # One sign misread speaks for no other numbering.
    lost = sum(read.score for read in others if not is_near(read.text, labels[read.hex_]))
    share = votes / (votes + lost)
    parted = bool(numbering.separator)
    exact = sum(read.score for read in agreeing if _parted(read.text) == parted)
    return Standing(numbering, tuple(agreeing), against, votes, share, exact)


def _parted(text: str) -> bool:
    return any(sign in SEPARATORS for sign in text)


def label_of(numbering: Numbering, hex_: Hex) -> str:
    """Return what a hex is called, or nothing where a numbering has no label for it."""
    try:
        return numbering.format_label(hex_)
    except NumberingError:
        return ""


class _Field(NamedTuple):
    """The part of a sheet between the outermost hexes that agree."""

    columns: range
    rows: range

    @classmethod
    def around(cls, numbering: Numbering, hexes: Iterable[Hex]) -> "_Field":
        columns, rows = zip(*(numbering.position(hex_) for hex_ in hexes), strict=True)
        return cls(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))

    def holds(self, numbering: Numbering, hex_: Hex) -> bool:
        column, row = numbering.position(hex_)
        return column in self.columns and row in self.rows


def _same_labels(one: Standing, two: Standing) -> bool:
    """Tell whether two numberings differ nowhere in the field that the reads span."""
    field = _Field.around(one.numbering, (read.hex_ for read in one.agreeing))
    # In a single line of hexes nothing tells which way the lines beside it are counted.
    return min(len(field.columns), len(field.rows)) > 1 and all(
        skeleton(label_of(one.numbering, hex_)) == skeleton(label_of(two.numbering, hex_))
        for hex_ in (one.numbering.hex_at(c, r) for c in field.columns for r in field.rows)
    )


def _proposals(
    reads: Sequence[Read],
    told: Sequence[Read],
    orientation: Orientation,
    candidates: Sequence[Numbering],
) -> Iterator[Numbering]:
    heard = [*reads, *told]
    for candidate in candidates:
        yield from _laid_on(candidate, told or heard, orientation)
    for form in FORMS:
        exact = [read for read in heard if form.split(read.text)]
        if exact and len(exact) >= _FORM_SHARE * len(heard):
            voters: defaultdict[_Way, list[Read]] = defaultdict(list)
            for read in heard:
                for way in set(_ways(form, read, orientation)):
                    voters[way].append(read)
            for read in told:
                ways = set(_ways(form, read, orientation))
                voters = defaultdict(list, {way: voters[way] for way in voters if way in ways})
            # Equal votes are ordered too, so that the same reads always give the same answer.
            for way in sorted(voters, key=lambda way: (-len(voters[way]), way))[
                : _PROPOSALS * (4 if told else 1)
            ]:
                yield from way.numberings(form, voters[way], orientation)


def _laid_on(
    candidate: Numbering, reads: Sequence[Read], orientation: Orientation
) -> Iterator[Numbering]:
    """Lay a numbering where most reads would have it, on a sheet that may lie turned."""
    for quarters in range(4):
        turned = turn_numbering(candidate, quarters)
        if turned.orientation != orientation:
            continue
        moves: Counter[Hex] = Counter()
        for read in reads:
            try:
                there = turned.parse_label(read.text)
            except NumberingError:
                continue
            moves[Hex(read.hex_.q - there.q, read.hex_.r - there.r)] += 1
        for move, _ in sorted(moves.items(), key=lambda item: (-item[1], item[0]))[:2]:
            yield turned.moved(move)


class _Way(NamedTuple):
    """One way to count: what a read can vote for."""

    line_first: bool  # the first part of a label counts the straight lines
    line_step: int
    along_step: int
    odd_back: bool  # odd lines stand half a hex back, not forward, against the even ones
    line_zero: int  # the number of line 0
    along_zero: int

    def numberings(
        self, form: Form, voters: Sequence[Read], orientation: Orientation
    ) -> Iterator[Numbering]:
        """Yield the numbering that counts so, unless nothing can be printed so."""
        places = [_place(read.hex_, orientation, odd_back=self.odd_back) for read in voters]
        line_part, along_part = form.first, form.second
        if not self.line_first:
            line_part, along_part = along_part, line_part
        line = _Run.of([p[0] for p in places], self.line_zero, self.line_step, line_part.modulus)
        along = _Run.of(
            [p[1] for p in places], self.along_zero, self.along_step, along_part.modulus
        )
        padded_first, padded_second = _padding(form, voters)
        if not self.line_first:
            padded_first, padded_second = padded_second, padded_first
        try:
            line_axis = line_part.axis(
                line.first, self.line_step, line.wrap_from, padded=padded_first
            )
            along_axis = along_part.axis(
                along.first, self.along_step, along.wrap_from, padded=padded_second
            )
        except NumberingError:
            return
        flat = orientation == "flat"
        # Forward is right and down: toward higher numbers where those run so.
        forward_parity = (line.zero + (0 if self.odd_back else 1)) % 2
        if self.along_step == -1:
            forward_parity = 1 - forward_parity
        yield Numbering(
            straight="columns" if flat else "rows",
            order="CCRR" if self.line_first == flat else "RRCC",
            columns=line_axis if flat else along_axis,
            rows=along_axis if flat else line_axis,
            separator=_separator(voters) if form.parted else "",
            shoved="odd" if forward_parity else "even",
            toward="higher",
            origin=_hex_at(line.start, along.start, orientation, odd_back=self.odd_back),
        )


class _Run(NamedTuple):
    """The numbers along an axis: those of line 0 and of the first line, and where they wrap."""

    zero: int
    start: int
    first: int
    wrap_from: int | None

    @classmethod
    def of(cls, lines: Sequence[int], zero: int, step: int, modulus: int | None) -> "_Run":
        counts = [zero + step * line for line in lines]
        start = min(lines)
        if modulus is None:
            return cls(zero, start, zero + step * start, None)
        # Numbers of fixed width are known up to whole turns; the highest turn begins with 0.
        zero -= modulus * (max(counts) // modulus)
        low, high = (zero + step * line for line in (min(lines), max(lines))[::step])
        wrap_from = None
        if low < 0:
            tens = (modulus + low) // 10 * 10
            wrap_from = tens if tens > high else modulus + low
        return cls(zero, start, zero + step * start, wrap_from)


def _ways(form: Form, read: Read, orientation: Orientation) -> Iterator[_Way]:
    places = [
        (odd_back, *_place(read.hex_, orientation, odd_back=odd_back)) for odd_back in (True, False)
    ]
    for pair in form.pairs(read.text):
        for line_first in (True, False):
            parts = (form.first, form.second) if line_first else (form.second, form.first)
            line_around, along_around = parts[0].modulus, parts[1].modulus
            line_number, along_number = pair if line_first else pair[::-1]
            for odd_back, line, along in places:
                for line_step, along_step in _STEPS:
                    line_zero = line_number - line_step * line
                    along_zero = along_number - along_step * along
                    yield _Way(
                        line_first,
                        line_step,
                        along_step,
                        odd_back,
                        line_zero % line_around if line_around else line_zero,
                        along_zero % along_around if along_around else along_zero,
                    )


def _place(hex_: Hex, orientation: Orientation, *, odd_back: bool) -> tuple[int, int]:
    """Return the straight line that a hex stands on, and its place along it."""
    line, other = (hex_.q, hex_.r) if orientation == "flat" else (hex_.r, hex_.q)
    return line, (2 * other + line + odd_back) // 2


def _hex_at(line: int, along: int, orientation: Orientation, *, odd_back: bool) -> Hex:
    """Return the hex on a line: the inverse of `_place`."""
    other = along - (line + odd_back) // 2
    return Hex(line, other) if orientation == "flat" else Hex(other, line)


def _padding(form: Form, voters: Sequence[Read]) -> tuple[bool, bool]:
    """Tell of either part whether small numbers are printed with a zero before them."""
    halves = [half for half in (form.split(read.text) for read in voters) if half]
    first, second = (
        sum(half[index].startswith("0") and len(half[index]) == 2 for half in halves)
        > sum(half[index].isdecimal() and len(half[index]) == 1 for half in halves)
        for index in (0, 1)
    )
    return first, second


def _separator(voters: Sequence[Read]) -> str:
    signs = Counter(sign for read in voters for sign in read.text if sign in SEPARATORS)
    return max(sorted(signs), key=lambda sign: signs[sign]).replace("·", ".") if signs else "."
