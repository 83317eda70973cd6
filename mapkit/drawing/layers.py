"""The layers of a drawing, and how a player names the ones to draw: `a,b` or `-c`."""

from collections.abc import Iterable

from mapkit.drawing.errors import LayerError

LAYERS = (
    "levels", "terrain", "relief", "texture", "water", "barriers", "grid", "roads", "bridges",
    "areas", "borders", "trenches", "symbols", "numbers", "names", "frame", "title", "legend",
    "scale", "compass",
)  # fmt: skip
ALL_LAYERS = frozenset(LAYERS)


def parse_layers(text: str) -> frozenset[str]:
    """Return the layers that a text names; `-x` alone means all but x.

    >>> sorted(parse_layers("terrain,grid")), "names" in parse_layers("-names")
    (['grid', 'terrain'], False)
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    wanted = check_layers(word for word in words if not word.startswith("-"))
    unwanted = check_layers(word[1:] for word in words if word.startswith("-"))
    return (wanted or ALL_LAYERS) - unwanted


def check_layers(names: Iterable[str]) -> frozenset[str]:
    """Return the names as a set, if all of them are layers."""
    found = frozenset(names)
    unknown = sorted(found - ALL_LAYERS)
    if unknown:
        raise LayerError(f"no layer '{unknown[0]}'; there is: {', '.join(sorted(LAYERS))}")
    return found
