"""The formats of our own files: what a newer Mapkit wrote is refused by that name."""

import re

from mapkit.errors import DocumentError


def refuse_newer(found: object, format_: str, source: str) -> None:
    """Raise DocumentError where a file has a later version of a format (`mapkit-ruling/2`).

    Anything else passes: what is no such file at all, its own reader tells better.
    """
    kind, _, ours = format_.rpartition("/")
    later = re.fullmatch(rf"{kind}/(\d{{1,6}})", found) if isinstance(found, str) else None
    if later and int(later[1]) > int(ours):
        raise DocumentError(
            f"{source}: written as '{found}', this Mapkit reads '{format_}'; install a newer Mapkit"
        )
