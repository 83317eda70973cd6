"""An author's module with terrain and sight added: every other file of it stays as it was."""

import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from itertools import count

from lxml import etree

from exporters.archives import TIMESTAMP
from exporters.model import Dropped, ExportError, OutFile
from exporters.vassal.elements import Element, element
from exporters.vassal.extension import ExtensionOptions
from exporters.vassal.foreign import ForeignModule, refused, tags
from exporters.vassal.sequence import TAB, join, nest, split, unnest
from exporters.vassal.sight_module import SightParts
from exporters.vassal.windows import viewer

_MODULE = "build.module"
_PLAIN = ("", "$LocationName$")  # what the engine shows by itself: nothing of the author's is lost
_MADE_OVER = ("1", "2")  # versions of viewers whose colours and counts the engine sets anew
_PAPER = "255,255,240"


def enriched_module(
    module: ForeignModule,
    messages: Element,
    sight: SightParts,
    hovers: Mapping[str, str],
    options: ExtensionOptions,
) -> tuple[bytes, list[Dropped]]:
    """Return the copy, and what to know of it. Name and version stay, so that old saves load.

    Raises:
        ExportError: there is no such prototype.
    """
    root = module.root
    told: list[Dropped] = []
    _container(module, "properties.GlobalTranslatableMessages").extend(list(messages))
    if sight.views:
        _container(module, "properties.GlobalProperties").extend(sight.properties())
        for name in filter(None, (one.strip() for one in options.prototypes.split(","))):
            _let_ask(root, name, sight.names.prototype)
        _container(module, "PrototypesContainer").append(sight.prototype())
        first = module.next_gpid
        root.append(sight.palette(map(str, count(first))))
        root.set("nextPieceSlotId", str(first + sight.slots))
    for window in module.maps:
        name = window.get("mapName", "")
        if name in hovers and not _show(window, hovers[name]):
            told.append(Dropped("exporters.extension.hint.viewer", {"window": name}))
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False)
    return _copied(module, [OutFile(module.build_file, data), *sight.images]), told


def _container(module: ForeignModule, tag: str) -> Element:
    found = module.child(tag)
    if found is None:
        found = element(f"{_MODULE}.{tag}")
        module.root.append(found)
    return found


def _let_ask(root: Element, name: str, sight: str) -> None:
    """Put the prototype of sight around a prototype of the author's."""
    found = [
        one
        for one in tags(root)
        if str(one.tag).endswith(".PrototypeDefinition") and one.get("name") == name
    ]
    if not found:
        raise ExportError(f"--prototypes: the module has no prototype '{name}'")
    for one in found:
        parts = split("/", (one.text or "").strip())
        if len(parts) != 4 or parts[0] != "+":
            raise ExportError(f"--prototypes: the traits of '{name}' do not read")
        types, states = unnest(TAB, parts[2]), unnest(TAB, parts[3])
        types, states = [f"prototype;{sight}", *types], ["", *states]
        one.text = join("/", [*parts[:2], nest(TAB, types), nest(TAB, states)])


def _show(window: Element, text: str) -> bool:
    """Let the mouse tell of terrain and sight; False where the author has it say something else.

    Then a viewer of ours lies over his. Without a colour for its paper the engine would write
    on the bare map.
    """
    viewers = [one for one in window if str(one.tag).endswith(".map.CounterDetailViewer")]
    free = [
        one
        for one in viewers
        if one.get("emptyHexReportForma", "") in _PLAIN and one.get("version") not in _MADE_OVER
    ]
    for one in free[:1]:
        one.set("emptyHexReportForma", text)
        if one.get("summaryReportFormat", "") in _PLAIN:  # above the pieces of a stack
            one.set("summaryReportFormat", text)
        one.set("minDisplayPieces", "0")
        one.set("showtext", "true")
        if not one.get("bgColor"):
            one.set("bgColor", _PAPER)
    if not free:
        window.append(viewer(text))
    return bool(free) or not viewers


def _copied(module: ForeignModule, files: Iterable[OutFile]) -> bytes:
    """Return the archive with files replaced or added; what stays is copied as it is packed."""
    listed = list(files)
    replaced = {file.path for file in listed}
    given = module.file.data
    out = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(given)) as archive,
        zipfile.ZipFile(out, "w") as made,
    ):
        infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
        ends = [info.header_offset for info in infos[1:]] + [archive.start_dir]
        for info, end in zip(infos, ends, strict=True):
            if info.filename in replaced:
                continue
            if end - info.header_offset < info.compress_size:
                raise refused(module.file, f"'{info.filename}' lies within another entry")
            span = given[info.header_offset : end]
            info.header_offset = out.tell()
            out.write(span)
            made.filelist.append(info)
            made.NameToInfo[info.filename] = info
        made.start_dir = out.tell()
        for file in listed:
            entry = zipfile.ZipInfo(file.path, TIMESTAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            made.writestr(entry, file.data, compresslevel=6)
    return out.getvalue()
