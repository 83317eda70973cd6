"""Makes docs/reference/ from code and packs: commands, exporters, JSON Schemas, games.

    python docs/make_reference.py           write what changed
    python docs/make_reference.py --check   change nothing, exit 1 when stale

The whole folder is made: a file in it that nothing makes is stale too.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import typer
from typer.core import TyperGroup

from mapkit import plugins
from mapkit.command_tree import Command
from mapkit.main import root_command
from rules.pack_state import state_of
from rules.registry import find_pack, pack_names
from rules.scenarios.scenario_files import find_scenarios
from rules.schema.open_points import Assumption

FOLDER = Path(__file__).parent / "reference"
MADE = "<!-- Made by docs/make_reference.py from the code; changes here are lost. -->\n"

# File name, and the function that returns the schema as JSON-able data.
SCHEMAS = {
    "hexmap.schema.json": "mapkit.document.fileformat:map_schema",
    "profile.schema.json": "mapkit.profile:Profile.model_json_schema",
    "pack.schema.json": "rules.pack:Pack.model_json_schema",
    "sheet.schema.json": "counters.sheet_files:SheetFile.model_json_schema",
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
    made |= {f"game-{game}.md": game_page(game) for game in pack_names()}
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


def game_page(game: str) -> str:
    """Return what a pack knows, what its owner must enter, and what it assumes."""
    pack = find_pack(game)
    printed = ", ".join(str(one) for one in (pack.publisher, pack.year) if one)
    parts = [MADE, f"# {pack.title}\n"]
    parts += [f"{printed}. In commands: `{game}`.\n" if printed else f"In commands: `{game}`.\n"]
    parts += ["## What the pack knows\n", _known(game)]
    scenarios = [f"- `{one.id}` {one.file.title}" for one in find_scenarios(game).scenarios]
    parts += ["## Scenarios\n", "\n".join(scenarios) + "\n"] if scenarios else []
    parts += [
        "## What you must enter\n",
        "Our sources lack what follows; the physical game prints it. `mapkit rules missing "
        f"{game} --template` writes a file to fill in.\n",
        _rows(
            ("what", "printed on"), ((one.what, one.printed_on) for one in pack.missing.values())
        ),
    ]
    parts += ["## What it assumes\n", "What the rules leave open, and how we read it.\n"]
    parts += [_assumed(name, one) for name, one in pack.assumptions.items()]
    if pack.not_judged:
        parts += ["## For reading only\n"]
        parts += ["\n".join(f"- {one.why}" for one in pack.not_judged.values()) + "\n"]
    return "\n".join(parts)


def _known(game: str) -> str:
    rows = (
        (part.name.replace("_", " "), part.state.replace("_", " "), part.n or "")
        for part in state_of(game).parts
    )
    return _rows(("part", "state", "entries"), rows)


def _assumed(name: str, one: Assumption) -> str:
    lines = [f"**{one.question}** (`{name}`, {', '.join(one.cites)})", "", one.we_assume]
    lines += [f"- or `{id_}`: {other.says}" for id_, other in one.alternatives.items()]
    if one.alternatives:
        lines.insert(3, "")
    return "\n".join(lines) + "\n"


def _rows(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    told = [
        "| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines
    ]
    return "\n".join(told) + "\n"


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
