"""The commands that read a scan: its grid, and the whole map."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import (
    ForceFlag,
    JsonFlag,
    examples,
    noun,
    print_json,
    progress_shown,
    talk,
    tell,
)

grid_commands = noun("Read a scan.")

ImagesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="IMAGE...",
        readable=False,
        help="PNG, JPEG, TIFF, WebP, or a PDF page; several are pieces of one sheet.",
    ),
]
PiecesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="PIECE...",
        readable=False,
        help="Pictures that overlap; a PDF brings all its pages.",
    ),
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
        "mapkit map stitch part1.jpg part2.jpg part3.jpg -o sheet.png",
        "mapkit map stitch scans.pdf -o sheet.jpg",
    )
)
def stitch(
    pieces: PiecesArgument,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="PICTURE", help="The sheet: *.png, *.jpg, *.tif or *.webp."
        ),
    ],
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """Join 2 to 16 part-scans of a sheet into one picture.

    They may come in any order, askew or turned by quarters; neighbours should show 15 % of each
    other. A piece that fits nowhere is named, and nothing is written.
    """
    from mapkit.scan.piece_files import join_files, picture_format, write_joined
    from mapkit.store.files import require_folder, require_free
    from mapkit.texts import say

    picture_format(out)
    require_folder(out)
    require_free(out, force=force)
    with progress_shown() as on_progress:
        joined = join_files(pieces, on_progress=on_progress)
        write_joined(out, joined, force=force)
    width, height = joined.layout.size
    if as_json:
        print_json(
            {
                "picture": str(out),
                "width_px": width,
                "height_px": height,
                "pieces": [
                    {"piece": name, "matrix": matrix.tolist()}
                    for name, matrix in zip(joined.names, joined.layout.matrices, strict=True)
                ],
            }
        )
        return
    tell(say("mapkit.scan.told.joined", n=len(joined.names), file=out, width=width, height=height))


@grid_commands.command(
    epilog=examples(
        "mapkit map grid scan.png",
        "mapkit map grid photo.jpg --hex-px 90 --json",
        "mapkit map grid photo.jpg --three-hexes '810,640 868,606 868,673'",
        "mapkit map grid photo.jpg --corners '130,88 4020,120 3990,2950 90,2900'",
    )
)
def grid(
    images: ImagesArgument,
    hex_px: HexPxOption = None,
    corners: CornersOption = None,
    three_hexes: ThreeOption = None,
    page: PageOption = 1,
    as_json: JsonFlag = False,
) -> None:
    """Find where the hexes lie on a scan or a photo.

    Where nothing is sure enough it refuses, with the reason; a hint from you then helps. Pixels
    count from the top-left corner of the picture, after its EXIF orientation; those of pieces
    are counted on the sheet that `mapkit map stitch` writes.
    """
    from mapkit.progress import part_of
    from mapkit.scan.asked_grid import ask_grid, parse_points, told_grid
    from mapkit.scan.piece_files import load_sheet
    from mapkit.texts import say

    page_corners = parse_points(corners, 4, "--corners")
    hexes = parse_points(three_hexes, 3, "--three-hexes")
    with progress_shown() as on_progress:
        loading = 0.6 if len(images) > 1 else 0.05
        scan = load_sheet(images, page=page, on_progress=part_of(on_progress, 0.0, loading))
        if scan.reduced < 1:
            talk(say("mapkit.scan.grid.reduced", n=round(1 / scan.reduced)))
        found = ask_grid(
            scan.pixels,
            hex_px=hex_px,
            corners=page_corners,
            three=hexes,
            on_progress=part_of(on_progress, loading, 1.0),
        )
    found = found.scaled(1 / scan.reduced)
    print_json(found.as_data()) if as_json else tell(told_grid(found))


LegendOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", readable=False, help="TOML: the samples of the printed legend."),
]
AnswersOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", readable=False, help="CSV with columns place,what,value."),
]
ProfileOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", readable=False, help="From `mapkit rules profile GAME -o FILE`."),
]
KnownOption = Annotated[
    list[str] | None,
    typer.Option(metavar="LABEL@x,y", help="A hex whose number you read, and a pixel in it."),
]


@grid_commands.command(
    epilog=examples(
        "mapkit map scan sheet.png --legend legend.toml -o alps.hexmap.json --report report",
        "mapkit map scan photo.jpg --examples examples.csv -o alps.hexmap.json",
        "mapkit map scan sheet2.png --style alps.style.json -o alps2.hexmap.json",
        "mapkit map scan photo.jpg --grid grid.json --known 0305@1200,840 -o alps.hexmap.json",
        "mapkit map scan part1.jpg part2.jpg part3.jpg -o alps.hexmap.json",
    )
)
def scan(
    images: ImagesArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="MAP", help="The new map, *.hexmap.json.")
    ],
    legend: LegendOption = None,
    examples_file: Annotated[
        Path | None,
        typer.Option(
            "--examples", metavar="FILE", readable=False, help="CSV with columns x,y,what,value."
        ),
    ] = None,
    answers: AnswersOption = None,
    profile: ProfileOption = None,
    grid_file: Annotated[
        Path | None,
        typer.Option(
            "--grid",
            metavar="FILE",
            readable=False,
            help="From `mapkit map grid IMAGE --json`, or a map that knows its own grid.",
        ),
    ] = None,
    known: KnownOption = None,
    style: Annotated[
        Path | None,
        typer.Option(metavar="FILE", readable=False, help="The look of a sister sheet."),
    ] = None,
    save_style: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep this sheet's look for its sisters.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a page that shows what was read.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the map is called.")] = "",
    page: PageOption = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same map.")] = 0,
    anew: Annotated[bool, typer.Option("--anew", help="Use nothing that was kept.")] = False,
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """Read a scan or a photo of a printed map into a map document.

    A legend or a few examples say what the sheet's colours and lines mean. The flattened picture
    is written beside the map; what was not read is said in the map's notes. Grid and numbers are
    kept in a folder *.stages, so that a second run with another legend is quicker.
    """
    from mapkit.scan.report import report_page, told_scan, write_report
    from mapkit.scan.scan_files import ScanJob, run_scan
    from mapkit.texts import say

    job = ScanJob(
        tuple(images),
        out,
        legend=legend,
        examples=examples_file,
        answers=answers,
        profile=profile,
        grid=grid_file,
        style=style,
        save_style=save_style,
        known=tuple(known or ()),
        page=page,
        title=title,
        seed=seed,
    )
    if report is not None:  # what would be refused at the end is refused before the work
        report_page(report, force=force)
    with progress_shown() as on_progress:
        done = run_scan(job, force=force, anew=anew, on_progress=on_progress)
    stages = done.stages
    if stages.reused:
        named = ", ".join(say(f"mapkit.scan.kept.{stage}") for stage in stages.reused)
        talk(say("mapkit.scan.told.reused", stages=named, folder=stages.folder))
    files = done.files
    if report is not None:
        files += write_report(report, done.scanned, done.map_, map_file=done.map_file, force=force)
    if as_json:
        numbers = done.scanned.numbers
        print_json(
            {
                "map": str(done.map_file),
                "files": [str(file) for file in files],
                "hexes": len(done.map_.hexes),
                "grid_confidence": round(done.scanned.flattened.found.confidence, 3),
                "numbers_share": numbers and round(numbers.share, 3),
                "reused": stages.reused,
                "notes": list(done.map_.notes),
            }
        )
        return
    tell("\n".join([*told_scan(done.scanned, done.map_), *map(str, files)]))
