"""The levels of hexes by the tints of a legend, also where terrain is printed over them.

Ink over a tint mixes with it: red, green and blue of what is seen lie on a straight line from the
ink to the tint. How far each ink of a terrain lets the tints through, from not at all to bare
ground, is found on the sheet: that share is taken which explains the colours of the hexes best,
and under which neighbours seldom lie levels apart. The terrain that tells most comes first; by it
the shade of the paper and the printed tints are set right before the next is judged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mapkit.scan.sampling import Floats, HexSamples, Whole, from_lab, nearest_places
from mapkit.scan.swatches import Ink as Tone
from mapkit.scan.swatches import softmax
from mapkit.scan.verdicts import Verdicts

# Brightness, red and blue as they differ from it: mixing stays straight, noise is least there.
_AXES = np.array([[0.3, 0.59, 0.11], [0.7, -0.59, -0.11], [-0.3, -0.59, 0.89]])
_NEVER = -18.0  # the log of what no ink on no level explains
_FIRST_SPREAD = np.diag(np.square([1.5, 0.7, 2.0]))
_LEAST_SPREAD = np.array([0.6, 0.7, 1.0])  # JPEG moves colour by so much
_MOST_SPREAD = 4.0  # times as much: what blurs into its neighbours moves far, but one way
_MOST_UNHELD = 2.0  # where no sample holds an ink, a wide spread would swallow the levels
_LEGEND_SPREAD = np.array([1.5, 0.8, 2.0])
_HELD = np.array([0.3, 0.3, 0.05])  # how far an ink is held to its printed sample
_LEGEND_WEIGHT = 10.0
_BLURRED = 0.25  # how much of another ink may be mixed into a sample, in which the map has none
_PAIRS = 0.4  # the weight of a pair: six neighbours are not six witnesses
_STEP = (0.7, 0.13, 0.015, 0.003)  # how often neighbours lie 0, 1, 2 and more levels apart
_ROUNDS = 12
_SOME = 600
_FEW = 15  # hexes: less teaches nothing about an ink
_MEMBERS = 4  # cells of an ink that make a tone
_NEW_SHARE = 0.1  # of the cells of a terrain, to be an ink that its sample does not show
_LEAST_GAIN = 0.5  # for every hex, to believe that an ink lets tints through
_SEEN = 0.03  # an ink that lets less of the tints through tells nothing


@dataclass(frozen=True, eq=False)
class Ink:
    """One ink of a terrain: *printed* as in the legend, *base* where no tint shows through."""

    terrain: str
    printed: Floats
    from_legend: bool
    base: Floats
    follows: float = 0.0
    spread: Floats = field(default_factory=_FIRST_SPREAD.copy)
    gain: float = 0.0

    def on(self, tints: Floats) -> Floats:
        """Return its colour on every tint."""
        colours: Floats = self.base + self.follows * tints
        return colours


@dataclass(frozen=True, eq=False)
class _Tones:
    """What hexes show of one ink: their rows, and the colour in each."""

    rows: Whole
    colours: Floats


@dataclass(frozen=True, eq=False)
class _State:
    """All that is held true so far."""

    samples: HexSamples
    kinds: tuple[str, ...]
    inks: tuple[Ink, ...]
    tints: Floats
    under: int  # the level on which the legend's terrain is printed
    shade: Floats
    purest: bool
    tones: tuple[_Tones, ...] = ()

    def retoned(self) -> "_State":
        return replace(self, tones=_purest_tones(self) if self.purest else _tones(self))

    def of(self, terrain: str) -> list[int]:
        return [place for place, ink in enumerate(self.inks) if ink.terrain == terrain]


def judge_levels(
    samples: HexSamples,
    terrain: Verdicts,
    tones: Sequence[Tone],
    tints: Mapping[int, Floats],
    known: Mapping[int, str],
    *,
    purest: bool,
) -> Verdicts:
    """Return how likely each level is in every hex by its own colours alone.

    *tones* are those of the legend's samples of terrain and *tints* those of its levels, as
    L*a*b*; *known* are levels of rows that somebody gave. A hex is looked at by its *purest*
    colours, or else by the middle of its small patches: either is better on some sheets.
    """
    levels = tuple(map(str, sorted(tints)))
    told = {row: levels.index(level) for row, level in known.items() if level in levels}
    colours = np.stack([tints[int(level)] for level in levels])
    state = _begun(samples, terrain, tones, colours, purest=purest)
    order: list[str] = []
    for _ in dict.fromkeys(ink.terrain for ink in state.inks):
        state = _next_terrain(state, order, told)
    for place, word in enumerate(order):
        state = _adopted(state, _fitted(state, word, _own(state, order[:place]), told))
    state = _unshaded(state, order)
    return Verdicts(levels, softmax(np.maximum(_logs(state, order), _NEVER / 2)))


def _begun(
    samples: HexSamples,
    terrain: Verdicts,
    tones: Sequence[Tone],
    lab_tints: Floats,
    *,
    purest: bool,
) -> _State:
    kinds = tuple(terrain.values[column] for column in terrain.likely.argmax(axis=1))
    tints = from_lab(lab_tints) @ _AXES.T
    printed = [from_lab(tone.colour[None])[0] @ _AXES.T for tone in tones]
    apart = [min(float(np.linalg.norm(colour - tint)) for colour in printed) for tint in tints]
    under = int(np.argmin(apart)) if min(apart) < 4.0 else 0
    inks = [
        Ink(tone.terrain, colour, True, colour - tone.follows * tints[under], tone.follows)
        for tone, colour in zip(tones, printed, strict=True)
    ]
    state = _State(samples, kinds, tuple(inks), tints, under, np.zeros(len(kinds)), purest)
    return replace(state, inks=(*inks, *_unprinted(state))).retoned()


def _unprinted(state: _State) -> list[Ink]:
    """Inks that hexes of a terrain show and its sample does not: gaps between the trees."""
    from sklearn.cluster import KMeans

    found: list[Ink] = []
    for word in dict.fromkeys(ink.terrain for ink in state.inks):
        rows = np.array([kind == word for kind in state.kinds])
        colours = _flat_cells(state)[rows].reshape(-1, 3)
        if rows.sum() < 20 or len(colours) < 100:
            continue
        some = colours[:: max(1, len(colours) // 8000)]
        groups = KMeans(4, n_init=2, random_state=0).fit(some)
        shares = np.bincount(groups.labels_, minlength=4) / len(some)
        own = [state.inks[place].on(state.tints) for place in state.of(word)]
        for centre, share in zip(groups.cluster_centers_, shares, strict=True):
            off = (centre - np.concatenate(own)) / (3.0, 2.5, 3.0)
            if share > _NEW_SHARE and float((off**2).sum(axis=1).min()) > 9.0:
                found.append(Ink(word, centre, False, centre))
                own.append(centre[None])
    return found


def _flat_cells(state: _State) -> Floats:
    cells: Floats = (state.samples.cells * (1 - state.shade)[:, None, None]) @ _AXES.T
    return cells


def _tones(state: _State) -> tuple[_Tones, ...]:
    """Sort the cells of every hex by the inks of its terrain; the middle of each is its tone."""
    found: list[_Tones] = [_Tones(np.empty(0, np.intp), np.empty((0, 3)))] * len(state.inks)
    cells = _flat_cells(state)
    for word in dict.fromkeys(ink.terrain for ink in state.inks):
        rows = np.flatnonzero([kind == word for kind in state.kinds])
        here, places = cells[rows], state.of(word)
        apart = np.stack([_apart(here, state.inks[p].on(state.tints)) for p in places], axis=-1)
        which = np.where(apart.min(axis=-1) > 40, -1, apart.argmin(axis=-1))
        for index, place in enumerate(places):
            mine = which == index
            enough = mine.sum(axis=1) >= _MEMBERS
            # Where it is most even, the ink is purest: nothing of its neighbours blurs into it.
            rough = np.where(mine, state.samples.unevenness[rows], np.nan)[enough]
            even = rough <= np.nanmedian(rough, axis=1, keepdims=True) if enough.any() else rough
            kept = np.where(np.nan_to_num(even)[..., None] > 0, here[enough], np.nan)
            colours = np.nanmedian(kept, axis=1) if enough.any() else np.empty((0, 3))
            found[place] = _Tones(rows[enough], colours)
    return tuple(found)


def _purest_tones(state: _State) -> tuple[_Tones, ...]:
    """Sort the purest colours of every hex by the inks of its terrain."""
    found: list[_Tones] = [_Tones(np.empty(0, np.intp), np.empty((0, 3)))] * len(state.inks)
    tones = (from_lab(state.samples.tones) * (1 - state.shade)[:, None, None]) @ _AXES.T
    shares = state.samples.shares
    for word in dict.fromkeys(ink.terrain for ink in state.inks):
        rows = np.flatnonzero([kind == word for kind in state.kinds])
        here, places = tones[rows], state.of(word)
        apart = np.stack([_apart(here, state.inks[p].on(state.tints)) for p in places], axis=-1)
        fair = (apart.min(axis=-1) < 40) & (shares[rows] > 0.08)
        which = np.where(fair, apart.argmin(axis=-1), -1)
        for index, place in enumerate(places):
            mine = np.where(which == index, shares[rows], 0.0)
            there = mine.max(axis=1) > 0
            best = mine.argmax(axis=1)
            found[place] = _Tones(rows[there], here[np.arange(len(rows)), best][there])
    return tuple(found)


def _apart(cells: Floats, colours: Floats) -> Floats:
    apart = np.stack([(((cells - one) / (1.2, 1.0, 1.2)) ** 2).sum(axis=-1) for one in colours])
    nearest: Floats = apart.min(axis=0)
    return nearest


def _next_terrain(state: _State, order: list[str], told: Mapping[int, int]) -> _State:
    """Judge the terrain that gains most by following the tints, and set the shade by it."""
    own = _own(state, order)
    left = [w for w in dict.fromkeys(ink.terrain for ink in state.inks) if w not in order]
    tried = {word: _fitted(state, word, own, told) for word in left}
    word = max(left, key=lambda one: max(ink.gain for ink in tried[one].values()))
    first = not order
    order.append(word)
    state = _adopted(state, tried[word])
    if first:
        state = _legend_relit(state, word, own, told)
        state = _unshaded(state, order)
        state = _adopted(state, _fitted(state, word, own, told))
    return _unshaded(state, order)


def _adopted(state: _State, fitted: Mapping[int, Ink]) -> _State:
    return replace(
        state, inks=tuple(fitted.get(place, ink) for place, ink in enumerate(state.inks))
    )


def _legend_relit(state: _State, word: str, own: Floats, told: Mapping[int, int]) -> _State:
    """The legend may lie in other light than the map: learn by the first terrain how much.

    Where that is bare ground it shows the tints themselves, and better than small samples do.
    """
    free = _adopted(state, _fitted(state, word, own, told, held=_HELD * (0.01, 1.0, 1.0)))
    place = max(state.of(word), key=lambda one: free.inks[one].gain)
    ink = free.inks[place]
    off = 1 + float((ink.on(state.tints[state.under]) - ink.printed)[0] / ink.printed[0])
    relit = tuple(
        replace(one, printed=one.printed * off) if one.from_legend else one for one in state.inks
    )
    state = replace(state, inks=relit, tints=state.tints * off)
    state = _adopted(state, _fitted(state, word, own, told))
    ink = state.inks[place]
    if ink.follows < 0.9:
        return state
    colours = state.tones[place].colours
    logs = _closeness(colours, ink, state.tints)
    sure = softmax(logs) * (logs.max(axis=1) > -12)[:, None] > 0.9
    tints = ink.on(state.tints)
    sums = sure.T.astype(float) @ colours
    shown = (sums + 5 * tints) / (sure.sum(axis=0)[:, None] + 5)
    bare = replace(ink, printed=shown[state.under], base=np.zeros(3), follows=1.0)
    return replace(_adopted(state, {place: bare}), tints=shown)


def _unshaded(state: _State, order: Sequence[str]) -> _State:
    """Take out what all hexes around a place have too much or too little of in brightness."""
    own = _own(state, order)
    off, count = np.zeros(len(state.kinds)), np.zeros(len(state.kinds))
    for ink, tones in zip(state.inks, state.tones, strict=True):
        if ink.terrain not in order or len(tones.rows) == 0:
            continue
        logs = np.log(own[tones.rows] + 1e-6) + _closeness(tones.colours, ink, state.tints)
        error = tones.colours - (ink.base + ink.follows * (softmax(logs) @ state.tints))
        fair = np.abs(error / np.sqrt(np.diag(ink.spread))).max(axis=1) < 4
        np.add.at(off, tones.rows[fair], error[fair, 0] / tones.colours[fair, 0])
        np.add.at(count, tones.rows[fair], 1)
    if not count.any():
        return state
    seen = np.flatnonzero(count)
    near, away = nearest_places(state.samples, seen, 40)
    weights = np.exp(-((away / 3.0) ** 2) / 2) + 1e-6 * np.exp(-away / 10)
    values = (off[seen] / count[seen])[near]
    extra = (weights * values).sum(axis=1) / weights.sum(axis=1)
    return replace(state, shade=1 - (1 - state.shade) * (1 - extra)).retoned()


def _logs(state: _State, order: Sequence[str]) -> Floats:
    """What the inks judged so far say about every level of every hex."""
    logs = np.zeros((len(state.kinds), len(state.tints)))
    for ink, tones in zip(state.inks, state.tones, strict=True):
        if ink.terrain in order and ink.follows >= _SEEN:
            close = np.logaddexp(_closeness(tones.colours, ink, state.tints), _NEVER * 2 / 3)
            logs[tones.rows] += close - close.max(axis=1, keepdims=True)
    return logs


def _own(state: _State, order: Sequence[str]) -> Floats:
    return softmax(np.maximum(_logs(state, order), -7.0))


def _closeness(colours: Floats, ink: Ink, tints: Floats) -> Floats:
    """Log-likelihood of colours (n × 3) on every tint."""
    whiten = np.linalg.inv(np.linalg.cholesky(ink.spread))
    off = (colours[:, None] - ink.on(tints)) @ whiten.T
    close: Floats = -0.5 * (off**2).sum(axis=-1) + float(np.log(np.diag(whiten)).sum()) - 2.76
    return close


def _held_within(spread: Floats, most: float) -> Floats:
    """Return a spread that is nowhere too narrow or too wide.

    Whatever way it lies, and so that colours blurred into those beside them count as near.
    """
    scaled = spread / np.outer(_LEAST_SPREAD, _LEAST_SPREAD)
    sizes, ways = np.linalg.eigh(scaled)
    held: Floats = (ways * np.clip(sizes, 1.0, most**2)) @ ways.T
    return held * np.outer(_LEAST_SPREAD, _LEAST_SPREAD)


def _fitted(
    state: _State, word: str, own: Floats, told: Mapping[int, int], *, held: Floats = _HELD
) -> dict[int, Ink]:
    """Return the inks of a terrain, by their place, with what each lets through."""
    found = {}
    for place in state.of(word):
        ink, tones = state.inks[place], state.tones[place]
        if len(tones.rows) < _FEW:
            found[place] = replace(ink, follows=0.0, base=ink.printed)
            continue
        search = _Search(state, ink, tones, own, told, held if ink.from_legend else 0 * held)
        found[place] = search.best()
    return found


def _grip(state: _State, ink: Ink) -> Floats:
    """How firmly a printed sample holds its ink, every way: 1 is all of it.

    In a small sample much of a gap between trees is blurred into them, and otherwise than on the
    map; so along the line to another ink of the same terrain it hardly holds at all.
    """
    others = [one.printed for one in state.inks if one.terrain == ink.terrain and one.from_legend]
    lines = np.array([_BLURRED * (other - ink.printed) / _LEGEND_SPREAD for other in others])
    grip: Floats = np.linalg.inv(np.eye(3) + lines.reshape(-1, 3).T @ lines.reshape(-1, 3))
    return grip


class _Search:
    """The search for how much of the tints one ink lets through."""

    def __init__(
        self,
        state: _State,
        ink: Ink,
        tones: _Tones,
        own: Floats,
        told: Mapping[int, int],
        held: Floats,
    ) -> None:
        self.ink, self.tones, self.own, self.held = ink, tones, own, held
        self.grip = _grip(state, ink)
        self.tints, self.under = state.tints, state.under
        count = len(self.tints)
        apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
        self.steps = np.array(_STEP)[np.minimum(apart, 3)] * count
        mine = np.isin(state.samples.pairs, tones.rows).any(axis=1)
        self.pairs = state.samples.pairs[mine]
        self.told = np.zeros((len(own), count))
        for row, level in told.items():
            self.told[row] = _NEVER
            self.told[row, level] = 0.0

    def best(self) -> Ink:
        """Try shares from none to all, then finer around the best."""
        tried = [self._try(float(share)) for share in np.arange(0, 1.01, 0.05)]
        top = max(tried, key=lambda one: one[0])[1].follows
        finer = [top + step for step in (-0.03, -0.015, 0.015, 0.03) if 0 < top + step <= 1]
        score, ink = max([*tried, *(self._try(share) for share in finer)], key=lambda one: one[0])
        gain = score - tried[0][0]
        if gain < _LEAST_GAIN * len(self.tones.rows):
            return replace(tried[0][1], gain=0.0)
        return replace(ink, gain=gain)

    def _try(self, share: float) -> tuple[float, Ink]:
        """Settle an ink that lets a share of the tints through; return how well it explains."""
        printed = self.ink.printed - share * self.tints[self.under]
        some = np.linspace(0, len(self.tones.rows) - 1, min(_SOME, len(self.tones.rows)))
        taken = some.astype(np.intp)
        colours, told = self.tones.colours[taken], self.told[self.tones.rows[taken]]
        base = (
            printed if self.held.any() else np.median(colours, axis=0) - share * self.tints.mean(0)
        )
        ink = replace(self.ink, follows=share, base=base, spread=_FIRST_SPREAD)
        for turn in range(_ROUNDS):
            ink = self._settled(ink, printed, colours, told, narrow=turn > 3)
        return self._score(ink, printed), ink

    def _settled(
        self, ink: Ink, printed: Floats, colours: Floats, told: Floats, *, narrow: bool
    ) -> Ink:
        logs = _closeness(colours, ink, self.tints) + told - np.log(len(self.tints))
        top = np.logaddexp.reduce(logs, axis=1)
        fair = 1 / (1 + np.exp(-np.clip(top - _NEVER, -50, 50)))
        likely = softmax(logs) * fair[:, None]
        hold = len(colours) * self.grip * np.sqrt(np.outer(self.held, self.held))
        bare = (colours * fair[:, None] - ink.follows * (likely @ self.tints)).sum(axis=0)
        base = np.linalg.solve(hold + (fair.sum() + 1e-9) * np.eye(3), bare + hold @ printed)
        if not narrow:
            return replace(ink, base=base)
        off = colours[:, None] - (base + ink.follows * self.tints)
        spread = np.einsum("nl,nli,nlj->ij", likely, off, off) / max(likely.sum(), 1.0)
        most = _MOST_SPREAD if ink.from_legend else _MOST_UNHELD
        return replace(ink, base=base, spread=_held_within(spread, most))

    def _score(self, ink: Ink, printed: Floats) -> float:
        rows = self.tones.rows
        logs = _closeness(self.tones.colours, ink, self.tints) + self.told[rows]
        logs -= np.log(len(self.tints))
        top = np.logaddexp.reduce(logs, axis=1)
        likely = softmax(logs) * (top > _NEVER)[:, None] + 1e-3
        every = self.own.copy()
        every[rows] = likely / likely.sum(axis=1, keepdims=True)
        a, b = self.pairs.T
        pairs = np.log(((every[a] @ self.steps) * every[b]).sum(axis=1)).sum()
        score = float(np.logaddexp(top, _NEVER).sum() + _PAIRS * pairs)
        if self.held.any():
            off = (ink.base - printed) / _LEGEND_SPREAD
            score -= _LEGEND_WEIGHT * float(off @ self.grip @ off)
        return score
