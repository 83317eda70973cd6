"""Lines taught by examples alone, where no legend shows what they look like.

A few hexsides are known to hold a line. What is found with them, where it is found surely,
teaches more; what is seen along the ways then tells, and where fewest ways lie between those
with a line and those without, the odds are even.
"""

import numpy as np

from mapkit.scan.line_evidence import even_odds, look
from mapkit.scan.line_lessons import SCALES
from mapkit.scan.line_stages import (
    LOOKED_AT,
    Chances,
    Found,
    Study,
    learn,
    own_lessons,
    own_lines,
    together,
)
from mapkit.scan.line_sureness import counts_against, usual_share
from mapkit.scan.side_patches import Floats

_ROUNDS = 2  # of learning from the sheet's own lines
_CALM = 0.3  # of what is expected of any kind
_STRONG = 0.5
_COMMON = 0.15  # of all hexsides
_SURE = 0.75
_OWN = 50
_STEEP = 9.0


def find_by_example(study: Study) -> Found:
    """Return the chances of the kinds of a study that no legend shows."""
    dice = np.random.default_rng(study.seed)
    count = len(study.patches)
    some = np.sort(dice.choice(count, min(count, LOOKED_AT), replace=False))
    taught = learn(study, some, {}, SCALES, dice, drawn=0)
    found = look(taught.reader, study.patches[some], study.reaches).strength / taught.expected
    calm = some[(found < _CALM).all(axis=1)]
    calm = calm if len(calm) >= min(100, len(some) // 4) else some
    taught = learn(study, calm, {}, SCALES, dice, drawn=0)
    seen = look(taught.reader, study.patches, study.reaches)
    for _ in range(_ROUNDS):
        found = seen.strength / taught.expected
        own = own_lines(study, found, sure=_SURE, strong=_STRONG, most=_OWN)
        lessons = own_lessons(study, taught.reader, own)
        # A kind that is all over the sheet must not be learnt as ground.
        common = (found > _STRONG).mean(axis=0) > _COMMON
        bare = some[~(found[some][:, common] > _STRONG).any(axis=1)]
        rest = np.setdiff1d(bare, together(own))
        taught = learn(study, rest if len(rest) else some, lessons, SCALES, dice, drawn=0)
        seen = look(taught.reader, study.patches, study.reaches)
    known = {kind: own.get(kind, np.array(study.yes[kind], np.intp)) for kind in study.kinds}
    chances = {}
    for index, kind in enumerate(study.kinds):
        strength = seen.strength[:, index]
        chances[kind] = judge(strength, float(np.median(strength[known[kind]])))
        chances[kind][list(study.yes[kind])] = 1.0
        chances[kind][list(study.no[kind.group])] = 0.0
    usual = usual_share(study.kinds, seen, known)
    against = counts_against(study.kinds, seen, seen.strength / taught.expected, usual)
    return Found(chances, dict(zip(study.kinds, seen.places, strict=True)), None, against)


def judge(strength: Floats, usual: float) -> Chances:
    """Return for every patch how likely it shows one kind.

    *strength* is how much of the kind is seen in each, *usual* how much where it surely is.
    """
    even, apart = even_odds(strength, usual)
    odds = _STEEP / max(apart, 0.1) * (strength - even).astype(float)
    return np.asarray(1 / (1 + np.exp(-odds)))
