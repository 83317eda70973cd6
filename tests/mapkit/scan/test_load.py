import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageCms

from mapkit.scan import load
from mapkit.scan.load import ScanError, load_scan

LAND = np.random.default_rng(2).integers(0, 255, (260, 340, 3), np.uint8)


def saved(tmp_path, image: Image.Image, name: str, **options) -> object:
    path = tmp_path / name
    image.save(path, **options)
    return path


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.webp"])
def test_pixels_come_as_they_were_saved(tmp_path, name):
    options = {"lossless": True} if name.endswith("webp") else {}
    path = saved(tmp_path, Image.fromarray(LAND), name, **options)
    assert np.array_equal(load_scan(path).pixels, LAND)


def test_a_photo_is_turned_upright(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    path = saved(tmp_path, Image.fromarray(LAND), "a.jpg", exif=exif, quality=95, dpi=(300, 300))
    scan = load_scan(path)
    assert scan.pixels.shape == (340, 260, 3)
    assert scan.dpi == 300
    assert np.abs(scan.pixels.mean() - LAND.mean()) < 5


def test_sixteen_bits_keep_their_shades(tmp_path):
    shades = np.linspace(0, 65535, 260 * 340).reshape(260, 340).astype(np.uint16)
    scan = load_scan(saved(tmp_path, Image.fromarray(shades), "a.png"))
    assert scan.pixels[0, 0].tolist() == [0, 0, 0]
    assert scan.pixels[-1, -1].tolist() == [255, 255, 255]
    assert abs(int(scan.pixels[130, 0, 0]) - 127) <= 1


def test_glass_lies_on_white(tmp_path):
    clear = np.dstack([LAND, np.zeros((260, 340), np.uint8)])
    assert load_scan(saved(tmp_path, Image.fromarray(clear), "a.png")).pixels.min() == 255


def test_inks_of_a_press_become_colours(tmp_path):
    path = saved(tmp_path, Image.new("CMYK", (300, 250), (255, 0, 0, 0)), "a.tif")
    red, green, blue = load_scan(path).pixels[5, 5].tolist()
    assert red < 60 < green
    assert blue > 200


def test_a_colour_profile_is_followed(tmp_path):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    path = saved(tmp_path, Image.fromarray(LAND), "a.png", icc_profile=profile)
    assert np.array_equal(load_scan(path).pixels, LAND)  # a profile of other colours is no help


def test_a_palette_is_read(tmp_path):
    path = saved(tmp_path, Image.fromarray(LAND).quantize(16), "a.png")
    assert load_scan(path).pixels.shape == LAND.shape


def test_a_page_of_a_pdf_is_drawn(tmp_path):
    path = saved(tmp_path, Image.fromarray(LAND).resize((900, 700)), "a.pdf", resolution=300)
    scan = load_scan(path)
    assert np.abs(np.array(scan.pixels.shape) - (700, 900, 3)).max() <= 1  # points round
    with pytest.raises(ScanError, match="no page 2; this PDF has 1"):
        load_scan(path, page=2)


def test_a_big_picture_is_reduced_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(load, "KEPT_PX", 30_000)
    big = Image.fromarray(LAND).resize((680, 520))
    monkeypatch.setattr(load, "LEAST_PX", 50)
    scan = load_scan(saved(tmp_path, big, "a.png"))
    assert scan.reduced == 1 / 4
    assert scan.pixels.shape == (130, 170, 3)


def test_a_big_jpeg_comes_smaller_out_of_its_file(tmp_path, monkeypatch):
    smooth = np.kron(LAND[::10, ::10], np.ones((10, 10, 1), np.uint8))
    path = saved(tmp_path, Image.fromarray(smooth[:-1, :-1]), "a.jpg", quality=98, subsampling=0)
    monkeypatch.setattr(load, "KEPT_PX", smooth.shape[0] * smooth.shape[1] // 3)
    monkeypatch.setattr(load, "LEAST_PX", 50)
    whole = Image.Image.reduce
    monkeypatch.setattr(Image.Image, "reduce", lambda *_: pytest.fail("unpacked whole"))
    scan = load_scan(path)
    assert (scan.pixels.shape[:2], scan.reduced) == ((130, 170), 0.5)
    monkeypatch.setattr(Image.Image, "reduce", whole)
    mean = np.asarray(Image.fromarray(smooth).reduce(2), float)
    assert np.abs(scan.pixels[2:-2, 2:-2] - mean[2:-2, 2:-2]).mean() < 4


def test_our_limit_counts_and_not_that_of_pillow(tmp_path, monkeypatch):
    path = saved(tmp_path, Image.fromarray(LAND), "a.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", LAND.shape[0] * LAND.shape[1] // 3)
    assert load_scan(path).pixels.shape == LAND.shape


def test_a_picture_too_big_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.png"
    path.write_bytes(png_of(60_000, 60_000))
    with pytest.raises(
        ScanError, match="more than 300 megapixels; scan it at 300 dpi, or in parts"
    ):
        load_scan(path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "this file is empty"),
        (b"what?" * 100, "no picture to scan"),
        (b"%PDF-1.4 nothing", "this PDF is broken"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 40, "no picture to scan|broken"),
    ],
)
def test_what_is_no_picture_is_told(tmp_path, data, told):
    path = tmp_path / "scan.png"
    path.write_bytes(data)
    with pytest.raises(ScanError, match=told):
        load_scan(path)


def test_a_half_written_picture_is_told(tmp_path):
    whole = io.BytesIO()
    Image.fromarray(LAND).save(whole, "PNG")
    path = tmp_path / "half.png"
    path.write_bytes(whole.getvalue()[: len(whole.getvalue()) // 2])
    with pytest.raises(ScanError, match="this picture is broken"):
        load_scan(path)


def test_a_tiny_picture_is_told(tmp_path):
    with pytest.raises(ScanError, match="90 × 80 px are too few"):
        load_scan(saved(tmp_path, Image.new("RGB", (90, 80)), "a.png"))


def png_of(width: int, height: int) -> bytes:
    """Return a PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
