"""Positions begun: from a scenario's set-up, from a table of units, or from both.

All ways lead through `begin`, and so will saved games of other programs: it takes units with
their places, and adds what the scenario says of turn, weather, points and markers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce

from counters.model import Unit
from counters.units_table import UnitRow, dump_unit_rows, load_unit_rows
from mapkit.errors import Fault, TableError
from rules.combat.losses import steps_of
from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.places import OFF_MAP, format_place, parse_place
from rules.positions.points import points_word
from rules.positions.position import UNPLACED, Marker, Piece, Place, Position
from rules.positions.states import in_state
from rules.positions.turn_entry import enter_turn, known_sequence
from rules.scenarios.deployment import SET_UP, Deployed, Status, parse_statuses
from rules.scenarios.scenario_files import Scenario, find_scenarios, scenarios_of
from rules.schema.placement import InHexes, Placement

FURTHER = ("turn", "placement", "place", "statuses", "steps_lost", "facing", "hidden_from")
_FACINGS = tuple("012345")  # of the six directions


def set_up(game: str, scenario: str) -> Position:
    """Return the position a scenario begins with.

    A unit whose placement is one certain hex stands there. Where its owner may choose it is not
    placed yet, and keeps the name of the placement. Who arrives later is off the map.

    Raises:
        PackError, RulesError: there is no such game, or no such scenario in it.
    """
    scenarios = find_scenarios(game)
    found = scenarios.find(scenario)
    return begin(scenarios.pack, pieces_of(found, scenarios.pack), found)


def begin(pack: Pack, pieces: Iterable[Piece], scenario: Scenario | None = None) -> Position:
    """Return the position in which a game begins with these units.

    Raises:
        RulesError: two units have one id.
    """
    taken: dict[str, Piece] = {}
    for piece in pieces:
        if piece.unit.id in taken:
            raise RulesError(
                f"two units have the id '{piece.unit.id}'; give one of them another id"
            )
        taken[piece.unit.id] = piece
    if scenario is None:
        return _at_the_start(Position(game=pack.id, pieces=taken), None)
    points: dict[str, dict[str, int]] = {}
    for pool in scenario.file.points:
        if pool.start is not None:
            points.setdefault(pool.side, {})[points_word(pool)] = pool.start
    if scenario.objectives:
        for side, number in scenario.file.victory.given.items():
            points.setdefault(side, {})[scenario.objectives.chosen] = number
    held = scenario.file.control_at_start
    begun = Position(
        game=pack.id,
        scenario=scenario.id,
        points=points,
        control={label: one.side for one in held for label in one.hexes},
        pieces=taken,
        markers=tuple(_markers(pack, scenario)),
    )
    return _at_the_start(begun, scenario)


def pieces_of(scenario: Scenario, pack: Pack) -> Iterable[Piece]:
    """Yield the units of a scenario, placed as far as it leaves no choice."""
    for row in scenario.deployed:
        where = certain_place(scenario.placements[row.placement])
        yield _piece(row, where if row.turn == SET_UP else OFF_MAP, pack)


def certain_place(placement: Placement) -> Place:
    """Return the one hex a placement leaves; nowhere where its owner chooses."""
    only = placement.all_of[0]
    certain = len(placement.all_of) == 1 and not placement.or_else
    if certain and isinstance(only, InHexes) and len(only.hexes) == 1:
        return Place("hex", only.hexes[0])
    return UNPLACED


def pieces_from_table(
    data: bytes, pack: Pack, *, source: str, scenario: Scenario | None = None
) -> tuple[Piece, ...]:
    """Return the units of a CSV file or workbook: the columns of `units_table`, and `FURTHER`.

    Raises:
        TableError: it is no table, or cells do not read; `problems` holds every one.
    """
    reader = _Rows(pack, scenario)
    found = tuple(map(reader.read, load_unit_rows(data, source=source, further=FURTHER)))
    if reader.problems:
        raise TableError.listing(source, reader.problems)
    return found


def pieces_to_table(position: Position, pack: Pack) -> bytes:
    """Return the units of a position as a CSV file: the inverse of `pieces_from_table`."""
    rows = [_row(piece, pack) for _, piece in sorted(position.pieces.items())]
    return dump_unit_rows(rows, FURTHER)


def merged(first: Iterable[Piece], then: Iterable[Piece]) -> Iterable[Piece]:
    """Return units of two lists; of those in both, the later state."""
    found = {piece.unit.id: piece for piece in first}
    return (found | {piece.unit.id: piece for piece in then}).values()


def begin_from(
    pack: Pack, scenario: str | None, table: bytes | None = None, *, source: str = ""
) -> Position:
    """Return the position a game begins with, from a scenario, a table of units, or both.

    A unit that stands in both is taken from the table: so one fills in what a scenario leaves
    to its owner.
    """
    found = scenarios_of(pack).find(scenario) if scenario is not None else None
    pieces = pieces_of(found, pack) if found else ()
    if table is not None:
        pieces = merged(pieces, pieces_from_table(table, pack, source=source, scenario=found))
    return begin(pack, pieces, found)


def _piece(row: Deployed, place: Place, pack: Pack) -> Piece:
    bare = Piece(row.unit, place, due=row.turn, placement=row.placement)
    return _in_states(bare, row.statuses, pack)


def _in_states(piece: Piece, statuses: Iterable[Status], pack: Pack) -> Piece:
    return reduce(lambda so_far, status: in_state(so_far, status, pack), statuses, piece)


def _at_the_start(position: Position, scenario: Scenario | None) -> Position:
    return enter_turn(position, position.clock.turn, known_sequence(position.game), scenario)


def _markers(pack: Pack, scenario: Scenario) -> Iterable[Marker]:
    """Yield the markers a scenario lays; the later of two trenches in a hex counts."""
    trench, blown = (
        next((word for word, entry in pack.markers.items() if entry.lays == list_), None)
        for list_ in ("trenches", "bridges_blown")
    )
    levels: dict[tuple[str, str], int] = {}
    for one in scenario.trenches:
        levels |= {(label, one.side): one.level for label in one.hexes}
    if trench is not None:
        for (label, side), level in levels.items():
            yield Marker(trench, label, side=side, n=level)
    if blown is not None:
        for bridge in scenario.file.bridges_blown:
            yield Marker(blown, bridge.hexside)


class _Rows:
    """Makes pieces of the rows of a table and collects every cell that cannot be."""

    def __init__(self, pack: Pack, scenario: Scenario | None) -> None:
        self.problems: list[Fault] = []
        self._pack = pack
        self._scenario = scenario

    def read(self, row: UnitRow) -> Piece:
        piece = Piece(
            unit=self._unit(row.unit, row.place),
            place=parse_place(row.further["place"]),
            steps_lost=self._number(row, "steps_lost"),
            facing=self._facing(row),
            hidden_from=self._sides(row),
            due=self._number(row, "turn"),
            placement=self._placement(row),
        )
        try:
            statuses = parse_statuses(row.further["statuses"], self._pack.statuses)
        except ValueError as error:
            self._bad(row.place, str(error), "correct the state")
            return piece
        return _in_states(piece, statuses, self._pack)

    def _unit(self, unit: Unit, place: str) -> Unit:
        sides, classes = self._pack.sides, self._pack.classes
        if unit.side not in sides:
            self._bad(place, f"no side '{unit.side}'", _there_is(sides))
        if unit.class_ and unit.class_ not in classes:
            self._bad(place, f"no class of unit '{unit.class_}'", _there_is(classes))
        return replace(unit, steps=steps_of(classes, unit.class_, unit.steps))

    def _sides(self, row: UnitRow) -> tuple[str, ...]:
        found = tuple(part.strip() for part in row.further["hidden_from"].split(";"))
        named = tuple(side for side in found if side)
        for side in named:
            if side not in self._pack.sides:
                self._bad(row.place, f"no side '{side}'", _there_is(self._pack.sides))
        return named

    def _number(self, row: UnitRow, column: str) -> int:
        text = row.further[column]
        if not text:
            return 0
        if not (text.isascii() and text.isdigit() and len(text) <= 3):
            self._bad(row.place, f"'{text}' is no number of {column}", "write 1, or leave it empty")
            return 0
        return int(text)

    def _facing(self, row: UnitRow) -> int | None:
        text = row.further["facing"]
        if text and text not in _FACINGS:
            self._bad(row.place, f"'{text}' is no facing", "write 0 to 5, or leave it empty")
        return int(text) if text in _FACINGS else None

    def _placement(self, row: UnitRow) -> str:
        name = row.further["placement"]
        if name and self._scenario is not None and name not in self._scenario.placements:
            self._bad(row.place, f"no placement '{name}'", _there_is(self._scenario.placements))
        return name

    def _bad(self, place: str, problem: str, remedy: str) -> None:
        self.problems.append(Fault(place, problem, remedy))


def _there_is(known: Mapping[str, object]) -> str:
    return f"there is: {', '.join(known) or 'none'}"


def _row(piece: Piece, pack: Pack) -> UnitRow:
    counted = (
        f"{word} {n}" if n != 1 or (word in pack.statuses and pack.statuses[word].counted) else word
        for word, n in sorted(piece.statuses.items())
    )
    further = {
        "turn": str(piece.due or ""),
        "placement": piece.placement,
        "place": "" if piece.place == UNPLACED else format_place(piece.place),
        "statuses": "; ".join(counted),
        "steps_lost": str(piece.steps_lost or ""),
        "facing": "" if piece.facing is None else str(piece.facing),
        "hidden_from": "; ".join(piece.hidden_from),
    }
    return UnitRow(piece.unit, further)
