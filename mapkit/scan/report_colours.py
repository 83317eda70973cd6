"""Colours for the report of a scan: levels in order, kinds told apart, water blue.

Colours are compared in the OKLab space (Ottosson 2020), where equal steps look equal.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

RGB = tuple[int, int, int]
Lab = tuple[float, float, float]
Kind = TypeVar("Kind", bound=Hashable)

UNREAD = "#a9a9a9"
_APART = 0.12  # closer than this, two colours on a map are easily taken for each other
_LOW_TO_HIGH = ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725")  # grows lighter all along
_PALETTE = (
    "#d55e00", "#0f7d4b", "#8b3fa0", "#e6ab02", "#c2185b", "#4d4d4d", "#66a61e", "#7a4a21",
    "#f28cb1", "#1b9e9e", "#b3c100", "#5b4bd6", "#f4a582", "#003c30",
)  # fmt: skip
_OF_ROLE: Mapping[str, str] = {
    "great_river": "#08306b", "river": "#1560bd", "stream": "#3fa9e0", "shore": "#0b8a8f",
    "sea": "#7fb2dc", "lake": "#7fb2dc", "ford": "#8fd3c8", "bridge": "#111111",
    "crags": "#7a4a21", "trench": "#6a3d9a", "border": "#c2185b", "woods": "#4f8f3f",
    "city": "#8c1515", "town": "#d55e00", "village": "#e6ab02", "fort": "#5b4bd6",
    "peak": "#4d4d4d", "victory": "#c2185b", "supply_source": "#0f7d4b",
    "main_road": "#b2182b", "road": "#d7301f", "trail": "#f29b34", "rail": "#4d4d4d",
}  # fmt: skip


def of_role(role: str | None) -> str | None:
    """Return the colour that mapmakers would give a role, where there is one."""
    return _OF_ROLE.get(role or "")


def ramp(levels: Sequence[int]) -> dict[int, str]:
    """Return a colour for every level, ever lighter from the lowest to the highest.

    >>> ramp([3, 1])
    {1: '#440154', 3: '#fde725'}
    """
    ordered = sorted(set(levels))
    span = max(len(ordered) - 1, 1)
    return {level: _on_ramp(place / span) for place, level in enumerate(ordered)}


def told_apart(wished: Mapping[Kind, str | None]) -> dict[Kind, str]:
    """Return a colour for every kind: the one wished for unless it looks like another's.

    >>> told_apart({"river": "#1560bd", "brook": "#1560bd"})["river"]
    '#1560bd'
    """
    given: dict[Kind, str] = {}
    for kind, colour in wished.items():
        if colour and all(distance(colour, other) >= _APART for other in given.values()):
            given[kind] = colour
    for kind in wished:
        if kind not in given:
            given[kind] = _farthest(list(given.values()))
    return {kind: given[kind] for kind in wished}


def strengthened(colours: Mapping[str, RGB]) -> dict[str, str]:
    """Return the colours of a pale print with their differences made larger."""
    if not colours:
        return {}
    labs = {kind: _lab(rgb) for kind, rgb in colours.items()}
    middle = [sum(axis) / len(labs) for axis in zip(*labs.values(), strict=True)]
    return {
        kind: as_hex(
            _rgb(
                (
                    min(max(0.72 + 1.8 * (lab[0] - middle[0]), 0.4), 0.93),
                    *(m + 2.5 * (v - m) for v, m in zip(lab[1:], middle[1:], strict=True)),
                )
            )
        )
        for kind, lab in labs.items()
    }


def distance(one: str, other: str) -> float:
    """Return how different two colours look; 0.02 is just seen."""
    return math.dist(_lab(as_rgb(one)), _lab(as_rgb(other)))


def is_dark(colour: str) -> bool:
    """Return whether light letters are read better on a colour than dark ones."""
    return _lab(as_rgb(colour))[0] < 0.62


def as_rgb(colour: str) -> RGB:
    """Return red, green and blue of a colour written `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def as_hex(rgb: RGB) -> str:
    """Return a colour as `#rrggbb`: the inverse of `as_rgb`."""
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _on_ramp(share: float) -> str:
    place = share * (len(_LOW_TO_HIGH) - 1)
    step = min(int(place), len(_LOW_TO_HIGH) - 2)
    low, high = (_lab(as_rgb(colour)) for colour in _LOW_TO_HIGH[step : step + 2])
    red, green, blue = (a + (b - a) * (place - step) for a, b in zip(low, high, strict=True))
    return as_hex(_rgb((red, green, blue)))


def _farthest(taken: list[str]) -> str:
    """The colour least like those taken; a plain one as long as one is left."""

    def apart(colour: str) -> float:
        return min((distance(colour, other) for other in taken), default=1.0)

    best = max(_PALETTE, key=apart)
    if apart(best) >= _APART / 2:
        return best
    steps = range(0, 256, 51)
    return max((as_hex((r, g, b)) for r in steps for g in steps for b in steps), key=apart)


def _lab(rgb: RGB) -> Lab:
    r, g, b = (_linear(value / 255) for value in rgb)
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _rgb(lab: Lab) -> RGB:
    light, a, b = lab
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    return _byte(red), _byte(green), _byte(blue)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _byte(linear: float) -> int:
    value = min(max(linear, 0.0), 1.0)
    return round(
        255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)
    )
