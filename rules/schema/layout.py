"""How the printed map of a game is numbered."""

from typing import Self

from pydantic import Field, model_validator

from mapkit.numbering import (
    Axis,
    Compass,
    Numbering,
    Order,
    Parity,
    Straight,
    Toward,
    steps_from_compass,
)
from rules.schema.cites import Cited, Strict


class Ask(Strict):
    """The one adjacency that settles an unconfirmed layout: do these two hexes touch?"""

    hex: str
    touches: str


class Layout(Cited):
    """How the printed map is numbered, as far as the sources tell; null is unknown."""

    order: Order
    straight: Straight
    shoved: Parity | None = None
    toward: Toward = "higher"
    columns_run: Compass
    rows_run: Compass
    columns_wrap_from: int | None = None
    confirmed: bool = Field(description="Whether the sources force this layout")
    ask: Ask | None = Field(None, description="What the owner of the game is asked to confirm it")

    @model_validator(mode="after")
    def _axes_cross(self) -> Self:
        steps_from_compass(self.columns_run, self.rows_run)  # raises where they do not
        return self

    def numbering(self) -> Numbering | None:
        """Return the numbering of the printed map, or None where its parity is unknown."""
        return None if self.shoved is None else self.any_numbering()

    def any_numbering(self) -> Numbering:
        """Return a numbering of the right form, with any parity where it is unknown."""
        rule = Numbering(
            straight=self.straight,
            order=self.order,
            columns=Axis(first=0, wrap_from=self.columns_wrap_from),
            rows=Axis(first=0),
            shoved=self.shoved or "even",
            toward=self.toward,
        )
        return rule.running(columns=self.columns_run, rows=self.rows_run)[0]
