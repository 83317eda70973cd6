"""The format `mapkit-vassal/1`: what ties a module to a project, as `vassal.json` beside it.

Written by `dump_binding`, a line for each part of a board, without what stands at its default; a
user may correct it: which box a window is, which piece is which unit.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from exporters.vassal.binding import (
    Binding,
    BoardPart,
    BoundBoard,
    BoundWindow,
    TurnKeys,
    UnitKeys,
)
from exporters.vassal.engine_hexes import EngineHexes
from mapkit.document.writing import sparse
from mapkit.errors import DocumentError
from rules.file_formats import refuse_newer

FILE = "vassal.json"
FORMAT = "mapkit-vassal/1"

_MOST_PX = 1_000_000
_Line = dict[str, object]


def parse_binding(data: bytes, source: str) -> Binding:
    """Return the binding in a file's bytes.

    Raises:
        DocumentError: it is none; the message names *source*, the place and the remedy.
    """
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{source}: broken JSON: {error}; mend that place") from None
    found = content.pop("format", None) if isinstance(content, dict) else None
    refuse_newer(found, FORMAT, source)
    if found != FORMAT:
        raise DocumentError(
            f"{source}: it does not tie a module: its format is {found!r:.60}, not '{FORMAT}'"
        )
    try:
        binding = _BINDING.validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise DocumentError(f"{source}: {place}: {first['msg']}; correct it") from None
    for fault in _faults(binding):
        raise DocumentError(f"{source}: {fault}; correct it")
    return binding


def dump_binding(binding: Binding) -> bytes:
    """Return the bytes of a binding's file: the inverse of `parse_binding`."""
    head: _Line = {"format": FORMAT, "module": binding.module, "version": binding.version}
    head |= sparse(replace(binding, windows=(), units=UnitKeys()))
    parts = [f'"{key}": {_json(value)}' for key, value in head.items()]
    if binding.units != UnitKeys():
        keys = sparse(binding.units)
        lines = [f'"{key}": {_listed(keys[key])}' for key in keys]
        parts.append('"units": {\n' + ",\n".join(lines) + "\n}")
    windows = ",\n".join(map(_window, binding.windows))
    parts.append(f'"windows": [\n{windows}\n]')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _window(window: BoundWindow) -> str:
    head = _json(sparse(replace(window, boards=())))
    boards = ",\n".join(map(_board, window.boards))
    return f' {head[:-1]}, "boards": [\n{boards}\n ]}}' if boards else f" {head}"


def _board(board: BoundBoard) -> str:
    head = _json(sparse(replace(board, parts=())))
    parts = ",\n".join(f"   {_json(sparse(part))}" for part in board.parts)
    return f'  {head[:-1]}, "parts": [\n{parts}\n  ]}}' if parts else f"  {head}"


def _listed(value: object) -> str:
    """Return a table with a line for each entry, in order; anything else as it is."""
    if not isinstance(value, dict):
        return _json(value)
    lines = [f"  {_json(key)}: {_json(entry)}" for key, entry in value.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _faults(binding: Binding) -> Iterator[str]:
    """Yield what no reader of types sees: hexes and boards of no size, two of one name."""
    names = [window.name for window in binding.windows]
    yield from (f"two windows have the name '{one}'" for one in names if names.count(one) > 1)
    for window in binding.windows:
        for board in window.boards:
            where = f"window '{window.name}', board '{board.name}'"
            sizes: list[float] = [*board.size_px]
            for part in board.parts:
                sizes += [] if part.hexes is None else [part.hexes.dx, part.hexes.dy]
            unfit = [size for size in sizes if not 1 <= size <= _MOST_PX]
            yield from (f"{where}: {size} px is no size of a board or a hex" for size in unfit)


for _type in (Binding, BoundWindow, BoundBoard, BoardPart, EngineHexes, TurnKeys, UnitKeys):
    with_config(ConfigDict(extra="forbid", strict=True, allow_inf_nan=False))(_type)
_BINDING = TypeAdapter(Binding)
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
