"""Line of sight: a pack's rule as the policy that the geometry engine judges by."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, field_validator

from mapkit.sight import (
    BorrowedLevel,
    Comparison,
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightPolicy,
)
from mapkit.sight.policy import AlongRule, Ends, TouchRule, VertexRule
from rules.schema.cites import Cite, Cited, Exact, Strict, Word
from rules.schema.forces import Groups, HighFrom

Words = tuple[Word, ...]


class SightObstacle(Cited):
    """What blocks a line from inside a hex. *ground* are words of the pack; empty is any hex."""

    when: tuple[str, ...] = Field((), description="Comparisons that must all hold")
    ground: Words = ()
    height: Exact = 0
    hinders: int | None = None
    inherent: bool = False

    @field_validator("when")
    @classmethod
    def _reads(cls, when: tuple[str, ...]) -> tuple[str, ...]:
        for text in when:
            Comparison.parse(text)
        return when


class SightSide(SightObstacle):
    """What blocks a line from a hexside: *ground* are words for hexsides."""

    at_vertex: VertexRule = "both_ways"
    lying: bool = False


class SightLimit(Cited):
    """A shorter range where an end stands on some ground or levels; 0 is blind."""

    hexes: int = Field(ge=0)
    ends: Ends = "either"
    ground: Words = ()
    level_from: int | None = None
    level_to: int | None = None
    or_high_mountain: bool = Field(False, description="Or from the level of high mountain on")


class SightReach(Cited):
    """How far one sees. *hexes* null is without limit."""

    hexes: int | None = None
    per_level: int = 0
    bonus_for: Literal["observer", "either"] = "observer"
    cap: int | None = None
    limits: tuple[SightLimit, ...] = ()
    bonus_cite: Cite | None = Field(None, description="The rule of the bonus, where another")

    def shortened(self, most: int, cite: Cite) -> "SightReach":
        """Return this reach where another rule lets nobody see farther than some hexes."""
        hexes = most if self.hexes is None else min(self.hexes, most)
        cap = most if self.cap is None else min(self.cap, most)
        return self.model_copy(update={"hexes": hexes, "cap": cap, "cite": cite})


class Borrowed(Cited):
    """Ground that takes the level of its highest neighbour of some kind."""

    ground: Words
    neighbour: Words = ()


class SightStart(Strict):
    """From where in his hex an observer may look: anywhere in some features, or from a point."""

    anywhere_in: Words = ()
    from_point_of: Words = ()
    cite: Cite


class Unseen(Cited):
    """Hexes that count as observed although nobody sees them, in one kind of fire.

    *ground* and *hexsides* are words of the map, *links* make any hex on them count, *units*
    those of the enemy.
    """

    ground: Words = ()
    hexsides: Words = ()
    links: Words = ()
    units: Groups = ()


class Observers(Cited):
    """Who may observe for the guns, and from where.

    - *needs*: any hex in the command range of the active headquarters, or one with a friendly
      unit in command.
    - *on*: the ground, works or units that make a hex an observer's; empty: any.
    - *range*: "traced" is stopped as a command range is, "distance" only counts hexes.
    - *out_of_command* is the state that bars a unit; some fire (*without_command*) minds it not.
    - *unseen*: what counts as observed all the same, by kind of fire.
    """

    needs: Literal["command_range", "unit_in_command"]
    on: Words = ()
    own_works: Words = Field((), description="Those of *on* that must be the side's own")
    not_with: tuple[Literal["enemy_unit", "enemy_zone"], ...] = ()
    friend_negates_zone: bool = False
    range: Literal["traced", "distance"] = "traced"
    out_of_command: Word | None = None
    out_of_command_cite: Cite | None = None
    without_command: dict[Word, Cite] = Field(default_factory=dict, description="Kinds of fire")
    unseen: dict[Word, Unseen] = Field(default_factory=dict, description="By kind of fire")


class GunFire(Cited):
    """How one class of guns fires: its share of strength; null where it may not fire so."""

    direct: Exact | None = None
    indirect: Exact | None = None


class FireLine(Cited):
    """Direct and indirect fire. *blocked_by* are the obstacles of sight that stop a direct line.

    Weather and range of sight never matter for a direct line.
    """

    blocked_by: Words
    guns: dict[Word, GunFire] = Field(description="By class")
    range: Word = Field(description="The printed value that limits both")


class SightRules(Cited):
    """The rule of sight of one game, and how weather changes its range."""

    obstacles: dict[Word, SightObstacle] = Field(default_factory=dict)
    sides: dict[Word, SightSide] = Field(default_factory=dict)
    reach: SightReach
    along: AlongRule = "both_block"
    along_cite: Cite
    touch: TouchRule = "ignored"
    adjacent_clear: bool = True
    borrowed: tuple[Borrowed, ...] = ()
    weather: dict[Word, SightReach] = Field({}, description="The reach under other weather")
    start: SightStart | None = None
    observers: Observers | None = None
    fire: FireLine | None = None

    def policy(self, weather: str | None = None, high_from: HighFrom = (None, None)) -> SightPolicy:
        """Return the policy for a weather; the usual one where it changes nothing.

        *high_from* is the level from which on it is high mountain, and the lowest that may be.
        """
        return self._policy(_reach(self.weather.get(weather or "", self.reach), high_from))

    def lines(self) -> SightPolicy:
        """Return the policy of what lies between alone: any range, and so any weather."""
        return self._policy(Reach(None))

    def direct_line(self) -> SightPolicy:
        """Return the policy of direct fire: a few obstacles of sight, any range, any weather."""
        names = self.fire.blocked_by if self.fire else ()
        return self._policy(Reach(None), names)

    def _policy(self, reach: Reach, names: Words | None = None) -> SightPolicy:
        """Return a policy with this reach; *names* are the obstacles that count, else all."""
        return SightPolicy(
            obstacles=tuple(
                Obstacle(
                    name,
                    tuple(map(Comparison.parse, one.when)),
                    frozenset(one.ground),
                    one.height,
                    one.hinders,
                    one.inherent,
                )
                for name, one in self.obstacles.items()
                if names is None or name in names
            ),
            sides=tuple(
                SideObstacle(
                    name,
                    frozenset(one.ground),
                    tuple(map(Comparison.parse, one.when)),
                    one.height,
                    one.hinders,
                    one.at_vertex,
                    one.lying,
                )
                for name, one in self.sides.items()
                if names is None or name in names
            ),
            reach=reach,
            along=self.along,
            touch=self.touch,
            adjacent_clear=self.adjacent_clear,
            borrowed=tuple(
                BorrowedLevel(frozenset(one.ground), frozenset(one.neighbour))
                for one in self.borrowed
            ),
        )


def _reach(rule: SightReach, high_from: HighFrom) -> Reach:
    limits = tuple(one for limit in rule.limits for one in _limits(limit, high_from))
    return Reach(rule.hexes, rule.per_level, rule.bonus_for, rule.cap, limits)


def _limits(rule: SightLimit, high_from: HighFrom) -> Iterator[RangeLimit]:
    yield RangeLimit(
        rule.hexes,
        rule.ends,
        frozenset(rule.ground),
        rule.level_from,
        rule.level_to,
        name=rule.cite,
    )
    surely, perhaps = high_from
    if rule.or_high_mountain and perhaps is not None:
        yield RangeLimit(
            rule.hexes,
            rule.ends,
            level_from=perhaps if surely is None else surely,
            name=rule.cite,
            in_doubt=surely is None,
        )
