"""The ground under a line of sight, as the policy reads it."""

from dataclasses import dataclass
from fractions import Fraction

from mapkit.hexes import Hex
from mapkit.sight.comparisons import Height
from mapkit.sight.ground import SightGround
from mapkit.sight.sighting import Sight


@dataclass(frozen=True, slots=True)
class ProfileStep:
    """One stretch of the line: how high the ground is, and what stands on it.

    On a hexside it is the hex that decides: the lower of the two where both must block, the
    higher where either does. A height is None where the map does not know it.
    """

    start: Fraction
    end: Fraction
    hexes: tuple[Hex, ...]
    level: int | None
    top: Height | None
    blocks: bool


def profile(ground: SightGround, seen: Sight) -> tuple[ProfileStep, ...]:
    """Return the ground from the observer to the target; what lies off the map is left out."""
    shut = {(passed.gate.start, passed.gate.end) for passed in seen.blockers}
    steps = []
    for event in seen.events:
        if event.kind not in ("through", "along"):
            continue
        here = [hex_ for hex_ in event.hexes if hex_ in ground.map]
        if not here:
            continue
        known = [height for height in (_height(ground, hex_) for hex_ in here) if height]
        pick = min if ground.policy.along == "both_block" else max
        level: int | None = None
        top: Height | None = None
        if len(known) == len(here):
            top, level = pick(known)
        blocks = (event.start, event.end) in shut
        steps.append(ProfileStep(event.start, event.end, event.hexes, level, top, blocks))
    return tuple(steps)


def _height(ground: SightGround, hex_: Hex) -> tuple[Height, int] | None:
    """The top of what stands in a hex, and its level; None where unknown."""
    cover = ground.cover(hex_)
    if cover is None or cover.level is None:
        return None
    tallest: Height = 0
    for rule, here in zip(ground.policy.obstacles, cover.present, strict=True):
        if here is None and rule.height > tallest:
            return None
        if here:
            tallest = max(tallest, rule.height)
    return cover.level + tallest, cover.level
