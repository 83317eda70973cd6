"""Questions about withdrawal as players put them: out of all zones, in reaction, after a check."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mapkit.hexes import Hex
from rules.errors import RulesError
from rules.judges.withdrawal import WithdrawalJudge
from rules.ruling import Ruling
from rules.scene import Scene
from rules.standing import Standing


@dataclass(frozen=True)
class WithdrawalQuestion:
    """One unit that withdraws: *reacting_to* an enemy in a hex, after a *failed_check*, or at all.

    Without either it is one that may not stay in an enemy zone.
    """

    judge: WithdrawalJudge
    reacting_to: Hex | None = None
    failed_check: bool = False

    @classmethod
    def read(
        cls,
        scene: Scene,
        unit: Standing,
        friends: Sequence[str] = (),
        enemies: Sequence[str] = (),
        markers: Sequence[str] = (),
        reacting_to: str | None = None,
        *,
        failed_check: bool = False,
    ) -> "WithdrawalQuestion":
        """Return the question that a player wrote down.

        Raises:
            RulesError: it is put two ways at once, a word is none, or it reacts to nobody.
        """
        if reacting_to is not None and failed_check:
            raise RulesError("--reacting-to or --failed-check? ask for one of the two")
        near, far = scene.about(unit.side, friends, enemies, but=unit)
        laid = tuple(map(scene.hex, markers))
        about = (near, far, scene.weather, laid, scene.scenario)
        enemy = None if reacting_to is None else scene.hex(reacting_to)
        if enemy is not None and scene.position is not None and all(enemy != o.hex for o in far):
            raise RulesError(f"--reacting-to {reacting_to}: no enemy stands there; name his hex")
        return cls(WithdrawalJudge(scene.field, unit, *about), enemy, failed_check)

    def rule(self) -> Ruling:
        """Return the ruling."""
        if self.reacting_to is not None:
            return self.judge.rule_reaction(self.reacting_to)
        return self.judge.rule_after_check() if self.failed_check else self.judge.rule()

    def as_question(self) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        judge = self.judge
        return {
            "judge": "withdrawal",
            "unit": judge.unit,
            "friends": judge.friends,
            "enemies": judge.enemies,
            "markers": judge.markers,
            "reacting_to": self.reacting_to,
            "failed_check": self.failed_check,
            "weather": judge.weather,
            "scenario": judge.scenario,
        }
