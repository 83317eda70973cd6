"""A map in the making: what the fields, rivers, roads and towns say, gathered into a HexMap."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import WATERCOURSES, Kinds
from mapkit.model import Area, Feature, Ground, HexMap, Shape
from sample_maps.curves import Line
from sample_maps.fields import (
    calm_edges,
    calm_levels,
    inside_at_centres,
    levels_at_centres,
    pushed,
    ragged,
)
from sample_maps.land import Field, Land
from sample_maps.outlines import Rings, outlines, without_scraps
from sample_maps.saddles import BANK, NECK, Water, dips, filled, islands

UNDERLAP = 0.02  # of a field: a pixel or two below the neighbour, so that no gap shows
CLEARLY = 0.06  # of a field: beyond dispute
FALL = 0.6  # of a field for each hex, beside ground that was joined
RAGGED_SEED = 1848


@dataclass(frozen=True, eq=False)
class Painted:
    """A terrain: the field it was laid by, that field as it keeps later terrain off, its hexes.

    *joins* are hexes of earlier terrain at whose centre its own field is above nought too.
    """

    terrain: str
    area: Field
    calm: Field
    inside: set[Hex]
    joins: set[Hex]


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
    height: Field | None = None
    painted: list[Painted] = field(default_factory=list)

    def set_levels(self, height: Field, *, lowest: int, highest: int) -> Field:
        """Take levels from the height; return it with calm ground at the centres."""
        self.levels = levels_at_centres(self.land, height, lowest=lowest, highest=highest)
        self.height = height
        return calm_levels(self.land, height, self.levels)

    def paint(self, terrain: str, area: Field, *, clearings: Collection[Hex] = ()) -> set[Hex]:
        """Lay a terrain where a field is above nought, and return its hexes.

        Single hexes of it, and single gaps in it, are smoothed away, save the *clearings*.
        """
        joins = inside_at_centres(self.land, area) & self.terrain.keys()
        shown = area
        for earlier in self.painted:
            shown = np.minimum(shown, UNDERLAP - earlier.calm)
        inside = inside_at_centres(self.land, shown)
        inside = without_lone_hexes(self.land, inside, self.terrain) - set(clearings)
        calm = calm_edges(self.land, shown, inside)
        self.painted.append(Painted(terrain, area, calm, inside, joins))
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
            shapes=(*self._ground(), *self.shapes),
            title=title,
            notes=notes,
        )

    def _ground(self) -> Iterator[Shape]:
        """Yield contours and outlines of terrain, drawn when it is known where water runs."""
        wet = {k for k, role in self.kinds.roles("hexsides").items() if role in WATERCOURSES}
        sides = {s for s, found in self.hexsides.items() if any(f.kind in wet for f in found)}
        lines = [shape.rings[0] for shape in self.shapes if shape.kind in wet]
        water = Water.of(self.land, sides, lines)
        away = np.where(water.away < BANK, self.land.cover[1], ragged(self.land, RAGGED_SEED))
        if self.height is not None:
            yield from self._contours(self.height, water, away)
        earlier: list[Field] = []
        for painted in self.painted:
            whole = painted.inside | painted.joins
            area = self._joined(painted.area, whole, water)
            area = calm_edges(self.land, area, whole, away=away)
            # Cut back only now: calmed after that, two terrains would draw back from each other.
            for other in earlier:
                area = np.minimum(area, UNDERLAP - other)
            area = without_scraps(self.land, area)
            earlier.append(area)
            yield from self.drawn(painted.terrain, area)

    def _joined(self, area: Field, whole: set[Hex], water: Water) -> Field:
        """Return a field that joins the hexes of its terrain, and leaves no other one alone."""
        area = pushed(self.land, area, whole)
        low = dips(self.land, area, dict.fromkeys(whole, CLEARLY), water)
        area = filled(self.land, area, low, water, steep=FALL)
        others = {h: self.terrain.get(h, self.base) for h in self.land.hexes if h not in whole}
        shut = dict.fromkeys(islands(self.land, area, others, water), CLEARLY)
        return -filled(self.land, -area, shut, water, steep=FALL, breadth=NECK)

    def _contours(self, height: Field, water: Water, away: Field) -> Iterator[Shape]:
        least = {hex_: level + 0.12 for hex_, level in self.levels.items()}
        low = dips(self.land, height, least, water)
        height = filled(self.land, height, low, water, steep=4.0)
        height = calm_levels(self.land, height, self.levels, away=away)
        for level in range(min(self.levels.values()) + 1, max(self.levels.values()) + 1):
            for rings in outlines(self.land, height - level):
                yield Shape("level", "outline", rings, level=level)


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
