"""The plot of how sure beside how right, and the page of a comparison."""

import json
from dataclasses import replace

import pytest
from lxml import html

from mapkit.maps import save_map
from mapkit.model import HexMap, Provenance
from mapkit.scan.reliability import Trial, reliability
from mapkit.scan.reliability_plot import plots
from mapkit.texts import LANGUAGES, speaking
from tests.boards import board


def drawn(*trials: Trial, **options) -> html.HtmlElement:
    part = plots(reliability(trials), **options)
    return html.fromstring(html.tostring(part))


def test_a_dot_lies_where_confidence_and_share_meet():
    part = drawn(*(Trial("level", 0.75, place < 3) for place in range(4)))
    [dot] = part.xpath(".//circle")
    [even] = part.xpath(".//line[@class='even']")
    x1, y1, x2, y2 = (float(even.get(key)) for key in ("x1", "y1", "x2", "y2"))
    share = (float(dot.get("cx")) - x1) / (x2 - x1)
    assert share == pytest.approx(0.75, abs=0.01)
    assert (float(dot.get("cy")) - y1) / (y2 - y1) == pytest.approx(0.75, abs=0.01)
    assert part.xpath(".//text[@class='count']/text()") == ["4"]


def test_the_plot_can_be_read_aloud():
    part = drawn(Trial("level", 0.95, True), Trial("level", 0.55, False))
    [label] = part.xpath(".//svg[@role='img']/@aria-label")
    assert label.startswith("Level: 2 values, 1 of them wrong")
    rows = [[cell.text_content() for cell in row] for row in part.xpath(".//tbody/tr")]
    assert [row[0].replace("\xa0", " ") for row in rows] == ["90–100 %", "50–60 %"]
    assert [row[-1] for row in rows] == ["1", "1"]
    assert "read alike" in drawn(Trial("level", 0.9, True), against="alike").text_content()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(language):
    with speaking(language):
        text = drawn(Trial("link", 0.6, False), Trial("link", 0.9, True)).text_content()
    assert "{" not in text
    assert "mapkit." not in text


def scanned_map() -> HexMap:
    map_ = board(". w", "w .")
    stated = {"terrain": Provenance("scan", 0.85, "hills")}
    return replace(map_, hexes={h: replace(g, provenance=stated) for h, g in map_.hexes.items()})


def test_the_comparison_as_text_as_data_and_as_a_page(mapkit_cli, tmp_path):
    files = [tmp_path / f"{name}.hexmap.json" for name in ("read", "true")]
    save_map(files[0], scanned_map())
    save_map(files[1], board(". w", "w w"))
    page = tmp_path / "page.html"
    told = mapkit_cli("map", "accuracy", *files, "--page", page)
    assert told.exit_code == 0, told.stderr
    assert "called 80–90 % sure: said 85 %, right 75 % (3 of 4)" in told.stdout
    shown = html.fromstring(page.read_bytes())
    assert len(shown.xpath("//svg")) == 1
    assert "right 75 %" in shown.text_content()
    answer = mapkit_cli("map", "accuracy", *files, "--json")
    data = json.loads(answer.stdout)["reliability"]["terrain"]
    assert (data["values"], data["wrong"], data["calibration_error"]) == (4, 1, 0.1)
    assert data["bins"] == [
        {"from": 0.8, "to": 0.9, "count": 4, "right": 3, "said": 0.85, "share": 0.75}
    ]
    again = mapkit_cli("map", "accuracy", *files, "--page", page)
    assert again.exit_code == 1
    assert "page.html exists" in again.stderr
