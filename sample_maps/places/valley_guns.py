"""Valley, second sheet: the quiet ground behind the river where guns stand off the main map."""

import numpy as np

from mapkit.hexes import Hex
from mapkit.kinds import Kind, Kinds
from mapkit.model import Area, Feature, HexMap
from mapkit.numbering import Numbering
from sample_maps import rivers, steps
from sample_maps.build import Draft
from sample_maps.fields import fractal, near, ramp, ridged, settled, warped
from sample_maps.gazetteer import Names
from sample_maps.land import Field, Land
from sample_maps.places.valley import KINDS as VALLEY_KINDS
from sample_maps.places.valley import NORTH_DEG
from sample_maps.roads import Roads
from sample_maps.terrain import Valley, valleys_cut, woods
from sample_maps.towns import Place

COLUMNS, ROWS = 16, 10
SEED = 2810

NUMBERING, _ = Numbering(straight="columns", shoved="even").running(columns="SE", rows="SW")

KINDS = VALLEY_KINDS.merged(
    Kinds(features=(Kind("battery", "Gun position"),), areas=(Kind("range", "Range", "zone"),))
)
VALLEYS = (
    Valley("0002 0504 0905 1204 1705", (1.6, 1.0), wide=2.4, flat=0.7),
    Valley("0905 0809 0811", (1.2, 1.8), wide=1.8, flat=0.3),
)
SPRINGS = {"0102": 900}
TOWN = "0804 0904"
VILLAGES = "0304 1304 0809"
BATTERIES = "0306 0506 0607 1006 1106 1207 0403 0603 1103 1303"
ROUTES = (("road", "0103 0304 0804 0904 1304 1605"), ("road", "0904 0809 0810"))
EXITS = "0103 1605 0810"


def heights(land: Land) -> Field:
    """Return the height of the land, in levels from 1 to 6."""
    x, y = warped(land, SEED, reach=0.6, wave=5.0)
    top = 2.4 + 3.2 * ridged(x, y, SEED + 20, wave=6.0, octaves=5)
    cut = valleys_cut(land, top, x, y, VALLEYS)
    rough = fractal(land.x, land.y, SEED + 60, wave=2.2, octaves=3)
    return settled(np.clip(cut + 0.2 * rough * ramp(cut, 1.4, 3.0), 0.6, 6.95))


def make() -> HexMap:
    """Return the map."""
    land = Land.of(NUMBERING, COLUMNS, ROWS, north_deg=NORTH_DEG)
    draft = Draft(land, KINDS)
    names = Names(SEED)
    height = heights(land)
    water = rivers.drain(
        land, height, sizes=[("stream", 26), ("great_river", 850)], springs=SPRINGS, depth=0.2
    )
    water = rivers.named(water, lambda _: "Soznava", least=8)
    height = draft.set_levels(rivers.carve(land, height, water, slope=1.4), lowest=1, highest=6)
    places = [Place("town", names.draw("slovene", "town"), tuple(land.labelled(TOWN)), 4)]
    places += [
        Place("village", names.draw("slovene", "town"), (hex_,)) for hex_ in land.labelled(VILLAGES)
    ]
    guns = land.labelled(BATTERIES)
    used = [hex_ for place in places for hex_ in place.hexes] + guns
    built = near(land, [land.to_hexes(land.grid.centre(hex_)) for hex_ in used])
    trees = woods(land, height, SEED + 70, low=1.9, high=5.5, share=0.05, wave=3.0)
    draft.paint("woods", trees - 1.2 * (1 - ramp(built, 0.35, 0.95)), clearings=used)
    steps.lay_water(draft, water, SEED + 1)
    steps.lay_places(draft, places, SEED + 2, {"town": 0.4, "village": 0.24})
    for hex_ in guns:
        draft.features[hex_].append(Feature("battery", value=1, owner="AG"))
        draft.mark("battery", land.grid.centre(hex_))
    net = _roads(draft, height, water, used)
    steps.lay_ways(draft, net, SEED + 3)
    steps.lay_bridges(draft, water, net.links, lambda _, way: "bridge" if way == "road" else "ford")
    draft.areas.append(Area("Gun positions", "range", hexes=tuple(sorted(guns))))
    return draft.finished(
        "The Valley of the Soznava: the gun lines",
        ("An invented land. Guns that stand here fire onto the main map.",),
    )


def _roads(draft: Draft, height: Field, water: rivers.Rivers, stops: list[Hex]) -> Roads:
    land = draft.land
    cost = steps.travel(land, height, water, climb=60, water={"stream": 40, "great_river": 1500})
    net = Roads(land, cost, ("main_road", "road", "trail"))
    for kind, labels in ROUTES:
        net.join(kind, land.labelled(labels))
    for hex_ in land.labelled(EXITS):
        net.leave("road", hex_)
    net.prune(stops)
    for hex_ in stops:
        net.reach("trail", hex_)
    net.even_out(stops)
    return net
