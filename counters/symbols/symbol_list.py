"""All symbols as a list to read, as data, or as a poster on disk."""

from collections.abc import Iterator
from pathlib import Path

from counters.symbols.poster import draw_poster
from counters.symbols.symbol import echelon_title, echelons, symbol_title, symbols
from mapkit.drawing.drawing_files import require_drawing, write_drawing
from mapkit.texts import say


def listed_symbols() -> dict[str, object]:
    """Return every symbol and echelon with its names, for JSON."""
    return {
        "symbols": [
            {"name": name, "title": symbol_title(name), "group": one.group, "also": list(one.also)}
            for name, one in symbols().items()
        ],
        "echelons": [
            {"name": name, "title": echelon_title(name), "mark": one.mark, "also": list(one.also)}
            for name, one in echelons().items()
        ],
    }


def symbol_lines() -> Iterator[str]:
    """Yield a line for each symbol and echelon: its name, and what else it is called."""
    names = {name: one.also for name, one in symbols().items()}
    sizes = {name: (one.mark, *one.also) for name, one in echelons().items()}
    wide = max(map(len, (*names, *sizes)))
    for name, also in (names | sizes).items():
        yield f"{name:<{wide}}  {', '.join(also)}".rstrip()


def write_poster(out: Path, *, force: bool = False) -> str:
    """Write the poster as PNG or SVG, and return what was made.

    Raises:
        StoreError: the name is no drawing's, or taken and *force* was not given.
    """
    require_drawing(out, force=force)
    write_drawing(draw_poster(), out, force=force)
    return say("counters.symbols.done", file=out, n=len(symbols()))
