"""Set-ups become tables of who stands where, and positions where the game is known."""

import csv
import json

import pytest

from exporters.vassal.importing.module_import import import_module
from exporters.vassal.metadata import metadata
from exporters.vassal.saves.pieces import SavedPiece, Spot, read_piece
from exporters.vassal.saves.save_file import SavedGame, write_save
from rules.positions.position_file import parse_position
from tests.exporters.vassal.authored import (
    board,
    folder,
    given,
    hex_grid,
    palette,
    slot,
    tag,
    window,
    zone,
    zones,
)
from tests.exporters.vassal.importing.test_counters import file_of, marked, piece

GRID = hex_grid({"sep": "", "stagger": False}, x0=40, y0=50, dx=52, dy=60)
SIDES = {"a": "it", "b": "ah"}


def texts(side_of=SIDES):
    return {
        name: piece(name, marked(Side=side, Class="infantry"), image="", gpid=str(n))
        for n, (name, side) in enumerate(side_of.items(), start=1)
    }


def stack(*slots, **words):
    return tag("module.map.SetupStack", *slots, name="s", **words)


def saved(name, pieces, laid=(("Field", 0, 0),), others=()):
    """A set-up of the module, and the saved game that it begins with."""
    game = SavedGame("Authored", "1.2", "", {"Main": laid}, tuple(pieces), others=tuple(others))
    setup = tag("module.PredefinedSetup", name=name, file="begin.vsav", useFile=True)
    return setup, {"begin.vsav": write_save(game, metadata("1.2", "", "Authored"))}


def module(*inside, grid=GRID, more=(), files=(), stacks="", side_of=SIDES, **words):
    slots = [slot(text, gpid=str(n)) for n, text in enumerate(texts(side_of).values(), start=1)]
    main = window(board(grid), *more, inside=stacks, **words)
    return given(main, palette(folder("All", *slots)), *inside, files=files)


def placed(name, x, y, map_="Main", id_="7"):
    bare = read_piece(texts()[name])
    return SavedPiece(id_, bare.traits, Spot(map_, x, y), bare.gpid)


def table(found, path):
    rows = csv.DictReader(file_of(found, path).decode("utf-8-sig").splitlines())
    return {row["id"]: row["place"] for row in rows}


SETUP = "MainBoardPicker\tField\t0\t0"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        pytest.param({"x": 92, "y": 80}, "0201", id="pixels"),
        pytest.param({"x": 99, "y": 95}, "0201", id="beside the centre"),
        pytest.param(
            {"useGridLocation": True, "location": "0304", "x": 1, "y": 1}, "0304", id="by name"
        ),
        pytest.param({"x": 92, "y": 80, "owningBoard": "Field"}, "0201", id="of its board"),
        pytest.param({"x": 92, "y": 80, "owningBoard": "Gone"}, "0201", id="of no board"),
    ],
)
@pytest.mark.parametrize("setup", [SETUP, ""])
def test_stacks_at_start_stand_in_their_hexes(words, place, setup):
    inside = stack(slot(texts()["a"], gpid="1"), slot(texts()["b"], gpid="2"), **words)
    found = import_module(module(stacks=inside, setup=setup, edgeWidth=30, edgeHeight=20))
    assert table(found, "setups/at-start.csv") == {"a": place, "b": place}


def test_copies_have_numbers():
    inside = stack(*[slot(texts()["a"], gpid="1")] * 3, x=92, y=80)
    found = import_module(module(stacks=inside))
    assert list(table(found, "setups/at-start.csv")) == ["a", "a#2", "a#3"]


def test_a_saved_game_is_read_with_its_boards_and_edges():
    pieces = [
        placed("a", 30 + 92, 20 + 80, id_="1"),
        placed("b", 30 + 600 + 40, 20 + 50, id_="2"),
    ]
    setup, files = saved("Dawn: at 5", pieces, laid=(("Field", 0, 0), ("East", 1, 0)))
    east = board(GRID, name="East")
    found = import_module(module(setup, more=[east], files=files, edgeWidth=30, edgeHeight=20))
    assert table(found, "setups/dawn-at-5.csv") == {"a": "field:0201", "b": "east:0101"}
    (read,) = found.setups
    assert (read.name, len(read.standing)) == ("Dawn: at 5", 2)


def test_what_stands_on_no_hex_is_in_a_box_by_its_name():
    box = zone("Dead Pile", 300, 0, 600, 500, form="$name$")
    pieces = [placed("a", 400, 100, id_="1"), placed("b", 10, 10, "Other", id_="2")]
    setup, files = saved("Dusk", pieces)
    other = window(board("", name="Chart"), name="Other")
    found = import_module(module(setup, other, grid=zones(box, GRID), files=files))
    assert table(found, "setups/dusk.csv") == {"a": "box:dead-pile", "b": "box:other"}


def test_what_lies_in_decks_or_is_no_piece_of_the_module():
    strange = read_piece(piece("Stranger", image="", gpid="99"))
    pieces = [
        placed("a", 92, 80, id_="1"),
        placed("b", 92, 80, id_="2"),
        SavedPiece("3", strange.traits, Spot("Main", 40, 50), "99"),
    ]
    setup, files = saved("Noon", pieces)
    found = import_module(module(setup, files=files))
    assert table(found, "setups/noon.csv") == {"a": "0201", "b": "0201", "stranger": "0101"}
    setup, files = saved("Noon", pieces, others=["+/9/deck;x/Main;92;80;false;1,2"])
    found = import_module(module(setup, files=files))
    assert table(found, "setups/noon.csv") == {"stranger": "0101"}


def test_with_its_game_a_set_up_is_a_position():
    pieces = [placed("a", 92, 80, id_="1"), placed("b", 40, 50, id_="2")]
    setup, files = saved("Dawn", pieces)
    found = import_module(module(setup, files=files), game="strafexpedition")
    path = "setups/dawn.position.json"
    position = parse_position(file_of(found, path), path)
    assert {id_: one.place.at for id_, one in position.pieces.items()} == {"a": "0201", "b": "0101"}
    assert position.game == "strafexpedition"
    project = file_of(found, "project.toml").decode()
    assert 'game = "strafexpedition"' in project
    assert path in project


def test_sides_of_another_game_keep_the_table_and_say_why():
    inside = stack(slot(piece("a", marked(Side="red"), image=""), gpid="1"), x=92, y=80)
    found = import_module(module(stacks=inside, side_of={"a": "red"}), game="strafexpedition")
    assert table(found, "setups/at-start.csv") == {"a": "0201"}
    assert not [one for one in found.files if one.path.endswith(".position.json")]
    sides, hint = found.hints
    assert sides.key == "exporters.import.hint.other_sides"
    assert "stays a table" in hint.told
    assert "red" in hint.told
    assert "\n" not in hint.told


def test_of_many_bad_cells_the_first_is_told():
    side_of = {"a": "red", "b": "blue"}
    inside = [
        stack(slot(piece(name, marked(Side=side), image=""), gpid=str(n)), x=92, y=80)
        for n, (name, side) in enumerate(side_of.items(), start=1)
    ]
    found = import_module(module(stacks="".join(inside), side_of=side_of), game="strafexpedition")
    assert "2 bad cells: units!A2 (a): no side 'red'" in found.hints[-1].told


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "not in the module"),
        (b"no archive", "no whole zip archive"),
        (b"", "no whole zip archive"),
    ],
)
def test_a_set_up_that_does_not_read_is_told(data, why):
    setup = tag("module.PredefinedSetup", name="Broken", file="begin.vsav")
    files = {} if data is None else {"begin.vsav": data}
    found = import_module(module(setup, files=files))
    assert found.setups == ()
    assert "Broken" in found.lost[0].told
    assert why in found.lost[0].told


def test_menus_and_new_games_are_no_set_ups():
    menu = tag("module.PredefinedSetup", name="Menu", isMenu=True)
    new = tag("module.PredefinedSetup", name="New", useFile=False, file="x.vsav")
    assert import_module(module(menu, new)).lost == ()


def test_no_password_of_a_set_up_is_kept():
    game = SavedGame(
        "Authored", "1.2", boards={"Main": (("Field", 0, 0),)},
        pieces=(placed("a", 92, 80),), others=("PLAYER\thush\tAnna\tit", "NOTES\thush"),
    )  # fmt: skip
    setup = tag("module.PredefinedSetup", name="Dawn", file="begin.vsav")
    files = {"begin.vsav": write_save(game, metadata("1.2", "", "Authored"))}
    found = import_module(module(setup, files=files), game="strafexpedition")
    assert all(b"hush" not in one.data for one in found.files)
    assert json.loads(file_of(found, "module.json"))["files"]
