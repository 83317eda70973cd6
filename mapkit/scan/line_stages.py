"""From teaching to chances: how likely a line of every kind lies at every hexside of a sheet.

A sheet teaches itself. First the legend samples and examples alone are learnt; what is found
with them, where it is found surely, shows how the lines really look on this sheet, and is
learnt in its turn.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapkit.hexes import Hexside, Link
from mapkit.scan.line_evidence import Seen, even_odds, form, look
from mapkit.scan.line_judges import BARE, OPEN, SHOWN, judged
from mapkit.scan.line_lessons import (
    SCALES,
    Lesson,
    cut_strips,
    draw_lesson,
    find_lines,
    flipped,
    path_lesson,
    teach_reader,
)
from mapkit.scan.line_paths import find as find_paths
from mapkit.scan.line_pixels import PixelReader
from mapkit.scan.line_profiles import Places
from mapkit.scan.line_sureness import counts_against, usual_share
from mapkit.scan.line_swatches import Strip
from mapkit.scan.line_teaching import LineGroup, LineKind, LineTeaching
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.side_patches import Floats, Patches, all_sides, cut_patches

LOOKED_AT = 1500  # patches that stand for the whole sheet while learning
_GROUNDS = 700
_DRAWN_FIRST = 60
_DRAWN = 180
_OWN = 80  # lines of the sheet itself that are learnt from, of each kind
_FEWEST = 6
_ROUNDS = 2  # of judging by their looks
_SURE = 0.5
_STRONG = 0.4  # a score: above it a line goes on
_BARE = 0.25  # a score: below it a hexside may be learnt as ground
_GOES_ON = 0.6  # of what is expected of a kind
_ASKED = 0.4  # of all hexsides, those that show most of a kind: its looks are judged there
_EVEN = 0.37  # the score of doubtful kinds where a line is as likely as none
_STEEP = 12.0
_PLAIN = 1.25  # more than is expected does not tell more
_TELLS = (0.15, 0.5)
_CALM = 0.9  # of all hexsides: so many hold no line of one kind
_MUCH = (0.35, 0.8)  # of what is expected of a kind
_SCALES_TRIED = 6
_FOUND = 40  # lines that tell the scale, of each kind
_LEAST = 0.3  # what is less likely on a line's way may be a gap in it

Chances = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Scales = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Study:
    """One sheet and its teaching, ready to be learnt from."""

    sheet: FlatSheet
    teaching: LineTeaching
    sides: tuple[Hexside, ...]
    patches: Patches
    kinds: tuple[LineKind, ...]
    strips: Mapping[LineKind, Strip]
    yes: Mapping[LineKind, Sequence[int]]
    no: Mapping[str, Sequence[int]]
    seed: int = 0

    @property
    def reaches(self) -> list[int | None]:
        """How far each kind reaches into either hex."""
        return [self.teaching.reach(kind) for kind in self.kinds]


@dataclass(frozen=True, eq=False)
class Found:
    """The chance of every kind at every hexside, and its way there: samples off at every step.

    *scale* is how much smaller lines are on the map than in the legend, where that is known;
    *against* what makes a line doubtful that is seen, see `line_sureness`.
    """

    chances: dict[LineKind, Chances]
    ways: dict[LineKind, Places]
    scale: float | None
    against: dict[LineKind, Floats]

    def off(self, kind: LineKind, at: int) -> float:
        """Return how far off a hexside a line runs, in samples."""
        return float(self.ways[kind][at].mean(dtype=np.float32))


@dataclass(frozen=True, eq=False)
class Taught:
    """A reader; how much it sees where a kind surely is; the patches drawn, and their kinds."""

    reader: PixelReader
    expected: Floats
    patches: Patches
    labels: Indices


def begin(sheet: FlatSheet, teaching: LineTeaching, *, seed: int) -> Study:
    """Cut the patches of a sheet and sort what is known about them."""
    sides = all_sides(sheet)
    number = {side: index for index, side in enumerate(sides)}
    yes: dict[LineKind, list[int]] = {kind: [] for kind in teaching.kinds()}
    no: dict[str, list[int]] = {"hexsides": [], "links": [], "areas": []}
    told: list[tuple[LineGroup, Hexside | Link, str | None]] = [
        *(("hexsides", place, word) for place, word in teaching.hexsides),
        *(("links", place, word) for place, word in teaching.links),
    ]
    for group, place, word in told:
        at = number.get(Hexside(*place))
        if at is not None:
            (no[group] if word is None else yes[LineKind(group, word)]).append(at)
    strips = cut_strips(sheet, teaching)
    kinds = tuple(kind for kind in teaching.kinds() if kind in strips or yes[kind])
    patches = cut_patches(sheet, sides)
    return Study(sheet, teaching, sides, patches, kinds, strips, yes, no, seed)


def find_by_legend(study: Study) -> Found:
    """Return the chances of the kinds of a study, some of which at least a legend shows."""
    dice = np.random.default_rng(study.seed)
    count = len(study.patches)
    some = np.sort(dice.choice(count, min(count, LOOKED_AT), replace=False))
    taught = learn(study, some, {}, SCALES, dice, drawn=_DRAWN_FIRST)
    found = look(taught.reader, study.patches[some], study.reaches).strength / taught.expected
    scale = _scale(study, taught.reader, some, found, dice)
    scales = SCALES if scale is None else (0.88 * scale, 1.12 * scale)
    # Where most is seen of any kind there may be lines; most of the rest is bare.
    calm = some[(found <= np.quantile(found, _CALM, axis=0)).all(axis=1)]
    taught = learn(study, calm, {}, scales, dice, drawn=_DRAWN)
    bare = np.zeros((count, len(study.kinds)), bool)
    bare[calm] = True
    seen = look(taught.reader, study.patches, study.reaches)
    drawn = look(taught.reader, taught.patches, study.reaches)
    own: dict[LineKind, Indices] = {k: np.array(at, np.intp) for k, at in study.yes.items() if at}
    scores = _scores(study, taught, seen, drawn, own, bare)
    own = own_lines(study, scores)
    # Now that real lines are learnt, ground may hold what passes for one: lettering, coasts.
    # A kind that is all over the sheet must not be learnt as ground, though.
    bare = _bare(study, scores, seen.strength / taught.expected)
    rest = np.setdiff1d(some[bare[some].all(axis=1)], together(own))
    rest = rest if len(rest) >= _FEWEST else some
    lessons = own_lessons(study, taught.reader, own)
    taught = learn(study, rest, lessons, scales, dice, drawn=_DRAWN)
    seen = look(taught.reader, study.patches, study.reaches)
    drawn = look(taught.reader, taught.patches, study.reaches)
    for _ in range(_ROUNDS):
        scores = _scores(study, taught, seen, drawn, own, bare)
        own = own_lines(study, scores)
        bare = _bare(study, scores, seen.strength / taught.expected)
    chances = {}
    for index, kind in enumerate(study.kinds):
        doubtful = _doubtful(seen.strength[:, index] / taught.expected[index])
        plain, _ = even_odds(scores[:, index], 1.0)
        even = (1 - doubtful) * plain + doubtful * _EVEN
        odds = _STEEP * (scores[:, index].astype(float) - even)
        chances[kind] = 1 / (1 + np.exp(-odds))
        chances[kind][list(study.yes[kind])] = 1.0
        chances[kind][list(study.no[kind.group])] = 0.0
    usual = usual_share(study.kinds, seen, own, drawn, taught.labels)
    against = counts_against(study.kinds, seen, seen.strength / taught.expected, usual)
    return Found(chances, dict(zip(study.kinds, seen.places, strict=True)), scale, against)


def _bare(study: Study, scores: Floats, strength: Floats) -> npt.NDArray[np.bool_]:
    """Tell where a kind surely is not, so that ground may be learnt there: n × kinds.

    What looks like a line and goes on like one is left open, however little it fits so far.
    """
    found = scores < _BARE
    for index, kind in enumerate(study.kinds):
        seen = strength[:, index]
        found[:, index] &= np.minimum(seen, _weaker_end(study, kind, seen)) < _GOES_ON
    return found


def together(own: Mapping[LineKind, Indices]) -> Indices:
    """Return all hexsides that hold a line of any kind."""
    return np.unique(np.concatenate([*own.values(), []]).astype(np.intp))


def _scores(
    study: Study,
    taught: Taught,
    seen: Seen,
    drawn: Seen,
    own: Mapping[LineKind, Indices],
    bare: npt.NDArray[np.bool_],
) -> Floats:
    """Return how well every hexside fits every kind: n × kinds, about 1 where it surely does.

    What is *seen* of a kind counts, and the more so the plainer it is; else what its way looks
    like, beside what it looks like where the kind was *drawn* or is the sheet's *own*.
    """
    strength = seen.strength / taught.expected
    scores: Floats = np.clip(strength, 0, _PLAIN)
    for index, kind in enumerate(study.kinds):
        if kind.group == "areas":
            continue
        strongest = np.argsort(-strength[:, index], kind="stable")[: int(_ASKED * len(strength))]
        mine = own.get(kind, strongest[:0])
        others = np.setdiff1d(together({k: at for k, at in own.items() if k != kind}), mine)
        ground = np.sort(strongest[bare[strongest, index]])
        ground = ground[:: max(1, len(ground) // _GROUNDS)]
        known = np.full(len(strength), OPEN, np.int8)
        for rows, is_ in ((ground, BARE), (others, BARE), (mine, SHOWN)):
            known[rows] = is_
        asked = np.unique(np.concatenate((strongest, mine, others)))
        chances = judged(
            drawn.told(index, np.arange(len(drawn.patches))),
            np.where(taught.labels == index, SHOWN, BARE).astype(np.int8),
            seen.told(index, asked),
            known[asked],
            seed=study.seed,
        )
        if chances is not None:
            doubtful = _doubtful(strength[:, index])
            scores[:, index] *= 1 - doubtful
            scores[asked, index] += doubtful * chances
    return scores


def _doubtful(strength: Floats) -> float:
    """Return from 0 to 1 how many hexsides show much of a kind, but not all that is expected.

    Where there are few of these, what is seen tells enough: a river is blue.
    """
    much = strength > _MUCH[0]
    less = much & (strength < _MUCH[1])
    share = int(less.sum()) / max(int(much.sum()), 1)
    return float(np.interp(share, _TELLS, (0.0, 1.0)))


def _scale(
    study: Study,
    reader: PixelReader,
    some: Indices,
    found: Floats,
    dice: np.random.Generator,
) -> float | None:
    """Return how much smaller lines are on the map than in the legend, or None for unknown.

    Told by the looks of those that were found, beside those of lines drawn at every scale.
    """
    tried = np.linspace(*SCALES, _SCALES_TRIED)
    unlike = []
    for index, kind in enumerate(study.kinds):
        best = np.argsort(-found[:, index], kind="stable")[:_FOUND]
        best = best[found[best, index] > 0.7]
        if kind not in study.strips or kind.group == "areas" or len(best) < _FEWEST:
            continue
        drawn = [
            _draw(study, kind, study.patches[some], dice, _FOUND, (scale, scale), vary=False)
            for scale in tried
        ]
        patches = [study.patches[some[best]], *(lesson.patches for lesson in drawn)]
        seen = look(reader, np.concatenate(patches), study.reaches)
        parts = np.split(np.arange(len(seen.patches)), np.cumsum([len(p) for p in patches])[:-1])
        real, *others = (form(seen.told(index, rows)) for rows in parts)
        unlike.append(np.log([float(((real - other) ** 2).mean()) for other in others]))
    return lowest(tried, np.sum(unlike, axis=0)) if len(unlike) > 1 else None


def lowest(places: Chances, values: Chances) -> float:
    """Return where a curve through some points, as far apart from each other, is lowest."""
    at = int(values.argmin())
    if at in (0, len(places) - 1):
        return float(places[at])
    before, here, after = values[at - 1 : at + 2]
    off = 0.5 * (before - after) / max(before - 2 * here + after, 1e-9)
    return float(places[at] + off * (places[1] - places[0]))


def learn(
    study: Study,
    grounds: Indices,
    own: Mapping[LineKind, Lesson],
    scales: Scales,
    dice: np.random.Generator,
    *,
    drawn: int,
) -> Taught:
    """Teach a reader with what is told of every kind, and with lines of the sheet's *own*."""
    ground = study.patches[dice.permutation(grounds)[:_GROUNDS]]
    lessons: dict[int, list[Lesson]] = {}
    legend: list[Patches] = [study.patches[:0]]
    labels = []
    for index, kind in enumerate(study.kinds, start=1):
        lessons[index] = [own[kind]] if kind in own else []
        if kind in study.strips:
            many = _DRAWN_FIRST if kind.group == "areas" else drawn
            lessons[index].append(_draw(study, kind, ground, dice, many, scales))
            legend.append(lessons[index][-1].patches)
            labels += [index - 1] * many
        if study.yes[kind] and kind not in own:
            shown = study.patches[list(study.yes[kind])]
            reach = study.teaching.reach(kind)
            lessons[index].append(find_lines(shown, ground, reach, seed=study.seed))
    reader = teach_reader(lessons, ground, len(study.kinds) + 1, seed=study.seed)
    expected = []
    for index, reach in enumerate(study.reaches):
        # The weaker of the patches it was taught with tell what to expect.
        patches = np.concatenate([lesson.patches[:60] for lesson in lessons[index + 1]])
        likelihood = reader.likelihoods(patches)[:, index + 1]
        met = find_paths(likelihood, reach).strength
        expected.append(max(float(np.quantile(met, 0.3)), 0.05))
    return Taught(
        reader, np.array(expected, np.float32), np.concatenate(legend), np.array(labels, np.intp)
    )


def _draw(
    study: Study,
    kind: LineKind,
    ground: Patches,
    dice: np.random.Generator,
    count: int,
    scales: Scales,
    *,
    vary: bool = True,
) -> Lesson:
    return draw_lesson(
        kind,
        study.strips,
        ground,
        dice,
        count=count,
        scales=scales,
        crossings=frozenset(filter(study.teaching.is_crossing, study.strips)),
        facing=study.teaching.is_facing(kind),
        vary=vary,
    )


def own_lines(
    study: Study, found: Floats, *, sure: float = _SURE, strong: float = _STRONG, most: int = _OWN
) -> dict[LineKind, Indices]:
    """Return the hexsides where lines of each kind were found most surely."""
    own = {}
    for index, kind in enumerate(study.kinds):
        if kind.group == "areas":
            continue
        rivals = [
            i
            for i, reach in enumerate(study.reaches)
            if i != index and (reach is None) == (study.reaches[index] is None)
        ]
        strength = found[:, index].copy()
        strength[list(study.no[kind.group])] = 0
        strength[list(study.yes[kind])] = 9
        lead = strength - (found[:, rivals].max(axis=1) if rivals else 0)
        surely = (strength > sure) & (lead > 0.2)
        # A line goes on at both ends; a word or a blot that looks like one does not.
        goes_on = surely & (_weaker_end(study, kind, found[:, index]) > strong)
        goes_on[list(study.yes[kind])] = True
        best = np.flatnonzero(goes_on if goes_on.sum() >= _FEWEST else surely)
        best = best[np.argsort(-strength[best], kind="stable")][:most]
        if len(best) >= _FEWEST:
            own[kind] = best
    return own


def _weaker_end(study: Study, kind: LineKind, strength: Floats) -> Floats:
    """Return how much is seen of a kind just beyond each hexside or link, at its weaker end."""
    ends = [(s.a, s.b) if kind.group == "links" else s.vertices for s in study.sides]
    first: dict[Hashable, float] = defaultdict(float)
    second: dict[Hashable, float] = defaultdict(float)
    for value, places in zip(strength.tolist(), ends, strict=True):
        for place in places:
            if value > first[place]:
                first[place], second[place] = value, first[place]
            elif value > second[place]:
                second[place] = value
    beyond = [
        min(second[place] if value >= first[place] else first[place] for place in places)
        for value, places in zip(strength.tolist(), ends, strict=True)
    ]
    return np.array(beyond, np.float32)


def own_lessons(
    study: Study, reader: PixelReader, own: Mapping[LineKind, Indices]
) -> dict[LineKind, Lesson]:
    """Return the lines of the sheet that were found most surely, to be learnt from."""
    lessons = {}
    for index, kind in enumerate(study.kinds):
        if kind in own:
            patches = flipped(study.patches[own[kind]])
            likelihood = reader.likelihoods(patches)[:, index + 1]
            lessons[kind] = path_lesson(patches, likelihood, study.reaches[index], least=_LEAST)
    return lessons
