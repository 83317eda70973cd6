"""Hexes that change hands: who holds them is kept, and the log tells when they fell."""

from dataclasses import replace

from rules.errors import RulesError
from rules.judges.victory_score import HEX, TAKEN_BY
from rules.positions.position import Position
from rules.turns.log import noted_with
from rules.turns.play import Play


def take_hex(position: Position, play: Play, label: str, side: str) -> Position:
    """Return the position with a hex held by a side, and the log telling that it took it.

    Raises:
        RulesError: the game has no such side.
        NumberingError: no hex can be called so.
    """
    if side not in play.pack.sides:
        known = ", ".join(play.pack.sides)
        raise RulesError(f"{play.pack.title} has no side '{side}'; there is: {known}")
    play.pack.layout.any_numbering().parse_label(label)
    taken = replace(position, control={**position.control, label: side})
    values = {"who": play.pack.sides[side].title, HEX: label}
    return noted_with(taken, "rules.turn.log_takes", values, {HEX: label, TAKEN_BY: side})
