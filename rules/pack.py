"""A rules pack: one game as data, checked at the door.

What a pack tells so far: who it is, how its map is numbered, and the words it has for terrain,
features, hexsides and links. Every entry cites a rule, table or chart of the game.
"""

import tomllib
from importlib.abc import Traversable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mapkit.kinds import Group
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
from rules.errors import PackError

CITE = r"^(\d+(\.\d+)*|Table \d+|TEC|Set-up|Scenario \d+|Errata \d+|Charts)$"
BOUND_GROUPS: tuple[Group, ...] = ("terrain", "features", "hexsides", "links")

Cite = Annotated[str, Field(pattern=CITE, description="Rule, table or chart: 4.3, Table 2, TEC")]
Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ask(_Strict):
    """The one adjacency that settles an unconfirmed layout: do these two hexes touch?"""

    hex: str
    touches: str


class Layout(_Strict):
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
    cite: Cite

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


class KindEntry(_Strict):
    """One word of the game's own vocabulary."""

    cite: Cite


class Pack(_Strict):
    """One game."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    title: str
    publisher: str | None = None
    year: int | None = None
    layout: Layout
    terrain: dict[Word, KindEntry] = {}
    features: dict[Word, KindEntry] = {}
    hexsides: dict[Word, KindEntry] = {}
    links: dict[Word, KindEntry] = {}

    def words(self, group: Group) -> frozenset[str]:
        """Return the game's words of one group."""
        if group == "areas":
            return frozenset()
        kinds: dict[str, KindEntry] = getattr(self, group)
        return frozenset(kinds)


def load_pack(folder: Traversable, expected: str) -> Pack:
    """Return the pack in a folder.

    Raises:
        PackError: its pack.toml does not read; the message names file and key.
    """
    file = folder / "pack.toml"
    try:
        pack = Pack.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"the rules pack '{expected}' cannot be read: {error}") from None
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, detail['loc'])) or 'the file'}: {detail['msg']}"
            for detail in error.errors()
        ]
        raise PackError(f"{file}: {'; '.join(lines)}") from None
    except (ValueError, RecursionError) as error:
        raise PackError(f"{file}: broken TOML: {error}") from None
    if pack.id != expected:
        raise PackError(f"{file}: its id is '{pack.id}', but it is registered as '{expected}'")
    return pack
