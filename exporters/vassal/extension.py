"""Terrain and sight for a module that somebody else wrote: the exporter; see `extending`."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exporters.model import GivenFile
from mapkit.progress import OnProgress

if TYPE_CHECKING:
    from exporters.material import Material
    from exporters.model import ExportResult


@dataclass(frozen=True, slots=True)
class ExtensionOptions:
    """What the user may choose."""

    module: GivenFile | None = field(
        default=None,
        metadata={
            "help": "The author's module; it is read, never changed.",
            "file": ".vmod",
            "needed": True,
        },
    )
    into: str = field(
        default="",
        metadata={"help": "Instead: an enriched copy of the module, under this name in OUT."},
    )
    prototypes: str = field(
        default="",
        metadata={"help": "With --into: the author's prototypes that may ask, with commas."},
    )
    sight: bool = field(default=True, metadata={"help": "Put the tables of line of sight in."})
    version: str = field(default="1.0", metadata={"help": "The extension's own version."})


@dataclass(frozen=True, slots=True)
class VassalExtension:
    """The exporter."""

    name: str = "vassal-extension"
    title: str = "exporters.extension.title"
    suffix: str = ""
    options: type = ExtensionOptions

    def render(
        self, material: "Material", options: ExtensionOptions, on_progress: OnProgress
    ) -> "ExportResult":
        """Return the extension in the folder where the engine looks for it, or the copy."""
        from exporters.vassal.extending import render_extension

        return render_extension(material, options, on_progress)


EXTENSION = VassalExtension()
