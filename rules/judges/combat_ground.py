"""The circumstances of a combat that the map tells: terrain, hexsides, levels, trenches, weather.

A hexside counts only where every attacker crosses one of its kind, or the part of all factors that
the rule asks for; a climb only where all climb.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from mapkit.check.document import THRESHOLD
from mapkit.hexes import Hex, Hexside, are_neighbours, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import Feature, Value
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.weather import covers, is_weather, may_cover
from rules.ruling import Evidence, Reason
from rules.schema.forces import classes_in
from rules.schema.tables import Modifier, Where
from rules.standing import Standing

_VALUES: tuple[Value, ...] = ("terrain", "level")


@dataclass(frozen=True)
class CombatGround:
    """Where a combat takes place: the hex that is hit, and the hexes the attack or fire is from.

    *holder* is the side that holds the target, where known: works of the other do not help it.
    *factors* are what attacks from each of the hexes; None where nobody knows it. *attackers* and
    *defenders* are the units that are known to take part.
    """

    field: Battlefield
    target: Hex
    sources: tuple[Hex, ...]
    weather: str | None = None
    holder: str | None = None
    factors: Mapping[Hex, Fraction] | None = None
    attackers: tuple[Standing, ...] = ()
    defenders: tuple[Standing, ...] = ()

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        self.field.map.require(self.target, *self.sources)

    def said(self, procedure: str) -> dict[str, int | None]:
        """Return every circumstance of a procedure that the map tells, with its number."""
        found = {word: number for word, _, number in self._holding(procedure)}
        return found | dict.fromkeys(self._on_hexsides(procedure, found))

    def reasons(self, procedure: str) -> tuple[Reason, ...]:
        """Return what the map tells, as reasons."""
        place = self.field.label(self.target)
        found = []
        for word, where, number in self._holding(procedure):
            what = word if number is None else f"{word}={number}"
            values: dict[str, str | int] = {"place": place, "what": what}
            found.append(Reason("rules.combat.from_map", {**values, "of": _kind(where)}))
        return tuple(found)

    def _on_hexsides(self, procedure: str, found: Mapping[str, int | None]) -> Iterator[str]:
        """Yield the words for works whose number is that of a hexside, and not of the hex."""
        pack = self.field.pack
        table = pack.tables[pack.combat[procedure].table]
        effects = pack.results[table.results].effects.values() if table.results else ()
        here = {one.kind for one in self.field.ground[self.target].features}
        for effect in effects:
            if effect.lowers is None or effect.lowers.hexside is None:
                continue
            one = table.shifts.get(effect.lowers.number)
            works = one.where.value_of if one is not None and one.where is not None else ()
            if effect.lowers.number in found and here.isdisjoint(works):
                yield effect.lowers.hexside

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the values of the map a ruling here rests on."""
        map_ = self.field.map
        found = []
        for hex_ in dict.fromkeys((self.target, *self.sources)):
            for value in _VALUES:
                provenance = map_.provenance_of(hex_, value)
                doubtful = provenance.source == "scan" and (provenance.confidence or 0) < THRESHOLD
                is_ = str(getattr(map_[hex_], value))
                found.append(Evidence(map_.label(hex_), value, is_, provenance, doubtful))
        return tuple(found)

    def unsure(self, procedure: str) -> dict[str, Reason]:
        """Return the circumstances that nobody can tell, since the map lacks what decides them."""
        found: dict[str, Reason] = {}
        for word, where, _ in self._modifiers(procedure):
            if (reason := next(self._unsure(word, where, procedure), None)) is not None:
                found[word] = reason
        return found

    def _unsure(self, word: str, where: Where, procedure: str) -> Iterator[Reason]:
        """What the map would have to tell about one circumstance: a level, terrain, a number."""
        ground = self.field.ground
        blind = [hex_ for hex_ in (self.target, *self.sources) if ground[hex_].level is None]
        if blind and self._asks_level(where):
            yield self._asked("no_level", blind, word=word)
        if dim := self._in_doubt(where):
            yield self._asked("no_high_mountain", dim, word=word)
        if unread := self._unread(where):
            yield self._asked("no_terrain", unread, word=word)
        if whose := self._whose(where):
            yield self._asked("no_owner", whose, word=word, what=_spoken(where.ground))
        if where.share is not None and self._part_crosses(where) is None:
            yield self._asked("no_share", list(self.sources), word=word)
        if where.value_of:
            at = self._at(where)
            bare = [hex_ for hex_ in at if None in self._works(where, hex_, procedure)]
            if bare:
                yield self._asked("no_number", bare, word=word, what=_spoken(where.value_of))

    def _asked(self, key: str, hexes: list[Hex], **values: str) -> Reason:
        place = ", ".join(dict.fromkeys(map(self.field.label, hexes)))
        return Reason(f"rules.combat.{key}", {"place": place, **values})

    def _in_doubt(self, where: Where) -> list[Hex]:
        """The hexes on which nobody knows whether today's weather lies, where it decides."""
        at = self._at(where)
        if not where.weather or covers(self.field, where.weather, self.weather, *at):
            return []
        return [hex_ for hex_ in at if may_cover(self.field, where.weather, self.weather, hex_)]

    def _unread(self, where: Where) -> list[Hex]:
        """The hexes of unknown terrain that could make a circumstance hold which else does not."""
        if not self.field.pack.words("terrain") & set(where.ground):
            return []
        if where.weather and not covers(self.field, where.weather, self.weather, *self._at(where)):
            return []
        if where.hexsides and not self._cross(where):
            return []
        if any(self._fits(where, hex_) for hex_ in self._at(where)):
            return []
        return [hex_ for hex_ in self._at(where) if self.field.ground[hex_].terrain == UNKNOWN]

    def _whose(self, where: Where) -> list[Hex]:
        """The hexes with works that count if they are those of who is there, which nobody knows."""
        if not where.own or not self._is_open(where, self.target):
            return []
        return [
            hex_
            for hex_ in self._at(where)
            for one in self.field.ground[hex_].features
            if one.kind in where.ground and None in (self.holder, self.field.owner(one))
        ]

    def _modifiers(self, procedure: str) -> Iterator[tuple[str, Where, bool]]:
        """Every modifier and change the map can tell, and whether it wants a number."""
        rules = self.field.pack.combat[procedure]
        table = self.field.pack.tables[rules.table]
        modifiers: Mapping[str, Modifier] = {**table.shifts, **table.drms}
        told: set[str] = set()
        for word, one in modifiers.items():
            where = one.where
            if where is None or where.morale_of is not None:
                continue  # nothing that the ground could tell
            if not one.procedures or procedure in one.procedures:
                counts = bool(where.attackers or where.defenders)
                yield word, where, one.valued or (one.each and counts)
                told.add(word)
        for word, change in rules.changes.items():
            if change.where is not None and word not in told:
                yield word, change.where, False

    def _holding(self, procedure: str) -> Iterator[tuple[str, Where, int | None]]:
        for word, where, valued in self._modifiers(procedure):
            number = self._number(where, procedure)
            counts = where.value_of or where.uphill or where.attackers or where.defenders
            if number is not None and (number or not counts):
                yield word, where, number if valued else None

    def _number(self, where: Where, procedure: str) -> int | None:
        """Its number where it has one, 0 where it just holds, None where it does not."""
        if not self._holds(where):
            return None
        if where.attackers or where.defenders:
            return self._taking_part(where)
        if where.value_of:
            at = self._at(where)
            works = [value for hex_ in at for value in self._works(where, hex_, procedure)]
            known = [value for value in works if value is not None]
            return None if len(known) < len(works) else max(known, default=0)
        if where.uphill:
            return self._climb(where.uphill)
        return 0

    def _holds(self, where: Where) -> bool:
        """Whether weather, way and ground are such as it takes."""
        if where.weather and not covers(self.field, where.weather, self.weather, *self._at(where)):
            return False
        if not self._comes_so(where):
            return False
        bounds = (where.level_from, where.level_to)
        wants_hex = where.ground or where.not_ground or bounds != (None, None)
        return not wants_hex or any(self._fits(where, hex_) for hex_ in self._at(where))

    def _asks_level(self, where: Where) -> bool:
        """Whether a circumstance could hold, and hangs on a level."""
        kinds = [name for name in where.weather if is_weather(self.field, name, self.weather)]
        if where.weather and not kinds:
            return False
        rules = [self.field.pack.weather[name] for name in kinds]
        bounds = [where.level_from, where.level_to, where.uphill]
        bounds += [bound for rule in rules for bound in (rule.level_from, rule.level_to)]
        return any(bound is not None for bound in bounds) or any(
            rule.or_high_mountain for rule in rules
        )

    def _at(self, where: Where) -> tuple[Hex, ...]:
        if where.at == "target":
            return (self.target,)
        return self.sources if where.at == "firer" else (self.target, *self.sources)

    def _fits(self, where: Where, hex_: Hex) -> bool:
        ground = self.field.ground[hex_]
        there = [one for one in ground.features if not where.own or self._is_own(one, hex_)]
        words = {ground.terrain, *(feature.kind for feature in there)}
        if not self._is_open(where, hex_) or (where.ground and words.isdisjoint(where.ground)):
            return False
        if where.level_from is None and where.level_to is None:
            return True
        return ground.level is not None and (
            (where.level_from is None or ground.level >= where.level_from)
            and (where.level_to is None or ground.level <= where.level_to)
        )

    def _is_own(self, work: Feature, hex_: Hex) -> bool:
        """Whether a work is known to be of those in its hex."""
        known = None not in (self.holder, self.field.owner(work))
        return known and self._serves(work, hex_)

    def _is_open(self, where: Where, hex_: Hex) -> bool:
        kinds = {feature.kind for feature in self.field.ground[hex_].features}
        return kinds.isdisjoint(where.not_ground)

    def _taking_part(self, where: Where) -> int:
        """How many units of the classes that are asked for take part."""
        classes = self.field.pack.classes
        ours, theirs = classes_in(where.attackers, classes), classes_in(where.defenders, classes)
        found = [unit for unit in self.attackers if unit.class_ in ours]
        return len(found) + sum(unit.class_ in theirs for unit in self.defenders)

    def _comes_so(self, where: Where) -> bool:
        """Whether the attack comes from enough hexes, over the hexsides that it takes."""
        if len(set(self.factors or self.sources)) < (where.from_hexes or 0):
            return False
        return not where.hexsides or self._cross(where)

    def _cross(self, where: Where) -> bool:
        """Whether every attacker crosses one of some hexsides, or so many of them as it takes."""
        if where.share is not None:
            return self._part_crosses(where) is True
        return bool(self.sources) and all(self._crosses(where, hex_) for hex_ in self.sources)

    def _crosses(self, where: Where, source: Hex) -> bool:
        kinds = {feature.kind for feature in self._side(source)}
        return not kinds.isdisjoint(where.hexsides) and kinds.isdisjoint(where.opened_by)

    def _part_crosses(self, where: Where) -> bool | None:
        """Whether the part of the factors that is asked for crosses; None where nobody can tell."""
        sources = tuple(self.factors or self.sources)
        crossing = [hex_ for hex_ in sources if self._crosses(where, hex_)]
        if not crossing or len(crossing) == len(sources):
            return bool(crossing)
        if self.factors is None:
            return None
        total = sum(self.factors.values(), Fraction(0))
        return sum(self.factors[hex_] for hex_ in crossing) >= Fraction(where.share or 1) * total

    def _side(self, source: Hex) -> tuple[Feature, ...]:
        if not are_neighbours(source, self.target):
            raise RulesError(
                f"{self.field.label(source)} does not touch {self.field.label(self.target)}: "
                "nobody can attack over a hexside there"
            )
        features = self.field.ground.hexsides.get(Hexside.between(source, self.target), ())
        return tuple(one for one in features if one.stands)

    def _works(self, where: Where, hex_: Hex, procedure: str) -> list[int | None]:
        """The numbers of the works that shield a hex; None for one whose number is not known."""
        works = [one for one in self.field.ground[hex_].features if one.kind in where.value_of]
        if hex_ == self.target:
            counts = self.field.pack.combat[procedure].hexside_works
            crossed = self._works_crossed if counts == "crossed" else self._works_all_round
            found = crossed(where.value_of)
            unread = [one for one in found if one.value is None]
            pick = max if counts == "strongest" else min
            if found:
                works.append(unread[0] if unread else pick(found, key=lambda one: one.value or 0))
        return [one.value for one in works if self._serves(one, hex_)]

    def _works_crossed(self, kinds: tuple[str, ...]) -> list[Feature]:
        """The work that each attacker meets; none where one of them meets none, or is far off."""
        if not (self.sources and self._touching()):
            return []
        sides = [self._shielding(source, kinds) for source in self.sources]
        return [side[0] for side in sides] if all(sides) else []

    def _works_all_round(self, kinds: tuple[str, ...]) -> list[Feature]:
        """The works on all hexsides of the target, wherever an attack comes from."""
        around = neighbours(self.target)
        return [work for hex_ in around for work in self._shielding(hex_, kinds)[:1]]

    def _shielding(self, source: Hex, kinds: tuple[str, ...]) -> list[Feature]:
        """The works on one hexside that face out of the target and serve who is in it."""
        facing = [one for one in self._side(source) if one.facing in (self.target, None)]
        return [one for one in facing if one.kind in kinds and self._serves(one, self.target)]

    def _touching(self) -> bool:
        return all(are_neighbours(source, self.target) for source in self.sources)

    def _serves(self, work: Feature, hex_: Hex) -> bool:
        """Whether a work is of those in its hex: the target's holder, or who attacks or fires."""
        owner = self.field.owner(work)
        if owner is None or self.holder is None:
            return True
        return (owner == self.holder) == (hex_ == self.target)

    def _climb(self, way: str) -> int | None:
        here = self.field.ground[self.target].level
        levels = [self.field.ground[hex_].level for hex_ in self.sources]
        climbs = [
            (here - level if way == "to_target" else level - here)
            for level in levels
            if here is not None and level is not None
        ]
        if not climbs or len(climbs) < len(levels) or min(climbs) <= 0:
            return None
        return min(climbs)


def _kind(where: Where) -> str:
    parts = (*where.ground, *where.hexsides, *where.weather, *where.value_of)
    parts += (*where.attackers, *where.defenders)
    return ", ".join(parts) or "level"


def _spoken(words: tuple[str, ...]) -> str:
    return ", ".join(word.replace("_", " ") for word in words)
