"""The offline page: one file, nothing from anywhere else, on a phone and on a desk."""

import base64
import json
import re
import zlib
from dataclasses import replace
from importlib import resources
from io import BytesIO

import pytest
from PIL import Image

from exporters.keeping import KeptFiles
from exporters.material import load_material
from exporters.model import ExportError
from exporters.page.html import SCRIPTS, joined_script
from exporters.page.offline_page import PAGE, PageOptions
from exporters.page.tiles import PAD_PX, TILE_PX, cut_tiles, dump_pyramid, load_pyramid
from mapkit.maps import save_map
from mapkit.model import Feature, Picture
from mapkit.progress import ignore
from mapkit.texts import LANGUAGES
from tests.boards import board
from tests.exporters.page.browsing import DESK, PHONE, opened_page

LAND = (".1 .1 w3 .1 .1 .1", ".1 .1 .1 .1 .2 .1", ".1 w2 .1 .1 .1 .1")
EVIL = "<script>globalThis.caught=1</script><img src=x onerror=globalThis.caught=1>"
OPTIONS = PageOptions(hex_px=40, style="plain", quality=30)
both_sizes = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])


def named(name):
    map_ = board(*LAND, layout="pointy")
    town = (Feature("town", name=name),)
    first = {
        hex_: replace(one, name=name, features=town) for hex_, one in [*map_.hexes.items()][:1]
    }
    return replace(map_, title=name, hexes={**map_.hexes, **first})


@pytest.fixture
def bare(tmp_path):
    save_map(tmp_path / "land.hexmap.json", named("Col di Prova"))
    return load_material(tmp_path / "land.hexmap.json")


@pytest.fixture
def game(tmp_path, mapkit_cli):
    save_map(tmp_path / "land.hexmap.json", named("Col di Prova"))
    words = ("--game", "strafexpedition", "--map", tmp_path / "land.hexmap.json")
    assert mapkit_cli("project", "new", tmp_path / "project", *words).exit_code == 0
    return replace(load_material(tmp_path / "project"), pieces=None)


@pytest.fixture
def two_maps(tmp_path, mapkit_cli):
    words = ["--game", "strafexpedition"]
    for name in ("north", "south"):
        save_map(tmp_path / f"{name}.hexmap.json", named(name))
        words += ["--map", tmp_path / f"{name}.hexmap.json"]
    assert mapkit_cli("project", "new", tmp_path / "two", *words).exit_code == 0
    return replace(load_material(tmp_path / "two"), pieces=None)


def rendered(material, options=OPTIONS):
    (file,) = PAGE.render(material, options, ignore).files
    return file.data


def data_of(page):
    packed = re.search(rb'id="data">([^<]*)<', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_nothing_comes_from_anywhere_else(game):
    page = rendered(game)
    frame = re.sub(rb">[A-Za-z0-9+/=]{40,}<", b"><", page).decode()
    assert "src=" not in frame
    assert "href=" not in frame
    assert "url(" not in frame
    assert set(re.findall(r"https?://[^\"' ]+", frame)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in frame


def test_the_command_writes_one_page_and_twice_the_same(mapkit_cli, tmp_path):
    save_map(tmp_path / "land.hexmap.json", named("Col di Prova"))
    out, again = tmp_path / "land.html", tmp_path / "again.html"
    for path in (out, again):
        ran = mapkit_cli("export", "page", tmp_path / "land.hexmap.json", "-o", path)
        assert ran.exit_code == 0, ran.stderr
    assert out.read_bytes() == again.read_bytes()
    assert data_of(out.read_bytes())["phrases"]["en"]


def test_no_two_modules_share_a_name():
    names = []
    for script in SCRIPTS:
        text = (resources.files("exporters.page") / "source" / script).read_text("utf-8")
        names += re.findall(r"^(?:export )?(?:async )?(?:function|class|const) (\w+)", text, re.M)
        for parts in re.findall(r"^const \[([^\]]+)\]", text, re.M):
            names += [name.strip() for name in parts.split(",")]
    assert len(names) == len(set(names))
    assert "import " not in re.sub(r"//.*", "", joined_script())


def test_every_phrase_is_there_in_three_languages(game):
    phrases = data_of(rendered(game))["phrases"]
    assert set(phrases) == {"en", "de", "it"}
    assert len({len(texts) for texts in phrases.values()}) == 1
    assert phrases["de"] != phrases["en"] != phrases["it"]


def test_tiles_are_whole_padded_and_come_back():
    picture = Image.effect_noise((1100, 700), 60).convert("RGB")
    out = BytesIO()
    picture.save(out, "PNG")
    pyramid = cut_tiles(out.getvalue(), 90)
    assert [(one.width, one.height) for one in pyramid.levels] == [
        (1100, 700),
        (550, 350),
        (275, 175),
    ]
    first, middle, last = (Image.open(BytesIO(one)) for one in pyramid.levels[0].tiles[:3])
    assert first.size == (TILE_PX + PAD_PX, TILE_PX + PAD_PX)
    assert middle.size == (TILE_PX + 2 * PAD_PX, TILE_PX + PAD_PX)
    assert last.size == (1100 - 2 * TILE_PX + PAD_PX, TILE_PX + PAD_PX)
    assert load_pyramid(dump_pyramid(pyramid)) == pyramid
    for spoilt in (b"", dump_pyramid(pyramid)[:-1]):
        with pytest.raises(ValueError, match="pyramid"):
            load_pyramid(spoilt)


def test_kept_or_made_the_bytes_are_the_same(bare, tmp_path):
    keep = KeptFiles(tmp_path / "cache")
    made = rendered(bare)
    assert rendered(replace(bare, keep=keep)) == made
    (kept,) = (tmp_path / "cache").iterdir()
    before = kept.stat().st_ino
    assert rendered(replace(bare, keep=keep)) == made
    assert kept.stat().st_ino == before  # read, not written again
    kept.write_bytes(b"spoilt")
    assert rendered(replace(bare, keep=keep)) == made


@pytest.mark.parametrize("quality", [0, 101])
def test_a_quality_that_is_none_is_told(bare, quality):
    with pytest.raises(ExportError, match="give 1 to 100"):
        rendered(bare, PageOptions(quality=quality))


def pictured(bare, size, known):
    """The bare map with a picture of one size, known to be of another."""
    out = BytesIO()
    Image.new("RGB", size, "#cde").save(out, "PNG")
    (one,) = bare.maps.values()
    picture = Picture("sheet.png", "0" * 64, *known)
    scanned = replace(one, map=replace(one.map, picture=picture), picture=out.getvalue())
    return replace(bare, maps={one.id: scanned})


def test_a_picture_that_was_made_smaller_still_lies_under_its_hexes(bare):
    whole, small = (pictured(bare, size, (800, 600)) for size in ((800, 600), (400, 300)))
    wide, narrow = (data_of(rendered(one))["maps"][0]["matrix"] for one in (whole, small))
    assert narrow[:6] == pytest.approx([number / 2 for number in wide[:6]])


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (lambda bare: pictured(bare, (800, 200), (800, 600)), "800 × 200 px.*of 800 × 600"),
        (lambda bare: unreadable(bare, b"no picture"), "map land does not open: it is no picture"),
    ],
    ids=["of another shape", "no picture"],
)
def test_a_picture_that_cannot_be_used_is_told(bare, spoilt, told):
    with pytest.raises(ExportError, match=told):
        rendered(spoilt(bare))


def unreadable(bare, data):
    scanned = pictured(bare, (800, 600), (800, 600))
    (one,) = scanned.maps.values()
    return replace(scanned, maps={one.id: replace(one, picture=data)})


def test_a_picture_that_is_too_big_is_told(bare, monkeypatch):
    monkeypatch.setattr("mapkit.pictures.MOST_PX", 100_000)
    with pytest.raises(ExportError, match="map land does not open: it has more than 400 mega"):
        rendered(pictured(bare, (800, 600), (800, 600)))


def test_a_picture_that_is_not_there_is_told(bare):
    gone = unreadable(bare, None)
    (hint,) = PAGE.render(gone, OPTIONS, ignore).hints
    assert hint.values == {"map": "land", "file": "sheet.png"}


def test_a_scan_that_is_not_there_is_told(bare):
    with pytest.raises(ExportError, match="--art drawing"):
        rendered(bare, PageOptions(art="scan"))


@pytest.mark.program("chromium")
@both_sizes
def test_fingers_ask_for_sight(game, tmp_path, program, size):
    with opened_page(program("chromium"), tmp_path, rendered(game), size) as shown:
        shown.open("lang=de")
        for label in ("0101", "0601"):
            shown.touch_hex(label)
        assert shown.ask("page.joined.verdict") == "blocked"
        assert shown.text("h2").startswith("0101 sieht 0601 nicht")
        assert shown.ask("document.querySelectorAll('svg.profile').length") == 1
        assert shown.ask("location.hash") == "#from=0101&to=0601&lang=de"
        shown.press("#languages button[value=it]")
        shown.driver.wait("document.documentElement.lang === 'it'")
        assert "0601" in shown.text("h2")
        shown.press("#body .cite")
        shown.driver.wait("page.tab === 'rules'")
        assert shown.text("#body h3").startswith("13.2")
        fetched = "performance.getEntriesByType('resource').map(({ name }) => name)"
        assert [one for one in shown.ask(fetched) if not one.startswith("data:")] == []


@pytest.mark.program("chromium")
@both_sizes
def test_nothing_overlaps_or_is_too_small_for_a_finger(game, tmp_path, program, size):
    with opened_page(program("chromium"), tmp_path, rendered(game), size) as shown:
        for tab in ("sight", "field", "hex", "find", "turn", "tables", "rules"):
            shown.open(f"tab={tab}&lang=de")
            assert shown.ask("document.documentElement.scrollWidth") <= size[0]
            buttons = "nav button, header button, .zoom button, #body button:not(.cite)"
            small = shown.ask(
                f"[...document.querySelectorAll('{buttons}')]"
                + """
                .map((one) => one.getBoundingClientRect())
                .filter(({ width, height }) => width && (width < 40 || height < 40)).length"""
            )
            assert small == 0
            boxes = shown.ask("""['header', 'main', 'aside', 'nav'].map((name) => {
                const box = document.querySelector(name).getBoundingClientRect();
                return [box.left, box.top, box.right, box.bottom];
            })""")
            for at, one in enumerate(boxes):
                for other in boxes[at + 1 :]:
                    wide = min(one[2], other[2]) - max(one[0], other[0])
                    high = min(one[3], other[3]) - max(one[1], other[1])
                    assert wide <= 1 or high <= 1


@pytest.mark.program("chromium")
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_big_enough_and_whole(game, tmp_path, program, language):
    with opened_page(program("chromium"), tmp_path, rendered(game), PHONE) as shown:
        for address in ("from=0101&to=0601", "tab=field", "tab=rules", "tab=turn", "tab=tables"):
            shown.open(f"{address}&lang={language}")
            cut = "one.scrollWidth > one.clientWidth"
            assert (
                shown.ask(f"[...document.querySelectorAll('nav span')].filter((one) => {cut})")
                == []
            )
            assert (
                shown.ask("""Math.min(...[...document.querySelectorAll("body *")]
                .filter((one) => one.getClientRects().length && one.matches(":not(svg *)"))
                .map((one) => parseFloat(getComputedStyle(one).fontSize)))""")
                >= 12
            )
            figures = """[...document.querySelectorAll("svg.profile text")]
                .map((one) => one.getBoundingClientRect().height)"""
            assert all(height >= 14 for height in shown.ask(figures))  # a line of 12 px


@pytest.mark.program("chromium")
@pytest.mark.parametrize("size", [PHONE, (844, 390)], ids=["upright", "on its side"])
def test_both_ends_stay_in_sight_when_the_answer_needs_room(game, tmp_path, program, size):
    with opened_page(program("chromium"), tmp_path, rendered(game), size) as shown:
        shown.open("lang=de")
        shown.touch_hex("0101")
        shown.touch_hex("0603")
        shown.driver.wait("page.joined")
        box = shown.ask("""(() => { const box = page.sheet.canvas.getBoundingClientRect();
            return [box.left, box.top, box.right, box.bottom]; })()""")
        for x, y in shown.ask("page.tapped.map((hex) => page.sheet.onScreen(hex))"):
            assert box[0] < x < box[2]
            assert box[1] < y < box[3]
        assert box[3] - box[1] > 200


@pytest.mark.program("chromium")
def test_back_returns_from_a_rule_to_the_line_that_cites_it(game, tmp_path, program):
    with opened_page(program("chromium"), tmp_path, rendered(game), PHONE) as shown:
        shown.open("from=0101&to=0601&lang=en")
        shown.press("#body .cite")
        shown.driver.wait("page.tab === 'rules'")
        number = shown.ask("page.rule")
        assert f"rule={number}" in shown.ask("location.hash")
        shown.ask("history.back()")
        shown.driver.wait("page.tab === 'sight' && page.tapped.length === 2")
        shown.press("#body .cite")
        shown.driver.wait("page.tab === 'rules'")
        shown.press("nav button[value=sight]")  # the tab leads back to it as well
        shown.driver.wait("page.tab === 'sight' && page.tapped.length === 2")


@pytest.mark.program("chromium")
@both_sizes
def test_keys_ask_for_sight(game, tmp_path, program, size):
    def press(key):
        for kind in ("rawKeyDown", "keyUp"):
            shown.driver.send("Input.dispatchKeyEvent", type=kind, key=key)

    with opened_page(program("chromium"), tmp_path, rendered(game), size) as shown:
        shown.open("lang=en")
        shown.ask("document.getElementById('sheet').focus()")
        press("ArrowLeft")
        first = shown.ask("document.getElementById('said').textContent")
        press("Enter")
        for _ in range(2):
            press("ArrowRight")
        second = shown.ask("document.getElementById('said').textContent")
        press("Enter")
        shown.driver.wait("page.joined")
        assert shown.ask("page.joined.distance") == 2
        assert f"{first} " in shown.ask("document.getElementById('said').textContent")
        assert shown.ask("location.hash") == f"#from={first}&to={second}&lang=en"


@pytest.mark.program("chromium")
def test_the_field_of_view_tells_what_it_cannot_tell(tmp_path, mapkit_cli, program):
    rows = ("?1 .1 .1 .1",)
    save_map(tmp_path / "land.hexmap.json", board(*rows, layout="pointy"))
    words = ("--game", "strafexpedition", "--map", tmp_path / "land.hexmap.json")
    assert mapkit_cli("project", "new", tmp_path / "project", *words).exit_code == 0
    page = rendered(load_material(tmp_path / "project"))
    with opened_page(program("chromium"), tmp_path, page, PHONE) as shown:
        shown.open("field=0401&lang=en")
        assert shown.text("h2").startswith("0401 sees 2 other hexes")
        assert "of 1 hex nobody can tell" in shown.text("#body")
        assert "Field of view (2)" in shown.text("#body")


@pytest.mark.program("chromium")
@both_sizes
def test_two_maps_leave_room_for_the_languages(two_maps, tmp_path, program, size):
    with opened_page(program("chromium"), tmp_path, rendered(two_maps), size) as shown:
        shown.open("map=south&lang=it")
        assert shown.ask("page.sheet.map.id") == "south"
        edges = shown.ask("""[...document.querySelectorAll("header select, header button")]
            .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])""")
        assert len(edges) == 4
        assert all(left >= 0 and right <= size[0] for left, right in edges)


def test_progress_only_grows(two_maps):
    told = []
    PAGE.render(two_maps, OPTIONS, lambda share, _: told.append(share))
    assert told == sorted(told)
    assert told[-1] <= 1


@pytest.mark.program("chromium")
def test_two_fingers_zoom_and_one_moves(bare, tmp_path, program):
    with opened_page(program("chromium"), tmp_path, rendered(bare), PHONE) as shown:
        send = shown.driver.send
        before = shown.ask("[page.sheet.scale, page.sheet.x]")
        for kind, xs in (("touchStart", (150, 200)), ("touchMove", (100, 250)), ("touchEnd", ())):
            points = [{"x": x, "y": 250, "id": at} for at, x in enumerate(xs)]
            send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        shown.driver.wait(f"page.sheet.scale > {before[0] * 1.5}")
        assert shown.ask("page.tapped.length") == 0
        zoomed = shown.ask("page.sheet.x")
        for kind, xs in (("touchStart", (250,)), ("touchMove", (150,)), ("touchEnd", ())):
            points = [{"x": x, "y": 250} for x in xs]
            send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        shown.driver.wait(f"page.sheet.x > {zoomed} + 50 / page.sheet.scale")
        assert shown.ask("page.tapped.length") == 0


@pytest.mark.program("chromium")
def test_a_bare_map_has_hexes_places_and_distances(bare, tmp_path, program):
    with opened_page(program("chromium"), tmp_path, rendered(bare), PHONE) as shown:
        shown.open("from=0101&to=0601&lang=en")
        assert "5 hexes apart" in shown.text("#body")
        assert "no game" in shown.text("#body")
        shown.open("hex=0301&lang=en")
        assert "woods" in shown.text("#body")
        shown.open("find=prova&lang=en")
        assert shown.text("#body li").split("\n") == ["0101", "Col di Prova, town"]
        shown.open("from=9999&to=0101&lang=en")
        assert "no hex 9999" in shown.text("#body")


@pytest.mark.program("chromium")
def test_names_that_look_like_scripts_stay_text(tmp_path, program):
    save_map(tmp_path / "evil.hexmap.json", named(EVIL))
    material = replace(load_material(tmp_path / "evil.hexmap.json"), name=EVIL)
    with opened_page(program("chromium"), tmp_path, rendered(material), PHONE) as shown:
        label = shown.ask("page.sheet.map.hexes.find(({ name }) => name).label")
        for address in (f"hex={label}", "tab=find&find=script", f"from={label}&to={label}"):
            shown.open(address)
            assert shown.ask("globalThis.caught") is None
        shown.open(f"hex={label}")
        assert EVIL in shown.text("h2")
        assert EVIL in shown.text("h1")
