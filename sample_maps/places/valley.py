"""Valley: a great river below steep mountains, two trench systems, a plain behind them.

North does not lie at the top: the sheet is turned so that its top edge faces north-east. The
same land carries two numberings, from opposite corners.
"""

from dataclasses import replace
from itertools import chain, repeat

import numpy as np

from mapkit.hexes import Hex
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

COLUMNS, ROWS = 64, 32
SEED = 2410

FROM_NORTH, NORTH_DEG = Numbering(straight="columns", shoved="even").running(
    columns="SE", rows="SW"
)
FROM_SOUTH = replace(
    FROM_NORTH,
    columns=Axis(first=COLUMNS, step=-1),
    rows=Axis(first=ROWS, step=-1),
)

KINDS = Kinds(
    terrain=(
        Kind("clear", "Open ground", "clear", "#dfe5b6"),
        Kind("woods", "Woods", "woods", "#6f9a5b"),
        Kind("rocks", "Rocks", "crags", "#bfb7aa"),
    ),
    features=(
        Kind("town", "Town", "town"),
        Kind("village", "Village", "village"),
        Kind("peak", "Summit", "peak"),
        Kind("supply", "Supply source", "supply_source"),
        Kind("victory", "Victory points", "victory"),
        Kind("entry", "Entry", "entry"),
    ),
    hexsides=(
        Kind("great_river", "Great river", "great_river", "#3f7fb5"),
        Kind("stream", "Stream", "stream", "#6fa5cf"),
        Kind("bridge", "Bridge", "bridge"),
        Kind("footbridge", "Footbridge", "footbridge"),
        Kind("ford", "Ford", "ford"),
        Kind("crags", "Crags", "crags", "#6b5a4a"),
        Kind("trench", "Trench", "trench", "#8c2f2f"),
    ),
    links=(
        Kind("main_road", "Main road", "main_road", "#b5482f"),
        Kind("road", "Road", "road", "#c77a4a"),
        Kind("trail", "Trail", "trail", "#8a6a48"),
    ),
    areas=(
        Kind("front", "Front line", "front_line"),
        Kind("second_line", "Second line", "front_line"),
        Kind("no_mans_land", "No man's land", "zone"),
    ),
)

RIVER = "1500 1606 1611 1913 2209 2407 2607 2908 3310 3710 4109 4509 4909 5110 5414 5519 5525 5534"
VALLEYS = (
    Valley(RIVER, (1.75, 1.5, 1.2, 1.0), wide=2.8, flat=0.8),
    Valley("1613 1316 0817 0118 0018", (1.7, 3.0, 2.6), wide=2.4, flat=0.4),
    Valley("2708 3014 3120 3426 3931 3934", (1.5, 2.6, 1.9, 1.1), wide=2.4, flat=0.4),
    Valley("4009 4414 4720 4726 4734", (1.3, 3.2, 2.0, 1.1), wide=2.2, flat=0.3),
    Valley("1818 1623 1529 1434", (3.6, 2.0, 1.1), wide=2.4, flat=0.4),
    Valley("2319 2225 2030 1934", (3.6, 2.0, 1.1), wide=2.2, flat=0.3),
    Valley("2821 2726 2831 2834", (3.4, 2.0, 1.1), wide=2.2, flat=0.3),
    Valley("0822 0827 0634", (3.4, 2.2, 1.2), wide=2.4, flat=0.4),
    Valley("5109 5605 6002 6300", (1.3, 1.9, 2.4), wide=2.4, flat=0.4),
    Valley("4208 4303 4300", (1.3, 1.5, 1.8), wide=2.2, flat=0.8),
    Valley("5521 5917 6414", (1.2, 2.4, 3.0), wide=2.2, flat=0.3),
    Valley("2706 2902 3000", (1.6, 3.0, 3.6), wide=2.0, flat=0.2),
)
FOOT = "0034 0631 1428 2227 3027 3928 4730 5332 6436"
SPRINGS = {"1501": 2500, "4301": 60}

TOWNS = (
    ("1614 1714", 6), ("2808 2908", 8), ("4302 4402", 8), ("3931 4031", 12), ("2831", 5),
    ("2030", 5), ("1432", 6), ("5428", 4),
)  # fmt: skip
VILLAGES = (
    "0316 3910 3014 4414 5017 5625 4632 4132 2709 3519 3222 2320 1724 4821 5807 6103 4909 3310 "
    "0724 1509 2904 2306"
)
SUPPLY = {"AG": "1501 4301 6301", "IT": "1432 2032 2832 3932 4732 5532"}
FRONTS = {
    "AG": (
        "0117 1118 1218 1317 1817 2015 2211 2310 2409 2609 2708 2809 2907 2905 3004 3105 3205 "
        "3304 3405 3504 3605 3704 3805 3904 4004 4103 4203 4303 4404 4604 4704 5004 5704 6405",
        "0101",
    ),
    "IT": (
        "0119 1119 1619 1819 2116 2212 2410 2709 2710 2810 3008 3006 3206 3406 3606 3806 4005 "
        "4204 4305 4405 4806 5606 6407",
        "0132",
    ),
}
SECOND_LINE = "0124 1022 1821 2318 3015 3612 4009 4608 5010 5610 6411"
ROUTES = (
    ("main_road", "1501 1606 1607 1614 2211 2607 2808 2908 3910 3909 4402 4301"),
    ("main_road", "2808 3014 3120 3426 3931 3932"),
    ("main_road", "1432 2030 2831 3931 4732 5532"),
    ("road", "4402 4708 4709 4910 5017 5428 5532"),
    ("road", "4402 5807 6103 6301"),
    ("road", "4414 4821 4732"),
    ("road", "4909 5009 5807"),
    ("road", "1614 1316 0316 0117"),
    ("road", "1432 1724 1821 2320 2030"),
    ("road", "5017 5625 5428"),
    ("road", "2030 2032"),
    ("road", "2831 2832"),
    ("road", "2831 2726 2822 3222 3120"),
    ("trail", "3014 3519 4414"),
    ("trail", "1614 1819 1821"),
    ("trail", "3310 3211 3014"),
    ("trail", "3222 3519"),
    ("road", "2607 2606 2904"),
    ("trail", "2904 3101"),
    ("trail", "3605 3910 3911 4015 4414"),
    ("trail", "0316 0724 1432"),
    ("trail", "5017 5520 5917 6414"),
    ("trail", "2320 2318 2808"),
    ("trail", "5625 5525 4821"),
    ("trail", "5313 5413 5810 5807"),
    ("trail", "3311 3310 3207 2904"),
    ("trail", "2012 2011 2208"),
    ("trail", "1509 1609 1709 2104 2306"),
    ("trail", "4414 4409 4408 4302"),
)
EXITS = (
    ("main_road", "1501 4301 3932 1432 5532"),
    ("road", "6301 0117 2032 2832 4732"),
    ("trail", "3101 6414"),
)


def heights(land: Land) -> Field:
    """Return the height of the land, in levels from 1 to 6."""
    x, y = warped(land, SEED, reach=0.9, wave=6.0)
    crest = ridged(x, y, SEED + 20, wave=8.0, octaves=5)
    rolling = fractal(x, y, SEED + 30, wave=7.0, octaves=4)
    top = 2.7 + 3.7 * crest + 0.5 * rolling
    # Beyond the river the mountains are highest; toward the plain they sink to hills.
    far = ramp(-land.y, -13.0, -3.0)
    top = top + 0.5 * far
    inland = line_across(land.x, land.path(FOOT)) + 1.0 * rolling - y
    plain = 1.15 + 0.2 * rolling
    top = plain + (np.maximum(top, plain) - plain) * ramp(inland, -0.6, 11.0)
    cut = valleys_cut(land, top, x, y, VALLEYS)
    gullies = rivers.drain(land, settled(cut), sizes=[("gully", 9)], springs=SPRINGS, depth=1.1)
    cut = rivers.carve(land, cut, gullies, slope=1.0)
    rough = fractal(land.x, land.y, SEED + 60, wave=2.2, octaves=3)
    return settled(np.clip(cut + 0.2 * rough * ramp(cut, 1.4, 3.0), 0.6, 6.95))


def make() -> HexMap:
    """Return the map, numbered from the northern corner."""
    land = Land.of(FROM_NORTH, COLUMNS, ROWS, north_deg=NORTH_DEG)
    draft = Draft(land, KINDS)
    names = Names(SEED)
    height = heights(land)
    water = rivers.drain(
        land, height, sizes=[("stream", 60), ("great_river", 1500)], springs=SPRINGS, depth=0.2
    )
    height = draft.set_levels(rivers.carve(land, height, water, slope=1.4), lowest=1, highest=6)
    ours = {
        owner: fronts.front(land, owner, land.labelled(line), land.labelled(home)[0])
        for owner, (line, home) in FRONTS.items()
    }
    second = fronts.front(land, "IT", land.labelled(SECOND_LINE), land.labelled("0132")[0])

    def region(hex_: Hex) -> Region:
        return "italian" if land.numbering.position(hex_)[1] > 22 else "slovene"

    titles = chain(["Soznava"], repeat(""))
    water = rivers.named(
        water, lambda hex_: next(titles) or names.draw(region(hex_), "river"), least=8
    )
    places = _places(draft, names, region)
    _paint(draft, height, places)
    steps.lay_water(draft, water, SEED + 1)
    steps.lay_places(draft, places, SEED + 2, {"town": 0.4, "village": 0.24})
    for owner, labels in sorted(SUPPLY.items()):
        for hex_ in land.labelled(labels):
            draft.features[hex_].append(Feature("supply", owner=owner))
    net = _roads(draft, height, water, places)
    steps.lay_ways(draft, net, SEED + 3)
    steps.lay_bridges(draft, water, net.links, _crossing)
    crossed = water.kinds.keys() | {steps.side_of(link) for link in net.links}
    steps.lay_crags(draft, height, "crags", SEED + 4, drop=1.4, clear_of=crossed)
    for front in (*ours.values(), second):
        steps.lay_trenches(
            draft, front, "trench", strength=lambda hex_: 1 + (hex_ in ours["IT"].hexes)
        )
    taken = [hex_ for hex_, features in draft.features.items() if features]
    steps.lay_peaks(
        draft,
        height,
        names,
        region,
        count=20,
        apart=4,
        least=4.0,
        metres=lambda value: round(140 + (value - 1) * 340),
        taken=taken,
    )
    draft.areas += [
        Area(f"{owner} front line", "front", hexsides=tuple(sorted(front.facing)))
        for owner, front in sorted(ours.items())
    ]
    draft.areas += [
        Area("IT second line", "second_line", hexsides=tuple(sorted(second.facing))),
        Area(
            "No man's land",
            "no_mans_land",
            hexes=tuple(fronts.no_mans_land(land, ours["AG"], ours["IT"])),
        ),
    ]
    return draft.finished(
        "The Valley of the Soznava",
        ("An invented land. Level and terrain of a hex are those at its centre.",),
    )


def _crossing(water: str, way: str) -> str:
    if way != "trail":
        return "bridge"
    return "footbridge" if water == "great_river" else "ford"


def _places(draft: Draft, names: Names, region: steps.RegionOf) -> list[Place]:
    land = draft.land
    places = []
    for labels, value in TOWNS:
        hexes = tuple(land.labelled(labels))
        places.append(Place("town", names.draw(region(hexes[0]), "town"), hexes, value))
    small = land.labelled(VILLAGES)

    def worth(hex_: Hex) -> int | None:
        level = draft.levels[hex_]
        return None if level > 3 else 10 - 2 * level + (hex_.q * 5 + hex_.r * 3) % 7

    taken = [hex_ for place in places for hex_ in place.hexes] + small
    small += settle(land, worth, count=16, apart=5, taken=taken)
    places += [Place("village", names.draw(region(hex_), "town"), (hex_,)) for hex_ in small]
    return places


def _paint(draft: Draft, height: Field, places: list[Place]) -> None:
    land = draft.land
    homes = [hex_ for place in places for hex_ in place.hexes]
    built = near(land, [land.to_hexes(land.grid.centre(hex_)) for hex_ in homes])
    open_ground = 1.2 * (1 - ramp(built, 0.35, 0.95))
    bare = 0.4 * (height - 5.3) + 0.3 * (slope(land, height) - 1.1)
    bare = bare + 0.55 * fractal(land.x, land.y, SEED + 80, wave=2.0, octaves=4)
    draft.paint("rocks", bare - open_ground, clearings=homes)
    trees = woods(land, height, SEED + 70, low=1.9, high=4.9, share=0.0, wave=4.0)
    draft.paint("woods", trees - open_ground, clearings=homes)


def _roads(draft: Draft, height: Field, water: rivers.Rivers, places: list[Place]) -> Roads:
    land = draft.land
    rough = {hex_: 25 for hex_, terrain in draft.terrain.items() if terrain != "clear"}
    by_road, on_foot = (
        steps.travel(
            land, height, water, climb=60, water={"stream": 40, "great_river": river}, rough=rough
        )
        for river in (1500, 200)
    )
    net = Roads(land, by_road, ("main_road", "road", "trail"))
    paths = Roads(land, on_foot, net.kinds, net.links)
    for kind, labels in ROUTES:
        (paths if kind == "trail" else net).join(kind, land.labelled(labels))
    for kind, labels in EXITS:
        for hex_ in land.labelled(labels):
            net.leave(kind, hex_)
    stops = [hex_ for hex_, features in draft.features.items() if features]
    net.prune(stops)
    for place in places:
        for hex_ in place.hexes:
            net.reach("road" if draft.levels[hex_] <= 2 else "trail", hex_)
    net.even_out(stops)
    return net
