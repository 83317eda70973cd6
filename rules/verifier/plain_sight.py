"""Sight once more, from the policy in a certificate: the line, the numbers, the verdict.

Yes, no and None for "nobody knows" are put together by `all_of` and `any_of`. A policy that says
what this small check does not know (walls on hexsides, sloping lines) is refused, never guessed.
"""

import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rules.verifier.plain_line import Point, meetings
from rules.verifier.plain_map import UNKNOWN, Data, Hex, PlainMap, distance

Known = bool | None
_SIGNS = dict(zip(("<", "<=", "=", "!=", ">=", ">"), (
    operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt,
), strict=True))  # fmt: skip
_FAR = 10**9  # hexes: a range without limit
_OBSTACLE = {"when", "ground", "height", "cite"}
_RULE = {"obstacles", "reach", "along", "along_cite", "adjacent_clear", "borrowed", "weather"}
_UNUSED = {"start", "cite"}  # where else to look from is told by the ruling itself


class BeyondCheckError(Exception):
    """The question or its policy is beyond this verifier."""


class SightCheck:
    """One rule of sight on one map, under one weather."""

    def __init__(self, map_: PlainMap, policy: Data, weather: str | None) -> None:
        self.map, self.rule = map_, policy["sight"]
        self.raised = {
            map_.at[label]: rule
            for rule in (policy.get("levels") or {}).get("raised", ())
            for label in rule["hexes"]
            if label in map_.at
        }
        self.obstacles = self.rule.get("obstacles", {})
        if self.rule.keys() - _RULE - _UNUSED or any(
            one.keys() - _OBSTACLE for one in self.obstacles.values()
        ):
            raise BeyondCheckError("policy")
        self.reach = self.rule.get("weather", {}).get(weather, self.rule["reach"])
        self.limits = list(self.reach.get("limits", ()))
        high, in_doubt = self._high_mountain(policy["levels"] or {})
        for one in self.reach.get("limits", ()) if high is not None else ():
            if one.get("or_high_mountain"):
                by_level = {"ground": (), "level_from": high, "level_to": None}
                self.limits.append({**one, **by_level, "in_doubt": in_doubt})

    def look(self, a: Hex, b: Hex, start: Point | None = None) -> dict[str, Any]:
        """Return what a ruling on sight from *a* to *b* must say, in its own form."""
        hexes, either = distance(a, b), self.rule.get("along") == "either_blocks"
        line = meetings(start or centre(a), centre(b))
        compared: list[Data] = []
        shut: list[Known] = []
        blockers: list[str] = []
        beside = hexes == 1 and self.rule.get("adjacent_clear", True)
        for met in line if hexes and not beside else ():
            places = [hex_ for hex_ in met.hexes if hex_ not in (a, b)]
            if met.kind == "touch" or not places or (len(places) < len(met.hexes) and not either):
                continue
            found = [self._findings(place, a, b) for place in places]
            compared += [one for findings in found for one in findings]
            blocks = [any_of(one["holds"] for one in findings) for findings in found]
            shut.append(any_of(blocks) if either else all_of(blocks))
            if shut[-1]:
                blockers.append("/".join(sorted(self.map.names.get(one, "") for one in places)))
        sure, most = self.range(a, b)
        in_range = True if hexes <= sure else None if hexes <= most else False
        return {
            "verdict": _verdict(in_range, any_of(shut)),
            "distance": hexes,
            "range": None if sure >= _FAR else sure,
            "heights": [None if one is None else str(one) for one in map(self.level, (a, b))],
            "blocked_by": list(dict.fromkeys(blockers)),
            "trace": sorted(
                [met.kind, *(self.map.names.get(one, "") for one in met.hexes), *map(str, met[2:])]
                for met in line
            ),
            "compared": compared,
        }

    def _high_mountain(self, levels: Data) -> tuple[int | None, bool]:
        """Return from which level on it is high mountain, and whether that is only possible."""
        known, never = levels.get("high_mountain"), levels.get("never_high")
        if known is not None or never is None:
            return known, False
        shown = set(levels.get("shown_as", ()))
        if any(here.terrain in shown for here in self.map.hexes.values()):
            return None, False
        return never + 1, True

    def range(self, a: Hex, b: Hex) -> tuple[int, int]:
        """Return how far one sees from *a* toward *b*: for sure, and at most."""
        base, cap = (_FAR if (n := self.reach.get(k)) is None else n for k in ("hexes", "cap"))
        sure = most = min(base, cap)
        each, ends = self.reach.get("per_level", 0), (self.level(a), self.level(b))
        if each and ends[0] is not None and ends[1] is not None:
            above = ends[0] - ends[1]
            above = abs(above) if self.reach.get("bonus_for") == "either" else max(above, 0)
            sure = most = min(base + above * each, cap)
        elif each:
            levels = [here.level for here in self.map.hexes.values() if here.level is not None]
            lifted = [self.level(one) for one in self.raised]
            levels += [level for level in lifted if level is not None]
            known = levels and None not in lifted
            most = min(base + (max(levels) - min(levels)) * each, cap) if known else cap
        for limit in self.limits:
            at = [self._is_limited(limit, hex_) for hex_ in (a, b)]
            ways = {"observer": at[0], "target": at[1], "both": all_of(at), "either": any_of(at)}
            applies = ways[limit.get("ends", "either")]
            sure = sure if applies is False else min(sure, limit["hexes"])
            most = min(most, limit["hexes"]) if applies else most
        return sure, most

    def level(self, hex_: Hex) -> int | None:
        """Return the level that counts for sight; some ground borrows its highest neighbour's.

        A hex that a rule lifts counts from there, or from the level that it has itself.
        """
        own = self.map.hexes[hex_].level
        if (rule := self.raised.get(hex_)) is not None:
            near = [self.map.hexes[one].level for one in self.map.near(hex_)]
            below = [own] if rule["above"] == "itself" else near
            known = [level for level in below if level is not None]
            return max(known) + int(rule["by"]) if known and len(known) == len(below) else None
        for rule in self.rule.get("borrowed", ()):
            borrows = self._is_on(hex_, rule["ground"])
            if borrows is not False:
                return self._borrowed(hex_, rule.get("neighbour", ()), own) if borrows else None
        return own

    def _borrowed(self, hex_: Hex, ground: Iterable[str], own: int | None) -> int | None:
        around = [
            (self._is_on(one, ground), self.map.hexes[one].level) for one in self.map.near(hex_)
        ]
        sure = [level for lends, level in around if lends]
        known = [level for level in sure if level is not None]
        if len(known) < len(sure):
            return None
        top = max(known, default=own)
        maybe = [level for lends, level in around if lends is None]
        if any(level is None or top is None or level > top for level in maybe):
            return None  # one that may lend would change the answer
        return top if known or all(level == top for level in maybe) else None

    def _findings(self, place: Hex, a: Hex, b: Hex) -> list[dict[str, Any]]:
        """Return what each obstacle in a hex means for the line from *a* to *b*."""
        found = []
        for name, rule in self.obstacles.items() if place in self.map.hexes else ():
            here = self._is_on(place, rule.get("ground", ()))
            told = [self._compare(text, rule, place, a, b) for text in rule.get("when", ())]
            if here is not False:
                found.append({
                    "place": self.map.names[place],
                    "obstacle": name,
                    "numbers": ", ".join(text for text, _ in told),
                    "holds": all_of((here, *(holds for _, holds in told))),
                    "cite": rule["cite"],
                })  # fmt: skip
        return found

    def _compare(self, text: str, rule: Data, place: Hex, a: Hex, b: Hex) -> tuple[str, Known]:
        level, one, other = map(self.level, (place, a, b))
        ends = [end for end in (one, other) if end is not None]
        values: dict[str, Any] = {
            "level": level,
            "top": None if level is None else level + Fraction(rule.get("height", 0)),
            "observer": one,
            "target": other,
            "higher_end": max(ends) if len(ends) > 1 else None,
            "lower_end": min(ends) if len(ends) > 1 else None,
            "from_observer": distance(a, place),
            "from_target": distance(b, place),
            "distance": distance(a, b),
        }
        left, sign, right = text.split()
        if not {left, right} <= values.keys():
            raise BeyondCheckError("policy")
        told = [
            f"{n.replace('_', ' ')} {'?' if values[n] is None else values[n]}"
            for n in (left, right)
        ]
        known = None not in (values[left], values[right])
        return f" {sign} ".join(told), _SIGNS[sign](values[left], values[right]) if known else None

    def _is_on(self, hex_: Hex, ground: Iterable[str]) -> Known:
        here = self.map.hexes[hex_]
        if not ground or here.words & set(ground):
            return True
        return None if here.terrain == UNKNOWN else False

    def _is_limited(self, limit: Data, hex_: Hex) -> Known:
        level, low, top = self.level(hex_), limit.get("level_from"), limit.get("level_to")
        fits: list[Known] = [self._is_on(hex_, limit.get("ground", ()))]
        fits += [None if level is None else level >= low] if low is not None else []
        fits += [None if level is None else level <= top] if top is not None else []
        fits += [None] if limit.get("in_doubt") else []
        return all_of(fits)


def all_of(values: Iterable[Known]) -> Known:
    """Return whether all hold, as far as is known."""
    known = list(values)
    return False if False in known else None if None in known else True


def any_of(values: Iterable[Known]) -> Known:
    """Return whether one holds, as far as is known."""
    known = list(values)
    return True if True in known else None if None in known else False


def centre(hex_: Hex) -> Point:
    """Return the centre of a hex as a point."""
    return Fraction(hex_[0]), Fraction(hex_[1])


def _verdict(in_range: Known, shut: Known) -> str:
    if in_range is False or shut:
        return "out_of_range" if in_range is False else "blocked"
    return "clear" if in_range and shut is False else "unknown"
