"""Where units may be set up or arrive, as typed constraints.

A placement holds when all its constraints hold. What only the printed map knows (a front line, a
road, a named area) is typed all the same: a map that has the line can check it, and until then
the sheet says it in words.
"""

from typing import Annotated, Literal

from pydantic import Field

from rules.schema.cites import Cited, Label, Strict, Word

Hexes = Annotated[tuple[Label, ...], Field(min_length=1)]
Edge = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
HexsideLabel = Annotated[str, Field(pattern=r"^\d{4}/\d{4}$", description="1701/1801")]
UnitId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class InHexes(Strict):
    """In any of these hexes, as the owner likes; one hex leaves no choice."""

    kind: Literal["hexes"]
    hexes: Hexes


class OneEach(Strict):
    """One unit in each of these hexes."""

    kind: Literal["one_each"]
    hexes: Hexes


class WithinHexes(Strict):
    """At most *n* hexes away from one of these hexes."""

    kind: Literal["within_hexes"]
    n: int = Field(ge=0)
    hexes: Hexes


class WithinUnits(Strict):
    """At most *n* hexes away from some unit: named ones, a formation's, or a group's, own side."""

    kind: Literal["within_units"]
    n: int = Field(ge=0)
    units: tuple[UnitId, ...] = ()
    formations: tuple[str, ...] = ()
    groups: tuple[Word, ...] = ()


class OnFrontLine(Strict):
    """On a side's printed front line, from one hex to another, both included."""

    kind: Literal["on_front_line"]
    side: Word
    first: Label
    last: Label


class BehindFrontLine(Strict):
    """Behind a side's front line, as its own army sees it; between two of its hexes if named."""

    kind: Literal["behind_front_line"]
    side: Word
    first: Label | None = None
    last: Label | None = None


class BehindUnits(Strict):
    """Behind the units of some formations, as their own army sees it."""

    kind: Literal["behind_units"]
    corps: str


class FromFrontLine(Strict):
    """At least *n* hexes away from a side's front line."""

    kind: Literal["from_front_line"]
    side: Word
    n: int = Field(ge=1)


class NearFrontLine(Strict):
    """At most *n* hexes from a side's printed front line, behind it; between two hexes if named."""

    kind: Literal["near_front_line"]
    side: Word
    n: int = Field(ge=0)
    first: Label | None = None
    last: Label | None = None


class OnWay(Strict):
    """On a road or trail from one hex to another, both included."""

    kind: Literal["on_way"]
    links: tuple[Word, ...] = Field(min_length=1)
    first: Label
    last: Label


class Span(Strict):
    """Between two hexes, both included, along the row or column they share."""

    kind: Literal["span"]
    first: Label
    last: Label


class Beyond(Strict):
    """Beyond the line from one hex to another, toward an edge of the map."""

    kind: Literal["beyond"]
    first: Label
    last: Label
    toward: Edge


class BeyondLine(Strict):
    """On one side of a named line of the map, such as a river; *at* is one hexside of it."""

    kind: Literal["beyond_line"]
    line: str
    at: HexsideLabel
    toward: Edge


class MapEdge(Strict):
    """On an edge of the map."""

    kind: Literal["map_edge"]
    edge: Edge


class Rows(Strict):
    """In some rows, both ends included; an end that is left out is the edge of the map."""

    kind: Literal["rows"]
    first: int | None = None
    last: int | None = None


class Columns(Strict):
    """In some columns, both ends included; an end that is left out is the edge of the map."""

    kind: Literal["columns"]
    first: int | None = None
    last: int | None = None


class InArea(Strict):
    """In a named area of the map: a sector."""

    kind: Literal["area"]
    area: Word


class InPlayingArea(Strict):
    """Anywhere in the playing area of the scenario."""

    kind: Literal["playing_area"]


class NearFormation(Strict):
    """Anywhere at most *n* hexes away from another unit of its own formation."""

    kind: Literal["near_formation"]
    n: int = Field(ge=1)


class TrenchChain(Strict):
    """In trenches of one's own between two hexes, or next to a unit placed so, as in a chain."""

    kind: Literal["trench_chain"]
    first: Label
    last: Label


class FromEnemies(Strict):
    """At least *n* hexes away from every enemy unit; 1 is a hex without enemies."""

    kind: Literal["from_enemies"]
    n: int = Field(ge=1)


class NoEnemyZone(Strict):
    """In no enemy zone of control."""

    kind: Literal["no_enemy_zone"]


class CanFire(Strict):
    """So that its fire reaches the first *depth* hexes behind a side's front line."""

    kind: Literal["can_fire"]
    side: Word
    depth: int = Field(ge=1)


class OwnedHex(Strict):
    """Only while a side controls a hex."""

    kind: Literal["owned_hex"]
    hex: Label
    side: Word


Constraint = Annotated[
    InHexes
    | OneEach
    | WithinHexes
    | WithinUnits
    | OnFrontLine
    | BehindFrontLine
    | BehindUnits
    | FromFrontLine
    | NearFrontLine
    | OnWay
    | Span
    | Beyond
    | BeyondLine
    | MapEdge
    | Rows
    | Columns
    | InArea
    | InPlayingArea
    | NearFormation
    | TrenchChain
    | FromEnemies
    | NoEnemyZone
    | CanFire
    | OwnedHex,
    Field(discriminator="kind"),
]
Constraints = Annotated[tuple[Constraint, ...], Field(min_length=1)]


class Instead(Strict):
    """Another way to come in. *turns_later* delays it; *only_otherwise* keeps it for when the
    first way is shut.
    """

    all_of: Constraints
    turns_later: int = Field(0, ge=0)
    only_otherwise: bool = False


class Placement(Cited):
    """Where some units of a scenario go. All constraints hold, or all of one of the others.

    *outside_area* lets them stand outside the playing area. *note* says what we read into it.
    """

    name: str = Field("", description="What the place is called on the map")
    all_of: Constraints
    or_else: tuple[Instead, ...] = ()
    outside_area: bool = False
    note: str = ""

    @property
    def hexes(self) -> tuple[str, ...]:
        """Every hex it names, in order, each once."""
        ways = [*self.all_of, *(one for instead in self.or_else for one in instead.all_of)]
        return tuple(dict.fromkeys(label for one in ways for label in hexes_named(one)))


def hexes_named(constraint: Constraint) -> tuple[str, ...]:
    """Return the labels a constraint names.

    >>> hexes_named(Span(kind="span", first="2243", last="2250"))
    ('2243', '2250')
    """
    if isinstance(constraint, BeyondLine):
        return tuple(constraint.at.split("/"))
    found = [
        label
        for name in ("hexes", "hex", "first", "last")
        for value in [getattr(constraint, name, None)]
        for label in (value if isinstance(value, tuple) else (value,))
    ]
    return tuple(label for label in found if isinstance(label, str))
