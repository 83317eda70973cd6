"""Front: a wide land from the high Alps to the sea, with rails, rivers and a border."""

import numpy as np

from mapkit.hexes import Hex
from mapkit.kinds import Kind, Kinds
from mapkit.model import Area, Feature, HexMap
from mapkit.numbering import Axis, Numbering
from sample_maps import fronts, rivers, steps
from sample_maps.build import Draft
from sample_maps.fields import (
    along,
    fractal,
    ramp,
    ridged,
    settled,
    warped,
)
from sample_maps.gazetteer import Names, Region
from sample_maps.land import Field, Land
from sample_maps.roads import Roads
from sample_maps.terrain import Valley, line_across, valleys_cut
from sample_maps.towns import Place, settle

COLUMNS, ROWS = 40, 36
SEED = 1917

NUMBERING = Numbering(
    straight="rows",
    order="RRCC",
    columns=Axis(first=-3, wrap_from=90),
    rows=Axis(first=ROWS, step=-1),
    shoved="odd",
)

KINDS = Kinds(
    terrain=(
        Kind("clear", "Clear", "clear", "#e4e6b8"),
        Kind("rough", "Rough", "rough", "#d3c493"),
        Kind("mountain", "Mountain", "mountain", "#b6976c"),
        Kind("alpine", "Alpine", "alpine", "#d9d4cf"),
        Kind("marsh", "Marsh", "marsh", "#a9c6a4"),
        Kind("lake", "Lake", "lake", "#8fbcdb"),
        Kind("sea", "Sea", "sea", "#7fb0d4"),
    ),
    features=(
        Kind("city", "City", "city"),
        Kind("town", "Town", "town"),
        Kind("port", "Port", "port"),
        Kind("peak", "Dominant height", "peak"),
        Kind("supply", "Supply source", "supply_source"),
        Kind("victory", "Victory points", "victory"),
    ),
    hexsides=(
        Kind("river", "River", "river", "#3f7fb5"),
        Kind("bridge", "Railway bridge", "bridge"),
        Kind("border", "Border", "border", "#f6f2e6"),
    ),
    links=(Kind("rail", "Railway", "rail", "#2c2c2c"),),
    areas=(
        Kind("country", "Country", "country"),
        Kind("front", "Front line", "front_line"),
    ),
)

VALLEYS = (
    Valley("3904 3301 2902 2602 2203 1904", (2.4, 1.6, 1.0), wide=2.0, flat=0.35),
    Valley("3301 3506 3511 3416 3422 3330 3240", (1.9, 2.9, 2.4, 1.6), wide=1.8, flat=0.3),
    Valley("3208 2909 2610 2311", (2.9, 1.9, 1.0), wide=1.7, flat=0.25),
    Valley("3114 2915 2615 2315", (2.7, 1.8, 1.0), wide=1.7, flat=0.25),
    Valley("3017 2820 2520 2220", (2.6, 1.6, 1.0), wide=1.6, flat=0.25),
    Valley("3122 2825 2629 2434 2340", (2.6, 1.7, 1.3), wide=2.2, flat=0.7),
    Valley("3698 3099 2600 2400", (2.8, 1.8, 1.2), wide=1.6, flat=0.2),
    Valley("0697 0601 0504 0608", (1.05, 0.95, 0.8), wide=2.5, flat=0.3),
    Valley("2405 2206 2007", (2.2, 1.2, 1.0), wide=1.5, flat=0.2),
)
FOOT = "2297 2202 2305 2509 2613 2617 2421 2124 1627 0830 0436"
SEA_AXIS = "0017 0616 1215 1716"
SEA_REACH = (9.5, 8.0, 6.4, 4.4)
LAKES = (
    ("2401 2201 2000", (0.45, 0.6, 1.15)),
    ("2930 2832", (0.7, 0.75)),
    ("3326 3428", (0.5, 0.5)),
)
SPRINGS = {"3604": 250, "1900": 60, "2728": 20, "0697": 400}

CITIES = (("1911", 10), ("2121", 8), ("2003", 6), ("2528", 6), ("1807", 5))
TOWNS = (
    "2511 2314 2418 2220 2602 3001 3408 3413 3321 2720 2824 2408 1499 2197 2434 1626 0924 2616 "
    "0702 1004"
)
RAILS = (
    "2197 2003 1807 1911 2211 2314 2418 2220 2121",
    "2003 2602 3001 3604",
    "3001 3408 3413 3321 3336",
    "1911 2511",
    "2314 2616 2720 2824 2528 2434 2436",
    "2121 2528",
    "2121 1626 0924",
    "1807 1004 0702 0103",
    "2003 1499 1097",
    "3321 2824",
    "1807 2408 2511",
)
BORDER = ("2697 2500 2303 2305 2607 3009 3211 3213 3117 2919 2519 2219", "3602")
LINE = ("2397 2300 2304 2405 2808 3311 3317 3218 2720 2520 2420 2220", "1503")


def heights(land: Land) -> Field:
    """Return the height: below 2 clear, below 3.1 rough, below 4.6 mountain, then alpine."""
    x, y = warped(land, SEED, reach=0.8, wave=4.0)
    crest = ridged(x, y, SEED + 20, wave=4.6, octaves=5)
    rolling = fractal(x, y, SEED + 30, wave=6.0, octaves=4)
    east = ramp(land.x, 24.0, 30.0)
    top = 2.2 + 3.9 * crest + 0.5 * rolling - east * (0.3 + 2.0 * crest)
    inland = line_across(land.x, land.path(FOOT)) + 0.8 * rolling - y
    # The plain slopes toward the sea, so that rivers find it.
    away, reach = along(land.x, land.y, land.path(SEA_AXIS), SEA_REACH)
    plain = 1.0 + 0.1 * rolling + 0.035 * np.clip(away - reach, 0, 16)
    top = plain + (np.maximum(top, plain) - plain) * ramp(inland, -0.6, 3.0)
    cut = valleys_cut(land, top, x, y, VALLEYS)
    gullies = rivers.drain(land, settled(cut), sizes=[("gully", 8)], springs=SPRINGS, depth=0.9)
    return rivers.carve(land, cut, gullies, slope=1.6)


def make() -> HexMap:
    """Return the map."""
    land = Land.of(NUMBERING, COLUMNS, ROWS)
    draft = Draft(land, KINDS)
    names = Names(SEED)
    height = heights(land)
    wet = _paint(draft, height)
    water = rivers.drain(
        land, height, sizes=[("river", 44)], springs=SPRINGS, water_hexes=frozenset(wet)
    )
    border = fronts.front(
        land, "AH", land.labelled(BORDER[0]), land.labelled(BORDER[1])[0], water=wet
    )
    line = fronts.front(land, "IT", land.labelled(LINE[0]), land.labelled(LINE[1])[0], water=wet)

    def region(hex_: Hex) -> Region:
        if hex_ not in border.behind:
            return "italian"
        return "german" if land.numbering.position(hex_)[0] < 20 else "slovene"

    water = rivers.named(water, lambda hex_: names.draw(region(hex_), "river"), least=6)
    places = _places(draft, names, region)
    steps.lay_water(draft, water, SEED + 1)
    steps.lay_places(draft, places, SEED + 2, {"city": 0.42, "town": 0.26})
    for hex_ in land.labelled("1911 2121"):
        draft.features[hex_].append(Feature("port"))
    net = _rails(draft, height, water)
    steps.lay_ways(draft, net, SEED + 3)
    steps.lay_bridges(draft, water, net.links, lambda *_: "bridge")
    dry = [side for side in sorted(border.facing) if not wet & set(side)]
    for side in dry:
        draft.hexsides[side].append(Feature("border"))
    draft.draw_lines(fronts.hexside_lines(land, dry, "border", SEED + 4))
    steps.lay_peaks(
        draft,
        height,
        names,
        region,
        count=12,
        apart=3,
        least=3.0,
        metres=lambda value: round(300 + value * 440),
        taken=[hex_ for hex_, features in draft.features.items() if features],
    )
    return _finished(draft, border, line, wet)


def _finished(draft: Draft, border: fronts.Front, line: fronts.Front, wet: set[Hex]) -> HexMap:
    land = draft.land
    for owner, labels in (("AH", "3336 2436 3604"), ("IT", "1097 0103")):
        for hex_ in land.labelled(labels):
            draft.features[hex_].append(Feature("supply", owner=owner))
    dry = [hex_ for hex_ in land.hexes if hex_ not in wet]
    north = tuple(hex_ for hex_ in dry if hex_ in border.behind)
    south = tuple(hex_ for hex_ in dry if hex_ not in border.behind)
    held = tuple(side for side in sorted(line.facing) if not wet & set(side))
    draft.areas += [
        Area("The Empire", "country", hexes=north),
        Area("The Kingdom", "country", hexes=south),
        Area("Front line in October", "front", hexsides=held),
    ]
    return draft.finished(
        "From the Alps to the Gulf of Vordana",
        ("An invented land. The terrain of a hex is that at its centre.",),
    )


def _paint(draft: Draft, height: Field) -> set[Hex]:
    """Lay sea, lakes, marsh and the belts of the mountains; return the water."""
    land = draft.land
    ragged = fractal(land.x, land.y, SEED + 70, wave=4.0, octaves=5)
    away, reach = along(land.x, land.y, land.path(SEA_AXIS), SEA_REACH)
    sea = draft.paint("sea", reach - away + 1.5 * ragged)
    lakes = np.full_like(land.x, -1.0)
    for labels, radii in LAKES:
        from_shore, radius = along(land.x, land.y, land.path(labels), radii)
        lakes = np.maximum(lakes, radius - from_shore + 0.18 * ragged)
    lake = draft.paint("lake", lakes)
    coast = 1 - np.abs(away - reach - 1.3) / 1.5
    west = 1 - ramp(land.x, 16.0, 19.0)
    marsh = (
        0.8 * coast * west - 0.62 + 0.8 * fractal(land.x, land.y, SEED + 80, wave=3.0, octaves=4)
    )
    draft.paint("marsh", np.minimum(marsh, 1.0 + west - 1.2))
    rough = height + 0.3 * fractal(land.x, land.y, SEED + 90, wave=1.6, octaves=3)
    draft.paint("alpine", (rough - 4.35) * 0.5)
    draft.paint("mountain", (rough - 3.0) * 0.5)
    draft.paint("rough", (rough - 1.85) * 0.5)
    return sea | lake


def _places(draft: Draft, names: Names, region: steps.RegionOf) -> list[Place]:
    land = draft.land
    places = [
        Place("city", names.draw(region(hex_), "town"), (hex_,), value)
        for label, value in CITIES
        for hex_ in land.labelled(label)
    ]
    small = land.labelled(TOWNS)
    taken = small + [hex_ for place in places for hex_ in place.hexes]

    def worth(hex_: Hex) -> int | None:
        if draft.terrain.get(hex_, "clear") not in ("clear", "rough"):
            return None
        return (hex_.q * 5 + hex_.r * 3) % 11

    small += settle(land, worth, count=10, apart=4, taken=taken)
    places += [Place("town", names.draw(region(hex_), "town"), (hex_,), 1) for hex_ in small]
    return places


def _rails(draft: Draft, height: Field, water: rivers.Rivers) -> Roads:
    land = draft.land
    dear = {"rough": 40, "marsh": 120, "mountain": 250, "alpine": 900, "sea": 9000, "lake": 9000}
    rough = {hex_: dear[terrain] for hex_, terrain in draft.terrain.items()}
    cost = steps.travel(land, height, water, climb=120, water={"river": 60}, rough=rough)
    net = Roads(land, cost, ("rail",))
    for labels in RAILS:
        net.join("rail", land.labelled(labels))
    for hex_ in land.labelled("3604 3336 2436 0103 1097"):
        net.leave("rail", hex_)
    net.prune([hex_ for hex_, features in draft.features.items() if features])
    return net
