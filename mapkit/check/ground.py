"""What lies in the hexes: terrain, levels, labels, and hexes that are not there.

What a person confirmed or corrected is not doubted again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from mapkit.check.problems import Problem, warning
from mapkit.check.roads import SETTLEMENTS
from mapkit.hexes import DIRECTIONS, Hex, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import Ground, HexMap, Value

HIGH_PLACES = frozenset({"fort", "peak"})
LEVEL_JUMP = 2
LEVELS_NEEDED = 4

Around = Sequence[Ground | None]  # the six neighbours, None off the map


def check_ground(map_: HexMap) -> Iterator[Problem]:
    """Yield hexes without label or terrain, lone hexes, level jumps, and holes in the map."""
    terrain_roles, feature_roles = map_.kinds.roles("terrain"), map_.kinds.roles("features")
    # Plain pairs look up as well as hexes and are made in a fraction of the time.
    ground_at = dict[tuple[int, int], Ground](map_.hexes.items()).get
    edge: list[Hex] = []
    for hex_, ground in map_.hexes.items():
        q, r = hex_
        around = [ground_at((q + dq, r + dr)) for dq, dr in DIRECTIONS]
        if None in around:
            edge.append(hex_)
        label = map_.label(hex_)
        if label.startswith("("):  # no printed label may: it stands for "has none"
            yield warning("no_label", label)
        if ground.terrain == UNKNOWN:
            if not _is_reviewed(map_, ground, "terrain"):
                yield warning("unknown_terrain", label)
        elif (
            _is_alone(ground, around)
            and terrain_roles.get(ground.terrain) not in SETTLEMENTS
            and not _is_reviewed(map_, ground, "terrain")
        ):
            most = _most_common(around)
            yield warning("lone_hex", label, terrain=ground.terrain, around=most)
        if _jumps(ground, around, feature_roles) and not _is_reviewed(map_, ground, "level"):
            low, *_, high = sorted(_levels(around))
            yield warning("level_jump", label, level=ground.level, low=low, high=high)
    yield from _check_holes(map_, edge)


def _check_holes(map_: HexMap, edge: Sequence[Hex]) -> Iterator[Problem]:
    """Yield the places off the map that have the map on all six sides."""
    missing = Counter(other for hex_ in edge for other in neighbours(hex_))
    for hex_, count in missing.items():
        if count == len(DIRECTIONS) and hex_ not in map_.hexes:
            yield warning("hole", map_.label(hex_))


def _is_reviewed(map_: HexMap, ground: Ground, value: Value) -> bool:
    return ground.provenance.get(value, map_.provenance).touch is not None


def _is_alone(ground: Ground, around: Around) -> bool:
    """Tell whether all six neighbours are known to be other terrain, and nothing explains it."""
    if ground.features or ground.name:
        return False
    for other in around:
        if other is None or other.terrain in (ground.terrain, UNKNOWN):
            return False
    return True


def _most_common(around: Around) -> str:
    counted = Counter(other.terrain for other in around if other)
    return min(counted, key=lambda terrain: (-counted[terrain], terrain))


def _levels(around: Around) -> list[int]:
    return [other.level for other in around if other is not None and other.level is not None]


def _jumps(ground: Ground, around: Around, feature_roles: dict[str, str]) -> bool:
    """Tell whether a hex stands off from every neighbour whose level is known."""
    here = ground.level
    if here is None:
        return False
    levels = _levels(around)
    for level in levels:
        if abs(level - here) < LEVEL_JUMP:
            return False
    if len(levels) < LEVELS_NEEDED:
        return False
    is_summit = here > max(levels)
    return not is_summit or not any(
        feature_roles.get(feature.kind) in HIGH_PLACES for feature in ground.features
    )
