"""Reads the words of a PDF and where they stand; runs as a process of its own.

    python -P -m rules.lookup.pdf_words FILE MAX_PAGES MAX_SIGNS MAX_BYTES

A PDF can be made to eat all memory or to crash its reader: so neither happens to Mapkit itself.
Prints JSON, {"pages": [[[word, left, top, right, bottom], …], …]} in points from the top left,
or {"fault": "password" | "broken" | "pages" | "signs" | "memory"}.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

Word = tuple[str, float, float, float, float]
Sign = tuple[str, float, float, float, float, int]  # the last: quarter turns from upright

HYPHENS = {"\x02": "-", "\xad": "-"}  # what pdfium and typesetters put where a line breaks a word


class RefusedError(Exception):
    """The PDF is not read; the message is the fault."""


def read_words(path: Path, *, max_pages: int, max_signs: int) -> list[list[Word]]:
    """Return the words of every page, each page in the order in which its PDF draws them."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        raise RefusedError(
            "password" if code == pypdfium2.raw.FPDF_ERR_PASSWORD else "broken"
        ) from None
    if len(document) > max_pages:
        raise RefusedError("pages")
    pages: list[list[Word]] = []
    signs = 0
    for at in range(len(document)):
        try:
            page = document[at]
            text = page.get_textpage()
        except pypdfium2.PdfiumError:
            raise RefusedError("broken") from None
        signs += text.count_chars()
        if signs > max_signs:
            raise RefusedError("signs")
        pages.append(list(words_of(upright(list(_signs(text))))))
        text.close()
        page.close()
    return pages


def upright(signs: list[Sign]) -> list[Sign]:
    """Turn a page so that most of its letters stand upright; drop those that do not.

    Landscape pages lie on their side in many rulebooks, and margins carry vertical ornaments.
    """
    turns = Counter(turn for *_, turn in signs)
    if not turns:
        return []
    most = turns.most_common(1)[0][0]
    kept = [sign for sign in signs if sign[5] == most]
    return [(text, *_turned(box, most), most) for text, *box, _ in kept]


def words_of(signs: list[Sign]) -> Iterator[Word]:
    """Put letters that follow each other closely together; top and bottom grow downward."""
    held: list[Sign] = []
    for sign in signs:
        if sign[0].isspace():
            if held:
                yield _word(held)
            held = []
            continue
        if held and not _follows(held[-1], sign):
            yield _word(held)
            held = []
        held.append(sign)
    if held:
        yield _word(held)


def _signs(text: Any) -> Iterator[Sign]:  # Any: pypdfium2 has no types
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    turn = 0
    for at in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, at)
        sign = HYPHENS.get(chr(code), chr(code)) if 0 < code <= sys.maxunicode else ""
        if sign.isspace():
            yield (" ", 0.0, 0.0, 0.0, 0.0, turn)
        elif sign and sign.isprintable() and pdfium.FPDFText_GetLooseCharBox(text, at, box):
            angle = pdfium.FPDFText_GetCharAngle(text, at)
            turn = round(angle / (math.pi / 2)) % 4 if angle >= 0 else 0
            # PDF counts from the bottom; here all grows downward.
            yield (sign, box.left, -box.top, box.right, -box.bottom, turn)


def _turned(box: list[Any], turn: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = map(float, box)
    match turn:
        case 1:
            return (top, -right, bottom, -left)
        case 2:
            return (-right, -bottom, -left, -top)
        case 3:
            return (-bottom, left, -top, right)
    return (left, top, right, bottom)


def _follows(one: Sign, other: Sign) -> bool:
    height = max(one[4] - one[2], 1.0)
    level = abs(one[4] - other[4]) < height * 0.4 or abs(one[2] - other[2]) < height * 0.4
    # The letters of a ligature share one box, so the next one may begin a letter earlier.
    return level and -height < other[1] - one[3] < height * 0.2


def _word(signs: list[Sign]) -> Word:
    return (
        "".join(sign[0] for sign in signs),
        min(sign[1] for sign in signs),
        min(sign[2] for sign in signs),
        max(sign[3] for sign in signs),
        max(sign[4] for sign in signs),
    )


def _limit_memory(most_bytes: int) -> None:
    if sys.platform != "win32":
        import resource

        for kind, most in ((resource.RLIMIT_AS, most_bytes), (resource.RLIMIT_CORE, 0)):
            with suppress(OSError, ValueError):  # macOS knows the limit and does not take it
                resource.setrlimit(kind, (most, most))


def main(args: list[str]) -> int:
    """Print the words as JSON; a fault is a result too."""
    path, max_pages, max_signs, max_bytes = args
    _limit_memory(int(max_bytes))
    answer: dict[str, object]
    try:
        pages = read_words(Path(path), max_pages=int(max_pages), max_signs=int(max_signs))
        answer = {"pages": pages}
    except RefusedError as refused:
        answer = {"fault": str(refused)}
    except MemoryError:
        answer = {"fault": "memory"}
    sys.stdout.write(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
