"""Every exporter, through the one door that ours and strangers' share."""

import json
from dataclasses import fields

import pytest

from exporters.material import load_material
from exporters.model import ExportError, GivenFile
from exporters.registry import available, find_exporter, title_of
from mapkit import texts
from mapkit.maps import save_map
from mapkit.plugins import PluginError
from mapkit.progress import ignore
from tests.boards import board

every_exporter = pytest.mark.parametrize("name", sorted(available()))


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.hexmap.json"
    save_map(path, board(".1 w2 .1", ".1 .3 w1", ".2 .2 .1"))
    return path


def chosen(exporter, material):
    """Return options with the files that it needs: what another exporter makes of the project."""
    made = {}
    for field in fields(exporter.options):
        if "file" in field.metadata:
            ending = field.metadata["file"]
            maker = next(one for one in available().values() if one.suffix == ending)
            (file,) = maker.render(material, maker.options(), ignore).files
            made[field.name] = GivenFile(f"given{ending}", file.data)
    return exporter.options(**made)


@every_exporter
def test_it_bears_the_name_of_its_entry(name):
    assert available()[name].name == name


@every_exporter
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_it_says_what_it_makes(name, language):
    with texts.speaking(language):
        assert title_of(available()[name]) != available()[name].title


@every_exporter
def test_its_options_have_defaults_and_help(name):
    exporter = available()[name]
    exporter.options()
    assert all(field.metadata["help"].endswith(".") for field in fields(exporter.options))


@every_exporter
def test_the_same_project_gives_the_same_bytes(name, small):
    exporter = available()[name]
    material = load_material(small)
    options = chosen(exporter, material)
    first, again = (exporter.render(load_material(small), options, ignore) for _ in range(2))
    assert first == again
    assert first.files


@every_exporter
def test_a_file_that_it_needs_is_asked_for_by_its_option(name, small, tmp_path, mapkit_cli):
    exporter = available()[name]
    out = tmp_path / f"out{exporter.suffix}"
    for field in fields(exporter.options):
        if "file" in field.metadata:
            ran = mapkit_cli("export", name, small, "-o", out)
            assert (ran.exit_code, ran.stdout) == (1, "")
            assert f"--{field.name} X{field.metadata['file']}" in ran.stderr
            lost = mapkit_cli("export", name, small, "-o", out, f"--{field.name}", tmp_path / "no")
            assert lost.exit_code == 1
            assert "no" in lost.stderr.splitlines()[-1]


@every_exporter
def test_a_project_without_a_map_is_told(name, tmp_path, mapkit_cli):
    made = mapkit_cli("project", "new", tmp_path / "bare", "--name", "Bare")
    assert made.exit_code == 0
    exporter = available()[name]
    with pytest.raises(ExportError, match="no map"):
        exporter.render(load_material(tmp_path / "bare"), exporter.options(), ignore)


def test_an_unknown_name_is_told_with_those_there_are():
    with pytest.raises(ExportError, match="no export 'vasal'; there is: .*vassal"):
        find_exporter("vasal")


STRANGER = """
from dataclasses import dataclass, field
from exporters.model import ExportResult, OutFile

@dataclass(frozen=True)
class Options:
    end: str = field(default="\\n", metadata={"help": "What ends a line."})

class Labels:
    name = "labels"
    title = "Labels, one in a line"
    suffix = ".txt"
    options = Options

    def render(self, material, options, on_progress):
        (one,) = material.maps.values()
        lines = "".join(one.map.label(hex_) + options.end for hex_ in one.map.hexes)
        return ExportResult((OutFile("labels.txt", lines.encode()),))

EXPORTER = Labels()
nothing = object()
"""


def test_a_stranger_comes_in_by_the_same_door(
    small, tmp_path, install_plugin, mapkit_process, monkeypatch
):
    names = ("labels", "vassal")
    entries = [f"{name} = stranger_code:EXPORTER" for name in names]
    lines = "\n".join([*entries, "broken = stranger_code:nothing"])
    monkeypatch.setenv("PYTHONPATH", str(install_plugin("mapkit.exporters", lines, STRANGER)))
    ran = mapkit_process("export", "labels", small, "-o", tmp_path / "l.txt", "--end", ";")
    assert ran.exit_code == 0, ran.stderr
    assert (tmp_path / "l.txt").read_text("utf-8").startswith("0101;")
    listed = mapkit_process("export", "list", "--json")
    names = [one["name"] for one in json.loads(listed.stdout)]
    assert "labels" in names
    assert names.count("vassal") == 1
    assert "broken" not in names


def test_what_is_no_exporter_is_told(install_plugin):
    install_plugin("mapkit.exporters", "odd = odd_code:THING", "THING = 7", package="odd")
    with pytest.raises(PluginError, match="it is no exporter: it has no name"):
        find_exporter("odd")
