"""What every `commands.py` shares: nouns, examples, options, JSON, progress.

A command is ten lines: parse, call one library function, print. The pattern:

    map_commands = noun("Make, check and change map documents.")

    @map_commands.command(epilog=examples("mapkit map check lugano.hexmap.json --json"))
    def check(map_file: MapFile, as_json: JsonFlag = False) -> None:
        '''List everything wrong with a map, each with its remedy.'''
        from mapkit.checks import check_file   # heavy imports in the body

        report = check_file(map_file)
        print_json(report.as_data()) if as_json else typer.echo(report.as_text())
        raise typer.Exit(report.exit_code)

A command that is no noun (`demo`, `serve`) is a `single()` whose one command
bears the name of its entry point.
"""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from mapkit.progress import OnProgress, ignore
from mapkit.texts import printable

JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ForceFlag = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]


def noun(help_line: str) -> typer.Typer:
    """Return an empty noun (`map`, `rules`): verbs are hung on it with `.command()`."""
    return typer.Typer(
        help=help_line, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


def single() -> typer.Typer:
    """Return the holder of one command that stands without a noun, like `demo`."""
    return typer.Typer(add_completion=False, rich_markup_mode=None)


def examples(*lines: str) -> str:
    """Return the epilog that shows *lines* as they are typed, never re-wrapped.

    >>> print(examples("mapkit demo").replace(chr(8), "<keep>"))
    <keep>
    Examples:
      mapkit demo
    """
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def print_json(data: object) -> None:
    """Print *data* as JSON on stdout, readable and in the order it was given.

    Letters outside the encoding of a redirected Windows console are escaped,
    so that the result stays JSON wherever it goes.
    """
    plain = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    typer.echo(json.dumps(data, ensure_ascii=plain, indent=2))


def talk(line: str) -> None:
    """Say *line* on stderr, where it does not mix with the result; `-q` silences it."""
    if not _quiet():
        typer.echo(printable(line), err=True)


def tell(result: str) -> None:
    """Print a result on stdout; what would steer the terminal is shown as its code."""
    typer.echo(printable(result))


@contextmanager
def progress_shown() -> Iterator[OnProgress]:
    """Show progress on stderr: a bar on a terminal, else a line for each new message."""
    if _quiet():
        yield ignore
    elif sys.stderr.isatty():
        with _bar() as on_progress:
            yield on_progress
    else:
        yield _lines()


def _quiet() -> bool:
    return logging.getLogger().level > logging.WARNING


def _lines() -> OnProgress:
    last = ""

    def on_progress(share: float, message: str) -> None:
        nonlocal last
        if message and message != last:
            talk(f"{share:4.0%} {message}")
        last = message

    return on_progress


@contextmanager
def _bar() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def on_progress(share: float, message: str) -> None:
            bar.update(task, completed=share, description=message)

        yield on_progress
