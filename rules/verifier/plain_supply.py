"""Supply once more: the path walked step by step, or a plain search that finds none.

Zones of control are taken as the certificate lists them, enemy by enemy.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from rules.verifier.plain_map import Data, Hex, PlainMap

_MOST_TRIED = 300  # sets of enemies, to show that none smaller than the culprits restores a line


class SupplyCheck:
    """One rule of supply on one map, for the units of one question."""

    def __init__(self, map_: PlainMap, policy: Data, question: Data, zones: Data) -> None:
        self.map, self.policy, self.question, self.zones = map_, policy, question, zones
        self.legs, self.start = policy["supply"].get("legs", ()), map_.at[question["hex"]]
        self.friends = {map_.at[unit["hex"]] for unit in question["friends"]}
        none = self._classes(policy["supply"].get("no_influence", ()))
        self.enemies = [one for one in question["enemies"] if one["class"] not in none]
        self.roads: list[set[Hex]] = [
            set().union(
                *(pair for pair, on in map_.links.items() if _has(on, leg.get("links", ())))
            )
            for leg in self.legs
        ]
        words = set(policy["supply"]["sources"].get("features", ()))
        self.sources = {map_.at[label] for label in question["sources"]} | {
            hex_
            for hex_, ground in map_.hexes.items()
            for thing in ground.things
            if thing["kind"] in words and self._owner(thing) in (question["side"], None)
        }
        named = policy["supply"]["sources"].get("hexes", {})
        self.sources -= {
            map_.at[label] for all_ in named.values() for label in all_ if label in map_.at
        }
        mine = [*named.get(question["side"], ()), *question["sources"]]
        self.sources |= {map_.at[label] for label in mine if label in map_.at}

    def arrives(self, gone: Sequence[str] = ()) -> bool:
        """Search all lines, with some enemies gone: does one come to a source?"""
        closed = self._closed([one for one in self.enemies if one["name"] not in gone])
        reached = {self.start: True}  # whether it is the start, with no step taken yet
        for leg in range(len(self.legs)):
            reached = {
                hex_: first
                for hex_, first in reached.items()
                if self._begins(leg, hex_, closed, first=first)
            }
            edge, hexes = reached, 0
            while edge and self._may_be(leg, hexes := hexes + 1):
                ways = (self._steps(leg, one, closed, first=new) for one, new in edge.items())
                edge = {to: False for way in ways for to in way if to not in reached}
                reached = reached | edge
        return not self.sources.isdisjoint(reached)

    def path_fault(self, path: Sequence[Data]) -> str | None:
        """Return what is wrong with a path from the unit to a source; None where it holds."""
        here, leg, hexes, closed = self.start, 0, 0, self._closed(self.enemies)
        if not path or path[0]["hex"] != self.question["hex"] or path[0]["cost"] != 0:
            return f"{self.question['hex']}: the start"
        for number, step in enumerate([*path[1:], None]):
            due = f"leg {len(self.legs)}" if step is None else step["leg"]
            while f"leg {leg + 1}" != due:
                leg, hexes = leg + 1, 0
                if leg == len(self.legs) or not self._begins(leg, here, closed, first=number == 0):
                    return f"{path[number]['hex']}: {due}"
            if step is None:
                break
            there, hexes = self.map.at.get(step["hex"], (0, 0)), hexes + 1
            if there not in set(self._steps(leg, here, closed, first=number == 0)):
                return f"{path[number]['hex']}-{step['hex']}"
            if hexes != step["cost"] or not self._may_be(leg, hexes):
                return f"{step['hex']}: {hexes}"
            here = there
        return None if here in self.sources else f"{path[-1]['hex']}: no source"

    def culprits_fault(self, sets: Sequence[Sequence[str]], *, smallest: bool) -> str | None:
        """Return what is wrong with the culprits named; None where they hold."""
        names = [one["name"] for one in self.enemies]
        if not sets:
            return " + ".join(names) if self.arrives(names) else None
        for culprits in sets:
            if not self.arrives(culprits):
                return f"not {' + '.join(culprits)}"
        fewer = [some for n in range(1, len(sets[0])) for some in combinations(names, n)]
        tried = fewer if smallest and len(fewer) <= _MOST_TRIED else ()
        return next((" + ".join(some) for some in tried if self.arrives(some)), None)

    def _closed(self, enemies: Iterable[Data]) -> list[set[Hex]]:
        """Return the hexes that enemies close, leg by leg."""
        found: list[set[Hex]] = [set() for _ in self.legs]
        for enemy in enemies:
            here = self.map.at[enemy["hex"]]
            around = set(self.map.near(here))
            zone = around & {self.map.at[label] for label in self.zones[enemy["name"]]}
            for leg, closed in zip(self.legs, found, strict=True):
                negated = self.friends if leg.get("friend_negates_zone") else set()
                by = {"enemy_unit": {here}, "next_to_enemy": around}
                by["enemy_zone"] = zone - negated
                closed.update(*(by[word] for word in leg["cut_by"]))
        return found

    def _begins(self, leg: int, hex_: Hex, closed: list[set[Hex]], *, first: bool) -> bool:
        """Tell whether a leg may begin in a hex; the start of a line needs no leave to be there."""
        on_road = leg == 0 or not self.legs[leg].get("links") or hex_ in self.roads[leg]
        return on_road and (first or hex_ not in closed[leg])

    def _may_be(self, leg: int, hexes: int) -> bool:
        return self.legs[leg].get("limit") is None or hexes <= self.legs[leg]["limit"]

    def _steps(self, leg: int, here: Hex, closed: list[set[Hex]], *, first: bool) -> Iterator[Hex]:
        rule = self.legs[leg]
        links, shut = rule.get("links"), set(rule.get("not_through", ()))
        for there in self.map.near(here):
            pair = frozenset((here, there))
            entered = (here, there) if links else (there,)
            if there in closed[leg] or any(self.map.hexes[one].words & shut for one in entered):
                continue
            if links and not _has(self.map.links.get(pair, ()), links):
                continue
            if not _bars(rule, self.map.sides.get(pair, ()), first=first):
                yield there

    def _owner(self, thing: Data) -> str | None:
        """Return the side a thing belongs to: its id, another name as it stands, or None."""
        name = thing.get("owner", "")
        for side, called in self.policy["sides"].items():
            if name and name.casefold() in called:
                return str(side)
        return name or None

    def _classes(self, groups: Iterable[str]) -> set[str]:
        wanted, known = set(groups), self.policy["classes"]
        return {name for name, member_of in known.items() if wanted & {name, *member_of}}


def _standing(things: Iterable[Data]) -> list[Data]:
    """Return the things on a hexside that are not blown."""
    return [one for one in things if one.get("state") != "blown"]


def _has(things: Iterable[Data], words: Iterable[str]) -> bool:
    return any(one["kind"] in words for one in things)


def _bars(leg: Data, things: Sequence[Data], *, first: bool) -> bool:
    """Tell whether a leg may not cross a hexside; a blown bridge carries no road."""
    over = _standing(things)
    if _has(over, leg.get("not_over", ())) or (leg.get("links") and len(over) < len(things)):
        return True
    return any(
        use["rule"] == "never" or not first
        for word, use in leg.get("sides", {}).items()
        if _has(over, [word]) and not _has(over, use.get("opened_by", ()))
    )
