"""A position: who stands where, in what state, and what hour it is. Plain frozen data.

Places are written as printed (`1534`), so that a position can be kept, compared and shown without
its map; `standings` puts its units on a battlefield. The pack owns the words: statuses, markers,
points, phases.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from counters.model import Unit

PlaceKind: TypeAlias = Literal["hex", "box", "edge", "off_map", "unplaced"]
PLACES: tuple[PlaceKind, ...] = get_args(PlaceKind)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit is: a hex of a named map, a box, a map edge, off the map, or nowhere yet.

    *at* is the hex's label, the box's word or the edge's; *map* is "" on the project's only map.
    """

    kind: PlaceKind = "unplaced"
    at: str = ""
    map: str = ""


UNPLACED = Place()


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit in play. *statuses* are the pack's words with points (1 where one just holds).

    *steps_lost* counts from the full unit; *hidden_from* are sides that may not look at it. *due*
    is the turn it arrives in, 0 at set-up; *placement* names where the scenario lets it come.
    """

    unit: Unit
    place: Place = UNPLACED
    statuses: Mapping[str, int] = field(default_factory=dict)
    steps_lost: int = 0
    facing: int | None = None
    hidden_from: tuple[str, ...] = ()
    due: int = 0
    placement: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker on a hex (`1534`) or hexside (`1534/1535`): a trench level, a blown bridge."""

    kind: str
    at: str
    map: str = ""
    side: str = ""
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """Where the turn stands: ids of the pack's sequence of play; "" before its first phase.

    *active* is the side that acts, *formation* who acts now (several as `one+other`), *done* the
    formations that have acted this turn, *passed* the sides that passed since anyone last acted.
    *round* counts how often a loop of phases is played in full (one sector, then the other);
    *over* is true once the game has ended, and then there is no phase.
    """

    turn: int = 1
    phase: str = ""
    step: str = ""
    active: str = ""
    formation: str = ""
    done: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    round: int = 1
    over: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: when it was, and what happened, as text and as data where it has any."""

    turn: int
    phase: str
    text: str
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Position:
    """A game in progress. *points* are by side, then by the pack's word: `{"it": {"lp": 4}}`.

    *control* says who held a hex last, by label; *initiative* which side has it.
    """

    game: str
    scenario: str = ""
    clock: Clock = field(default_factory=Clock)
    weather: str | None = None
    initiative: str = ""
    points: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    control: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    markers: tuple[Marker, ...] = ()
    log: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        # The order of markers says nothing: with one order, equal positions are equal values.
        object.__setattr__(self, "markers", tuple(sorted(self.markers, key=marker_order)))


def marker_order(marker: Marker) -> tuple[str, str, str, str, int]:
    """Return what markers are sorted by; its first four also tell one marker from another."""
    return (marker.map, marker.at, marker.kind, marker.side, marker.n or 0)
