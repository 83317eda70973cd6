"""The account of an import, `module.json`: all that the module holds, and what became of it.

Every piece with all its traits, every component that is no part of a project, every file: what is
not imported can be looked up there, and nothing is lost in silence.
"""

import json
from collections.abc import Iterator
from typing import Any

from exporters.model import OutFile
from exporters.vassal.elements import Element
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.importing.counters import ImportedCounters
from exporters.vassal.importing.faces import shown_by
from exporters.vassal.importing.maps import ImportedBoards
from exporters.vassal.importing.slots import Slot, Slots

FILE = "module.json"
FORMAT = "mapkit-vassal-module/1"

_LISTED = (
    "VASSAL.build.module.",
    "VASSAL.build.widget.Chart",
    "VASSAL.build.widget.HtmlChart",
)
_INSIDE = (".boardPicker.", ".folder.", ".properties.", ".PrototypeDefinition", ".map.SetupStack")
_NAMES = ("name", "chartName", "title", "mapName", "threadName", "text", "buttonText")
_FILES = ("fileName", "pdfFile", "file", "startingPage")


def account_of(
    module: ForeignModule,
    sides: tuple[str, ...],
    boards: ImportedBoards,
    read: Slots,
    counters: ImportedCounters,
) -> OutFile:
    """Return the account as a file."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "module": module.name,
        "version": module.version,
        "sides": list(sides),
        "maps": [{"map": one.id, "window": one.window, "board": one.board} for one in boards.maps],
        "lost": [one.told for one in (*boards.lost, *read.lost, *counters.lost)],
        "pieces": [
            _piece(slot, counters.by_slot[n], counters) for n, slot in enumerate(read.slots)
        ],
        "components": list(_components(module)),
        "files": list(module.entries),
    }
    return OutFile(FILE, f"{json.dumps(data, ensure_ascii=False, indent=1)}\n".encode())


def _piece(slot: Slot, counter: str, counters: ImportedCounters) -> dict[str, Any]:
    pictures = {one.image: counters.images.get(one.image) for one in shown_by(slot.piece)}
    return {
        "counter": counter,
        "name": slot.name,
        "gpid": slot.gpid,
        "where": slot.where,
        "path": list(slot.path),
        "prototypes": list(slot.prototypes),
        "marks": slot.piece.marks(),
        "pictures": pictures,
        "traits": [{"type": one.type, "state": one.state} for one in slot.piece.traits],
    }


def _components(module: ForeignModule) -> Iterator[dict[str, str]]:
    """Yield what plays no part in a project: dice, charts, trackers, help, buttons."""
    for one in tags(module.root):
        tag = str(one.tag)
        told = _told(one)
        if told and tag.startswith(_LISTED) and not any(word in tag for word in _INSIDE):
            yield {"class": tag.removeprefix("VASSAL.build."), **told}


def _told(one: Element) -> dict[str, str]:
    name = next((text for key in _NAMES if (text := one.get(key))), "")
    file = next((text for key in _FILES if (text := one.get(key))), "")
    return {key: text for key, text in (("name", name), ("file", file)) if text}
