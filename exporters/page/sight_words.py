"""The words of a ruling on sight, spoken beforehand; the page fills in places and distances."""

import json
from typing import Any

from exporters.page.phrases import Phrases, Slot
from mapkit.kinds import UNKNOWN
from mapkit.sight import Finding
from mapkit.sight.policy import Obstacle
from mapkit.sight.ranges import UNLIMITED, Allowed
from rules.judges.raised import told_raised
from rules.judges.sight import SightJudge, compared
from rules.ruling import Reason, Ruling
from rules.spoken import spoken, told_open_point, told_reason

Data = dict[str, Any]
Told = list[Any]  # the number of a phrase, and the rule it stands on

_VERDICTS = ("clear", "blocked", "out_of_range", "unknown")
_FIRST = ("range", "range_with_bonus", "limit", *_VERDICTS)


class SightWords:
    """Speaks of sight on one map, as `rules.judges.sight` does, in the page's phrases."""

    def __init__(self, judge: SightJudge, phrases: Phrases) -> None:
        self._judge, self._phrases, self._pack = judge, phrases, judge.field.pack

    def as_data(self) -> Data:
        """Return the sentences that hang on no pair: verdicts, hexes lifted or not known."""
        rules, field = self._judge.rules, self._judge.field
        ends: dict[str, str | int] = {"a": "{a}", "b": "{b}"}
        side: dict[str, str | int] = {"place": "{place}"}
        unbound = field.unbound_words("terrain", "features")
        return {
            "cite": rules.cite,
            "along_cite": rules.along_cite,
            "says": {
                verdict: self._told(Reason(f"rules.sight.{verdict}", ends, rules.cite))
                for verdict in _VERDICTS
            },
            "both_sides": self._told(Reason("rules.sight.both_sides", side, rules.along_cite)),
            "raised": self._raised(),
            "not_known": self._not_known(),
            "notes": [self._told(one) for one in unbound],
            "field": {
                form: self._told(Reason("rules.sight.field", {"a": "{a}", "n": n}, rules.cite))
                for form, n in (("one", Slot(1)), ("many", Slot(2)))
            }
            | {
                form: self._told(Reason("rules.sight.field_unknown", {"n": n}, ""))
                for form, n in (("unknown_one", Slot(1)), ("unknown_many", Slot(2)))
            },
            "open_along": self.open_about("sight.along"),
            "open_raised": self.open_about("levels.raised"),
            "open_start": self.open_about("sight.start"),
            "may_choose": [
                number
                for number, hex_ in enumerate(field.map.hexes)
                if self._judge.may_choose_start(hex_)
            ],
            "open_points": {name: self._open_point(name) for name in self._pack.assumptions},
        }

    def weather(self, name: str | None) -> int:
        """Return what a weather is called."""
        if name is None:
            return self._phrases.say("rules.assistant.usual_weather")
        title = self._pack.weather[name].title
        return self._phrases.add(lambda: spoken(self._pack, title, "weather"))

    def open_in(self, judge: SightJudge) -> list[str]:
        """Return the open points that the range in this weather touches."""
        known = judge.weather in judge.rules.weather
        return self.open_about(f"sight.weather.{judge.weather}" if known else "sight.reach")

    def open_about(self, part: str) -> list[str]:
        """Return the open points about a part of the pack."""
        return list(self._pack.assumptions_about(part))

    def range_(self, judge: SightJudge, allowed: Allowed) -> Data:
        """Return what is said of a range: for a distance of one hex and of many, and its limits."""
        limits = [
            self._told(Reason("rules.sight.limit", {"n": one.hexes}, one.name))
            for one in allowed.limits
        ]
        if allowed.hexes >= UNLIMITED:
            return {"limits": limits}
        reach = judge.rules.weather.get(judge.weather or "", judge.rules.reach)
        key, cite = "rules.sight.range", reach.cite
        if allowed.bonus:
            key, cite = "rules.sight.range_with_bonus", reach.bonus_cite or reach.cite

        def told(n: int) -> Told:
            values: dict[str, str | int] = {"range": allowed.hexes, "bonus": allowed.bonus}
            return self._told(Reason(key, {"n": Slot(n), **values}, cite))

        return {"limits": limits, "one": told(1), "many": told(2)}

    def findings(self, found: tuple[Finding, ...], told: dict[str, int]) -> list[int]:
        """Return findings by number; *told* collects the different ones."""
        return [told.setdefault(self._finding(one), len(told)) for one in found]

    def told_findings(self, told: dict[str, int]) -> list[Data]:
        """Return the findings that were collected, in order."""
        return [json.loads(text) for text in told]

    def later_reasons(self, ruling: Ruling) -> list[Told]:
        """Return the reasons of a ruling that tell of the line itself: not verdict, not range."""
        first = {f"rules.sight.{name}" for name in _FIRST}
        return [self._told(reason) for reason in ruling.reasons if reason.key not in first]

    def _finding(self, finding: Finding) -> str:
        rules = self._judge.rules
        cite = {**rules.obstacles, **rules.sides}[finding.obstacle.name].cite
        numbers = compared(finding)
        blocks: dict[str, str | int] = {
            "place": "{place}",
            "what": finding.obstacle.name.replace("_", " "),
            "compared": numbers,
        }
        half: dict[str, str | int] = {"place": "{place}", "hex": "{hex}", "compared": numbers}
        data: Data = {
            "holds": {True: "1", False: "0", None: "?"}[finding.holds],
            "blocks": self._told(Reason("rules.sight.blocks", blocks, cite)),
            "half": self._told(Reason("rules.sight.one_side", half, rules.along_cite)),
            "compared": self._compared(finding, numbers),
            "cite": cite,
            "open": self.open_about(f"sight.obstacles.{finding.obstacle.name}"),
        }
        return json.dumps(data)

    def _compared(self, finding: Finding, numbers: str) -> int:
        """The numbers compared, with what they were compared for."""
        values: dict[str, str | int] = {
            "what": finding.obstacle.name.replace("_", " ")
            if isinstance(finding.obstacle, Obstacle)
            else "",
            "compared": numbers,
        }
        reason = Reason("exporters.page.compared", values)
        return self._phrases.add(lambda: told_reason(self._pack, reason))

    def _not_known(self) -> dict[str, Told]:
        """The hexes that an unknown verdict may hang on, by number: unread, or a word unbound."""
        map_, ground = self._judge.field.map, self._judge.field.ground
        found = {}
        for number, hex_ in enumerate(map_.hexes):
            place, word = map_.label(hex_), map_[hex_].terrain
            if ground[hex_].terrain == UNKNOWN and word != UNKNOWN:
                reason = Reason("rules.sight.unbound", {"place": place, "word": word})
            elif ground[hex_].terrain == UNKNOWN or ground[hex_].level is None:
                reason = Reason("rules.sight.not_known", {"place": place})
            else:
                continue
            found[str(number)] = self._told(reason)
        return found

    def _raised(self) -> dict[str, list[Told]]:
        """What is told of the hexes that a rule lifts, by number."""
        field = self._judge.field
        numbers = {field.label(hex_): str(at) for at, hex_ in enumerate(field.map.hexes)}
        found: dict[str, list[Told]] = {}
        for reason in told_raised(field, field.map.hexes):
            found.setdefault(numbers[str(reason.values["place"])], []).append(self._told(reason))
        return found

    def _open_point(self, name: str) -> list[int]:
        return [
            self._phrases.add(lambda: told_open_point(self._pack, name)[0]),
            self._phrases.add(lambda: told_open_point(self._pack, name)[1]),
        ]

    def _told(self, reason: Reason) -> Told:
        bare = Reason(reason.key, reason.values)
        return [self._phrases.add(lambda: told_reason(self._pack, bare)), reason.cite]
