"""The words of a results table: how a cell is written, and what each part of it does.

A form is written with slots: `<steps>D<points>[R=retreat]`. `<steps>` is a number, `[...]` may be
absent, `[R=retreat]` is the letter R that means *retreat*. Slots and letters name effects.
"""

import re
from typing import Literal, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cite, Cited, Strict, Word
from rules.schema.tables import Role

Does = Literal["lose_steps", "disorganize", "retreat", "lower", "mark", "reroll", "check", "told"]
NAMES = re.compile(r"<([a-z_]+)>|=([a-z_]+)\]")


class Lowered(Cited):
    """A number on the map that a result takes one off: the level of a trench.

    It falls no lower than *lowest*; on a hexside, which *hexside* tells, than *lowest_there*.
    """

    number: Word = Field(description="The circumstance that tells it")
    lowest: int = Field(0, ge=0)
    hexside: Word | None = Field(None, description="The circumstance that it is on a hexside")
    lowest_there: int = Field(0, ge=0)


class Effect(Cited):
    """What one part of a result does.

    Steps are of all targets together, points of each. *check* is the roll that decides. Not where
    one of *unless* holds.
    """

    does: Does
    title: str
    on: Role | None = Field(None, description="Where the cell itself does not say whom it hits")
    check: Word | None = None
    lowers: Lowered | None = None
    statuses: tuple[Word, ...] = Field((), description="States it puts the units in")
    also: tuple[Word, ...] = Field((), description="Effects that come with it")
    unless: tuple[Word, ...] = ()
    only_in: tuple[Word, ...] = Field((), description="Procedures it is for; empty: all")
    not_in: tuple[Word, ...] = ()

    @model_validator(mode="after")
    def _lowers_something(self) -> Self:
        if (self.does == "lower") != (self.lowers is not None):
            raise ValueError("what a result lowers, and only that, stands in 'lowers'")
        return self


class Form(Strict):
    """One way a cell may be written; *means* are effects it always has."""

    form: str = Field(min_length=1)
    means: tuple[Word, ...] = ()


class Grammar(Cited):
    """All ways the cells of a table are written, and all effects they speak of."""

    forms: tuple[Form, ...] = Field(min_length=1)
    effects: dict[Word, Effect] = Field(default_factory=dict)
    first_loss: str = Field("", description="Whose the first step lost is, in our words")
    first_loss_cite: Cite | None = None

    @model_validator(mode="after")
    def _effects_are_known(self) -> Self:
        for one in self.forms:
            named = [slot or letter for slot, letter in NAMES.findall(one.form)]
            for word in (*named, *one.means):
                if word not in self.effects:
                    raise ValueError(f"forms: '{one.form}' speaks of '{word}', which is no effect")
        for name, effect in self.effects.items():
            for word in effect.also:
                if word not in self.effects:
                    raise ValueError(f"effects.{name}.also: there is no effect '{word}'")
        return self
