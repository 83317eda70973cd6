"""Does a pack know all the words its rules use? A slip of the pen must not silence a rule."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mapkit.kinds import ROLES, Group
from rules.combat.table_check import table_faults
from rules.schema.combat import Taken
from rules.schema.counters import FRONT
from rules.schema.movement import Movement
from rules.schema.tables import Where
from rules.task_words import task_words

if TYPE_CHECKING:
    from rules.pack import Pack

_Used = tuple[str, frozenset[str], tuple[str, ...]]  # where, what is known there, what is used
_GROUPS: tuple[Group, ...] = ("terrain", "features", "hexsides", "links")


def unknown_words(pack: "Pack") -> Iterator[str]:
    """Yield a line for every word a rule uses that the pack does not define."""
    for part in (
        _kinds,
        _weather,
        _sight,
        _zones,
        _supply,
        _movement,
        _statuses,
        _counters,
        _stacking,
        _command,
        _retreat,
        _combat,
        _losses,
        task_words,
    ):
        for place, known, words in part(pack):
            for word in words:
                if word not in known:
                    yield f"{place}: the pack has no word '{word}'"
    yield from table_faults(pack)


def _ground(pack: "Pack") -> frozenset[str]:
    return pack.words("terrain") | pack.words("features")


def _kinds(pack: "Pack") -> Iterator[_Used]:
    for group in _GROUPS:
        for name, kind in getattr(pack, group).items():
            yield f"{group}.{name}.costs", pack.groups, tuple(kind.costs)
            implied = [word for word in (kind.all_round, kind.bridge) if word]
            sides = (*implied, *kind.crossed_by)
            yield f"{group}.{name}", pack.words("hexsides"), sides
            yield f"{group}.{name}.role", frozenset(ROLES[group]), (kind.role,) if kind.role else ()


def _weather(pack: "Pack") -> Iterator[_Used]:
    for name, weather in pack.weather.items():
        yield f"weather.{name}.ground", _ground(pack), weather.ground
        yield f"weather.{name}.together", frozenset(pack.weather), weather.together
        yield f"weather.{name}.moves", pack.groups, tuple(weather.moves)


def _sight(pack: "Pack") -> Iterator[_Used]:
    if pack.sight is None:
        return
    for name, obstacle in pack.sight.obstacles.items():
        yield f"sight.obstacles.{name}.ground", _ground(pack), obstacle.ground
    for name, side in pack.sight.sides.items():
        yield f"sight.sides.{name}.ground", pack.words("hexsides"), side.ground
    for borrowed in pack.sight.borrowed:
        yield "sight.borrowed", _ground(pack), (*borrowed.ground, *borrowed.neighbour)
    yield "sight.weather", frozenset(pack.weather), tuple(pack.sight.weather)
    for reach in (pack.sight.reach, *pack.sight.weather.values()):
        for limit in reach.limits:
            yield "sight.reach.limits", _ground(pack), limit.ground
    if pack.sight.start is not None:
        start = pack.sight.start
        yield "sight.start", _ground(pack), (*start.anywhere_in, *start.from_point_of)
    yield from _observers(pack)


def _observers(pack: "Pack") -> Iterator[_Used]:
    observers = pack.sight.observers if pack.sight else None
    if observers is not None:
        places = _ground(pack) | pack.words("hexsides") | pack.groups
        yield "sight.observers.on", places, observers.on
        yield "sight.observers.own_works", places, observers.own_works
        status = (observers.out_of_command,) if observers.out_of_command else ()
        yield "sight.observers.out_of_command", frozenset(pack.statuses), status
        for name, unseen in observers.unseen.items():
            place = f"sight.observers.unseen.{name}"
            yield f"{place}.ground", _ground(pack), unseen.ground
            yield f"{place}.hexsides", pack.words("hexsides"), unseen.hexsides
            yield f"{place}.links", pack.words("links"), unseen.links
            yield f"{place}.units", pack.groups, unseen.units
    if pack.sight and pack.sight.fire is not None:
        known = frozenset((*pack.sight.obstacles, *pack.sight.sides))
        yield "sight.fire.blocked_by", known, pack.sight.fire.blocked_by
        yield "sight.fire.guns", frozenset(pack.classes), tuple(pack.sight.fire.guns)


def _zones(pack: "Pack") -> Iterator[_Used]:
    if pack.zones is None:
        return
    yield "zones.exerted_by", pack.groups, pack.zones.exerted_by
    for name, exclusion in pack.zones.exclusions.items():
        place = f"zones.exclusions.{name}"
        yield f"{place}.into", _ground(pack), exclusion.into
        yield f"{place}.over", pack.words("hexsides"), (*exclusion.over, *exclusion.unless)
        yield f"{place}.weather", frozenset(pack.weather), exclusion.weather
        yield f"{place}.not_for", pack.groups, exclusion.not_for
    effects, fire = pack.zones.effects, pack.zones.infiltration
    yield "zones.effects", pack.groups, (*effects.free_beside, *effects.ignored_by)
    if fire is not None:
        yield "zones.infiltration.by", pack.groups, fire.by
        yield "zones.infiltration.works", _ground(pack), fire.works
        yield "zones.infiltration.not_over", pack.words("hexsides"), fire.not_over
        yield "zones.infiltration.weather", frozenset(pack.weather), fire.weather


def _supply(pack: "Pack") -> Iterator[_Used]:
    if pack.supply is None:
        return
    for number, leg in enumerate(pack.supply.legs or ()):
        place = f"supply.legs.{number}"
        yield f"{place}.links", pack.words("links"), leg.links
        yield f"{place}.sides", pack.words("hexsides"), tuple(leg.sides)
        yield f"{place}.not_over", pack.words("hexsides"), leg.not_over
        yield f"{place}.not_through", _ground(pack), leg.not_through
    yield "supply.sources", pack.words("features"), pack.supply.sources.features
    yield "supply.sources.hexes", frozenset(pack.sides), tuple(pack.supply.sources.hexes)
    yield "supply.effect.spares", pack.groups, tuple(pack.supply.effect.spares)
    yield "supply.no_influence", pack.groups, pack.supply.no_influence
    if pack.supply.interdiction is not None:
        cut = pack.supply.interdiction
        yield "supply.interdiction", pack.groups, (*cut.by, *cut.line_of)
        yield "supply.interdiction.in_status", frozenset(pack.statuses), (cut.in_status,)
        nations = {word for side in pack.sides.values() for word in side.nationalities}
        yield "supply.interdiction.immune", frozenset(nations), cut.immune
    if pack.supply.effect.marks is not None:
        yield "supply.effect.marks", frozenset(pack.statuses), (pack.supply.effect.marks,)
    if pack.supply.effect.status is not None:
        yield "supply.effect.status", frozenset(pack.statuses), (pack.supply.effect.status,)


def _movement(pack: "Pack") -> Iterator[_Used]:
    if pack.movement is None:
        return
    yield "movement.sides", pack.words("hexsides"), tuple(pack.movement.sides)
    yield "movement.enter_lone", pack.groups, pack.movement.enter_lone
    for name, side in pack.movement.sides.items():
        yield f"movement.sides.{name}.only", pack.groups, side.only
        yield f"movement.sides.{name}.opened_by", pack.words("hexsides"), side.opened_by
        yield f"movement.sides.{name}.closed_to", frozenset(side.opened_by), tuple(side.closed_to)
        for groups in side.closed_to.values():
            yield f"movement.sides.{name}.closed_to", pack.groups, groups
    yield "movement.still", frozenset(pack.statuses), tuple(pack.movement.still)
    yield "movement.roads.not_into", pack.words("terrain"), pack.movement.roads.not_into
    for rate in pack.movement.roads.rates:
        yield "movement.roads.rates", pack.groups, rate.units
    if works := pack.movement.roads.works:
        yield "movement.roads.works", pack.words("features"), (works.feature,)
        yield "movement.roads.works", pack.words("links"), (works.as_link,)
        yield "movement.roads.works", pack.words("hexsides"), works.not_over
    yield from _works(pack, pack.movement)
    if entry := pack.movement.zone_entry:
        yield "movement.zone_entry", pack.groups, (*entry.units, *entry.beside)
    yield "movement.immobile", pack.groups, tuple(pack.movement.immobile)
    for name, mode in pack.movement.modes.items():
        units = (*mode.units, *mode.not_for, *mode.overruns)
        yield f"movement.modes.{name}", pack.groups, units
        yield f"movement.modes.{name}.not_in", frozenset(pack.statuses), mode.not_in
    yield "movement.no_influence", pack.groups, pack.movement.no_influence
    if pack.movement.levels is not None:
        levels = pack.movement.levels
        yield "movement.levels", pack.groups, (*levels.not_for, *levels.never_for)
        yield "movement.levels", _ground(pack), (*levels.always_into, *levels.always_out_of)


def _works(pack: "Pack", rules: Movement) -> Iterator[_Used]:
    for name, works in rules.works.items():
        place = f"movement.works.{name}"
        yield f"{place}.features", pack.words("features"), works.features
        units = (*works.anybody, *works.own, *works.enemy, *works.along)
        yield f"{place}.units", pack.groups, units
    if step := rules.step_up:
        yield "movement.step_up", pack.groups, step.units
        yield "movement.step_up", pack.words("terrain"), (*step.leaving, *step.entering)
    for check in rules.checks:
        yield "movement.checks", pack.words("features"), (*check.features, *check.unless)
        yield "movement.checks", frozenset(pack.checks), (check.check,)


def _statuses(pack: "Pack") -> Iterator[_Used]:
    for name, status in pack.statuses.items():
        yield f"statuses.{name}.groups", pack.groups, status.groups
        yield f"statuses.{name}.unless", frozenset(pack.statuses), status.unless
    if pack.facing is not None:
        yield "facing.groups", pack.groups, pack.facing.groups
    for name, marker in pack.markers.items():
        known = (_ground(pack) if "hex" in marker.on else frozenset()) | (
            pack.words("hexsides") if "hexside" in marker.on else frozenset()
        )
        yield f"markers.{name}.features", known, marker.features


def _counters(pack: "Pack") -> Iterator[_Used]:
    faces = {FRONT, *(status.face for status in pack.statuses.values() if status.face)}
    for number, counter in enumerate(pack.counters):
        yield f"counters.{number}.groups", pack.groups, counter.groups
        yield f"counters.{number}.faces", frozenset(faces), tuple(counter.faces)
        if counter.one_for:
            yield f"counters.{number}.groups", frozenset(pack.classes), counter.groups[:1]


def _stacking(pack: "Pack") -> Iterator[_Used]:
    rules = pack.stacking
    if rules is None:
        return
    named = frozenset(rules.pools)
    units = (*rules.never, *rules.one_each, *rules.of_size)
    yield "stacking", pack.groups, units
    sizes = tuple(one.size for one in rules.of_size.values())
    yield "stacking.of_size", frozenset(rules.sizes), sizes
    for name, pool in rules.pools.items():
        place = f"stacking.pools.{name}"
        yield f"{place}.who", pack.groups, pool.who
        yield f"{place}.statuses", frozenset(pack.statuses), (*pool.statuses, *pool.else_statuses)
        for limit in pool.limits:
            yield f"{place}.limits", _ground(pack), limit.ground
            yield f"{place}.limits", pack.groups, (*limit.beside, *limit.without)
        for raised in pool.raised:
            states = (*raised.statuses, *raised.else_statuses)
            yield f"{place}.raised.statuses", frozenset(pack.statuses), states
            yield f"{place}.raised", pack.groups, raised.by
            yield f"{place}.raised", _ground(pack), raised.ground
    for name, free in rules.free.items():
        yield f"stacking.free.{name}.who", pack.groups, free.who
        yield f"stacking.free.{name}.sizes", frozenset(rules.sizes), free.sizes
    for name, one in rules.exceptions.items():
        yield f"stacking.exceptions.{name}.side", frozenset(pack.sides), (one.side,)
        yield f"stacking.exceptions.{name}.pool", named, (one.pool,)
    if rules.nations is not None:
        nations = frozenset(word for side in pack.sides.values() for word in side.nationalities)
        for group in rules.nations.together:
            yield "stacking.nations.together", nations, group
    if rules.one_regiment is not None:
        yield "stacking.one_regiment.pool", named, (rules.one_regiment.pool,)
    if rules.over is not None:
        yield "stacking.over.falls_on", pack.groups, rules.over.falls_on
    if rules.roads is not None:
        yield "stacking.roads.pools", named, rules.roads.pools
        yield "stacking.roads.never", pack.groups, rules.roads.never


def _command(pack: "Pack") -> Iterator[_Used]:
    rules = pack.command
    if rules is None:
        return
    range_ = rules.range
    yield "command.range.no_influence", pack.groups, range_.no_influence
    for cost in range_.costs:
        yield "command.range.costs", pack.words("links"), cost.links
    if range_.in_points is not None:
        yield "command.range.in_points.of", pack.groups, (range_.in_points.of,)
    for side, use in range_.sides.items():
        yield "command.range.sides", pack.words("hexsides"), (side, *use.opened_by)
    paid = rules.activation
    if paid is not None:
        yield "command.activation.guns.who", pack.groups, paid.guns.who
        yield "command.activation.free_for", frozenset(pack.sides), tuple(paid.free_for)
        loose = paid.independents
        yield "command.activation.independents", pack.groups, (*loose.who, *loose.beyond)


def _retreat(pack: "Pack") -> Iterator[_Used]:
    rules = pack.retreat
    if rules is None:
        return
    yield "retreat.sides", pack.words("hexsides"), tuple(rules.sides)
    for name, side in rules.sides.items():
        yield f"retreat.sides.{name}.only", pack.groups, side.only
    yield "retreat.captured", pack.groups, tuple(rules.captured)
    yield "retreat.ignores", pack.groups, tuple(rules.ignores)
    if rules.alone is not None:
        yield "retreat.alone", pack.groups, (*rules.alone.who, *rules.alone.beside)
    if rules.stays is not None:
        yield "retreat.stays.who", pack.groups, rules.stays.who
        states = (*rules.stays.statuses, *rules.stays.else_statuses)
        yield "retreat.stays.statuses", frozenset(pack.statuses), states
    if (withdrawal := rules.withdrawal) is not None:
        yield "retreat.withdrawal.not_in", frozenset(pack.statuses), tuple(withdrawal.not_in)
        light = frozenset(pack.weather)
        yield "retreat.withdrawal.zones_shut_in", light, withdrawal.zones_shut_in
    if rules.fire is not None:
        yield "retreat.fire.not_in", frozenset(pack.statuses), rules.fire.not_in


def _combat(pack: "Pack") -> Iterator[_Used]:
    for name, table in pack.tables.items():
        for part, modifiers in (("shifts", table.shifts), ("drms", table.drms)):
            for word, one in modifiers.items():
                place = f"tables.{name}.{part}.{word}"
                yield f"{place}.procedures", frozenset(pack.combat), one.procedures
                if one.where is not None:
                    yield from _places(pack, place, one.where)
    for name, procedure in pack.combat.items():
        for side, terms in (("attack", procedure.attack), ("defend", procedure.defend)):
            for word, term in terms.items():
                place = f"combat.{name}.{side}.{word}"
                yield f"{place}.units", pack.groups, (*term.units, *term.not_by)
                for taken in term.takes:
                    yield from _taken(pack, f"{place}.takes", taken)
        for word, change in procedure.changes.items():
            status = (change.status,) if change.status else ()
            yield f"combat.{name}.changes.{word}.status", frozenset(pack.statuses), status
            if change.where is not None:
                yield from _places(pack, f"combat.{name}.changes.{word}", change.where)


def _taken(pack: "Pack", place: str, taken: Taken) -> Iterator[_Used]:
    yield f"{place}.statuses", frozenset(pack.statuses), taken.statuses
    sides = (*taken.hexsides, *taken.opened_by)
    yield f"{place}.hexsides", pack.words("hexsides"), sides
    yield f"{place}.units", pack.groups, (*taken.without, *taken.spared)
    ground = tuple(word for words in taken.spared.values() for word in words)
    yield f"{place}.spared", pack.words("terrain"), ground


def _places(pack: "Pack", place: str, where: Where) -> Iterator[_Used]:
    yield f"{place}.where.ground", _ground(pack), (*where.ground, *where.not_ground)
    yield f"{place}.where.units", pack.groups, (*where.attackers, *where.defenders)
    works = pack.words("features") | pack.words("hexsides")
    yield f"{place}.where.value_of", works, where.value_of
    sides = (*where.hexsides, *where.opened_by)
    yield f"{place}.where.hexsides", pack.words("hexsides"), sides
    yield f"{place}.where.weather", frozenset(pack.weather), where.weather


def _losses(pack: "Pack") -> Iterator[_Used]:
    if pack.losses is None:
        return
    losses = pack.losses
    status = (losses.status,) if losses.status else ()
    yield "losses.status", frozenset(pack.statuses), status
    parts = (losses.thresholds, losses.hits, losses.immune, losses.captured, losses.weakens)
    for rules in (*parts, losses.in_retreat, losses.attached):
        for rule in rules:
            yield "losses.units", pack.groups, rule.units
    for hits in losses.hits:
        yield "losses.hits.after", pack.groups, hits.after
        yield "losses.hits.only_in", frozenset(pack.combat), hits.only_in
    for immune in losses.immune:
        yield "losses.immune.procedures", frozenset(pack.combat), immune.procedures
    for captured in losses.captured:
        yield "losses.captured.procedures", frozenset(pack.combat), captured.procedures
    for attached in losses.attached:
        yield "losses.attached.procedures", frozenset(pack.combat), attached.procedures
    nations = frozenset(word for side in pack.sides.values() for word in side.nationalities)
    for one in losses.in_steps:
        yield "losses.in_steps.nations", nations, one.nations
        if pack.stacking is not None:
            yield "losses.in_steps.sizes", frozenset(pack.stacking.sizes), (*one.sizes, one.last)
    yield "losses.first.units", pack.groups, losses.first.units if losses.first else ()
    won_in = losses.surrender.won_in if losses.surrender else ()
    yield "losses.surrender.won_in", frozenset(pack.combat), won_in
    yield "losses.rout.never", pack.groups, tuple(losses.rout.never) if losses.rout else ()
