"""Pictures of an author's module: found as the engine finds them, unpacked with nothing trusted."""

import math
import re
import unicodedata
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath

from lxml import etree

from exporters.model import Dropped
from exporters.vassal.foreign import BROKEN, ForeignModule, parsed_untrusted, refused
from mapkit.pictures import opened_picture

MOST_PX = 300_000_000
"""No board is bigger: what has more is no picture of a map."""

_FOLDER = "images/"
_MOST_BYTES = 400_000_000
_MOST_IN_ALL = 3_000_000_000
_LOOKED_THROUGH_PX = 100_000_000  # bigger ones are not unpacked just to see whether they are whole
_HEAD_BYTES = 1_000_000
_DRAWING, _DRAWING_BYTES, _DRAWING_PX = b"<svg", 30_000_000, 100_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_KEPT = {"PNG": ".png", "JPEG": ".jpg"}
_ORIENTATION = 0x0112
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(px|pt|pc|in|cm|mm)?\s*", re.ASCII)
_PER_UNIT_PX = {"px": 1, "pt": 96 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}


@dataclass(frozen=True, slots=True)
class ForeignPicture:
    """A picture as we keep it: PNG or JPEG as it was packed, anything else as PNG."""

    name: str
    data: bytes
    suffix: str
    size_px: tuple[int, int]


class ForeignPictures:
    """Unpacks pictures of one module, each once, and all together no more than a module holds."""

    def __init__(self, module: ForeignModule) -> None:
        self._module = module
        self._archive = zipfile.ZipFile(BytesIO(module.file.data))
        self._left = _MOST_IN_ALL
        self._found: dict[str, ForeignPicture | Dropped] = {}
        self._files = _Files(module)

    def find(self, name: str) -> ForeignPicture | Dropped:
        """Return a picture by the name the module calls it; else why there is none.

        Raises:
            ExportError: the pictures unpack to more than any module holds.
        """
        if name not in self._found:
            self._found[name] = self._read(name)
        return self._found[name]

    def _read(self, name: str) -> ForeignPicture | Dropped:
        entry = self._files.find(name)
        if entry is None:
            return Dropped("exporters.import.why.missing", {"image": name})
        try:
            with self._archive.open(entry) as packed:
                data = packed.read(min(_MOST_BYTES, self._left) + 1)
        except BROKEN:
            return Dropped("exporters.import.why.broken", {"image": name})
        self._left -= len(data)
        if self._left < 0:
            most = f"{_MOST_IN_ALL // 1_000_000_000} GB"
            raise refused(self._module.file, f"its pictures unpack to more than {most}")
        if len(data) > _MOST_BYTES:
            return Dropped("exporters.import.why.big", {"image": name})
        return _kept(name, data)


def picture_size(module: ForeignModule, name: str) -> tuple[int, int] | None:
    """Return the width and height of a picture; None where it is not there or does not open."""
    entry = _Files(module).find(name)
    if entry is None:
        return None
    try:
        with zipfile.ZipFile(BytesIO(module.file.data)) as archive, archive.open(entry) as packed:
            head = packed.read(_HEAD_BYTES)
            if _DRAWING in head:
                head += packed.read(_DRAWING_BYTES)
    except BROKEN:
        return None
    if (drawing := _parsed_drawing(head)) is not None:
        return _drawing_size(drawing)
    return _size(head)


class _Files:
    """The files of a module by the names that it has for its pictures."""

    def __init__(self, module: ForeignModule) -> None:
        self._entries = frozenset(module.entries)
        self._loosely = {_loose(entry): entry for entry in reversed(module.entries)}

    def find(self, name: str) -> str | None:
        """Return the file of a picture: where the engine looks, else by its bare name.

        The engine looks for letters with their accents apart, and for a GIF without its ending;
        what begins with a slash is its own.
        """
        if name.startswith("/"):
            return None
        entry = f"{_FOLDER}{name}"
        forms = (unicodedata.normalize(form, entry) for form in ("NFD", "NFC"))
        looked_for = (entry, *forms, f"{entry}.gif")
        exact = next((one for one in looked_for if one in self._entries), None)
        return exact or self._loosely.get(_loose(name))


def _loose(name: str) -> str:
    """Return a file's name without folder, as far as it tells files apart in careless modules."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return unicodedata.normalize("NFC", last).casefold()


def _size(head: bytes) -> tuple[int, int] | None:
    from PIL import Image, UnidentifiedImageError

    try:
        with opened_picture(head, _FORMATS) as image:
            width, height = image.size
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    return (width, height) if 0 < width * height <= MOST_PX else None


def _kept(name: str, data: bytes) -> ForeignPicture | Dropped:
    """Return a picture in a form that all our commands read."""
    from PIL import Image, UnidentifiedImageError

    broken = Dropped("exporters.import.why.broken", {"image": name})
    if (drawing := _parsed_drawing(data)) is not None:
        return _rasterised(name, drawing) or broken
    try:
        with opened_picture(data, _FORMATS) as image:
            size = image.size
            if size[0] * size[1] > MOST_PX:
                return Dropped("exporters.import.why.big", {"image": name})
            upright = image.getexif().get(_ORIENTATION, 1) == 1
            if image.format in _KEPT and upright:
                if size[0] * size[1] <= _LOOKED_THROUGH_PX:
                    image.load()  # half a file shows itself only here
                return ForeignPicture(name, data, _KEPT[image.format], size)
            out = BytesIO()
            # The engine does not turn pictures as a camera tells: whoever does, shall not.
            bare = image.convert("RGBA" if image.mode in ("P", "LA", "PA", "RGBA") else "RGB")
            bare.info.pop("exif", None)
            bare.save(out, "PNG")
            return ForeignPicture(name, out.getvalue(), ".png", size)
    except Image.DecompressionBombError:
        return Dropped("exporters.import.why.big", {"image": name})
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        return broken


def _parsed_drawing(data: bytes) -> etree._Element | None:
    """Return an SVG; None where the bytes are none, or more than anybody draws."""
    if _DRAWING not in data[:_HEAD_BYTES] or len(data) >= _DRAWING_BYTES:
        return None
    try:
        root = parsed_untrusted(data)
    except etree.XMLSyntaxError:
        return None
    return root if etree.QName(root).localname == "svg" else None


def _drawing_size(root: etree._Element) -> tuple[int, int] | None:
    sides = [_length(root.get(name)) for name in ("width", "height")]
    if None in sides:
        box = re.findall(r"-?\d+(?:\.\d+)?", root.get("viewBox", ""))
        if len(box) != 4:
            return None
        sides = [float(box[2]), float(box[3])]
    width, height = (math.ceil(side or 0) for side in sides)
    return (width, height) if 0 < width * height <= _DRAWING_PX else None


def _length(text: str | None) -> float | None:
    match = _LENGTH.fullmatch(text or "")
    return float(match[1]) * _PER_UNIT_PX[match[2] or "px"] if match else None


def _rasterised(name: str, root: etree._Element) -> ForeignPicture | None:
    """Return a drawing as pixels; it may show nothing that lies outside of itself."""
    import resvg_py

    from mapkit.drawing.fonts import font_folder

    size = _drawing_size(root)
    if size is None:
        return None
    for one in list(root.iter(tag=etree.Element)):
        for key in [key for key in one.attrib if key.rpartition("}")[2] == "href"]:
            if not one.get(key, "").startswith(("#", "data:")):
                del one.attrib[key]
    root.set("width", str(size[0]))
    root.set("height", str(size[1]))
    try:
        data = bytes(
            resvg_py.svg_to_bytes(
                svg_string=etree.tostring(root, encoding="unicode"),
                skip_system_fonts=True,
                font_dirs=[str(font_folder())],
            )
        )
    except ValueError:
        return None
    made = _size(data)
    return None if made is None else ForeignPicture(name, data, ".png", made)
