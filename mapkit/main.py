"""The command `mapkit` as a whole: its options, its exit codes, its last words.

Results go to stdout, talk to stderr. Exit codes: 0 done, 1 an error told in one
line, 2 a command line that does not read, 130 interrupted.
"""

import errno
import io
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_group

from mapkit import texts
from mapkit.command_line import examples
from mapkit.command_tree import InstalledCommands
from mapkit.errors import MapkitError
from mapkit.extras import missing_extra

INTERRUPTED = 130


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; no traceback ever leaves here.

    A MapkitError and the disk's own refusals are the user's to mend and take
    one line. Anything else is our fault, and the line says so.
    """
    _make_output_unbreakable()
    try:
        return _flushed(_exit_code(args))
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:
        return _pipe_closed() if _is_closed_pipe(error) else _refused(_in_one_line(error))


_app = typer.Typer(
    cls=InstalledCommands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=examples("mapkit demo", "mapkit map --help", "mapkit --lang de demo"),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"mapkit {version('mapkit')}")
        raise typer.Exit


@_app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Say more on stderr; show tracebacks.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say errors only.")] = False,
    lang: Annotated[
        texts.Language | None,
        typer.Option("--lang", help="Language of results; else MAPKIT_LANG, else the locale."),
    ] = None,
) -> None:
    """Turn scanned wargame maps into data, rulings and modules for other engines."""
    _log_to_stderr(logging.INFO if verbose else logging.ERROR if quiet else logging.WARNING)
    texts.use(lang)


def root_command() -> TyperGroup:
    """Return the whole tree of commands, none of them loaded yet."""
    return get_group(_app)


def _exit_code(args: Sequence[str] | None) -> int:
    try:
        root_command().main(args=args, prog_name="mapkit")
    except SystemExit as leaving:
        if leaving.code == INTERRUPTED:
            return _interrupted()
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


def _flushed(code: int) -> int:
    # Left to the interpreter, a full disk or closed pipe would end in a traceback.
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _is_closed_pipe(error: Exception) -> bool:
    # Windows reports a pipe whose reader has gone as an invalid argument without a file.
    gone = (errno.EPIPE, errno.EINVAL) if os.name == "nt" else (errno.EPIPE,)
    return isinstance(error, OSError) and error.errno in gone and error.filename is None


def _pipe_closed() -> int:
    """Leave quietly: who read us (`head`, a pager) has seen enough."""
    with suppress(OSError):  # under a test, stdout is no real file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _interrupted() -> int:
    typer.echo("mapkit: interrupted", err=True)
    return INTERRUPTED


def _refused(message: str) -> int:
    if logging.getLogger().isEnabledFor(logging.INFO):
        traceback.print_exc()
    typer.echo(texts.printable(f"mapkit: {message}"), err=True)
    return 1


def _in_one_line(error: Exception) -> str:
    match missing_extra(error, "this command") or error:
        case MapkitError() as known:
            return str(known)
        case OSError(filename=str() as name) as refusal:
            return f"{name}: {refusal.strerror or refusal}"
        case OSError() as refusal:
            return refusal.strerror or str(refusal)
        case MemoryError():
            return "out of memory; close other programs, or work on a smaller file"
    return (
        f"this is a bug in Mapkit, not your doing: {type(error).__name__} at {_place(error)};"
        " `mapkit -v …` shows the traceback, please report it"
    )


def _place(error: Exception) -> str:
    """Return where it happened, in our own code where that is on the way."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    return f"{'/'.join(Path(last.filename).parts[-2:])}:{last.lineno}"


def _make_output_unbreakable() -> None:
    """Let a console that lacks a letter show its code instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _StderrHandler(logging.Handler):
    """Writes to whatever stderr is now, as one line that names no module."""

    def emit(self, record: logging.LogRecord) -> None:
        typer.echo(f"mapkit: {self.format(record)}", err=True)


def _log_to_stderr(level: int) -> None:
    root = logging.getLogger()
    root.setLevel(level)
    if not any(isinstance(handler, _StderrHandler) for handler in root.handlers):
        root.addHandler(_StderrHandler())


if __name__ == "__main__":
    sys.exit(run())
