"""Levels by mixing: what an ink lets through is found, and what it hides is not made up."""

import numpy as np
import pytest

from mapkit.scan.ground import study_ground
from mapkit.scan.sampling import from_lab, to_lab
from mapkit.scan.teaching import Teaching
from tests.mapkit.scan.painted import Painted, paint


@pytest.fixture(scope="module")
def shaded() -> Painted:
    """Woods and clear ground on three levels, a lake across all of them, darker to the right."""
    return paint(
        lambda column, row: "lake" if column in (5, 6) else "woods" if column > 8 else "clear",
        lambda column, row: 1 + row // 4,
        shading=0.04,
    )


def test_levels_are_read_through_woods_in_uneven_light(shaded: Painted):
    grounds = study_ground(shaded.sheet, Teaching(shaded.legend)).grounds()
    for word in ("clear", "woods"):
        rows = [hex_ for hex_, kind in shaded.terrain.items() if kind == word]
        assert np.mean([grounds[hex_].level == shaded.level[hex_] for hex_ in rows]) > 0.95


def test_what_hides_the_tint_is_less_sure(shaded: Painted):
    grounds = study_ground(shaded.sheet, Teaching(shaded.legend)).grounds()

    def sure(word: str) -> float:
        stated = [grounds[h].provenance["level"] for h, k in shaded.terrain.items() if k == word]
        return float(np.mean([one.confidence or 0.0 for one in stated]))

    assert sure("lake") < sure("woods") <= sure("clear") + 0.02


def test_colours_go_to_lab_and_back():
    rgb = np.random.default_rng(3).uniform(0, 255, (50, 3))
    assert from_lab(to_lab(rgb)) == pytest.approx(rgb, abs=0.5)
