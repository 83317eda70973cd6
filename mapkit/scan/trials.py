"""What a scan read, put to the test without a map known to be right.

A person's answers tell of the values they are about; examples that were held back while the
others taught tell how well examples teach; and where a sheet is read in two ways, what both say.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mapkit.model import HexMap
from mapkit.scan.doubts import Spot, Word, values_of
from mapkit.scan.reliability import Trial
from mapkit.scan.teaching import What


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How a reading fared on the sheet itself.

    *held_out* are examples, each judged by the others; in *agreeing* a value counts as right
    where a second way of reading says the same, which is less than being right.
    """

    held_out: tuple[Trial, ...] = ()
    agreeing: tuple[Trial, ...] = ()


def answered(first: HexMap, now: HexMap) -> Iterator[Trial]:
    """Yield what a scan read at *first* and a person has confirmed or corrected by *now*."""
    later: dict[tuple[Spot, What], dict[Word, bool]] = {}
    for one in values_of(now):
        by_person = one.stated.source == "person"
        later.setdefault((one.place, one.what), {})[one.value] = by_person
    for one in values_of(first):
        if not one.is_open:
            continue
        held = later.get((one.place, one.what), {})
        # What only the scan saw goes away by an answer alone, or by a new reading of a hex.
        gone = one.value not in held and (
            one.what not in ("terrain", "level") or any(held.values())
        )
        if gone or held.get(one.value):
            yield Trial(one.what, one.confidence, not gone)
