"""The referee's protocol: declared shots and dice, one line each, that nobody can change unseen.

One JSON object a line. Each names the SHA-256 of the line before it and ends with its own, so that
a line that was changed, moved or taken out breaks the chain at its place. Lines cut off at the end
leave the chain whole: that is what the *end* is for, a short seal of the last line that players
note, or read to each other.
"""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapkit.errors import DocumentError, StoreError
from mapkit.store.files import locked, read_file, sha256, write_whole
from rules.certificates import Data, require_certificate
from rules.errors import RulesError
from rules.file_formats import refuse_newer
from rules.schema.dice import parse_dice

FORMAT = "mapkit-protocol/1"
SUFFIX = ".protocol.jsonl"
LIMIT_BYTES = 256 * 1024 * 1024
_WAIT_S = 5.0
_ENTRY = ("n", "kind", "before", "sha256")
_FIRST = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a protocol: its number, what it is (start, ruling or roll), and its data."""

    number: int
    kind: str
    data: Data

    @property
    def certificate(self) -> Data:
        """The certificate of a ruling."""
        found: Data = self.data["certificate"]
        return found


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol as it was read. *broken* are the lines at which the chain does not hold."""

    path: Path
    title: str
    entries: tuple[Entry, ...]
    broken: tuple[int, ...] = ()

    @property
    def end(self) -> str:
        """A short seal of the last line, for players to note."""
        return str(self.entries[-1].data["sha256"])[:12]


def start_protocol(path: Path, title: str = "") -> Protocol:
    """Begin a protocol in a new file.

    Raises:
        StoreError: the file exists (a protocol is never written over), or is called otherwise.
    """
    if not path.name.endswith(SUFFIX):
        raise StoreError(f"{path}: the name of a protocol ends in {SUFFIX}")
    if os.path.lexists(path):
        raise StoreError(f"{path} exists; a protocol is never overwritten, choose another name")
    first = _line({"n": 0, "kind": "start", "format": FORMAT, "title": title}, _FIRST)
    write_whole(path, first, what="protocol")
    return load_protocol(path)


def load_protocol(path: Path) -> Protocol:
    """Return the protocol in a file, with the places where its chain is broken.

    Raises:
        DocumentError: it is no protocol, or a line of it does not read.
    """
    return _parse(read_file(path, what="protocol", limit_bytes=LIMIT_BYTES), path)


def declare(path: Path, certificate: Data) -> tuple[Entry, bool]:
    """Log a ruling as binding, and return its entry and whether it is new.

    A question asked before, of the same map and game, is not logged again: the entry that stands
    is returned. Where map or game changed since, a new entry names the earlier one under *again*.
    """
    with locked(path, what="protocol", wait_s=_WAIT_S):
        protocol = _whole(path)
        asked = [one for one in protocol.entries if _same_question(one, certificate)]
        for entry in asked:
            if _basis(entry.certificate) == _basis(certificate):
                return entry, False
        again = asked[-1].number if asked else None
        return _append(
            protocol, {"kind": "ruling", "again": again, "certificate": certificate}
        ), True


def roll(path: Path, dice: str, why: str, seed: int | None = None) -> Entry:
    """Roll dice (`1d6`, `2d6`) and log them; without a seed one is drawn, and logged too.

    The faces follow from the seed and the line before, so that everybody can work them out
    again; whoever gives the seed himself could choose it: do so only by agreement.

    Raises:
        RulesError: no such dice.
    """
    try:
        count, sides = parse_dice(dice)
    except ValueError as error:
        raise RulesError(str(error)) from None
    with locked(path, what="protocol", wait_s=_WAIT_S):
        protocol = _whole(path)
        drawn = secrets.randbits(64) if seed is None else seed
        faces = faces_of(str(protocol.entries[-1].data["sha256"]), drawn, count, sides)
        data: dict[str, Any] = {
            "kind": "roll",
            "dice": f"{count}d{sides}",
            "for": why,
            "seed": str(drawn),
        }
        data |= {"drawn": seed is None, "faces": faces, "total": sum(faces)}
        return _append(protocol, data)


def faces_of(before: str, seed: int, count: int, sides: int) -> list[int]:
    """Return the faces that a seed shows after the line with this SHA-256; all are as likely.

    >>> faces_of("", 7, 2, 6) == faces_of("", 7, 2, 6)
    True
    """
    faces: list[int] = []
    draw, whole = 0, 2**256 // sides * sides
    while len(faces) < count:
        number = int(sha256(f"{before}/{seed}/{draw}".encode()), 16)
        if number < whole:  # what is left over would favour the low faces
            faces.append(number % sides + 1)
        draw += 1
    return faces


def roll_holds(entry: Entry) -> bool:
    """Tell whether a logged roll is what its seed shows."""
    data = entry.data
    try:
        count, sides = parse_dice(data["dice"])
        faces = faces_of(data["before"], int(data["seed"]), count, sides)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return data.get("faces") == faces and data.get("total") == sum(faces)


def _same_question(entry: Entry, certificate: Data) -> bool:
    def asked(one: Data) -> tuple[Any, ...]:
        return one["question"], (one["map"] or {}).get("file"), one["pack"]["id"]

    return entry.kind == "ruling" and asked(entry.certificate) == asked(certificate)


def _basis(certificate: Data) -> tuple[Any, ...]:
    """What an answer rests on beside its question."""
    map_ = certificate["map"] or {}
    parts = map_.get("sha256"), map_.get("shapes_sha256"), certificate["pack"]["sha256"]
    return *parts, certificate["position"], certificate["binding"]


def _whole(path: Path) -> Protocol:
    protocol = load_protocol(path)
    if protocol.broken:
        raise DocumentError(
            f"{path}: line {protocol.broken[0] + 1} was changed, or one before it is gone; "
            "nothing is added to a broken protocol: `mapkit rules protocol check` tells more"
        )
    return protocol


def _append(protocol: Protocol, data: Mapping[str, Any]) -> Entry:
    number = len(protocol.entries)
    line = _line({"n": number, **data}, str(protocol.entries[-1].data["sha256"]))
    before = read_file(protocol.path, what="protocol", limit_bytes=LIMIT_BYTES)
    write_whole(protocol.path, before + line, what="protocol")
    return Entry(number, str(data["kind"]), json.loads(line))


def _line(data: Mapping[str, Any], before: str) -> bytes:
    chained = {**data, "before": before}
    return _compact({**chained, "sha256": sha256(_compact(chained))}) + b"\n"


def _compact(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def _parse(data: bytes, path: Path) -> Protocol:
    *lines, rest = data.split(b"\n")
    _refuse_newer_lines((lines or [rest])[0], path)
    if rest:
        raise DocumentError(f"{path}: its last line is only half there; take that line out")
    entries: list[Entry] = []
    broken: list[int] = []
    before = _FIRST
    for number, line in enumerate(lines):
        entry = _entry(line, path, number)
        due = {name: value for name, value in entry.data.items() if name != "sha256"}
        held = (entry.data["before"], entry.data["sha256"], entry.number)
        if held != (before, sha256(_compact(due)), number):
            broken.append(number)
        before = str(entry.data["sha256"])
        entries.append(entry)
    if not entries or entries[0].data.get("format") != FORMAT:
        raise DocumentError(
            f"{path}: it is no protocol; `mapkit rules protocol start {path.name}` begins one"
        )
    return Protocol(path, str(entries[0].data.get("title", "")), tuple(entries), tuple(broken))


def _refuse_newer_lines(first: bytes, path: Path) -> None:
    """Look at the format before the lines: a later one may have other lines altogether."""
    try:
        found = json.loads(first)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        refuse_newer(found.get("format"), FORMAT, str(path))


def _entry(line: bytes, path: Path, number: int) -> Entry:
    place = f"{path}, line {number + 1}"
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise DocumentError(f"{place}: broken or half written; it is no protocol") from None
    if not isinstance(data, dict) or any(name not in data for name in _ENTRY):
        raise DocumentError(f"{place}: no line of a protocol; it lacks {', '.join(_ENTRY)}")
    if data["kind"] == "ruling":
        require_certificate(data.get("certificate"), place)
    return Entry(data["n"], str(data["kind"]), data)
