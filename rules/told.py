"""Rulings in words, as a calm referee speaks: the verdict, then why, then what it rests on."""

from collections.abc import Iterator

from mapkit.texts import say
from rules.pack import Pack
from rules.ruling import Evidence, Ruling


def told_ruling(pack: Pack, ruling: Ruling) -> str:
    """Return a ruling as text."""
    verdict, *why = ruling.reasons
    lines = [verdict.told(), *(f"  {reason.told()}" for reason in why)]
    lines += [f"  {line}" for line in _margin(ruling)]
    lines += [reason.told() for reason in ruling.missing if reason not in ruling.reasons]
    for name in ruling.assumptions:
        one = pack.assumptions[name]
        lines.append(say("rules.ruling.assumes", question=one.question, answer=one.we_assume))
    lines += _told_evidence(ruling.rests_on)
    return "\n".join(lines)


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
