"""What is printed on cut counters: names and factors, read with how sure that is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from mapkit.scan.ocr import Reader, load_reader
from mapkit.scan.sheet import Pixels

SURE = 0.9  # a text that is less sure is left to whoever looks at it
SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:·-/()+*# "

_HEIGHT_PX = 224  # of the picture in which texts are looked for
_FACTORS = re.compile(r"\(?(\d{1,2})\)?(?:\s*[-·.]\s*(\d{1,2}))?(?:\s*[-·.]\s*(\d{1,2}))?")
_ONE_OR_I = re.compile(r"[lI]1|1[lI]|/[1l]+$")  # 12/1 may well be 12/I
_LEAST_WORDS = 2  # of "4-3-5", so that a lone figure is not taken for a triple


@dataclass(frozen=True)
class ReadText:
    """A text on a face: what it says, how sure that is, and how far down it stands, 0 to 1."""

    text: str
    confidence: float
    down: float

    @property
    def factors(self) -> tuple[int, ...]:
        """The numbers of a text such as 4-3-5; none where it is another text.

        >>> ReadText("4-3-5", 0.9, 0.8).factors, ReadText("12/II", 0.9, 0.1).factors
        ((4, 3, 5), ())
        """
        match = _FACTORS.fullmatch(self.text.strip())
        numbers = tuple(int(one) for one in match.groups() if one) if match else ()
        return numbers if len(numbers) >= _LEAST_WORDS else ()


def counter_reader() -> Reader:
    """Return what reads counters.

    Raises:
        MissingExtraError: the optional part `ocr` is not installed.
    """
    return load_reader(SIGNS)


def read_faces(reader: Reader, pictures: Iterable[Pixels]) -> Iterator[tuple[ReadText, ...]]:
    """Yield the texts of each picture, from the top down."""
    for picture in pictures:
        yield _read(reader, picture)


def _read(reader: Reader, picture: Pixels) -> tuple[ReadText, ...]:
    import cv2

    height, width = picture.shape[:2]
    factor = _HEIGHT_PX / height
    size = (max(32, round(width * factor)), _HEIGHT_PX)
    big = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    boxes = sorted(reader.find(big), key=lambda box: box.top)
    lines, places = [], []
    for box in boxes:
        left, top = max(0, int(box.left)), max(0, int(box.top))
        line = big[top : int(np.ceil(box.bottom)), left : int(np.ceil(box.right))]
        if min(line.shape[:2]) >= 8:
            lines.append(np.ascontiguousarray(line))
            places.append((box.top + box.bottom) / 2 / _HEIGHT_PX)
    return tuple(
        ReadText(line.text.strip(), line.score, place)
        for line, place in zip(reader.read(lines), places, strict=True)
        if line.text.strip()
    )


def name_of(texts: Iterable[ReadText]) -> str:
    """Return the name among the texts of a face; "" where none is sure.

    It is the highest text that holds a letter and is no list of factors. One that might hold a
    1 or an I is not sure, however sure the reader is.

    >>> name_of([ReadText("12/1I", 0.99, 0.1)]), name_of([ReadText("79 Roma", 0.99, 0.1)])
    ('', '79 Roma')
    """
    for text in texts:
        is_name = not text.factors and any(map(str.isalpha, text.text))
        if text.confidence >= SURE and is_name and not _ONE_OR_I.search(text.text):
            return text.text
    return ""


def factors_of(texts: Iterable[ReadText]) -> tuple[int, ...]:
    """Return the factors among the texts of a face; none where none, or several, are sure."""
    found = [text.factors for text in texts if text.confidence >= SURE and text.factors]
    return found[0] if len(found) == 1 else ()
