"""What every part of a pack shares: strict models, words, and where a value comes from."""

from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

CITE = (
    r"^(\d+(\.\d+)*( [A-Z])?|Table \d+|TEC|Set-up|Scenario \d+|Errata \d+|Charts"
    r"|Assault Table|Fire Table|Events Table|Turn Record Track|Counters|Map)$"
)

Cite = Annotated[
    str, Field(pattern=CITE, description="Rule, table or chart: 4.3, Table 2, TEC, Set-up")
]
Cites = Annotated[tuple[Cite, ...], Field(min_length=1)]
Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Label = Annotated[str, Field(pattern=r"^\d{4}$", description="A hex as printed: 0305")]


def _exact(value: object) -> object:
    """Read `"1/2"` as a fraction; floats are refused, for they are not exact."""
    if isinstance(value, float):
        raise ValueError("write it exactly: a whole number, or a text such as '1/2'")
    if isinstance(value, str):
        return Fraction(value)
    return value


Exact = Annotated[int | Fraction, BeforeValidator(_exact)]


class Strict(BaseModel):
    """A part of a pack: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Cited(Strict):
    """A part that says which rule it comes from."""

    cite: Cite
