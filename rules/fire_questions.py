"""Questions about observers and fire lines as players put them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from rules.described import described
from rules.errors import RulesError
from rules.judges.fire_line import FireLineJudge
from rules.judges.observers import ObserverJudge
from rules.printed import range_of
from rules.ruling import Ruling
from rules.scene import Scene
from rules.standing import Standing


@dataclass(frozen=True)
class FireQuestion:
    """A target, who might observe it, and the gun that would fire; None: observers alone."""

    scene: Scene
    target: Hex
    side: str
    friends: tuple[Standing, ...]
    enemies: tuple[Standing, ...]
    headquarters: Hex | None = None
    reach: int | None = None
    fire: str = ""
    gun: Standing | None = None

    @classmethod
    def read(
        cls,
        scene: Scene,
        target: str,
        side: str,
        friends: Sequence[str] = (),
        enemies: Sequence[str] = (),
        hq: str | None = None,
        reach: int | None = None,
        fire: str = "",
        gun: Standing | None = None,
    ) -> "FireQuestion":
        """Return the question that a player wrote down.

        The range is the one named, else what the headquarters of the position prints.

        Raises:
            RulesError: a word is none, or a range is given without its headquarters.
        """
        if hq is None and reach is not None:
            raise RulesError("--range is that of the active headquarters: name it with --hq HEX")
        ours = scene.field.side(side)
        near, far = scene.about(ours, friends, enemies)
        leader = None if hq is None else scene.unit(hq)
        here = None if hq is None else scene.hex(hq)
        printed = range_of(scene.field.pack, leader)
        known = int(printed) if reach is None and printed is not None else reach
        return cls(scene, scene.hex(target), ours, near, far, here, known, fire, gun)

    @cached_property
    def observers(self) -> ObserverJudge:
        """The judge of who observes."""
        return ObserverJudge(
            self.scene.field,
            self.side,
            self.friends,
            self.enemies,
            self.headquarters,
            self.reach,
            self.scene.weather,
            self.fire,
        )

    def rule(self) -> Ruling:
        """Return the ruling on the gun's line, or on who observes the target."""
        if self.gun is None:
            return self.observers.rule(self.target)
        return FireLineJudge(self.scene.field, self.observers).rule(self.gun, self.target)

    def as_question(self) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        return {
            "judge": "observers" if self.gun is None else "fire_line",
            "target": self.target,
            "side": self.side,
            "hq": self.headquarters,
            "range": self.reach,
            "fire": self.fire,
            "friends": self.friends,
            "enemies": self.enemies,
            "weather": self.scene.weather,
            **({} if self.gun is None else {"gun": self.gun}),
        }


def gun_asked(scene: Scene, place: str, side: str, class_: str, reach: int | None) -> Standing:
    """Return the gun that would fire: of the position, or as described.

    Raises:
        RulesError: something is said that the position knows, or its class is not said.
    """
    gun = scene.unit(place)
    if gun is not None:
        if class_ or reach is not None:
            told = "--class" if class_ else "--reach"
            raise RulesError(f"{told}: the position tells it of {gun.name}; leave it out")
        scene.require_side(gun, side)
        return gun
    if not class_:
        raise RulesError(f"which gun in {place}? name its --class, or a unit by its id")
    rule = scene.field.pack.sight.fire if scene.field.pack.sight else None
    values = {} if rule is None or reach is None else {rule.range: reach}
    return described(scene.field, side, place, class_, values=values)
