"""The small file beside the build file that tells the engine what it opens."""

from lxml import etree

ENGINE = "3.7.0"
"""The oldest engine that understands what we write."""

SAVED_MS = 1_577_836_800_000
"""When it was saved: the first second of 2020, for an export does not know the time."""


def metadata(version: str, description: str, name: str | None = None) -> bytes:
    """Return moduledata; without a *name* it is the savedata of a saved game."""
    texts = {
        "version": version,
        "extra1": "",
        "extra2": "",
        "VassalVersion": ENGINE,
        "dateSaved": str(SAVED_MS),
        "description": description,
    }
    if name is not None:
        texts["name"] = name
    return _written(texts)


def extension_metadata(version: str, description: str) -> bytes:
    """Return extensiondata: what an extension for one module says of itself."""
    texts = {
        "version": version,
        "extra1": "",
        "extra2": "",
        "VassalVersion": ENGINE,
        "dateSaved": str(SAVED_MS),
        "description": description,
        "universal": "false",
    }
    return _written(texts)


def _written(texts: dict[str, str]) -> bytes:
    root = etree.Element("data", version="1")
    for tag, text in texts.items():
        etree.SubElement(root, tag).text = text
    etree.indent(root, space="  ")
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False)
    return data
