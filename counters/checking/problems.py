"""A problem of counters, and the report of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mapkit.texts import one_line, say

Severity = Literal["error", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning")
LISTED = 8  # warnings of one sort that are told one by one


@dataclass(frozen=True, slots=True)
class CounterProblem:
    """One thing wrong, or likely wrong. *place* is a file, a cell, or the id of a counter."""

    code: str
    severity: Severity
    place: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What is wrong, in the language in use."""
        return say(f"counters.check.{self.code}.problem", **self.values)

    @property
    def remedy(self) -> str:
        """What to do about it, in the language in use."""
        return say(f"counters.check.{self.code}.remedy", **self.values)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}; {self.remedy}"


def error(code: str, place: str, **values: object) -> CounterProblem:
    """Return a problem that makes the check fail."""
    return CounterProblem(code, "error", place, values)


def warning(code: str, place: str, **values: object) -> CounterProblem:
    """Return a problem that may be the truth of the printed game."""
    return CounterProblem(code, "warning", place, values)


@dataclass(frozen=True, slots=True)
class CounterReport:
    """All problems of some files of counters; *counters* is how many were read."""

    name: str
    counters: int
    problems: tuple[CounterProblem, ...]

    @property
    def errors(self) -> int:
        """How many problems make the check fail."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many problems may be the truth of the printed game."""
        return len(self.problems) - self.errors

    @property
    def exit_code(self) -> int:
        """1 where there are errors, 0 where there are none or warnings only."""
        return int(self.errors > 0)

    def as_data(self) -> dict[str, object]:
        """Return the report as JSON-able data."""
        return {
            "counters": self.counters,
            "errors": self.errors,
            "warnings": self.warnings,
            "problems": [
                {
                    "code": problem.code,
                    "severity": problem.severity,
                    "place": problem.place,
                    "problem": problem.message,
                    "remedy": problem.remedy,
                }
                for problem in self.problems
            ],
        }

    def as_text(self) -> str:
        """Return the verdict, then the problems, many warnings of one sort cut short."""
        told = [
            say("counters.check.counted", n=self.counters),
            say("counters.check.errors", n=self.errors) if self.errors else "",
            say("counters.check.warnings", n=self.warnings) if self.warnings else "",
            "" if self.problems else say("counters.check.clean"),
        ]
        lines = [f"{self.name}: {', '.join(filter(None, told))}"]
        for severity in SEVERITIES:
            found = [problem for problem in self.problems if problem.severity == severity]
            if found:
                lines += ["", say(f"counters.check.heading.{severity}")]
                lines += _listed(found, None if severity == "error" else LISTED)
        return "\n".join(map(one_line, lines))


def _listed(problems: list[CounterProblem], limit: int | None) -> list[str]:
    by_code: dict[str, list[CounterProblem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    lines: list[str] = []
    for some in by_code.values():
        lines += [f"  {problem}" for problem in some[:limit]]
        if limit is not None and len(some) > limit:
            lines.append(f"  {say('counters.check.more', n=len(some) - limit)}")
    return lines
