"""The judge of observers: from where a target is seen, and who may observe it for the guns."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from mapkit.hexes import Hex, Hexside, Link, disc, distance, neighbours
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.command import CommandJudge
from rules.judges.sight import SightJudge
from rules.judges.zones import ZoneJudge, classes_of
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.sight import Observers, Unseen
from rules.standing import Standing

May = Literal["yes", "after_roll", "no", "unknown"]
Values = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Post:
    """A hex that sees the target: whether one may observe from it, who does, or why not.

    *why* is the last part of a text key: `enemy_zone`, `no_unit`.
    """

    hex: Hex
    may: May
    by: tuple[str, ...] = ()
    why: str = ""
    cite: str = ""


@dataclass(frozen=True)
class ObserverJudge:
    """Rules on observation for the guns of one side.

    *headquarters* and its printed *reach* are those of the active formation, None where nobody
    named them; *fire* is the kind of fire where the rule tells kinds apart.
    """

    field: Battlefield
    side: str
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    headquarters: Hex | None = None
    reach: int | None = None
    weather: str | None = None
    fire: str = ""

    def __post_init__(self) -> None:
        self.field.require_weather(self.weather)
        rule = self.field.pack.sight.observers if self.field.pack.sight else None
        known = {*rule.without_command, *rule.unseen} if rule else set()
        if self.fire and self.fire not in known:
            raise RulesError(
                f"{self.field.pack.title} tells no fire '{self.fire}' apart for observers; "
                f"there is: {', '.join(sorted(known)) or 'none'}"
            )

    def rule(self, target: Hex) -> Ruling:
        """Return whether a target is observed, every hex that sees it, and who may observe."""
        self.field.map.require(target)
        pack = self.field.pack
        if pack.sight is None or pack.sight.observers is None:
            lacks = Reason("rules.observers.not_in_sources", {"game": pack.title})
            working = self._working(target, [])
            return Ruling("observers", "unknown", (lacks,), (), working, missing=(lacks,))
        posts = list(self.posts(target))
        unseen = self._counts_as_observed(target)
        verdict = "observed" if unseen else _verdict(posts)
        values: Values = {"hex": self.field.label(target)}
        reasons = [Reason(f"rules.observers.{verdict}", values, self.rules.cite)]
        if unseen is not None:
            what, cite = unseen
            told: Values = {"what": what.replace("_", " "), "fire": self.fire}
            reasons.append(Reason("rules.observers.unseen", told, cite))
        reasons += self._told(posts)
        return Ruling(
            question="observers",
            verdict=verdict,
            reasons=tuple(reasons),
            cites=tuple(dict.fromkeys(one.cite for one in reasons if one.cite)),
            working=self._working(target, posts),
            assumptions=pack.assumptions_about("sight.observers"),
            missing=tuple(self._not_known()),
        )

    def posts(self, target: Hex) -> Iterator[Post]:
        """Yield every hex that sees a target, or may, and whether one may observe from it."""
        for hex_ in self._near(target):
            verdict = "" if hex_ == target else self._sight.look(hex_, target).sight.verdict
            if verdict not in ("clear", "unknown"):
                continue
            post = self.post(hex_)
            if verdict == "clear":
                yield post
            elif post.may != "no":
                yield replace(post, may="unknown", why="dim")

    def post(self, hex_: Hex) -> Post:
        """Return whether one may observe from a hex, whatever it sees."""
        rule = self.rules
        here = [unit for unit in self.friends if unit.hex == hex_]
        able = [unit for unit in here if self._may_observe(unit)]
        why = self._why_not(hex_, here, able)
        if why is not None:
            cite = rule.out_of_command_cite if why == "not_in_command" else rule.cite
            return Post(hex_, "no", why=why, cite=cite or rule.cite)
        by_units = rule.needs == "unit_in_command"
        names = tuple(unit.name for unit in (able if by_units else here))
        if by_units and self.fire in rule.without_command:
            return Post(hex_, "yes", names, cite=rule.without_command[self.fire])
        post = Post(hex_, "yes", names, cite=rule.cite)
        return post if by_units and self.headquarters is None else self._in_range(post)

    def _why_not(self, hex_: Hex, here: list[Standing], able: list[Standing]) -> str | None:
        """Return what forbids to observe from a hex, the range of headquarters left aside."""
        rule = self.rules
        if "enemy_unit" in rule.not_with and any(one.hex == hex_ for one in self.enemies):
            return "enemy_unit"
        negated = rule.friend_negates_zone and here
        if "enemy_zone" in rule.not_with and hex_ in self._zones and not negated:
            return "enemy_zone"
        if rule.needs == "unit_in_command" and not here:
            return "no_unit"
        if rule.on and not any(self._is_place(hex_, word) for word in rule.on):
            return "no_place"
        return "not_in_command" if rule.needs == "unit_in_command" and not able else None

    @cached_property
    def rules(self) -> Observers:
        """The game's rule of observers."""
        sight = self.field.pack.sight
        if sight is None or sight.observers is None:
            raise RulesError(f"{self.field.pack.title}: our sources hold no rule of observers")
        return sight.observers

    @cached_property
    def _sight(self) -> SightJudge:
        return SightJudge(self.field, self.weather)

    @cached_property
    def _zones(self) -> frozenset[Hex]:
        return ZoneJudge(self.field, self.weather).zones(self.enemies)

    def _near(self, target: Hex) -> list[Hex]:
        """The hexes that could see a target at all, by the longest range there is."""
        reach = self._sight.rules.reach
        levels = [one.level for one in self.field.ground.hexes.values() if one.level is not None]
        spread = max(levels, default=0) - min(levels, default=0)
        if reach.hexes is None:
            return sorted(self.field.ground.hexes)
        most = reach.hexes + reach.per_level * spread
        most = most if reach.cap is None else min(most, reach.cap)
        return sorted(hex_ for hex_ in disc(target, most) if hex_ in self.field.map)

    def _in_range(self, post: Post) -> Post:
        """Return a post as the range of the headquarters leaves it."""
        if self.headquarters is None or self.reach is None:
            return Post(post.hex, "unknown", post.by, "no_headquarters", post.cite)
        if self.rules.range == "distance":
            inside = distance(self.headquarters, post.hex) <= self.reach
            return post if inside else Post(post.hex, "no", post.by, "out_of_range", post.cite)
        way = self._command.reached(post.hex)
        if way is None:
            return Post(post.hex, "no", post.by, "out_of_range", post.cite)
        return Post(post.hex, "after_roll", post.by, "", post.cite) if way.rolls else post

    @cached_property
    def _command(self) -> CommandJudge:
        here = self.headquarters or next(iter(self.field.map.hexes))
        about = self.friends, self.enemies, self.weather
        return CommandJudge(self.field, self.side, here, self.reach, *about)

    def _may_observe(self, unit: Standing) -> bool:
        """Whether a unit is not marked out of command, where this kind of fire minds that."""
        state = self.rules.out_of_command
        minded = state is not None and self.fire not in self.rules.without_command
        return not (minded and unit.statuses.get(state or ""))

    def _is_place(self, hex_: Hex, word: str) -> bool:
        """Whether a hex has what makes it an observer's: ground, works, or a unit of the side."""
        if word in self.field.pack.groups:
            return any(self._is(unit, (word,)) for unit in self.friends if unit.hex == hex_)
        ground = self.field.ground[hex_]
        if ground.terrain == word:
            return True
        return any(
            feature.kind == word
            and (word not in self.rules.own_works or self.field.owner(feature) == self.side)
            for feature in (*ground.features, *self._on_sides(hex_))
        )

    def _on_sides(self, hex_: Hex) -> Iterator[Feature]:
        """What lies on the hexsides of a hex, works only where they are this hex's."""
        for near in neighbours(hex_):
            for feature in self.field.ground.hexsides.get(Hexside.between(hex_, near), ()):
                if feature.stands and feature.facing in (None, hex_):
                    yield feature

    def _is(self, unit: Standing, groups: tuple[str, ...]) -> bool:
        return bool(classes_of(self.field, unit) & classes_in(groups, self.field.pack.classes))

    def _counts_as_observed(self, target: Hex) -> tuple[str, str] | None:
        """Return what makes a target count as observed in this kind of fire, and the rule."""
        rule = self.rules.unseen.get(self.fire)
        what = None if rule is None else self._unseen(rule, target)
        return None if rule is None or what is None else (what, rule.cite)

    def _unseen(self, rule: Unseen, target: Hex) -> str | None:
        ground = self.field.ground[target]
        in_hex = {ground.terrain, *(feature.kind for feature in ground.features)}
        on_sides = {feature.kind for feature in self._on_sides(target)}
        links = {
            feature.kind
            for near in neighbours(target)
            for feature in self.field.ground.links.get(Link.between(target, near), ())
        }
        for here, words in ((in_hex, rule.ground), (on_sides, rule.hexsides), (links, rule.links)):
            if found := here & set(words):
                return min(found)
        units = [one for one in self.enemies if one.hex == target and self._is(one, rule.units)]
        return units[0].name if units else None

    def _told(self, posts: list[Post]) -> Iterator[Reason]:
        """Tell who may, and of the others by kind of reason why they may not."""
        for may in ("yes", "after_roll", "unknown", "dim"):
            found = [p for p in posts if may == ("dim" if p.why == "dim" else p.may)]
            if found:
                names = [self._named(post) for post in found]
                values: Values = {"hexes": " ".join(names), "n": len(names)}
                yield Reason(f"rules.observers.may_{may}", values, found[0].cite)
        for why in dict.fromkeys(post.why for post in posts if post.may == "no"):
            shut = [post for post in posts if post.may == "no" and post.why == why]
            labels = " ".join(self.field.label(post.hex) for post in shut)
            values = {"hexes": labels, "n": len(shut)}
            yield Reason(f"rules.observers.not_{why}", values, shut[0].cite)

    def _named(self, post: Post) -> str:
        label = self.field.label(post.hex)
        names = [name for name in post.by if name != label]
        return f"{label} ({', '.join(names)})" if names else label

    def _not_known(self) -> Iterator[Reason]:
        rule = self.rules
        if self.headquarters is None or self.reach is None:
            if rule.needs == "command_range":
                yield Reason("rules.observers.name_headquarters", {}, rule.cite)
            elif self.fire not in rule.without_command:
                yield Reason("rules.observers.taken_in_command", {}, rule.cite)

    def _working(self, target: Hex, posts: list[Post]) -> dict[str, Any]:
        label = self.field.label
        return {
            "target": label(target),
            "side": self.side,
            "weather": self.weather,
            "fire": self.fire or None,
            "seen_from": [label(post.hex) for post in posts],
            "posts": [
                {
                    "hex": label(post.hex),
                    "may": post.may,
                    "by": list(post.by),
                    "why": post.why or None,
                    "cite": post.cite,
                }
                for post in posts
            ],
        }


def _verdict(posts: list[Post]) -> str:
    found = {post.may for post in posts}
    if "yes" in found:
        return "observed"
    if "after_roll" in found:
        return "depends_on_roll"
    return "unknown" if "unknown" in found else "not_observed"
