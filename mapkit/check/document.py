"""The whole check: of a map in memory, and of a file with its faults and its picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath, PureWindowsPath

from mapkit.check.ground import check_ground
from mapkit.check.problems import SEVERITIES, Problem, error, warning
from mapkit.check.rivers import check_crossings, check_rivers
from mapkit.check.roads import check_roads
from mapkit.check.vocabulary import check_confidence, check_kinds
from mapkit.errors import DocumentError, StoreError
from mapkit.maps import read_map, shapes_path
from mapkit.model import HexMap, Picture
from mapkit.store.files import read_file, sha256
from mapkit.texts import one_line, say

THRESHOLD = 0.8
LISTED = 10  # warnings of one sort that the text shows before it counts the others


@dataclass(frozen=True, slots=True)
class Report:
    """What the check of one file found. *was_read* is False where its faults forbade more."""

    map: str
    problems: tuple[Problem, ...]
    was_read: bool = True

    @property
    def errors(self) -> int:
        """How many problems make the check fail."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many problems may be the truth of the printed map."""
        return len(self.problems) - self.errors

    @property
    def exit_code(self) -> int:
        """1 where there are errors, 0 where there are none or warnings only."""
        return int(self.errors > 0)

    def as_data(self) -> dict[str, object]:
        """Return the report as JSON-able data."""
        return {
            "map": self.map,
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
        """Return the verdict, then the problems by severity, many of one sort cut short."""
        lines = [f"{self.map}: {self._verdict()}"]
        for severity in SEVERITIES:
            found = [problem for problem in self.problems if problem.severity == severity]
            if found:
                lines += ["", say(f"mapkit.check.heading.{severity}")]
                lines += _listed(found, None if severity == "error" else LISTED)
        return "\n".join(map(one_line, lines))

    def _verdict(self) -> str:
        counted = (
            say("mapkit.check.errors", n=self.errors) if self.errors else "",
            say("mapkit.check.warnings", n=self.warnings) if self.warnings else "",
        )
        return ", ".join(filter(None, counted)) or say("mapkit.check.clean")


def check_map(map_: HexMap, *, threshold: float = THRESHOLD) -> tuple[Problem, ...]:
    """Return every problem of a map, errors first, then by place.

    Values that a scan read with less confidence than *threshold* are doubted until a person
    has looked at them.
    """
    found = [
        *check_kinds(map_),
        *check_ground(map_),
        *check_roads(map_),
        *check_rivers(map_),
        *check_crossings(map_),
        *check_confidence(map_, threshold=threshold),
    ]
    return tuple(sorted(found, key=lambda problem: problem.order))


def check_file(path: Path, *, threshold: float = THRESHOLD) -> Report:
    """Check a map's file: its faults if it does not read, else the map and its picture.

    Raises:
        StoreError: the file cannot be opened at all, or its journal does not fit it.
    """
    try:
        loaded = read_map(path)
    except DocumentError as refused:
        return Report(str(path), tuple(_faults(refused, path)), was_read=False)
    found = [
        *check_map(loaded.value, threshold=threshold),
        *_check_picture(loaded.value.picture, loaded.path.parent),
    ]
    return Report(str(path), tuple(sorted(found, key=lambda problem: problem.order)))


def _faults(refused: DocumentError, path: Path) -> Iterator[Problem]:
    """Yield the faults in the order of the file; a refusal as a whole counts as one."""
    read_from = path.resolve()  # as messages name it
    beside = shapes_path(read_from)
    file = f"{beside.name} " if str(refused).startswith(f"{beside}: ") else ""
    for fault in refused.faults:
        yield error("fault", file + fault.place, problem=fault.problem, remedy=fault.remedy)
    if not refused.faults:
        problem, _, remedy = str(refused).removeprefix(f"{read_from}: ").partition("; ")
        if remedy:
            yield error("fault", str(path), problem=problem, remedy=remedy)
        else:
            yield error("not_a_map", str(path), problem=problem)


def _check_picture(picture: Picture | None, folder: Path) -> list[Problem]:
    if picture is None:
        return []
    path = picture.path
    # A map from a stranger must not make us open what lies elsewhere, on a network even.
    if PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor:
        return [warning("picture_absolute", path, path=path)]
    try:
        found = sha256(read_file(folder / path, what="picture"))
    except StoreError:
        return [warning("picture_missing", path, path=path)]
    same = found == picture.sha256.lower()
    return [] if same else [warning("picture_changed", path, path=path)]


def _listed(problems: list[Problem], limit: int | None) -> list[str]:
    """Return the lines of some problems, those of one code together."""
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    lines = []
    for alike in by_code.values():
        for remedy, run in groupby(alike[:limit], key=lambda problem: problem.remedy):
            lines += [f"  {problem.place}: {problem.message}" for problem in run]
            lines.append(f"    {say('mapkit.check.remedy', remedy=remedy)}")
        if limit is not None and len(alike) > limit:
            lines.append(f"    {say('mapkit.check.more', n=len(alike) - limit)}")
    return lines
