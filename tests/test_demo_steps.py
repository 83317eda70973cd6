"""The demo itself: every registered step runs, and every file it lists opens."""

import tomllib
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml import etree, html
from openpyxl import load_workbook
from PIL import Image
from pypdfium2 import PdfDocument

from counters.counter_files import load_counters
from mapkit.demo import installed_steps, run_demo, told
from mapkit.maps import load_map
from mapkit.scan.accuracy import measure


def opens_map(path: Path) -> bool:
    return bool(load_map(path).hexes)


def opens_workbook(path: Path) -> bool:
    return load_workbook(path, read_only=True).sheetnames == ["hexes", "hexsides", "links"]


def opens_text(path: Path) -> bool:
    return bool(path.read_text("utf-8").strip())


def opens_toml(path: Path) -> bool:
    return bool(tomllib.loads(path.read_text("utf-8")))


def opens_picture(path: Path) -> bool:
    with Image.open(path) as image:
        return image.width > 1000 and image.convert("RGB").getcolors(1000) is None


def opens_vector(path: Path) -> bool:
    return etree.parse(path).getroot().tag.endswith("svg")


def opens_print(path: Path) -> bool:
    return len(PdfDocument(path)) > 1


def opens_units(path: Path) -> bool:
    return bool(load_counters(path))


def opens_module(path: Path) -> bool:
    with ZipFile(path) as archive:
        root = etree.fromstring(archive.read("buildFile.xml"))
        return archive.testzip() is None and root.tag == "VASSAL.build.GameModule"


def opens_page(path: Path) -> bool:
    page = html.fromstring(path.read_text("utf-8"))
    tiles = page.xpath("//script[starts-with(@id, 'tile-')]")
    for tile in tiles:
        with Image.open(BytesIO(b64decode(tile.text))) as image:
            image.load()
    pictures = [name for name in page.xpath("//img/@src") if not name.startswith("data:")]
    shown = all(opens_picture(path.parent / name) for name in pictures)
    return shown and bool(pictures or tiles)


OPENS = {
    ".csv": opens_units,
    ".vmod": opens_module,
    ".html": opens_page,
    ".jpg": opens_picture,
    ".pdf": opens_print,
    ".png": opens_picture,
    ".svg": opens_vector,
    ".json": opens_map,
    ".xlsx": opens_workbook,
    ".txt": opens_text,
    ".toml": opens_toml,
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_file_of_the_demo_opens(tmp_path):
    steps = installed_steps()
    result = run_demo(tmp_path / "demo", steps)
    assert not result.left_out
    assert len(result.files) >= len(steps)
    for file in result.files:
        assert OPENS[file.path.suffix](file.path), file.path
        assert str(file.path) in told(result)
    scanned = load_map(tmp_path / "demo" / "alpine-flatbed.hexmap.json")
    found = measure(scanned, load_map(tmp_path / "demo" / "alpine.hexmap.json"))
    assert found.unmatched == 0
    assert found.terrain.share > 0.98
    story = (Path(__file__).parents[1] / "docs" / "disputes.md").read_text("utf-8")
    verdict, *_ = (tmp_path / "demo" / "ruling.txt").read_text("utf-8").splitlines()
    assert verdict in story  # the tour ends with one of the disputes that the docs tell


def test_steps_run_in_an_order_that_is_theirs_alone():
    orders = [step.order for step in installed_steps()]
    assert orders == sorted(set(orders))
