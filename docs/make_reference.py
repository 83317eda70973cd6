"""Makes docs/reference/ from the code: commands, exporters, JSON Schemas.

    python docs/make_reference.py           write what changed
    python docs/make_reference.py --check   change nothing, exit 1 when stale

The whole folder is made: a file in it that nothing makes is stale too.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import typer
from typer.core import TyperGroup

from mapkit import plugins
from mapkit.command_tree import Command
from mapkit.main import root_command

FOLDER = Path(__file__).parent / "reference"
MADE = "<!-- Made by docs/make_reference.py from the code; changes here are lost. -->\n"

# File name, and the function that returns the schema as JSON-able data.
SCHEMAS = {
    "hexmap.schema.json": "mapkit.document.fileformat:map_schema",
    "profile.schema.json": "mapkit.profile:Profile.model_json_schema",
    "pack.schema.json": "rules.pack:Pack.model_json_schema",
    "position.schema.json": "rules.positions.position_file:position_schema",
    "rulebook.schema.json": "rules.lookup.rulebook:Rulebook.model_json_schema",
    "cases.schema.json": "rules.cases:Cases.model_json_schema",
    "scenario.schema.json": "rules.schema.scenario:ScenarioFile.model_json_schema",
    "sequence.schema.json": "rules.schema.sequence:Sequence.model_json_schema",
}


def pages() -> dict[str, str]:
    """Return every file of the reference by name."""
    made = {"commands.md": commands_page(), "exporters.md": exporters_page()}
    made |= {name: schema_file(maker) for name, maker in SCHEMAS.items()}
    return made


def commands_page() -> str:
    """Return the help of every command, as the terminal shows it."""
    parts = [MADE, "# Commands\n"]
    parts += [f"## {words}\n\n```text\n{text}\n```\n" for words, text in helps()]
    return "\n".join(parts)


def helps() -> Iterator[tuple[str, str]]:
    """Yield each command's words and its help, the tree walked from the root."""
    root = root_command()
    yield from _helps(root, typer.Context(root, info_name="mapkit", **_help_names()))


def exporters_page() -> str:
    """Return the table of export targets that are installed."""
    found = plugins.found("mapkit.exporters")
    rows = [f"| `{name}` | {_title(plugins.load(found[name]))} |" for name in sorted(found)]
    table = "\n".join(["| name | what it makes |", "|---|---|", *rows])
    return f"{MADE}\n# Exporters\n\n{table if rows else 'None yet.'}\n"


def schema_file(maker: str) -> str:
    """Return the JSON Schema that *maker* (`module:function`, `module:class.method`) makes."""
    module, _, function = maker.partition(":")
    schema = attrgetter(function)(import_module(module))()
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the reference, or with --check say what is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 when stale")
    only_check = parser.parse_args().check
    os.environ["COLUMNS"] = "80"  # the same page whatever terminal makes it
    wanted = pages()
    stale = [name for name, text in wanted.items() if _read(FOLDER / name) != text]
    stale += [path.name for path in FOLDER.glob("*") if path.name not in wanted]
    if stale and only_check:
        sys.stderr.write(f"stale in docs/reference: {', '.join(stale)}; run `make docs`\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    for name in stale:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (FOLDER / name).unlink()
    return 0


def _helps(command: Command, ctx: typer.Context) -> Iterator[tuple[str, str]]:
    yield ctx.command_path, command.get_help(ctx).rstrip()
    for name in command.list_commands(ctx) if isinstance(command, TyperGroup) else ():
        child = command.get_command(ctx, name)
        inner = typer.Context(child, info_name=name, parent=ctx, **_help_names())
        yield from _helps(child, inner)


def _help_names() -> dict[str, list[str]]:
    return {"help_option_names": ["--help", "-h"]}


def _title(exporter: object) -> str:
    made = exporter() if isinstance(exporter, type) else exporter
    return str(getattr(made, "title", ""))


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
