"""What a person should hear of the legend: samples off the picture, and kinds never found.

Neither is seen in the finished map: a kind that is missing leaves no trace there.
"""

from collections.abc import Iterable

from mapkit.model import HexMap
from mapkit.scan.load import LoadedScan
from mapkit.scan.teaching import Sample, TeachingError
from mapkit.texts import say


def check_frames(legend: Iterable[Sample], scan: LoadedScan) -> None:
    """Refuse a sample off the picture at once, as finding the grid takes long.

    Raises:
        TeachingError: a rectangle does not lie on the scan; it is told in pixels of the file.
    """
    height, width = (side / scan.reduced for side in scan.pixels.shape[:2])
    for sample in legend:
        if sample.rect is None:
            continue
        x, y, wide, high = (number / scan.reduced for number in sample.rect)
        # A pixel more may be lost where a big picture was reduced.
        if min(x, y) < 0 or x + wide > width + 1 or y + high > height + 1:
            raise TeachingError(
                f"the sample of {sample.kind} at {x:.0f},{y:.0f} lies outside of the picture of "
                f"{width:.0f} × {height:.0f} px; a rect is left, top, width, height"
            )


def unseen(map_: HexMap, legend: Iterable[Sample]) -> tuple[str, ...]:
    """Return a note that names the samples of which nothing was found, where there are such."""
    seen = {("terrain", ground.terrain) for ground in map_.hexes.values()}
    seen |= {("levels", str(ground.level)) for ground in map_.hexes.values()}
    seen |= {("features", one.kind) for ground in map_.hexes.values() for one in ground.features}
    seen |= {("hexsides", one.kind) for some in map_.hexsides.values() for one in some}
    seen |= {("links", one.kind) for some in map_.links.values() for one in some}
    missing = [one for one in legend if (one.group, one.kind) not in seen]
    if not missing:
        return ()
    named = ", ".join(dict.fromkeys(one.title or one.kind for one in missing))
    return (say("mapkit.scan.note.unseen", kinds=named),)
