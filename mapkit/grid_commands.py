"""The command that finds the grid of a scan."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, progress_shown, talk, tell

grid_commands = noun("Find the grid of a scan.")

ImageArgument = Annotated[
    Path,
    typer.Argument(metavar="IMAGE", readable=False, help="PNG, JPEG, TIFF, WebP, or a PDF page."),
]
HexPxOption = Annotated[
    float | None, typer.Option(min=8, help="About how many pixels hexes are apart.")
]
CornersOption = Annotated[
    str | None,
    typer.Option(
        metavar="'x,y x,y x,y x,y'", help="The page's corners, clockwise from upper left."
    ),
]
ThreeOption = Annotated[
    str | None,
    typer.Option(metavar="'x,y x,y x,y'", help="Centres of three hexes that touch each other."),
]
PageOption = Annotated[int, typer.Option(min=1, help="Which page of a PDF.")]


@grid_commands.command(
    epilog=examples(
        "mapkit map grid scan.png",
        "mapkit map grid photo.jpg --hex-px 90 --json",
        "mapkit map grid photo.jpg --three-hexes '810,640 868,606 868,673'",
        "mapkit map grid photo.jpg --corners '130,88 4020,120 3990,2950 90,2900'",
    )
)
def grid(
    image: ImageArgument,
    hex_px: HexPxOption = None,
    corners: CornersOption = None,
    three_hexes: ThreeOption = None,
    page: PageOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Find where the hexes lie on a scan or a photo.

    Where nothing is sure enough it refuses, with the reason; a hint from you then helps. Pixels
    count from the top-left corner of the picture, after its EXIF orientation.
    """
    from mapkit.scan.asked_grid import ask_grid, parse_points, told_grid
    from mapkit.scan.load import load_scan
    from mapkit.texts import say

    page_corners = parse_points(corners, 4, "--corners")
    hexes = parse_points(three_hexes, 3, "--three-hexes")
    scan = load_scan(image, page=page)
    if scan.reduced < 1:
        talk(say("mapkit.scan.grid.reduced", n=round(1 / scan.reduced)))
    with progress_shown() as on_progress:
        found = ask_grid(
            scan.pixels, hex_px=hex_px, corners=page_corners, three=hexes, on_progress=on_progress
        )
    found = found.scaled(1 / scan.reduced)
    print_json(found.as_data()) if as_json else tell(told_grid(found))
