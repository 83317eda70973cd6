"""The inventory: every unit on the maps by side, formation and class, with where it stands."""

from exporters.vassal.elements import Element, add
from exporters.vassal.traits import listed
from mapkit.texts import say


def add_inventory(root: Element) -> None:
    """Add the window; what is no unit of the game is left out of it."""
    add(
        root,
        "build.module.Inventory",
        name=say("exporters.vassal.inventory"),
        text="",
        tooltip=say("exporters.vassal.inventory_tip"),
        icon="/images/inventory.gif",
        include='{Layer=="Units"}',
        groupBy=listed("Side", "Formation", "Class"),
        nonLeafFormat="$PropertyValue$",
        leafFormat="$PieceName$ ($LocationName$)",
        sortPieces=True,
        sorting="alpha",
        centerOnPiece=True,
        forwardKeystroke=True,
        showMenu=True,
        drawPieces=True,
        pieceZoom=0.5,
    )
