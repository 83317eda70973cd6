"""Are the pictures of faces there, whole, and big enough to be read?"""

from collections.abc import Iterator
from pathlib import Path

from counters.checking.problems import error, warning
from counters.drawing import open_picture
from counters.model import Counter
from mapkit.check.problems import Problem
from mapkit.errors import MapkitError

LEAST_PX = 75  # half an inch at 150 dpi: below that figures of a counter run together


def check_pictures(counter: Counter, folder: Path) -> Iterator[Problem]:
    """Yield what is wrong with the pictures of one counter."""
    for face in counter.faces:
        if not face.picture:
            continue
        told = {"picture": face.picture, "face": face.name}
        path = folder / face.picture
        if not path.exists():
            yield error("picture_missing", counter.id, **told)
        elif not path.resolve().is_relative_to(folder.resolve()):
            yield error("picture_outside", counter.id, **told)
        else:
            yield from _look_at(path, counter.id, told)


def _look_at(path: Path, place: str, told: dict[str, str]) -> Iterator[Problem]:
    try:
        width, height = open_picture(path).size
    except MapkitError:
        yield error("picture_broken", place, **told)
        return
    if min(width, height) < LEAST_PX:
        size = {"width": width, "height": height, "least": LEAST_PX}
        yield warning("picture_small", place, **told, **size)
