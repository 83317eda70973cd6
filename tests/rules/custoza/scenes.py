"""Small positions of Custoza drawn by lot, and packs with rules that an owner might enter.

Movement, stacking, zones and the chart are on pages that our sources lack. What stands here in
their place is made up: no figure is of the printed game.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from counters.model import Face, Unit
from mapkit.hexes import Hex, neighbours
from rules.battlefield import Battlefield
from rules.case_maps import CaseMap, case_field
from rules.owner import OwnerFile, pack_with_owner
from rules.pack import Pack
from rules.registry import find_pack
from rules.standing import Standing

GAME = "custoza"
NUMBERING = find_pack(GAME).layout.any_numbering()
FOUGHT = ("infantry", "light_infantry", "cavalry")
GUNS = ("artillery", "horse_artillery")
LIMIT = 4
GROUND = {"clear": 1, "wood": 2}
ROAD, TRACK, RIVER = Fraction(1, 2), Fraction(3, 4), 1
REAR = (2, 3, 4)

_WORDS: dict[str, Any] = {
    "terrain.clear.cite": "TEC",
    "terrain.wood.cite": "TEC",
    "terrain.marsh.cite": "TEC",
    "terrain.marsh.costs": {"combat": "never", "guns": "never"},
    "retreat.course.rear": list(REAR),
}
_CHART: dict[str, Any] = {
    f"{key}.costs.{units}": cost
    for units in ("combat", "guns")
    for key, cost in (
        *((f"terrain.{word}", cost) for word, cost in GROUND.items()),
        ("hexsides.river", RIVER),
        ("hexsides.bridge", 0),
        ("links.road", str(ROAD)),
        ("links.track", str(TRACK)),
    )
}
_MOVEMENT: dict[str, Any] = {
    "movement.roads": {"lost_in_enemy_zone": False, "cite": "7"},
    "movement.modes": {
        "march": {"cite": "7"},
        "at_night": {"may_enter_enemy_zone": False, "cite": "22.4"},
    },
    "movement.minimum_cite": "7",
    "movement.sides": {
        "mincio": {"only": [], "cost": "never", "opened_by": ["bridge"], "cite": "7"}
    },
    "movement.still": {"square": "11.5.4.1"},
    "movement.cite": "7",
}
_ZONES: dict[str, Any] = {
    "zones.exerted_by": ["combat"],
    "zones.only_where_it_could_move": False,
    "zones.exclusions": {"river": {"over": ["mincio"], "unless": ["bridge"], "cite": "1"}},
    "zones.effects": {"on_entry": "go_on", "on_entry_cite": "1"},
    "zones.cite": "1",
}
_LIMIT = {"stacking.pools.units.most": LIMIT}
LACKING = ("nothing", "zones", "limit", "chart")


def entered_without(lacking: str) -> dict[str, Any]:
    """Return all that an owner could enter, but for one thing."""
    parts = {"zones": _ZONES, "limit": _LIMIT, "chart": {**_CHART, **_MOVEMENT}}
    entered = [values for name, values in parts.items() if name != lacking]
    return {key: one for some in (_WORDS, *entered) for key, one in some.items()}


@cache
def pack_without(lacking: str) -> Pack:
    """Return the pack as an owner has it who left one thing out."""
    values = entered_without(lacking)
    return pack_with_owner(GAME, OwnerFile("made up", GAME, values=values))


@dataclass(frozen=True)
class Scene:
    """A battlefield with units of both sides, and what the owner did not enter."""

    field: Battlefield
    lacking: str
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    free: tuple[Hex, ...] = field(default=())


def random_scene(
    rng: Random, lacking: str, *, size: int = 6, marsh: int = 15, pack: Pack | None = None
) -> Scene:
    """Return a map with roads, a river and units; nobody stands in the *free* hexes.

    *pack* may be another one than the owner's.
    """
    labels = [f"{20 + column}{10 + row}" for column in range(size) for row in range(size)]
    known = set(labels)
    words = rng.choices(("clear", "wood", "marsh"), (70 - marsh, 30, marsh), k=len(labels))
    forts = [" fortress" if rng.random() < 0.05 else "" for _ in labels]
    drawn = zip(labels, words, forts, strict=True)
    case = CaseMap(
        hexes={label: f"{word} 1{fort}" for label, word, fort in drawn},
        links={
            word: (_chain(rng, known, labels),) for word in ("road", "track") if rng.random() < 0.6
        },
        **_river(rng, labels),
    )
    ground = case_field(pack or pack_without(lacking), case, labels, nothing_else=True)
    hexes = sorted(ground.map.hexes)
    rng.shuffle(hexes)
    held = [hexes.pop() for _ in range(rng.randint(0, 4))]
    enemies = tuple(random_unit(rng, "ah", hex_, at) for at, hex_ in enumerate(held))
    posts = [hexes.pop() for _ in range(rng.randint(0, 4))]
    friends = tuple(
        random_unit(rng, "it", rng.choice(posts), at)
        for at in range(rng.randint(0, 6) if posts else 0)
    )
    taken = {one.hex for one in (*friends, *enemies)}
    free = tuple(hex_ for hex_ in hexes if hex_ not in taken)
    return Scene(ground, lacking, friends, enemies, free)


def random_unit(rng: Random, side: str, hex_: Hex, at: int) -> Standing:
    """Return a unit; now and then it marches, or nobody knows its Stacking Value."""
    class_ = rng.choice((*FOUGHT, *FOUGHT, *GUNS))
    values = {"stacking_value": rng.randint(1, 3)} if rng.random() < 0.9 else {}
    unit = Unit(f"{side}-{at}", f"{side}-{at}", side, class_=class_, faces=(Face("front", values),))
    states = {"march_movement": 1} if rng.random() < 0.4 else {}
    return Standing(unit.id, side, hex_, class_, unit, states)


def _chain(rng: Random, known: set[str], labels: list[str]) -> str:
    """Return a road that wanders over the map."""
    way = [rng.choice(labels)]
    for _ in range(rng.randint(3, 8)):
        near = _near(way[-1], known) - set(way)
        if not near:
            break
        way.append(rng.choice(sorted(near)))
    return "-".join(way) if len(way) > 1 else f"{way[0]}-{sorted(_near(way[0], known))[0]}"


def _near(label: str, known: set[str]) -> set[str]:
    around = neighbours(NUMBERING.parse_label(label))
    return {NUMBERING.format_label(one) for one in around} & known


def _river(rng: Random, labels: list[str]) -> dict[str, Any]:
    """Return a Mincio between two columns, with some bridges of which some are blown."""
    if rng.random() < 0.5:
        return {}
    columns = sorted({label[:2] for label in labels})
    west, east = rng.choice(list(pairwise(columns)))
    known = {label for label in labels if label[:2] == east}
    sides = [
        f"{one}/{other}" for one in labels if one[:2] == west for other in sorted(_near(one, known))
    ]
    bridges = [side for side in sides if rng.random() < 0.3]
    word = rng.choice(("mincio", "mincio", "river"))
    blown = tuple(side for side in bridges if rng.random() < 0.3)
    return {"hexsides": {word: tuple(sides), "bridge": tuple(bridges)}, "blown": blown}
