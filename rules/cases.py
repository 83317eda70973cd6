"""Worked examples of a game as data: a small map, a question, and what the rules answer.

A pack's `cases.toml` holds them, each with its cite; the tests put every one to the judges. A map
is written by its labels, so that it lies as the game's own layout lies:

    ground = "clear 1"                          every hex about the line
    hexes = { "0908" = "clear 2 town" }         terrain, level, features (kind or kind:owner)
    links = { road = ["0101-0102-0103"] }       chains of hexes
    hexsides = { crags = ["0101/0102"] }
"""

from collections.abc import Iterator
from importlib.abc import Traversable
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationError

from mapkit.grid import Grid
from mapkit.hexes import Hex, Link, disc
from mapkit.kinds import Kinds
from mapkit.model import Feature, Ground, HexMap
from mapkit.notation import parse_hexside
from mapkit.numbering import Numbering
from rules.battlefield import Battlefield, with_the_granted
from rules.errors import PackError
from rules.judges.sight import SightJudge
from rules.judges.supply import SupplyJudge
from rules.pack import Pack
from rules.pack_files import read_toml, told_faults
from rules.ruling import Ruling
from rules.schema.cites import Cite, Strict, Word
from rules.standing import named_on_the_spot

_Place = TypeVar("_Place")
_ROOM = 3  # hexes of ground around every hex a case names


Drawn = Annotated[str, Field(pattern=r"^\S+ (-?\d+|\?)( \S+)*$")]


class CaseMap(Strict):
    """The ground of a case."""

    ground: Drawn = "clear 1"
    hexes: dict[str, Drawn] = Field(default_factory=dict)
    links: dict[Word, tuple[str, ...]] = Field(default_factory=dict)
    hexsides: dict[Word, tuple[str, ...]] = Field(default_factory=dict)


class SightCase(CaseMap):
    """Who sees whom."""

    judge: Literal["sight"]
    id: str
    cite: Cite
    printed: bool = Field(False, description="Whether the rulebook itself prints the example")
    observer: str
    target: str
    weather: Word | None = None
    expect: dict[str, Any]


class SupplyCase(CaseMap):
    """Whether a unit is in supply."""

    judge: Literal["supply"]
    id: str
    cite: Cite
    printed: bool = False
    unit: str
    side: str
    friends: tuple[str, ...] = ()
    enemies: tuple[str, ...] = ()
    weather: Word | None = None
    expect: dict[str, Any]


Case = Annotated[SightCase | SupplyCase, Field(discriminator="judge")]


class Cases(Strict):
    """All cases of a game."""

    case: tuple[Case, ...] = ()


def load_cases(folder: Traversable) -> tuple[SightCase | SupplyCase, ...]:
    """Return the cases of a pack; none where it has none yet.

    Raises:
        PackError: the file does not read; the message names the key.
    """
    file = folder / "cases.toml"
    try:
        return Cases.model_validate(read_toml(file) or {}).case
    except ValidationError as error:
        raise PackError(f"{file}: {told_faults(error)}") from None


def rule_case(pack: Pack, case: SightCase | SupplyCase) -> Ruling:
    """Put a case to the judge it is for."""
    numbering = pack.layout.any_numbering()
    if isinstance(case, SightCase):
        field = _battlefield(pack, case, numbering, (case.observer, case.target))
        judge = SightJudge(field, case.weather)
        return judge.rule(field.hex(case.observer), field.hex(case.target))
    counters = [text.partition(":")[0] for text in (*case.friends, *case.enemies)]
    field = _battlefield(pack, case, numbering, (case.unit, *counters))
    side = field.side(case.side)
    enemy = next(other for other in pack.sides if other != side)
    return SupplyJudge(
        field,
        side,
        named_on_the_spot(field, side, list(case.friends)),
        named_on_the_spot(field, enemy, list(case.enemies)),
        weather=case.weather,
    ).rule(field.hex(case.unit))


def _battlefield(
    pack: Pack, case: CaseMap, numbering: Numbering, named: tuple[str, ...]
) -> Battlefield:
    """Build the map of a case, in the pack's own words."""
    links = {kind: list(_links(chains, numbering)) for kind, chains in case.links.items()}
    sides = {
        kind: [parse_hexside(text, numbering) for text in texts]
        for kind, texts in case.hexsides.items()
    }
    places = {numbering.parse_label(label) for label in (*named, *case.hexes)}
    places |= {hex_ for chain in links.values() for link in chain for hex_ in link}
    places |= {hex_ for row in sides.values() for side in row for hex_ in side}
    hexes = {hex_: _ground(case.ground) for place in places for hex_ in disc(place, _ROOM)}
    for label, text in case.hexes.items():
        hexes[numbering.parse_label(label)] = _ground(text)
    map_ = HexMap(
        Grid.regular(numbering.orientation, pitch_px=60, hex_mm=16),
        numbering,
        hexes,
        Kinds(),
        _together(sides),
        _together(links),
    )
    for hex_, here in map_.hexes.items():
        if here.terrain not in pack.terrain:
            place = numbering.format_label(hex_)
            raise PackError(f"a case has terrain '{here.terrain}' in {place}: no word of the pack")
    return Battlefield(map_, pack, with_the_granted(map_, pack))


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
