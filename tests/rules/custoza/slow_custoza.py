"""The rules of Custoza a second time, slow and plain, to hold the judges against in tests.

Written from the rulebook and not from the pack; each line that decides names its rule. Where the
rulebook's pages are missing, the made-up rules of `scenes` are read here once more. What nobody
knows is tried out: a verdict that hangs on it is "unknown".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from mapkit.hexes import Hex, Hexside, Link, distance
from rules.standing import Standing
from tests.rules.custoza.scenes import FOUGHT, GROUND, GUNS, LIMIT, REAR, RIVER, ROAD, TRACK, Scene

AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # once around, either way
FURTHEST = 5  # steps: nobody in these scenes has to pass more friends than that
Path = tuple[Hex, ...]


def _next_to(scene: Scene, hex_: Hex) -> list[Hex]:
    found = (Hex(hex_.q + q, hex_.r + r) for q, r in AROUND)
    return [one for one in found if one in scene.field.ground.hexes]


def _on_side(scene: Scene, one: Hex, other: Hex) -> set[str]:
    features = scene.field.ground.hexsides.get(Hexside.between(one, other), ())
    return {feature.kind for feature in features if feature.state != "blown"}


def _is_shut_by_water(scene: Scene, one: Hex, other: Hex) -> bool:
    """4.2: the Mincio without a bridge."""
    words = _on_side(scene, one, other)
    return "mincio" in words and "bridge" not in words


# ------------------------------------------------------------------ zones


def _marches(unit: Standing) -> bool:
    return unit.statuses.get("march_movement", 0) > 0


def slow_zone(scene: Scene, unit: Standing) -> set[Hex] | None:
    """Return a unit's zone; None where nobody knows what a zone is."""
    if _marches(unit):
        return set()  # 11.1
    if scene.lacking == "zones":
        return None
    if unit.class_ not in FOUGHT:
        return set()  # made up
    here = unit.hex
    return {one for one in _next_to(scene, here) if not _is_shut_by_water(scene, here, one)}


def _zones(scene: Scene) -> set[Hex] | None:
    found: set[Hex] = set()
    for enemy in scene.enemies:
        zone = slow_zone(scene, enemy)
        if zone is None:
            return None
        found |= zone
    return found


# ------------------------------------------------------------------ command


def slow_command(scene: Scene, commander: Hex, unit: Hex) -> str:
    """Return whether a unit is in command of a Commander."""
    zones = _zones(scene)
    everywhere = set(scene.field.ground.hexes)
    answers = {
        _in_range(scene, commander, unit, shut)
        for shut in ([zones] if zones is not None else [set(), everywhere])
    }
    if len(answers) > 1:
        return "unknown"
    return "in_command" if answers.pop() else "out_of_command"


def _in_range(scene: Scene, commander: Hex, unit: Hex, zones: set[Hex]) -> bool:
    """Count in halves of a hex: 4.2 gives eight, two for a hex and one for a hex with a road."""
    with_road = {hex_ for link in scene.field.ground.links for hex_ in link}
    enemies = {one.hex for one in scene.enemies}
    friends = {one.hex for one in scene.friends} | {unit, commander}
    left: dict[Hex, int] = {commander: 8}
    changed = True
    while changed:
        changed = False
        for here, halves in list(left.items()):
            if here in zones and here not in friends:
                continue  # 4.2: not through a zone where no friend is
            for there in _next_to(scene, here):
                rest = halves - (1 if there in with_road else 2)
                if there in enemies or _is_shut_by_water(scene, here, there) or rest < 0:
                    continue
                if rest > left.get(there, -1):
                    left[there] = rest
                    changed = True
    return unit in left


# ------------------------------------------------------------------ stacking


def slow_stack(scene: Scene, hex_: Hex, units: list[Standing]) -> str:
    """Return whether units may stand in a hex together."""
    counted = [one for one in units if one.class_ != "fortress"]
    if any(one.kind == "fortress" for one in scene.field.ground.hexes[hex_].features):
        return "within" if len(counted) <= 1 else "over"  # 22.3.4
    values = [one.value("stacking_value") for one in counted]
    known = sum(value for value in values if isinstance(value, int))
    if scene.lacking == "limit":
        return "unknown" if counted else "within"
    if known > LIMIT:
        return "over"
    return "unknown" if None in values else "within"


# ------------------------------------------------------------------ movement


def slow_reach(scene: Scene, unit: Standing, points: int, *, night: bool) -> dict[Hex, Fraction]:
    """Return what it costs to come to each hex by the made-up rules; 22.4: no zone at night."""
    zones = _zones(scene) or set()
    enemies = {one.hex for one in scene.enemies}
    spent: dict[Hex, Fraction] = {unit.hex: Fraction(0)}
    for _ in scene.field.ground.hexes:  # no way is longer than there are hexes
        for here, so_far in list(spent.items()):
            for there in _next_to(scene, here):
                cost = _cost(scene, here, there)
                if cost is None or there in enemies or (night and there in zones):
                    continue
                if so_far + cost <= min(points, spent.get(there, points)):
                    spent[there] = so_far + cost
    return spent


def _cost(scene: Scene, here: Hex, there: Hex) -> Fraction | None:
    """The cheaper of the road and the country; None where there is no way."""
    if _is_shut_by_water(scene, here, there):
        return None
    prices: list[Fraction] = []
    word = scene.field.ground.hexes[there].terrain
    words = _on_side(scene, here, there)
    if word in GROUND:
        prices.append(Fraction(GROUND[word] + (RIVER if "river" in words else 0)))
    blown = any(
        one.state == "blown"
        for one in scene.field.ground.hexsides.get(Hexside.between(here, there), ())
    )
    if not blown:
        links = scene.field.ground.links.get(Link.between(here, there), ())
        prices += [Fraction({"road": ROAD, "track": TRACK}[one.kind]) for one in links]
    return min(prices, default=None)


# ------------------------------------------------------------------ retreat


@dataclass(frozen=True)
class World:
    """What a retreat needs to know: all of it known, or one way to fill in what is not."""

    zones: frozenset[Hex]
    fits: Callable[[Hex], bool]
    cost: Callable[[Hex, Hex], Fraction | None]


@dataclass(frozen=True)
class Beaten:
    """A beaten unit; *markers* lie where assaults come from, *target* is what it attacked."""

    unit: Standing
    markers: frozenset[Hex]
    target: Hex | None = None


def slow_retreat(scene: Scene, beaten: Beaten) -> tuple[str, frozenset[Path]]:
    """Return the verdict, and where it is "retreats" all ways that are open."""
    if beaten.target is None and _guns_alone(scene, beaten.unit):
        return "eliminated", frozenset()  # 10.6.1
    answers = {_ways(scene, beaten, world) for world in _worlds(scene, beaten.unit)}
    if len(answers) > 1:
        return "unknown", frozenset()
    ways = answers.pop()
    return ("retreats" if ways else "eliminated"), ways  # 10.5.1, 10.5.3


def _guns_alone(scene: Scene, unit: Standing) -> bool:
    company = [one for one in scene.friends if one.hex == unit.hex]
    return unit.class_ in GUNS and all(one.class_ in GUNS for one in company)


def _ways(scene: Scene, beaten: Beaten, world: World) -> frozenset[Path]:
    """List all whole retreats, then strike out those that anywhere leave the better hex aside."""
    whole = list(_whole_retreats(scene, beaten, world, (beaten.unit.hex,)))

    def mark(path: Path, at: int) -> tuple[bool, bool, Fraction]:
        """10.5: not into a zone, not too many, the lowest cost, in this order."""
        there = path[at]
        return there in world.zones, not world.fits(there), world.cost(path[at - 1], there) or 0

    best: dict[Path, tuple[bool, bool, Fraction]] = {}
    for path in whole:
        for at in range(1, len(path)):
            found = best.get(path[:at])
            best[path[:at]] = mark(path, at) if found is None else min(found, mark(path, at))
    return frozenset(
        path
        for path in whole
        if all(mark(path, at) == best[path[:at]] for at in range(1, len(path)))
    )


def _whole_retreats(scene: Scene, beaten: Beaten, world: World, path: Path) -> Iterator[Path]:
    steps = len(path) - 1
    least = 2 if beaten.target is None else 1  # 10.4, step 10
    if steps >= least and world.fits(path[-1]):
        yield path
        return
    if steps >= FURTHEST:
        return
    for there in _next_to(scene, path[-1]):
        if there in path or there in beaten.markers:
            continue  # 10.5.1
        if any(one.hex == there for one in scene.enemies):
            continue  # 10.5.1
        if world.cost(path[-1], there) is None:
            continue  # 10.5.1: impassable
        if beaten.target is not None and steps == 0 and not _is_rear(path[0], beaten, there):
            continue  # 10.5
        too_near = any(distance(there, marker) - 1 < 2 for marker in beaten.markers)
        if beaten.target is None and steps + 1 >= least and too_near:
            continue  # 10.5: two hexes between it and any marker
        yield from _whole_retreats(scene, beaten, world, (*path, there))


def _is_rear(here: Hex, beaten: Beaten, there: Hex) -> bool:
    assert beaten.target is not None
    around = [(here.q + q, here.r + r) for q, r in AROUND]
    turned = (around.index(tuple(there)) - around.index(tuple(beaten.target))) % 6
    return turned in REAR


def _worlds(scene: Scene, unit: Standing) -> Iterator[World]:
    """Yield every way to fill in what nobody knows, or enough of them to tell that it matters."""
    for zones, fits, cost in product(
        _possible_zones(scene), _possible_rooms(scene, unit), _possible_costs(scene)
    ):
        yield World(zones, fits, cost)


def _possible_zones(scene: Scene) -> list[frozenset[Hex]]:
    zones = _zones(scene)
    if zones is not None:
        return [frozenset(zones)]
    return [frozenset(), *(frozenset({hex_}) for hex_ in scene.field.ground.hexes)]


def _possible_rooms(scene: Scene, unit: Standing) -> Iterator[Callable[[Hex], bool]]:
    held: dict[Hex, list[Standing]] = {}
    for one in scene.friends:
        held.setdefault(one.hex, []).append(one)
    found = {hex_: slow_stack(scene, hex_, [*some, unit]) for hex_, some in held.items()}
    doubtful = [hex_ for hex_, verdict in found.items() if verdict == "unknown"]
    full = {hex_ for hex_, verdict in found.items() if verdict == "over"}
    for no in product((False, True), repeat=len(doubtful)):
        closed = full | {one for one, over in zip(doubtful, no, strict=True) if over}
        yield lambda hex_, closed=closed: hex_ not in closed  # type: ignore[misc]


def _possible_costs(scene: Scene) -> list[Callable[[Hex, Hex], Fraction | None]]:
    """With a chart its costs; without one every kind of step may be cheaper than the others."""
    if scene.lacking != "chart":
        return [lambda here, there: _cost(scene, here, there)]
    kinds = {
        _kind_of_step(scene, one, other)
        for one in scene.field.ground.hexes
        for other in _next_to(scene, one)
    }
    return [
        lambda here, there, cheap=cheap, wade=wade: _made_up(scene, here, there, cheap, wade=wade)
        for cheap in (None, *sorted(kinds, key=str))
        for wade in (False, True)
    ]


Kind = tuple[object, ...]


def _kind_of_step(scene: Scene, here: Hex, there: Hex) -> Kind:
    ground = scene.field.ground.hexes[there]
    links = scene.field.ground.links.get(Link.between(here, there), ())
    inside = frozenset(one.kind for one in ground.features)
    return ground.terrain, inside, frozenset(_on_side(scene, here, there)), links


def _made_up(
    scene: Scene, here: Hex, there: Hex, cheap: Kind | None, *, wade: bool
) -> Fraction | None:
    linked = Link.between(here, there) in scene.field.ground.links
    if scene.field.ground.hexes[there].terrain == "marsh" and not linked:
        return None
    if _is_shut_by_water(scene, here, there) and not wade:
        return None
    return Fraction(1 if _kind_of_step(scene, here, there) == cheap else 2)


# ------------------------------------------------------------------ withdrawal


@dataclass(frozen=True)
class Leaving:
    """A unit that withdraws: out of all zones, or one hex and then away from *enemy* if named."""

    unit: Standing
    markers: frozenset[Hex] = frozenset()
    one_hex: bool = False
    enemy: Hex | None = None
    night: bool = False


def slow_withdrawal(scene: Scene, leaving: Leaving) -> tuple[str, frozenset[Path]]:
    """Return the verdict, and where it is "withdraws" all ways that are open."""
    must = leaving.enemy is None  # 11.5.5: nobody has to react
    lost = "eliminated" if must else "stays"  # 12.3
    answers = {_left(scene, leaving, world) for world in _worlds(scene, leaving.unit)}
    if len(answers) > 1:
        return "unknown", frozenset()
    verdict, ways = answers.pop()
    return (lost if verdict == "nowhere" else verdict), ways


def _left(scene: Scene, leaving: Leaving, world: World) -> tuple[str, frozenset[Path]]:
    here = leaving.unit.hex
    if not leaving.one_hex and here not in world.zones:
        return "stays", frozenset()  # 12.1
    if leaving.unit.statuses.get("square"):
        return "nowhere", frozenset()  # 11.5.4.1
    whole = list(_whole_withdrawals(scene, leaving, world, (here,)))

    def mark(path: Path, at: int) -> tuple[bool, bool, Fraction]:
        """10.5, which 10.5.2 and 10.5.4 name, as 12.2 takes them over."""
        there = path[at]
        return there in world.zones, not world.fits(there), world.cost(path[at - 1], there) or 0

    best: dict[Path, tuple[bool, bool, Fraction]] = {}
    for path in whole:
        for at in range(1, len(path)):
            best[path[:at]] = min(best.get(path[:at], mark(path, at)), mark(path, at))
    ways = frozenset(
        path
        for path in whole
        if all(mark(path, at) == best[path[:at]] for at in range(1, len(path)))
    )
    return ("withdraws" if ways else "nowhere"), ways


def _whole_withdrawals(scene: Scene, leaving: Leaving, world: World, path: Path) -> Iterator[Path]:
    steps = len(path) - 1
    out = leaving.one_hex or path[-1] not in world.zones  # 12.1; 11.5.5 and 13.4: one hex
    if steps and out and world.fits(path[-1]):
        yield path
        return
    for there in _next_to(scene, path[-1]):
        if there in path or there in leaving.markers:
            continue  # 10.5.1
        if any(one.hex == there for one in scene.enemies):
            continue  # 10.5.1
        if world.cost(path[-1], there) is None:
            continue  # 10.5.1: impassable
        if leaving.night and there in world.zones:
            continue  # 22.4
        enemy = leaving.enemy
        if not steps and enemy and distance(there, enemy) <= distance(path[0], enemy):
            continue  # 11.5.5
        yield from _whole_withdrawals(scene, leaving, world, (*path, there))


# ------------------------------------------------------------------ rout


def slow_rout(scene: Scene, unit: Standing, sources: frozenset[Hex]) -> str:
    """Return whether a Routed unit is kept: 13.5."""
    zones = _zones(scene)
    everywhere = set(scene.field.ground.hexes)
    answers = {
        _is_joined(scene, unit.hex, sources, shut)
        for shut in ([zones] if zones is not None else [set(), everywhere])
    }
    if len(answers) > 1:
        return "unknown"
    return "routed" if answers.pop() else "eliminated"


def _is_joined(scene: Scene, start: Hex, sources: frozenset[Hex], zones: set[Hex]) -> bool:
    enemies = {one.hex for one in scene.enemies}
    shut = zones - {one.hex for one in scene.friends}  # 4.2: uncontested where no friend is
    reached = {start}
    while True:
        more = {
            there
            for here in reached
            for there in _next_to(scene, here)
            if there not in enemies | shut and not _is_shut_by_water(scene, here, there)
        }
        if more <= reached:
            return not sources.isdisjoint(reached)
        reached |= more
