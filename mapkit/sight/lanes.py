"""A displacement's gates in the form bitboards want: what is asked, and by how much to shift."""

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from mapkit.hexes import ORIGIN, Hex, Hexside, distance
from mapkit.lines import hex_line
from mapkit.sight.boards import ANYWHERE, CoverBoards, Layer, SightBoards, side_direction
from mapkit.sight.comparisons import Spot
from mapkit.sight.gates import HexGate, SideGate, hex_gates, side_gates
from mapkit.sight.policy import SightPolicy
from mapkit.sight.sighting import Gate, spot_of


class Question(NamedTuple):
    """Which classes of these places block, at this spot of the line?"""

    cover: CoverBoards
    spot: Spot


Asked = tuple[int, int]  # the number of the question, and the shift to the line's origin
Fork = tuple[tuple[Asked, ...], ...]


class Lane(NamedTuple):
    """All gates of one displacement.

    *singles* are the gates with one place: by question, the shifts. *forks* are all others.
    """

    questions: tuple[Question, ...]
    singles: tuple[tuple[int, tuple[int, ...]], ...]
    forks: tuple[Fork, ...]


class Lanes:
    """The lanes of one board, by displacement."""

    def __init__(self, boards: SightBoards) -> None:
        self._book = gate_book(boards.ground.policy)
        self._layers = boards.layers
        self._board = boards.board
        # Boards whose rows are as long shift alike: a policy remembers by how much.
        self._moved = self._book.moved.setdefault(boards.board.weights, {})

    def to(self, by: Hex) -> Lane:
        """Return the gates of the line from any hex to the one *by* away."""
        page = self._book.page(by)
        if by not in self._moved:
            self._moved[by] = self._shifts(page)
        questions = tuple([Question(self._layers[layer], spot) for layer, spot in page.questions])
        return Lane(questions, *self._moved[by])

    def _shifts(self, page: "Page") -> "_Moved":
        def shift(hex_: Hex) -> int:
            return -self._board.offset(hex_)

        return (
            tuple((question, tuple(map(shift, hexes))) for question, hexes in page.singles),
            tuple(
                tuple(tuple((question, shift(hex_)) for question, hex_ in way) for way in fork)
                for fork in page.forks
            ),
        )


_Moved = tuple[tuple[tuple[int, tuple[int, ...]], ...], tuple[Fork, ...]]
_PlaceAsked = tuple[int, Hex]


class Page(NamedTuple):
    """A lane as it is on every map: places instead of shifts, layers instead of boards."""

    questions: tuple[tuple[Layer, Spot], ...]
    singles: tuple[tuple[int, tuple[Hex, ...]], ...]
    forks: tuple[tuple[tuple[_PlaceAsked, ...], ...], ...]


class GateBook:
    """The gates of a policy's lines, by displacement."""

    def __init__(self, policy: SightPolicy) -> None:
        self._policy = policy
        self._pages: dict[Hex, Page] = {}
        self._spots: dict[object, Spot] = {}
        self.moved: dict[tuple[int, int], dict[Hex, _Moved]] = {}

    def page(self, by: Hex) -> Page:
        """Return the gates of the line to the hex *by* away."""
        if by not in self._pages:
            self._pages[by] = self._write(by)
        return self._pages[by]

    def _write(self, by: Hex) -> Page:
        questions: dict[tuple[Layer, Spot], int] = {}
        singles: dict[int, list[Hex]] = defaultdict(list)
        forks = []
        for gate in self._gates(by):
            ways = []
            for way in gate.ways:
                asked = []
                for place in way:
                    question = self._layer(gate, place), self._spot(gate, place, by)
                    number = questions.setdefault(question, len(questions))
                    asked.append((number, place if isinstance(place, Hex) else place.a))
                ways.append(tuple(asked))
            if len(ways) == len(ways[0]) == 1:
                number, hex_ = ways[0][0]
                singles[number].append(hex_)
            else:
                forks.append(tuple(ways))
        alone = tuple((number, tuple(hexes)) for number, hexes in singles.items())
        return Page(tuple(questions), alone, tuple(forks))

    def _gates(self, by: Hex) -> tuple[Gate, ...]:
        policy, hexes = self._policy, distance(ORIGIN, by)
        if hexes == 0 or (hexes == 1 and policy.adjacent_clear):
            return ()
        events = hex_line(ORIGIN, by)
        return (
            *hex_gates(events, policy, frozenset({ORIGIN, by})),
            *side_gates(events, policy),
        )

    def _layer(self, gate: Gate, place: Hex | Hexside) -> Layer:
        if isinstance(gate, HexGate):
            return "inherent" if gate.inherent else "hexes"
        assert isinstance(gate, SideGate)
        assert isinstance(place, Hexside)  # for the type checker: a side gate has sides
        return gate.obstacles, side_direction(place)

    def _spot(self, gate: Gate, place: Hex | Hexside, by: Hex) -> Spot:
        if not self._policy.is_placed:
            return ANYWHERE
        spot = spot_of(place, ORIGIN, by, gate)
        exact = (spot.start, spot.end) if self._policy.is_exactly_placed else ()
        counts = spot.from_observer, spot.from_target, spot.distance, spot.weights
        return self._spots.setdefault((counts, exact), spot)


@lru_cache(maxsize=64)
def gate_book(policy: SightPolicy) -> GateBook:
    """Return the one gate book of a policy: it is the same on every map."""
    return GateBook(policy)
