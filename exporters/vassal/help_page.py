"""What a player reads in the help menu: a title picture, what the module does, what it lacks."""

from lxml import etree

from exporters.material import Material
from exporters.model import OutFile
from exporters.vassal.chart_drawing import draw_title
from exporters.vassal.elements import Element, add
from mapkit.drawing import rasterise
from mapkit.texts import language, say

TITLE, HELP = "title.png", "help.html"

_DOCUMENTATION = "build.module.documentation"
_TOPICS = ("map", "setups", "pieces", "boxes", "sight", "turn", "dice", "charts", "inventory")


def add_documentation(root: Element, material: Material) -> list[OutFile]:
    """Fill the module's help menu; return the files it opens."""
    (place,) = root.findall("VASSAL.build.module.Documentation")
    about = say("exporters.vassal.help.about", name=material.name)
    add(place, f"{_DOCUMENTATION}.AboutScreen", title=about, fileName=TITLE)
    title = say("exporters.vassal.help.title", name=material.name)
    add(place, f"{_DOCUMENTATION}.HelpFile", title=title, fileName=HELP, fileType="archive")
    lines = [*_published(material), say("exporters.vassal.help.needs")]
    picture = rasterise(draw_title(material.pack.title if material.pack else material.name, lines))
    return [OutFile(HELP, help_html(material)), OutFile(f"images/{TITLE}", picture)]


def help_html(material: Material) -> bytes:
    """Return the help page: plain HTML of the age that the engine's viewer knows."""
    page = etree.Element("html", lang=language())
    body = etree.SubElement(page, "body")
    _line(body, "h1", material.pack.title if material.pack else material.name)
    for words in _published(material):
        _line(body, "p", words)
    _line(body, "p", say("exporters.vassal.help.needs"))
    for topic in _TOPICS:
        of_pieces = topic in ("pieces", "boxes") and material.pieces
        if topic == "map" or material.pack or of_pieces:
            _line(body, "h2", say(f"exporters.vassal.help.{topic}"))
            _line(body, "p", say(f"exporters.vassal.help.{topic}_how"))
    missing = material.pack.missing.values() if material.pack else ()
    if missing:
        _line(body, "h2", say("exporters.vassal.chart.missing"))
        listed = etree.SubElement(body, "ul")
        for one in missing:
            where = say("exporters.vassal.chart.printed", where=one.printed_on)
            _line(listed, "li", f"{one.what}. {where}")
    # The viewer takes the page in the machine's own encoding: signs beyond ASCII go as numbers.
    data: bytes = etree.tostring(page, method="html", encoding="ASCII", pretty_print=True)
    return data


def _published(material: Material) -> list[str]:
    pack = material.pack
    if pack is None:
        return []
    known = [str(word) for word in (pack.publisher, pack.year) if word]
    return [", ".join(known)] if known else []


def _line(parent: Element, tag: str, words: str) -> None:
    etree.SubElement(parent, tag).text = words
