"""From SVG to pixels: whole, in parts, in bands."""

import io
import sys

import numpy as np
import pytest
from PIL import Image

from mapkit.drawing import SizeError, draw_map, load_style, raster, rasterise, render_box
from tests.mapkit.drawing.landscapes import landscape


@pytest.fixture(scope="module")
def drawing():
    return draw_map(landscape(columns=10, rows=8), load_style("textured"), hex_px=40)


def opened(data):
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def alike(one, other):
    """Hatching is smoothed anew in every part, so a few pixels may differ a little."""
    difference = np.abs(one - other).max(axis=2)
    return (difference > 4).mean() < 0.004 and difference.max() < 64


def test_the_picture_has_the_size_of_the_drawing(drawing):
    assert opened(rasterise(drawing)).shape == (drawing.height_px, drawing.width_px, 3)
    double = opened(rasterise(drawing, scale=2))
    assert double.shape[:2] == (2 * drawing.height_px, 2 * drawing.width_px)


def test_bands_join_to_the_same_picture(drawing, monkeypatch):
    whole = opened(rasterise(drawing))
    monkeypatch.setattr(raster, "BAND_FROM_PX", 0)
    monkeypatch.setattr(raster, "BAND_PX", drawing.width_px * 70)
    banded = opened(rasterise(drawing))
    assert banded.shape == whole.shape
    assert alike(banded, whole)


def test_a_part_is_cut_out_of_the_whole(drawing):
    whole = opened(rasterise(drawing))
    part = opened(render_box(drawing, (100, 60, 120, 90), 120, 90))
    assert alike(part[8:], whole[68:150, 100:220])


def test_too_big_is_refused(drawing):
    with pytest.raises(SizeError, match="too big"):
        rasterise(drawing, scale=300)


def test_the_picture_is_the_same_every_time(drawing):
    assert rasterise(drawing) == rasterise(drawing)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_a_wall_map_keeps_within_a_gigabyte():
    """67 megapixels; the time is a benchmark's business, the memory is a promise."""
    import subprocess

    # Not ru_maxrss: Linux lets a child begin with the peak of the process that started it.
    code = (
        "from mapkit.drawing import *;"
        "from tests.mapkit.drawing.landscapes import landscape;"
        "d = draw_map(landscape(columns=60, rows=100), load_style('antique'), hex_px=108);"
        "assert d.width_px * d.height_px > 60e6; assert rasterise(d)[:4] == b'\\x89PNG';"
        "told = dict(line.split(':') for line in open('/proc/self/status'));"
        "print(int(told['VmHWM'].split()[0]) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1000
