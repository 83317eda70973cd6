"""Scenarios as set-ups: every unit stands where the position says, as the engine reads it."""

import io
import math
import zipfile
from dataclasses import replace
from itertools import count

import pytest
from PIL import Image

import sample_maps
from counters.drawing import load_counter_style
from exporters.material import CounterMaterial, MapMaterial, Material
from exporters.model import ExportError, GivenFile
from exporters.vassal.board_elements import board_element, engine_centres
from exporters.vassal.boards import Board, fitted_lattice
from exporters.vassal.obfuscation import unveil
from exporters.vassal.saves.command_tree import leaves
from exporters.vassal.saves.save_file import read_save
from exporters.vassal.sequence import split
from exporters.vassal.standing import control_of, in_state, marker_state_of, untold
from mapkit.drawing.frame import Frame
from mapkit.numbering import Axis, Numbering
from mapkit.texts import speaking
from rules.positions.set_up import begin_from
from rules.registry import find_pack
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.scenario_words import told_place, told_turn
from rules.scenarios.unit_tables import unit_counters
from sample_maps.places.valley import FROM_SOUTH
from tests.boards import board
from tests.exporters.vassal.engine import read_board, zone_at
from tests.exporters.vassal.test_module import ROWS, opened, tagged

SOUTH = "valley from the south"
PLAYED = {
    "strafexpedition": "alpine",
    "custoza": "hills",
    "durchbruch": "valley",
    "caporetto-1917": SOUTH,
    "caporetto-front": "front",
}


def material(game, *maps):
    pack = find_pack(game)
    scenarios = scenarios_of(pack)
    pieces = CounterMaterial(
        unit_counters(scenarios, "all"),
        load_counter_style("classic"),
        {id_: side.title for id_, side in pack.sides.items()},
        {id_: one.title for id_, one in scenarios.formations.items()},
    )
    named = {f"map{number}": one for number, one in enumerate(maps, start=1)}
    return Material(
        "Try", {id_: MapMaterial(id_, map_) for id_, map_ in named.items()}, pack, pieces
    )


def sample(name):
    if name == SOUTH:
        return replace(sample_maps.load("valley"), numbering=FROM_SOUTH)
    return sample_maps.load(name)


class Played:
    """A module with its set-ups, read as the engine reads them."""

    def __init__(self, given, result):
        self.pack, self.result = given.pack, result
        self.scenarios = scenarios_of(given.pack)
        self.data = result.files[0].data
        self.archive, self.root = opened(self.data)
        self.windows = {
            one.get("mapName"): {
                board.get("name"): board for board in tagged(one, "boardPicker.Board")
            }
            for one in tagged(self.root, "module.Map")
        }
        self.grounds = {
            (one.map.title or one.id): read_board(self.board(one), self.size(self.board(one)))
            for one in given.maps.values()
        }

    def board(self, one):
        (found,) = self.windows[one.map.title or one.id].values()
        return found

    def size(self, board_):
        with Image.open(io.BytesIO(self.archive.read(f"images/{board_.get('image')}"))) as image:
            return image.size

    def setups(self):
        return [one for one in tagged(self.root, "PredefinedSetup") if one.get("file")]

    def file(self, scenario):
        titles = [one.file.title for one in self.scenarios.scenarios]
        setup = self.setups()[titles.index(scenario.file.title)]
        return self.archive.read(setup.get("file"))

    def save(self, scenario):
        return read_save(GivenFile("setup.vsav", self.file(scenario)))

    def commands(self, scenario):
        with zipfile.ZipFile(io.BytesIO(self.file(scenario))) as archive:
            return list(leaves(unveil(archive.read("savedGame"))))

    def place(self, game, piece):
        """Return window and place of a piece in a saved game."""
        window = piece.spot.map
        at = (piece.spot.x, piece.spot.y)
        if window in self.grounds:
            ground = self.grounds[window]
            assert ground.snap(*at) == at  # the engine would not move it
            return window, ground.label(*at)
        ((name, column, row),) = game.boards[window]
        assert (column, row) == (0, 0)
        return window, zone_at(self.windows[window][name], *at)


@pytest.fixture(scope="module", params=PLAYED)
def played(request, unpainted):
    given = material(request.param, sample(PLAYED[request.param]))
    return Played(given, unpainted(given))


def units(game):
    return {one.marks()["Id"]: one for one in game.pieces if "Id" in one.marks()}


def test_every_scenario_is_there_in_its_order(played):
    titles = [one.file.title for one in played.scenarios.scenarios]
    assert [one.get("name") for one in played.setups()] == titles
    (menu,) = {one.getparent() for one in played.setups()}
    assert menu.get("isMenu") == "true"
    files = [one.get("file") for one in played.setups()]
    assert len(set(files)) == len(files)
    assert all(name in played.archive.namelist() and "/" not in name for name in files)


def test_every_unit_stands_where_the_scenario_says(played):
    for scenario in played.scenarios.scenarios:
        position, game = begin_from(played.pack, scenario.id), played.save(scenario)
        laid = units(game)
        assert set(laid) == set(position.pieces), scenario.id
        for id_, unit in position.pieces.items():
            window, place = played.place(game, laid[id_])
            side = played.pack.sides[unit.unit.side].title
            if unit.place.kind == "hex":
                assert place == unit.place.at
            elif unit.place.kind == "unplaced":
                words = told_place(played.scenarios, scenario, unit.placement)
                assert window == "Set-up tray"
                begun, _, rest = place.partition(": ")
                assert begun.startswith(f"{side} ")
                assert words.startswith(rest.removesuffix(" …"))
            else:
                assert window == "Reinforcements"
                assert place == f"{side}: {told_turn(scenario, unit.due)}"


def test_every_unit_is_in_the_state_of_the_scenario(played):
    for scenario in played.scenarios.scenarios:
        position, game = begin_from(played.pack, scenario.id), played.save(scenario)
        for id_, laid in units(game).items():
            assert in_state(laid.traits, position.pieces[id_])[:-1] == laid.traits[:-1]
            assert untold(laid.traits, position.pieces[id_]) == ()
            assert not [one for one in laid.traits if one.type.startswith("prototype;")]


def test_every_marker_lies_at_its_hex_or_on_its_hexside(played):
    (ground,) = played.grounds.values()
    for scenario in played.scenarios.scenarios:
        position, game = begin_from(played.pack, scenario.id), played.save(scenario)
        laid = [one for one in game.pieces if "Id" not in one.marks()]
        shown = []
        for piece in laid:
            at, state = (piece.spot.x, piece.spot.y), marker_state_of(piece.traits)
            held = control_of(piece.traits)
            if state is None:
                shown.append(("control", ground.label(*ground.snap(*at)), held, None))
            elif state.kind == "blown_bridge":
                shown.append((state.kind, hexside_at(ground, *at), state.side, state.n))
            else:
                place = ground.label(*ground.snap(*at))
                shown.append((state.kind, place, state.side, state.n))
        wanted = [(one.kind, one.at, one.side, one.n) for one in position.markers]
        wanted += [("control", label, side, None) for label, side in position.control.items()]
        assert sorted(shown, key=str) == sorted(wanted, key=str)
        stacked = {id_ for stack in game.stacks for id_ in stack.members}
        assert stacked.isdisjoint(one.id for one in laid)


def hexside_at(ground, x, y):
    """Return the two hexes nearest to a point, which lies between them."""
    around = {
        ground.snap(x + round(40 * math.cos(turn)), y + round(40 * math.sin(turn)))
        for turn in (math.tau * step / 24 for step in range(24))
    }
    near = sorted(around, key=lambda at: math.dist(at, (x, y)))
    off = [math.dist(at, (x, y)) for at in near]
    assert off[1] - off[0] <= 2 < off[2] - off[1]
    return "/".join(sorted(ground.label(*at) for at in near[:2]))


def test_units_of_one_hex_lie_in_one_stack_and_all_others_alone(played):
    for scenario in played.scenarios.scenarios:
        game = played.save(scenario)
        pieces = {one.id: one for one in game.pieces}
        assert len(pieces) == len(game.pieces)
        stacked = [id_ for stack in game.stacks for id_ in stack.members]
        assert len(set(stacked)) == len(stacked)
        assert set(units(game)) <= {pieces[id_].marks().get("Id") for id_ in stacked}
        for stack in game.stacks:
            assert {pieces[id_].spot for id_ in stack.members} == {stack.spot}
        spots = [(stack.spot, stack.layer) for stack in game.stacks]
        assert len(set(spots)) == len(spots)
        assert {one.id for one in game.stacks}.isdisjoint(pieces)


def test_every_window_has_a_board_in_every_save(played):
    for scenario in played.scenarios.scenarios:
        game = played.save(scenario)
        assert set(game.boards) == set(played.windows)
        for window, laid in game.boards.items():
            assert {name for name, _, _ in laid} <= set(played.windows[window])


def test_pieces_of_a_save_are_those_of_the_palette(played):
    gpids = {one.get("gpid"): one.get("entryName") for one in tagged(played.root, ".PieceSlot")}
    for scenario in played.scenarios.scenarios:
        for piece in played.save(scenario).pieces:
            assert gpids[piece.gpid] == piece.name


def test_the_tracker_stands_at_the_first_turn(played):
    levels = tagged(played.root, "TurnLevel")
    for scenario in played.scenarios.scenarios:
        ((tracker, state),) = played.save(scenario).turns.items()
        assert tracker == "TurnTracker0"
        level, first = split("|", state)
        assert (level, split(";", first)[:4]) == ("0", ["1", "0", "false", "-1"])
        if len(levels) == 2:
            at, below, begin, active = split(";", split(";", first)[4])
            assert (at, below, begin) == ("0", "0", "0")
            assert active.split(",") == ["true"] * len(split(",", levels[1].get("list")))


def test_the_notes_name_the_scenario_and_its_special_rules(played):
    for scenario in played.scenarios.scenarios:
        (notes,) = [one for one in played.commands(scenario) if one.startswith("NOTES\t")]
        lines = split("|", notes.removeprefix("NOTES\t"))
        assert scenario.file.title in lines[0]
        assert all(any(rule.cite in line for line in lines) for rule in scenario.file.special)


def test_twice_the_same_bytes(played, unpainted):
    given = material(played.pack.id, sample(PLAYED[played.pack.id]))
    assert unpainted(given).files[0].data == played.data


def test_a_hex_that_no_map_has_puts_the_unit_into_the_tray(unpainted):
    given = material("durchbruch", board(*ROWS))
    result = unpainted(given)
    played = Played(given, result)
    (scenario,) = played.scenarios.scenarios
    position, game = begin_from(given.pack, scenario.id), played.save(scenario)
    known = {given.maps["map1"].map.label(hex_) for hex_ in given.maps["map1"].map.hexes}
    stray = {
        id_: unit
        for id_, unit in position.pieces.items()
        if unit.place.kind == "hex" and unit.place.at not in known
    }
    assert stray
    for id_, unit in stray.items():
        side = given.pack.sides[unit.unit.side].title
        place = played.place(game, units(game)[id_])
        assert place == ("Set-up tray", f"{side}: Not on this map")
    (told,) = [one for one in result.dropped if one.key == "exporters.vassal.lost.stray"]
    assert told.values["n"] == len(stray)
    assert told.values["label"] in {unit.place.at for unit in stray.values()}


def test_of_two_maps_each_unit_stands_on_the_one_that_has_its_hex(unpainted):
    whole = sample("valley")
    west = {hex_: one for hex_, one in whole.hexes.items() if whole.label(hex_) < "33"}
    east = {hex_: one for hex_, one in whole.hexes.items() if hex_ not in west}
    halves = [
        replace(whole, hexes=half, hexsides={}, links={}, title=title)
        for half, title in ((west, "West"), (east, "East"))
    ]
    given = material("durchbruch", *halves)
    played = Played(given, unpainted(given))
    (scenario,) = played.scenarios.scenarios
    position, game = begin_from(given.pack, scenario.id), played.save(scenario)
    for id_, unit in position.pieces.items():
        if unit.place.kind == "hex":
            window = "West" if unit.place.at < "33" else "East"
            assert played.place(game, units(game)[id_]) == (window, unit.place.at)


def test_a_hex_of_two_maps_is_taken_from_the_first_and_told(unpainted):
    given = material("durchbruch", *(replace(sample("valley"), title=name) for name in "AB"))
    result = unpainted(given)
    played = Played(given, result)
    (scenario,) = played.scenarios.scenarios
    position, game = begin_from(given.pack, scenario.id), played.save(scenario)
    placed = [id_ for id_, unit in position.pieces.items() if unit.place.kind == "hex"]
    assert {units(game)[id_].spot.map for id_ in placed} == {"A"}
    (told,) = [one for one in result.hints if one.key.endswith("several_maps")]
    assert (told.values["n"], told.values["map"]) == (len(placed), "A")


def test_no_two_windows_bear_one_name(unpainted):
    titles = ("Set-up tray", "Plain", "Plain")
    maps = [replace(board(*ROWS), title=title) for title in titles]
    _, root = opened(unpainted(material("durchbruch", *maps)).files[0].data)
    names = [one.get("mapName") for one in tagged(root, "module.Map")]
    assert len(set(names)) == len(names) == 6
    assert {"Set-up tray", "Set-up tray (map1)", "Plain (map2)", "Plain (map3)"} <= set(names)


def bare(map_):
    """Return a map as a board whose picture nobody looks at."""
    frame = Frame.around(map_, hex_px=72, margin=1.0)
    lattice, _ = fitted_lattice(frame.grid, map_)
    return Board("m", map_, b"", ".png", (frame.width_px, frame.height_px), lattice)


@pytest.mark.parametrize("name", sample_maps.names())
def test_the_engine_knows_every_hex_where_pieces_are_set(name):
    made = bare(sample(name))
    element, _, _ = board_element(made, "m.png")
    reader = read_board(element, made.size_px)
    for hex_, at in engine_centres(made).items():
        assert reader.snap(*at) == at
        assert reader.label(*at) == made.map.label(hex_)


def test_hexes_that_are_named_points_are_set_there():
    letters = Numbering("columns", columns=Axis(first=24, letters="AA AB"))
    made = bare(replace(board(". . . . .", ". . . . ."), numbering=letters))
    element, _, _ = board_element(made, "m.png")
    regions = {
        one.get("name"): (int(one.get("originx")), int(one.get("originy")))
        for one in tagged(element, ".Region")
    }
    found = {made.map.label(hex_): at for hex_, at in engine_centres(made).items()}
    assert found == regions
    assert len(regions) == 10


def test_only_the_scenario_that_is_named(unpainted):
    given = material("strafexpedition", board(*ROWS))
    played = Played(given, unpainted(given, scenario="s3"))
    assert [one.get("file") for one in played.setups()] == ["setup-s3.vsav"]
    with pytest.raises(ExportError, match="has no scenario 's9'"):
        unpainted(given, scenario="s9")


@pytest.mark.parametrize("language", ["de", "it"])
def test_titles_and_windows_are_in_the_language_of_the_export(unpainted, language):
    given = material("strafexpedition", board(*ROWS))
    with speaking(language):
        played = Played(given, unpainted(given))
    names = {"de": {"Aufstellung", "Verstärkungen", "Ablagen"}}
    names["it"] = {"Schieramento", "Rinforzi", "Caselle"}
    assert names[language] <= set(played.windows)
    assert "Scenarios" not in [one.get("name") for one in tagged(played.root, "PredefinedSetup")]


def test_a_title_with_a_slash_is_no_board_that_is_turned(unpainted):
    given = material("durchbruch", replace(sample("valley"), title="Isonzo/rev"))
    played = Played(given, unpainted(given))
    (scenario,) = played.scenarios.scenarios
    assert played.save(scenario).boards["Isonzo/rev"] == (("Isonzo/rev", 0, 0),)
    (setup,) = [one.text for one in tagged(played.root, "setup") if "Isonzo" in one.text]
    assert setup == "Isonzo/revBoardPicker\tIsonzo\\/rev\t0\t0"


def test_a_map_without_a_game_has_no_set_ups(unpainted):
    given = Material("Bare", {"m": MapMaterial("m", board(*ROWS))})
    _, root = opened(unpainted(given).files[0].data)
    assert tagged(root, "PredefinedSetup") == []
    assert len(tagged(root, "module.Map")) == 1


def test_ids_count_up(played):
    for scenario in played.scenarios.scenarios:
        game = played.save(scenario)
        numbers = [one.id for one in (*game.pieces, *game.stacks)]
        assert numbers == [str(n) for n, _ in zip(count(1), numbers, strict=False)]
