"""Questions about activation as players put them: no map is needed, a position may help."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mapkit.hexes import Hex
from rules.judges.activation import Order, activation_cost
from rules.pack import Pack
from rules.positions.on_the_map import require_game
from rules.positions.position import Position
from rules.project import Project, load_project, pack_named
from rules.registry import pack_names
from rules.ruling import Ruling
from rules.scene import find_position
from rules.spelt_units import spelt_units

_NOWHERE = Hex(0, 0)  # of units without a map: nobody reads it


@dataclass(frozen=True, slots=True)
class ActivationQuestion:
    """What a player says of a formation. Units are written as classes with their size."""

    side: str
    guns: int = 0
    unplanned: bool = False
    held: int | None = None
    initiative: int | None = None
    independent: tuple[str, ...] = ()
    own_division: tuple[str, ...] = ()

    def rule(self, pack: Pack) -> Ruling:
        """Return what it costs, and whether it may be."""
        loose, own = (
            spelt_units(pack, self.side, _NOWHERE, texts)
            for texts in (self.independent, self.own_division)
        )
        order = Order(
            self.side,
            self.guns,
            "unplanned_reaction" if self.unplanned else "planned",
            self.held,
            self.initiative,
            independents=loose,
            of_division=own,
        )
        return activation_cost(pack, order)

    def as_question(self) -> dict[str, Any]:
        """Return it with every input, as a certificate tells it."""
        return {"judge": "activation", **asdict(self)}


def played_in(game: str, position: str | None) -> tuple[Pack, Position | None]:
    """Return a game by its id or project, and the position that is played in it.

    Raises:
        RulesError: the position is of another game.
    """
    pack = pack_named(game)
    if position is None:
        return pack, None
    is_project = game not in pack_names() and Path(game).exists()
    project = load_project(Path(game)) if is_project else Project(Path(), game)
    played = find_position(project, position)
    require_game(played, pack)
    return pack, played


def points_held(pack: Pack, position: Position | None, side: str) -> int | None:
    """Return the points that a side has to pay with; None where the position does not tell."""
    rules = None if pack.command is None else pack.command.activation
    if position is None or rules is None:
        return None
    points: Mapping[str, int] = position.points.get(side, {})
    return points.get(rules.points)
