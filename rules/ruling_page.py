"""A ruling as one printable page: words, picture, and the certificate to verify it by.

The page stands alone: no script, nothing from the network. Its certificate lies in it as text, so
that `mapkit rules verify` reads the page as it reads the JSON.
"""

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree, html
from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.errors import DocumentError, StoreError
from mapkit.store.files import read_file, require_free, write_whole
from mapkit.texts import language, say
from rules import spoken
from rules.certificates import Data, dump_certificate, parse_certificate
from rules.errors import PackError
from rules.pack import Pack
from rules.registry import find_pack
from rules.ruling import Reason

if TYPE_CHECKING:
    from mapkit.drawing import Drawing

LIMIT_BYTES = 64 * 1024 * 1024
_STYLE = """
body { font: 11pt/1.45 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
h1 { font-size: 1.35rem; line-height: 1.3; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }
ul { padding-left: 1.2rem; } svg { display: block; max-width: 100%; height: auto; margin: 1rem 0; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1rem .8rem .1rem 0;
  vertical-align: top; } code, pre { font: 8.5pt/1.35 monospace; overflow-wrap: anywhere;
  white-space: pre-wrap; }
@page { size: A4; margin: 14mm; }
@media print { details { display: none; } body { font-size: 9.5pt; margin: 0; max-width: none; }
  h1 { margin-top: 0; } svg { max-height: 125mm; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
_KEPT = re.compile(rb'<pre id="certificate">(.*?)</pre>', re.DOTALL)
_BROKEN = (LookupError, TypeError, ValueError, AttributeError)


def save_ruling(
    path: Path, certificate: Data, drawing: "Drawing | None" = None, *, force: bool = False
) -> None:
    """Save a ruling as its certificate (.json), or as a page with its picture (.html).

    Raises:
        StoreError: the name has another ending, is taken, or the disk refused.
    """
    ending = path.suffix.lower()
    if ending not in (".json", ".html"):
        raise StoreError(f"{path}: a ruling is saved as .json or .html")
    data = dump_certificate(certificate) if ending == ".json" else ruling_page(certificate, drawing)
    write_page(path, data, force=force)


def load_certificate(path: Path) -> dict[str, Any]:
    """Return the certificate in a file: a saved ruling, as JSON or as a page.

    Raises:
        StoreError: the file cannot be read, or is too big.
        DocumentError: it is no ruling.
    """
    data = read_file(path, what="ruling", limit_bytes=LIMIT_BYTES)
    if path.suffix.lower() in (".html", ".htm"):
        data = certificate_in(data, str(path))
    return parse_certificate(data, str(path))


def write_page(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a ruling or a page to a file, never over one that exists unless forced."""
    require_free(path, force=force)
    write_whole(path, data, what="page")


def ruling_page(certificate: Data, drawing: "Drawing | None" = None) -> bytes:
    """Return the page of a ruling, in the language in use."""
    head, *lines = told_certificate(certificate)
    parts = [E.h1(plain(head)), _list(lines)]
    if drawing is not None:
        parts.insert(1, etree.fromstring(drawing.standalone().encode()))
    parts += [E.h2(say("rules.page.certificate")), _facts(certificate), _kept(certificate)]
    return whole_page(head, parts)


def whole_page(title: str, parts: Iterable[etree._Element]) -> bytes:
    """Return a page that stands alone, with these parts in it."""
    page = E.html(
        E.head(
            E.meta(charset="utf-8"),
            E.meta({"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            E.meta(name="viewport", content="width=device-width"),
            E.title(plain(title)),
            E.style(_STYLE),
        ),
        E.body(*parts),
        lang=language(),
    )
    written: bytes = html.tostring(page, encoding="utf-8", doctype="<!DOCTYPE html>")
    return written + b"\n"


def certificate_in(data: bytes, source: str) -> bytes:
    """Return the bytes of the certificate that lies in a page.

    Raises:
        DocumentError: there is none.
    """
    found = _KEPT.search(data)
    if found is None:
        raise DocumentError(f"{source}: there is no ruling in this page; save the ruling again")
    return unescape(found[1].decode("utf-8", "replace")).encode()


def told_certificate(certificate: Data) -> list[str]:
    """Return a certified ruling in words: the verdict, why, and what it assumes."""
    ruling, pack = certificate["ruling"], _pack(certificate)
    reasons = [told_reason(one, pack) for one in ruling["reasons"]]
    missing = [told_reason(one, pack) for one in ruling["missing"] if one not in ruling["reasons"]]
    return [*reasons, *missing, *_assumptions(certificate)] or [str(ruling["verdict"])]


def told_reason(data: Data, pack: Pack | None = None) -> str:
    """Return a reason of a certificate in the language in use; its key where that is no text."""
    try:
        reason = Reason(data["key"], dict(data["values"]), data["cite"])
        return reason.told() if pack is None else spoken.told_reason(pack, reason)
    except _BROKEN:
        return str(data.get("key", data))


def _pack(certificate: Data) -> Pack | None:
    """The pack a ruling was made by; None where it is not installed here."""
    try:
        return find_pack(certificate["pack"]["id"])
    except PackError:
        return None


def _assumptions(certificate: Data) -> Iterator[str]:
    pack = _pack(certificate)
    for name in certificate["ruling"]["assumptions"]:
        if pack is not None and name in pack.assumptions:
            question, answer = spoken.told_open_point(pack, name)
            yield say("rules.ruling.assumes", question=question, answer=answer)
        else:
            yield str(name)


def _facts(certificate: Data) -> etree._Element:
    """What the ruling was made from, with the fingerprints to compare."""
    rows = [
        (say("rules.page.question"), _told_question(certificate["question"])),
        *_map_facts(certificate["map"]),
        (say("rules.page.game"), certificate["pack"]["id"]),
        ("SHA-256", certificate["pack"]["sha256"]),
        (say("rules.page.seal"), certificate["seal"]),
        ("Mapkit", certificate["mapkit"]),
    ]
    return E.table(*(E.tr(E.th(plain(name)), E.td(E.code(plain(is_)))) for name, is_ in rows))


def _map_facts(map_: Data | None) -> list[tuple[str, str]]:
    """The map a ruling was made on; nothing where none took part."""
    if map_ is None:
        return []
    return [(say("rules.page.map"), map_["file"]), ("SHA-256", map_["sha256"])]


def _told_question(question: Data) -> str:
    """The inputs of a question in a line: what was asked, not how it reads."""

    def told(value: object) -> str:
        if isinstance(value, list):
            return " ".join(told(one) for one in value) or "-"
        if isinstance(value, dict) and "hex" in value:
            return f"{value['hex']}:{value.get('class', '')}".rstrip(":")
        return "-" if value is None else str(value)

    return ", ".join(f"{name} {told(value)}" for name, value in question.items())


def _kept(certificate: Data) -> etree._Element:
    text = json.dumps(certificate, indent=1)  # plain ASCII: a page cannot hold every letter
    return E.details(E.summary(say("rules.page.kept")), E.pre(text, id="certificate"))


def _list(lines: list[str]) -> etree._Element:
    return E.ul(*(E.li(plain(line)) for line in lines))
