"""Hills: low ridges of vines above a plain, and one big river that leaves a lake behind."""

import numpy as np

from mapkit.hexes import Hex
from mapkit.kinds import Kind, Kinds
from mapkit.model import Area, Feature, HexMap
from mapkit.numbering import Axis, Numbering
from sample_maps import rivers, steps
from sample_maps.build import Draft
from sample_maps.fields import along, fractal, near, ramp, ridged, settled, warped
from sample_maps.gazetteer import Names
from sample_maps.land import Field, Land
from sample_maps.roads import Roads
from sample_maps.terrain import Valley, slope, valleys_cut
from sample_maps.towns import Place, settle

COLUMNS, ROWS = 72, 35
SEED = 1866

NUMBERING = Numbering(straight="columns", columns=Axis(first=10), rows=Axis(first=1), shoved="odd")

KINDS = Kinds(
    terrain=(
        Kind("fields", "Open fields", "fields", "#e9e5b5"),
        Kind("vineyard", "Vines and mulberries", "vineyard", "#c9c07a"),
        Kind("orchard", "Orchard", "orchard", "#b4c98a"),
        Kind("woods", "Woods", "woods", "#7fa367"),
        Kind("marsh", "Marsh", "marsh", "#a9c6a4"),
    ),
    features=(
        Kind("town", "Town", "town"),
        Kind("village", "Village", "village"),
        Kind("farm", "Farm cluster", "farm"),
        Kind("fort", "Fortress", "fort"),
        Kind("peak", "Height", "peak"),
        Kind("church", "Church", "church"),
        Kind("supply", "Supply source", "supply_source"),
        Kind("victory", "Victory points", "victory"),
        Kind("entry", "Entry", "entry"),
    ),
    hexsides=(
        Kind("great_river", "Great river", "great_river", "#3f7fb5"),
        Kind("stream", "Stream", "stream", "#6fa5cf"),
        Kind("bridge", "Bridge", "bridge"),
        Kind("ford", "Ford", "ford"),
    ),
    links=(
        Kind("main_road", "Main road", "main_road", "#b5482f"),
        Kind("road", "Road", "road", "#c77a4a"),
        Kind("trail", "Track", "trail", "#8a6a48"),
        Kind("rail", "Railway", "rail", "#2c2c2c"),
    ),
    areas=(Kind("zone", "Zone", "zone"),),
)

RIVER = Valley("1600 1706 1811 2115 1920 1824 2229 2336", (1.35, 1.0), wide=1.8, flat=0.5)
VALLEYS = (
    RIVER,
    Valley("3100 3307 3613 3419 3127 2836", (1.7, 1.1), wide=2.6, flat=0.6),
    Valley("4300 4108 4013 4119 3826 3536", (1.6, 1.05), wide=2.4, flat=0.5),
)
RIDGES = "1310 2112 2618 3021 3922 4414 4706"  # where the hills are highest
SPRINGS = {"1601": 2500, "3101": 60}

TOWNS = (
    ("1705", 10), ("2529 2430", 8), ("4913 4914 5014", 8), ("5029 4929 5030 5129", 10),
)  # fmt: skip
VILLAGES = (
    "1513 1621 1526 2309 2315 3105 2913 2915 3318 3321 3923 3924 4122 4402 4604 4707 4420 3125 "
    "2617 5705 6216 6424 5821 6910"
)
FARMS = "2713 2625 3119 4323 4422 4516 3807 3514 4817 4525"
SUPPLY = {"IT": "1004 1034 2533 4434 4834", "AH": "7004 7006 7011 7014"}
ENTRIES = "2101 3601 3434 4034"
ROUTES = (
    ("main_road", "1004 1705 3105 4402 5705 7004 8105"),
    ("main_road", "2535 2533 2529 3125 4034 5029 6424 8122"),
    ("main_road", "1035 1034 1526 2430 2529"),
    ("main_road", "4913 5029 4834 4835"),
    ("road", "1705 1513 1621 1526"),
    ("road", "1705 2309 2315 2915 3318 3321 3923 4420 4913"),
    ("road", "2315 2617 2529"),
    ("road", "1513 2115 2215 2315"),
    ("road", "1621 1821 1921 2617"),
    ("road", "3105 2913 2915"),
    ("road", "4402 4604 4707 4913 6216 7011 8111"),
    ("road", "3321 3125"),
    ("road", "3923 4122 5029"),
    ("road", "4435 4434 5029"),
    ("road", "2101 2309"),
    ("road", "3601 3105"),
    ("road", "7004 7006 7011 7014"),
    ("road", "7014 6216 5821 5029"),
    ("road", "6910 6216"),
    ("road", "3435 3434 3125"),
)
EXITS = (
    ("main_road", "1004 8105 2535 1035 4835 8122"),
    ("road", "8111 2101 3601 4435 3435"),
)
RAIL = ("1006 1705 3106 4913 5029 5235", "4913 6216 8114")


def heights(land: Land) -> Field:
    """Return the height of the land, in levels from 1 to 6."""
    x, y = warped(land, SEED, reach=0.9, wave=6.0)
    # Arcs of moraine: ridges that follow circles around the lake's end.
    cx, cy = land.place("1600")
    from_lake = np.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy))
    folds = 1 - np.abs(fractal(from_lake / 1.0, (x - y) * 0.32, SEED + 20, wave=5.2, octaves=3))
    away, _ = along(land.x, land.y, land.path(RIDGES), (0.0, 0.0))
    hilly = 1 - ramp(away + 1.5 * fractal(x, y, SEED + 25, wave=6.0, octaves=3), 3.5, 10.5)
    knolls = ridged(x, y, SEED + 30, wave=4.0, octaves=4)
    plain = 1.25 + 0.4 * fractal(land.x, land.y, SEED + 40, wave=9.0) + 0.033 * (30 - land.y)
    top = plain + hilly * (0.6 + 2.2 * folds * folds + 2.6 * knolls * folds)
    cut = valleys_cut(land, top, x, y, VALLEYS)
    gullies = rivers.drain(land, settled(cut), sizes=[("gully", 9)], springs=SPRINGS, depth=0.7)
    return settled(np.clip(rivers.carve(land, cut, gullies, slope=0.9), 0.5, 6.9))


def make() -> HexMap:
    """Return the map."""
    land = Land.of(NUMBERING, COLUMNS, ROWS)
    draft = Draft(land, KINDS, base="fields")
    names = Names(SEED)
    height = heights(land)
    water = rivers.drain(
        land, height, sizes=[("stream", 55), ("great_river", 1500)], springs=SPRINGS
    )
    water = rivers.named(water, lambda _: names.draw("italian", "river"), least=9)
    height = draft.set_levels(rivers.carve(land, height, water, slope=1.0), lowest=1, highest=6)
    places = _places(draft, names)
    _paint(draft, height, places)
    steps.lay_water(draft, water, SEED + 1)
    steps.lay_places(draft, places, SEED + 2, {"town": 0.42, "village": 0.26, "farm": 0.13})
    fortress = land.labelled("1705")[0]
    draft.features[fortress].append(
        Feature("fort", value=3, owner="AH", name=draft.names[fortress])
    )
    for owner, labels in sorted(SUPPLY.items()):
        for hex_ in land.labelled(labels):
            draft.features[hex_].append(Feature("supply", owner=owner))
    for hex_ in land.labelled(ENTRIES):
        draft.features[hex_].append(Feature("entry"))
    net = _roads(draft, height, water, places)
    steps.lay_ways(draft, net, SEED + 3)
    rail = _rail(draft, height, water)
    steps.lay_ways(draft, rail, SEED + 4)
    ways = rail.links | net.links
    steps.lay_bridges(draft, water, ways, _crossing)
    taken = [hex_ for hex_, features in draft.features.items() if features]
    steps.lay_peaks(
        draft,
        height,
        names,
        lambda _: "italian",
        count=16,
        apart=3,
        least=3.0,
        metres=lambda value: round(70 + value * 27),
        taken=taken,
    )
    west = tuple(h for h in land.hexes if land.numbering.position(h)[0] < 14)
    draft.areas.append(Area("West bank entry zone", "zone", hexes=west))
    return draft.finished(
        "The Hills of Lusandra",
        ("An invented land. Level and terrain of a hex are those at its centre.",),
    )


def _crossing(water: str, way: str) -> str:
    return "ford" if way == "trail" and water == "stream" else "bridge"


def _places(draft: Draft, names: Names) -> list[Place]:
    land = draft.land
    places = [
        Place("town", names.draw("italian", "town"), tuple(land.labelled(labels)), value)
        for labels, value in TOWNS
    ]
    villages = land.labelled(VILLAGES)
    farms = land.labelled(FARMS)
    taken = villages + farms + [hex_ for place in places for hex_ in place.hexes]

    def worth(hex_: Hex) -> int | None:
        if draft.levels[hex_] > 3:
            return None
        return 8 - 2 * draft.levels[hex_] + (hex_.q * 5 + hex_.r * 3) % 9

    villages += settle(land, worth, count=19, apart=5, taken=taken)
    farms += settle(land, worth, count=18, apart=4, taken=taken + villages)
    places += [Place("village", names.draw("italian", "town"), (hex_,)) for hex_ in villages]
    places += [Place("farm", names.draw("italian", "farm"), (hex_,)) for hex_ in farms]
    return places


def _paint(draft: Draft, height: Field, places: list[Place]) -> None:
    land = draft.land
    homes = [hex_ for place in places for hex_ in place.hexes]
    built = near(land, [land.to_hexes(land.grid.centre(hex_)) for hex_ in homes])
    kept = 1.0 * (1 - ramp(built, 0.3, 0.8))
    x, y = land.x, land.y
    steep = slope(land, height)
    trees = fractal(x, y, SEED + 70, wave=4.0, octaves=5) + 0.5 * ramp(steep, 0.7, 2.0) - 0.62
    draft.paint("woods", trees - kept, clearings=homes)
    away, _ = along(x, y, land.path(RIVER.labels), (0.0, 0.0))
    low = 1 - ramp(away, 0.6, 2.4)
    damp = low + 0.9 * fractal(x, y, SEED + 75, wave=3.0, octaves=4) - 1.05
    draft.paint("marsh", damp - kept, clearings=homes)
    sunny = ramp(height, 1.8, 2.6) * (1 - ramp(height, 4.2, 5.2))
    vines = 0.75 * sunny + 0.9 * fractal(x, y, SEED + 80, wave=3.2, octaves=4) - 0.68
    draft.paint("vineyard", vines - kept, clearings=homes)
    plots = fractal(x, y, SEED + 90, wave=3.4, octaves=4) - 0.42
    near_village = 0.35 * (1 - ramp(built, 1.0, 2.6))
    draft.paint("orchard", plots + near_village - kept, clearings=homes)


def _roads(draft: Draft, height: Field, water: rivers.Rivers, places: list[Place]) -> Roads:
    land = draft.land
    rough = {hex_: 20 for hex_, terrain in draft.terrain.items() if terrain in ("woods", "marsh")}
    cost = steps.travel(
        land, height, water, climb=35, water={"stream": 30, "great_river": 4000}, rough=rough
    )
    net = Roads(land, cost, ("main_road", "road", "trail"))
    for kind, labels in ROUTES:
        net.join(kind, land.labelled(labels))
    for kind, labels in EXITS:
        for hex_ in land.labelled(labels):
            net.leave(kind, hex_)
    stops = [hex_ for hex_, features in draft.features.items() if features]
    net.prune(stops)
    for place in places:
        for hex_ in place.hexes:
            net.reach("trail" if place.kind == "farm" else "road", hex_)
    net.even_out(stops)
    return net


def _rail(draft: Draft, height: Field, water: rivers.Rivers) -> Roads:
    land = draft.land
    cost = steps.travel(land, height, water, climb=90, water={"stream": 30, "great_river": 300})
    net = Roads(land, cost, ("rail",))
    for labels in RAIL:
        net.join("rail", land.labelled(labels))
    for hex_ in land.labelled("1006 5235 8114"):
        net.leave("rail", hex_)
    net.prune([hex_ for hex_, features in draft.features.items() if features])
    return net
