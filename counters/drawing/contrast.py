"""How well ink reads on its ground: the contrast ratio of the Web Content Accessibility Guidelines.

WCAG 2.2, definitions of relative luminance and contrast ratio; 4.5 is asked of small text, 3 of
big text and of drawings (success criteria 1.4.3 and 1.4.11).
"""

SMALL, BIG = 4.5, 3.0
"""The least ratio of a small text, and of a big one or a drawing."""

BIG_FROM = 18.66 / 75 * 100
"""Bold letters are big from 18.66 px on: on a counter 75 px wide, in hundredths of its side."""


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours, from 1 (alike) to 21 (black on white).

    >>> round(contrast("#000000", "#ffffff"), 2), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return how bright a colour is, from 0 to 1.

    >>> luminance("#000000"), round(luminance("#00ff00"), 4)
    (0.0, 0.7152)
    """
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def needed(size: float, *, bold: bool) -> float:
    """Return the ratio asked of letters of a size, in hundredths of the counter's side."""
    return BIG if size >= (BIG_FROM if bold else BIG_FROM * 24 / 18.66) else SMALL


def reads_best(below: str, inks: tuple[str, ...]) -> str:
    """Return the ink that reads best on a colour; the first of equals."""
    return max(inks, key=lambda ink: contrast(ink, below))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
