"""Tests of rulings, and protocols, in words and as one page."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree
from lxml.html.builder import E

from mapkit.drawing.svg import plain
from mapkit.texts import say
from rules.certificates import Data
from rules.protocol import Entry, Protocol, roll_holds
from rules.reproduction import Tested, put_to_test
from rules.ruling_page import told_certificate, whole_page

Checks = Sequence[tuple[Entry, Tested | None]]
_LONGEST = 160  # letters of a value shown


def told_test(tested: Tested, certificate: Data) -> str:
    """Return how a certificate stood the test: the outcome, then what differs."""
    changed = ", ".join(say(f"rules.verify.changed_{one}") for one in tested.changed)
    why = say(f"rules.verify.why_{tested.why}") if tested.why else ""
    values = {"verdict": certificate["ruling"]["verdict"], "what": changed, "why": why}
    lines = [say(f"rules.verify.{tested.outcome}", **values)]
    for where, said, found in tested.differences:
        shown = {"said": _short(said), "found": _short(found)}
        lines.append("  " + say("rules.verify.difference", where=where, **shown))
    if tested.outcome in ("verified", "not_verifiable"):
        lines.append(
            say("rules.verify.asked_again") if tested.asked_again else say("rules.verify.not_asked")
        )
    return "\n".join(lines)


def told_protocol(protocol: Protocol) -> str:
    """Return a protocol as text, entry by entry."""
    lines = [_head(protocol), *_told_broken(protocol)]
    for entry in protocol.entries[1:]:
        head, *rest = _told(entry)
        lines += ["", head, *(f"   {line}" for line in rest)]
    return "\n".join([*lines, "", say("rules.protocol.end", end=protocol.end)])


def protocol_page(protocol: Protocol) -> bytes:
    """Return a protocol as one page to print."""
    parts: list[etree._Element] = [E.h1(plain(_head(protocol)))]
    parts += [E.p(E.strong(plain(line))) for line in _told_broken(protocol)]
    for entry in protocol.entries[1:]:
        head, *rest = map(plain, _told(entry))
        seal = E.code(plain(str(entry.data["sha256"])[:12]))
        parts += [E.h2(head), E.ul(*(E.li(line) for line in rest)), E.p(seal)]
    parts.append(E.p(say("rules.protocol.end", end=protocol.end)))
    return whole_page(_head(protocol), parts)


def checked(protocol: Protocol, map_file: Path | None) -> Checks:
    """Put every ruling of a protocol to the test; a roll stands beside None."""
    return [
        (
            one,
            put_to_test(one.certificate, protocol.path, map_file) if one.kind == "ruling" else None,
        )
        for one in protocol.entries
        if one.kind in ("ruling", "roll")
    ]


def is_sound(protocol: Protocol, tests: Checks) -> bool:
    """Tell whether chain, rulings and rolls all hold."""
    return not protocol.broken and all(
        roll_holds(entry) if tested is None else tested.outcome not in ("differs", "stale")
        for entry, tested in tests
    )


def check_data(protocol: Protocol, tests: Checks) -> dict[str, object]:
    """Return what a check found as JSON-able data."""
    return {
        "broken_lines": [number + 1 for number in protocol.broken],
        "end": protocol.end,
        "entries": [
            {"n": entry.number, "kind": entry.kind}
            | ({"holds": roll_holds(entry)} if tested is None else tested.as_data())
            for entry, tested in tests
        ],
    }


def told_check(protocol: Protocol, tests: Checks) -> Iterator[str]:
    """Yield what a check of a protocol found: the chain, then every ruling and roll."""
    broken = list(_told_broken(protocol))
    yield from broken or [say("rules.protocol.whole")]
    for entry, tested in tests:
        if tested is not None:
            told = told_test(tested, entry.certificate)
        elif roll_holds(entry):
            told = say("rules.protocol.roll_holds")
        else:
            told = say("rules.protocol.roll_differs")
        yield say("rules.protocol.checked", number=entry.number, told=told)


def told_roll(protocol: Protocol, entry: Entry) -> str:
    """Return a roll as it is announced."""
    return say("rules.protocol.rolled", file=protocol.path, end=protocol.end, **_rolled(entry))


def _head(protocol: Protocol) -> str:
    return say("rules.protocol.head", title=protocol.title, n=len(protocol.entries) - 1)


def _told_broken(protocol: Protocol) -> Iterator[str]:
    for number in protocol.broken:
        yield say("rules.protocol.broken", line=number + 1)


def _told(entry: Entry) -> Iterator[str]:
    """Yield the lines of an entry, its head first."""
    if entry.kind == "roll":
        yield say("rules.protocol.roll", why=entry.data.get("for"), **_rolled(entry))
        key = (
            "rules.protocol.seed_drawn" if entry.data.get("drawn") else "rules.protocol.seed_given"
        )
        yield say(key, seed=entry.data.get("seed"))
    elif entry.kind == "ruling":
        head, *rest = told_certificate(entry.certificate)
        yield say("rules.protocol.ruling", number=entry.number, told=head)
        if entry.data.get("again") is not None:
            yield say("rules.protocol.again", number=entry.data["again"])
        yield from rest
        yield f"{say('rules.page.seal')} {str(entry.certificate['seal'])[:12]}"
    else:
        yield f"{entry.number}. {entry.kind}"


def _rolled(entry: Entry) -> dict[str, object]:
    faces = entry.data.get("faces")
    shown = " + ".join(map(str, faces)) if isinstance(faces, list) else str(faces)
    dice, total = entry.data.get("dice"), entry.data.get("total")
    return {"number": entry.number, "dice": dice, "faces": shown, "total": total}


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
