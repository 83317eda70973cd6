"""The command lines that the documentation shows, found in its code blocks."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"

_BLOCK = re.compile(r"^ *```[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_STOPS = {"|", "||", "&&", ">", ">>", "<", ";"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A command line in the documentation: where it stands, and its words after `mapkit`."""

    place: str
    words: tuple[str, ...]


def written_pages() -> list[Path]:
    """Return the pages a person wrote: README and docs without the made reference."""
    pages = [path for path in sorted(DOCS.rglob("*.md")) if REFERENCE not in path.parents]
    return [ROOT / "README.md", *pages]


def shown_commands(text: str, place: str) -> Iterator[Shown]:
    """Yield each `mapkit …` line of the code blocks in *text*, with or without a `$`.

    >>> page = "```console\\n$ mapkit map check a.json | head  # all of it\\nok\\n```"
    >>> [shown.words for shown in shown_commands(page, "x.md")]
    [('map', 'check', 'a.json')]
    """
    for block in _BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.strip().removeprefix("$ ").removeprefix("> ")
            if command.startswith("mapkit "):
                words = shlex.split(command, comments=True)[1:]
                stop = next((i for i, word in enumerate(words) if word in _STOPS), len(words))
                yield Shown(place, tuple(words[:stop]))


def documented_commands() -> list[Shown]:
    """Return every command line that README and docs show."""
    found: list[Shown] = []
    for page in written_pages():
        text = page.read_text(encoding="utf-8")
        found += shown_commands(text, str(page.relative_to(ROOT)))
    return found
