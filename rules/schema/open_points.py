"""What a game's rules leave open, what our sources lack, and what no judge reads."""

from typing import Annotated, Any

from pydantic import Field

from rules.schema.cites import Cites, Strict

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]


class Alternative(Strict):
    """Another way to read a rule. *set* puts other values into the pack: `sight.reach.cap = 6`."""

    says: str
    set: dict[str, Any] = Field(default_factory=dict)


class Assumption(Strict):
    """One ambiguity of the rules: the question, what we assume, and what else one may choose.

    *about* names the parts of the pack it touches, so that a ruling can say that it rests on it.
    """

    cites: Cites
    question: str
    we_assume: str
    about: tuple[str, ...] = ()
    alternatives: dict[Id, Alternative] = Field(default_factory=dict)


class Missing(Strict):
    """Something our sources lack, and where the physical game prints it.

    *keys* are the parts of the pack that stay null until the owner enters them.
    """

    what: str
    printed_on: str
    keys: tuple[str, ...] = ()


class NotJudged(Strict):
    """A part of the pack that is kept for reading only, and why."""

    keys: tuple[str, ...]
    why: str
