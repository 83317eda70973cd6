"""Runs every command of docs/disputes.md and writes down what it answers, and its pictures.

    python docs/make_disputes.py           write what changed
    python docs/make_disputes.py --check   change no file, exit 1 when an answer is stale

The stories are written by hand; the answers below each `$ mapkit …` are made. A picture is saved
where the page shows it: `--picture NAME.png` becomes docs/pictures/disputes/NAME.png.
"""

import argparse
import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from mapkit import main, texts
from mapkit.maps import save_map
from mapkit.samples import sample_map

PAGE = Path(__file__).parent / "disputes.md"
PICTURES = Path(__file__).parent / "pictures" / "disputes"
COLOURS = 128  # in a picture of the page: enough for a map, and a third of the size

# The projects the stories are set in, with what the page says is bound.
PROJECTS = {
    "alps": ("alpine", None, "strafexpedition"),
    "valley": ("valley", "from-the-south", "caporetto-1917"),
    "hills": ("hills", None, "custoza"),
    "front": ("alpine", None, "caporetto-front"),
    "isonzo": ("valley", None, "durchbruch"),
}
BINDINGS = {
    "alps": {
        "terrain": {"scree": "clear"},
        "features": {"village": "", "peak": "", "entry": ""},
        "hexsides": {"stream": "", "ford": "", "trench": ""},
    },
    "valley": {
        "terrain": {"rocks": "clear"},
        "features": {"entry": ""},
        "hexsides": {"great_river": "isonzo", "stream": "", "ford": ""},
        "links": {"main_road": "road"},
    },
    "hills": {
        "features": dict.fromkeys(("town", "village", "farm", "peak", "church"), "")
        | {"victory": "", "entry": ""},
        "hexsides": {"stream": "river", "ford": ""},
        "links": {"main_road": "road", "rail": ""},
    },
    "front": {
        "terrain": {"woods": "rough", "scree": "alpine"},
        "features": {"village": "", "peak": "", "fort": "", "supply": "", "entry": ""},
        "hexsides": {"stream": "", "ford": "", "trench": "", "crags": ""},
        "links": {"road": "rail", "trail": ""},
    },
    "isonzo": {
        "terrain": {"clear": "plain", "woods": "hill", "rocks": "mountain"},
        "features": {"peak": "", "supply": "", "victory": "", "entry": ""},
        "hexsides": {
            "great_river": "isonzo",
            "footbridge": "",
            "ford": "",
            "trench": "",
            "crags": "",
        },
        "links": {"main_road": "road", "road": "trail"},
    },
}
# What the owner of a game entered whose words for ground our sources lack.
OWNERS = {
    "hills": "".join(
        f'terrain.{word}.cite = "TEC"\n'
        for word in ("fields", "vineyard", "orchard", "woods", "marsh")
    ),
}

_BLOCK = re.compile(r"```console\n(\$ mapkit .*?)```", re.DOTALL)


def remade(page: str, folder: Path) -> str:
    """Return the page with every answer as it is given today; pictures are left in *folder*."""
    _set_up(folder)
    with contextlib.chdir(folder):
        return _BLOCK.sub(lambda block: f"```console\n{_answered(block[1])}```", page)


def _set_up(folder: Path) -> None:
    for name, (sample, numbered, game) in PROJECTS.items():
        (folder / name).mkdir()
        save_map(folder / name / f"{sample}.hexmap.json", sample_map(sample, numbered))
        tables = "\n".join(_binding_lines(name))
        owner = f'owner = "{name}.owner.toml"\n' if name in OWNERS else ""
        if owner:
            (folder / name / f"{name}.owner.toml").write_text(
                f'format = "mapkit-owner/1"\ngame = "{game}"\n\n[values]\n{OWNERS[name]}', "utf-8"
            )
        (folder / name / "project.toml").write_text(
            f'format = "mapkit-project/1"\nname = "{name}"\ngame = "{game}"\n{owner}\n'
            f'[[maps]]\nid = "{sample}"\nfile = "{sample}.hexmap.json"\n{tables}\n',
            "utf-8",
        )


def _binding_lines(project: str) -> Iterator[str]:
    for group, words in BINDINGS[project].items():
        yield f"\n[binding.{group}]"
        yield from (f'{word} = "{to}"' for word, to in words.items())


def _answered(block: str) -> str:
    """Return a block's commands, each with its answer in the place of the old one."""
    commands: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(line)
        elif commands[-1].endswith("\\"):
            commands[-1] += f"\n{line}"
    return "".join(f"{command}\n{_answer(command)}" for command in commands)


def _answer(command: str) -> str:
    words = shlex.split(command.removeprefix("$ mapkit ").replace("\\\n", " "))
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        main.run(words)
    return said.getvalue()


def _keep_pictures(folder: Path) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for picture in folder.glob("*.png"):
        with Image.open(picture) as drawn:
            drawn.convert("RGB").quantize(COLOURS).save(PICTURES / picture.name, optimize=True)


def run(*, check: bool) -> int:
    """Make the page anew, or tell whether it is fresh."""
    os.environ["COLUMNS"] = "80"
    texts.use("en")
    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        fresh = remade(page, Path(folder))
        if not check:
            PAGE.write_text(fresh, "utf-8")
            _keep_pictures(Path(folder))
            return 0
    if fresh != page:
        sys.stderr.write("docs/disputes.md is stale: run python docs/make_disputes.py\n")
    return int(fresh != page)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    sys.exit(run(check=options.parse_args().check))
