"""The commands of counters: each part of the package hangs its verbs on one noun."""

from counters.slice_commands import slice_commands
from counters.table_commands import table_commands
from mapkit.command_line import noun

counter_commands = noun("Slice, draw, print and check counters.")
counter_commands.add_typer(slice_commands)
counter_commands.add_typer(table_commands)
