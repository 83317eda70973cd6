"""Sight in the module: every cell as the judge rules, every trait as the engine reads it."""

import itertools
import re
from importlib.resources import as_file, files

import pytest

from exporters.model import GivenFile
from exporters.vassal.module import MODULE, ModuleOptions
from exporters.vassal.saves.save_file import read_save
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from exporters.vassal.sight_expressions import (
    hover_expression,
    layer_expression,
    state_expression,
    text_expression,
)
from exporters.vassal.sight_module import tables
from exporters.vassal.sight_rows import ChosenLines, centre_of, packed, runs_of, sight_rows
from exporters.vassal.slots import Slots, slots_of
from exporters.vassal.standing import CONTROL, MARKER
from mapkit.hexes import ORIGIN, Hex, disc
from mapkit.maps import load_map
from mapkit.progress import ignore
from mapkit.sheets import crop, rectangle
from mapkit.sight import sight
from rules.judges.sight import SightJudge
from tests.boards import board
from tests.exporters.vassal.expressions import evaluate
from tests.exporters.vassal.test_module import opened, tagged

ROWS = (
    ".1 .1 w2 .1 .4 .1 .2",
    ".1 .3 w1 .1 .1 .1 .2",
    ".2 .2 .1 w3 .5 .1 .1",
    ".1 .2 .1 .1 .1 w2 ?",
    ".4 .2 .1 w3 .1 .1 .1",
)


def letter(rows, a, b):
    """Look a pair up as the engine does: by what the two rows say of themselves."""
    one, other = rows.rows[a], rows.rows[b]
    reach, width, centre = int(one[6:8]), int(one[8:11]), int(one[11:15])
    line, along = (int(other[at : at + 3]) - int(one[at : at + 3]) for at in (0, 3))
    if abs(line) > reach or abs(along) > reach:
        return "x"
    return one[centre + width * line + along]


def assert_ruled_alike(field, weather):
    rows, judge = sight_rows(field, weather), SightJudge(field, weather)
    found = set()
    for a, b in itertools.permutations(field.map.hexes, 2):
        verdict = judge.rule(a, b).verdict
        wanted = {"clear": "1", "blocked": "0", "unknown": "u", "out_of_range": "x"}[verdict]
        assert letter(rows, a, b) == wanted, (field.label(a), field.label(b), weather)
        found.add(wanted)
    return found


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_every_pair_is_answered_as_the_judge_rules(project, layout):
    (one,) = project(board(*ROWS, layout=layout)).maps.values()
    assert assert_ruled_alike(one.field, None) >= {"1", "0", "u"}
    assert "x" in assert_ruled_alike(one.field, "rain")


def test_who_may_look_from_a_drawn_place_does(project):
    with as_file(files("sample_maps") / "data" / "valley_guns.hexmap.json") as path:
        whole = load_map(path)
    judged = project(whole, "caporetto-1917").maps["field"].field
    lines = ChosenLines(judged)  # one for all weathers
    wanted = {"clear": "1", "blocked": "0", "unknown": "u"}
    differ = 0
    for weather, away in (("light_rain", 3), ("overcast", 5)):  # few lines to try
        judge = SightJudge(judged, weather)
        rows = sight_rows(judged, weather, lines)
        for place in whole.hexes:
            if not judge.may_choose_start(place):
                continue
            for other in disc(place, away):
                if other not in whole.hexes or other == place:
                    continue
                verdict = judge.rule(place, other).verdict
                assert letter(rows, place, other) == wanted.get(verdict, "x")
                differ += (
                    verdict == "clear" and sight(judge.ground, place, other).verdict != verdict
                )
    assert differ, "nobody saw more than from his centre"


@pytest.mark.parametrize("reach", [1, 2, 6, 10, 13, 20])
def test_the_layers_show_every_displacement_once(reach):
    width, shown = 2 * reach + 1, []
    for run in runs_of(reach):
        assert 1 <= run.length <= 7
        assert run.position == centre_of(reach) + width * run.line + run.along
        shown += [Hex(run.line, run.along + step) for step in range(run.length)]
    assert sorted(shown) == sorted(disc(ORIGIN, reach))


def depth(text):
    """Return how deep brackets stand in brackets, calls included; texts in quotes left out."""
    deepest = level = 0
    for sign in re.sub(r'"[^"]*"', "", text):
        level += (sign == "(") - (sign == ")")
        deepest = max(deepest, level)
    assert level == 0
    return deepest


def test_expressions_stay_flat_and_whole():
    """The engine doubles its work with every bracket inside a bracket."""
    for text in (
        state_expression(),
        text_expression(),
        hover_expression(),
        layer_expression("Sight_|", 31, 7),
    ):
        assert depth(text) <= 6
        assert ";" not in text
        bare = re.sub(r'"[^"]*"', "", text)
        assert bare.count("?") == bare.count(":")


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_the_module_holds_tables_pieces_and_pictures(project, layout):
    result = MODULE.render(project(board(*ROWS, layout=layout)), ModuleOptions(), ignore)
    archive, root = opened(result.files[0].data)
    rows = {one.get("name") for one in tagged(root, "Message")}
    kinds = {name.split("|")[0] for name in rows if not name.startswith("SightSays_")}
    assert kinds == {"Terrain", "Title", "Sight_"}
    slots = tagged(root, ".PieceSlot")
    gpids = [int(slot.get("gpid")) for slot in slots]
    assert len(set(gpids)) == len(gpids)
    assert int(root.get("nextPieceSlotId")) > max(gpids)
    pictures = set(re.findall(r"[\w-]+\.png", "".join(slot.text for slot in slots)))
    assert {f"images/{name}" for name in pictures} <= set(archive.namelist())
    tags = [child.tag for child in root]
    assert tags.index("VASSAL.build.module.BasicCommandEncoder") < min(
        at for at, tag in enumerate(tags) if tag.endswith("PieceWindow")
    )


def test_units_of_a_set_up_are_what_the_palette_makes(project, unpainted):
    """Else one could ask "seen?" of a counter from the palette, and of none that a scenario set.

    Markers that a scenario lays can be asked too.
    """
    given = project(board(*ROWS), counters=True)
    archive, root = opened(unpainted(given, sight=True).files[0].data)
    slots, met = Slots(root), 0
    for setup in (one.get("file") for one in tagged(root, "PredefinedSetup")):
        game = read_save(GivenFile("x.vsav", archive.read(setup))) if setup else None
        for piece in game.pieces if game else ():
            assert any("mapkitSeen" in one.type for one in piece.traits), piece.name
            made = slots.unit(piece.marks().get("Id", ""))
            if made is not None:
                assert [one.type for one in piece.traits] == [one.type for one in made.traits]
                met += 1
    assert met > 500


def test_markers_of_the_game_can_be_asked_too(project, unpainted):
    _, root = opened(unpainted(project(board(*ROWS), counters=True), sight=True).files[0].data)
    markers = [one for one in slots_of(root) if {MARKER, CONTROL} & one.marks().keys()]
    assert markers
    for one in markers:
        assert any(trait.type.startswith("prototype;") for trait in one.traits), one.name


def test_every_verdict_has_its_words_in_the_module(project, unpainted):
    _, root = opened(unpainted(project(board(*ROWS)), sight=True).files[0].data)
    known = {one.get("name"): one.get("initialValue") for one in tagged(root, "Message")}
    known |= {"SightFrom": "0101"}
    said = {one: evaluate(text_expression(), known | {"SightState": one}) for one in "10xu?"}
    assert said == {
        "1": "seen from 0101",
        "0": "not seen from 0101",
        "x": "out of range of 0101",
        "u": "nobody can tell, for the map or the rules lack something: from 0101",
        "?": "no table knows this hex or that of the observer: 0101",
    }
    nobody = evaluate(text_expression(), known | {"SightFrom": ""})
    assert nobody == "no observer stands anywhere"


def test_every_piece_decodes_and_encodes_again(project):
    result = MODULE.render(project(board(*ROWS)), ModuleOptions(), ignore)
    _, root = opened(result.files[0].data)
    texts = [one.text for one in (*tagged(root, ".PieceSlot"), *tagged(root, "Definition"))]
    assert texts
    for text in texts:
        sign, id_, types, states = split("/", text)
        assert (sign, id_) == ("+", "null")
        traits, conditions = unnest(TAB, types), unnest(TAB, states)
        assert len(traits) == len(conditions)
        assert traits[-1].startswith("piece;")
        assert join("/", [sign, id_, nest(TAB, traits), nest(TAB, conditions)]) == text
        assert all(split(";", one)[0] in KNOWN for one in traits)


KNOWN = {
    "nonRect2", "emb2", "report", "mark", "immob", "delete", "setprop", "prototype", "piece",
    "label", "calcProp", "macro",
}  # fmt: skip


def told(map_, rows, window, pieces=()):
    """Return what the engine knows: the rows of a board, and the properties of a piece."""
    known = {f"Sight_|{window}|{window}|{map_.label(hex_)}": row for hex_, row in rows.rows.items()}
    return known | dict(pieces)


def test_what_the_engine_works_out_is_what_the_judge_rules(project):
    """The expressions themselves, put to a reader of the engine's language."""
    (one,) = project(board(*ROWS)).maps.values()
    map_, rows, judge = one.map, sight_rows(one.field, None), SightJudge(one.field, None)
    observer = map_.hex("0303")
    known = told(map_, rows, "Field") | {
        "SightFrom": map_.label(observer),
        "SightTable": "Sight_|Field|Field|",
        "CurrentMap": "Field",
        "CurrentBoard": "Field",
    }
    letters = {"clear": "1", "blocked": "0", "unknown": "u", "out_of_range": "x"}
    handed = ("LocationName", "CurrentMap", "CurrentBoard")
    seen = set()
    for hex_ in map_.hexes:
        if hex_ == observer:
            continue
        here = known | {"LocationName": map_.label(hex_)}
        verdict = judge.rule(observer, hex_).verdict
        assert evaluate(state_expression(), here) == letters[verdict]
        said = evaluate(hover_expression(), here, handed)
        assert ("· seen from 0303" in said) == (verdict == "clear")
        seen.add(verdict)
    assert seen >= {"clear", "blocked"}


@pytest.mark.parametrize(
    ("window", "board_name"), [("Guns", "Field"), ("Field", "Guns"), ("The Field", "Field")]
)
def test_an_observer_says_nothing_of_another_board_with_the_same_labels(window, board_name):
    row = "500500" + "01" + "003" + "0019" + "111111111"
    rows = {f"Sight_|{place}|0101": row for place in ("Field|Field", f"{window}|{board_name}")}
    rows[f"Terrain|{window}|{board_name}|0101"] = "woods"
    asked = {"SightFrom": "0101", "SightTable": "Sight_|Field|Field|", "LocationName": "0101"}
    known = rows | asked
    here = known | {"CurrentMap": "Field", "CurrentBoard": "Field"}
    there = known | {"CurrentMap": window, "CurrentBoard": board_name}
    assert (evaluate(state_expression(), here), evaluate(state_expression(), there)) == ("1", "?")
    handed = ("LocationName", "CurrentMap", "CurrentBoard")
    assert "seen from" in evaluate(hover_expression(), here, handed)
    assert evaluate(hover_expression(), there, handed) == "0101  woods"


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_every_weather_is_read_out_of_the_same_row(project, layout):
    """Questions, and the layers of the field of view; the reach of each weather is another."""
    (one,) = project(board(*ROWS, layout=layout)).maps.values()
    found = list(tables(one.field))
    together, observer = packed(found), one.map.hex("0303")
    assert len({each.reach for each in found}) > 1
    letters = {"clear": "1", "blocked": "0", "unknown": "u", "out_of_range": "x"}
    known = told(one.map, together, "Field", {"CurrentMap": "Field", "CurrentBoard": "Field"})
    known |= {"SightFrom": "0303", "SightTable": "Sight_|Field|Field|"}
    answers = []
    for number, each in enumerate(found):
        judge = SightJudge(one.field, each.weather)
        asked = known | {"SightShift": str(together.shift(number))}
        seen = 0
        for hex_ in one.map.hexes:
            verdict = judge.rule(observer, hex_).verdict
            here = asked | {"LocationName": one.map.label(hex_)}
            assert evaluate(state_expression(), here) == letters[verdict]
            seen += verdict == "clear"
        answers.append(seen)
        here = asked | {"LocationName": "0303"}
        layers = (
            layer_expression("Sight_|", run.position, run.length)
            for run in runs_of(each.reach, together, number)
        )
        assert sum(evaluate(layer, here).bit_count() for layer in layers) == seen
    assert len(set(answers)) > 1


def test_a_field_of_view_is_shown_on_its_own_board_only(project):
    (one,) = project(board(*ROWS)).maps.values()
    rows = sight_rows(one.field, None)
    known = told(one.map, rows, "Field", {"LocationName": "0303", "CurrentBoard": "Field"})
    layers = [layer_expression("Sight_|", run.position, run.length) for run in runs_of(rows.reach)]
    here, there = (
        [evaluate(layer, known | {"CurrentMap": name}) for layer in layers]
        for name in ("Field", "Guns")
    )
    seen = rows.rows[one.map.hex("0303")][15:].count("1")
    assert sum(level.bit_count() for level in here) == seen > 0
    assert set(there) == {0}


def test_a_game_without_a_rule_of_sight_says_so(project):
    result = MODULE.render(project(board(*ROWS), "custoza"), ModuleOptions(), ignore)
    assert "exporters.vassal.lost.no_sight" in [lost.key for lost in result.dropped]
    _, root = opened(result.files[0].data)
    assert not tagged(root, ".PieceSlot")


def test_sight_can_be_left_out(project):
    options = ModuleOptions(sight=False)
    _, root = opened(MODULE.render(project(board(*ROWS)), options, ignore).files[0].data)
    assert not [one for one in tagged(root, "Message") if one.get("name").startswith("Sight")]


def test_a_part_of_a_sample_is_answered_alike(project):
    with as_file(files("sample_maps") / "data" / "alpine.hexmap.json") as path:
        whole = load_map(path)
    part = crop(whole, rectangle(whole, whole.hex("1540"), whole.hex("2247")))
    (one,) = project(part).maps.values()
    assert_ruled_alike(one.field, "overcast")
