"""The problems of counters, and the report of all of them."""

from dataclasses import dataclass

from mapkit.check.problems import SEVERITIES, Problem
from mapkit.texts import one_line, say

LISTED = 8  # warnings of one sort that are told one by one


def error(code: str, place: str, **values: object) -> Problem:
    """Return a problem that makes the check fail."""
    return Problem(code, "error", place, values, texts="counters.check")


def warning(code: str, place: str, **values: object) -> Problem:
    """Return a problem that may be the truth of the printed game."""
    return Problem(code, "warning", place, values, texts="counters.check")


@dataclass(frozen=True, slots=True)
class CounterReport:
    """All problems of some files of counters; *counters* is how many were read."""

    name: str
    counters: int
    problems: tuple[Problem, ...]

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


def _listed(problems: list[Problem], limit: int | None) -> list[str]:
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    lines: list[str] = []
    for some in by_code.values():
        lines += [f"  {problem}" for problem in some[:limit]]
        if limit is not None and len(some) > limit:
            lines.append(f"  {say('counters.check.more', n=len(some) - limit)}")
    return lines
