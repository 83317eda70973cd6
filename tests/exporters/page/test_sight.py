"""Sight on the page: joined by its own script in a real browser, the same as the judge rules."""

import json
import random
from dataclasses import replace
from importlib.resources import as_file, files

import pytest

from exporters.material import load_material
from exporters.page.offline_page import PAGE, PageOptions
from mapkit.hexes import disc
from mapkit.maps import load_map, save_map
from mapkit.progress import ignore
from mapkit.sheets import crop, rectangle
from mapkit.texts import LANGUAGES, speaking
from rules.judges.sight import SightJudge
from rules.spoken import told_reason
from tests.boards import board
from tests.exporters.page.browsing import DESK, opened_page

ROWS = (
    ".1 .1 w2 .1 .4 .1 .2 .1 .3",
    ".1 .3 w1 .1 .1 .1 .2 w1 .1",
    ".2 .2 .1 w3 .5 .1 .1 .1 .2",
    ".1 .2 .1 .1 .1 w2 ? .1 .1",
    ".4 .2 .1 w3 .1 .1 .1 w2 .1",
)
OPTIONS = PageOptions(hex_px=20, style="plain", quality=30)

# Asks the page for many pairs at once, as a tap would.
ASK = """(() => {
    const tables = page.tables.get(0);
    const { byLabel, hexes, sight } = page.sheet.map;
    const weather = sight.weather.findIndex(({ id }) => id === %s);
    return %s.map(([a, b]) => {
        const found = tables.join(byLabel.get(a), byLabel.get(b), weather);
        const told = found.reasons.map(({ text, cite }) => (cite ? `${text} [${cite}]` : text));
        return { verdict: found.verdict, reasons: told, cites: found.cites, open: found.open };
    });
})()"""


@pytest.fixture
def material(tmp_path, mapkit_cli):
    def made(map_, game):
        save_map(tmp_path / "field.hexmap.json", map_)
        words = ("--name", "Field", "--game", game, "--map", tmp_path / "field.hexmap.json")
        assert mapkit_cli("project", "new", tmp_path / "project", *words).exit_code == 0
        return replace(load_material(tmp_path / "project"), pieces=None)

    return made


def sample(name, low, high):
    with as_file(files("sample_maps") / "data" / f"{name}.hexmap.json") as path:
        map_ = load_map(path)
    return crop(map_, rectangle(map_, map_.hex(low), map_.hex(high)))


def ruled(judge, a, b):
    ruling = judge.rule(a, b)
    return {
        "verdict": ruling.verdict,
        "reasons": [told_reason(judge.field.pack, one) for one in ruling.reasons],
        "cites": list(ruling.cites),
        "open": list(ruling.assumptions),
    }


def some_pairs(field, reach, count):
    """Pairs near and far, the same ones every time."""
    dice = random.Random(1917)
    hexes = list(field.map.hexes)
    for _ in range(count):
        a = dice.choice(hexes)
        near = [hex_ for hex_ in disc(a, reach) if hex_ in field.map]
        yield a, dice.choice(near)


@pytest.mark.program("chromium")
@pytest.mark.parametrize(
    ("game", "land", "weather"),
    [
        pytest.param("strafexpedition", "rows", None, id="every pair of a small map"),
        pytest.param("strafexpedition", "rows", "overcast", id="in weather"),
        pytest.param("strafexpedition", "alpine", None, id="the alpine sample"),
        pytest.param("caporetto-1917", "alpine", None, id="from elsewhere in the hex"),
        pytest.param("caporetto-1917", "alpine", "fog", id="low ground in fog"),
    ],
)
def test_the_page_says_what_the_judge_says(material, tmp_path, program, game, land, weather):
    maps = {
        "rows": lambda: board(*ROWS, layout="pointy"),
        "alpine": lambda: sample("alpine", "4258", "5470"),
    }
    found = material(maps[land](), game)
    (one,) = found.maps.values()
    judge = SightJudge(one.field, weather)
    page = PAGE.render(found, OPTIONS, ignore).files[0].data
    if land == "rows":
        pairs = [(a, b) for a in one.map.hexes for b in one.map.hexes]
    else:
        pairs = list(some_pairs(one.field, 9, 500))
    labels = [[one.map.label(hex_) for hex_ in pair] for pair in pairs]
    with opened_page(program("chromium"), tmp_path, page, DESK) as shown:
        asked = {}
        reach = shown.ask("page.sheet.map.sight.reach")
        for language in LANGUAGES:
            shown.open(f"lang={language}")
            asked[language] = shown.ask(ASK % (json.dumps(weather or ""), json.dumps(labels)))
    near = [number for number, (a, b) in enumerate(pairs) if b in set(disc(a, reach))]
    assert {asked["en"][number]["verdict"] for number in near} >= {"clear", "blocked"}
    for language in LANGUAGES:
        with speaking(language):
            for number in near:
                assert asked[language][number] == ruled(judge, *pairs[number]), labels[number]
    for number in set(range(len(pairs))) - set(near):  # farther than anyone sees
        assert asked["en"][number]["verdict"] == judge.rule(*pairs[number]).verdict


@pytest.mark.program("chromium")
def test_the_field_of_view_is_the_judges(material, tmp_path, program):
    found = material(board(*ROWS, layout="flat"), "strafexpedition")
    (one,) = found.maps.values()
    judge = SightJudge(one.field)
    page = PAGE.render(found, OPTIONS, ignore).files[0].data
    with opened_page(program("chromium"), tmp_path, page, DESK) as shown:
        fields = shown.ask("""page.sheet.map.hexes.map((hex, number) => {
            const { clear, unknown } = page.tables.get(0).field(number, 0);
            const told = (some) => some.map((one) => page.sheet.map.hexes[one].label).sort();
            return [hex.label, told(clear), told(unknown)];
        })""")
    assert len(fields) == len(one.map.hexes)
    for label, clear, unknown in fields:
        working = judge.rule_field(one.map.hex(label)).working
        assert (clear, unknown) == (working["sees"], working["unknown"])
