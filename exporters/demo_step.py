"""The demo's steps of exports: the project as a VASSAL module, and as one page for the phone."""

from pathlib import Path

from mapkit.demo import DemoFile, DemoStep
from mapkit.progress import OnProgress
from mapkit.texts import say


def _module(folder: Path, on_progress: OnProgress) -> list[DemoFile]:
    from exporters.exporting import export_to
    from exporters.vassal.module import MODULE, ModuleOptions

    target = folder / "alta-vordana.vmod"
    options = ModuleOptions(hex_px=56, counter_px=44)
    export_to(MODULE, folder / "project", target, options, force=True, on_progress=on_progress)
    how = say("exporters.tour.open_module")
    return [DemoFile(target, say("exporters.tour.module_what"), how)]


MODULE_STEP = DemoStep(90, "exporters.tour.module", _module, weight=4)


def _page(folder: Path, on_progress: OnProgress) -> list[DemoFile]:
    from exporters.exporting import export_to
    from exporters.page.offline_page import PAGE, PageOptions

    target = folder / "alta-vordana.html"
    options = PageOptions(hex_px=56)
    export_to(PAGE, folder / "project", target, options, force=True, on_progress=on_progress)
    how = say("exporters.tour.open_page")
    return [DemoFile(target, say("exporters.tour.page_what"), how)]


PAGE_STEP = DemoStep(95, "exporters.tour.page", _page)
