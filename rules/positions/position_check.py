"""Everything wrong with a position: each problem with its place, its weight and its remedy."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from counters.model import Unit
from mapkit.errors import MapkitError
from mapkit.hexes import Hex
from mapkit.texts import say
from rules.battlefield import Battlefield
from rules.judges.stacking import StackingJudge
from rules.positions.on_the_map import field_with_markers, marker_place, require_game, standing
from rules.positions.placement_check import SetUp, is_bound
from rules.positions.places import format_place, is_on
from rules.positions.points import points_words
from rules.positions.position import Marker, Piece, Position
from rules.positions.position_show import scenario_of
from rules.positions.states import can_be
from rules.positions.turn_entry import known_sequence
from rules.scenarios.placements import told_constraints, told_placement
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.scenarios.scenario_words import in_runs
from rules.schema.forces import classes_in
from rules.schema.placement import Placement
from rules.standing import Standing

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong, or worth a look. *unit* is the id of the unit it concerns, if any."""

    code: str
    severity: Severity
    place: str
    values: Mapping[str, object] = field(default_factory=dict)
    unit: str = ""
    cite: str = ""

    @property
    def text(self) -> str:
        """What is wrong and what to do, in the language in use."""
        return say(f"rules.position_check.{self.code}", **self.values)

    def as_data(self) -> dict[str, str]:
        """Return it as JSON-able data."""
        return {
            "code": self.code,
            "severity": self.severity,
            "place": self.place,
            "unit": self.unit,
            "text": self.text,
            "cite": self.cite,
        }


@dataclass(frozen=True)
class Checked:
    """A position, its map and its game, and all the check has found."""

    field: Battlefield
    position: Position
    scenarios: Scenarios
    map_id: str = ""
    maps: frozenset[str] = frozenset()

    @property
    def scenario(self) -> Scenario | None:
        """The scenario that is played; None where the position names none that there is."""
        return scenario_of(self.position, self.scenarios)


def check_position(
    position: Position,
    battlefield: Battlefield,
    scenarios: Scenarios,
    *,
    map_id: str = "",
    maps: Collection[str] = (),
) -> tuple[Problem, ...]:
    """Return all problems of a position on one map, errors first; *maps* are all there are.

    Raises:
        RulesError: the position is of another game.
    """
    require_game(position, battlefield.pack)
    checked = Checked(battlefield, position, scenarios, map_id, frozenset(maps))
    found = [*_words(checked), *_markers(checked)]
    units: list[Standing] = []
    for id_, piece in sorted(position.pieces.items()):
        found += _unit_words(checked, id_, piece)
        hex_, wrong = _hex(checked, id_, piece)
        found += wrong
        if hex_ is not None:
            units.append(standing(piece, hex_, battlefield.pack))
    found += _stacks(checked, tuple(units))
    found += [problem for unit in units for problem in _ground(checked, unit)]
    found += _set_up(checked, tuple(units))
    return tuple(
        sorted(found, key=lambda one: (SEVERITIES.index(one.severity), one.place, one.unit))
    )


def told_problems(problems: tuple[Problem, ...]) -> str:
    """Return problems in words, a line each, the count first."""
    counts = {name: sum(one.severity == name for one in problems) for name in SEVERITIES}
    lines = [
        say(
            "rules.position_check.summary",
            errors=counts["error"],
            warnings=counts["warning"],
            notes=counts["note"],
        )
    ]
    for one in problems:
        severity = say(f"rules.position_check.{one.severity}")
        cite = f" [{one.cite}]" if one.cite else ""
        lines.append(f"{severity} {one.place}: {one.text}{cite}")
    return "\n".join(lines)


def _words(checked: Checked) -> Iterator[Problem]:
    """Yield words of the position's head that the game does not know."""
    position, pack = checked.position, checked.field.pack
    known = {
        "scenario": {one.id for one in checked.scenarios.scenarios},
        "weather": set(pack.weather),
        "side": set(pack.sides),
        "phase": _phases(pack.id),
    }
    used = [("scenario", position.scenario), ("weather", position.weather or "")]
    used += [("side", position.initiative), ("side", position.clock.active)]
    used += [("phase", position.clock.phase)] if known["phase"] else []
    used += [("side", side) for side in (*position.points, *position.control.values())]
    for what, word in dict.fromkeys(used):
        if word and word not in known[what]:
            yield _unknown_word("–", what, word, known[what])
    words = points_words(checked.scenarios, checked.scenario)
    for side, kinds in position.points.items() if words else ():
        for word in kinds:
            if side in pack.sides and word not in words.get(side, ()):
                yield _unknown_word(side, "points", word, words.get(side, ()))


def _unit_words(checked: Checked, id_: str, piece: Piece) -> Iterator[Problem]:
    pack, unit = checked.field.pack, piece.unit
    place = format_place(piece.place)
    if unit.id != id_:
        yield Problem("other_id", "error", place, {"id": unit.id, "entry": id_}, id_)
    known = {
        "side": set(pack.sides),
        "class": set(pack.classes),
        "formation": set(checked.scenarios.formations),
        "state": set(pack.statuses),
    }
    used = [("side", unit.side), ("class", unit.class_), ("formation", unit.formation)]
    used += [("side", side) for side in piece.hidden_from]
    used += [("state", word) for word in piece.statuses]
    for what, word in used:
        if word and known[what] and word not in known[what]:
            yield _unknown_word(place, what, word, known[what], id_)
    yield from _unit_states(checked, id_, piece)
    yield from _unit_facing(checked, id_, piece)
    gone = bool(unit.steps) and piece.steps_lost >= (unit.steps or 0)
    if gone and piece.place.kind == "hex":
        yield Problem("no_steps_left", "error", place, {"unit": unit.name}, id_)


def _unit_states(checked: Checked, id_: str, piece: Piece) -> Iterator[Problem]:
    pack, place = checked.field.pack, format_place(piece.place)
    for word, n in piece.statuses.items():
        entry = pack.statuses.get(word)
        if entry is None:
            continue
        values: dict[str, object] = {"unit": piece.unit.name, "state": entry.told()}
        if piece.unit.class_ in pack.classes and not can_be(piece, word, pack):
            yield Problem("not_its_state", "error", place, values, id_, entry.cite)
        if not entry.counted and n != 1:
            yield Problem("not_counted", "error", place, {**values, "n": n}, id_, entry.cite)
        for other in entry.unless:
            if other in piece.statuses:
                both = {**values, "other": pack.statuses[other].told()}
                yield Problem("states_exclude", "error", place, both, id_, entry.cite)


def _unit_facing(checked: Checked, id_: str, piece: Piece) -> Iterator[Problem]:
    pack, class_ = checked.field.pack, piece.unit.class_
    if pack.facing is None or piece.facing is None or class_ not in pack.classes:
        return
    if class_ not in classes_in(pack.facing.groups, pack.classes):
        place, values = format_place(piece.place), {"unit": piece.unit.name}
        yield Problem("faces_no_way", "error", place, values, id_, pack.facing.cite)


def _hex(checked: Checked, id_: str, piece: Piece) -> tuple[Hex | None, list[Problem]]:
    """Return the hex a unit stands on, if it is on this map, and what is wrong with that."""
    place = piece.place
    if place.kind == "hex" and place.map and checked.maps and place.map not in checked.maps:
        return None, [_unknown_word(format_place(place), "map", place.map, checked.maps, id_)]
    if not is_on(place, checked.map_id):
        return None, []
    try:
        return checked.field.hex(place.at), []
    except MapkitError as error:
        values = {"unit": piece.unit.name, "why": str(error)}
        return None, [Problem("unknown_hex", "error", format_place(place), values, id_)]


def _markers(checked: Checked) -> Iterator[Problem]:
    pack = checked.field.pack
    for marker in checked.position.markers:
        entry = pack.markers.get(marker.kind)
        if entry is None:
            yield _unknown_word(marker.at, "marker", marker.kind, set(pack.markers))
            continue
        values: dict[str, object] = {"marker": entry.told(), "n": marker.n}
        if marker.side and marker.side not in pack.sides:
            yield _unknown_word(marker.at, "side", marker.side, set(pack.sides))
        if ("hexside" if "/" in marker.at else "hex") not in entry.on:
            values["on"] = ", ".join(entry.on)
            yield Problem("marker_place", "error", marker.at, values, cite=entry.cite)
        elif _is_here(marker, checked) and marker_place(marker, checked.field) is None:
            yield Problem("marker_off_map", "error", marker.at, values)
        if entry.counted and marker.n is None:
            yield Problem("marker_number", "error", marker.at, values, cite=entry.cite)
        if entry.highest is not None and marker.n is not None and marker.n > entry.highest:
            values["highest"] = entry.highest
            yield Problem("marker_too_high", "error", marker.at, values, cite=entry.cite)


def _is_here(marker: Marker, checked: Checked) -> bool:
    return not checked.map_id or marker.map in ("", checked.map_id)


def _stacks(checked: Checked, units: tuple[Standing, ...]) -> Iterator[Problem]:
    """Yield hexes that friend and enemy share, and those with too many in them."""
    position, pack = checked.position, checked.field.pack
    by_hex: dict[Hex, list[Standing]] = {}
    for unit in units:
        by_hex.setdefault(unit.hex, []).append(unit)
    sharing = {word for word, entry in pack.statuses.items() if entry.shares_hex}
    for hex_, stack in by_hex.items():
        sides = sorted({unit.side for unit in stack})
        if len(sides) > 1 and not any(sharing & unit.statuses.keys() for unit in stack):
            names = ", ".join(unit.unit.name for unit in stack if unit.unit)
            yield Problem("enemies", "error", checked.field.label(hex_), {"units": names})
    if pack.stacking is None:
        return
    known = position.weather if position.weather in pack.weather else None
    field_ = field_with_markers(checked.field, position, checked.map_id)
    before = position.clock.turn == 1 and not position.clock.phase
    judged = tuple(  # a unit of unknown words has its own error; no judge can count it
        unit
        for unit in units
        if unit.side in pack.sides and (not unit.class_ or unit.class_ in pack.classes)
    )
    judge = StackingJudge(field_, judged, known, scenario=position.scenario, set_up=before)
    for ruling in judge.rule_all():
        if ruling.verdict != "within":
            severity: Severity = "error" if ruling.verdict == "over" else "note"
            told = "; ".join(reason.told() for reason in ruling.reasons[1:] or ruling.reasons)
            values = {"why": told}
            code = "overstacked" if ruling.verdict == "over" else "stack_unknown"
            place = str(ruling.working["hex"])
            yield Problem(code, severity, place, values, cite=ruling.cites[0])


def _ground(checked: Checked, unit: Standing) -> Iterator[Problem]:
    """Yield ground that a unit's class can never enter; a road may have brought it there."""
    pack, here = checked.field.pack, checked.field.ground[unit.hex]
    class_ = pack.classes.get(unit.class_)
    if class_ is None:
        return
    groups = (unit.class_, *class_.groups)
    kinds = [(here.terrain, pack.terrain.get(here.terrain))]
    kinds += [(one.kind, pack.features.get(one.kind)) for one in here.features]
    linked = any(unit.hex in link for link in checked.field.ground.links)
    for word, kind in kinds:
        costs = kind.costs if kind else {}
        if kind and next((costs[group] for group in groups if group in costs), 0) == "never":
            severity: Severity = "warning" if linked else "error"
            code = "ground_by_road" if linked else "ground"
            values = {"unit": unit.unit.name if unit.unit else unit.name, "class": class_.title}
            label = checked.field.label(unit.hex)
            yield Problem(code, severity, label, {**values, "ground": word}, unit.name, kind.cite)


def _set_up(checked: Checked, units: tuple[Standing, ...]) -> Iterator[Problem]:
    """Yield units that stand where the scenario does not let them, or do not stand yet."""
    position, scenario = checked.position, checked.scenario
    yield from _arrivals(position)
    if scenario is None:
        return
    by_id = {unit.name: unit for unit in units}
    named = {one.unit.id: one.unit for one in scenario.deployed}
    waiting: dict[str, list[Piece]] = {}
    set_up = SetUp(checked.field, position, units, scenario.file.area.all_of)
    for id_, piece in sorted(position.pieces.items()):
        if not is_bound(piece, position) or piece.placement not in scenario.placements:
            continue
        if id_ in by_id:
            yield from _placed(checked, scenario, set_up, by_id[id_], named)
        elif piece.place.kind == "unplaced":
            waiting.setdefault(piece.placement, []).append(piece)
    for name, pieces in waiting.items():
        yield _to_be_placed(checked, scenario.placements[name], pieces, named)
    if position.clock.turn == 1 and not position.clock.phase:
        yield from _front_line_trenches(checked, scenario)


def _arrivals(position: Position) -> Iterator[Problem]:
    turn = position.clock.turn
    for id_, piece in sorted(position.pieces.items()):
        values: dict[str, object] = {"unit": piece.unit.name, "turn": piece.due}
        place = format_place(piece.place)
        if piece.due > turn and piece.place.kind == "hex":
            yield Problem("too_early", "error", place, values, id_)
        elif 0 < piece.due <= turn and piece.place.kind == "off_map":
            yield Problem("due", "warning", place, values, id_)


def _placed(
    checked: Checked,
    scenario: Scenario,
    set_up: SetUp,
    unit: Standing,
    named: Mapping[str, Unit],
) -> Iterator[Problem]:
    pack = checked.field.pack
    placement = scenario.placements[checked.position.pieces[unit.name].placement]
    fits = set_up.fit(placement, unit)
    label = checked.field.label(unit.hex)
    values: dict[str, object] = {"unit": unit.unit.name if unit.unit else unit.name}
    if fits.broken:
        values["rule"] = told_constraints(fits.broken, pack, named)
        yield Problem("set_up_broken", "error", label, values, unit.name, placement.cite)
    elif fits.unchecked:
        values["rule"] = told_constraints(fits.unchecked, pack, named)
        yield Problem("set_up_unchecked", "note", label, values, unit.name, placement.cite)


def _to_be_placed(
    checked: Checked, placement: Placement, pieces: list[Piece], named: Mapping[str, Unit]
) -> Problem:
    values: dict[str, object] = {
        "units": ", ".join(in_runs([piece.unit.name for piece in pieces])),
        "place": told_placement(placement, checked.field.pack, named),
    }
    ids = ", ".join(piece.unit.id for piece in pieces)
    return Problem("to_be_placed", "warning", "unplaced", values, ids, placement.cite)


def _front_line_trenches(checked: Checked, scenario: Scenario) -> Iterator[Problem]:
    """Yield the trenches along a front line: which hexes those are, the printed map knows."""
    for one in scenario.trenches:
        if one.front_line:
            side = checked.field.pack.sides[one.side].title
            values = {"side": side, "level": one.level}
            yield Problem("front_line_trenches", "note", "–", values, cite=one.cite)


def _phases(game: str) -> set[str]:
    sequence = known_sequence(game)
    return {phase.id for phase in sequence.phases} if sequence else set()


def _unknown_word(
    place: str, what: str, word: str, known: Collection[str], unit: str = ""
) -> Problem:
    values = {
        "what": say(f"rules.position_check.word_{what}"),
        "word": word,
        "known": ", ".join(sorted(known)) or "–",
    }
    return Problem("unknown_word", "error", place, values, unit)
