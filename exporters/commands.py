"""The commands of exports: one verb for each exporter that is installed, and their list."""

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from exporters.model import Exporter, GivenFile
from exporters.registry import available, title_of
from mapkit.command_line import (
    ForceFlag,
    JsonFlag,
    examples,
    noun,
    print_json,
    progress_shown,
    talk,
    tell,
)
from mapkit.texts import say

export_commands = noun("Turn a project into modules and files for other programs.")

ProjectArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PROJECT", readable=False, help="A project's folder, or a bare *.hexmap.json."
    ),
]


@export_commands.command("list", epilog=examples("mapkit export list", "mapkit export list --json"))
def list_exports(as_json: JsonFlag = False) -> None:
    """List what a project can be turned into."""
    found = available().values()
    if as_json:
        keys = [{"name": one.name, "title": title_of(one), "suffix": one.suffix} for one in found]
        print_json(keys)
        return
    folder = say("exporters.export.folder")
    for one in found:
        words = {"name": one.name, "title": title_of(one), "suffix": one.suffix or folder}
        tell(say("exporters.export.line", **words))


@export_commands.command(
    epilog=examples("mapkit export vsav alps/evening.position.json --module alps.vmod -o e.vsav")
)
def vsav(
    position: Annotated[
        Path, typer.Argument(metavar="POSITION", help="A *.position.json of a project.")
    ],
    module: Annotated[
        Path, typer.Option("--module", metavar="X.vmod", help="The module: ours, or an author's.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Write to a .vsav file.")],
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="PROJECT", help="Its project; else the one around it."),
    ] = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a saved game for VASSAL of a position."""
    from exporters.saved_games import export_save

    done = export_save(position, module, out, project=project, force=force)
    for one in done.lost:
        talk(say("exporters.export.lost", what=one.told))
    print_json(done.as_data()) if as_json else tell(say("exporters.export.wrote", file=out))


def _run(
    exporter: Exporter, project: Path, out: Path, options: Any, *, force: bool, as_json: bool
) -> None:
    from exporters.exporting import export_to

    with progress_shown() as on_progress:
        done = export_to(exporter, project, out, options, force=force, on_progress=on_progress)
    for line in done.hints:
        talk(line)
    for line in done.lost:
        talk(say("exporters.export.lost", what=line))
    if as_json:
        print_json(done.as_data())
        return
    for path in done.written:
        tell(say("exporters.export.wrote", file=path))


def _verb(exporter: Exporter) -> Callable[..., None]:
    """Return the command of an exporter: project, target, and an option for each of its fields."""
    what = f"a {exporter.suffix} file" if exporter.suffix else "a folder"
    target = Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help=f"Write to {what}.")]

    def export(**given: Any) -> None:
        project, out = given.pop("project"), given.pop("out")
        force, as_json = given.pop("force"), given.pop("as_json")
        read = {name: _given(name, value) for name, value in given.items()}
        chosen = exporter.options(**read)
        _run(exporter, project, out, chosen, force=force, as_json=as_json)

    hints: dict[str, Any] = {"project": ProjectArgument, "out": target}
    defaults: dict[str, Any] = {}
    types = get_type_hints(exporter.options)
    for one in fields(exporter.options):
        hints[one.name] = _option(one, types[one.name])
        defaults[one.name] = one.default
    hints |= {"force": ForceFlag, "as_json": JsonFlag}
    defaults |= {"force": False, "as_json": False}
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults.get(name, inspect.Parameter.empty),
            annotation=hint,
        )
        for name, hint in hints.items()
    ]
    export.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    export.__annotations__ = hints
    export.__doc__ = f"Make {title_of(exporter)}."
    return export


def _option(one: Field[Any], type_: Any) -> Any:
    """Return how an option is given: a file by its path, all else as it is."""
    if type_ != GivenFile | None:
        return Annotated[type_, typer.Option(help=one.metadata["help"])]
    path = typer.Option(metavar=f"X{one.metadata['file']}", help=one.metadata["help"])
    return Annotated[Path | None, path]


def _given(name: str, value: Any) -> Any:
    """Return the value of an option; of a path, the file that lies there."""
    from exporters.exporting import read_given

    return read_given(value, what=name) if isinstance(value, Path) else value


def _example(exporter: Exporter) -> str:
    """Return a command that runs: with all that the exporter cannot do without."""
    out = f"my-game{exporter.suffix}" if exporter.suffix else "my-game"
    needed = [
        f" --{one.name} {one.name}{one.metadata['file']}"
        for one in fields(exporter.options)
        if one.metadata.get("needed")
    ]
    return f"mapkit export {exporter.name} my-project{''.join(needed)} -o {out}"


for _one in available().values():
    export_commands.command(_one.name, epilog=examples(_example(_one)))(_verb(_one))
