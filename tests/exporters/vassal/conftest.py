"""A small project with a game, for what needs a rule of sight."""

from dataclasses import replace

import pytest

from exporters.material import load_material
from mapkit.maps import save_map

GAME = "strafexpedition"


@pytest.fixture
def project(tmp_path, mapkit_cli):
    def made(map_, game=GAME):
        save_map(tmp_path / "field.hexmap.json", map_)
        words = ("--name", "Field", "--game", game, "--map", tmp_path / "field.hexmap.json")
        assert mapkit_cli("project", "new", tmp_path / "project", *words).exit_code == 0
        return replace(load_material(tmp_path / "project"), pieces=None)  # no counters to draw

    return made
