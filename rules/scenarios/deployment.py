"""Who takes part in a scenario: each unit with when, where and in what state it comes."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from counters.model import Unit

StatusKind: TypeAlias = Literal[
    "fire_mode", "reduced", "disorganization", "no_move", "no_move_on_arrival", "half_movement"
]
STATUSES: tuple[StatusKind, ...] = get_args(StatusKind)
COUNTED: frozenset[StatusKind] = frozenset({"disorganization"})
SET_UP = 0

_STATUS = re.compile(r"([a-z_]+)(?: (\d{1,2}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Status:
    """A state a unit starts or arrives in; *n* counts points where the state has any."""

    kind: StatusKind
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


def parse_statuses(text: str) -> tuple[Status, ...]:
    """Return the states written as `fire_mode; disorganization 2`.

    Raises:
        ValueError: a word is none of `STATUSES`, or its number is missing or too much.

    >>> [str(status) for status in parse_statuses("reduced; disorganization 2")]
    ['reduced', 'disorganization 2']
    """
    return tuple(_parse_status(part.strip()) for part in text.split(";") if part.strip())


def _parse_status(text: str) -> Status:
    match = _STATUS.fullmatch(text)
    kind = next((known for known in STATUSES if match and match[1] == known), None)
    if match is None or kind is None:
        raise ValueError(f"'{text}' is no state of a unit; there is: {', '.join(STATUSES)}")
    if (kind in COUNTED) != bool(match[2]):
        wanted = "needs a number of points" if kind in COUNTED else "takes no number"
        raise ValueError(f"the state '{kind}' {wanted}")
    return Status(kind, int(match[2]) if match[2] else None)
