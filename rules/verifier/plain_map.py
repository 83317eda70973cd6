"""A map document read as plain JSON and spoken in the game's words: all that the checks look at."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Data = Mapping[str, Any]
Hex = tuple[int, int]
Pair = frozenset[Hex]  # two neighbours: their hexside, or the link between them

UNKNOWN, NOTHING = "unknown", "(nothing)"  # unread or unbound; bound to nothing on purpose
_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_PAIR = re.compile(r"(\([^)]*\)|[^/()-]+)[/-](\([^)]*\)|[^/()-]+)")


class Ground(NamedTuple):
    """One hex: terrain and things in the game's words, and its *printed* entry as it stands."""

    terrain: str
    level: int | None
    things: list[Data]
    printed: Data

    @property
    def words(self) -> set[str]:
        """Its terrain and all that is on it."""
        return {self.terrain, *(thing["kind"] for thing in self.things)}


class PlainMap:
    """A map in the game's words; what lies off the map is left out.

    *binding* has the game's word for each of the map's; *granted* is what the rules take as
    there, drawn or not.
    """

    def __init__(self, data: bytes, binding: Data, granted: Data) -> None:
        document = json.loads(data.decode("utf-8-sig"))
        self.at: dict[str, Hex] = {one["label"]: (one["q"], one["r"]) for one in document["hexes"]}
        self.names = {hex_: label for label, hex_ in self.at.items()}
        self.hexes: dict[Hex, Ground] = {}
        for entry in document["hexes"]:
            word = binding["terrain"].get(entry["terrain"])
            terrain = UNKNOWN if word is None else word or NOTHING
            things = _things(entry.get("features", ()), binding["features"])
            self.hexes[entry["q"], entry["r"]] = Ground(terrain, entry["level"], things, entry)
        self.sides = self._pairs(document.get("hexsides", ()), "hexside", binding["hexsides"])
        self.links = self._pairs(document.get("links", ()), "link", binding["links"])
        self._grant(granted)

    def near(self, hex_: Hex) -> Iterator[Hex]:
        """Yield the neighbours that are on the map."""
        around = ((hex_[0] + q, hex_[1] + r) for q, r in _STEPS)
        return (other for other in around if other in self.hexes)

    def _pairs(self, entries: Any, key: str, words: Data) -> dict[Pair, list[Data]]:
        found: dict[Pair, list[Data]] = {}
        for entry in entries:
            ends = _PAIR.fullmatch(entry[key])
            if ends and ends[1] in self.at and ends[2] in self.at:
                pair = frozenset((self.at[ends[1]], self.at[ends[2]]))
                found[pair] = _things(entry["features"], words)
        return found

    def _grant(self, granted: Data) -> None:
        """Add hexsides all round some terrain, and bridges where links cross some hexsides."""
        for hex_, ground in self.hexes.items():
            if word := granted["all_round"].get(ground.terrain):
                for other in self.near(hex_):
                    self.sides.setdefault(frozenset((hex_, other)), []).append({"kind": word})
        for pair, links in self.links.items():
            bridges = [granted["bridge"].get(one["kind"]) for one in links]
            under = {thing["kind"] for thing in self.sides.get(pair, ())}
            crossings = {word for kind in under for word in granted["crossed_by"].get(kind, ())}
            if any(bridges) and crossings and not crossings & under:
                self.sides[pair].append({"kind": next(filter(None, bridges))})


def distance(a: Hex, b: Hex) -> int:
    """Return how many hexes lie from one hex to another."""
    q, r = a[0] - b[0], a[1] - b[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


def _things(entries: Any, words: Data) -> list[Data]:
    return [one | {"kind": words[one["kind"]]} for one in entries if words.get(one["kind"])]
