"""What a printed legend says about every hex: which terrain, at which level.

On a map with levels, terrain is mostly printed as a tint through which that of the level shows.
So the tones of a terrain's sample are only those on one level; how far each of them follows the
level tints (not at all where trees are drawn, wholly on bare ground) is found on the map itself:
it is what explains the most hexes. Shading is taken out on the way: what hexes of one kind have
too much or too little of, smoothly over the sheet, is not their terrain.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mapkit.scan.sampling import Floats, HexSamples, purest
from mapkit.scan.verdicts import Verdicts

SPREAD = np.array([1.3, 0.8, 0.8])  # of the tone of one kind of ground over a sheet, at first
_LEAST_SPREAD = np.array([0.6, 0.3, 0.3])
_LEAST_SHARE = 0.08  # of a sample: less is its rim, or dust
_STEPS = np.linspace(0.0, 1.0, 11)
_FAR = -14.0  # the log of what no kind of ground explains
_SHARE_SPREAD = 0.18
_OUTER = 0.3  # the weight of what lies around the centre
_ROUNDS = 3
_DOUBTED = 0.3
_SEEN = 0.1  # the share of the centre that a tone must cover to tell a level
_FOLLOWS = 0.15  # an ink that follows the levels less tells nothing of them


@dataclass(frozen=True, eq=False)
class Swatches:
    """The samples of a legend, as L*a*b* colours: pixels × 3 for every word."""

    terrain: Mapping[str, Floats]
    levels: Mapping[int, Floats]


@dataclass(frozen=True, eq=False)
class Ink:
    """One tone of one terrain's sample, and how far it follows the tints of the levels."""

    terrain: str
    colour: Floats
    share: float
    follows: float = 0.0


@dataclass(frozen=True, eq=False)
class LegendReading:
    """What the legend makes of every hex, the inks it was judged by, and the tints of levels."""

    terrain: Verdicts
    inks: tuple[Ink, ...]
    tints: Mapping[int, Floats]


def read_by_legend(samples: HexSamples, swatches: Swatches) -> LegendReading:
    """Judge the terrain of every hex by the samples of the legend."""
    tints = {level: _tone(pixels) for level, pixels in sorted(swatches.levels.items())}
    inks = _inks(swatches.terrain)
    steps = _steps_from(tints, inks)
    tones = samples.tones
    for _ in range(_ROUNDS):
        inks = _fitted(_visible(tones, samples.shares), inks, steps)
        tones = _unshaded(samples, tones, inks, steps)
    terrain = _terrain(tones, samples, inks, steps)
    return LegendReading(terrain, tuple(inks), tints)


def _visible(tones: Floats, shares: Floats) -> Floats:
    """All tones that cover enough of their hex to be counted."""
    visible: Floats = tones.reshape(-1, 3)[shares.reshape(-1) > 0.15]
    return visible


def _tone(pixels: Floats) -> Floats:
    tones, _ = purest(pixels[None])
    tone: Floats = tones[0, 0]
    return tone


def _inks(terrain: Mapping[str, Floats]) -> list[Ink]:
    found = []
    for word, pixels in terrain.items():
        tones, shares = purest(pixels[None])
        for tone, share in zip(tones[0], shares[0], strict=True):
            if share >= _LEAST_SHARE:
                found.append(Ink(word, tone, float(share)))
    return found


def _steps_from(tints: Mapping[int, Floats], inks: list[Ink]) -> Floats:
    """How the tint of every level differs from that under the legend's samples of terrain.

    That is the level of which some sample has the very tint; else the lowest.
    """
    if not tints:
        return np.zeros((1, 3))
    colours = np.stack(list(tints.values()))
    apart = [min(float(np.linalg.norm(ink.colour - c)) for ink in inks) for c in colours]
    under = int(np.argmin(apart)) if min(apart) < 3.0 else 0
    steps: Floats = colours - colours[under]
    return steps


def _closeness(
    tones: Floats, ink: Ink, steps: Floats, follows: float, spread: Floats = SPREAD
) -> Floats:
    """Log-likelihood of tones (… × 3) for an ink on every level (… × levels)."""
    expected = ink.colour + follows * steps
    apart = (tones[..., None, :] - expected) / spread
    close: Floats = np.maximum(-0.5 * (apart**2).sum(axis=-1), _FAR)
    return close


def _fitted(tones: Floats, inks: list[Ink], steps: Floats) -> list[Ink]:
    """Find for every ink in turn how far it follows the levels: what explains the most hexes."""
    if len(steps) == 1:
        return inks
    some = tones[:: max(1, len(tones) // 1500)]
    best = [_closeness(some, ink, steps, ink.follows).max(axis=1) for ink in inks]
    for _ in range(2):
        for place, ink in enumerate(inks):
            others = np.max([b for i, b in enumerate(best) if i != place], axis=0, initial=_FAR)
            tried = [_closeness(some, ink, steps, step).max(axis=1) for step in _STEPS]
            # A little is asked of each step, so that what no hex shows stays as it is printed.
            gains = [
                np.maximum(t, others).mean() - 0.01 * s for t, s in zip(tried, _STEPS, strict=True)
            ]
            chosen = int(np.argmax(gains))
            inks[place] = replace(ink, follows=float(_STEPS[chosen]))
            best[place] = tried[chosen]
    return inks


def _off(tones: Floats, inks: list[Ink], steps: Floats) -> Floats:
    """How far every tone is off the nearest that the legend lets expect."""
    expected = np.concatenate([ink.colour + ink.follows * steps for ink in inks])
    apart = tones[:, None, :] - expected
    nearest = np.argmin(((apart / SPREAD) ** 2).sum(axis=-1), axis=1)
    off: Floats = apart[np.arange(len(apart)), nearest]
    return off


def _spread(tones: Floats, inks: list[Ink], steps: Floats) -> Floats:
    """How far the tones of one kind of ground lie apart on this sheet."""
    off = np.abs(_off(tones, inks, steps))
    spread: Floats = np.clip(1.5 * 1.48 * np.median(off, axis=0), _LEAST_SPREAD, 3 * SPREAD)
    return spread


def _unshaded(samples: HexSamples, tones: Floats, inks: list[Ink], steps: Floats) -> Floats:
    """Take out what all kinds of ground have too much or too little of around some place."""
    off = _off(tones[:, 0], inks, steps)
    fair = np.linalg.norm(off / SPREAD, axis=1) < 3.0
    if fair.sum() < 60:
        return tones
    x, y = samples.places.T
    terms = np.column_stack((np.ones_like(x), x, y, x * x, x * y, y * y))
    field, *_ = np.linalg.lstsq(terms[fair], off[fair], rcond=None)
    flat: Floats = tones - (terms @ field)[:, None, :]
    return flat


def _terrain(tones: Floats, samples: HexSamples, inks: list[Ink], steps: Floats) -> Verdicts:
    """Judge the terrain by the tones at the centre, a little by those around it.

    What no terrain explains (a town, a road, a name) says nothing.
    """
    words = tuple(dict.fromkeys(ink.terrain for ink in inks))
    moved = samples.outer_tones + (tones[:, :1] - samples.tones[:, :1])
    inner = _explained(tones, samples.shares, inks, steps, words)
    outer = _explained(moved, samples.outer_shares, inks, steps, words)
    return Verdicts(words, softmax(inner + _OUTER * outer))


def _explained(
    tones: Floats, shares: Floats, inks: list[Ink], steps: Floats, words: tuple[str, ...]
) -> Floats:
    close = np.stack(
        [
            np.max(
                [
                    _closeness(tones, i, steps, i.follows).max(axis=2)
                    for i in inks
                    if i.terrain == w
                ],
                axis=0,
            )
            for w in words
        ],
        axis=-1,
    )
    explained = shares * (close.max(axis=2) > _FAR + 1)
    weight = explained[:, :, None]
    logs = (weight * close).sum(axis=1)
    usual = np.array([max(i.share for i in inks if i.terrain == w) for w in words])
    most = explained.max(axis=1, keepdims=True)
    total = explained.sum(axis=1, keepdims=True)
    lacking = (most / np.maximum(total, 1e-9) - usual) / _SHARE_SPREAD
    found: Floats = logs - 0.25 * total * lacking**2
    return found


def softmax(logs: Floats) -> Floats:
    """Return likelihoods that add up to one in every row."""
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = raised / raised.sum(axis=1, keepdims=True)
    return result
