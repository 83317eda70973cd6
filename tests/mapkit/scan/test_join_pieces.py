"""Part-scans of a sheet, cut out of a painted one: where each truly lies is known."""

import json
import math

import numpy as np
import pytest
from PIL import Image

from mapkit.grid import Grid
from mapkit.scan.homographies import project
from mapkit.scan.join_pieces import join_pieces
from mapkit.scan.piece_files import load_sheet
from mapkit.scan.pieces import Piece, PiecesError
from tests.mapkit.scan.printed import ground, hexes_within, printed

SHEET = (900, 700)
PAGE = (400, 330)


def drawn(seed: int) -> np.ndarray:
    """Return a sheet of hexes with their numbers, some dark blots and calm land."""
    import cv2

    grid = Grid.regular("flat", pitch_px=50, first_px=(60, 60))
    hexes = hexes_within(grid, 19, 13)
    sheet = printed(grid, hexes, (90, 85, 80), ground(seed, SHEET))
    dice = np.random.default_rng(seed)
    for hex_ in hexes:
        x, y = (round(at) for at in grid.centre(hex_))
        label = f"{hex_.q + 10 * seed:02d}{hex_.r + hex_.q // 2:02d}"
        cv2.putText(sheet, label, (x - 16, y - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40))
        if dice.random() < 0.4:
            cv2.circle(sheet, (x + int(dice.integers(-9, 9)), y + 6), 5, (70, 90, 60), -1)
    return sheet


def laid(x: float, y: float, turn_deg: float) -> np.ndarray:
    """Return the matrix from the sheet to a page whose middle is at x, y of the sheet."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    middle = np.array([[1, 0, PAGE[0] / 2], [0, 1, PAGE[1] / 2], [0, 0, 1]])
    return middle @ turn @ np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]])


def scanned(sheet: np.ndarray, matrix: np.ndarray, seed: int) -> np.ndarray:
    """Return what a page shows: noise, and darker towards one side."""
    import cv2

    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    at = (np.linalg.inv(half) @ matrix @ half)[:2]
    seen = cv2.warpAffine(sheet, at, PAGE, borderMode=cv2.BORDER_REPLICATE).astype(float)
    dice = np.random.default_rng(seed)
    light = 1 - 0.1 * dice.random() - 0.05 * np.linspace(0, 1, PAGE[0])[None, :, None]
    return np.clip(seen * light + dice.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


UPPER = ((195, 165, 1.5), (510, 170, -1.8), (700, 160, 0.7))
LOWER = ((200, 430, -1.0), (500, 440, 2.0), (705, 425, -1.4))
PLACES = [laid(*place) for place in (*UPPER, *LOWER)]


@pytest.fixture(scope="module")
def sheet() -> np.ndarray:
    return drawn(1)


@pytest.fixture(scope="module")
def pieces(sheet) -> list[Piece]:
    return [Piece(f"{n}.png", scanned(sheet, at, n)) for n, at in enumerate(PLACES)]


def farthest_off(layout, places) -> float:
    """Return how far points of the sheet are apart on pieces that both show them."""
    x, y = np.meshgrid(np.arange(20, SHEET[0], 40.0), np.arange(20, SHEET[1], 40.0))
    points = np.column_stack([x.ravel(), y.ravel()])
    seen, true = [], []
    for n, matrix in enumerate(places):
        at = project(matrix, points)
        inside = np.all((at > 0) & (at < PAGE), axis=1)
        seen.append(layout.to_sheet(n, at[inside]))
        true.append(points[inside])
    found, wanted = (np.vstack(some) @ (1, 1j) for some in (seen, true))
    rows = np.column_stack([wanted, np.ones(len(wanted))])
    fit, *_ = np.linalg.lstsq(rows, found, rcond=None)  # turned, scaled and moved as a whole
    assert abs(fit[0]) == pytest.approx(1, abs=0.002)
    return float(np.abs(rows @ fit - found).max())


def test_pieces_in_any_order_make_the_sheet(pieces):
    order = [4, 0, 5, 2, 1, 3]
    joined = join_pieces([pieces[n] for n in order])
    assert farthest_off(joined.layout, [PLACES[n] for n in order]) < 0.5
    assert joined.names == tuple(f"{n}.png" for n in order)
    assert joined.pixels.shape[:2] == joined.layout.size[::-1]
    turned = math.atan2(joined.layout.matrices[1][1, 0], joined.layout.matrices[1][0, 0])
    assert abs(math.degrees(turned)) < 4


def test_the_joined_picture_shows_the_sheet_once_and_evenly(sheet, pieces):
    joined = join_pieces(pieces)
    found = joined.layout.matrices[0] @ PLACES[0]  # from the true sheet to the joined one
    x, y = np.meshgrid(np.arange(40, 860), np.arange(40, 560))
    points = np.column_stack([x.ravel(), y.ravel()])
    at = np.floor(project(found, points + 0.5)).astype(int)
    shown = joined.pixels[at[:, 1], at[:, 0]].astype(float).reshape(*x.shape, 3)
    ratio = shown.mean(axis=2) / sheet[40:560, 40:860].mean(axis=2)
    calm = [[np.median(ratio[r : r + 20, c : c + 20]) for c in range(0, 820, 20)]
            for r in range(0, 520, 20)]  # fmt: skip
    assert max(np.abs(np.diff(calm, axis=0)).max(), np.abs(np.diff(calm, axis=1)).max()) < 0.02
    like = np.corrcoef(shown.mean(axis=2).ravel(), sheet[40:560, 40:860].mean(axis=2).ravel())
    assert like[0, 1] > 0.93


def test_pieces_turned_by_quarters_are_turned_back(pieces):
    quarters = [0, 2, 0, 1, 3, 0]
    turned = [
        Piece(piece.name, np.ascontiguousarray(np.rot90(piece.pixels, quarter)))
        for piece, quarter in zip(pieces, quarters, strict=True)
    ]
    straight, joined = join_pieces(pieces), join_pieces(turned)
    assert np.allclose(joined.layout.size, straight.layout.size, atol=8)


def test_a_piece_of_another_sheet_is_named(pieces):
    stranger = Piece("stranger.png", scanned(drawn(2), PLACES[4], 9))
    with pytest.raises(PiecesError, match=r"^stranger.png: no overlap with the other pieces"):
        join_pieces([*pieces, stranger])


def test_a_blank_piece_is_named(pieces):
    blank = Piece("blank.png", np.full((PAGE[1], PAGE[0], 3), 245, np.uint8))
    with pytest.raises(PiecesError, match=r"^blank.png: no overlap"):
        join_pieces([*pieces[:2], blank])


def test_bare_hexes_all_alike_are_not_guessed():
    """Any shift by a hex would do: then no place is right."""
    grid = Grid.regular("flat", pitch_px=50, first_px=(60, 60))
    land = np.full((SHEET[1], SHEET[0], 3), 225, np.uint8)
    sea = printed(grid, hexes_within(grid, 19, 13), (90, 85, 80), land)
    two = [Piece(f"{n}.png", scanned(sea, PLACES[n], n)) for n in (0, 1)]
    with pytest.raises(PiecesError, match=r"^0.png, 1.png: no piece shows a part of another"):
        join_pieces(two)


def test_pieces_apart_are_told(pieces):
    with pytest.raises(PiecesError, match=r"^2.png: no overlap|^2.png, 5.png: no overlap"):
        join_pieces([pieces[0], pieces[3], pieces[2]])


def test_a_piece_scanned_twice_is_named(sheet, pieces):
    again = Piece("again.png", scanned(sheet, laid(512, 171, -0.5), 8))
    with pytest.raises(PiecesError, match=r"^1.png, again.png: .* same part"):
        join_pieces([*pieces, again])


def test_a_hole_in_the_middle_is_told(sheet):
    around = [(x, y) for x in (200, 450, 700) for y in (165, 350, 535) if (x, y) != (450, 350)]
    ring = [
        Piece(f"{x} {y}.png", scanned(sheet, laid(x, y, 0.0), x + y)[40:290, 50:350])
        for x, y in around
    ]
    with pytest.raises(PiecesError, match="leave a hole in the sheet, about"):
        join_pieces(ring)


@pytest.mark.parametrize("count", [1, 17])
def test_one_piece_or_too_many_are_no_sheet(pieces, count):
    with pytest.raises(PiecesError, match="from 2 to 16"):
        join_pieces((pieces * 3)[:count])


@pytest.fixture(scope="module")
def files(pieces, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pieces")
    for piece in pieces:
        Image.fromarray(piece.pixels).save(folder / piece.name, dpi=(300, 300))
    return [str(folder / piece.name) for piece in pieces]


def test_stitch_writes_the_sheet(mapkit_cli, files, tmp_path):
    out = tmp_path / "sheet.png"
    ran = mapkit_cli("map", "stitch", *files, "-o", str(out), "--json")
    assert ran.exit_code == 0, ran.stderr
    told = json.loads(ran.stdout)
    with Image.open(out) as picture:
        assert picture.size == (told["width_px"], told["height_px"])
        assert picture.info["dpi"][0] == pytest.approx(300, rel=0.01)
        alone = np.asarray(picture)
    assert [one["piece"] for one in told["pieces"]] == [f"{n}.png" for n in range(6)]
    again = mapkit_cli("map", "stitch", *files, "-o", str(out))
    assert again.exit_code == 1
    assert "--force" in again.stderr
    assert np.array_equal(load_sheet([out.parent / name for name in files]).pixels, alone)


def test_a_pdf_brings_all_its_pages(mapkit_cli, pieces, tmp_path):
    pages = [Image.fromarray(piece.pixels) for piece in pieces]
    scans = tmp_path / "scans.pdf"
    pages[0].save(scans, save_all=True, append_images=pages[1:], resolution=300)
    ran = mapkit_cli("map", "stitch", str(scans), "-o", str(tmp_path / "sheet.jpg"))
    assert ran.exit_code == 0, ran.stderr
    assert "6 pieces" in ran.stdout


def test_the_grid_is_found_over_the_pieces(mapkit_cli, files):
    ran = mapkit_cli("map", "grid", *files, "--json")
    assert ran.exit_code == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["orientation"] == "flat"
    assert np.hypot(*np.array(found["homography"])[:2, 1]) == pytest.approx(50, rel=0.02)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["0.png", "0.png"], "this is the same picture as"),
        (["0.png"], "2 to 16 pieces are joined into a sheet, not 1"),
        (["0.png", "missing.png"], "missing.png"),
    ],
)
def test_files_that_make_no_sheet_are_named(mapkit_cli, files, tmp_path, given, said):
    folder = files[0].removesuffix("0.png")
    out = tmp_path / "sheet.png"
    ran = mapkit_cli("map", "stitch", *(folder + name for name in given), "-o", str(out))
    assert ran.exit_code == 1
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert not out.exists()


def test_a_sheet_is_no_text(mapkit_cli, files, tmp_path):
    ran = mapkit_cli("map", "stitch", *files[:2], "-o", str(tmp_path / "sheet.txt"))
    assert ran.exit_code == 1
    assert "*.png, *.jpg, *.tif or *.webp" in ran.stderr
