"""Questions about supply as players put them: a hex or a unit, and the few counters that matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from rules.described import Description, parse_gun, unit_asked
from rules.errors import RulesError
from rules.judges.supply import SupplyJudge
from rules.ruling import Ruling
from rules.scene import Scene
from rules.standing import Standing, told_apart


@dataclass(frozen=True)
class SupplyQuestion:
    """One hex, or one unit in it, and who stands about."""

    scene: Scene
    hex: Hex
    side: str
    friends: tuple[Standing, ...]
    enemies: tuple[Standing, ...]
    sources: tuple[Hex, ...]
    unit: Standing | None = None

    @classmethod
    def read(
        cls,
        scene: Scene,
        place: str,
        side: str | None,
        said: Description,
        friends: Sequence[str] = (),
        enemies: Sequence[str] = (),
        sources: Sequence[str] = (),
        guns: Sequence[str] = (),
    ) -> "SupplyQuestion":
        """Return the question that a player wrote down.

        Raises:
            RulesError: a word is none, or the enemy stands in the hex that is asked about.
        """
        field, ours = scene.field, scene.side(side, place)
        near, far = scene.about(ours, friends, enemies)
        armed = (parse_gun(field, field.pack.enemy_of(ours), text) for text in guns)
        hex_, unit = scene.hex(place), unit_asked(scene, place, ours, said)
        alone = all(one.hex != hex_ for one in near)
        if alone and any(one.hex == hex_ for one in far):
            raise RulesError(
                f"{field.label(hex_)}: the enemy stands there; ask for a hex of '{ours}', "
                f"or name --side {field.pack.enemy_of(ours)}"
            )
        more = tuple(map(scene.hex, sources))
        return cls(scene, hex_, ours, near, told_apart((*far, *armed)), more, unit)

    @cached_property
    def judge(self) -> SupplyJudge:
        """The judge of this moment."""
        return SupplyJudge(
            self.scene.field,
            self.side,
            self.friends,
            self.enemies,
            self.sources,
            self.scene.weather,
            self.scene.control,
        )

    def rule(self) -> Ruling:
        """Return the ruling on the unit, or on the bare hex."""
        return self.judge.rule(self.hex) if self.unit is None else self.judge.rule_unit(self.unit)

    def as_question(self) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        return {
            "judge": "supply",
            "hex": self.hex,
            "side": self.side,
            "sources": self.sources,
            "friends": self.friends,
            "enemies": self.enemies,
            "weather": self.scene.weather,
            **({} if self.unit is None else {"unit": self.unit}),
            **({"control": dict(self.scene.control)} if self.scene.control else {}),
        }
