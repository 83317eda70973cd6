"""The window of charts: the game's tables as pictures, by tab."""

from exporters.model import OutFile
from exporters.vassal.chart_drawing import WIDTH_PX, draw_page
from exporters.vassal.chart_pages import Page, chart_pages
from exporters.vassal.elements import Element, add
from mapkit.drawing import rasterise
from mapkit.texts import say
from rules.pack import Pack

_WIDGET = "build.widget"


def add_charts(root: Element, pack: Pack | None) -> list[OutFile]:
    """Add the charts of a game; return their pictures."""
    pages = chart_pages(pack) if pack else ()
    if pack is None or not pages:
        return []
    title = say("exporters.vassal.charts")
    window = add(root, "build.module.ChartWindow", name=title, text=title, tooltip=title)
    tabs = add(window, f"{_WIDGET}.TabWidget", entryName=title)
    images: list[OutFile] = []
    for tab, own in _by_tab(pages).items():
        place = tabs
        if len(own) > 1:
            size = {
                "width": 1400,
                "height": 800,
                "divider": WIDTH_PX + 24,
            }  # the list is on the right
            place = add(tabs, f"{_WIDGET}.ListWidget", entryName=tab, **size)
        for page in own:
            file = f"chart-{len(images) + 1:02d}.png"
            add(place, f"{_WIDGET}.Chart", chartName=page.title, fileName=file)
            images.append(OutFile(f"images/{file}", rasterise(draw_page(pack.title, page))))
    return images


def _by_tab(pages: tuple[Page, ...]) -> dict[str, list[Page]]:
    found: dict[str, list[Page]] = {}
    for page in pages:
        found.setdefault(page.tab, []).append(page)
    return found
