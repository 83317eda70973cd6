"""The situation a task is judged in, and what is found about its conditions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mapkit.hexes import Hex, Hexside
from rules.battlefield import Battlefield
from rules.pack import Pack
from rules.ruling import Reason
from rules.standing import Standing

State = Literal["fulfilled", "broken", "roll", "unknown"]


@dataclass(frozen=True)
class Situation:
    """Who asks, where, and what is said. Without a *battlefield* nobody reads the unit's hex.

    *said* are words with numbers: 1 where something is so, 0 where it is not.
    """

    pack: Pack
    unit: Standing
    battlefield: Battlefield | None = None
    target: Hex | Hexside | None = None
    friends: tuple[Standing, ...] = ()
    enemies: tuple[Standing, ...] = ()
    said: Mapping[str, int] = field(default_factory=dict)
    turn: int | None = None
    scenario: str | None = None
    phase: str | None = None
    weather: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """How things stand: true, false or None, in words for each; *assumed* where nobody said.

    *ask* is the text that asks for it by its *word*; *instead* what to say against it, if not that.
    """

    is_so: bool | None
    yes: str
    no: str
    word: str
    assumed: bool = False
    ask: str = "unsaid"
    instead: str = ""

    def told(self, *, so: bool) -> str:
        """Return the words for one way of standing."""
        return self.yes if so else self.no

    @property
    def otherwise(self) -> str:
        """What a player says who knows better."""
        if self.instead:
            return self.instead
        if self.ask == "number_unsaid":
            return f"--with {self.word}=N"
        if self.ask == "turn_unsaid":
            return "--turn N --scenario ID"
        return f"{'--without' if self.is_so else '--with'} {self.word}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One condition ticked off: what came of it, the reason to tell, what to say otherwise.

    *roll* is the check that decides where the condition is not fulfilled.
    """

    name: str
    kind: str
    state: State
    reason: Reason
    word: str = ""
    assumed: bool = False
    roll: str | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the finding as JSON-able data."""
        return {
            "condition": self.name,
            "kind": self.kind,
            "state": self.state,
            "assumed": self.assumed,
            "say": self.word,
            "cite": self.reason.cite,
            "text": str(self.reason.values.get("what", "")) or self.reason.told(),
        }
