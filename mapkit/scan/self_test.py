"""A scan tested on its own sheet: examples held back, and two ways of reading compared."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mapkit.scan.ground import GroundReading, views_of
from mapkit.scan.reliability import Trial
from mapkit.scan.sampling import Floats
from mapkit.scan.teaching import What
from mapkit.scan.trials import SelfTest
from mapkit.scan.verdicts import Verdicts, learn

_FOLDS = 4
_FEWEST = 8  # examples: less tells nothing


def try_on_itself(reading: GroundReading, *, seed: int = 0) -> SelfTest:
    """Return how a reading of terrain and levels fares without a map known to be right."""
    held: list[Trial] = []
    agreeing: list[Trial] = []
    read: Mapping[What, Verdicts | None] = {"terrain": reading.terrain, "level": reading.levels}
    for what, verdicts in read.items():
        ways, known = reading.ways.get(what, ()), reading.known.get(what, {})
        if verdicts is not None and len(ways) > 1:
            agreeing += _agreeing(what, verdicts, ways, known)
        elif len(known) >= _FEWEST:
            held += held_out(what, views_of(reading.samples, what), known, seed=seed)
    return SelfTest(tuple(held), tuple(agreeing))


def held_out(
    what: What, views: Sequence[Floats], known: Mapping[int, str], *, seed: int = 0
) -> Iterator[Trial]:
    """Judge every fourth example by the other three quarters, in turn.

    Values with a single example are left out: without it nothing would teach them.
    """
    counts: dict[str, int] = {}
    folds: list[list[int]] = [[] for _ in range(_FOLDS)]
    for row in np.random.default_rng(seed).permutation(sorted(known)).tolist():
        counts[known[row]] = counts.get(known[row], -1) + 1
        folds[counts[known[row]] % _FOLDS].append(row)
    for fold in folds:
        rest = {row: value for row, value in known.items() if row not in fold}
        asked = [row for row in fold if counts[known[row]] > 0]
        if not asked or len(set(rest.values())) < 2:
            continue
        rows = [*rest, *asked]
        some = [view[rows] for view in views]
        verdicts = learn(some, dict(enumerate(rest.values())), seed=seed)
        for place, row in enumerate(asked, start=len(rest)):
            value, sure, _ = verdicts.best(place)
            yield Trial(what, sure, value == known[row])


def _agreeing(
    what: What, verdicts: Verdicts, ways: Sequence[Verdicts], known: Mapping[int, str]
) -> Iterator[Trial]:
    words = [np.array(way.values)[way.likely.argmax(axis=1)] for way in ways]
    same = np.all([one == words[0] for one in words], axis=0)
    for row, sure in enumerate(verdicts.likely.max(axis=1).tolist()):
        if row not in known:
            yield Trial(what, sure, bool(same[row]))
