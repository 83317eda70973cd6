"""The ground of every hex: terrain and level with how sure they are, and its features.

`read_ground` is what a scan calls: it takes the flattened sheet and what was taught, and gives
every hex its values, each with its confidence and the runner-up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mapkit.grid import nearest_hex
from mapkit.hexes import Hex
from mapkit.kinds import UNKNOWN
from mapkit.model import CONFIRMED, Ground, Provenance, Value
from mapkit.progress import OnProgress, ignore
from mapkit.scan.icons import FeaturesRead, study_features
from mapkit.scan.sampling import PITCH_PX, Floats, HexSamples, reduce_to_pitch, sample_hexes, to_lab
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.steps import weigh_levels
from mapkit.scan.swatches import LegendReading, Swatches, read_by_legend
from mapkit.scan.teaching import NONE, Example, Sample, Teaching, TeachingError, What
from mapkit.scan.tints import judge_levels
from mapkit.scan.verdicts import Verdicts, called, learn, log_odds
from mapkit.texts import say

_TEACHERS = 60  # hexes of a kind that the legend is sure of, from which the rest is learned
_LEGEND_SURE = 0.6
_BY_LEGEND = 0.5  # the weight of the legend beside what was learned from it
# From the log odds of a terrain to how sure it is: two ways of reading that agree are too timid
# together. Fitted on sheets in colours that are in no other measurement.
_SURENESS = (1.54, 1.13)
# Of a sample only the middle is looked at: its rim is a frame, its corners may be paper.
_MIDDLE: Mapping[str, tuple[float, float]] = {"levels": (0.2, 0.2), "terrain": (0.28, 0.2)}

_Read = tuple[Verdicts | None, tuple[Verdicts, ...]]  # a reading, and those it was weighed from


@dataclass(frozen=True, eq=False)
class GroundReading:
    """What was read, and with what: kept for another round of questions.

    *ways* are the several readings that a value was weighed from, where there were several.
    """

    samples: HexSamples
    terrain: Verdicts | None
    levels: Verdicts | None
    known: Mapping[What, Mapping[int, str]]
    features: FeaturesRead
    ways: Mapping[What, tuple[Verdicts, ...]] = field(default_factory=dict)

    def grounds(self) -> dict[Hex, Ground]:
        """Return the ground of every hex with its provenance."""
        return {hex_: self._ground(row, hex_) for row, hex_ in enumerate(self.samples.hexes)}

    def _ground(self, row: int, hex_: Hex) -> Ground:
        terrain, level = UNKNOWN, None
        stated: dict[Value, Provenance] = {}
        if self.terrain:
            word, sure, second = self.terrain.best(row)
            terrain = UNKNOWN if word == NONE else word
            stated["terrain"] = _stated(sure, second, known=row in self.known["terrain"])
        if self.levels:
            word, sure, second = self.levels.best(row)
            level = None if word == NONE else int(word)
            runner_up = int(second) if second and second != NONE else second
            stated["level"] = _stated(sure, runner_up, known=row in self.known["level"])
        return Ground(terrain, level, self.features.features.get(hex_, ()), provenance=stated)


def _stated(sure: float, runner_up: str | int | None, *, known: bool) -> Provenance:
    return CONFIRMED if known else Provenance("scan", round(sure, 4), runner_up)


def read_ground(
    sheet: FlatSheet, teaching: Teaching, *, seed: int = 0, on_progress: OnProgress = ignore
) -> dict[Hex, Ground]:
    """Return the ground of every hex; places of *teaching* are pixels of the sheet.

    Raises:
        TeachingError: an example lies on no hex, a sample outside of the sheet.
    """
    return study_ground(sheet, teaching, seed=seed, on_progress=on_progress).grounds()


def study_ground(
    sheet: FlatSheet,
    teaching: Teaching,
    *,
    samples: HexSamples | None = None,
    seed: int = 0,
    on_progress: OnProgress = ignore,
) -> GroundReading:
    """Read the ground and keep the measurements; *samples* are those of an earlier reading."""
    known = {what: known_rows(sheet, teaching.of(what)) for what in ("terrain", "level")}
    on_progress(0.0, say("mapkit.scan.stage.samples"))
    measured = samples or sample_hexes(sheet, seed=seed)
    on_progress(0.6, say("mapkit.scan.stage.ground"))
    legend = _legend(sheet, teaching, measured)
    terrain, by_terrain = _terrain(measured, legend, known["terrain"], seed)
    levels, by_levels = _levels(measured, legend, terrain, known["level"], teaching, seed)
    on_progress(0.9, say("mapkit.scan.stage.features"))
    features = study_features(sheet, teaching, measured, seed=seed)
    return GroundReading(
        measured,
        _held(terrain, known["terrain"]),
        _held(levels, known["level"]),
        {"terrain": known["terrain"], "level": known["level"]},
        features,
        {"terrain": by_terrain, "level": by_levels},
    )


def views_of(samples: HexSamples, what: What) -> list[Floats]:
    """Return the looks at every hex from which a sort of value is learned."""
    if what == "level":
        return [samples.whole, samples.centre]
    return [samples.whole, np.hstack((samples.whole, samples.centre))]


def known_rows(sheet: FlatSheet, examples: Iterable[Example]) -> dict[int, str]:
    """Return the values of examples by the row of the hex that they lie in; the last one holds."""
    rows = {hex_: row for row, hex_ in enumerate(sheet.hexes)}
    known: dict[int, str] = {}
    for example in examples:
        hex_ = nearest_hex(*sheet.grid.from_pixel(example.x, example.y))
        if hex_ not in rows:
            raise TeachingError(
                f"the example of {example.what} {example.value} at {example.x:g},{example.y:g} "
                "lies on no hex of the map; give pixels of the scan"
            )
        known[rows[hex_]] = example.value
    return known


def sample_colours(sheet: FlatSheet, sample: Sample) -> Floats:
    """Return the colours of a legend's sample, pixels × L*a*b*, at the scale of the hexes."""
    if sample.colour is not None:
        rgb = np.array([[int(sample.colour[i : i + 2], 16) for i in (1, 3, 5)]], float)
        return to_lab(np.repeat(rgb, 64, axis=0))
    assert sample.rect is not None  # a sample has either; see teaching
    x, y, width, height = sample.rect
    dx, dy = (
        share * side for share, side in zip(_MIDDLE[sample.group], (width, height), strict=True)
    )
    rows, columns = sheet.pixels.shape[:2]
    left, right = round(x + dx), max(round(x + width - dx), round(x + dx) + 1)
    top, bottom = round(y + dy), max(round(y + height - dy), round(y + dy) + 1)
    if left < 0 or top < 0 or right > columns or bottom > rows:
        raise TeachingError(
            f"the sample of {sample.kind} at {x:.0f},{y:.0f} lies outside of the picture"
        )
    cut = reduce_to_pitch(sheet.pixels[top:bottom, left:right], PITCH_PX / sheet.pitch_px)
    return to_lab(cut.reshape(-1, 3))


def _legend(sheet: FlatSheet, teaching: Teaching, samples: HexSamples) -> LegendReading | None:
    terrain = _colours(sheet, teaching.samples("terrain"))
    levels = _colours(sheet, teaching.samples("levels"))
    if not terrain:
        return None
    tints = {int(level): colours for level, colours in levels.items()}
    return read_by_legend(samples, Swatches(terrain, tints))


def _colours(sheet: FlatSheet, samples: Iterable[Sample]) -> dict[str, Floats]:
    """The colours of every kind, of all its samples together."""
    found: dict[str, list[Floats]] = {}
    for sample in samples:
        found.setdefault(sample.kind, []).append(sample_colours(sheet, sample))
    return {kind: np.concatenate(colours) for kind, colours in found.items()}


def _terrain(
    samples: HexSamples, legend: LegendReading | None, known: Mapping[int, str], seed: int
) -> _Read:
    views = views_of(samples, "terrain")
    if legend is None:
        return learn(views, known, seed=seed) if known else None, ()
    teachers = _sure_rows(legend.terrain) | dict(known)
    weights = dict.fromkeys(known, 3.0)
    learned = learn(views, teachers, weights=weights, seed=seed)
    values = tuple(dict.fromkeys((*legend.terrain.values, *learned.values)))
    legends, mine = _widened(legend.terrain, values), _widened(learned, values)
    both = Verdicts(values, _BY_LEGEND * legends + (1 - _BY_LEGEND) * mine)
    slope, start = _SURENESS
    odds = slope * log_odds(both.likely.max(axis=1)) + start
    return called(both, 1 / (1 + np.exp(-odds))), (legend.terrain, learned)


def _sure_rows(verdicts: Verdicts) -> dict[int, str]:
    """The hexes of every value that are the surest, to learn the others from."""
    best, sure = verdicts.likely.argmax(axis=1), verdicts.likely.max(axis=1)
    found: dict[int, str] = {}
    for column, value in enumerate(verdicts.values):
        rows = np.flatnonzero((best == column) & (sure > _LEGEND_SURE))
        rows = rows[np.argsort(-sure[rows], kind="stable")]
        rows = rows[: max(_TEACHERS, len(rows) // 2)]
        rows = rows[:: max(1, len(rows) // _TEACHERS)]
        found |= {int(row): value for row in rows}
    return found


def _widened(verdicts: Verdicts, values: tuple[str, ...]) -> Floats:
    likely = np.zeros((len(verdicts.likely), len(values)))
    for column, value in enumerate(verdicts.values):
        likely[:, values.index(value)] = verdicts.likely[:, column]
    return likely


def _levels(
    samples: HexSamples,
    legend: LegendReading | None,
    terrain: Verdicts | None,
    known: Mapping[int, str],
    teaching: Teaching,
    seed: int,
) -> _Read:
    if legend is None or terrain is None or not teaching.samples("levels"):
        return learn(views_of(samples, "level"), known, seed=seed) if known else None, ()
    looks = [
        judge_levels(samples, terrain, legend.inks, legend.tints, known, purest=purest)
        for purest in (True, False)
    ]
    kinds = terrain.likely.argmax(axis=1)
    ways = [weigh_levels(samples, _told(look, known), kinds) for look in looks]
    return Verdicts(ways[0].values, np.mean([way.likely for way in ways], axis=0)), tuple(ways)


def _told(levels: Verdicts, known: Mapping[int, str]) -> Verdicts:
    """Levels with those that a person gave."""
    likely = levels.likely.copy()
    for row, value in known.items():
        if value in levels.values:
            likely[row] = 1e-4
            likely[row, levels.values.index(value)] = 1.0
    return replace(levels, likely=likely)


def _held(verdicts: Verdicts | None, known: Mapping[int, str]) -> Verdicts | None:
    """What a person said stays, whatever was learned."""
    if verdicts is None:
        return None
    values = tuple(dict.fromkeys((*verdicts.values, *known.values())))
    likely = _widened(verdicts, values)
    for row, value in known.items():
        likely[row] = 0.0
        likely[row, values.index(value)] = 1.0
    return Verdicts(values, likely)
