"""One problem of a map or of counters: a code and values, spoken in the user's language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mapkit.texts import say

Severity = Literal["error", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong, or likely wrong, at one place.

    An *error* contradicts the document itself; a *warning* is what a mapmaker would look at
    twice. *place* is written as players write it: 1534, 1534/1535, 1534-1535; of counters it is a
    file, a cell, or an id. *texts* is the table that speaks of it.
    """

    code: str
    severity: Severity
    place: str
    values: Mapping[str, object] = field(default_factory=dict)
    texts: str = "mapkit.check"

    @property
    def message(self) -> str:
        """What is wrong, in the language in use."""
        return say(f"{self.texts}.{self.code}.problem", **self.values)

    @property
    def remedy(self) -> str:
        """What to do about it, in the language in use."""
        return say(f"{self.texts}.{self.code}.remedy", **self.values)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}; {self.remedy}"

    @property
    def order(self) -> tuple[int, str, str, str]:
        """The sorting key: errors first, then by place."""
        values = sorted((name, str(value)) for name, value in self.values.items())
        return SEVERITIES.index(self.severity), self.place, self.code, str(values)


def error(code: str, place: str, **values: object) -> Problem:
    """Return a problem that makes the check fail."""
    return Problem(code, "error", place, values)


def warning(code: str, place: str, **values: object) -> Problem:
    """Return a problem that may be the truth of the printed map."""
    return Problem(code, "warning", place, values)
