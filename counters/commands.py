"""The commands of counters: each part of the package hangs its verbs on one noun."""

from counters.check_commands import check_commands
from counters.draw_commands import draw_commands
from counters.sheet_commands import sheet_commands
from counters.slice_commands import slice_commands
from counters.table_commands import table_commands
from mapkit.command_line import noun

counter_commands = noun("Slice, draw, print and check counters.")
counter_commands.add_typer(slice_commands)
counter_commands.add_typer(table_commands)
counter_commands.add_typer(draw_commands)
counter_commands.add_typer(sheet_commands)
counter_commands.add_typer(check_commands)
