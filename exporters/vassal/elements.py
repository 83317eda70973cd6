"""Elements of the engine's build file: class names as tags, every attribute a text."""

from typing import TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element


def element(tag: str, **attributes: object) -> Element:
    """Return an element of the engine, named by its class below `VASSAL.`

    True and False are written as the engine reads them. An underscore at the end of a name
    keeps clear of Python's own words.
    """
    made = etree.Element(f"VASSAL.{tag}")
    for name, value in attributes.items():
        made.set(name.rstrip("_"), _written(value))
    return made


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """Add an element below another and return it."""
    child = element(tag, **attributes)
    parent.append(child)
    return child


def plain(parent: Element, tag: str, text: str, **attributes: object) -> Element:
    """Add an element that is no class of the engine: `<entry>`, `<setup>`, `<option>`."""
    child = etree.SubElement(parent, tag)
    for name, value in attributes.items():
        child.set(name, _written(value))
    child.text = text
    return child


def document(root: Element) -> bytes:
    """Return the build file; the same elements give the same bytes."""
    etree.indent(root, space="  ")
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False)
    return data


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)
