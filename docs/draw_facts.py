"""Draws facts of a game's pack to be checked against its rulebook with fresh eyes.

    python docs/draw_facts.py strafexpedition --seed 1916 --n 40

Every value that carries a cite can be drawn, each as likely as any other: from pack, tables,
tasks, sequence, victory and scenarios. What was found is kept in docs/checked-facts.md.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.abc import Traversable
from random import Random
from typing import Any

from rules.pack_files import read_toml
from rules.registry import pack_folder, pack_names

# Worked examples are tests of the rules, rule summaries are no values, open points are ours, and
# how counters are drawn is our art.
_NO_FACTS = frozenset({
    "cases.toml", "second_cases.toml", "rules.toml", "words.toml", "open_points.toml",
    "counters.toml",
})  # fmt: skip
_OURS = frozenset(
    {"cite", "title", "titles", "note", "do", "other", "sign", "role", "codes", "name"}
)
_SPOKEN = "facts."  # what a player may state, in words of three languages: no values either


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a pack, where it stands, and the rule it comes from."""

    file: str
    key: str
    value: str
    cite: str


def facts_of(folder: Traversable) -> list[Fact]:
    """Return every cited value of a pack, in the order of its files."""
    return [
        fact
        for name, file in sorted(_files(folder))
        for fact in _facts(name, "", read_toml(file) or {}, "")
    ]


def drawn(facts: list[Fact], n: int, seed: int) -> list[Fact]:
    """Return *n* facts, the same for the same seed."""
    return sorted(Random(seed).sample(facts, n), key=lambda fact: (fact.file, fact.key))


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".toml") and entry.name not in _NO_FACTS:
            yield f"{above}{entry.name}", entry


def _facts(file: str, key: str, value: Any, cite: str) -> Iterator[Fact]:
    if isinstance(value, dict):
        cite = value.get("cite", cite)
        for name, inner in value.items():
            if name not in _OURS and not name.endswith("_cite") and not key.startswith(_SPOKEN):
                at = value.get(f"{name}_cite", cite)
                yield from _facts(file, f"{key}.{name}" if key else name, inner, at)
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for number, inner in enumerate(value):
            yield from _facts(file, f"{key}[{number}]", inner, cite)
    elif cite:
        yield Fact(file, key, str(value), cite)


def main() -> None:
    """Print the facts drawn as rows of a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game", choices=pack_names())
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--n", type=int, default=40)
    given = options.parse_args()
    facts = facts_of(pack_folder(given.game))
    sys.stdout.write(f"{len(facts)} facts\n")
    for fact in drawn(facts, given.n, given.seed):
        sys.stdout.write(f"| {fact.cite} | `{fact.file}` `{fact.key}` | {fact.value} |\n")


if __name__ == "__main__":
    main()
