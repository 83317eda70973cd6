"""Where a counter's picture may lie: beside the file that names it, never outside its folder."""

from pathlib import PurePosixPath, PureWindowsPath


def as_written(text: str) -> str:
    """Return a path as our files write it, with slashes, whatever system it was typed on.

    >>> as_written("cut\\\\79-i.png")
    'cut/79-i.png'
    """
    return text.replace("\\", "/")


def leads_out(text: str) -> bool:
    """Tell whether a path is absolute, or climbs out of its folder, on any system.

    >>> leads_out("cut/79-i.png"), leads_out("../79-i.png"), leads_out("C:79-i.png")
    (False, True, True)
    """
    path = PurePosixPath(as_written(text))
    windows = PureWindowsPath(text)
    strange = not text.isprintable() or not path.parts
    return strange or path.is_absolute() or bool(windows.anchor) or ".." in path.parts
