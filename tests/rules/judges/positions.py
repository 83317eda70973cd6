"""Small battlefields drawn by lot, with units of both sides, for the judges to agree on.

Everything comes from the given `Random`, so a failing case is found again by its seed. The maps
are made to be decided narrowly: rivers cut them in two, roads cross them, enemies stand about.
"""

from collections.abc import Iterator
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

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
PACKS = (STRAFEXPEDITION, CAPORETTO)
NAMES_OF_SIDES = {
    "it": ("it", "IT", "Italian", "italian"),
    "ah": ("ah", "AH", "Austro-Hungarian", "austro_hungarian"),
    "ahg": ("ahg", "AHG", "German", "austro_hungarian"),
}
TERRAIN = {
    "strafexpedition": {"clear": 6, "woods": 3, "high_mountain": 1},
    "caporetto-1917": {"clear": 6, "woods": 2, "high_mountain": 1},
}
FEATURES = {"strafexpedition": ("town", "fortress"), "caporetto-1917": ("town", "village")}


@dataclass(frozen=True)
class Lot:
    """How a map is drawn: its size and how much of each thing lies about, in hundredths.

    *spelt_out* draws what the rules take for granted: six Crags hexsides around a Crags hex, a
    bridge wherever a road crosses a river; and no two trenches on one hexside.
    """

    columns: tuple[int, int]
    rows: tuple[int, int]
    levels: tuple[int, int] = (1, 4)
    rivers: int = 60
    bridges: int = 15
    crags: int = 5
    crags_hexes: int = 4
    features: int = 8
    trenches: int = 8
    roads: tuple[int, int] = (1, 3)
    spelt_out: bool = True


@dataclass
class _Sheet:
    """A map while it is drawn."""

    rng: Random
    pack: Pack
    lot: Lot
    hexes: dict[Hex, Ground] = field(default_factory=dict)
    at: dict[tuple[int, int], Hex] = field(default_factory=dict)
    hexsides: dict[Hexside, tuple[Feature, ...]] = field(default_factory=dict)
    links: dict[Link, tuple[Feature, ...]] = field(default_factory=dict)

    def happens(self, hundredths: int) -> bool:
        return self.rng.randrange(100) < hundredths

    def add_side(self, one: Hex, other: Hex, feature: Feature) -> None:
        side = Hexside.between(one, other)
        self.hexsides[side] = (*self.hexsides.get(side, ()), feature)

    def side_of_somebody(self) -> str:
        return self.rng.choice(NAMES_OF_SIDES[self.rng.choice(tuple(self.pack.sides))])


def random_field(rng: Random, pack: Pack, lot: Lot) -> Battlefield:
    """Return a small map in a game's own words."""
    numbering = Numbering(straight=pack.layout.straight)
    sheet = _Sheet(rng, pack, lot)
    size = rng.randint(*lot.columns), rng.randint(*lot.rows)
    sheet.at = {
        (column, row): numbering.hex_at(column, row)
        for column in range(size[0])
        for row in range(size[1])
    }
    _lay_ground(sheet)
    _lay_roads(sheet, *size)
    _lay_rivers(sheet, size[0])
    _lay_crags_and_trenches(sheet)
    map_ = HexMap(
        grid=Grid.regular(numbering.orientation, pitch_px=60),
        numbering=numbering,
        hexes=sheet.hexes,
        kinds=_all_words(pack),
        hexsides=sheet.hexsides,
        links=sheet.links,
        title="drawn by lot",
    )
    return battlefield(Project(Path(), "x"), map_, pack)


def random_units(
    rng: Random, field_: Battlefield, side: str, how_many: int, taken: set[Hex]
) -> tuple[Standing, ...]:
    """Return units of all classes but HQs in free hexes; now and then two share one."""
    free = [hex_ for hex_ in field_.ground.hexes if hex_ not in taken]
    classes = [class_ for class_ in field_.pack.classes if class_ != "headquarters"] + [""]
    return tuple(
        Standing(f"{side}-{number}", side, rng.choice(free), rng.choice(classes))
        for number in range(min(how_many, len(free)))
    )


def other_side(pack: Pack, side: str) -> str:
    """Return the enemy of a side."""
    return next(other for other in pack.sides if other != side)


def _lay_ground(sheet: _Sheet) -> None:
    rng, lot = sheet.rng, sheet.lot
    words = TERRAIN[sheet.pack.id]
    for hex_ in sheet.at.values():
        terrain = rng.choices(tuple(words), tuple(words.values()))[0]
        if sheet.pack is STRAFEXPEDITION and sheet.happens(lot.crags_hexes):
            terrain = "crags"
        sheet.hexes[hex_] = Ground(terrain, rng.randint(*lot.levels), tuple(_features(sheet)))


def _features(sheet: _Sheet) -> Iterator[Feature]:
    for word in FEATURES[sheet.pack.id]:
        if sheet.happens(sheet.lot.features):
            yield Feature(word)
    if sheet.happens(sheet.lot.trenches):
        owner = sheet.side_of_somebody() if sheet.happens(90) else ""
        yield Feature("trench", value=sheet.rng.randint(1, 2), owner=owner)


def _lay_roads(sheet: _Sheet, columns: int, rows: int) -> None:
    """Lay roads from the left edge to the right, with a source at most of their ends."""
    rng = sheet.rng
    for _ in range(rng.randint(*sheet.lot.roads)):
        here = sheet.at[0, rng.randrange(rows)]
        way = [here]
        for column in range(1, columns):
            ahead = [sheet.at[column, row] for row in range(rows)]
            near = [hex_ for hex_ in ahead if are_neighbours(way[-1], hex_)]
            way.append(rng.choice(near))
        if sheet.happens(20):
            way = way[rng.randrange(len(way)) :]  # a road that begins somewhere
        for one, other in pairwise(way):
            if not sheet.happens(4):
                kind = rng.choice(("road", "trail", "rail"))
                sheet.links[Link.between(one, other)] = (Feature(kind),)
        for end in (way[0], way[-1]):
            _found_source(sheet, end)
    if sheet.happens(20):
        _found_source(sheet, rng.choice(tuple(sheet.hexes)))


def _found_source(sheet: _Sheet, hex_: Hex) -> None:
    if not sheet.happens(75):
        return
    owner = sheet.side_of_somebody() if sheet.happens(90) else ""
    ground = sheet.hexes[hex_]
    source = Feature("supply_source", owner=owner)
    features = (*ground.features, source)
    sheet.hexes[hex_] = Ground(ground.terrain, ground.level, features)


def _lay_rivers(sheet: _Sheet, columns: int) -> None:
    """Cut the map by a river that wanders down between two columns."""
    if not sheet.happens(sheet.lot.rivers) or columns < 3:
        return
    border = sheet.rng.randrange(1, columns - 1)
    strayed = {hex_ for hex_ in sheet.hexes if sheet.happens(15)}
    left = {hex_ for (column, _), hex_ in sheet.at.items() if column < border} ^ {
        hex_ for (column, _), hex_ in sheet.at.items() if column == border and hex_ in strayed
    }
    rivers = sorted({"river", "isonzo"} & sheet.pack.words("hexsides"))
    river = sheet.rng.choice(rivers)
    for hex_ in left:
        for near in neighbours(hex_):
            if near in sheet.hexes and near not in left:
                sheet.add_side(hex_, near, Feature(river))
                _lay_bridge(sheet, hex_, near)


def _lay_bridge(sheet: _Sheet, one: Hex, other: Hex) -> None:
    has_road = Link.between(one, other) in sheet.links
    if not sheet.happens(100 if has_road and sheet.lot.spelt_out else sheet.lot.bridges):
        return
    state = "blown" if sheet.happens(25) else ""
    small = sheet.pack is CAPORETTO and sheet.happens(30)
    sheet.add_side(one, other, Feature("footbridge" if small else "bridge", state=state))


def _lay_crags_and_trenches(sheet: _Sheet) -> None:
    for hex_, ground in sheet.hexes.items():
        for near in neighbours(hex_):
            if near not in sheet.hexes:
                continue
            whole = {"crags"} & {ground.terrain, sheet.hexes[near].terrain}
            if hex_ < near and ((whole and sheet.lot.spelt_out) or sheet.happens(sheet.lot.crags)):
                sheet.add_side(hex_, near, Feature("crags"))
            if sheet.lot.spelt_out and hex_ > near:
                continue  # one trench on a hexside, not one from each hex
            if sheet.pack is CAPORETTO and sheet.happens(sheet.lot.trenches):
                owner = sheet.side_of_somebody() if sheet.happens(90) else ""
                facing = sheet.rng.choice((hex_, near))
                trench = Feature("trench", value=1, owner=owner, facing=facing)
                sheet.add_side(hex_, near, trench)


def _all_words(pack: Pack) -> Kinds:
    return (
        Kinds()
        .with_ids("terrain", iter(sorted(pack.terrain)))
        .with_ids("features", iter(sorted(pack.features)))
        .with_ids("hexsides", iter(sorted(pack.hexsides)))
        .with_ids("links", iter(sorted(pack.links)))
    )


@dataclass(frozen=True)
class Scene:
    """Units of both sides on a field, and the hexes to ask about supply."""

    field: Battlefield
    side: str
    friends: tuple[Standing, ...]
    enemies: tuple[Standing, ...]
    weather: str | None
    asked: tuple[Hex, ...]


def random_scene(rng: Random, pack: Pack, *, spelt_out: bool = True) -> Scene:
    """Return a position where one side, which has a source on the map, asks for supply."""
    long_way = (10, 16) if pack is STRAFEXPEDITION else (7, 11)
    lots = (
        Lot((5, 8), (4, 6), spelt_out=spelt_out),
        Lot(long_way, (3, 3), roads=(1, 1), rivers=30, crags=3, spelt_out=spelt_out),
    )
    while True:
        field_ = random_field(rng, pack, rng.choice(lots))
        side = rng.choice(tuple(pack.sides))
        if _has_source(field_, side):
            break
    enemies = random_units(rng, field_, other_side(pack, side), rng.randint(0, 5), set())
    held = {enemy.hex for enemy in enemies}
    friends = random_units(rng, field_, side, rng.randint(0, 8), held)
    free = [hex_ for hex_ in field_.ground.hexes if hex_ not in held]
    weather = rng.choice((None, *pack.weather))
    return Scene(field_, side, friends, enemies, weather, tuple(rng.sample(free, 3)))


def _has_source(field_: Battlefield, side: str) -> bool:
    return any(
        feature.kind == "supply_source" and (not feature.owner or field_.owner(feature) == side)
        for ground in field_.ground.hexes.values()
        for feature in ground.features
    )
