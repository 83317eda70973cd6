"""SVG built from elements, never by string: every name and number on a map is safe in it."""

import re
from collections.abc import Iterable, Sequence

from lxml import etree

from mapkit.grid import Point

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

# XML knows no way to write these, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Value = str | float | None


class Sheet:
    """An SVG under construction: groups that hold shapes and texts, in the order drawn."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._root = etree.Element(
            f"{{{NAMESPACE}}}svg",
            nsmap={None: NAMESPACE, "xlink": XLINK},
            width=str(width_px),
            height=str(height_px),
            viewBox=f"0 0 {width_px} {height_px}",
        )
        self._here = [self._root]

    def group(self, name: str, **attributes: Value) -> "Group":
        """Open a group for the body of a `with`; an empty one leaves no trace."""
        return Group(self, self.add("g", id=name, **attributes))

    def add(self, tag: str, **attributes: Value) -> etree._Element:
        """Add one element; an underscore in an attribute's name stands for a hyphen."""
        element = etree.SubElement(self._here[-1], f"{{{NAMESPACE}}}{tag}")
        for name, value in attributes.items():
            if value is not None:
                written = plain(value) if isinstance(value, str) else number(value)
                element.set(name.replace("_", "-"), written)
        return element

    def path(self, d: str, **attributes: Value) -> None:
        """Add a path, if there is anything in it."""
        if d:
            # A path is made of our own numbers: it needs no look at every letter.
            self.add("path", **attributes).set("d", d)

    def text(self, words: str, x: float, y: float, **attributes: Value) -> None:
        """Add a line of text as it is: mark-up in it stays text."""
        self.add("text", x=x, y=y, **attributes).text = plain(words)

    def text_along(self, words: str, path_id: str, d: str, **attributes: Value) -> None:
        """Add a text that follows a path, centred on it."""
        self.add("path", id=path_id, d=d, fill="none", stroke="none")
        text = self.add("text", text_anchor="middle", **attributes)
        along = etree.SubElement(text, f"{{{NAMESPACE}}}textPath")
        along.set(f"{{{XLINK}}}href", f"#{path_id}")
        along.set("startOffset", "50%")
        along.text = plain(words)

    def enter(self, element: etree._Element) -> None:
        """Add what follows inside this element."""
        self._here.append(element)

    def leave(self) -> None:
        """End the innermost element."""
        element = self._here.pop()
        if len(element) == 0:
            self._here[-1].remove(element)

    def to_text(self) -> str:
        """Return the whole document; the same sheet always gives the same text."""
        return str(etree.tostring(self._root, encoding="unicode")) + "\n"


class Group:
    """The body of a `with sheet.group(...)`."""

    def __init__(self, sheet: Sheet, element: etree._Element) -> None:
        self._sheet = sheet
        self._element = element

    def __enter__(self) -> Sheet:
        self._sheet.enter(self._element)
        return self._sheet

    def __exit__(self, *_: object) -> None:
        self._sheet.leave()


def plain(text: str) -> str:
    """Return *text* without the control characters that no XML may hold.

    >>> plain("Monte\\x00 <script>")
    'Monte <script>'
    """
    return _NOT_XML.sub("", text)


def number(value: float) -> str:
    """Return a number as short as a drawing needs it.

    >>> number(12.0), number(0.256)
    ('12', '0.26')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def polyline(points: Iterable[Point]) -> str:
    """Return the path through *points*.

    >>> polyline([(0, 0), (10, 2.55)])
    'M0.0 0.0L10.0 2.5'
    """
    return "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])


def polygon(points: Iterable[Point]) -> str:
    """Return the closed path through *points*."""
    return polyline(points) + "Z"


def polygons(rings: Iterable[Sequence[Point]]) -> str:
    """Return one path of several closed rings; fill it by the even-odd rule."""
    return "".join([polygon(ring) for ring in rings])


def circle(x: float, y: float, radius: float) -> str:
    """Return the path of a circle."""
    r = f"{radius:.2f}"
    return (
        f"M{x - radius:.2f} {y:.2f}a{r} {r} 0 1 0 {2 * radius:.2f} 0a{r} {r} 0 1 0 "
        f"{-2 * radius:.2f} 0Z"
    )


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle."""
    return f"M{x:.2f} {y:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}Z"
