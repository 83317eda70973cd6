"""Names for files and ids that every system takes, whatever an author calls his things."""

import re
import unicodedata
from itertools import count

from exporters.writing import DEVICES

_LONGEST = 60


def plain_name(text: str, *, otherwise: str) -> str:
    """Return a name of small letters, digits and hyphens; *otherwise* where nothing is left.

    What Windows keeps for its devices comes after *otherwise*: no file may be called so.

    >>> plain_name("Élite: 1./2. Garde", otherwise="piece"), plain_name("第一", otherwise="piece")
    ('elite-1-2-garde', 'piece')
    >>> plain_name("Aux.", otherwise="map")
    'map-aux'
    """
    parted = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    ascii_ = parted.encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", ascii_)[:_LONGEST].strip("-") or otherwise
    return f"{otherwise}-{name}" if name in DEVICES else name


class FreeNames:
    """Hands out names, each once."""

    def __init__(self, taken: tuple[str, ...] = ()) -> None:
        self._taken = set(taken)

    def take(self, name: str) -> str:
        """Return a name, or the first of NAME-2, NAME-3, … that is free."""
        tries = (name if number == 1 else f"{name}-{number}" for number in count(1))
        free = next(one for one in tries if one not in self._taken)
        self._taken.add(free)
        return free
