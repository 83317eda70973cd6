"""Which sample maps there are, and what is worth knowing about each."""

from collections.abc import Callable
from dataclasses import dataclass

from mapkit.model import HexMap
from mapkit.numbering import Numbering
from sample_maps.land import Land
from sample_maps.places import alpine, front, hills, valley, valley_guns


@dataclass(frozen=True)
class Sample:
    """One sample map: what it shows, how it is cut, and how else it is numbered.

    *cut_column* is the column of the labels that both sheets of a map in two sheets hold:
    the west sheet ends with it, the east sheet begins with it. *other_numberings* name the
    same hexes another way.
    """

    name: str
    about: str
    make: Callable[[], HexMap]
    land: Land
    cut_column: str = ""
    other_numberings: tuple[tuple[str, Numbering], ...] = ()

    @property
    def picture_px(self) -> tuple[int, int]:
        """Width and height of the picture that the map's grid and shapes refer to."""
        return self.land.picture_px


SAMPLES: dict[str, Sample] = {
    sample.name: sample
    for sample in (
        Sample(
            "alpine",
            "A high plateau between two great valleys, with forts and a front across it",
            alpine.make,
            Land.of(alpine.NUMBERING, alpine.COLUMNS, alpine.ROWS),
            cut_column="37",
        ),
        Sample(
            "front",
            "A wide land from the Alps to the sea, with railways, rivers and a border",
            front.make,
            Land.of(front.NUMBERING, front.COLUMNS, front.ROWS),
        ),
        Sample(
            "hills",
            "Low hills of vines above a plain, and one big river",
            hills.make,
            Land.of(hills.NUMBERING, hills.COLUMNS, hills.ROWS),
        ),
        Sample(
            "valley",
            "A great river below steep mountains, two trench systems, north not up",
            valley.make,
            Land.of(valley.FROM_NORTH, valley.COLUMNS, valley.ROWS, north_deg=valley.NORTH_DEG),
            other_numberings=(("from the south", valley.FROM_SOUTH),),
        ),
        Sample(
            "valley_guns",
            "The small second sheet of the valley, for guns that stand off the map",
            valley_guns.make,
            Land.of(
                valley_guns.NUMBERING,
                valley_guns.COLUMNS,
                valley_guns.ROWS,
                north_deg=valley.NORTH_DEG,
            ),
        ),
    )
}
