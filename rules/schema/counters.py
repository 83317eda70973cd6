"""What the counters of a game print: which values, on which face."""

from typing import Self

from pydantic import Field, model_validator

from rules.schema.cites import Cited, Exact, Strict, Word
from rules.schema.forces import Groups

FRONT = "front"


class PrintedFace(Strict):
    """One face: its values in the order they stand there; *always* has those a rule states."""

    values: tuple[Word, ...] = Field(min_length=1)
    always: dict[Word, Exact] = Field(
        default_factory=dict, description="Values that the rules state for every such counter"
    )

    @model_validator(mode="after")
    def _states_printed_values(self) -> Self:
        strange = [word for word in self.always if word not in self.values]
        if strange:
            raise ValueError(f"no value of this face: {', '.join(strange)}")
        return self


class PrintedCounter(Cited):
    """What the counters of some classes print; the first entry that names a class holds for it.

    With *one_for*, each formation of these kinds has one such counter, of the class named first,
    though no set-up list names it.
    """

    groups: Groups = Field(min_length=1)
    faces: dict[Word, PrintedFace] = Field(min_length=1)
    one_for: tuple[Word, ...] = Field((), description="Kinds of formations: brigade")
