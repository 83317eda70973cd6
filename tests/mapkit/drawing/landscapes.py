"""Invented maps for the tests of drawing: one with every role, one like real land."""

import heapq
import math
from dataclasses import replace
from itertools import pairwise

from mapkit.grid import Grid
from mapkit.hexes import Hex, Hexside, Link, neighbours
from mapkit.kinds import GROUPS, ROLES, Kind, Kinds
from mapkit.model import Area, Feature, Ground, HexMap, Shape
from mapkit.numbering import Numbering

NUMBERINGS = {
    "flat": Numbering(straight="columns", order="CCRR"),
    "pointy": Numbering(straight="rows", order="RRCC"),
}


def all_kinds() -> Kinds:
    """Every role as a kind of its own name, and one kind without a role in each group."""
    groups = {
        group: (*(Kind(role, role=role) for role in ROLES[group]), Kind("odd", colour="#aa55cc"))
        for group in GROUPS
    }
    return Kinds(**groups)


def every_role(orientation="pointy", *, columns=12, rows=9) -> HexMap:
    """Return a small map on which every role of every group is used at least once."""
    numbering = NUMBERINGS[orientation]
    board = [numbering.hex_at(c, r) for r in range(rows) for c in range(columns)]
    terrain = [*ROLES["terrain"], "odd"]
    features = [*ROLES["features"], "odd"]
    hexes = {}
    for index, hex_ in enumerate(board):
        feature = features[index // 3] if index % 3 == 1 and index // 3 < len(features) else None
        told = (Feature(feature, value=index % 9 + 1),) if feature else ()
        kind = terrain[index % len(terrain)]
        hexes[hex_] = Ground(kind, features=told, name=f"Place {index}" if index % 11 == 4 else "")
    pairs = [(a, b) for a in board for b in neighbours(a) if b in hexes and a < b]
    sides = {}
    for index, role in enumerate([*ROLES["hexsides"], "odd"]):
        a, b = pairs[index * 9 % len(pairs)]
        sides[Hexside(a, b)] = (Feature(role, value=2, facing=a if role == "trench" else None),)
    links = {}
    for index, role in enumerate([*ROLES["links"], "odd"]):
        a, b = pairs[(index * 13 + 5) % len(pairs)]
        links[Link(a, b)] = (Feature(role),)
    areas = tuple(
        Area(f"The {role}", role, hexes=tuple(board[index * 3 : index * 3 + 3]))
        for index, role in enumerate([*ROLES["areas"], "odd"])
    )
    return HexMap(
        grid=Grid.regular(orientation, pitch_px=60, hex_mm=16, north_deg=20),
        numbering=numbering,
        hexes=hexes,
        kinds=all_kinds(),
        hexsides=sides,
        links=links,
        areas=areas,
        title="Every role",
    )


def field(x: float, y: float) -> float:
    """Return the height of the land, 0 to 1, at a point in hexes."""
    waves = (
        math.sin(x * 0.21 + 1.3) * math.cos(y * 0.17 - 0.4) * 0.5
        + math.sin(x * 0.09 - y * 0.13 + 2.1) * 0.6
        + math.sin(x * 0.53 + y * 0.31) * 0.14
        + math.cos(x * 0.37 - y * 0.49) * 0.16
    )
    return min(max(0.5 + 0.42 * waves, 0.0), 1.0)


def moisture(x: float, y: float) -> float:
    return 0.5 + 0.3 * math.sin(x * 0.4 + 0.7 * math.cos(y * 0.35)) + 0.3 * math.cos(y * 0.52 + 1)


def landscape(orientation="pointy", *, columns=30, rows=22, levels=7) -> HexMap:
    """Return land with hills, woods, a lake, rivers that run down, towns and roads."""
    numbering = NUMBERINGS[orientation]
    grid = Grid.regular(orientation, pitch_px=64, hex_mm=16, north_deg=0)
    board = {numbering.hex_at(c, r) for r in range(rows) for c in range(columns)}

    def at(hex_):
        x, y = grid.centre(hex_)
        return x / 64, y / 64

    height = {hex_: field(*at(hex_)) for hex_ in board}
    hexes = {hex_: Ground(*_terrain(height[hex_], moisture(*at(hex_)), levels)) for hex_ in board}
    sides = _rivers(board, height, hexes)
    towns = _towns(board, height, hexes)
    for index, hex_ in enumerate(towns):
        role = ("city", "town", "village", "village", "town", "village")[index % 6]
        more = (Feature("victory", value=index % 5 + 1),) if index % 4 == 0 else ()
        hexes[hex_] = Ground(
            "clear", hexes[hex_].level, (Feature(role), *more), name=NAMES[index % len(NAMES)]
        )
    links = _roads(towns, height, hexes)
    _bridges(links, sides)
    _peaks(board, height, hexes)
    _front(board, at, hexes, sides, columns)
    return HexMap(
        grid=grid,
        numbering=numbering,
        hexes=hexes,
        kinds=all_kinds(),
        hexsides={side: tuple(found) for side, found in sides.items()},
        links=links,
        title="The Valley of Ardenza",
        notes=("An invented landscape.",),
    )


NAMES = [
    "Castelvero", "Sant’Orsola", "Pian dei Larici", "Rocca Bruna", "Vallombra", "Mezzalira",
    "Torre Alta", "Ponte Vecchio", "Fontanelle", "Borgo Nuovo", "Cima d’Oro", "Malga Lunga",
]  # fmt: skip


def _terrain(height, wet, levels):
    level = min(int(height * levels), levels - 1)
    kinds = [
        ("lake", height < 0.1),
        ("marsh", height < 0.2 and wet > 0.75),
        ("alpine", height > 0.86),
        ("woods", wet > 0.62),
        ("rough", height > 0.7 and wet < 0.3),
        ("vineyard", height < 0.4 and wet < 0.2),
        ("fields", height < 0.45 and wet < 0.32),
        ("clear", True),
    ]
    kind = next(kind for kind, here in kinds if here)
    return kind, 0 if kind == "lake" else level


def _rivers(board, height, hexes):
    """Walk down from springs along the vertices, from high to low ground."""

    def vertex_height(vertex):
        return sum(height.get(hex_, 0.0) for hex_ in vertex) / 3

    sides: dict = {}
    for rank, spring in enumerate(
        sorted(board, key=lambda h: (h.q * 7919 + h.r * 104729) % 997)[:9]
    ):
        side = Hexside.between(spring, next(n for n in neighbours(spring) if n in board))
        here, seen = side.vertices[0], set()
        for step in range(26):
            options = [
                (vertex_height(other), other, hexside)
                for hexside in here.hexsides
                for other in hexside.vertices
                if other != here and other not in seen
            ]
            if not options:
                break
            _, there, hexside = min(options)
            if hexside.a not in board or hexside.b not in board:
                break
            if hexes[hexside.a].terrain == "lake" or hexes[hexside.b].terrain == "lake":
                break
            seen.add(here)
            kind = "great_river" if rank == 0 else "river" if rank < 5 and step > 3 else "stream"
            if hexside not in sides:
                name = "Ardenza" if rank == 0 else ""
                sides[hexside] = [Feature(kind, name=name)]
            here = there
    return sides


def _towns(board, height, hexes):
    towns: list[Hex] = []
    for hex_ in sorted(board, key=lambda h: (round(abs(height[h] - 0.35), 3), h)):
        far = all(abs(hex_.q - t.q) + abs(hex_.r - t.r) > 6 for t in towns)
        if far and hexes[hex_].terrain in ("clear", "fields", "vineyard"):
            towns.append(hex_)
        if len(towns) == 11:
            break
    return towns


def _roads(towns, height, hexes):
    links: dict = {}
    kinds = ["main_road", "road", "trail", "rail"]
    for index, (a, b) in enumerate(pairwise(towns)):
        way = _way(a, b, height, hexes)
        for one, other in pairwise(way):
            link = Link.between(one, other)
            features = links.get(link, ())
            kind = kinds[index % 4]
            if not any(f.kind == kind for f in features) and (not features or kind == "rail"):
                links[link] = (*features, Feature(kind))
    return links


def _way(start, goal, height, hexes):
    front = [(0.0, start)]
    best = {start: 0.0}
    came: dict = {}
    while front:
        cost, here = heapq.heappop(front)
        if here == goal:
            break
        for near in neighbours(here):
            if near not in hexes or hexes[near].terrain == "lake":
                continue
            new = cost + 1 + 12 * abs(height[near] - height[here])
            if new < best.get(near, 1e9):
                best[near], came[near] = new, here
                heapq.heappush(front, (new, near))
    way = [goal]
    while way[-1] in came:
        way.append(came[way[-1]])
    return way[::-1]


def _bridges(links, sides):
    for link, features in links.items():
        side = Hexside(*link)
        if side in sides:
            kind = features[0].kind
            bridge = "footbridge" if kind == "trail" else "bridge"
            blown = "blown" if (side.a.q + side.b.r) % 5 == 0 else ""
            sides[side].append(Feature(bridge, state=blown))


def _peaks(board, height, hexes):
    count = 0
    for hex_ in sorted(board):
        near = [height.get(n, 0.0) for n in neighbours(hex_)]
        if height[hex_] > max(near) and height[hex_] > 0.6:
            count += 1
            old = hexes[hex_]
            peak = Feature(
                "peak", value=int(height[hex_] * 2400), name=f"Monte {NAMES[-count % len(NAMES)]}"
            )
            hexes[hex_] = Ground(old.terrain, old.level, (*old.features, peak))


def _front(board, at, hexes, sides, columns):
    """A trench line across the map, with forts and supply behind it."""
    line = columns * 0.55
    for hex_ in sorted(board):
        for near in neighbours(hex_):
            if near in board and at(hex_)[0] < line <= at(near)[0]:
                side = Hexside.between(hex_, near)
                if "lake" in (hexes[hex_].terrain, hexes[near].terrain) or side in sides:
                    continue
                sides[side] = [Feature("trench", value=2 if hex_.r % 4 else 3, facing=hex_)]
            if near in board and (hexes[hex_].level or 0) - (hexes[near].level or 0) >= 2:
                sides.setdefault(Hexside.between(hex_, near), [Feature("crags")])
    for index, hex_ in enumerate(sorted(board)):
        if index % 97 == 50 and hexes[hex_].terrain != "lake" and not hexes[hex_].features:
            kind = ("fort", "supply_source", "church", "farm")[index // 97 % 4]
            old = hexes[hex_]
            hexes[hex_] = Ground(old.terrain, old.level, (Feature(kind),), old.name)


def with_shapes(map_: HexMap) -> HexMap:
    """Return the map with a wood, a road and a contour that cross hexes freely."""
    x, y = map_.grid.centre(sorted(map_.hexes)[len(map_.hexes) // 2])
    ring = tuple(
        (x + 150 * math.cos(math.tau * i / 40), y + 110 * math.sin(math.tau * i / 40))
        for i in range(40)
    )
    closed = (*ring, ring[0])
    road = tuple((x - 300 + 30 * i, y + 40 * math.sin(i)) for i in range(20))
    shapes = (
        Shape("woods", "outline", (closed,), name="Bosco Nero"),
        Shape("road", "line", (road,)),
        Shape("peak", "point", (((x + 9, y - 7),),), name="Cima"),
    )
    return replace(map_, shapes=shapes)
