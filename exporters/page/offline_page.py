"""Offline pages as an exporter: its name, its options; the work is done in `rendering`."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mapkit.progress import OnProgress

if TYPE_CHECKING:
    from exporters.material import Material
    from exporters.model import ExportResult


@dataclass(frozen=True, slots=True)
class PageOptions:
    """What the user may choose."""

    art: Literal["auto", "scan", "drawing"] = field(
        default="auto",
        metadata={"help": "The map: its own picture, or our drawing; auto: what is there."},
    )
    style: str = field(
        default="textured", metadata={"help": "Style of our drawing, as of `mapkit map draw`."}
    )
    hex_px: int = field(
        default=72, metadata={"help": "Pixels between neighbouring centres of our drawing."}
    )
    quality: int = field(
        default=70, metadata={"help": "Quality of the map's picture, 1 to 100; lower is smaller."}
    )
    sight: bool = field(
        default=True, metadata={"help": "Put the tables of line of sight into the page."}
    )


@dataclass(frozen=True, slots=True)
class OfflinePage:
    """The exporter."""

    name: str = "page"
    title: str = "exporters.page.title"
    suffix: str = ".html"
    options: type = PageOptions

    def render(
        self, material: "Material", options: PageOptions, on_progress: OnProgress
    ) -> "ExportResult":
        """Return the page as one file."""
        from exporters.page.rendering import render_page

        return render_page(material, options, on_progress)


PAGE = OfflinePage()
