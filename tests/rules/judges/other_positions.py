"""Small battlefields of two more games drawn by lot: The Italian Front and Durchbruch.

Everything comes from the given `Random`, so a failing case is found again by its seed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, are_neighbours, neighbours
from mapkit.kinds import Kinds
from mapkit.model import Feature, Ground, HexMap
from mapkit.numbering import Numbering
from rules.battlefield import Battlefield, battlefield
from rules.pack import Pack
from rules.project import Project
from rules.registry import find_pack
from rules.standing import Standing

FRONT = find_pack("caporetto-front")
DURCHBRUCH = find_pack("durchbruch")


@dataclass(frozen=True)
class Country:
    """What lies about: terrain by weight, and features, hexsides and links in hundredths.

    *owned* are features that belong to a side or, now and then, to nobody; *bridges* lie on the
    water of a map, some of them blown.
    """

    terrain: Mapping[str, int]
    levels: Mapping[str, int] = field(default_factory=dict)
    features: Mapping[str, int] = field(default_factory=dict)
    owned: Mapping[str, int] = field(default_factory=dict)
    water: Mapping[str, int] = field(default_factory=dict)
    bridges: Mapping[str, int] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    blown: int = 0


FRONT_COUNTRY = Country(
    {"clear": 5, "rough": 3, "mountain": 4, "alpine": 3, "marsh": 2, "dominant": 1, "sea": 1},
    features={"town": 12, "city": 6},
    owned={"supply_source": 6},
    water={"river": 18, "lake": 5},
    links=("rail",),
)
DURCHBRUCH_COUNTRY = Country(
    {"plain": 5, "hill": 4, "mountain": 3, "rocky": 3},
    levels={"plain": 1, "hill": 2, "mountain": 3, "rocky": 4},
    features={"village": 10, "town": 8, "passage": 6},
    owned={"trench": 20, "first_line_trench": 10},
    water={"stream": 14, "isonzo": 8},
    bridges={"bridge": 35, "pontoon_bridge": 25},
    links=("road", "trail"),
    blown=25,
)


COUNTRIES = {FRONT.id: (FRONT, FRONT_COUNTRY), DURCHBRUCH.id: (DURCHBRUCH, DURCHBRUCH_COUNTRY)}


def country_field(
    rng: Random, pack: Pack, country: Country, columns: tuple[int, int], rows: tuple[int, int]
) -> Battlefield:
    """Return a small map in a game's own words."""
    numbering = Numbering(straight=pack.layout.straight)
    size = rng.randint(*columns), rng.randint(*rows)
    at = {
        (column, row): numbering.hex_at(column, row)
        for column in range(size[0])
        for row in range(size[1])
    }
    links = _links(rng, country, at, size)
    map_ = HexMap(
        grid=Grid.regular(numbering.orientation, pitch_px=60),
        numbering=numbering,
        hexes={hex_: _ground(rng, pack, country) for hex_ in at.values()},
        kinds=Kinds()
        .with_ids("terrain", iter(sorted(pack.terrain)))
        .with_ids("features", iter(sorted(pack.features)))
        .with_ids("hexsides", iter(sorted(pack.hexsides)))
        .with_ids("links", iter(sorted(pack.links))),
        hexsides=_sides(rng, country, set(at.values())),
        links=links,
        title="drawn by lot",
    )
    return battlefield(Project(Path(), "x"), map_, pack)


def country_units(
    rng: Random, field_: Battlefield, side: str, classes: tuple[str, ...], n: int, free: list[Hex]
) -> tuple[Standing, ...]:
    """Return units of some classes in free hexes, where the chart lets them stand at all."""
    return tuple(
        Standing(f"{side}-{number}", side, rng.choice(free), rng.choice(classes))
        for number in range(n if free else 0)
    )


def _happens(rng: Random, hundredths: int) -> bool:
    return rng.randrange(100) < hundredths


def _ground(rng: Random, pack: Pack, country: Country) -> Ground:
    terrain = rng.choices(tuple(country.terrain), tuple(country.terrain.values()))[0]
    features = [Feature(word) for word, n in country.features.items() if _happens(rng, n)]
    for word, n in country.owned.items():
        if _happens(rng, n):
            owner = rng.choice(tuple(pack.sides)) if _happens(rng, 95) else ""
            features.append(Feature(word, owner=owner))
    return Ground(terrain, country.levels.get(terrain, 1), tuple(features))


def _sides(rng: Random, country: Country, hexes: set[Hex]) -> dict[Hexside, tuple[Feature, ...]]:
    found: dict[Hexside, tuple[Feature, ...]] = {}
    for one, other in sorted(_touching(hexes)):
        water = [Feature(word) for word, n in country.water.items() if _happens(rng, n)][:1]
        over = []
        if water:
            state = "blown" if _happens(rng, country.blown) else ""
            words = [word for word, n in country.bridges.items() if _happens(rng, n)]
            over = [Feature(word, state=state) for word in words[:1]]
            found[Hexside.between(one, other)] = (*water, *over)
    return found


def _touching(hexes: set[Hex]) -> Iterator[tuple[Hex, Hex]]:
    for hex_ in hexes:
        yield from ((hex_, near) for near in neighbours(hex_) if near in hexes and hex_ < near)


def _links(
    rng: Random, country: Country, at: dict[tuple[int, int], Hex], size: tuple[int, int]
) -> dict[Link, tuple[Feature, ...]]:
    found: dict[Link, tuple[Feature, ...]] = {}
    for _ in range(rng.randint(0, 2)):
        way = [at[0, rng.randrange(size[1])]]
        for column in range(1, size[0]):
            ahead = [at[column, row] for row in range(size[1])]
            way.append(rng.choice([hex_ for hex_ in ahead if are_neighbours(way[-1], hex_)]))
        for one, other in pairwise(way):
            found[Link.between(one, other)] = (Feature(rng.choice(country.links)),)
    return found
