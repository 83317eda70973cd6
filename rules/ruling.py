"""A ruling: an answer a sceptical opponent can check.

Reasons are keys with values, never sentences: the catalogues speak them. No ruling without a cite.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mapkit.model import Provenance
from mapkit.texts import say

Values = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of an argument: a text key, its values, and the rule it stands on."""

    key: str
    values: Values = field(default_factory=dict)
    cite: str = ""

    def told(self) -> str:
        """Return the reason in the language in use, its rule in brackets."""
        text = say(self.key, **self.values)
        return f"{text} [{self.cite}]" if self.cite else text


@dataclass(frozen=True, slots=True)
class Evidence:
    """A value of the map that a ruling rests on, and how sure it is.

    *doubtful* marks what a scan read below the review threshold; *flips* tells whether its
    runner-up would change the verdict, or None where it has none.
    """

    place: str
    value: str
    is_: str
    provenance: Provenance
    doubtful: bool = False
    flips: bool | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the evidence as JSON-able data."""
        return {
            "place": self.place,
            "value": self.value,
            "is": self.is_,
            "source": self.provenance.source,
            "confidence": self.provenance.confidence,
            "runner_up": self.provenance.runner_up,
            "doubtful": self.doubtful,
            "flips": self.flips,
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict and the whole working.

    *working* is JSON-able and differs from question to question; *assumptions* are ids of the
    pack's open points, *missing* what neither the pack nor the map knows. Only where the rule
    itself is missing is there nothing to cite.
    """

    question: str
    verdict: str
    reasons: tuple[Reason, ...]
    cites: tuple[str, ...]
    working: Mapping[str, Any]
    assumptions: tuple[str, ...] = ()
    rests_on: tuple[Evidence, ...] = ()
    missing: tuple[Reason, ...] = ()

    def __post_init__(self) -> None:
        if not self.cites and not self.missing:
            raise ValueError(f"a ruling on {self.question} needs a rule to stand on")

    def as_data(self) -> dict[str, Any]:
        """Return the ruling as JSON-able data."""
        return {
            "question": self.question,
            "verdict": self.verdict,
            **self.working,
            "reasons": [
                {"key": one.key, "values": dict(one.values), "cite": one.cite, "text": one.told()}
                for one in self.reasons
            ],
            "cites": list(self.cites),
            "assumptions": list(self.assumptions),
            "rests_on": [one.as_data() for one in self.rests_on],
            "missing": [one.told() for one in self.missing],
        }
