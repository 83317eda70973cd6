"""Alpine: a high plateau between two great valleys, forts on its rim, a front across it."""

import numpy as np

from mapkit.hexes import Hex, distance
from mapkit.kinds import Kind, Kinds
from mapkit.model import Area, Feature, HexMap
from mapkit.numbering import Axis, Numbering
from sample_maps import fronts, rivers, steps
from sample_maps.build import Draft
from sample_maps.fields import fractal, near, ramp, ridged, settled, warped
from sample_maps.gazetteer import Names, Region
from sample_maps.land import Field, Land
from sample_maps.roads import Roads
from sample_maps.terrain import Valley, line_across, slope, valleys_cut, woods
from sample_maps.towns import Place, settle

COLUMNS, ROWS = 74, 58
SEED = 1916

NUMBERING = Numbering(
    straight="rows",
    order="RRCC",
    columns=Axis(first=1),
    rows=Axis(first=ROWS, step=-1),
    shoved="odd",
)

VALLEYS = (
    Valley("6104 5204 4306 3603 2703 1202 0002", (1.9, 1.1), wide=3.6, flat=1.3),
    Valley("3603 3106 2508 1709 1314 0920", (1.5, 2.2, 4.4), wide=3.2, flat=0.5),
    Valley("3604 3311 3217 3021", (1.5, 2.4, 4.6), wide=3.0, flat=0.4),
    Valley("4306 4112 4018 4224 4426", (1.6, 3.6, 4.2), wide=2.8, flat=0.5),
    Valley("4426 4131 3533 2736 2038 1442 0847 0247 0049", (4.2, 2.6, 1.2), wide=3.2, flat=0.7),
    Valley("2038 1733 1828 2022", (1.9, 2.6, 4.2), wide=2.8, flat=0.4),
    Valley("5138 4444 3851 3352 2847 2342 2038", (5.4, 4.4, 3.4, 1.9), wide=1.9, flat=0.3),
    Valley("1027 0226 0028", (3.8, 1.5, 1.2), wide=3.0, flat=0.5),
    Valley("1331 0734 0239 0041", (3.6, 1.7, 1.1), wide=3.0, flat=0.6),
    Valley("6170 5471 4470 3572 2871 2070 1472 0072", (1.9, 1.6, 1.1), wide=2.6, flat=0.7),
    Valley("6112 5616 5423 5630 6136", (2.4, 2.2, 2.6, 2.4), wide=3.4, flat=0.9),
    Valley("3352 3357 3664 3772", (4.2, 4.3, 3.6, 2.0), wide=3.2, flat=1.4),
    Valley("1864 1466 1068", (4.0, 1.6, 1.1), wide=2.6, flat=0.4),
    Valley("4266 3664", (5.4, 4.4), wide=2.4, flat=0.4),
)


SPRINGS = {"5804": 2000, "5870": 1500}


def heights(land: Land) -> Field:
    """Return the height of the land, in levels: 3.4 is level 3."""
    x, y = warped(land, SEED, reach=1.0, wave=6.0)
    crest = ridged(x, y, SEED + 20, wave=9.0, octaves=5)
    rolling = fractal(x, y, SEED + 30, wave=9.0, octaves=4)
    plateau = 1 - ramp(line_across(land.x, [(36, 1.0), (44, 0.0)]), 0, 1)
    massif = 4.1 + 4.3 * crest + 0.5 * rolling
    tableland = 4.6 + 1.4 * crest + 0.6 * rolling
    north = ramp(-land.y, -14.0, -4.0)
    tableland = tableland + north * (0.4 + 2.8 * crest)
    top = massif + plateau * (tableland - massif)
    # The plain in the south: the hills rise out of it along a broken line.
    edge = line_across(
        land.x, [(16, 52.5), (30, 48.5), (42, 46.0), (50, 43.0), (64, 40.0), (74, 38.5)]
    )
    inland = edge + 1.2 * fractal(land.x, land.y, SEED + 40, wave=6.0, octaves=3) - y
    foot = ramp(inland, -0.8, 6.5)
    plain = 1.15 + 0.25 * fractal(land.x, land.y, SEED + 50, wave=8.0)
    top = plain + (np.maximum(top, plain) - plain) * foot
    cut = valleys_cut(land, top, x, y, VALLEYS)
    gullies = rivers.drain(land, settled(cut), sizes=[("gully", 9)], springs=SPRINGS, depth=1.3)
    cut = rivers.carve(land, cut, gullies, slope=1.0)
    rough = fractal(land.x, land.y, SEED + 60, wave=2.2, octaves=3)
    return settled(np.clip(cut + 0.22 * rough * ramp(cut, 1.4, 3.0), 1.0, 8.95))


KINDS = Kinds(
    terrain=(
        Kind("clear", "Clear", "clear", "#dbe3b4"),
        Kind("woods", "Woods", "woods", "#6f9a5b"),
        Kind("scree", "Scree and rock", "rough", "#c9c1b2"),
    ),
    features=(
        Kind("town", "Town", "town"),
        Kind("village", "Village", "village"),
        Kind("peak", "Summit", "peak"),
        Kind("fort", "Fort", "fort"),
        Kind("supply", "Supply source", "supply_source"),
        Kind("victory", "Victory points", "victory"),
        Kind("entry", "Entry", "entry"),
    ),
    hexsides=(
        Kind("river", "River", "river", "#3f7fb5"),
        Kind("stream", "Stream", "stream", "#6fa5cf"),
        Kind("bridge", "Bridge", "bridge"),
        Kind("ford", "Ford", "ford"),
        Kind("crags", "Crags", "crags", "#6b5a4a"),
        Kind("trench", "Trench", "trench", "#8c2f2f"),
    ),
    links=(
        Kind("road", "Road", "road", "#b5482f"),
        Kind("trail", "Trail", "trail", "#8a6a48"),
    ),
    areas=(
        Kind("sector", "Sector", "sector"),
        Kind("front", "Front line", "front_line"),
    ),
)

TOWNS = (
    ("3502 3603 3604", 10), ("4306", 4), ("4018 4019", 6), ("0225 0226", 6), ("0238 0239", 8),
    ("0146 0247", 12), ("0747 0847", 6), ("1468 1469 1470 1471", 12), ("1937 1938 2038", 8),
    ("3357", 8), ("2872", 3),
)  # fmt: skip
VILLAGES = "4324 1864 3772 3413 3106 1709 3416 3651 4547 5022 5627 5272 4272 2454"
FORTS = {
    "IT": "3129 4246 3544 2443 2740",
    "AH": "3615 3318 3926 4032 4037 4835 5135",
}
SUPPLY = {"AH": "5804 4201 5618 5343", "IT": "0146 0238 0225 1474 1201"}
FRONTS = {
    "AH": (
        "3601 3605 3511 3612 3417 3318 3423 3523 4129 4230 4032 4037 4336 4437 4835 5135 5337 "
        "5443 5749 5852",
        "5801",
    ),
    "IT": (
        "3401 3405 3412 3121 3225 3324 3325 3628 3837 3938 4238 4337 4438 4936 5239 5142 5653 "
        "5756 5857",
        "0101",
    ),
}
ROUTES = (
    ("road", "5804 4306 3604 3502 2703 1201 0101"),
    ("road", "3604 3106 1709 0225 0226 0238 0239 0247 0146"),
    ("road", "0247 0747 0847 1938 2735 3533 4324 4019 4018 4306"),
    ("road", "0847 1468 1469 1470 1471 1474"),
    ("road", "1470 1864 3357 3772 2872 1471"),
    ("road", "2872 4272 5272 5870"),
    ("road", "3357 3651 4547 5041 4835 4426 4324"),
    ("road", "0225 0124"),
    ("road", "0238 0139"),
    ("road", "4426 5022 5627 5618 5812"),
    ("trail", "3604 3413 3416 3121 3129 3531"),
    ("trail", "2038 2443 2747 3651"),
    ("trail", "1938 1733 1828 2415 3106"),
    ("trail", "0734 1235 1535 1733"),
    ("trail", "2454 1864"),
    ("trail", "4547 5142 5343 5653 5857"),
    ("trail", "4272 4464 5058 5653"),
    ("trail", "1709 1705 2703"),
)
EXITS = (
    ("road", "5804 0101 0146 1474 5870 0124 0139 5812"),
    ("trail", "5857"),
)
SECTOR_COLUMN = 28  # the first column of the eastern sector


def make() -> HexMap:
    """Return the map."""
    land = Land.of(NUMBERING, COLUMNS, ROWS)
    draft = Draft(land, KINDS)
    names = Names(SEED)
    height = heights(land)
    water = rivers.drain(
        land, height, sizes=[("stream", 70), ("river", 420)], springs=SPRINGS, depth=0.3
    )
    height = draft.set_levels(rivers.carve(land, height, water, slope=1.4), lowest=1, highest=8)

    ours = {
        owner: fronts.front(land, owner, land.labelled(line), land.labelled(home)[0])
        for owner, (line, home) in FRONTS.items()
    }

    def region(hex_: Hex) -> Region:
        return "german" if hex_ in ours["AH"].behind else "italian"

    water = rivers.named(water, lambda hex_: names.draw(region(hex_), "river"), least=8)
    places = _places(draft, names, region)
    _paint(draft, height, places)
    steps.lay_water(draft, water, SEED + 1)
    steps.lay_places(draft, places, SEED + 2, {"town": 0.4, "village": 0.24})
    _lay_forts(draft, names)
    for owner, labels in sorted(SUPPLY.items()):
        for hex_ in land.labelled(labels):
            draft.features[hex_].append(Feature("supply", owner=owner))
    net = _roads(draft, height, water, places)
    steps.lay_ways(draft, net, SEED + 3)
    steps.lay_bridges(draft, water, net.links, lambda _, way: "bridge" if way == "road" else "ford")
    crossed = water.kinds.keys() | {steps.side_of(link) for link in net.links}
    steps.lay_crags(draft, height, "crags", SEED + 4, drop=1.45, clear_of=crossed)
    forts = [hex_ for labels in FORTS.values() for hex_ in land.labelled(labels)]
    for owner, front in sorted(ours.items()):
        steps.lay_trenches(
            draft,
            front,
            "trench",
            strength=lambda hex_: _strength(draft, hex_, forts),
        )
        name = f"{owner} front line"
        draft.areas.append(Area(name, "front", hexsides=tuple(sorted(front.facing))))
    taken = [hex_ for hex_, features in draft.features.items() if features]
    steps.lay_peaks(
        draft, height, names, region, count=34, apart=4, least=6, metres=_metres, taken=taken
    )
    for name, first, last in (("West", 1, SECTOR_COLUMN - 1), ("East", SECTOR_COLUMN, COLUMNS)):
        inside = tuple(
            hex_ for hex_ in land.hexes if first <= land.numbering.position(hex_)[0] + 1 <= last
        )
        draft.areas.append(Area(f"{name} Sector", "sector", hexes=inside))
    return draft.finished(
        "Alta Vordana",
        ("An invented land. Level and terrain of a hex are those at its centre.",),
    )


def _metres(height: float) -> int:
    return round(170 + (height - 1) * 262)


def _strength(draft: Draft, hex_: Hex, forts: list[Hex]) -> int:
    if any(distance(hex_, fort) <= 1 for fort in forts):
        return 3
    return 2 if draft.levels[hex_] >= 4 else 1


def _places(draft: Draft, names: Names, region: "steps.RegionOf") -> list[Place]:
    land = draft.land
    places = []
    for labels, value in TOWNS:
        hexes = tuple(land.labelled(labels))
        places.append(Place("town", names.draw(region(hexes[0]), "town"), hexes, value))
    small = land.labelled(VILLAGES)

    def worth(hex_: Hex) -> int | None:
        level = draft.levels[hex_]
        return None if level > 5 else 10 - level + (hex_.q * 5 + hex_.r * 3) % 7

    taken = [hex_ for place in places for hex_ in place.hexes] + small
    small += settle(land, worth, count=22, apart=5, taken=taken)
    places += [Place("village", names.draw(region(hex_), "town"), (hex_,)) for hex_ in small]
    return places


def _paint(draft: Draft, height: Field, places: list[Place]) -> None:
    land = draft.land
    homes = [hex_ for place in places for hex_ in place.hexes]
    built = near(land, [land.to_hexes(land.grid.centre(hex_)) for hex_ in homes])
    open_ground = 1.2 * (1 - ramp(built, 0.35, 0.95))
    bare = 0.45 * (height - 7.15) + 0.3 * (slope(land, height) - 1.1)
    bare = bare + 0.55 * fractal(land.x, land.y, SEED + 80, wave=2.0, octaves=4)
    draft.paint("scree", bare - open_ground, clearings=homes)
    trees = woods(land, height, SEED + 70, low=2.0, high=6.4, share=0.02, wave=4.0)
    draft.paint("woods", trees - open_ground, clearings=homes)


def _lay_forts(draft: Draft, names: Names) -> None:
    for owner, labels in sorted(FORTS.items()):
        for hex_ in draft.land.labelled(labels):
            name = names.draw("german" if owner == "AH" else "italian", "fort")
            draft.features[hex_].append(Feature("fort", value=2, owner=owner, name=name))
            draft.names[hex_] = name
            draft.mark("fort", draft.land.grid.centre(hex_), name=name)


def _roads(draft: Draft, height: Field, water: rivers.Rivers, places: list[Place]) -> Roads:
    land = draft.land
    rough = {hex_: 25 for hex_, terrain in draft.terrain.items() if terrain != "clear"}
    cost = steps.travel(
        land, height, water, climb=60, water={"stream": 40, "river": 160}, rough=rough
    )
    net = Roads(land, cost, ("road", "trail"))
    for kind, labels in ROUTES:
        net.join(kind, land.labelled(labels))
    for kind, labels in EXITS:
        for hex_ in land.labelled(labels):
            net.leave(kind, hex_)
    stops = [hex_ for hex_, features in draft.features.items() if features]
    net.prune(stops)
    for place in places:
        for hex_ in place.hexes:
            net.reach("road" if draft.levels[hex_] <= 3 else "trail", hex_)
    for labels in FORTS.values():
        for hex_ in land.labelled(labels):
            net.reach("trail", hex_)
    net.even_out(stops)
    return net
