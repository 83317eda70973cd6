"""The one drawing of a map: every layer in its order, as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shapely.geometry import LineString

from mapkit import texts
from mapkit.drawing.areas import draw_area_lines, draw_areas
from mapkit.drawing.fonts import font_faces
from mapkit.drawing.frame import Frame
from mapkit.drawing.furniture import FURNITURE, draw_border, draw_foot, plan_foot
from mapkit.drawing.gridlines import draw_grid
from mapkit.drawing.hex_numbers import draw_numbers, moved_numbers
from mapkit.drawing.layers import ALL_LAYERS, check_layers
from mapkit.drawing.legend import LegendEntry
from mapkit.drawing.lettering import (
    draw_names,
    names_wanted,
    obstacles_for,
    place_names,
)
from mapkit.drawing.lines import draw_river_banks, draw_rivers, draw_roads
from mapkit.drawing.marks import Clearings
from mapkit.drawing.network import Network
from mapkit.drawing.overlays import Overlay, draw_overlays, panels_below
from mapkit.drawing.relief import contours, draw_relief
from mapkit.drawing.style import NUMBER_PLACES, Looks, Style
from mapkit.drawing.svg import Sheet
from mapkit.drawing.symbols import Placed, draw_symbols, place_features
from mapkit.drawing.terrain import (
    Ground,
    draw_levels,
    draw_margin,
    draw_terrain,
    draw_texture,
)
from mapkit.drawing.water_names import draw_water_names
from mapkit.drawing.works import (
    draw_barriers,
    draw_borders,
    draw_crossings,
    draw_trench_levels,
    draw_trenches,
)
from mapkit.grid import Grid, Point
from mapkit.model import HexMap
from mapkit.texts import Language

DEFAULT_HEX_PX = 72.0
LEAST_FOOT = 11.0  # hexes: so wide must a sheet be for title, legend and scale to be read


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished drawing of anything: its SVG and its size."""

    svg: str
    width_px: int
    height_px: int

    def standalone(self) -> str:
        """Return the SVG with its fonts inside, for viewers that lack them."""
        fonts = font_faces(self.svg)
        if not fonts:
            return self.svg
        head, closing, rest = self.svg.partition(">")
        return f"{head}{closing}<style>{fonts}</style>{rest}"


@dataclass(frozen=True, slots=True)
class Drawing(Picture):
    """A map drawn: where hexes and legend lie in the picture."""

    grid: Grid
    legend: tuple[LegendEntry, ...] = ()


def draw_map(
    map_: HexMap,
    style: Style,
    *,
    layers: Iterable[str] = ALL_LAYERS,
    overlays: Sequence[Overlay] = (),
    hex_px: float = DEFAULT_HEX_PX,
    language: Language | None = None,
) -> Drawing:
    """Draw a map; *hex_px* is the distance between neighbouring centres.

    *language* is that of legend and scale bar: the one in use where None is given. The same
    map, style, language and options give the same SVG, byte for byte. Shapes of the map replace
    the schematic form of their kind. The drawing has a regular grid of its own: a scan's turned
    or bent one is straightened.

    Raises:
        SizeError: the map has no hexes, or the picture would be too big.
        LayerError: a layer that no drawing has.
    """
    shown = check_layers(layers)
    looks = Looks(style, map_.kinds)
    margin = style.sheet.margin if "frame" in shown else 0.08
    least_px = LEAST_FOOT * hex_px if shown & FURNITURE else 0.0
    bare = Frame.around(map_, hex_px=hex_px, margin=margin, least_px=least_px)
    width_px = max(bare.land[2] - bare.land[0], least_px)
    spoken = language or texts.language()
    foot = plan_foot(map_, looks, width_px, hex_px, shown & FURNITURE, spoken)
    panels = panels_below(style, overlays, bare.land[2] - bare.land[0], hex_px)
    frame = Frame.around(
        map_,
        hex_px=hex_px,
        margin=margin,
        foot_px=foot.height_px + panels[1],
        least_px=max(least_px, panels[0]),
    )
    sheet = Sheet(frame.width_px, frame.height_px)
    paper = style.sheet.paper
    sheet.add("rect", x=0, y=0, width=frame.width_px, height=frame.height_px, fill=paper)
    ground, network = Ground(frame, looks), Network(frame, looks)
    placed = place_features(frame, looks)
    _draw_land(sheet, ground, network, placed, shown)
    _draw_works(sheet, ground, network, placed, shown)
    _draw_lettering(sheet, network, placed, shown)
    if "frame" in shown:
        with sheet.group("frame"):
            draw_border(sheet, frame, looks)
    legend: tuple[LegendEntry, ...] = ()
    if foot.height_px:
        with sheet.group("foot"):
            top = frame.land[3] + 0.6 * margin * hex_px + panels[1]
            legend = draw_foot(sheet, frame, looks, foot, top)
    if overlays:
        with sheet.group("overlays"):
            draw_overlays(sheet, frame, style, overlays)
    return Drawing(sheet.to_text(), frame.width_px, frame.height_px, frame.grid, legend)


def _draw_land(
    sheet: Sheet,
    ground: Ground,
    network: Network,
    placed: Sequence[Placed],
    shown: frozenset[str],
) -> None:
    """Everything that the edge of the map cuts off."""
    style = ground.looks.style
    if "levels" in shown:
        with sheet.group("levels"):
            draw_levels(sheet, ground)
    hatched = "texture" in shown
    if "terrain" in shown:
        with sheet.group("terrain"):
            draw_terrain(sheet, ground, hatched=hatched, standing_water=False)
    if "relief" in shown:
        with sheet.group("relief"):
            draw_relief(sheet, ground)
    # Banks below the lakes, rivers above: so a river opens into a lake at its mouth.
    if "water" in shown:
        with sheet.group("banks"):
            draw_river_banks(sheet, network)
    if "terrain" in shown:
        with sheet.group("lakes"):
            draw_terrain(sheet, ground, hatched=hatched, standing_water=True)
    if "water" in shown:
        with sheet.group("water"):
            draw_rivers(sheet, network)
    if "texture" in shown:
        # Hachures are wide enough to show between trees; a mere line would be lost.
        is_thin = style.levels.contour and not style.levels.hachures
        clearings = Clearings(
            lines=network.all_lines,
            contours=_in_pieces(contours(ground)) if is_thin else (),
            discs=tuple((place.x, place.y, place.radius) for place in placed),
            number_y=NUMBER_PLACES[style.number_place] if "numbers" in shown else None,
        )
        with sheet.group("texture"):
            draw_texture(sheet, ground, clearings)
    if "barriers" in shown:
        with sheet.group("barriers"):
            draw_barriers(sheet, network)
    if "areas" in shown:
        with sheet.group("areas"):
            draw_areas(sheet, network)
    draw_margin(sheet, ground, style.sheet.paper)


def _in_pieces(lines: Iterable[Sequence[Point]]) -> tuple[LineString, ...]:
    """Cut long lines up: what lies near a short one is found much faster."""
    return tuple(
        LineString(line[start : start + 9])
        for line in lines
        for start in range(0, len(line) - 1, 8)
    )


def _draw_works(
    sheet: Sheet,
    ground: Ground,
    network: Network,
    placed: Sequence[Placed],
    shown: frozenset[str],
) -> None:
    """What people made of the land, and the hexes laid over it."""
    frame, looks = ground.frame, ground.looks
    if "grid" in shown:
        with sheet.group("grid"):
            draw_grid(sheet, frame, looks.style.grid)
    if "roads" in shown:
        with sheet.group("roads"):
            draw_roads(sheet, network)
    if "bridges" in shown:
        with sheet.group("bridges"):
            draw_crossings(sheet, network)
    if "areas" in shown:
        with sheet.group("area-lines"):
            draw_area_lines(sheet, network)
    if "borders" in shown:
        with sheet.group("borders"):
            draw_borders(sheet, network)
    if "trenches" in shown:
        with sheet.group("trenches"):
            draw_trenches(sheet, network)
    if "symbols" in shown:
        with sheet.group("symbols"):
            draw_symbols(sheet, placed, looks, frame.pitch)


def _draw_lettering(
    sheet: Sheet, network: Network, placed: Sequence[Placed], shown: frozenset[str]
) -> None:
    frame, style = network.frame, network.looks.style
    moved = moved_numbers(frame, style, placed if "symbols" in shown else ())
    if "numbers" in shown:
        with sheet.group("numbers"):
            draw_numbers(sheet, network, moved)
    if "trenches" in shown:
        with sheet.group("trench-levels"):
            draw_trench_levels(sheet, network, placed)
    if "names" in shown:
        with sheet.group("names"):
            obstacles = obstacles_for(frame, style, placed, network, moved)
            draw_water_names(sheet, network, obstacles)
            wishes = names_wanted(frame, network.looks, placed)
            draw_names(sheet, style, place_names(frame, style, wishes, obstacles))
