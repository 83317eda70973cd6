"""A rulebook of the owner's as pages of lines in reading order: from a PDF or a text file."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mapkit.errors import MapkitError, MissingExtraError
from mapkit.store.files import read_file, require_file
from rules.lookup.columns import Box, page_lines, text_lines

LIMIT_BYTES: Final = 256 * 1024 * 1024
TEXT_LIMIT_BYTES: Final = 16 * 1024 * 1024
MAX_PAGES: Final = 1_000
MAX_SIGNS: Final = 6_000_000
MEMORY_BYTES: Final = 1024**3
TIME_LIMIT_S: Final = 180.0

_PAGE_NUMBER = re.compile(
    r"\W*(page|p|seite|s|pagina|pag)?\W*\d{1,4}(\s*(/|of|von|di)\s*\d{1,4})?\W*", re.IGNORECASE
)


class BookError(MapkitError):
    """A file is no rulebook that can be read; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its number in the file, None where the file has no pages, and its lines."""

    number: int | None
    lines: tuple[str, ...]


def read_pages(path: Path) -> tuple[Page, ...]:
    """Return the pages of a PDF or a text file.

    Raises:
        BookError: it is neither, is locked by a password, broken, too big, or a scan without text.
        MissingExtraError: a PDF, and the part of Mapkit that reads it is not installed.
        StoreError: the disk refuses.
    """
    require_file(path, what="rulebook", limit_bytes=LIMIT_BYTES)
    with path.open("rb") as file:
        head = file.read(1024)
    pages = _pdf_pages(path) if b"%PDF-" in head else _text_pages(path, head)
    if not any(line for page in pages for line in page.lines):
        raise BookError(
            f"{path}: there is no text in it; if it is a scan, have a program read its letters"
            " (OCR) and save them as PDF or text"
        )
    return pages


def without_furniture(pages: Sequence[Sequence[Box]]) -> list[list[Box]]:
    """Leave out page numbers, and headers and footers that most pages repeat."""
    edges = [_edges(page) for page in pages]
    common = Counter(text for edge in edges for text in {_bare(line) for line in edge})
    often = max(3, len(pages) * 2 // 5)
    kept: list[list[Box]] = []
    for page, edge in zip(pages, edges, strict=True):
        gone = {id(word) for line in edge if _is_furniture(line, common, often) for word in line}
        kept.append([word for word in page if id(word) not in gone])
    return kept


def _edges(page: Sequence[Box]) -> list[list[Box]]:
    lines = text_lines(page)
    return [lines[0], lines[-1]] if len(lines) > 2 else []


def _is_furniture(line: list[Box], common: Counter[str], often: int) -> bool:
    return bool(_PAGE_NUMBER.fullmatch(_text(line))) or common[_bare(line)] >= often


def _bare(line: list[Box]) -> str:
    return re.sub(r"\d+", "", _text(line))


def _text(line: list[Box]) -> str:
    return " ".join(word.text for word in line)


def _pdf_pages(path: Path) -> tuple[Page, ...]:
    if find_spec("pypdfium2") is None:
        raise MissingExtraError("scan", "reading a PDF")
    pages = without_furniture([[Box(*word) for word in page] for page in _pdf_words(path)])
    return tuple(Page(number, tuple(page_lines(page))) for number, page in enumerate(pages, 1))


def _pdf_words(path: Path) -> list[list[tuple[str, float, float, float, float]]]:
    # -P: a folder named `rules` where the user happens to stand must not be taken for ours.
    command = [sys.executable, "-P", "-m", "rules.lookup.pdf_words", str(path.resolve())]
    limits = [str(limit) for limit in (MAX_PAGES, MAX_SIGNS, MEMORY_BYTES)]
    try:
        done = subprocess.run(
            [*command, *limits], capture_output=True, timeout=TIME_LIMIT_S, check=False
        )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise _refused(path, "time") from None
    except ValueError:  # the reader died before it could answer
        raise _refused(path, "memory") from None
    if "fault" in answer:
        raise _refused(path, str(answer["fault"]))
    pages: list[list[tuple[str, float, float, float, float]]] = answer["pages"]
    return pages


def _refused(path: Path, fault: str) -> BookError:
    return BookError(f"{path}: {_FAULTS[fault]}")


_FAULTS: Final = {
    "password": "the PDF is locked by a password; save a copy without one and add that",
    "broken": "the PDF is broken; open it in a PDF program, save it anew and add that",
    "pages": f"the PDF has more than {MAX_PAGES:,} pages; add the part with the rules",
    "signs": f"the PDF has more than {MAX_SIGNS:,} letters; add the part with the rules",
    "memory": "the PDF is broken or needs too much memory to read; save it anew and add that",
    "time": f"the PDF takes longer than {TIME_LIMIT_S:.0f} s to read; add the part with the rules",
}


def _text_pages(path: Path, head: bytes) -> tuple[Page, ...]:
    if head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        raise BookError(f"{path}: neither PDF nor plain text; save it as PDF or text and add that")
    text = _decoded(path, read_file(path, what="rulebook", limit_bytes=TEXT_LIMIT_BYTES))
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\f")
    numbered = len(parts) > 1  # a form feed ends a page, as programs that read PDFs write it
    return tuple(
        Page(number if numbered else None, tuple(line.strip() for line in part.split("\n")))
        for number, part in enumerate(parts, 1)
    )


def _decoded(path: Path, data: bytes) -> str:
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        odd = sum(not sign.isprintable() and sign not in "\n\r\t\f\v" for sign in text)
        if odd * 1000 <= len(text):  # a stray sign is no reason, a picture is full of them
            return text
    raise BookError(f"{path}: neither PDF nor plain text; save it as PDF or text and add that")
