"""A map in the making: what the fields, rivers, roads and towns say, gathered into a HexMap."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import Kinds
from mapkit.model import Area, Feature, Ground, HexMap, Shape
from sample_maps.curves import Line
from sample_maps.fields import calm_edges, calm_levels, inside_at_centres
from sample_maps.land import Field, Land
from sample_maps.outlines import Rings, outlines

UNDERLAP = 0.02  # of a field: a pixel or two below the neighbour, so that no gap shows


@dataclass
class Draft:
    """A map being built; *base* is the terrain where no outline says otherwise.

    What is painted first keeps its ground: later terrain ends where earlier terrain begins.
    """

    land: Land
    kinds: Kinds
    base: str = "clear"
    terrain: dict[Hex, str] = field(default_factory=dict)
    levels: dict[Hex, int] = field(default_factory=dict)
    names: dict[Hex, str] = field(default_factory=dict)
    features: dict[Hex, list[Feature]] = field(default_factory=lambda: defaultdict(list))
    hexsides: dict[Hexside, list[Feature]] = field(default_factory=lambda: defaultdict(list))
    links: dict[Link, list[Feature]] = field(default_factory=lambda: defaultdict(list))
    areas: list[Area] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    painted: list[Field] = field(default_factory=list)

    def set_levels(self, height: Field, *, lowest: int, highest: int) -> Field:
        """Take levels and contours from the height; return it as it was then drawn."""
        drawn = calm_levels(self.land, height, lowest=lowest, highest=highest)
        for hex_, value in self.land.at_centres(drawn).items():
            self.levels[hex_] = min(max(int(value // 1), lowest), highest)
        for level in range(lowest + 1, highest + 1):
            for rings in outlines(self.land, drawn - level):
                self.shapes.append(Shape("level", "outline", rings, level=level))
        return drawn

    def paint(self, terrain: str, area: Field, *, clearings: Collection[Hex] = ()) -> set[Hex]:
        """Lay a terrain where a field is above nought, and return its hexes.

        Single hexes of it, and single gaps in it, are smoothed away, save the *clearings*.
        """
        for earlier in self.painted:
            area = np.minimum(area, UNDERLAP - earlier)
        inside = inside_at_centres(self.land, area)
        inside = without_lone_hexes(self.land, inside, self.terrain) - set(clearings)
        area = calm_edges(self.land, area, inside)
        self.painted.append(area)
        self.shapes += self.drawn(terrain, area)
        self.terrain |= dict.fromkeys(inside, terrain)
        return inside

    def drawn(self, kind: str, area: Field, *, name: str = "") -> list[Shape]:
        """Return the outlines of the ground where a field is above nought."""
        return [self.outline(kind, rings, name=name) for rings in outlines(self.land, area)]

    def outline(self, kind: str, rings: Rings, *, name: str = "") -> Shape:
        """Return a drawn outline."""
        return Shape(kind, "outline", rings, name=name)

    def draw_lines(self, lines: Iterable[Line]) -> None:
        """Add drawn lines."""
        self.shapes += [Shape(line.kind, "line", (line.points,), name=line.name) for line in lines]

    def mark(self, kind: str, at: Point, *, name: str = "") -> None:
        """Add a drawn point."""
        point = (round(at[0] * 2) / 2, round(at[1] * 2) / 2)
        self.shapes.append(Shape(kind, "point", ((point,),), name=name))

    def finished(self, title: str, notes: tuple[str, ...]) -> HexMap:
        """Return the map."""
        hexes = {
            hex_: Ground(
                self.terrain.get(hex_, self.base),
                self.levels.get(hex_),
                tuple(self.features.get(hex_, ())),
                self.names.get(hex_, ""),
            )
            for hex_ in self.land.hexes
        }
        return HexMap(
            grid=self.land.grid,
            numbering=self.land.numbering,
            hexes=hexes,
            kinds=self.kinds,
            hexsides={k: tuple(v) for k, v in sorted(self.hexsides.items()) if v},
            links={k: tuple(v) for k, v in sorted(self.links.items()) if v},
            areas=tuple(self.areas),
            shapes=tuple(self.shapes),
            title=title,
            notes=notes,
        )


def without_lone_hexes(land: Land, inside: set[Hex], taken: Collection[Hex]) -> set[Hex]:
    """Return the set without single hexes, and with the single gaps it leaves filled.

    *taken* hexes belong to other terrain: a gap shut in between that and this is filled too.
    """
    kept = {hex_ for hex_ in inside if any(other in inside for other in neighbours(hex_))}
    gaps = {
        hex_
        for hex_ in land.hexes
        if hex_ not in kept
        and hex_ not in taken
        and all(other in kept or other in taken for other in neighbours(hex_))
        and any(other in kept for other in neighbours(hex_))
    }
    return kept | gaps
