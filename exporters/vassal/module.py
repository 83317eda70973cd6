"""VASSAL modules as an exporter: its name, its options; the work is done in `rendering`."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mapkit.progress import OnProgress

if TYPE_CHECKING:
    from exporters.material import Material
    from exporters.model import ExportResult


@dataclass(frozen=True, slots=True)
class ModuleOptions:
    """What the user may choose."""

    art: Literal["auto", "scan", "drawing"] = field(
        default="auto",
        metadata={"help": "The board: the map's own picture, or our drawing; auto: what is there."},
    )
    style: str = field(
        default="textured", metadata={"help": "Style of our drawing, as of `mapkit map draw`."}
    )
    hex_px: int = field(
        default=72, metadata={"help": "Pixels between neighbouring centres of our drawing."}
    )
    counter_px: int = field(default=56, metadata={"help": "Pixels along the side of a counter."})
    sight: bool = field(
        default=True, metadata={"help": "Put the tables of line of sight into the module."}
    )
    scenario: str = field(
        default="",
        metadata={"help": "Set up this scenario only, and show its dates in the turn tracker."},
    )
    most_megapixels: int = field(
        default=100, metadata={"help": "Reduce a board that has more; 0: never."}
    )
    version: str = field(default="1.0", metadata={"help": "The module's own version."})


@dataclass(frozen=True, slots=True)
class VassalModule:
    """The exporter."""

    name: str = "vassal"
    title: str = "exporters.vassal.title"
    suffix: str = ".vmod"
    options: type = ModuleOptions

    def render(
        self, material: "Material", options: ModuleOptions, on_progress: OnProgress
    ) -> "ExportResult":
        """Return the module as one file."""
        from exporters.vassal.rendering import render_module

        return render_module(material, options, on_progress)


MODULE = VassalModule()
