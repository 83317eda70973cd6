"""A table of sight as bytes, for other programs: small, documented, the same every time.

One line of JSON, then raw bits. The line names the hexes in order and the displacements in
order; then for each displacement one bit a hex, the first hex in the lowest bit of the first byte,
each displacement filled up to a whole byte. Displacements nobody sees along are left out.
"""

import json
from typing import Any

from mapkit.bitboards import Bits, Board, indexes
from mapkit.errors import DocumentError
from mapkit.hexes import Hex
from mapkit.sight.table import SightTable

FORMAT = "mapkit-sight/1"


def pack_table(table: SightTable) -> bytes:
    """Return the table as bytes."""
    outline = table.board.hexes(table.land)
    places = {table.board.index(hex_): number for number, hex_ in enumerate(outline)}
    layers = {"clear": table.clear, "unknown": table.unknown}
    seen = {
        name: {by: bits for by, bits in sorted(layer.items()) if bits}
        for name, layer in layers.items()
    }
    head = {
        "format": FORMAT,
        "reach": table.reach,
        "hexes": outline,
        **{name: list(layer) for name, layer in seen.items()},
    }
    size = -(-len(outline) // 8)
    body = b"".join(
        _dense(bits, places).to_bytes(size, "little")
        for layer in seen.values()
        for bits in layer.values()
    )
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + body


def unpack_table(data: bytes) -> SightTable:
    """Return the table that was packed.

    Raises:
        DocumentError: the bytes are no packed table, or not all of one.
    """
    line, found, body = data.partition(b"\n")
    try:
        head: dict[str, Any] = json.loads(line)
        hexes = [Hex(*pair) for pair in head["hexes"]]
        ways = [(name, Hex(*pair)) for name in ("clear", "unknown") for pair in head[name]]
        reach, format_ = int(head["reach"]), head["format"]
    except (ValueError, TypeError, KeyError):
        raise DocumentError("these bytes are no table of sight: make it again") from None
    size = -(-len(hexes) // 8)
    if format_ != FORMAT or not found or len(body) != size * len(ways):
        raise DocumentError(f"a table of sight must be {FORMAT} and whole: make it again")
    board = Board(hexes, reach=reach + 1)
    tables: dict[str, dict[Hex, Bits]] = {"clear": {}, "unknown": {}}
    for number, (name, by) in enumerate(ways):
        bits = int.from_bytes(body[number * size : (number + 1) * size], "little")
        tables[name][by] = board.of(hexes[index] for index in indexes(bits))
    return SightTable(board, board.everything, reach, tables["clear"], tables["unknown"])


def _dense(bits: Bits, places: dict[int, int]) -> Bits:
    return sum(1 << places[index] for index in indexes(bits))
