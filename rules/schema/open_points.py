"""What a game's rules leave open, what our sources lack, and what no judge reads."""

from collections.abc import Iterator
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from rules.schema.cites import Cites, Strict

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]


class Changes(Strict):
    """Other values for a file of the pack, by dotted key; *empty* are keys that lose theirs."""

    set: dict[str, Any] = Field(default_factory=dict)
    empty: tuple[str, ...] = ()

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield every key with its new value, None where it loses the old one."""
        yield from self.set.items()
        yield from ((key, None) for key in self.empty)


class UnitChange(Strict):
    """What a scenario's table says otherwise of some units, named by id or by formation."""

    units: tuple[str, ...] = ()
    formations: tuple[Id, ...] = ()
    leave_out: bool = Field(False, description="They are not in the scenario at all")
    name: str | None = None
    turn: int | None = Field(None, ge=1, description="When they arrive")
    placement: Id | None = None
    statuses: str | None = Field(None, description="As in the table: disorganization 2; fire_mode")
    note: str | None = None

    @model_validator(mode="after")
    def _changes_somebody(self) -> Self:
        if not (self.units or self.formations):
            raise ValueError("name units or formations")
        if self.leave_out == bool(self.cells):
            raise ValueError("either leave the units out or say what is otherwise")
        return self

    @property
    def cells(self) -> dict[str, str]:
        """The cells of the table that change, by column."""
        told = self.model_dump(exclude={"units", "formations", "leave_out"}, exclude_none=True)
        return {column: str(value) for column, value in told.items()}


class ScenarioChanges(Changes):
    """Other values for a scenario's file, and other lines in its table of units."""

    units: tuple[UnitChange, ...] = ()

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield every key with its new value; those of units by whom they name."""
        yield from super().values()
        for one in self.units:
            for who in (*one.units, *one.formations):
                cells = {"leave_out": "yes"} if one.leave_out else one.cells
                yield from ((f"units.{who}.{column}", cell) for column, cell in cells.items())


class Alternative(Strict):
    """Another way to read a rule. *set* puts other values into the pack: `sight.reach.cap = 6`.

    *scenarios* does so in the files of scenarios, *scoring* in what scores in all of them.
    """

    says: str
    set: dict[str, Any] = Field(default_factory=dict)
    scenarios: dict[Id, ScenarioChanges] = Field(default_factory=dict)
    scoring: Changes = Changes()

    @property
    def touches_scenarios(self) -> bool:
        """Whether it changes how scenarios are set up, played or won."""
        return bool(self.scenarios) or any(self.scoring.values())

    @property
    def has_values(self) -> bool:
        """Whether it says anything that a judge could read."""
        return bool(self.set) or self.touches_scenarios

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield every key it changes with its new value, whichever file that stands in."""
        yield from self.set.items()
        for name, changes in self.scenarios.items():
            yield from ((f"scenarios.{name}.{key}", value) for key, value in changes.values())
        yield from ((f"scoring.{key}", value) for key, value in self.scoring.values())


class Assumption(Strict):
    """One ambiguity of the rules: the question, what we assume, and what else one may choose.

    *about* names the parts of the pack it touches, so that a ruling can say that it rests on it.
    *chosen* is the answer of a game's owner, where it is another than ours; no pack has one.
    """

    cites: Cites
    question: str
    we_assume: str
    about: tuple[str, ...] = ()
    alternatives: dict[Id, Alternative] = Field(default_factory=dict)
    chosen: Id | None = None

    @model_validator(mode="after")
    def _chosen_is_offered(self) -> Self:
        if self.chosen is not None and self.chosen not in self.alternatives:
            raise ValueError(f"there is no answer '{self.chosen}' to choose")
        return self


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
