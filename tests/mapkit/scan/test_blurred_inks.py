"""Levels seen through gaps between trees: blur darkens a gap, and makes it no other level."""

from types import SimpleNamespace

import numpy as np
import pytest

from mapkit.hexes import Hex
from mapkit.scan.sampling import HexSamples, neighbours, to_lab
from mapkit.scan.swatches import Ink
from mapkit.scan.tints import judge_levels
from mapkit.scan.verdicts import Verdicts

SIDE = 24
TINTS = np.array([(222, 232, 195), (238, 224, 178), (226, 196, 146), (200, 160, 116)], float)
TREE, COVER = np.array([92.0, 140.0, 70.0]), np.array([120.0, 165.0, 95.0])


def woods_and_clear(
    lets_through: float, *, blur: float, sample_blur: float
) -> tuple[HexSamples, np.ndarray, np.ndarray, list[Ink]]:
    """A board of woods and clear ground; gaps and the legend's sample mix with trees so far."""
    gaps = (1 - lets_through) * COVER + lets_through * TINTS
    dice = np.random.default_rng(4)
    hexes = tuple(Hex(c - r // 2, r) for r in range(SIDE) for c in range(SIDE))
    column, row = np.arange(SIDE**2) % SIDE, np.arange(SIDE**2) // SIDE
    level, woods = column * len(TINTS) // SIDE, (row % 8 > 2).astype(int)
    mixed = blur * dice.uniform(0, 1, (len(hexes), 1))
    seen = np.where(woods[:, None] == 1, (1 - mixed) * gaps[level] + mixed * TREE, TINTS[level])
    rgb = np.stack((seen, np.broadcast_to(TREE, seen.shape), seen), axis=1)
    rgb += dice.normal(0, 0.8, rgb.shape)
    shares = np.where(woods[:, None] == 1, (0.4, 0.5, 0.0), (0.9, 0.0, 0.0))
    samples = SimpleNamespace(
        hexes=hexes,
        tones=to_lab(rgb),
        shares=shares,
        cells=rgb[:, [0, 0, 0, 0]],
        unevenness=np.ones((len(hexes), 4)),
        pairs=neighbours(hexes),
    )
    printed = (1 - sample_blur) * gaps[0] + sample_blur * TREE
    inks = [
        Ink("clear", to_lab(TINTS[:1])[0], 0.9, follows=1.0),
        Ink("woods", to_lab(printed[None])[0], 0.4, follows=lets_through),
        Ink("woods", to_lab(TREE[None])[0], 0.5),
    ]
    return samples, level, woods, inks  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("lets_through", "blur", "sample_blur", "least"),
    [
        pytest.param(0.15, 0.0, 0.0, 0.95, id="sharp"),
        pytest.param(0.15, 0.3, 0.1, 0.85, id="gaps blurred"),
        pytest.param(0.2, 0.05, 0.3, 0.95, id="the sample blurred more than the map"),
    ],
)
def test_what_blurs_into_the_trees_is_no_other_level(
    lets_through: float, blur: float, sample_blur: float, least: float
):
    samples, level, woods, inks = woods_and_clear(lets_through, blur=blur, sample_blur=sample_blur)
    terrain = Verdicts(("clear", "woods"), np.eye(2)[woods])
    tints = {number: to_lab(tint[None])[0] for number, tint in enumerate(TINTS)}
    found = judge_levels(samples, terrain, inks, tints, {}, purest=True)
    right = found.likely.argmax(axis=1) == level
    assert right[woods == 0].mean() > 0.97
    assert right[woods == 1].mean() > least
