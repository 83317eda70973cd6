"""The verifier's own verdict on a certificate: verified, or what differs and where."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rules.verifier.plain_line import Point, clip
from rules.verifier.plain_map import Data, PlainMap, distance
from rules.verifier.plain_sight import BeyondCheckError, SightCheck, centre
from rules.verifier.plain_supply import SupplyCheck

Differences = Iterator[tuple[str, Any, Any]]
Outcome = Literal["verified", "differs", "stale", "not_verifiable"]
_LONGEST, _FARTHEST = 400, 40  # hexes of one line, and of the lines of a whole field
_EXACT = re.compile(r"-?\d{1,18}(/[1-9]\d{0,17})?")


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome, and what differs: where, what the certificate says, what was found.

    *why* is judge, position, policy, distance, guns or no_sight where it cannot be verified.
    """

    outcome: Outcome
    differences: tuple[tuple[str, Any, Any], ...] = ()
    why: str = ""


def verify(certificate: Data, map_data: bytes) -> Verification:
    """Return whether a ruling follows from its map and its policy.

    Raises:
        LookupError, TypeError, ValueError, ArithmeticError, AttributeError: it is no whole
            certificate, or the map is no map.
    """
    sha = hashlib.sha256(map_data).hexdigest()
    if sha != certificate["map"]["sha256"]:
        return Verification("stale", (("map.sha256", certificate["map"]["sha256"], sha),))
    question = certificate["question"]
    check, inputs = _CHECKS.get(question["judge"], (None, set()))
    if check is None or question.keys() - inputs - {"control"}:
        return Verification("not_verifiable", why="judge")
    if certificate["position"] is not None or "control" in question:
        return Verification("not_verifiable", why="position")
    try:
        map_ = PlainMap(map_data, certificate["binding"], certificate["policy"]["granted"])
        found = tuple(check(map_, certificate))
    except BeyondCheckError as beyond:
        return Verification("not_verifiable", why=str(beyond))
    return Verification("differs" if found else "verified", found)


def _sight(map_: PlainMap, certificate: Data) -> Differences:
    question, ruling = certificate["question"], certificate["ruling"]
    yield from _first_reason("sight", ruling)
    check = _sight_check(map_, certificate)
    a, b = map_.at[question["from"]], map_.at[question["to"]]
    if check is None:
        dark = certificate["policy"].get("sees_to", {}).get(question["weather"])
        too_far = "unknown" if dark is None or distance(a, b) <= dark else "out_of_range"
        verdict = "no_rule" if certificate["policy"]["no_sight"] else too_far
        yield from _compared({"verdict": verdict}, ruling)
        return
    if distance(a, b) > _LONGEST:
        raise BeyondCheckError("distance")
    start = _point(ruling["start"])
    if start is not None and (clip(start, centre(b), a) or (1, 1))[0] != 0:
        yield "start", ruling["start"], None
    found = check.look(a, b, start) | {"from": question["from"], "to": question["to"]}
    yield from _compared(found, _with_plain_names(map_, ruling))
    for entry in ruling["rests_on"]:
        printed = map_.hexes[map_.at[entry["place"]]].printed[entry["value"]]
        if entry["is"] != str(printed):
            yield f"rests_on: {entry['place']} {entry['value']}", entry["is"], str(printed)


def _field(map_: PlainMap, certificate: Data) -> Differences:
    check, a = _sight_check(map_, certificate), map_.at[certificate["question"]["from"]]
    if check is None:
        raise BeyondCheckError("no_sight")
    near = [b for b in map_.hexes if b != a and distance(a, b) <= check.range(a, b)[1]]
    if max((distance(a, b) for b in near), default=0) > _FARTHEST:
        raise BeyondCheckError("distance")
    seen = {map_.names[b]: check.look(a, b)["verdict"] for b in near}
    wanted = {"sees": "clear", "unknown": "unknown"}
    found = {key: sorted(b for b in seen if seen[b] == wanted[key]) for key in wanted}
    yield from _compared({"verdict": "field", **found}, certificate["ruling"])


def _supply(map_: PlainMap, certificate: Data) -> Differences:
    question, ruling = certificate["question"], certificate["ruling"]
    if question.get("unit", {}).get("class") in certificate["policy"]["interdicted"]:
        raise BeyondCheckError("guns")
    yield from _first_reason("supply", ruling)
    verdict, check = "unknown", None
    if certificate["policy"]["supply"] is not None:
        check = SupplyCheck(map_, certificate["policy"], question, certificate["zones"])
        if check.sources and check.legs:
            is_unbound = None in certificate["binding"]["links"].values()
            cut = "unknown" if is_unbound else "out_of_supply"
            verdict = "in_supply" if check.arrives() else cut
    found = {"verdict": verdict, "hex": question["hex"], "side": question["side"]}
    yield from _compared(found, ruling)
    if check and verdict == "in_supply" and (fault := check.path_fault(ruling["path"])):
        yield "path", [step["hex"] for step in ruling["path"]], fault
    if check and verdict == "out_of_supply":
        smallest = ruling["proven_smallest"]
        if fault := check.culprits_fault(ruling["culprits"], smallest=smallest):
            yield "culprits", ruling["culprits"], fault


_UNITS = {"unit", "friends", "enemies", "sources"}
_CHECKS = {  # and the inputs of a question that each knows
    "sight": (_sight, {"judge", "from", "to", "weather"}),
    "field": (_field, {"judge", "from", "weather"}),
    "supply": (_supply, {"judge", "hex", "side", "weather"} | _UNITS),
}


def _sight_check(map_: PlainMap, certificate: Data) -> SightCheck | None:
    if certificate["policy"]["sight"] is None:
        return None
    return SightCheck(map_, certificate["policy"], certificate["question"]["weather"])


def _compared(found: Data, ruling: Data) -> Differences:
    for key, value in found.items():
        if ruling[key] != value:
            yield key, ruling[key], value


def _first_reason(judge: str, ruling: Data) -> Differences:
    """The words of a ruling begin with its verdict: they may not tell another."""
    key, due = ruling["reasons"][0]["key"], f"rules.{judge}.{ruling['verdict']}"
    if key != due and ruling["reasons"][0]["cite"]:
        yield "reasons", key, due


def _with_plain_names(map_: PlainMap, ruling: Data) -> Data:
    """Return a ruling as the check tells it: no names off the map, hexsides with sorted ends."""

    def plain(labels: list[str]) -> list[str]:
        return [label if label in map_.at else "" for label in labels]

    trace = [
        [met["kind"], *plain(met["hexes"]), met["from"], met["to"]]
        for met in ruling["trace"]
        if met["kind"] in ("through", "along", "touch")  # where it crosses follows from these
    ]
    blockers = ["/".join(sorted(plain(one.split("/")))) for one in ruling["blocked_by"]]
    return {**ruling, "trace": sorted(trace), "blocked_by": blockers}


def _point(start: list[str] | None) -> Point | None:
    if start is None:
        return None
    if not all(_EXACT.fullmatch(text) for text in start):
        raise ValueError(f"start {start}")
    q, r = map(Fraction, start)
    return q, r
