"""How long work tells where it is, without knowing who listens."""

from collections.abc import Callable

OnProgress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and what is being done now."""


def ignore(share: float, message: str) -> None:
    """Listen to nothing: the default of every `on_progress`."""


def part_of(on_progress: OnProgress, start: float, end: float) -> OnProgress:
    """Return a listener for one part of a longer work, from *start* to *end* of the whole.

    >>> heard = []
    >>> tell = part_of(lambda share, message: heard.append((share, message)), 0.5, 1.0)
    >>> tell(0.5, "second half")
    >>> heard
    [(0.75, 'second half')]
    """

    def tell(share: float, message: str) -> None:
        on_progress(start + (end - start) * share, message)

    return tell
