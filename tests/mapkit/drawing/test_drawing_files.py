"""`mapkit map draw` and `mapkit map print`, from file to file."""

import pytest
from lxml import etree
from PIL import Image

from mapkit.document.writing import dump_map
from tests.mapkit.drawing.landscapes import landscape


@pytest.fixture
def map_file(tmp_path):
    path = tmp_path / "valley.hexmap.json"
    path.write_bytes(dump_map(landscape(columns=8, rows=6)))
    return path


def test_draw_a_png(mapkit_cli, map_file, tmp_path):
    out = tmp_path / "valley.png"
    ran = mapkit_cli("map", "draw", map_file, "-o", out, "--hex-px", "30", "--style", "antique")
    assert ran.exit_code == 0, ran.stderr
    with Image.open(out) as image:
        assert f"{image.width} × {image.height} px" in ran.stderr
    assert ran.stdout == ""


def test_draw_an_svg_with_some_layers(mapkit_cli, map_file, tmp_path):
    out = tmp_path / "valley.svg"
    ran = mapkit_cli("map", "draw", map_file, "-o", out, "--layers", "terrain,grid,-grid")
    assert ran.exit_code == 0, ran.stderr
    root = etree.parse(str(out), etree.XMLParser(huge_tree=True)).getroot()
    ids = {group.get("id") for group in root.iter("{http://www.w3.org/2000/svg}g")}
    assert ids == {"terrain"}


def test_print_a_pdf(mapkit_cli, map_file, tmp_path):
    out = tmp_path / "valley.pdf"
    ran = mapkit_cli("map", "print", map_file, "-o", out, "--paper", "A3", "--dpi", "60")
    assert ran.exit_code == 0, ran.stderr
    assert out.read_bytes()[:5] == b"%PDF-"
    assert "hexes of 16 mm on A3" in ran.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["draw", "-o", "x.gif"], "a drawing ends in .png or .svg"),
        (["draw", "-o", "x.png", "--style", "baroque"], "no style 'baroque'; there is: antique"),
        (["draw", "-o", "x.png", "--layers", "gird"], "no layer 'gird'"),
        (["draw", "-o", "x.png", "--hex-px", "1900"], "too big"),
        (["draw", "-o", "x.png", "--hex-px", "nan"], "cannot be drawn"),
        (["print", "-o", "x.png"], "a print ends in .pdf"),
        (["print", "-o", "x.pdf", "--hex-mm", "0"], "cannot be printed"),
        (["print", "-o", "x.pdf", "--dpi", "9"], "cannot be printed"),
    ],
)
def test_what_cannot_be_is_one_line(mapkit_cli, map_file, tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    ran = mapkit_cli("map", args[0], map_file, *args[1:])
    assert ran.exit_code == 1
    assert message in ran.stderr
    assert not list(tmp_path.glob("x.*"))


@pytest.mark.parametrize("verb", ["draw", "print"])
def test_nothing_is_overwritten_without_force(mapkit_cli, map_file, tmp_path, verb):
    out = tmp_path / ("x.svg" if verb == "draw" else "x.pdf")
    out.write_text("mine")
    ran = mapkit_cli("map", verb, map_file, "-o", out)
    assert (ran.exit_code, out.read_text()) == (1, "mine")
    assert "give --force to overwrite it" in ran.stderr
    assert mapkit_cli("map", verb, map_file, "-o", out, "--force").exit_code == 0
    assert out.read_bytes() != b"mine"
