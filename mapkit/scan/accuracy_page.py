"""The comparison of a map with the truth as a page: the text, and how sure beside how right."""

from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.scan.accuracy import Accuracy
from mapkit.scan.accuracy_report import told
from mapkit.scan.reliability_plot import plots
from mapkit.scan.report_parts import as_page, classed, said, section


def accuracy_page(found: Accuracy, title: str) -> bytes:
    """Return the page of a comparison; *title* names the map."""
    head = E.header(E.h1(plain(title)), classed("p", "lead", said("compared_lead")))
    text = section("accuracy", said("compared"), E.pre(plain(told(found))))
    sections = [text]
    if found.reliability:
        lead = E.p(said("compared_reliability"))
        plotted = plots(found.reliability)
        sections.insert(0, section("reliability", said("reliability"), lead, plotted))
    return as_page(plain(title), head, sections)
