"""What ties a project to a module, worked out from both: for modules of ours, and those alike.

Our own modules say of every piece which unit it is, and call boxes, turns and phases as we do, in
one of our languages. Of an author's only what leaves no doubt is taken: a name that one unit and
one piece alone have, a tracker that counts from 1.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from counters.model import Unit
from exporters.material import Material
from exporters.vassal.binding import Binding, BoundWindow, TurnKeys, UnitKeys
from exporters.vassal.binding_made import bind
from exporters.vassal.boxes import box_names, told_side
from exporters.vassal.elements import Element
from exporters.vassal.foreign import ForeignModule, tags
from exporters.vassal.sequence import split
from exporters.vassal.slots import ID, slots_of
from exporters.vassal.standing import SIDE
from exporters.vassal.turn_tracker import TRACKER, moment_ids, moments, tracker_id
from mapkit.texts import LANGUAGES, say, speaking
from rules.errors import RulesError
from rules.pack import Pack
from rules.scenarios.scenario_files import Scenario, scenarios_of
from rules.scenarios.scenario_words import told_turn
from rules.scenarios.sequences import Asked, find_sequence

OFF_MAP, UNPLACED = "off_map", "unplaced"


def find_binding(module: ForeignModule, material: Material) -> Binding:
    """Return what ties a module to a project.

    Raises:
        ExportError: a grid of the module holds what is no number.
    """
    boxes = known_boxes(material)
    made = bind(
        module,
        {id_: one.map for id_, one in material.maps.items()},
        units=_unit_keys(module, material),
        sides=_sides(material),
        side_mark=SIDE,
        boxes={name: word for name, (word, _) in boxes.items()},
    )
    sides = {name.casefold(): side for name, (_, side) in boxes.items()}
    windows = tuple(_with_sides(window, sides) for window in made.windows)
    return replace(made, windows=windows, turns=turn_keys(module.root, material.pack))


def _unit_keys(module: ForeignModule, material: Material) -> UnitKeys:
    counters = material.pieces.counters if material.pieces else ()
    ids = {counter.id for counter in counters}
    slots = list(slots_of(module.root))
    if any(slot.marks().get(ID) in ids for slot in slots):
        return UnitKeys(mark=ID)
    named = Counter(slot.name for slot in slots)
    units = Counter(counter.name for counter in counters)
    only = {counter.name: counter.id for counter in counters if units[counter.name] == 1}
    found = {
        slot.gpid: only[slot.name] for slot in slots if named[slot.name] == 1 and slot.name in only
    }
    return UnitKeys(gpids=found)


def _sides(material: Material) -> dict[str, str]:
    """Return the sides by all that a module of ours may call them."""
    found: dict[str, str] = {}
    given = material.pieces
    own = [unit.side for unit in given.counters if isinstance(unit, Unit)] if given else []
    for side in dict.fromkeys([*(material.pack.sides if material.pack else ()), *own]):
        for language in LANGUAGES:
            with speaking(language):
                found.setdefault(told_side(material.pack, given, side), side)
        found.setdefault(side, side)
    return found


def known_boxes(material: Material) -> dict[str, tuple[str, str]]:
    """Return the word and side of each box by the names of windows and zones, in any language."""
    found: dict[str, tuple[str, str]] = {}
    for language in LANGUAGES:
        with speaking(language):
            found |= box_names(material)
            found[say("exporters.vassal.tray.window")] = (UNPLACED, "")
            found[say("exporters.vassal.tray.arrivals")] = (OFF_MAP, "")
    return found


def _with_sides(window: BoundWindow, sides: Mapping[str, str]) -> BoundWindow:
    boards = tuple(
        replace(
            board,
            parts=tuple(
                replace(part, side=sides.get(part.name.casefold(), "")) if part.box else part
                for part in board.parts
            ),
        )
        for board in window.boards
    )
    return replace(window, boards=boards)


def turn_keys(root: Element, pack: Pack | None) -> TurnKeys:
    """Return how the first tracker that says it plainly tells the turn."""
    trackers = [one for one in tags(root) if one.tag == TRACKER]
    for number, tracker in enumerate(trackers):
        level = next((one for one in tags(tracker) if one is not tracker), None)
        if level is None:
            continue
        for scenario in _scenarios(pack):
            keys = _as_we_write(tracker_id(number), level, pack, scenario)
            if keys is not None:
                return keys
        if _counts_from_one(level):
            return TurnKeys(tracker_id(number))
        listed = split(",", level.get("list", ""))
        if [one.strip() for one in listed] == [str(n) for n in range(1, len(listed) + 1)]:
            return TurnKeys(tracker_id(number), tuple(range(1, len(listed) + 1)))
    return TurnKeys()


def _as_we_write(
    tracker: str, level: Element, pack: Pack | None, scenario: Scenario | None
) -> TurnKeys | None:
    """Return the keys of a tracker that says turns and phases in our words; None for any other."""
    below = next((one for one in tags(level) if one is not level), None)
    if pack is None or below is None:
        return None
    try:
        sequence = find_sequence(pack.id)
    except RulesError:
        return None
    asked = Asked(scenario)
    phases = split(",", below.get("list", ""))
    for language in LANGUAGES:
        with speaking(language):
            if list(moments(sequence, asked)) != phases:
                continue
            ids = tuple(moment_ids(sequence, asked))
            if scenario is None:
                return TurnKeys(tracker, (), ids) if _counts_from_one(level) else None
            numbers = tuple(scenario.file.turns.numbers)
            told = [told_turn(scenario, turn) for turn in numbers]
            if told == split(",", level.get("list", "")):
                return TurnKeys(tracker, numbers, ids)
    return None


def _scenarios(pack: Pack | None) -> Iterator[Scenario | None]:
    yield None
    if pack is not None:
        yield from scenarios_of(pack).scenarios


def _counts_from_one(level: Element) -> bool:
    counts = str(level.tag).endswith("CounterTurnLevel")
    return counts and level.get("start", "1") == "1" and level.get("incr", "1") == "1"
