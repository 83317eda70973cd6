"""Saved games and logs on the command line: positions in and out, one line for what fails."""

import io
import json
import zipfile
from dataclasses import replace

import pytest

from counters.units_table import dump_units
from exporters.vassal.binding_file import FILE, dump_binding
from exporters.vassal.games.position_written import write_position
from exporters.vassal.metadata import metadata
from exporters.vassal.obfuscation import unveil, veil
from exporters.vassal.saves.save_file import write_save
from exporters.vassal.sequence import ESC
from mapkit.maps import save_map
from rules.positions.position import Clock, Piece, Place, Position
from rules.positions.position_store import load_position, save_position
from tests.exporters.vassal.foreign_modules import pack
from tests.exporters.vassal.games.small_modules import (
    GAME,
    MAP,
    UNITS,
    module_root,
    packed,
    small_known,
    small_module,
)

SCENE = Position(
    GAME,
    clock=Clock(3, "8", "C"),
    pieces={
        "it-1": Piece(UNITS[0], Place("hex", "0203"), {"disorganization": 2}, 1),
        "it-2": Piece(UNITS[1], Place("hex", "0203")),
        "ah-1": Piece(UNITS[4], Place("box", "eliminated")),
    },
)


@pytest.fixture
def game(tmp_path, mapkit_cli):
    """A project with units on the disk, its module, and a saved game of a scene."""
    save_map(tmp_path / "field.hexmap.json", MAP)
    folder = tmp_path / "small"
    words = ("--name", "Small", "--game", GAME, "--map", tmp_path / "field.hexmap.json")
    assert mapkit_cli("project", "new", folder, *words).exit_code == 0
    (folder / "units.csv").write_bytes(dump_units(UNITS))
    file = folder / "project.toml"
    file.write_text(
        file.read_text("utf-8").replace("[[maps]]", 'units = ["units.csv"]\n\n[[maps]]', 1)
    )
    (tmp_path / "small.vmod").write_bytes(packed(module_root()))
    module = small_module()
    made = write_position(SCENE, small_known(module), module)
    data = write_save(made.game, metadata("1.2", "", "Small"))
    (tmp_path / "evening.vsav").write_bytes(data)
    return tmp_path


def log_of(save, *steps):
    """Return a saved game with steps behind it, each a list of commands."""
    with zipfile.ZipFile(io.BytesIO(save)) as archive:
        text = unveil(archive.read("savedGame"))
        about = archive.read("moduledata")
    nested = [f"\\{ESC}".join(f"LOG\t{one}" for one in step) for step in steps]
    return pack({"savedGame": veil(ESC.join([text, *nested])), "moduledata": about})


def imported(cli, game, file="evening.vsav", *more, noun="vsav", out="out.position.json"):
    words = ("--project", game / "small", "--module", game / "small.vmod", "-o", game / out)
    return cli("import", noun, game / file, *words, *more)


def test_a_saved_game_becomes_a_position(game, mapkit_cli):
    done = imported(mapkit_cli, game)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "wrote" in done.stdout
    position = load_position(game / "out.position.json")
    assert position.clock == SCENE.clock
    assert position.pieces.keys() == SCENE.pieces.keys()
    for id_, piece in SCENE.pieces.items():
        found = position.pieces[id_]
        assert (found.place, found.statuses) == (piece.place, piece.statuses)
        assert found.steps_lost == piece.steps_lost
    again = imported(mapkit_cli, game)
    assert again.exit_code == 1
    assert "--force" in again.stderr
    assert imported(mapkit_cli, game, "evening.vsav", "--force").exit_code == 0


def test_json_tells_what_was_not_read(game, mapkit_cli):
    root = module_root()
    for one in root.iter("VASSAL.build.widget.PieceSlot"):
        if one.get("entryName") == "1/it":
            one.text = one.text.replace("it-1", "it-unknown")
    (game / "small.vmod").write_bytes(packed(root))
    data = (game / "evening.vsav").read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = unveil(archive.read("savedGame")).replace("it-1", "it-unknown")
    (game / "odd.vsav").write_bytes(pack({"savedGame": veil(text)}))
    done = imported(mapkit_cli, game, "odd.vsav", "--json")
    told = json.loads(done.stdout)
    assert (told["units"], told["turn"], told["phase"], told["steps"]) == (2, 3, "8", 0)
    (only,) = told["untold"]
    assert (only["what"], only["name"], only["gpid"], only["n"]) == ("stranger", "1/it", "1", 1)
    assert only["text"] in done.stderr


def test_a_kept_binding_needs_no_module(game, mapkit_cli):
    words = ("--project", game / "small", "-o", game / "out.position.json")
    done = mapkit_cli("import", "vsav", game / "evening.vsav", *words)
    assert done.exit_code == 1
    assert "--module" in done.stderr
    binding = small_known(small_module()).binding
    (game / "small" / FILE).write_bytes(dump_binding(binding))
    assert mapkit_cli("import", "vsav", game / "evening.vsav", *words).exit_code == 0
    assert load_position(game / "out.position.json").pieces.keys() == SCENE.pieces.keys()


def test_a_log_becomes_a_position_for_each_step_that_changes_something(game, mapkit_cli):
    steps = [
        ["CHAT hello"],
        ["M/2/Field/225/228/null/Field/1/1/null/hush", "CHAT moved"],
        ["TURNTurnTracker0\t0|4;0;false;-1;0\\;0\\;0\\;true"],
        ["-/3"],
    ]
    (game / "game.vlog").write_bytes(log_of((game / "evening.vsav").read_bytes(), *steps))
    done = imported(mapkit_cli, game, "game.vlog", noun="vlog", out="log")
    assert done.exit_code == 0
    names = sorted(path.name for path in (game / "log").iterdir())
    numbers = [0, 2, 3, 4]
    assert names == ["changes.txt", *(f"step-{n:04d}.position.json" for n in numbers)]
    text = (game / "log" / "changes.txt").read_text("utf-8")
    assert "it-1 place: 0203 → 0303" in text
    assert "clock turn: 3 → 4" in text
    assert "it-2 place: 0203 → nothing" in text
    assert "it-1 place: 0203 → 0303" in done.stdout
    assert "hush" not in text + done.stdout + done.stderr
    last = load_position(game / "log" / "step-0004.position.json")
    assert (last.pieces.keys(), last.clock.turn) == ({"it-1", "ah-1"}, 4)
    first = imported(mapkit_cli, game, "game.vlog")
    assert "4 steps follow" in first.stderr
    assert load_position(game / "out.position.json").clock.turn == 3


def test_a_log_without_its_module_writes_nothing(game, mapkit_cli):
    words = ("--project", game / "small", "-o", game / "log")
    done = mapkit_cli("import", "vlog", game / "evening.vsav", *words)
    assert (done.exit_code, "--module" in done.stderr) == (1, True)
    assert not (game / "log").exists()


def test_a_position_goes_on(game, mapkit_cli):
    later = {"ah-2": Piece(UNITS[5], Place("off_map"), due=5)}
    before = replace(SCENE, weather="clear", pieces={**SCENE.pieces, **later})
    gone = {"it-4": Piece(UNITS[3], Place("hex", "0101"))}
    save_position(game / "before.position.json", replace(before, pieces=before.pieces | gone))
    done = imported(mapkit_cli, game, "evening.vsav", "--onto", game / "before.position.json")
    assert "it-4" in done.stderr
    assert load_position(game / "out.position.json") == before
    save_position(game / "other.position.json", replace(before, game="custoza"), force=True)
    done = imported(
        mapkit_cli, game, "evening.vsav", "--force", "--onto", game / "other.position.json"
    )
    assert (done.exit_code, "custoza" in done.stderr) == (1, True)


def test_a_position_becomes_a_saved_game_and_comes_back(game, mapkit_cli):
    save_position(game / "small" / "scene.position.json", SCENE)
    words = ("--module", game / "small.vmod", "-o", game / "back.vsav")
    done = mapkit_cli("export", "vsav", game / "small" / "scene.position.json", *words, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "written": str(game / "back.vsav"),
        "pieces": 3,
        "lost": [],
    }
    with zipfile.ZipFile(game / "back.vsav") as archive:
        assert archive.read("moduledata") == metadata("1.2", "", "Small")
    assert (game / "back.vsav").read_bytes() == (game / "evening.vsav").read_bytes()
    again = mapkit_cli("export", "vsav", game / "small" / "scene.position.json", *words)
    assert (again.exit_code, "--force" in again.stderr) == (1, True)
    setups = game / "small" / "setups"
    setups.mkdir()
    save_position(setups / "scene.position.json", SCENE)  # where an import puts them
    within = mapkit_cli("export", "vsav", setups / "scene.position.json", *words, "--force")
    assert within.exit_code == 0, within.stderr
    save_position(game / "far.position.json", SCENE)
    far = mapkit_cli("export", "vsav", game / "far.position.json", *words, "--force")
    assert (far.exit_code, "project" in far.stderr) == (1, True)
    named = ("--project", game / "small", "--force")
    assert mapkit_cli("export", "vsav", game / "far.position.json", *words, *named).exit_code == 0


def test_a_marker_of_the_projects_tables_is_no_stranger(game, mapkit_cli):
    """Also with a game, whose pack lists units only."""
    (game / "small" / "markers.csv").write_text("id,name\nvp,VP\n")
    file = game / "small" / "project.toml"
    file.write_text(
        file.read_text("utf-8").replace('["units.csv"]', '["units.csv", "markers.csv"]')
    )
    data = retold((game / "evening.vsav").read_bytes(), "it-1", "vp")
    (game / "odd.vsav").write_bytes(data)
    (only,) = json.loads(imported(mapkit_cli, game, "odd.vsav", "--json").stdout)["untold"]
    assert (only["what"], only["n"]) == ("counter", 1)


BOMB = b'<!DOCTYPE a [<!ENTITY b "' + b"x" * 99 + b'">]><data><name>&b;</name></data>'


def half(data):
    return data[: len(data) // 2]


def with_files(data, **files):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    return pack(kept | files)


def retold(data, before, after):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = unveil(archive.read("savedGame"))
        assert before in text
        return with_files(data, savedGame=veil(text.replace(before, after)))


def cut_within_a_piece(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = unveil(archive.read("savedGame"))
    return with_files(data, savedGame=veil(text[: text.index("+/") + 9]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(half, "no whole zip archive", id="half written"),
        pytest.param(lambda _: b"", "no whole zip archive", id="empty"),
        pytest.param(lambda _: packed(module_root()), "it is a module", id="a module"),
        pytest.param(lambda _: pack({"a": "b"}), "no save or log", id="another zip"),
        pytest.param(
            lambda data: with_files(data, moduledata=metadata("1", "", "Other")),
            "the module 'Other'",
            id="another module",
        ),
        pytest.param(lambda data: retold(data, "end_save", "x"), "breaks off", id="cut off"),
        pytest.param(cut_within_a_piece, "save it again in VASSAL", id="cut within a command"),
        pytest.param(
            lambda data: retold(data, "piece;", "peace;"), "no basic piece", id="broken traits"
        ),
        pytest.param(lambda data: retold(data, "Field;", "Field;x"), "no place", id="no pixel"),
        pytest.param(
            lambda data: with_files(data, savedGame="!VCSKxyz"), "does not read", id="no veil"
        ),
        pytest.param(
            lambda data: with_files(data, savedGame=veil(f"\\{ESC}" * 9 + "begin_save")),
            "breaks off",
            id="nothing but escapes",
        ),
    ],
)
def test_a_bad_file_costs_one_line(game, mapkit_cli, change, told):
    (game / "bad.vsav").write_bytes(change((game / "evening.vsav").read_bytes()))
    for noun, out in (("vsav", "out.position.json"), ("vlog", "log")):
        done = imported(mapkit_cli, game, "bad.vsav", noun=noun, out=out)
        assert (done.exit_code, done.stdout) == (1, "")
        last = done.stderr.splitlines()[-1]
        assert told in last
        assert "bad.vsav" in last
        assert not (game / out).exists()


def test_tricks_in_a_file_do_nothing(game, mapkit_cli, monkeypatch):
    data = (game / "evening.vsav").read_bytes()
    (game / "evening.vsav").write_bytes(
        with_files(data, **{"../../evil": "x", "moduledata": BOMB, "savedata": BOMB})
    )
    done = imported(mapkit_cli, game)
    assert done.exit_code == 0
    assert not list(game.parent.glob("evil*"))
    monkeypatch.setattr("exporters.vassal.saves.save_file._MOST_BYTES", 500)
    bomb = imported(mapkit_cli, game, "evening.vsav", "--force")
    assert (bomb.exit_code, "unpacks to more" in bomb.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("import", "vsav", "gone.vsav", "-o", "x.position.json"), "gone.vsav"),
        (("import", "vsav", "evening.vsav", "-o", "x.json"), ".position.json"),
        (("import", "vsav", "evening.vsav", "-o", "far/x.position.json"), "far"),
    ],
)
def test_a_wrong_name_costs_one_line(game, mapkit_cli, monkeypatch, words, told):
    monkeypatch.chdir(game)
    done = mapkit_cli(*words, "--project", "small", "--module", "small.vmod")
    assert (done.exit_code, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr


def test_a_module_of_another_map_is_told(game, mapkit_cli):
    from tests.exporters.vassal.foreign_modules import foreign_module

    (game / "small.vmod").write_bytes(foreign_module(h_off=40))
    done = imported(mapkit_cli, game)
    assert done.exit_code == 1
    assert "no board of the module 'Old Hills' is a map" in done.stderr
    (game / "small.vmod").write_bytes((game / "evening.vsav").read_bytes())
    done = imported(mapkit_cli, game)
    assert (done.exit_code, "no VASSAL module" in done.stderr) == (1, True)
