"""Rulings in words, as a calm referee speaks: the verdict, then why, then what it rests on."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mapkit.texts import say
from rules.pack import Pack
from rules.ruling import Evidence, Reason, Ruling

MOST_LISTED = 20


def told_ruling(pack: Pack, ruling: Ruling) -> str:
    """Return a ruling as text."""
    verdict, *why = ruling.reasons
    lines = [verdict.told(), *(f"  {_shortened(reason).told()}" for reason in why)]
    lines += [f"  {line}" for line in (*_margin(ruling), *_hexes(ruling))]
    lines += [reason.told() for reason in ruling.missing if reason not in ruling.reasons]
    for name in ruling.assumptions:
        one = pack.assumptions[name]
        lines.append(say("rules.ruling.assumes", question=one.question, answer=one.we_assume))
    lines += _told_evidence(ruling.rests_on)
    return "\n".join(lines)


def told_side(rulings: Sequence[tuple[str, Ruling]]) -> str:
    """Return rulings on the supply of many units as text: how many, and each one that starves."""
    fed = sum(ruling.verdict == "in_supply" for _, ruling in rulings)
    lines = [say("rules.supply.side", n=len(rulings), fed=fed)]
    for name, ruling in rulings:
        if ruling.verdict != "in_supply":
            verdict, *why = ruling.reasons
            lines.append(f"{name}: {verdict.told()}")
            lines += [f"  {reason.told()}" for reason in why]
    missing = {reason.told(): None for _, ruling in rulings for reason in ruling.missing}
    return "\n".join([*lines, *missing])


def listed(items: Sequence[str]) -> str:
    """Return the first items of a list and how many more there are."""
    if len(items) <= MOST_LISTED:
        return " ".join(items)
    shown = " ".join(items[:MOST_LISTED])
    return say("rules.ruling.and_more", shown=shown, n=len(items) - MOST_LISTED)


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
    elif ruling.question == "zones" and working.get("zone"):
        yield say("rules.ruling.zone", hexes=listed(working["zone"]))
    elif ruling.question == "supply" and len(working.get("path", ())) > 1:
        yield say("rules.ruling.way", hexes=listed([step["hex"] for step in working["path"]]))
    elif ruling.question == "movement" and not working.get("path"):
        there = [one for one in working["reach"] if one["hex"] != working["hex"]]
        if there:
            costs = [f"{one['hex']} ({one['spent']})" for one in there]
            yield say("rules.ruling.reaches", hexes=listed(costs))


def _margin(ruling: Ruling) -> Iterator[str]:
    close = ruling.working.get("margin")
    if not close or not close["hexes"]:
        return  # where the line touches what would block, the reasons have said so
    if ruling.verdict == "clear":
        yield say("rules.sight.margin_clear", place=close["place"], hexes=close["hexes"])
    else:
        yield say("rules.sight.margin_blocked", hexes=close["hexes"])


def _told_evidence(evidence: tuple[Evidence, ...]) -> Iterator[str]:
    if evidence:
        yield say("rules.ruling.rests_on", n=len(evidence))
    for one in evidence:
        if one.doubtful:
            percent = round(100 * (one.provenance.confidence or 0))
            line = say(
                "rules.ruling.doubtful",
                place=one.place,
                value=one.value,
                is_=one.is_,
                percent=percent,
            )
            yield f"  {line}" + (f"; {say('rules.ruling.flips')}" if one.flips else "")
