"""What terrain and sight add to an author's module, as an extension beside it or as a copy."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import PurePath

from exporters.archives import pack_zip
from exporters.material import Material
from exporters.model import Dropped, ExportError, ExportResult, OutFile
from exporters.vassal.elements import Element, add, document, element
from exporters.vassal.enriching import enriched_module
from exporters.vassal.extension import ExtensionOptions
from exporters.vassal.fitting import Fit, fit_map
from exporters.vassal.foreign import ForeignModule, read_module, tags
from exporters.vassal.foreign_grids import boards_of
from exporters.vassal.metadata import ENGINE, extension_metadata
from exporters.vassal.places import board_key
from exporters.vassal.sequence import join, split
from exporters.vassal.sight_module import SightBoard, SightParts
from exporters.vassal.sight_names import SightNames
from exporters.vassal.terrain import add_terrain
from exporters.vassal.windows import viewer, viewer_text
from mapkit.progress import OnProgress
from mapkit.texts import say

_MODULE = "build.module"
_ID_LETTERS = 6  # the engine takes three by chance; ours hang on the names


@dataclass(frozen=True)
class Additions:
    """All that is added to a module: messages, sight, and for each map what the mouse shows."""

    messages: Element
    sight: SightParts
    hovers: dict[str, str]
    fits: list[Fit]
    dropped: list[Dropped]


def render_extension(
    material: Material, options: ExtensionOptions, on_progress: OnProgress
) -> ExportResult:
    """Return the extension, or with --into the enriched copy.

    Raises:
        ExportError: there is no map or no module, or the map does not fit a board of it.
    """
    if not material.maps:
        raise ExportError(f"the project '{material.name}' has no map; add one under [[maps]]")
    if options.module is None:
        raise ExportError("name the author's module: --module X.vmod")
    if options.prototypes and not options.into:
        raise ExportError("--prototypes changes the author's pieces: it goes with --into only")
    into = PurePath(options.into)
    if options.into and into.suffix.casefold() != ".vmod":
        raise ExportError(f"--into {options.into}: name a file that ends in .vmod")
    if options.into and into.name.casefold() == options.module.name.casefold():
        raise ExportError(f"--into {options.into}: name the copy otherwise than the module itself")
    module = read_module(options.module)
    added = _additions(material, module, options, on_progress)
    on_progress(1.0, say("exporters.vassal.packing"))
    hints = [_board_hint(fit) for fit in added.fits]
    if options.into:
        data, told = enriched_module(module, added.messages, added.sight, added.hovers, options)
        files = (OutFile(options.into, data),)
        hints += [*told, Dropped("exporters.extension.hint.copy", {"module": module.name})]
    else:
        file, folder = f"{_slug(material.name)}.vmdx", f"{PurePath(module.file.name).stem}_ext"
        files = (OutFile(f"{folder}/{file}", _extension(material, module, added, options)),)
        values = {"folder": folder, "module": module.file.name}
        hints.append(Dropped("exporters.extension.hint.place", values))
    return ExportResult(files, (*added.dropped, *added.sight.dropped), tuple(hints))


def _additions(
    material: Material, module: ForeignModule, options: ExtensionOptions, on_progress: OnProgress
) -> Additions:
    boards = list(boards_of(module))
    fits = [fit_map(one, boards, module.file.name) for one in material.maps.values()]
    names = SightNames(_free_prefix(module, material.name), _layers(fits))
    messages = element(f"{_MODULE}.properties.GlobalTranslatableMessages")
    made = Additions(messages, SightParts(names), {}, fits, [])
    for number, (one, fit) in enumerate(zip(material.maps.values(), fits, strict=True)):
        board = board_key(fit.board.map_name, fit.board.name)
        add_terrain(messages, one.map, f"{names.terrain}{board}", fit.locations)
        missing = [one.map.label(hex_) for hex_ in one.map.hexes if hex_ not in fit.locations]
        if missing:
            lost = {"n": len(missing), "map": one.id, "label": missing[0]}
            made.dropped.append(Dropped("exporters.extension.lost.places", lost))
        if options.sight:
            share = number / len(fits)
            on_progress(share, say("exporters.vassal.working_out_sight", map=one.id))
            where = SightBoard(fit.board.map_name, fit.board.name, fit.lattice, fit.locations)
            made.sight.add_map(messages, one, where)
    text = viewer_text(names, sight=bool(made.sight.views))
    made.hovers.update({fit.board.map_name: text for fit in fits})
    return made


def _extension(
    material: Material, module: ForeignModule, added: Additions, options: ExtensionOptions
) -> bytes:
    """Return the .vmdx: one element for each thing it adds, and where the engine shall put it."""
    sight = added.sight
    id_ = hashlib.sha256(f"{module.name}\n{material.name}".encode()).hexdigest()[:_ID_LETTERS]
    root = element(
        f"{_MODULE}.ModuleExtension",
        anyModule=False,  # the engine must read it first
        version=options.version,
        description=material.name,
        module=module.name,
        moduleVersion=module.version,
        vassalVersion=ENGINE,
        nextPieceSlotId=sight.slots,
        extensionId=id_,
    )
    _put(root, "", added.messages)
    if sight.views:
        for one in sight.properties():
            _put(root, f"VASSAL.{_MODULE}.properties.GlobalProperties", one)
        _put(root, f"VASSAL.{_MODULE}.PrototypesContainer", sight.prototype())
        _put(root, "", sight.palette(f"{id_}:{number}" for number in count()))
    for window, text in added.hovers.items():
        holder = next((one for one in module.root if one.get("mapName") == window), None)
        if holder is not None:
            path = join("/", [join(":", [str(holder.tag), window])])
            _put(root, path, viewer(text, description=sight.names.prototype))
    files = [
        OutFile("buildFile.xml", document(root)),
        OutFile("extensiondata", extension_metadata(options.version, material.name)),
        *sight.images,
    ]
    return pack_zip(files)


def _put(root: Element, target: str, what: Element) -> None:
    add(root, f"{_MODULE}.ExtensionElement", target=target).append(what)


def _free_prefix(module: ForeignModule, project: str) -> str:
    """Return what stands before all our names: a word that the module holds nowhere."""
    word = f"Mapkit_{_slug(project)}_"
    tries = (word if number == 1 else f"{word}{number}_" for number in count(1))
    return next(one for one in tries if not module.uses(one))


def _layers(fits: Sequence[Fit]) -> tuple[str, str, str] | None:
    """Return by which property the author's maps order their pieces: the first that does."""
    for fit in fits:
        for one in tags(fit.board.window):
            if str(one.tag).endswith(".map.LayeredPieceCollection"):
                order = [name for name in split(",", one.get("layerOrder", "")) if name]
                if order:
                    return one.get("property", "Layer"), order[0], order[-1]
    return None


def _board_hint(fit: Fit) -> Dropped:
    values = {"board": fit.board.name, "window": fit.board.map_name, "n": len(fit.locations)}
    return Dropped("exporters.extension.hint.board", values)


def _slug(name: str) -> str:
    """Return a name of letters and digits that every system and every expression takes."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "sight"
