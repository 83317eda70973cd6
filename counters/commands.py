"""The commands of counters: each part of the package hangs its verbs on one noun."""

from counters.draw_commands import draw_commands
from mapkit.command_line import noun

counter_commands = noun("Slice, draw, print and check counters.")
counter_commands.add_typer(draw_commands)
