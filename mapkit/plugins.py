"""What is installed under our entry-point groups: ours first, then strangers'.

Commands, demo steps, exporters and packs all come in by this door. A stranger
may add a name, never replace one of ours, and a stranger that does not load
breaks nothing but itself.
"""

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from mapkit.errors import MapkitError

OURS = "mapkit"
"""The distribution whose names no other may take."""

log = logging.getLogger(__name__)


class PluginError(MapkitError):
    """A plugin does not load; the message names its package and what it said."""


@cache
def found(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of *group* by name, none of them loaded.

    The answer is remembered: what is installed does not change under us.
    """
    kept: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=_ours_first):
        if kept.setdefault(entry.name, entry) != entry:
            log.info(
                "%s: '%s' of package %s is passed over, the name is taken by %s",
                group,
                entry.name,
                distribution(entry),
                distribution(kept[entry.name]),
            )
    return kept


def load(entry: EntryPoint) -> object:
    """Return what *entry* points at.

    Raises:
        PluginError: its import fails, in whatever way; even by leaving Python.
    """
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise broken(entry, reason) from error


def broken(entry: EntryPoint, reason: str) -> PluginError:
    """Return the error that says which package to mend or remove."""
    return PluginError(
        f"'{entry.name}' of package {distribution(entry)} does not load ({reason});"
        " update that package or uninstall it"
    )


def distribution(entry: EntryPoint) -> str:
    """Return the name of the package that brought *entry*."""
    return entry.dist.name if entry.dist else "unknown"


def _ours_first(entry: EntryPoint) -> tuple[bool, str, str]:
    return distribution(entry) != OURS, entry.name, distribution(entry)
