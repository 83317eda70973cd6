"""Random small maps for sight: every level and ground, gaps, holes, hexsides, both layouts.

They are made by throwing dice: with true dice thousands of different ones are made in a moment,
with hypothesis' dice a failing one is made smaller.
"""

from random import Random

from hypothesis import strategies as st

from mapkit.grid import Grid
from mapkit.hexes import Hexside, neighbours
from mapkit.kinds import UNKNOWN, Kinds
from mapkit.model import Feature, Ground, HexMap
from mapkit.numbering import Numbering

TERRAIN = ("clear", "woods", "hills", "lake")
FEATURES = ("fort", "tower")
GROUND = (*TERRAIN, *FEATURES)
SIDES = ("wall", "hedge", "stream")
LEVELS = tuple(range(-1, 6))

SIZES = ((4, 4), (5, 3), (3, 5), (6, 2), (2, 6), (8, 2), (2, 8), (3, 3), (9, 1), (1, 9), (1, 1))


def random_map(dice: Random) -> HexMap:
    """Return a map on which some hexes are unread, some cut out, and some hexsides walled."""
    numbering = Numbering(straight=dice.choice(["columns", "rows"]))
    columns, rows = dice.choice(SIZES)
    places = [numbering.hex_at(column, row) for column in range(columns) for row in range(rows)]
    unread, cut_out, walled = (dice.choice([0, 1, 2, 3]) for _ in range(3))  # of ten
    highest = dice.choice([0, 2, 5])
    hexes = {
        hex_: _random_ground(dice, unread, highest)
        for hex_ in places
        if not _happens(dice, cut_out)
    } or {places[0]: Ground()}
    sides = sorted({Hexside.between(hex_, other) for hex_ in hexes for other in neighbours(hex_)})
    found = {side: _some(dice, SIDES) for side in sides if _happens(dice, 2 * walled)}
    return HexMap(
        grid=Grid.regular(numbering.orientation, pitch_px=60),
        numbering=numbering,
        hexes=hexes,
        kinds=Kinds()
        .with_ids("terrain", iter(TERRAIN))
        .with_ids("features", iter(FEATURES))
        .with_ids("hexsides", iter(SIDES)),
        hexsides={side: tuple(map(Feature, kinds)) for side, kinds in found.items() if kinds},
        title="a small map",
    )


small_maps = st.randoms(use_true_random=False).map(random_map)


def _random_ground(dice: Random, unread: int, highest: int) -> Ground:
    return Ground(
        terrain=UNKNOWN if _happens(dice, unread) else dice.choice(TERRAIN),
        level=None if _happens(dice, unread) else dice.choice([n for n in LEVELS if n <= highest]),
        features=tuple(map(Feature, _some(dice, FEATURES))) if _happens(dice, 4) else (),
    )


def _some(dice: Random, kinds: tuple[str, ...]) -> list[str]:
    return [kind for kind in kinds if _happens(dice, 5)]


def _happens(dice: Random, tenths: int) -> bool:
    return dice.randrange(10) >= 10 - tenths
