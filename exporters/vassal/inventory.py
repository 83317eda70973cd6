"""The inventory: every unit on the maps by side, formation and class, with where it stands."""

from collections.abc import Mapping

from exporters.material import Material
from exporters.vassal.elements import Element, add
from exporters.vassal.traits import listed
from mapkit.texts import say

_MESSAGES = "VASSAL.build.module.properties.GlobalTranslatableMessages"
_MESSAGE = "build.module.properties.GlobalTranslatableMessage"
_TITLE = "Title|"
_ID = 'GetString("PropertyValue")'
_TITLED = f'GetString("{_TITLE}"+{_ID})'


def add_inventory(root: Element, material: Material) -> None:
    """Add the window; what is no unit of the game is left out of it.

    Pieces bear the ids of what they belong to, which a change of language leaves alone; their
    titles stand in messages.
    """
    messages = root.find(_MESSAGES)
    for id_, title in _titles(material).items() if messages is not None else ():
        add(messages, _MESSAGE, name=f"{_TITLE}{id_}", initialValue=title)
    add(
        root,
        "build.module.Inventory",
        name=say("exporters.vassal.inventory"),
        text="",
        tooltip=say("exporters.vassal.inventory_tip"),
        icon="/images/inventory.gif",
        include='{Layer=="Units"}',
        groupBy=listed("Side", "Formation", "Class"),
        nonLeafFormat=f'{{{_TITLED}==""?{_ID}:{_TITLED}}}',
        leafFormat="$PieceName$ ($LocationName$)",
        sortPieces=True,
        sorting="alpha",
        centerOnPiece=True,
        forwardKeystroke=True,
        showMenu=True,
        drawPieces=True,
        pieceZoom=0.5,
    )


def _titles(material: Material) -> Mapping[str, str]:
    """Return the titles of sides, formations and classes; none for a word that names two."""
    given, pack = material.pieces, material.pack
    groups = [given.sides, given.formations] if given else []
    groups += [{id_: one.title for id_, one in pack.classes.items()}] if pack else []
    titles: dict[str, set[str]] = {}
    for group in groups:
        for id_, title in group.items():
            titles.setdefault(id_, set()).add(title)
    return {id_: min(found) for id_, found in titles.items() if len(found) == 1}
