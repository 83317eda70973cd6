"""Open questions, missing things and owner files: in words, as data, and as a file to fill in."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from mapkit.errors import Fault
from mapkit.store.files import require_free, write_whole
from mapkit.texts import say
from rules.combat.table_check import BETWEEN_SIDES
from rules.owner import FORMAT, OwnerCheck, is_empty, key_type, members_of
from rules.pack import Pack
from rules.spoken import told_open_point, told_other_answer

_WIDTH = 88
_INDENT = "    "
_HINTS = {int: "number", bool: "truth", str: "text"}
_TABLE_HINTS = {"columns": "columns", "rows": "rows", "by_value": "by_value"}


def told_assumptions(pack: Pack) -> str:
    """Return each open question with our answer and the others one may choose."""
    if not pack.assumptions:
        return say("rules.owner.no_questions", game=pack.title)
    return "\n\n".join("\n".join(_question(pack, name)) for name in pack.assumptions)


def assumptions_data(pack: Pack) -> list[dict[str, Any]]:
    """Return the open questions as JSON-able data."""
    return [
        {
            "id": name,
            "cites": list(one.cites),
            "question": one.question,
            "we_assume": one.we_assume,
            "about": list(one.about),
            "alternatives": [
                {"id": id_, "says": other.says, "changes": dict(other.values())}
                for id_, other in one.alternatives.items()
            ],
        }
        for name, one in pack.assumptions.items()
    ]


def told_missing(pack: Pack) -> str:
    """Return each thing our sources lack, and where the printed game has it."""
    if not pack.missing:
        return say("rules.owner.nothing_missing", game=pack.title)
    lines: list[str] = []
    for name, one in pack.missing.items():
        lines += _wrapped(say("rules.owner.missing", id=name, what=one.what))
        lines += _wrapped(say("rules.owner.printed_on", where=one.printed_on), _INDENT)
        if one.keys:
            lines += _wrapped(say("rules.owner.enter_as", keys=", ".join(one.keys)), _INDENT)
    return "\n".join(lines)


def missing_data(pack: Pack) -> list[dict[str, Any]]:
    """Return what our sources lack as JSON-able data."""
    return [
        {"id": name, "what": one.what, "printed_on": one.printed_on, "keys": list(one.keys)}
        for name, one in pack.missing.items()
    ]


def told_check(pack_title: str, check: OwnerCheck) -> str:
    """Return what a check of an owner file found."""
    file, owner = check.owner.source, check.owner
    if check.faults:
        lines = [say("rules.owner.faults", file=file, n=len(check.faults))]
        return "\n".join([*lines, *(f"  {fault}" for fault in check.faults)])
    lines = [
        say("rules.owner.fits", file=file, game=pack_title),
        f"  {say('rules.owner.chosen', n=len(owner.assumptions))}",
        *(f"  {say('rules.owner.without_effect', id=name)}" for name in check.without_effect),
        f"  {say('rules.owner.entered', n=len(owner.values))}",
    ]
    if check.still_empty:
        lines.append(f"  {say('rules.owner.still_empty', keys=', '.join(check.still_empty))}")
    return "\n".join(lines)


def told_answers(pack: Pack, faults: Sequence[Fault]) -> str:
    """Return what a trial of all answers of a pack found."""
    if faults:
        lines = [say("rules.owner.faults", file=pack.id, n=len(faults))]
        return "\n".join([*lines, *(f"  {fault}" for fault in faults)])
    read, words = _counted_answers(pack)
    lines = [say("rules.owner.answers_fit", game=pack.title, n=read)]
    return "\n".join([*lines, f"  {say('rules.owner.answers_in_words', n=words)}"])


def answers_data(pack: Pack, faults: Sequence[Fault]) -> dict[str, Any]:
    """Return what a trial of all answers of a pack found as JSON-able data."""
    read, words = _counted_answers(pack)
    told = [{"place": one.place, "problem": one.problem, "remedy": one.remedy} for one in faults]
    return {"game": pack.id, "faults": told, "with_values": read, "without_effect": words}


def _counted_answers(pack: Pack) -> tuple[int, int]:
    """How many answers have values, and how many are words that no judge reads."""
    others = [two for one in pack.assumptions.values() for two in one.alternatives.values()]
    read = sum(other.has_values for other in others)
    return read, len(others) - read


def check_data(check: OwnerCheck) -> dict[str, Any]:
    """Return what a check of an owner file found as JSON-able data."""
    return {
        "file": check.owner.source,
        "game": check.owner.game,
        "faults": [
            {"place": one.place, "problem": one.problem, "remedy": one.remedy}
            for one in check.faults
        ],
        "assumptions": dict(check.owner.assumptions),
        "values": sorted(check.owner.values),
        "without_effect": list(check.without_effect),
        "still_empty": list(check.still_empty),
    }


def owner_template(pack: Pack) -> str:
    """Return an owner file with everything commented out: valid as it is, ready to be filled."""
    lines = [
        *_comment(say("rules.owner.head", game=pack.title)),
        *_comment(say("rules.owner.how")),
        f'format = "{FORMAT}"',
        f'game = "{pack.id}"',
        "",
        "[assumptions]",
        *_comment(say("rules.owner.head_answers")),
        *_answer_lines(pack),
        "",
        "[values]",
        *_comment(say("rules.owner.head_values")),
        *_value_lines(pack),
        *_table_lines(pack),
    ]
    return "\n".join(lines) + "\n"


def write_template(path: Path, text: str, *, force: bool = False) -> None:
    """Write a file to fill in.

    Raises:
        StoreError: the file exists and *force* was not given, or the disk refused.
    """
    require_free(path, force=force)
    write_whole(path, text.encode(), what="owner file")


def _answer_lines(pack: Pack) -> Iterator[str]:
    for name, assumption in pack.assumptions.items():
        if assumption.alternatives:
            yield ""
            yield from (f"# {line}" for line in _question(pack, name))
            yield from (f'# {name} = "{answer}"' for answer in assumption.alternatives)


def _value_lines(pack: Pack) -> Iterator[str]:
    later = [one for one in pack.missing.values() if not one.keys]
    for one in pack.missing.values():
        keys = [key for key in one.keys if is_empty(pack, key)]
        if keys:
            yield ""
            yield from _comment(f"{one.what} ({one.printed_on})")
            yield from (f"# {key} =   # {_hint(pack, key)}" for key in keys)
    if later:
        yield ""
        yield from _comment(say("rules.owner.head_later"))
    for one in later:
        yield from _comment(f"- {one.what} ({one.printed_on})")


def _table_lines(pack: Pack) -> Iterator[str]:
    """The tables that may be entered as spreadsheets, instead of columns and rows above."""
    empty = {name: table for name, table in pack.tables.items() if not table.is_complete}
    if empty:
        yield from ("", "[tables]", *_comment(say("rules.owner.head_tables", bar=BETWEEN_SIDES)))
    for name, table in empty.items():
        yield f'# {name} = "{name}.csv"   # {table.card}'


def _question(pack: Pack, name: str) -> Iterator[str]:
    one = pack.assumptions[name]
    yield say("rules.owner.question", id=name, cites=", ".join(one.cites))
    question, answer = told_open_point(pack, name)
    yield from _wrapped(question, "  ")
    yield from _wrapped(say("rules.owner.we_assume", answer=answer), "  ")
    for id_, other in one.alternatives.items():
        told = told_other_answer(pack, name, id_)
        says = told if other.has_values else f"{told} {say('rules.owner.not_read')}"
        yield from _wrapped(say("rules.owner.or_choose", id=id_, says=says), _INDENT)


def _wrapped(text: str, indent: str = "") -> list[str]:
    return wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in _wrapped(text)]


def _hint(pack: Pack, key: str) -> str:
    if key == "layout.confirmed" and (asked := pack.layout.ask) is not None:
        return say("rules.owner.layout_ask", hex=asked.hex, touches=asked.touches)
    if (parts := members_of(key)) is not None:
        must, may = parts
        return say("rules.owner.list", must=", ".join(must), may=", ".join(may))
    last = key.rpartition(".")[2]
    if last in _TABLE_HINTS:
        return say(f"rules.owner.{_TABLE_HINTS[last]}")
    return say(f"rules.owner.{_HINTS.get(key_type(key), 'other')}")
