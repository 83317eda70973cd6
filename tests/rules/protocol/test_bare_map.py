"""A ruling saved in a project, verified beside the bare map: the words are the certificate's."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mapkit.document.writing import dump_map
from mapkit.kinds import Kind, Kinds
from tests.boards import board


@pytest.fixture
def saved(mapkit_cli, tmp_path: Path) -> Path:
    """A map beside its project, as `map sample` and `project new` leave them, and a ruling."""
    land = board("1 w3 1 1", "1 1 1 1", layout="pointy")
    file = tmp_path / "land.hexmap.json"
    file.write_bytes(dump_map(_said_otherwise(land)))
    project = tmp_path / "alps"
    made = mapkit_cli("project", "new", project, "--game", "strafexpedition", "--map", file)
    assert made.exit_code == 0, made.stderr
    toml = project / "project.toml"
    toml.write_text(toml.read_text("utf-8").replace('# "bosco" = ""', '"bosco" = "woods"'), "utf-8")
    ruling = tmp_path / "ruling.json"
    asked = mapkit_cli("rules", "sight", project, "0101", "0301", "--save", ruling)
    assert asked.exit_code == 0, asked.stderr
    return ruling


def _said_otherwise(land):
    """The same land with a word for woods that the game does not have."""
    hexes = {
        hex_: replace(ground, terrain="bosco") if ground.terrain == "woods" else ground
        for hex_, ground in land.hexes.items()
    }
    return replace(land, hexes=hexes, kinds=Kinds(terrain=(Kind("clear"), Kind("bosco"))))


def test_an_honest_ruling_is_not_called_false_for_want_of_its_project(mapkit_cli, saved) -> None:
    verified = mapkit_cli("rules", "verify", saved)
    assert verified.exit_code == 0, verified.stdout
    with_project = mapkit_cli("rules", "verify", saved, "--map", saved.parent / "alps")
    assert with_project.exit_code == 0, with_project.stdout


def test_a_binding_that_was_altered_is_still_seen(mapkit_cli, saved) -> None:
    data = json.loads(saved.read_text("utf-8"))
    data["binding"]["terrain"]["bosco"] = "clear"
    saved.write_text(json.dumps(data), "utf-8")
    assert mapkit_cli("rules", "verify", saved).exit_code == 1
