"""The vocabulary of one map: what terrain, features, hexsides, links and areas it knows.

A kind's *id* is the map's own word ("bosco", "Stellung 2"), so any game fits. Its *role*, where
it has one, says what a mapmaker would call it, so that every map can be checked and drawn:
a stream that runs into a river, a bridge that needs water under it. Roles carry no rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

Group = Literal["terrain", "features", "hexsides", "links", "areas"]
GROUPS: tuple[Group, ...] = get_args(Group)

UNKNOWN = "unknown"  # terrain nobody has read yet: legal on every map, never declared

ROLES: dict[Group, tuple[str, ...]] = {
    "terrain": (
        "alpine", "beach", "city", "clear", "crags", "fields", "hills", "lake", "marsh",
        "mountain", "orchard", "rough", "sea", "town", "village", "vineyard", "woods",
    ),
    "features": (
        "airfield", "church", "city", "entry", "farm", "fort", "headquarters", "mine", "peak",
        "port", "ruin", "supply_source", "town", "trench", "victory", "village",
    ),
    "hexsides": (
        "border", "bridge", "crags", "crest", "ferry", "footbridge", "ford", "front_line",
        "great_river", "hedge", "river", "shore", "stream", "trench", "wall",
    ),
    "links": ("main_road", "rail", "road", "trail"),
    "areas": ("country", "front_line", "sector", "zone"),
}  # fmt: skip

WATERCOURSES = frozenset({"great_river", "river", "stream"})
CROSSINGS = frozenset({"bridge", "ferry", "footbridge", "ford"})
ROADS = frozenset({"main_road", "road", "trail"})
STANDING_WATER = frozenset({"lake", "sea"})


@dataclass(frozen=True, slots=True)
class Kind:
    """One word of the map's vocabulary.

    *title* is how it is printed in the legend; *colour* (`#rrggbb`) helps to draw it.
    """

    id: str
    title: str = ""
    role: str | None = None
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Kinds:
    """All the words of one map, group by group, each group in the order of its legend."""

    terrain: tuple[Kind, ...] = ()
    features: tuple[Kind, ...] = ()
    hexsides: tuple[Kind, ...] = ()
    links: tuple[Kind, ...] = ()
    areas: tuple[Kind, ...] = ()

    def group(self, group: Group) -> tuple[Kind, ...]:
        """Return the kinds of one group."""
        kinds: tuple[Kind, ...] = getattr(self, group)
        return kinds

    def ids(self, group: Group) -> frozenset[str]:
        """Return the ids of one group; for terrain *unknown* is always among them."""
        ids = frozenset(kind.id for kind in self.group(group))
        return ids | {UNKNOWN} if group == "terrain" else ids

    def roles(self, group: Group) -> dict[str, str]:
        """Return the role of every kind that has one, by id."""
        return {kind.id: kind.role for kind in self.group(group) if kind.role}

    def with_ids(self, group: Group, ids: Iterator[str]) -> "Kinds":
        """Return a vocabulary that knows these ids too; a well-known word brings its role."""
        known = self.ids(group)
        fresh = tuple(known_word(group, word) for word in dict.fromkeys(ids) if word not in known)
        return replace(self, **{group: self.group(group) + fresh})

    def merged(self, other: "Kinds") -> "Kinds":
        """Return both vocabularies; where both know an id, the first one's entry stays."""
        both = {
            group: self.group(group)
            + tuple(kind for kind in other.group(group) if kind.id not in self.ids(group))
            for group in GROUPS
        }
        return Kinds(**both)


def known_word(group: Group, word: str) -> Kind:
    """Return the kind a plain word stands for: with its role, if mapmakers know the word.

    >>> known_word("links", "Main road").role, known_word("links", "ski lift").role
    ('main_road', None)
    """
    role = word.strip().casefold().replace(" ", "_").replace("-", "_")
    return Kind(word, role=role if role in ROLES[group] else None)
