"""Turns, dice, charts, inventory, help and memory of a module, for every game there is."""

import io

import pytest
from lxml import etree
from PIL import Image

from exporters.material import MapMaterial, Material
from exporters.model import ExportError
from exporters.vassal.big_boards import heap_mb, reduced
from exporters.vassal.board_elements import board_element
from exporters.vassal.boards import drawn_board
from exporters.vassal.chart_drawing import WIDTH_PX, column_widths, wrapped
from exporters.vassal.chart_pages import Grid, Note, chart_pages, told_amount
from exporters.vassal.dice import thrown
from exporters.vassal.module import MODULE, ModuleOptions
from exporters.vassal.sequence import split
from mapkit.progress import ignore
from mapkit.texts import speaking
from rules.errors import RulesError
from rules.registry import find_pack, pack_names
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.sequences import Asked, find_sequence, phases_in_play, steps_in_play
from rules.schema.tables import Modifier
from tests.boards import board
from tests.exporters.vassal.engine import read_board
from tests.exporters.vassal.test_module import ROWS, opened, tagged

GAMES = sorted(pack_names())

# What the engine's own listing of its components names for each class.
KNOWN = {
    "DiceButton": "name text tooltip icon hotkey reportFormat prompt nDice nSides plus addToTotal"
    " reportTotal",
    "Inventory": "name text tooltip icon hotkey include groupBy nonLeafFormat foldersOnly"
    " leafFormat sortPieces sortFormat sorting centerOnPiece forwardKeystroke showMenu drawPieces"
    " zoomOn pieceZoom pieceZoom2 pieceZoom3 sides",
    "TurnTracker": "name description buttonText icon hotkey nexthotkey prevhotkey turnFormat"
    " reportFormat tooltip lengthStyle length",
    "CounterTurnLevel": "name property turnFormat start incr loop loopLimit",
    "ListTurnLevel": "name property turnFormat list configList configFirst prompt",
    "ChartWindow": "name description text tooltip icon hotkey",
    "Chart": "chartName description fileName",
    "TabWidget": "entryName description",
    "ListWidget": "entryName description scale width height divider",
    "AboutScreen": "title fileName",
    "HelpFile": "title fileName vassalDoc image fileType",
    "GlobalOptions": "nonOwnerUnmaskable promptString autoReport playerIdFormat chatterHTMLSupport"
    " hotKeysOnClosedWindows inventoryForAll storeLeadingZeroIntegersAsStrings minMaxHeap",
}


def made(game, **options):
    material = Material(
        "Tryout", {"m": MapMaterial("m", board(*ROWS))}, find_pack(game) if game else None
    )
    chosen = ModuleOptions(hex_px=40, sight=False, **options)
    return MODULE.render(material, chosen, ignore)


@pytest.fixture(scope="module", params=GAMES)
def module(request):
    result = made(request.param)
    return request.param, *opened(result.files[0].data), result


def test_the_engine_knows_every_attribute(module):
    _, _, root, _ = module
    met = set()
    for one in root.iter(etree.Element):
        name = one.tag.rpartition(".")[2]
        if name in KNOWN:
            met.add(name)
            assert set(one.attrib) <= set(KNOWN[name].split()), name
    assert met >= {"DiceButton", "Inventory", "TurnTracker", "Chart", "AboutScreen", "HelpFile"}


def test_the_tracker_goes_through_the_sequence_in_order(module):
    game, _, root, result = module
    (tracker,) = tagged(root, ".TurnTracker")
    keys = [one.key for one in result.dropped]
    try:
        sequence = find_sequence(game)
    except RulesError:
        assert "exporters.vassal.lost.no_sequence" in keys
        assert (tagged(tracker, ".ListTurnLevel"), tracker.get("turnFormat")) == ([], "$level1$")
        return
    assert "exporters.vassal.lost.no_sequence" not in keys
    (level,) = tagged(tracker, ".ListTurnLevel")
    want = []
    for phase in phases_in_play(sequence, Asked()):
        steps = steps_in_play(sequence, phase, Asked())
        want += [(phase.title, step.title) for step in steps] or [(phase.title, "")]
    told = split(",", level.get("list"))
    assert len(told) == len(set(told)) == len(want)
    assert all(
        phase in line and step in line for line, (phase, step) in zip(told, want, strict=True)
    )


def test_the_turns_of_a_scenario_have_their_dates():
    scenario = scenarios_of(find_pack("custoza")).find("s1")
    _, root = opened(made("custoza", scenario="s1").files[0].data)
    turns = tagged(root, ".ListTurnLevel")[0].get("list")
    assert len(split(",", turns)) == len(scenario.file.turns.numbers)
    assert "July 23, 7:00" in split(",", turns)[0]
    with pytest.raises(ExportError, match="s99"):
        made("custoza", scenario="s99")


def test_dice_are_those_of_tables_and_checks(module):
    game, _, root, _ = module
    buttons = [
        (int(one.get("nDice")), int(one.get("nSides"))) for one in tagged(root, "DiceButton")
    ]
    assert buttons == thrown(find_pack(game))
    pack = find_pack(game)
    named = {one.die for one in (*pack.tables.values(), *pack.checks.values()) if one.die}
    assert {f"{count}d{sides}" for count, sides in buttons} >= named != set()


def test_every_chart_is_a_picture_that_fits_a_screen(module):
    game, archive, root, _ = module
    charts = tagged(root, ".Chart")
    assert [one.get("chartName") for one in charts] == [
        page.title for page in chart_pages(find_pack(game))
    ]
    for one in charts:
        with Image.open(io.BytesIO(archive.read(f"images/{one.get('fileName')}"))) as image:
            assert image.width == WIDTH_PX < 1280
            assert image.height > 80


def test_no_line_of_a_chart_runs_over(module):
    for page in chart_pages(find_pack(module[0])):
        for block in page.blocks:
            if isinstance(block, Grid):
                assert sum(column_widths(block, 1104)) <= 1105


def test_a_table_without_cells_says_where_it_is_printed(module):
    pack = find_pack(module[0])
    pages = chart_pages(pack)
    for table, page in zip(pack.tables.values(), pages, strict=False):
        lacking = [one.words for one in page.blocks if isinstance(one, Note) and one.lacking]
        assert bool(lacking) != table.is_complete
        assert all(table.card in words for words in lacking)
        cells = [one for one in page.blocks if isinstance(one, Grid) and one.cells]
        if table.is_complete:
            assert cells[0].rows == tuple((name, *row) for name, row in table.rows.items())


def test_an_amount_nobody_knows_stays_open():
    assert told_amount(Modifier(title="x", cite="1")) == "?"
    assert told_amount(Modifier(title="x", amount=-2, cite="1")) == "-2"
    assert told_amount(Modifier(title="x", amount=1, each=True, cite="1")) == "+1 each"


def test_words_are_broken_into_lines():
    assert wrapped("one two three", 10) == ["one", "two", "three"]
    assert wrapped("one two", 500) == ["one two"]
    assert wrapped("", 10) == [""]


def test_help_says_that_the_game_is_needed(module):
    game, archive, root, _ = module
    (entry,) = tagged(root, ".HelpFile")
    page = archive.read(entry.get("fileName"))
    assert b"You need the physical game" in page
    assert page.isascii()
    for one in find_pack(game).missing.values():
        assert one.printed_on in etree.fromstring(page, etree.HTMLParser()).xpath("string()")
    assert f"images/{tagged(root, '.AboutScreen')[0].get('fileName')}" in archive.namelist()


@pytest.mark.parametrize("spoken_in", ["de", "it"])
def test_all_of_it_speaks_other_languages(spoken_in):
    plain = opened(made("custoza").files[0].data)[1]
    with speaking(spoken_in):
        told = opened(made("custoza").files[0].data)[1]
    for name in (".TurnTracker", ".Inventory", ".ChartWindow"):
        assert tagged(plain, name)[0].get("name") != tagged(told, name)[0].get("name")


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_big_board_is_reduced_and_its_hexes_stay_in_place(layout):
    whole = drawn_board(MapMaterial("m", board(*ROWS, layout=layout)), "B", "plain", 700)
    width, height = whole.size_px
    small, told = reduced(whole, 1)
    assert width * height > 1_000_000 >= small.size_px[0] * small.size_px[1] > 900_000
    assert [one.values["was_width"] for one in told] == [width]
    with Image.open(io.BytesIO(small.picture)) as image:
        assert image.size == small.size_px
    reader = read_board(board_element(small, "m.png")[0], small.size_px)
    for hex_ in whole.map.hexes:
        x, y = small.lattice.centre(hex_)
        snapped = reader.snap(int(x), int(y))
        assert reader.label(*snapped) == whole.map.label(hex_)
        assert max(abs(snapped[0] - x), abs(snapped[1] - y)) <= 1
        was = whole.lattice.centre(hex_)
        assert x / was[0] == pytest.approx(small.lattice.along_px / whole.lattice.along_px)
    assert reduced(whole, 0) == (whole, ()) == reduced(whole, 1000)


def test_memory_is_asked_for_where_the_usual_does_not_do(monkeypatch):
    monkeypatch.setattr("exporters.vassal.big_boards.USUAL_HEAP_MB", 150)
    result = made(None)
    _, root = opened(result.files[0].data)
    asked = int(tagged(root, "GlobalOptions")[0].get("minMaxHeap"))
    assert [one.values["heap"] for one in result.hints] == [asked]
    monkeypatch.undo()
    _, root = opened(made(None).files[0].data)
    assert "minMaxHeap" not in tagged(root, "GlobalOptions")[0].attrib


def test_the_heap_is_what_the_engine_reckons():
    one = drawn_board(MapMaterial("m", board(*ROWS)), "B", "plain", 40)
    object.__setattr__(one, "size_px", (10_275, 6_675))
    assert heap_mb(one) == pytest.approx(584, abs=2)
