"""The head and the ground of a worked example: what every case has, and the map it is played on.

A map is written by its labels, so that it lies as the game's own layout lies:

    ground = "clear 1"                          every hex about the places that are named
    hexes = { "0908" = "clear 2 town" }         terrain, level, features (kind or kind:owner)
    links = { road = ["0101-0102-0103"] }       chains of hexes
    hexsides = { crags = ["0101/0102"] }
    blown = ["0101/0102"]                       hexsides whose bridge is blown
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, TypeVar

from pydantic import Field

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, disc
from mapkit.kinds import UNKNOWN, Kinds
from mapkit.model import BLOWN, Feature, Ground, HexMap
from mapkit.notation import parse_hexside
from mapkit.numbering import Numbering
from rules.battlefield import Battlefield, with_the_granted
from rules.errors import PackError
from rules.pack import Pack
from rules.schema.cites import Cite, Strict, Word

_Place = TypeVar("_Place")
_ROOM = 3  # hexes of ground around all that a case names


Drawn = Annotated[str, Field(pattern=r"^\S+ (-?\d+|\?)( \S+)*$")]


class CaseHead(Strict):
    """What every case has: its name, the rule it shows, what it enters, and what is expected.

    *values* fill what the pack lacks, under the keys of an owner file, for this case only: numbers
    of a chart that the case itself makes up. *expect* holds the verdict and parts of the working,
    or as *error* what the judge's refusal says.
    """

    id: str
    cite: Cite
    printed: bool = Field(False, description="Whether the rulebook itself prints the example")
    text_line: int | None = Field(
        None,
        description="The line of the rulebook's plain text it was drawn from, apart from the pack",
    )
    why: str = ""
    values: dict[str, Any] = Field(default_factory=dict)
    expect: dict[str, Any]

    @property
    def from_text(self) -> bool:
        """Whether it was drawn from the rulebook's text alone, so that it can prove us wrong."""
        return self.text_line is not None


class CaseMap(Strict):
    """The ground of a case."""

    ground: Drawn | None = Field(None, description="Else the pack's first terrain, at level 1")
    hexes: dict[str, Drawn] = Field(default_factory=dict)
    links: dict[Word, tuple[str, ...]] = Field(default_factory=dict)
    hexsides: dict[Word, tuple[str, ...]] = Field(default_factory=dict)
    blown: tuple[str, ...] = ()


def places_of(counters: Iterable[str]) -> list[str]:
    """Return the labels of counters written as `1534:infantry`."""
    return [text.partition(":")[0] for text in counters]


def case_field(
    pack: Pack, case: CaseMap, named: Iterable[str], *, nothing_else: bool = False
) -> Battlefield:
    """Return the map of a case in the pack's own words, with room around all it names.

    With *nothing_else* the map is just the hexes that are named: whoever moves has no other way.

    Raises:
        PackError: a word is none of the pack's.
    """
    numbering = pack.layout.any_numbering()
    links = {kind: list(_links(chains, numbering)) for kind, chains in case.links.items()}
    sides = {
        kind: [parse_hexside(text, numbering) for text in texts]
        for kind, texts in case.hexsides.items()
    }
    places = {numbering.parse_label(label) for label in (*named, *case.hexes)}
    places |= {hex_ for chain in links.values() for link in chain for hex_ in link}
    places |= {hex_ for row in sides.values() for side in row for hex_ in side}
    about = places if nothing_else else _about(places, numbering)
    usual = case.ground or f"{next(iter(pack.terrain), UNKNOWN)} 1"
    hexes = {hex_: _ground(usual) for hex_ in about}
    for label, text in case.hexes.items():
        hexes[numbering.parse_label(label)] = _ground(text)
    blown = {parse_hexside(text, numbering) for text in case.blown}
    map_ = HexMap(
        Grid.regular(numbering.orientation, pitch_px=60, hex_mm=16),
        numbering,
        hexes,
        Kinds(),
        _blown_up(pack, _together(sides), blown),
        _together(links),
    )
    for hex_, here in map_.hexes.items():
        if here.terrain not in pack.terrain:
            place = numbering.format_label(hex_)
            raise PackError(f"a case has terrain '{here.terrain}' in {place}: no word of the pack")
    return Battlefield(map_, pack, with_the_granted(map_, pack))


def _about(places: set[Hex], numbering: Numbering) -> set[Hex]:
    """All hexes between the places, by their printed numbers, and some room around them."""
    at = [numbering.position(place) for place in places]
    columns, rows = [column for column, _ in at], [row for _, row in at]
    inside = {
        numbering.hex_at(column, row)
        for column in range(min(columns), max(columns) + 1)
        for row in range(min(rows), max(rows) + 1)
    }
    return {hex_ for place in inside | places for hex_ in disc(place, _ROOM)}


def _blown_up(
    pack: Pack, sides: dict[Hexside, tuple[Feature, ...]], blown: set[Hexside]
) -> dict[Hexside, tuple[Feature, ...]]:
    """Blow up what carries somebody over a hexside: the river below it stays."""
    carries = {word for kind in pack.hexsides.values() for word in kind.crossed_by}
    return {
        side: tuple(
            replace(one, state=BLOWN) if side in blown and one.kind in carries else one
            for one in features
        )
        for side, features in sides.items()
    }


def _together(kinds: dict[str, list[_Place]]) -> dict[_Place, tuple[Feature, ...]]:
    """What lies on each place; a river may have a bridge on it."""
    found: dict[_Place, tuple[Feature, ...]] = {}
    for kind, places in kinds.items():
        for place in places:
            found[place] = (*found.get(place, ()), Feature(kind))
    return found


def _ground(text: str) -> Ground:
    terrain, level, *features = text.split()
    return Ground(
        terrain,
        None if level == "?" else int(level),
        tuple(
            Feature(kind, owner=owner)
            for kind, _, owner in (feature.partition(":") for feature in features)
        ),
    )


def _links(chains: tuple[str, ...], numbering: Numbering) -> Iterator[Link]:
    for chain in chains:
        hexes: list[Hex] = [numbering.parse_label(label) for label in chain.split("-")]
        for one, other in pairwise(hexes):
            yield Link.between(one, other)
