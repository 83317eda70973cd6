"""Features by the icon in the legend: found where it is printed, and nowhere else."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from mapkit.hexes import Hex
from mapkit.model import CONFIRMED
from mapkit.scan.icon_cuts import cut_icon
from mapkit.scan.icons import read_features
from mapkit.scan.sampling import sample_hexes
from mapkit.scan.sheet import FlatSheet
from mapkit.scan.teaching import Example, Rect, Sample, Teaching, TeachingError
from tests.mapkit.scan.painted import PITCH_PX, Painted, paint

Draw = Callable[[ImageDraw.ImageDraw, float, float, float], None]
LEGEND_SCALE = 1.5  # the legend is printed bigger than the map
DISCS = (Hex(2, 2), Hex(5, 3), Hex(1, 6), Hex(-1, 9))
TOWERS = (Hex(3, 5), Hex(0, 8), Hex(5, 3))  # one stands beside a disc


def disc(draw: ImageDraw.ImageDraw, x: float, y: float, size: float) -> None:
    box = (x - size / 2, y - size / 2, x + size / 2, y + size / 2)
    draw.ellipse(box, fill=(205, 60, 45), outline=(70, 15, 10), width=max(1, round(size / 10)))


def tower(draw: ImageDraw.ImageDraw, x: float, y: float, size: float) -> None:
    half = size / 2
    draw.polygon(((x - half, y + half), (x, y - half), (x + half, y + half)), fill=(75, 45, 100))
    draw.rectangle((x - half / 2, y, x + half / 2, y + half), fill=(240, 235, 225))


def board(icons: Mapping[str, tuple[Draw, tuple[Hex, ...]]], *, loose: bool) -> Painted:
    painted = paint(lambda column, row: "woods" if (column // 3 + row // 4) % 2 else "clear")
    grid, size = painted.sheet.grid, 0.36 * PITCH_PX
    picture = Image.fromarray(painted.sheet.pixels)
    below = Image.new("RGB", (picture.width, picture.height + 70), "white")
    below.paste(picture)
    draw = ImageDraw.Draw(below)
    legend = []
    for place, (kind, (drawn, hexes)) in enumerate(icons.items()):
        for hex_ in hexes:
            x, y = grid.centre(hex_)
            drawn(draw, x + (-9 if place else 8), y + 4, size)
        x, y = 60.0 + 110 * place, picture.height + 35.0
        drawn(draw, x, y, LEGEND_SCALE * size)
        draw.text((x + 42, y - 5), kind, fill=(20, 20, 20))
        reach = 24.0 if loose else LEGEND_SCALE * size / 2 + 1
        rect: Rect = (x - reach, y - reach, 2 * reach, 2 * reach)
        legend.append(Sample(group="features", kind=kind, rect=rect))
    grain = np.random.default_rng(3).normal(0, 2, (below.height, below.width, 3))
    pixels = np.clip(np.asarray(below, float) + grain, 0, 255).astype(np.uint8)
    sheet = FlatSheet(pixels, grid, painted.sheet.hexes)
    return replace(painted, sheet=sheet, legend=tuple(legend))


def kinds_by_hex(painted: Painted, *examples: Example) -> dict[Hex, set[str]]:
    teaching = Teaching(painted.legend, examples)
    found = read_features(painted.sheet, teaching, sample_hexes(painted.sheet))
    return {hex_: {feature.kind for feature in features} for hex_, features in found.items()}


WANTED = {hex_: {"disc"} for hex_ in DISCS} | {hex_: {"tower"} for hex_ in TOWERS}
WANTED[Hex(5, 3)] = {"disc", "tower"}


@pytest.mark.parametrize("loose", [True, False])
def test_icons_of_the_legend_are_found_however_the_sample_is_framed(loose: bool) -> None:
    painted = board({"disc": (disc, DISCS), "tower": (tower, TOWERS)}, loose=loose)

    assert kinds_by_hex(painted) == WANTED


def test_an_icon_that_only_the_legend_shows_is_found_nowhere() -> None:
    painted = board({"disc": (disc, ()), "tower": (tower, ())}, loose=True)

    assert kinds_by_hex(painted) == {}


def test_finds_say_how_sure_they_are() -> None:
    painted = board({"disc": (disc, DISCS)}, loose=True)

    found = read_features(painted.sheet, Teaching(painted.legend), sample_hexes(painted.sheet))

    stated = [feature.provenance for features in found.values() for feature in features]
    assert len(stated) == len(DISCS)
    assert all(p and p.source == "scan" and p.runner_up == "none" for p in stated)
    assert all(p and p.confidence and 0.5 < p.confidence < 1 for p in stated)


def test_what_a_person_says_corrects_what_was_seen() -> None:
    painted = board({"disc": (disc, DISCS)}, loose=True)
    missing, wrong = painted.sheet.grid.centre(Hex(4, 4)), painted.sheet.grid.centre(DISCS[0])
    told = (Example(*missing, "feature", "disc"), Example(*wrong, "feature", "none"))

    found = read_features(
        painted.sheet, Teaching(painted.legend, told), sample_hexes(painted.sheet)
    )

    assert set(found) == {*DISCS[1:], Hex(4, 4)}
    assert found[Hex(4, 4)][0].provenance == CONFIRMED


def test_a_pale_icon_within_an_outline_is_cut_whole() -> None:
    painted = board({"tower": (tower, ())}, loose=True)
    [sample] = painted.legend
    assert sample.rect

    icon = cut_icon(painted.sheet, sample.rect, "tower")

    side = LEGEND_SCALE * 0.36 * PITCH_PX
    assert icon is not None
    assert 0.4 * side**2 < icon.mask.sum() < 0.75 * side**2  # a triangle, its door and a rim
    title_too = icon.mask.shape[1] > 1.8 * side
    assert not title_too


def test_bare_paper_shows_no_icon() -> None:
    painted = board({"disc": (disc, ())}, loose=True)

    assert cut_icon(painted.sheet, (400.0, 645.0, 40.0, 30.0), "disc") is None


def test_a_sample_outside_of_the_picture_is_refused() -> None:
    painted = paint(lambda column, row: "clear")

    with pytest.raises(TeachingError, match="fort at 5000,20 lies outside"):
        cut_icon(painted.sheet, (5000.0, 20.0, 40.0, 30.0), "fort")
