"""Rivers and roads read from a small drawn board whose truth is known."""

import pytest

from mapkit.hexes import Hexside, Link
from mapkit.scan.line_reading import LinesRead, read_lines
from mapkit.scan.line_teaching import LineSwatch, LineTeaching
from mapkit.scan.side_patches import all_sides
from tests.mapkit.scan.line_boards import Board, draw_board

pytest.importorskip("cv2")
pytest.importorskip("sklearn")


@pytest.fixture(scope="module")
def board() -> Board:
    return draw_board()


@pytest.fixture(scope="module")
def from_legend(board: Board) -> LinesRead:
    return read_lines(board.sheet, LineTeaching(swatches=board.swatches))


@pytest.fixture(scope="module")
def from_examples(board: Board) -> LinesRead:
    no = _bare(board)[::60]
    teaching = LineTeaching(
        hexsides=(*((s, "river") for s in sorted(board.river)[::4]), *((s, None) for s in no)),
        links=(*((s, "road") for s in sorted(board.road)[::2]), *((Link(*s), None) for s in no)),
    )
    return read_lines(board.sheet, teaching)


def _bare(board: Board) -> list[Hexside]:
    sides = all_sides(board.sheet)
    return [s for s in sides if s not in board.river and Link(*s) not in board.road]


def _f1(got: set[Hexside] | set[Link], wanted: frozenset[Hexside] | frozenset[Link]) -> float:
    return 2 * len(got & wanted) / (len(got) + len(wanted))


@pytest.mark.parametrize(
    "taught", ["from_legend", pytest.param("from_examples", marks=pytest.mark.slow)]
)
def test_river_and_road_are_read(taught: str, board: Board, request: pytest.FixtureRequest) -> None:
    read: LinesRead = request.getfixturevalue(taught)
    assert _f1(set(read.hexsides), board.river) > 0.93
    assert _f1(set(read.links), board.road) > 0.93


def test_every_value_says_how_sure_it_is(from_legend: LinesRead) -> None:
    held = [*from_legend.hexsides.values(), *from_legend.links.values()]
    for feature in (feature for features in held for feature in features):
        stated = feature.provenance
        assert stated is not None
        assert stated.source == "scan"
        assert stated.confidence is not None
        assert 0.5 <= stated.confidence <= 1
        assert stated.runner_up is not None


def test_what_was_not_read_may_be_in_doubt_but_never_likely(from_legend: LinesRead) -> None:
    assert all(doubt.chance < 0.5 for doubt in from_legend.doubts)
    assert not {d.place for d in from_legend.doubts if isinstance(d.place, Link)} & set(
        from_legend.links
    )


@pytest.mark.slow
def test_an_example_is_believed(board: Board, from_examples: LinesRead) -> None:
    assert set(sorted(board.river)[::4]) <= set(from_examples.hexsides)
    assert not {Link(*side) for side in _bare(board)[::60]} & set(from_examples.links)


def test_nothing_taught_is_nothing_read(board: Board) -> None:
    assert read_lines(board.sheet, LineTeaching()) == LinesRead({}, {})


@pytest.mark.slow
def test_a_way_leads_across_hexsides_and_never_along_them(board: Board) -> None:
    # The river runs from vertex to vertex; a way that looks the same must not be read there.
    [river] = [swatch for swatch in board.swatches if swatch.kind == "river"]
    teaching = LineTeaching(swatches=(LineSwatch("links", "road", river.rect),))
    along = {Link(*side) for side in board.river}
    assert len(along & set(read_lines(board.sheet, teaching).links)) <= len(along) // 10
