"""An author's module, read just as far as an extension must know it, and nothing trusted.

Only the build file, the metadata and the heads of board pictures are unpacked.
"""

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from lxml import etree

from exporters.model import ExportError, GivenFile
from exporters.vassal.elements import Element

BUILD_FILES = ("buildFile.xml", "buildFile")
"""What the component tree is called: by engines from 3.5 on, and by older ones."""

_MOST_XML = 100_000_000
_MOST_ENTRIES = 50_000
_CLASS = "VASSAL.build.module"
_WINDOWS = [f"{_CLASS}.{name}" for name in ("Map", "PrivateMap", "PlayerHand")]


@dataclass(frozen=True, slots=True)
class ForeignModule:
    """A module that somebody else wrote: name, version, its tree and the names of its files."""

    file: GivenFile
    build_file: str
    root: Element
    name: str
    version: str
    entries: tuple[str, ...]

    def uses(self, word: str) -> bool:
        """Tell whether a word stands anywhere in it: in a name, a text, or as part of a file's."""
        wanted = word.casefold()
        if any(wanted in entry.casefold() for entry in self.entries):
            return True
        return any(
            wanted in text.casefold()
            for one in tags(self.root)
            for text in (*one.attrib.values(), one.text or "")
        )

    @property
    def next_gpid(self) -> int:
        """The first number that no piece of it has, now or in games begun with it."""
        given = [_whole(self.root.get("nextPieceSlotId"))]
        given += [_whole(one.get("gpid")) + 1 for one in tags(self.root)]
        return max(given)

    def child(self, tag: str) -> Element | None:
        """Return a direct child of the module by the last words of its class."""
        return next((one for one in self.root if one.tag == f"{_CLASS}.{tag}"), None)

    @property
    def maps(self) -> list[Element]:
        """Its map windows, in whatever folders they lie: of all, of a player, of his hand."""
        return [one for one in tags(self.root) if one.tag in _WINDOWS]

    def unpacked(self, entry: str) -> bytes | None:
        """Return a file of the module; None where it is not there or does not unpack.

        Raises:
            ExportError: it unpacks to more than any such file holds.
        """
        if entry not in self.entries:
            return None
        try:
            with zipfile.ZipFile(BytesIO(self.file.data)) as archive:
                return _unpacked(self.file, archive, entry)
        except (KeyError, *BROKEN):
            return None


def tags(root: Element) -> Iterator[Element]:
    """Yield an element and all below it; comments are passed over."""
    yield from root.iter(tag=etree.Element)


def read_module(file: GivenFile) -> ForeignModule:
    """Return what must be known of a module.

    Raises:
        ExportError: it is no module, or one that no engine would take.
    """
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as archive:
            entries = tuple(archive.namelist())
            if len(entries) > _MOST_ENTRIES:
                raise refused(file, f"it holds {len(entries)} files")
            build_file = next((one for one in BUILD_FILES if one in entries), None)
            if build_file is None:
                raise refused(file, "it holds no buildFile.xml: it is no VASSAL module")
            root = _parsed(file, build_file, _unpacked(file, archive, build_file))
    except BROKEN as error:
        raise refused(file, f"it is no whole zip archive ({error})") from None
    if root.tag not in ("VASSAL.build.GameModule", "VASSAL.launch.BasicModule"):
        raise refused(file, f"its {build_file} holds no module but <{root.tag}>")
    name = root.get("name", "")
    if not name:
        raise refused(file, "the module in it has no name")
    return ForeignModule(file, build_file, root, name, root.get("version", "0.0"), entries)


def refused(file: GivenFile, why: str) -> ExportError:
    """Return the error that says why a module is not taken."""
    return ExportError(f"{file.name}: {why}; give the author's .vmod as it was published")


BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def _unpacked(file: GivenFile, archive: zipfile.ZipFile, entry: str) -> bytes:
    """Return an entry; what its head says of its size is not believed."""
    with archive.open(entry) as packed:
        data = packed.read(_MOST_XML + 1)
    if len(data) > _MOST_XML:
        raise refused(file, f"its {entry} unpacks to more than {_MOST_XML // 1_000_000} MB")
    return data


def _parsed(file: GivenFile, entry: str, data: bytes) -> Element:
    try:
        root = parsed_untrusted(data)
    except etree.XMLSyntaxError as error:
        raise refused(file, f"its {entry} is no XML ({error.msg})") from None
    if root.getroottree().docinfo.doctype:
        raise refused(file, f"its {entry} declares a document type, which no engine writes")
    return root


def parsed_untrusted(data: bytes) -> Element:
    """Return the root of an XML file that anybody wrote: no entity is put in, no file fetched.

    Raises:
        XMLSyntaxError: it is none.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(data, parser)


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
