"""Questions about command as players put them: a headquarters, its range, and whom it reaches."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from mapkit.hexes import Hex
from rules.errors import RulesError
from rules.judges.command import CommandJudge
from rules.judges.supply import SupplyJudge
from rules.printed import range_of
from rules.ruling import Ruling
from rules.scene import Scene
from rules.standing import Standing


@dataclass(frozen=True)
class CommandQuestion:
    """One headquarters and who stands about; *units* are the hexes that are asked for.

    With *placing* they are those of its own formation.
    """

    scene: Scene
    headquarters: Hex
    side: str
    reach: int | Fraction | None
    friends: tuple[Standing, ...]
    enemies: tuple[Standing, ...]
    units: tuple[Hex, ...] = ()
    sources: tuple[Hex, ...] = ()
    placing: bool = False

    @classmethod
    def read(
        cls,
        scene: Scene,
        place: str,
        side: str | None,
        reach: int | None,
        friends: Sequence[str] = (),
        enemies: Sequence[str] = (),
        units: Sequence[str] = (),
        sources: Sequence[str] = (),
        *,
        placing: bool = False,
    ) -> "CommandQuestion":
        """Return the question that a player wrote down.

        The range is the one named, else what the headquarters of the position prints. Where it is
        placed and nobody names units, they are those of its formation in the position.

        Raises:
            RulesError: a word is none, or sources are named for a range that needs none.
        """
        if sources and not placing:
            raise RulesError("--source tells where a placed headquarters is fed from: add --place")
        hq, ours = scene.unit(place), scene.side(side, place)
        near, far = scene.about(ours, friends, enemies)
        hexes = tuple(map(scene.hex, units))
        if placing and not hexes and hq is not None and hq.formation:
            own = (one for one in near if one.formation == hq.formation and one is not hq)
            hexes = tuple(dict.fromkeys(one.hex for one in own))
        printed = range_of(scene.field.pack, hq) if reach is None else reach
        more = tuple(map(scene.hex, sources))
        return cls(scene, scene.hex(place), ours, printed, near, far, hexes, more, placing)

    @cached_property
    def judge(self) -> CommandJudge:
        """The judge of this headquarters."""
        about = (self.friends, self.enemies, self.scene.weather)
        return CommandJudge(self.scene.field, self.side, self.headquarters, self.reach, *about)

    def rule(self) -> list[tuple[dict[str, Any], Ruling]]:
        """Return each question as a certificate tells it, with its ruling."""
        if self.placing:
            held = self.scene.control
            question = {"judge": "placement", **self._about(), "own": self.units}
            question |= {"sources": self.sources, **({"control": dict(held)} if held else {})}
            supply = SupplyJudge(
                self.scene.field,
                self.side,
                self.friends,
                self.enemies,
                self.sources,
                self.scene.weather,
                held,
            )
            return [(question, self.judge.rule_placement(self.units, supply))]
        if not self.units:
            return [({"judge": "command", **self._about(), "unit": None}, self.judge.rule_range())]
        return [
            ({"judge": "command", **self._about(), "unit": hex_}, self.judge.rule(hex_))
            for hex_ in self.units
        ]

    def _about(self) -> dict[str, Any]:
        return {
            "hex": self.headquarters,
            "side": self.side,
            "range": self.reach,
            "friends": self.friends,
            "enemies": self.enemies,
            "weather": self.scene.weather,
        }
