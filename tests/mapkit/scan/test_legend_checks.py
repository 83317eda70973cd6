from dataclasses import replace

import numpy as np
import pytest

from mapkit.model import Feature
from mapkit.notation import parse_link
from mapkit.scan.legend_checks import check_frames, unseen
from mapkit.scan.load import LoadedScan
from mapkit.scan.teaching import Sample, TeachingError
from tests.boards import board


def sample(group: str, kind: str, *rect: float, title: str = "") -> Sample:
    return Sample.model_validate(
        {"group": group, "kind": kind, "title": title, "rect": rect or (1, 1, 5, 5)}
    )


def scan(*, reduced: float = 1.0) -> LoadedScan:
    return LoadedScan(np.zeros((60, 100, 3), np.uint8), None, reduced=reduced)


@pytest.mark.parametrize(
    "rect", [(95, 10, 10, 10), (10, 55, 10, 10), (-1, 10, 10, 10), (900, 900, 10, 10)]
)
def test_a_sample_off_the_picture_is_refused_with_its_size(rect: tuple[float, ...]):
    with pytest.raises(TeachingError, match=r"town at .* outside of the picture of 100 × 60 px"):
        check_frames([sample("features", "town", *rect)], scan())


def test_a_sample_up_to_the_edge_is_fine():
    check_frames([sample("terrain", "woods", 0, 0, 100, 60)], scan())


def test_a_reduced_picture_is_told_in_pixels_of_the_file():
    with pytest.raises(TeachingError, match=r"at 190,20 .* 200 × 120 px"):
        check_frames([sample("terrain", "woods", 95, 10, 10, 10)], scan(reduced=0.5))


def test_kinds_that_were_never_found_are_named_once():
    map_ = board(". w")
    link = parse_link("0101-0201", map_.numbering)
    map_ = replace(map_, links={link: (Feature("road"),)})
    legend = [
        sample("terrain", "clear"),
        sample("links", "road"),
        sample("hexsides", "road"),
        sample("features", "fort", title="Fortress"),
        sample("features", "fort", title="Fortress"),
    ]
    [note] = unseen(map_, legend)
    assert ": road, Fortress;" in note
    assert unseen(map_, legend[:2]) == ()
