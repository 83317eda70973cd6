"""The letters that come with Mapkit: how wide a word is, and how the SVG asks for it.

Gentium Book Basic (© SIL International) and Cabin (© Pablo Impallari, Igino Marini), both under
the SIL Open Font License 1.1; the licences lie beside them.
"""

from base64 import b64encode
from functools import cache
from importlib.resources import files
from pathlib import Path

from PIL import ImageFont

from mapkit.drawing.style import Letters
from mapkit.drawing.svg import Value, plain

_FILES = {
    ("Gentium Book Basic", False, False): "GenBkBasR.ttf",
    ("Gentium Book Basic", True, False): "GenBkBasB.ttf",
    ("Gentium Book Basic", False, True): "GenBkBasI.ttf",
    ("Gentium Book Basic", True, True): "GenBkBasBI.ttf",
    ("Cabin", False, False): "Cabin-Regular.otf",
    ("Cabin", True, False): "Cabin-Bold.otf",
    ("Cabin", False, True): "Cabin-Italic.otf",
    ("Cabin", True, True): "Cabin-Bold.otf",
}
_MEASURED_AT = 200
_LONGEST = 120


def font_folder() -> Path:
    """Return the folder of the fonts."""
    return Path(str(files("mapkit.drawing").joinpath("fonts")))


def written(words: str, letters: Letters) -> str:
    """Return the words as this lettering writes them: on one line, perhaps in capitals.

    What runs over 120 letters is cut: it is no name.
    """
    line = " ".join(plain(words[:_LONGEST]).split())
    return line.upper() if letters.capitals else line


def text_width(words: str, letters: Letters, size_px: float) -> float:
    """Return how wide a line of text runs, in pixels."""
    font = _font(letters.family, letters.bold, letters.italic)
    spaces = letters.spacing / letters.size * size_px * len(words) if letters.spacing else 0.0
    return float(font.getlength(words)) * size_px / _MEASURED_AT + spaces


def text_attributes(
    letters: Letters, size_px: float, *, anchor: str = "middle", halo: bool = True
) -> dict[str, Value]:
    """Return the attributes of a text in this lettering."""
    attributes: dict[str, Value] = {
        "font_family": letters.family,
        "font_size": size_px,
        "fill": letters.colour,
        "text_anchor": anchor,
    }
    if letters.bold:
        attributes["font_weight"] = "700"
    if letters.italic:
        attributes["font_style"] = "italic"
    if letters.spacing:
        attributes["letter_spacing"] = letters.spacing / letters.size * size_px
    if halo and letters.halo:
        attributes |= {
            "stroke": letters.halo,
            "stroke_width": letters.halo_width / letters.size * size_px * 2,
            "stroke_linejoin": "round",
            "paint_order": "stroke",
        }
    return attributes


def font_faces(svg: str) -> str:
    """Return the CSS that carries the fonts an SVG uses, for viewers that lack them."""
    faces = []
    for (family, bold, italic), name in sorted(_FILES.items()):
        if f'font-family="{family}"' not in svg or (family, bold, italic) == ("Cabin", True, True):
            continue
        kind = "opentype" if name.endswith(".otf") else "truetype"
        data = b64encode(font_folder().joinpath(name).read_bytes()).decode("ascii")
        faces.append(
            f'@font-face{{font-family:"{family}";font-weight:{700 if bold else 400};'
            f"font-style:{'italic' if italic else 'normal'};"
            f"src:url(data:font/{kind[:3] if kind == 'opentype' else 'ttf'};base64,{data}) "
            f'format("{kind}")}}'
        )
    return "".join(faces)


@cache
def _font(family: str, bold: bool, italic: bool) -> ImageFont.FreeTypeFont:
    path = font_folder() / _FILES[family, bold, italic]
    # The basic engine measures the same wherever Pillow was built.
    return ImageFont.truetype(str(path), _MEASURED_AT, layout_engine=ImageFont.Layout.BASIC)
