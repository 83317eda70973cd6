"""The sample maps at hand: what there is, and one of them in the numbering asked for."""

from dataclasses import dataclass, replace

from mapkit.errors import MapkitError
from mapkit.model import HexMap
from mapkit.numbering import Numbering


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample map: its name, the title of its land, other ways it can be numbered."""

    name: str
    title: str
    numbered: tuple[str, ...] = ()

    def told(self) -> str:
        """Return the sample as a line of a list."""
        others = f"  --numbered {' | '.join(self.numbered)}" if self.numbered else ""
        return f"{self.name:<12} {self.title}{others}"


def list_samples() -> tuple[Sample, ...]:
    """Return every sample map."""
    from sample_maps import library

    return tuple(
        Sample(name, library.load(name).title, tuple(_numberings(name))) for name in library.names()
    )


def sample_map(name: str, numbered: str | None = None) -> HexMap:
    """Return a sample map; *numbered* is another way to number the same hexes.

    Raises:
        MapkitError: there is no such map, or it has no such numbering.
    """
    from sample_maps import library

    map_ = library.load(name)
    if numbered is None:
        return map_
    known = _numberings(name)
    if numbered not in known:
        raise MapkitError(
            f"the sample '{name}' is not numbered '{numbered}'; "
            f"there is: {', '.join(known) or 'only its own numbering'}"
        )
    return replace(map_, numbering=known[numbered])


def _numberings(name: str) -> dict[str, Numbering]:
    from sample_maps.catalogue import SAMPLES

    others = SAMPLES[name].other_numberings if name in SAMPLES else ()
    return {title.replace(" ", "-"): numbering for title, numbering in others}
