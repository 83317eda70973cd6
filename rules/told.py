"""Rulings in words, as a calm referee speaks: the verdict, then why, then what it rests on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mapkit.texts import say
from rules.pack import Pack
from rules.ruling import Evidence, Reason, Ruling
from rules.spoken import spoken, told_decimal, told_open_point, told_reason

MOST_LISTED = 20
# How to ask again on the command line; other surfaces have their own ways.
_HINTS = {
    "rules.supply.assumed_zone": "rules.hint.assumed_zone",
    "rules.supply.no_source": "rules.hint.no_source",
}


def told_ruling(pack: Pack, ruling: Ruling) -> str:
    """Return a ruling as text."""
    verdict, *why = ruling.reasons
    lines = [told_reason(pack, verdict)]
    lines += [f"  {told_reason(pack, _shortened(reason))}" for reason in why]
    lines += [f"  {line}" for line in (*_margin(ruling), *_hexes(ruling))]
    lines += [_hinted(pack, reason) for reason in ruling.missing if reason not in ruling.reasons]
    for name in ruling.assumptions:
        question, answer = told_open_point(pack, name)
        lines.append(say("rules.ruling.assumes", question=question, answer=answer))
    lines += _told_evidence(pack, ruling.rests_on)
    return "\n".join(lines)


def told_side(rulings: Sequence[tuple[str, Ruling]], pack: Pack) -> str:
    """Return rulings on the supply of many units as text: how many, and each one that starves."""

    def told(reason: Reason) -> str:
        return told_reason(pack, reason)

    fed = sum(ruling.verdict == "in_supply" for _, ruling in rulings)
    lines = [say("rules.supply.side", n=len(rulings), fed=fed)]
    for name, ruling in rulings:
        if ruling.verdict != "in_supply":
            verdict, *why = ruling.reasons
            lines.append(f"{name}: {told(verdict)}")
            lines += [f"  {told(reason)}" for reason in why]
    missing = {told(reason): None for _, ruling in rulings for reason in ruling.missing}
    return "\n".join([*lines, *missing])


def listed(items: Sequence[str]) -> str:
    """Return the first items of a list and how many more there are."""
    if len(items) <= MOST_LISTED:
        return " ".join(items)
    shown = " ".join(items[:MOST_LISTED])
    return say("rules.ruling.and_more", shown=shown, n=len(items) - MOST_LISTED)


def _hinted(pack: Pack, reason: Reason) -> str:
    """Return what is missing, and how the command line is told of it."""
    told = told_reason(pack, reason)
    return f"{told}; {say(_HINTS[reason.key])}" if reason.key in _HINTS else told


def _shortened(reason: Reason) -> Reason:
    """Return a reason that names many hexes with the first of them only."""
    hexes = str(reason.values.get("hexes", "")).split(" ")
    if len(hexes) <= MOST_LISTED:
        return reason
    return replace(reason, values={**reason.values, "hexes": listed(hexes)})


def _hexes(ruling: Ruling) -> Iterator[str]:
    """The hexes a ruling is about, where its reasons give only their number."""
    working = ruling.working
    if ruling.question == "field" and working.get("sees"):
        yield say("rules.ruling.sees", hexes=listed(working["sees"]))
    elif ruling.question == "activation" and working.get("box") is not None:
        yield say("rules.ruling.box", box=working["box"])
    elif ruling.question == "retreat":
        yield from _less_preferred(working)
    elif ruling.question == "zones" and working.get("zone"):
        yield say("rules.ruling.zone", hexes=listed(working["zone"]))
    elif ruling.question == "supply" and len(working.get("path", ())) > 1:
        yield say("rules.ruling.way", hexes=listed([step["hex"] for step in working["path"]]))
    elif ruling.question == "movement" and not working.get("path"):
        there = [one for one in working["reach"] if one["hex"] != working["hex"]]
        if there:
            costs = [f"{one['hex']} ({one['spent']})" for one in there]
            yield say("rules.ruling.reaches", hexes=listed(costs))


def _less_preferred(working: Mapping[str, Any]) -> Iterator[str]:
    """The hexes of a retreat that are open, but not while one of a better kind is."""
    best = [one["priority"] for one in working["escapes"] if one["hex"] in working["to"]]
    for one in working["escapes"]:
        if best and one["hex"] not in working["to"]:
            values = {"hex": one["hex"], "id": one["priority"], "best": best[0]}
            yield say("rules.ruling.less_preferred", **values)


def _margin(ruling: Ruling) -> Iterator[str]:
    close = ruling.working.get("margin")
    if not close or not close["hexes"]:
        return  # where the line touches what would block, the reasons have said so
    hexes = told_decimal(close["hexes"])
    if ruling.verdict == "clear":
        yield say("rules.sight.margin_clear", place=close["place"], hexes=hexes)
    else:
        yield say("rules.sight.margin_blocked", hexes=hexes)


def _told_evidence(pack: Pack, evidence: tuple[Evidence, ...]) -> Iterator[str]:
    if evidence:
        yield say("rules.ruling.rests_on", n=len(evidence))
    for one in evidence:
        if one.doubtful:
            percent = round(100 * (one.provenance.confidence or 0))
            line = say(
                "rules.ruling.doubtful",
                place=one.place,
                value=spoken(pack, one.value),
                is_=spoken(pack, one.is_),
                percent=percent,
            )
            yield f"  {line}" + (f"; {say('rules.ruling.flips')}" if one.flips else "")
