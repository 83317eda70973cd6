"""Who takes part in a scenario: each unit with when, where and in what state it comes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from counters.model import Unit
from rules.schema.statuses import StatusEntry

SET_UP = 0

_STATUS = re.compile(r"([a-z][a-z0-9_]*)(?:[ =](\d{1,2}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Status:
    """A state a unit starts or arrives in; *n* counts points where the state has any."""

    kind: str
    n: int | None = None

    def __str__(self) -> str:
        return self.kind if self.n is None else f"{self.kind} {self.n}"


@dataclass(frozen=True, slots=True)
class Deployed:
    """One unit of a scenario. *turn* is 0 at set-up, else when it arrives."""

    unit: Unit
    turn: int
    placement: str
    statuses: tuple[Status, ...] = ()
    note: str = ""


def parse_statuses(text: str, known: Mapping[str, StatusEntry]) -> tuple[Status, ...]:
    """Return the states written as `fire_mode; disorganization 2` in the game's own words.

    Raises:
        ValueError: a word is none of the game's, or its number is missing or too much.

    >>> words = {"shaken": StatusEntry(title="shaken", counted=True, cite="4.1")}
    >>> [str(status) for status in parse_statuses("shaken 2", words)]
    ['shaken 2']
    """
    return tuple(parse_status(part.strip(), known) for part in text.split(";") if part.strip())


def parse_status(text: str, known: Mapping[str, StatusEntry]) -> Status:
    """Return one state, written as `reduced`, `disorganization 2` or `disorganization=2`.

    Raises:
        ValueError: it is none of the game's, or its number is missing or too much.
    """
    match = _STATUS.fullmatch(text)
    if match is None or match[1] not in known:
        listed = ", ".join(known) or "none: the game's pack lists no states"
        raise ValueError(f"'{text}' is no state of a unit; there is: {listed}")
    counted = known[match[1]].counted
    if counted != bool(match[2]):
        wanted = "needs a number of points" if counted else "takes no number"
        raise ValueError(f"the state '{match[1]}' {wanted}")
    return Status(match[1], int(match[2]) if match[2] else None)
