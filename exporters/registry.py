"""Every exporter by name: ours and a stranger's come in by the same door."""

import logging
from typing import cast

from exporters.model import Exporter, ExportError
from mapkit import plugins
from mapkit.plugins import PluginError
from mapkit.texts import say

GROUP = "mapkit.exporters"

_NEEDED = ("name", "title", "suffix", "options", "render")

log = logging.getLogger(__name__)


def available() -> dict[str, Exporter]:
    """Return every exporter by name; a stranger may add a name, never replace one.

    One that does not load is passed over: asking for it by name says why.
    """
    found = {}
    for name in sorted(plugins.found(GROUP)):
        try:
            found[name] = find_exporter(name)
        except PluginError as error:
            log.info("%s", error)
    return found


def find_exporter(name: str) -> Exporter:
    """Return one exporter.

    Raises:
        ExportError: there is none of that name.
        PluginError: it does not load, or is no exporter.
    """
    entries = plugins.found(GROUP)
    if name not in entries:
        raise ExportError(f"there is no export '{name}'; there is: {', '.join(sorted(entries))}")
    made = plugins.load(entries[name])
    lacks = [part for part in _NEEDED if not hasattr(made, part)]
    if lacks:
        raise plugins.broken(entries[name], f"it is no exporter: it has no {', '.join(lacks)}")
    return cast(Exporter, made)


def title_of(exporter: Exporter) -> str:
    """Return what an exporter makes, in the language in use; a stranger's own words stay."""
    return exporter.title if " " in exporter.title else say(exporter.title)
