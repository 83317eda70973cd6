"""Of which place a message tells: by what the engine calls its map, its board and the hex itself.

Labels alone would not do: two boards may number their hexes alike, and a piece on the one would be
told what lies or sees on the other.
"""

PIECE = 'GetString("CurrentMap")+"|"+GetString("CurrentBoard")+"|"'
"""The board of a piece, as the engine works it out."""

MOUSE = 'CurrentMap.toString()+"|"+CurrentBoard.toString()+"|"'
"""The board under the mouse: there the engine hands the names in and `GetString` misses them."""

OBSERVED = "$CurrentMap$|$CurrentBoard$|"
"""The board of a piece, in a text that the engine fills in."""


def board_key(window: str, board: str) -> str:
    """Return what the three above say of a board."""
    return f"{window}|{board}|"
