"""Every text of the page once, in three languages; the rest of its data says which by number."""

from collections.abc import Callable

from mapkit.texts import LANGUAGES, say, speaking


class Phrases:
    """Collects texts; each is stored once, however often it is used."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}

    def add(self, told: Callable[[], str]) -> int:
        """Return the number of a text, spoken once in each language."""
        spoken = []
        for language in LANGUAGES:
            with speaking(language):
                spoken.append(told())
        return self._numbers.setdefault(tuple(spoken), len(self._numbers))

    def plain(self, text: str) -> int:
        """Return the number of a text that is the same in every language: a name."""
        return self._numbers.setdefault((text,) * len(LANGUAGES), len(self._numbers))

    def say(self, key: str, **values: object) -> int:
        """Return the number of a text of the catalogues."""
        return self.add(lambda: say(key, **values))

    def as_data(self) -> dict[str, list[str]]:
        """Return all texts by language, in the order of their numbers."""
        return {
            language: [texts[at] for texts in self._numbers]
            for at, language in enumerate(LANGUAGES)
        }


class Slot(int):
    """A number that decides between one and many, but is filled in only on the page: `{n}`.

    >>> f"{Slot(2)} hexes"
    '{n} hexes'
    """

    def __format__(self, spec: str) -> str:
        return "{n}"
