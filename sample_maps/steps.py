"""The steps that every map takes: water, crags, towns, ways, bridges, summits."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from mapkit.grid import Point
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.model import Feature
from sample_maps import roads, towns
from sample_maps.build import Draft
from sample_maps.fields import settled
from sample_maps.fronts import Front, hexside_lines
from sample_maps.gazetteer import Names, Region
from sample_maps.land import Field, Land
from sample_maps.rivers import Rivers
from sample_maps.rivers import lines as river_lines
from sample_maps.roads import Roads
from sample_maps.towns import Place

RegionOf = Callable[[Hex], Region]


def side_of(link: Link) -> Hexside:
    """Return the hexside that a link crosses."""
    return Hexside(*link)


def lay_water(draft: Draft, rivers: Rivers, seed: int) -> None:
    """Put watercourses on their hexsides, and draw them."""
    for side, kind in sorted(rivers.kinds.items()):
        draft.hexsides[side].append(Feature(kind, name=rivers.name_of.get(side, "")))
    draft.draw_lines(river_lines(draft.land, rivers, seed))


def lay_crags(
    draft: Draft, height: Field, kind: str, seed: int, *, drop: float, clear_of: Iterable[Hexside]
) -> set[Hexside]:
    """Put crags on hexsides where the land drops by *drop* levels from centre to centre.

    Single ones are left out; so are those in *clear_of* (water, or where a road goes).
    """
    land = draft.land
    at = land.at_centres(settled(height))
    steep = {
        Hexside.between(hex_, other)
        for hex_ in land.hexes
        for other in neighbours(hex_)
        if other in land.hex_set
        and abs(at[hex_] - at[other]) >= drop
        and abs(draft.levels[hex_] - draft.levels[other]) >= 1
    } - set(clear_of)
    sides = {side for side in steep if any(other in steep for other in _touching(side))}
    for side in sorted(sides):
        draft.hexsides[side].append(Feature(kind))
    draft.draw_lines(hexside_lines(land, sides, kind, seed))
    return sides


def lay_places(
    draft: Draft, places: Sequence[Place], seed: int, radius: Mapping[str, float]
) -> None:
    """Put towns and villages on their hexes, and draw their outlines."""
    for index, place in enumerate(places):
        for hex_ in place.hexes:
            draft.features[hex_].append(Feature(place.kind, owner=place.owner, name=place.name))
            draft.names[hex_] = place.name
        if place.value is not None:
            draft.features[place.hexes[0]].append(Feature("victory", value=place.value))
        grown = towns.outline(draft.land, place, seed + index, radius=radius[place.kind])
        for rings in grown:
            draft.shapes.append(draft.outline(place.kind, rings, name=place.name))


def lay_ways(draft: Draft, net: Roads, seed: int) -> None:
    """Put roads and trails on their links, and draw them."""
    for link, kind in sorted(net.links.items()):
        draft.links[link].append(Feature(kind))
    meet = {
        hex_: draft.land.grid.centre(hex_)
        for hex_, features in draft.features.items()
        if any(feature.kind in ("town", "city", "fort") for feature in features)
    }
    draft.draw_lines(roads.lines(draft.land, net.links, net.kinds, seed, fixed=meet))


def lay_bridges(
    draft: Draft,
    rivers: Rivers,
    ways: Mapping[Link, str],
    over: Callable[[str, str], str],
) -> None:
    """Put a crossing wherever a way meets water; *over(water, way)* says which."""
    for link, way in sorted(ways.items()):
        water = rivers.kinds.get(Hexside(*link))
        if water is not None:
            crossing = over(water, way)
            here = draft.hexsides[Hexside(*link)]
            if all(feature.kind != crossing for feature in here):
                here.append(Feature(crossing))


def lay_trenches(draft: Draft, front: Front, kind: str, *, strength: Callable[[Hex], int]) -> None:
    """Put one side's trenches on the hexsides of its front.

    They need no drawn line: a trench runs along its hexside, inside the hex that it faces.
    """
    for side, hex_ in sorted(front.facing.items()):
        draft.hexsides[side].append(
            Feature(kind, value=strength(hex_), owner=front.owner, facing=hex_)
        )


def lay_peaks(
    draft: Draft,
    height: Field,
    names: Names,
    region: RegionOf,
    *,
    count: int,
    apart: int,
    least: float,
    metres: Callable[[float], int],
    taken: Iterable[Hex] = (),
) -> list[Hex]:
    """Put summits on the highest hexes around, with their names and heights in metres."""
    land = draft.land
    at = land.at_centres(settled(height))
    wet = {hex_ for hex_, terrain in draft.terrain.items() if terrain in ("lake", "sea")}

    def worth(hex_: Hex) -> int | None:
        around = [at[other] for other in neighbours(hex_) if other in land.hex_set]
        if hex_ in wet or at[hex_] < least or max(around) > at[hex_] or len(around) < 6:
            return None
        return round(at[hex_] * 1000)

    found = towns.settle(land, worth, count=count, apart=apart, taken=taken)
    for hex_ in found:
        name = names.draw(region(hex_), "peak")
        draft.features[hex_].append(Feature("peak", value=metres(at[hex_]), name=name))
        draft.names.setdefault(hex_, name)
        draft.mark("peak", _highest(land, height, hex_), name=name)
    return found


def _highest(land: Land, height: Field, hex_: Hex) -> Point:
    """Return the highest pixel near the centre of a hex."""
    centre = land.grid.centre(hex_)
    rows, columns = land.window([land.to_hexes(centre)], 0.3)
    j, i = np.unravel_index(np.argmax(height[rows, columns]), height[rows, columns].shape)
    return float(land.xs[columns][i]), float(land.ys[rows][j])


def travel(
    land: Land,
    height: Field,
    rivers: Rivers,
    *,
    climb: int,
    water: Mapping[str, int],
    barred: Iterable[Hexside] = (),
    rough: Mapping[Hex, int] = {},
) -> roads.Cost:
    """Return what a step costs a road builder: distance, climbing, water, rough ground."""
    at = {hex_: round(value * 100) for hex_, value in land.at_centres(settled(height)).items()}
    shut = frozenset(barred)

    def cost(here: Hex, other: Hex) -> int | None:
        side = Hexside.between(here, other)
        if side in shut:
            return None
        rise = abs(at[here] - at[other])
        wet = water.get(rivers.kinds.get(side, ""), 0)
        return 100 + climb * rise * rise // 1000 + wet + rough.get(other, 0)

    return cost


def _touching(side: Hexside) -> set[Hexside]:
    return {other for vertex in side.vertices for other in vertex.hexsides} - {side}
