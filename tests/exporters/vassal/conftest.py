"""A small project with a game, for what needs a rule of sight."""

import io
from dataclasses import replace
from functools import partial

import pytest
from PIL import Image

from exporters.material import load_material
from exporters.vassal.module import MODULE, ModuleOptions
from mapkit.drawing import Picture, draw_map
from mapkit.maps import save_map
from mapkit.progress import ignore

GAME = "strafexpedition"


@pytest.fixture
def project(tmp_path, mapkit_cli):
    def made(map_, game=GAME, *, counters=False):
        save_map(tmp_path / "field.hexmap.json", map_)
        words = ("--name", "Field", "--game", game, "--map", tmp_path / "field.hexmap.json")
        assert mapkit_cli("project", "new", tmp_path / "project", *words).exit_code == 0
        given = load_material(tmp_path / "project")
        return given if counters else replace(given, pieces=None)

    return made


@pytest.fixture(scope="session")
def unpainted():
    """Return a function that renders a module with no picture painted: only where things lie."""
    return _render_unpainted


def _white(drawing, *, scale=1.0):
    """Return a picture of the size of a drawing."""
    out = io.BytesIO()
    size = (round(drawing.width_px * scale), round(drawing.height_px * scale))
    Image.new("1", size).save(out, "PNG")
    return out.getvalue()


def _render_unpainted(material, **options):
    blank = Picture("<svg/>", 56, 56)
    with pytest.MonkeyPatch.context() as patched:
        for name in ("badges", "boards", "boxes", "charts", "help_page", "palette", "waiting_room"):
            patched.setattr(f"exporters.vassal.{name}.rasterise", _white)
        patched.setattr("exporters.material.draw_face", lambda *_: blank)
        patched.setattr("exporters.vassal.charts.draw_page", lambda *_: blank)
        patched.setattr("exporters.vassal.boards.draw_map", partial(draw_map, layers=()))
        chosen = ModuleOptions(**{"sight": False, "art": "drawing", **options})
        return MODULE.render(material, chosen, ignore)
