"""What a module has besides maps and pieces: inventory, dice, turns, charts and help."""

from exporters.material import Material
from exporters.model import Dropped, OutFile
from exporters.vassal.charts import add_charts
from exporters.vassal.dice import add_dice
from exporters.vassal.elements import Element
from exporters.vassal.help_page import add_documentation
from exporters.vassal.inventory import add_inventory
from exporters.vassal.turn_tracker import add_turn_tracker


def add_toolbar(
    root: Element, material: Material, scenario: str
) -> tuple[list[OutFile], tuple[Dropped, ...]]:
    """Add all of them; return the files they open, and what they lack.

    Raises:
        ExportError: a scenario is named that the game does not have.
    """
    add_inventory(root, material)
    add_dice(root, material.pack)
    lacking = add_turn_tracker(root, material.pack, scenario)
    return [*add_charts(root, material.pack), *add_documentation(root, material)], lacking
