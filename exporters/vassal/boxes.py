"""Boxes beside the map for units that left it: a window, and commands that send counters there."""

from collections.abc import Mapping
from dataclasses import dataclass

from counters.model import Counter, Unit
from exporters.material import CounterMaterial, Material
from exporters.model import OutFile
from exporters.vassal.elements import Element
from exporters.vassal.traits import (
    BOX_X,
    BOX_Y,
    Trait,
    command,
    mark,
    prototype,
    report_keys,
    send_to,
    sub_menu,
)
from exporters.vassal.tray_drawing import draw_tray
from exporters.vassal.trays import (
    Box,
    Column,
    Tray,
    across,
    capitalised,
    cell_px,
    lay_out,
    tray_element,
)
from exporters.vassal.windows import map_window
from mapkit.drawing import rasterise
from mapkit.texts import say
from rules.pack import Pack
from rules.positions.known_places import display_boxes
from rules.spoken import spoken

BOXES = "Boxes"
"""The prototype of all that can be sent to a box."""

ELIMINATED = "eliminated"
_ELIMINATE_KEY = "69,130"  # Ctrl+E
_PILE = 4  # so many counters of a side share a place, if all of them lie in one box
_MOST_ROWS = 4

_MOVED = "$newPieceName$: $oldLocation$ → $location$"


@dataclass(frozen=True)
class Boxes:
    """The window of boxes: its board, and where in each box a counter has its own place.

    *words* are the boxes that commands send to, with their titles; *places* are how far the place
    of each counter, by id, lies from where the boxes begin.
    """

    window: str
    tray: Tray
    words: Mapping[str, str]
    begins: Mapping[str, tuple[int, int]]
    places: Mapping[str, tuple[int, int]]

    def traits(self, counter: Counter) -> list[Trait]:
        """Return what lets a counter be sent to the boxes; nothing for what is no unit."""
        if counter.id not in self.places:
            return []
        x, y = self.places[counter.id]
        return [prototype(BOXES), mark(**{BOX_X: str(x), BOX_Y: str(y)})]

    def shared(self) -> tuple[Trait, ...]:
        """Return the commands that all such counters share."""
        menus = {word: title for word, title in self.words.items() if word != ELIMINATED}
        back = say("exporters.vassal.box.back")
        keys = {word: command(f"box_{word}") for word in menus}
        back_key = command("box_back")
        first = (say("exporters.vassal.box.eliminate"), _ELIMINATE_KEY)
        return (
            report_keys([_ELIMINATE_KEY, *keys.values(), back_key], _MOVED),
            sub_menu(say("exporters.vassal.box.send"), [*menus.values(), back]),
            send_to(*first, self.window, self.begins[ELIMINATED], (back, back_key)),
            *(send_to(menus[word], keys[word], self.window, self.begins[word]) for word in menus),
        )

    def element(self, file: str) -> Element:
        """Return the window, whose board is the picture of that name."""
        return map_window(self.window, [tray_element(self.tray, file)], docked=False)

    def image(self, file: str) -> OutFile:
        """Return that picture."""
        return OutFile(f"images/{file}", rasterise(draw_tray(self.tray)))

    def spot(self, id_: str, word: str) -> tuple[int, int] | None:
        """Return where a counter lies in a box; None where it has no place there."""
        if id_ not in self.places or word not in self.begins:
            return None
        (x, y), (over, down) = self.begins[word], self.places[id_]
        return x + over, y + down


def make_boxes(material: Material, counter_px: int) -> Boxes | None:
    """Return the boxes of a project by side; None where it has no units."""
    given = material.pieces
    units = _by_side(given) if given else {}
    if given is None or not units:
        return None
    words = _words(material.pack)
    by_hand = _display(material.pack)
    most = max(len(ids) for ids in units.values())
    rows = min(max(-(-most // (across(counter_px) * _PILE)), 1), _MOST_ROWS)
    sides = {side: told_side(material.pack, given, side) for side in units}
    titles = [*words.values(), *by_hand.values()]
    columns = [
        Column(side, tuple(Box(_name(title, side), title, rows=rows) for title in titles))
        for side in sides.values()
    ]
    window = boxes_window()
    tray = lay_out(window, window, columns, counter_px)
    lefts = {side: tray.box(_name(titles[0], title)).free[0] for side, title in sides.items()}
    cell, (first, *_) = cell_px(counter_px), sides
    begins = {}
    for word, title in (words | by_hand).items():
        x, y = tray.box(_name(title, sides[first])).free
        begins[word] = (x + cell // 2, y + cell // 2)
    places = {}
    for side, ids in units.items():
        for number, id_ in enumerate(ids):
            row, at = divmod(number % (across(counter_px) * rows), across(counter_px))
            places[id_] = (lefts[side] - lefts[first] + at * cell, row * cell)
    return Boxes(window, tray, words, begins, places)


def boxes_window() -> str:
    """Return the name of the window."""
    return say("exporters.vassal.box.window")


def box_names(material: Material) -> dict[str, tuple[str, str]]:
    """Return what the engine calls the boxes of a project's module: each one's word and side."""
    given = material.pieces
    sides = _by_side(given) if given else {}
    words = _words(material.pack) | _display(material.pack)
    return {
        _name(title, told_side(material.pack, given, side)): (word, side)
        for side in sides
        for word, title in words.items()
    }


def told_side(pack: Pack | None, given: CounterMaterial | None, side: str) -> str:
    """Return the title of a side in the language in use."""
    if pack is not None and side in pack.sides:
        return capitalised(spoken(pack, pack.sides[side].title, "sides"))
    return given.sides.get(side, side) if given else side


def _by_side(given: CounterMaterial) -> dict[str, list[str]]:
    """Return the ids of the units of each side, in their order."""
    found: dict[str, list[str]] = {}
    for counter in given.counters:
        if isinstance(counter, Unit):
            found.setdefault(counter.side, []).append(counter.id)
    return found


def _words(pack: Pack | None) -> dict[str, str]:
    """Return the boxes that units are sent to, with titles; every game has one for the dead."""
    named = {word: _told_box(pack, word) for word in pack.boxes} if pack else {}
    dead = {ELIMINATED: named.get(ELIMINATED, say("exporters.vassal.box.eliminated"))}
    return dead | named


def _told_box(pack: Pack, word: str) -> str:
    return capitalised(spoken(pack, word.replace("_", " "), "box"))


def _display(pack: Pack | None) -> dict[str, str]:
    """Return the boxes of the display of guns, which counters are laid in by hand."""
    words = display_boxes(pack) if pack else ()
    return {word: say("exporters.vassal.box.display", box=word) for word in words}


def _name(title: str, side: str) -> str:
    """Return what the engine calls the box of a side."""
    return f"{title}: {side}"
