"""The page that a scan leaves behind: whole, right, safe, and with answers that can be entered."""

import base64
import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import html
from PIL import Image

from mapkit.errors import StoreError
from mapkit.hexes import Hex, Hexside, Link
from mapkit.kinds import UNKNOWN, Kind, Kinds
from mapkit.maps import load_map, save_map
from mapkit.model import CONFIRMED, CORRECTED, Feature, Ground, HexMap, Picture, Provenance
from mapkit.numbering import Numbering
from mapkit.scan.flatten import Flattened
from mapkit.scan.found_grid import FoundGrid
from mapkit.scan.reliability import Trial
from mapkit.scan.report import write_report
from mapkit.scan.report_colours import as_rgb
from mapkit.scan.report_figures import all_shown
from mapkit.scan.report_pictures import base_of
from mapkit.scan.review import Answer, enter_answers
from mapkit.scan.scan_map import ScannedMap
from mapkit.scan.trials import SelfTest
from mapkit.texts import LANGUAGES, speaking
from tests.mapkit.scan.painted import paint

KINDS = Kinds(
    terrain=(Kind("clear", "Open ground"), Kind("woods", "Wood, dense"), Kind("lake", "Lake")),
    features=(Kind("fort", "Fort"), Kind("peak", "Summit")),
    hexsides=(Kind("river", "River", role="river"), Kind("wall", "Dry wall")),
    links=(Kind("road", "Road", role="road"),),
)


def seen(confidence: float, other: str | int = "none") -> Provenance:
    return Provenance("scan", confidence, other)


def scanned(*, title: str = "Small", kinds: Kinds = KINDS) -> ScannedMap:
    """A sheet of 12 × 12 hexes; the last two columns are lake, and doubtful."""
    painted = paint(
        lambda column, row: "lake" if column > 9 else "woods" if row > 7 else "clear",
        lambda column, row: 1 + row // 5,
    )
    sheet = painted.sheet
    one, two = sheet.hexes[:2]
    grounds = {
        hex_: Ground(
            word,
            painted.level[hex_],
            provenance={
                "terrain": seen(0.6 if word == "lake" else 0.97, "woods"),
                "level": seen(0.8 if painted.level[hex_] == 3 else 0.999, 2),
            },
        )
        for hex_, word in painted.terrain.items()
    }
    grounds[one] = replace(
        grounds[one],
        provenance={"terrain": CONFIRMED, "level": CORRECTED},
        features=(Feature("fort", provenance=seen(0.5)),),
    )
    grounds[two] = Ground(UNKNOWN, None, provenance={"terrain": seen(0.3), "level": seen(0.3, 1)})
    map_ = HexMap(
        sheet.grid,
        Numbering(straight="rows"),
        grounds,
        kinds,
        hexsides={
            Hexside.between(one, two): (Feature("river", provenance=seen(0.95)),),
            Hexside.between(one, Hex(0, -1)): (Feature("river", provenance=seen(0.65)),),
        },
        links={Link.between(one, two): (Feature("road", provenance=seen(0.4)),)},
        title=title,
        notes=("the numbers were <b>not</b> read",),
    )
    height, width = sheet.pixels.shape[:2]
    flattened = Flattened(sheet.pixels, sheet.grid, FoundGrid(sheet.grid, 0.998, (width, height)))
    return ScannedMap(map_, sheet, flattened, None, None)


def written(folder: Path, scan: ScannedMap | None = None) -> html.HtmlElement:
    scan = scan or scanned()
    files = write_report(folder, scan, scan.map_, map_file=Path("maps/small.hexmap.json"))
    assert all(file.is_file() for file in files)
    return html.fromstring(files[0].read_bytes())


def words(element: html.HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).replace("\N{NO-BREAK SPACE}", " ").split())


def legend(page: html.HtmlElement, name: str) -> dict[str, str]:
    entries = page.xpath(f'//section[@id="{name}"]//ul[@class="legend"]/li')
    return {entry.findtext("span"): entry.findtext("b") for entry in entries}


def test_every_picture_and_link_is_there(tmp_path):
    page = written(tmp_path)
    assert not page.xpath("//script")
    names = {one.get("id") for one in page.xpath("//*[@id]")}
    for address in page.xpath("//img/@src | //a/@href"):
        if address.startswith("data:"):
            data = base64.b64decode(address.partition(",")[2])
            assert Image.open(io.BytesIO(data)).convert("RGB").size[0] >= 96
        elif address.startswith("#"):
            assert address[1:] in names
        else:
            assert (tmp_path / address).is_file()
    figures = {"grid", "terrain", "levels", "lines", "features"}
    assert figures | {"samples", "doubts", "reliability"} <= names
    assert all(page.xpath(f'//section[@id="{one}"]//a[@href="{one}.jpg"]') for one in figures)


def test_legends_name_every_kind_with_its_number(tmp_path):
    page = written(tmp_path)
    assert legend(page, "terrain") == {
        "Open ground": "79", "Wood, dense": "40", "Lake": "24", "not read": "1",
    }  # fmt: skip
    assert legend(page, "levels") == {
        "Level 1": "59", "Level 2": "60", "Level 3": "24", "nothing": "1",
    }  # fmt: skip
    assert legend(page, "lines") == {"River": "2", "Dry wall": "0", "Road": "1"}
    assert legend(page, "features") == {"Fort": "1", "Summit": "0"}


def test_the_head_tells_how_many_values_are_how_sure(tmp_path):
    page = written(tmp_path)
    rows = [[words(cell) for cell in row] for row in page.xpath("//table[@class='summary']//tr")]
    assert rows == [
        ["What", "Values read", "below 90 %", "below 70 %", "by a person"],
        ["Terrain", "143", "25", "25", "1"],
        ["Level", "143", "25", "1", "1"],
        ["Feature", "1", "1", "1", "0"],
        ["Hexside", "2", "1", "1", "0"],
        ["Link", "1", "1", "1", "0"],
    ]
    facts = {words(one[0]): words(one[1]) for one in page.xpath("//dl/div")}
    assert facts["hexes"] == "144"
    assert facts["sure of the grid"] == "99 %"
    assert "numbers" not in facts
    bars = page.xpath('//section[@id="reliability"]//div/h3[.="Level"]/../ol/li')
    told = {words(bar[0]): bar.findtext("b") for bar in bars}
    assert {share: n for share, n in told.items() if n != "0"} == {
        "90–100 %": "118",
        "80–90 %": "24",
        "30–40 %": "1",
    }


def test_doubts_have_headings_crops_and_the_command(tmp_path):
    page = written(tmp_path)
    [table] = page.xpath("//table[@class='doubts']")
    heads = [words(one) for one in table.xpath("thead//th")]
    assert heads == ["picture", "place", "what", "read as", "sure", "else"]
    rows = [[words(cell) for cell in row.xpath("td")] for row in table.xpath("tbody/tr")]
    assert len(rows) == 53  # all below 90 %
    assert len(table.xpath("tbody/tr/td/img")) == 53
    assert rows[0] == ["", "0201", "Terrain", "not read", "30 %", "nothing"]
    assert ["", "0101-0201", "Link", "Road", "40 %", "nothing"] in rows
    for what in ("Terrain", "Level", "Hexside"):
        sure = [int(row[4].split()[0]) for row in rows if row[2] == what]
        assert sure == sorted(sure)
    command = f"mapkit map review maps/small.hexmap.json --answers {tmp_path / 'answers.csv'}"
    assert words(page.xpath("//pre")[0]) == command


def test_what_is_known_of_how_often_it_is_right_is_plotted(tmp_path):
    scan = scanned()
    woods = next(h for h, g in scan.map_.hexes.items() if g.terrain == "woods")
    answers = (Answer(woods, "terrain", "lake"),)
    tested = SelfTest(agreeing=(Trial("level", 0.9, True), Trial("level", 0.6, False)))
    files = write_report(
        tmp_path, replace(scan, self_test=tested), enter_answers(scan.map_, answers)
    )
    [part] = html.fromstring(files[0].read_bytes()).xpath('//section[@id="reliability"]')
    assert [words(one) for one in part.xpath("h3")] == [
        "By your answers",
        "By two ways of reading",
        "How many values are how sure",
    ]
    assert [words(one) for one in part.xpath(".//figure/h4")] == ["Terrain", "Level"]
    captions = [words(one) for one in part.xpath(".//figcaption")]
    assert captions[0].startswith("1 value, 1 of them wrong; the confidence is off by 97.0 %")
    assert captions[1].startswith("2 values, of which 1 are not read alike")


def test_the_least_sure_samples_come_last_and_are_framed(tmp_path):
    page = written(tmp_path)
    [river] = page.xpath("//div[@class='samples'][h4[contains(., 'River')]]")
    assert [(words(one), one.get("class")) for one in river.xpath(".//li")] == [
        ("0101/0201 95 %", "sure"),
        ("0000/0101 65 %", "unsure"),
    ]
    [clear] = page.xpath("//div[@class='samples'][h4[contains(., 'Open ground')]]")
    assert len(clear.xpath(".//li")) == 12


def test_words_of_the_map_are_never_markup(tmp_path):
    hostile = '<script>alert("1")</script>\x00&'
    kinds = replace(KINDS, terrain=(Kind("clear", hostile), Kind("lake<img src=x>"), Kind("woods")))
    scan = scanned(title=hostile, kinds=kinds)
    map_ = scan.map_
    grounds = {
        h: replace(g, terrain="lake<img src=x>") if g.terrain == "lake" else g
        for h, g in map_.hexes.items()
    }
    page = written(tmp_path, replace(scan, map_=replace(map_, hexes=grounds)))
    assert not page.xpath("//script | //img[@src='x'] | //b[.='not']")
    shown = hostile.replace("\x00", "")
    assert page.findtext(".//h1") == shown
    assert page.findtext(".//title") == shown
    assert {shown, "lake<img src=x>"} <= legend(page, "terrain").keys()
    assert "the numbers were <b>not</b> read" in words(page)


def test_the_answers_beside_the_page_can_be_entered(mapkit_cli, tmp_path):
    scan = scanned()
    map_file, map_ = tmp_path / "small.hexmap.json", scan.map_
    save_map(map_file, map_)
    write_report(tmp_path / "report", scan, map_)
    answers = tmp_path / "report" / "answers.csv"
    rows = list(csv.DictReader(io.StringIO(answers.read_text("utf-8"))))
    assert {"place": "0201", "what": "terrain", "value": "none"} in rows
    assert {"place": "0000/0101", "what": "hexside", "value": "river"} in rows
    done = mapkit_cli("map", "review", map_file, "--answers", answers)
    assert done.exit_code == 0, done.stderr
    after = load_map(map_file)
    for row in (one for one in rows if one["what"] in ("terrain", "level")):
        before, now = (one.hexes[one.hex(row["place"])] for one in (map_, after))
        assert (now.terrain, now.level) == (before.terrain, before.level)
        assert now.provenance[row["what"]] == CONFIRMED
    [[road]] = after.links.values()
    assert road.provenance == CONFIRMED


def test_without_a_map_file_the_command_names_the_map_of_the_picture(tmp_path):
    scan = scanned()
    map_ = replace(scan.map_, picture=Picture("alps.sheet.jpg", "0" * 64, 10, 10, scan="alps.png"))
    page = html.fromstring(write_report(tmp_path, scan, map_)[0].read_bytes())
    assert "mapkit map review alps.hexmap.json --answers" in words(page)
    assert "What alps.png was read as" in words(page)


def test_a_page_or_answers_that_are_there_are_kept(tmp_path):
    scan = scanned()
    mine = tmp_path / "answers.csv"
    mine.write_text("mine", "utf-8")
    with pytest.raises(StoreError, match="answers.csv exists"):
        write_report(tmp_path, scan, scan.map_)
    assert [file.name for file in tmp_path.iterdir()] == ["answers.csv"]
    write_report(tmp_path, scan, scan.map_, force=True)
    assert mine.read_text("utf-8").startswith("place,what,value\n")


def test_a_map_of_which_only_the_grid_was_read_has_a_page(tmp_path):
    scan = scanned()
    bare = replace(
        scan.map_, hexes=dict.fromkeys(scan.sheet.hexes, Ground()), hexsides={}, links={}
    )
    page = written(tmp_path, replace(scan, map_=bare))
    assert page.xpath("//section/@id") == ["grid", "samples", "doubts", "reliability"]
    assert "at least 90 % sure of everything" in words(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_every_language(tmp_path, language):
    with speaking(language):
        page = written(tmp_path)
    assert page.get("lang") == language
    heading = {"en": "Terrain", "de": "Gelände", "it": "Terreno"}[language]
    assert page.findtext(".//section[@id='terrain']/h2") == heading


def test_hexes_are_painted_in_the_colours_of_the_legend(tmp_path):
    scan = scanned()
    written(tmp_path, scan)
    base = base_of(scan.sheet)
    colours = {one.value: as_rgb(one.colour) for one in all_shown(scan.map_, base)}
    picture = np.asarray(Image.open(tmp_path / "terrain.jpg").convert("RGB"), float)

    def at(hex_: Hex, dx: float = 0.0) -> np.ndarray:
        x, y = base.at(scan.sheet.grid.centre(hex_))
        return picture[round(y) - 2 : round(y) + 3, round(x + dx) - 1 : round(x + dx) + 2].mean(
            (0, 1)
        )

    for word in ("clear", "woods", "lake"):
        hexes = [h for h, ground in scan.map_.hexes.items() if ground.terrain == word]
        inside = np.mean([at(hex_) for hex_ in hexes], axis=0)
        nearest = min(colours, key=lambda kind: float(np.abs(inside - colours[kind]).sum()))
        assert nearest == word
    lake = next(h for h, ground in scan.map_.hexes.items() if ground.terrain == "lake")
    assert at(lake, 0.42 * base.pitch_px).min() > 190  # it is doubtful: its rim stays white
