"""File names made of ids: safe on every system, and never the same twice."""

import re
import unicodedata
from collections.abc import Iterable

_OTHER = re.compile(r"[^A-Za-z0-9_+-]+")
# What Windows keeps for devices, whatever the ending.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{i}" for name in ("com", "lpt") for i in range(10))}
)
_LONGEST = 80


def file_stems(ids: Iterable[str]) -> dict[str, str]:
    """Return a file name without ending for each id, in their order.

    Letters lose their accents, other signs become hyphens. Names that differ by case alone are
    numbered, for some disks cannot tell them apart.

    >>> file_stems(["207/I", "207-i", "Jäger 5", "nul", "…"])
    {'207/I': '207-I', '207-i': '207-i-2', 'Jäger 5': 'Jager-5', 'nul': 'nul_', '…': 'counter'}
    """
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for id_ in dict.fromkeys(ids):
        plain = unicodedata.normalize("NFKD", id_).encode("ascii", "ignore").decode()
        stem = _OTHER.sub("-", plain).strip("-")[:_LONGEST] or "counter"
        if stem.casefold() in _DEVICES:
            stem += "_"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        stems[id_] = name
    return stems
