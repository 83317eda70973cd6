"""The tree of commands: found through entry points, each noun loaded when asked for."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import EntryPoint
from typing import Protocol

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from mapkit import plugins
from mapkit.plugins import PluginError

GROUP = "mapkit.commands"

Command = TyperCommand | TyperGroup


class Formatter(Protocol):
    """The part of typer's help formatter that the list of commands needs."""

    def section(self, name: str) -> AbstractContextManager[None]:
        """Open an indented section."""

    def write_dl(self, rows: Sequence[tuple[str, str]]) -> None:
        """Write a list of terms and what they mean."""


class InstalledCommands(TyperGroup):
    """The nouns of `mapkit`: each loaded only when it is the one asked for."""

    # typer keeps the type of its contexts to itself; ours need nothing from them.
    def list_commands(self, ctx: object) -> list[str]:
        """Return the names of all nouns, loading none."""
        # Names only, for typer's "did you mean": get_command brings the real ones.
        self.commands = {name: TyperCommand(name) for name in sorted(plugins.found(GROUP))}
        return list(self.commands)

    def get_command(self, ctx: object, cmd_name: str) -> Command | None:
        """Return the command, or one that says why it does not load."""
        self.list_commands(ctx)
        entry = plugins.found(GROUP).get(cmd_name)
        if entry is None:
            return None
        try:
            return command_of(entry)
        except PluginError as error:
            return _refusing(cmd_name, error)

    def format_commands(self, ctx: object, formatter: Formatter) -> None:
        """List the nouns with one line each, without building their verbs."""
        entries = plugins.found(GROUP)
        with formatter.section("Commands"):
            formatter.write_dl([(name, _one_line(entries[name])) for name in sorted(entries)])


def command_of(entry: EntryPoint) -> Command:
    """Return the command that *entry* points at: a Typer, or a plain function.

    A Typer is a noun with verbs, unless its only command bears the entry's own
    name: then it is that command.

    Raises:
        PluginError: it does not load, or is neither.
    """
    target = plugins.load(entry)
    if isinstance(target, typer.Typer) and not _is_single(target, entry.name):
        return _plain(get_group(target))
    if not isinstance(target, typer.Typer):
        if not callable(target):
            raise plugins.broken(entry, f"it is a {type(target).__name__}, not a command")
        holder = typer.Typer(add_completion=False)
        holder.command(entry.name)(target)
        target = holder
    command = get_command(target)
    if not isinstance(command, Command):
        raise plugins.broken(entry, f"it is a {type(command).__name__}, not a typer command")
    return _plain(command)


def leaves(
    command: Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Yield every command below *command* that does something, with the words that call it."""
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    with typer.Context(command) as ctx:
        for name in command.list_commands(ctx):
            child = command.get_command(ctx, name)
            if isinstance(child, Command):
                yield from leaves(child, (*path, name))


def _is_single(target: typer.Typer, name: str) -> bool:
    names = [command.name for command in target.registered_commands]
    return names == [name] and not target.registered_groups


def _plain(command: Command) -> Command:
    """Show help without boxes and colours, in a stranger's command too."""
    command.rich_markup_mode = None
    for child in command.commands.values() if isinstance(command, TyperGroup) else ():
        if isinstance(child, Command):
            _plain(child)
    return command


def _one_line(entry: EntryPoint) -> str:
    try:
        target = plugins.load(entry)
        if isinstance(target, typer.Typer) and isinstance(target.info.help, str):
            return target.info.help.partition("\n")[0]
        return (command_of(entry).help or "").partition("\n")[0]
    except PluginError:
        return f"(broken: package {plugins.distribution(entry)} does not load)"


def _refusing(name: str, error: PluginError) -> TyperCommand:
    def refuse() -> None:
        raise error

    return TyperCommand(
        name,
        callback=refuse,
        help=f"(broken) {error}",
        add_help_option=False,  # even `--help` gets the reason
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        rich_markup_mode=None,
    )
