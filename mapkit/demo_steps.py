"""The demo's steps on maps: the shipped sample checked, tabled, cut, joined, drawn, printed."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from mapkit.demo import DemoFile, DemoStep
from mapkit.errors import SheetError
from mapkit.progress import OnProgress
from mapkit.texts import say

NAME = "alpine"


def _sample(folder: Path, _: OnProgress) -> list[DemoFile]:
    """Put the sample map, as a reviewed scan would leave it, into the demo's folder."""
    target = folder / f"{NAME}.hexmap.json"
    for name in (target.name, f"{NAME}.shapes.geojson"):
        with as_file(files("sample_maps") / "data" / name) as source:
            shutil.copyfile(source, folder / name)
    how = say("mapkit.tour.open_map", command=f'mapkit map show "{target}"')
    return [DemoFile(target, say("mapkit.tour.sample_what"), how)]


def _check(folder: Path, _: OnProgress) -> list[DemoFile]:
    from mapkit.check import check_file

    target = folder / f"{NAME}-check.txt"
    target.write_text(check_file(folder / f"{NAME}.hexmap.json").as_text() + "\n", "utf-8")
    return [DemoFile(target, say("mapkit.tour.check_what"), say("mapkit.tour.open_text"))]


def _table(folder: Path, _: OnProgress) -> list[DemoFile]:
    from mapkit.maps import load_map
    from mapkit.tables.files import export_tables

    target = folder / f"{NAME}.xlsx"
    export_tables(load_map(folder / f"{NAME}.hexmap.json"), target)
    return [DemoFile(target, say("mapkit.tour.table_what"), say("mapkit.tour.open_table"))]


def _sheets(folder: Path, _: OnProgress) -> list[DemoFile]:
    """Cut the map into two sheets with a common column, and see that they join again."""
    from mapkit.maps import load_map, save_map
    from mapkit.sheets import crop, join, offset_by_labels

    whole = load_map(folder / f"{NAME}.hexmap.json")
    columns = {hex_: whole.numbering.position(hex_)[0] for hex_ in whole.hexes}
    middle = (max(columns.values()) + min(columns.values())) // 2
    west = crop(whole, {hex_ for hex_, column in columns.items() if column <= middle})
    east = crop(whole, {hex_ for hex_, column in columns.items() if column >= middle})
    joined = join(west, east, offset_by_labels(west, east))
    if (joined.hexes, joined.hexsides, joined.links) != (whole.hexes, whole.hexsides, whole.links):
        raise SheetError("the two sheets of the sample do not join to the undivided map")
    made = []
    for side, sheet in (("west", west), ("east", east)):
        target = folder / f"{NAME}-{side}.hexmap.json"
        save_map(target, sheet)
        how = say("mapkit.tour.open_map", command=f'mapkit map show "{target}"')
        made.append(DemoFile(target, say("mapkit.tour.sheet_what", n=len(sheet.hexes)), how))
    return made


def _draw(folder: Path, _: OnProgress) -> list[DemoFile]:
    from mapkit.drawing import draw_map, load_style, rasterise
    from mapkit.maps import load_map

    drawing = draw_map(load_map(folder / f"{NAME}.hexmap.json"), load_style("antique"), hex_px=56)
    picture, vector = folder / f"{NAME}.png", folder / f"{NAME}.svg"
    picture.write_bytes(rasterise(drawing))
    vector.write_text(drawing.standalone(), "utf-8")
    return [
        DemoFile(picture, say("mapkit.tour.picture_what"), say("mapkit.tour.open_picture")),
        DemoFile(vector, say("mapkit.tour.vector_what"), say("mapkit.tour.open_vector")),
    ]


def _print(folder: Path, _: OnProgress) -> list[DemoFile]:
    """Print the middle of the map: the whole would fill forty sheets."""
    from mapkit.drawing import draw_map, load_style, print_map
    from mapkit.maps import load_map
    from mapkit.sheets import crop, rectangle

    map_ = load_map(folder / f"{NAME}.hexmap.json")
    part = crop(map_, rectangle(map_, map_.hex("2030"), map_.hex("3555")))
    target = folder / f"{NAME}-part.pdf"
    target.write_bytes(print_map(draw_map(part, load_style("textured")), hex_mm=16, paper="A4"))
    return [DemoFile(target, say("mapkit.tour.print_what"), say("mapkit.tour.open_print"))]


SAMPLE = DemoStep(10, "mapkit.tour.sample", _sample)
CHECK = DemoStep(20, "mapkit.tour.check", _check)
TABLE = DemoStep(30, "mapkit.tour.table", _table)
SHEETS = DemoStep(40, "mapkit.tour.sheets", _sheets)
DRAW = DemoStep(45, "mapkit.tour.draw", _draw, weight=3)
PRINT = DemoStep(50, "mapkit.tour.print", _print)
