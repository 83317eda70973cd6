"""The commands of the centre: the demo, and everything done to a map document."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from mapkit.command_line import (
    ForceFlag,
    JsonFlag,
    examples,
    noun,
    print_json,
    progress_shown,
    single,
    talk,
    tell,
)
from mapkit.grid_commands import grid_commands
from mapkit.sample_commands import sample_commands
from mapkit.scan_commands import scan_commands

# What cannot be read is told by the store, in a line; typer would take it for wrong usage.
MapArgument = Annotated[
    Path, typer.Argument(metavar="MAP", readable=False, help="The map, *.hexmap.json.")
]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The new map, *.hexmap.json.")
]
Wind = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

demo = single()
map_commands = noun("Make, check, join and change map documents.")
map_commands.add_typer(sample_commands)
map_commands.add_typer(grid_commands)
map_commands.add_typer(scan_commands)


@demo.command("demo", epilog=examples("mapkit demo", "mapkit demo --out my-demo"))
def show_demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder to fill; made when missing.")
    ] = Path("demo"),
) -> None:
    """Make the tour: a folder of results, each with how to open it.

    The folder belongs to the demo, which clears it and starts over when run
    again. A folder that holds anything else is refused.
    """
    from mapkit.demo import installed_steps, run_demo, told

    with progress_shown() as on_progress:
        result = run_demo(out, installed_steps(), on_progress=on_progress)
    tell(told(result))


@map_commands.command(
    epilog=examples(
        "mapkit map check lugano.hexmap.json",
        "mapkit map check lugano.hexmap.json --threshold 0.9 --json",
    )
)
def check(
    map_file: MapArgument,
    as_json: JsonFlag = False,
    threshold: Annotated[
        float,
        typer.Option(min=0, max=1, help="Doubt what a scan read with less confidence than this."),
    ] = 0.8,
) -> None:
    """List all problems of a map, each with place and remedy.

    Exit code 1 where there are errors, 0 where there are warnings only.
    """
    from mapkit.check import check_file
    from mapkit.texts import say

    report = check_file(map_file, threshold=threshold)
    print_json(report.as_data()) if as_json else tell(report.as_text())
    if not report.was_read:
        talk(say("mapkit.check.not_read", map=report.map))
    raise typer.Exit(report.exit_code)


@map_commands.command(
    epilog=examples(
        "mapkit map show alps.hexmap.json",
        "mapkit map show alps.hexmap.json 0305",
        "mapkit map show alps.hexmap.json 0305/0306 --json",
    )
)
def show(
    map_file: MapArgument,
    place: Annotated[
        str | None,
        typer.Argument(metavar="[PLACE]", help="Hex 0305, hexside 0305/0306, link 0305-0306."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell what a map holds, or all that is known of one place."""
    from mapkit.document.describing import describe_map, describe_place, map_data, place_data
    from mapkit.maps import load_map
    from mapkit.notation import parse_place

    map_ = load_map(map_file)
    if place is None:
        print_json(map_data(map_)) if as_json else tell(describe_map(map_))
        return
    there = parse_place(place, map_.numbering)
    print_json(place_data(map_, there)) if as_json else tell(describe_place(map_, there))


@map_commands.command(
    "set",
    epilog=examples(
        "mapkit map set alps.hexmap.json 0305 --terrain woods --level 3",
        "mapkit map set alps.hexmap.json 0305/0306 --features 'river; bridge!blown'",
        "mapkit map set alps.hexmap.json 0305-0306 --features road --new",
    ),
)
def set_place(
    map_file: MapArgument,
    place: Annotated[str, typer.Argument(help="Hex 0305, hexside 0305/0306, link 0305-0306.")],
    terrain: Annotated[str | None, typer.Option(help="Terrain of the hex.")] = None,
    level: Annotated[int | None, typer.Option(help="Level of the hex.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the hex.")] = None,
    features: Annotated[
        str | None, typer.Option(help="All that is there, as in 'town; fort:2'; '' clears it.")
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Declare words that the map does not know yet.")
    ] = False,
) -> None:
    """Correct one place by hand.

    Setting what is there already confirms it.
    """
    from mapkit.document.correcting import correction
    from mapkit.maps import edit_map
    from mapkit.texts import say

    with edit_map(map_file) as session:
        number = session.edit(
            correction(
                session.value,
                place,
                terrain=terrain,
                level=level,
                name=name,
                features=features,
                new_words=new,
            )
        )
        session.save()
    talk(say("mapkit.edit.done", place=place, number=number))


@map_commands.command(epilog=examples("mapkit map undo alps.hexmap.json"))
def undo(map_file: MapArgument) -> None:
    """Take back the latest edit, also one made before the last save."""
    from mapkit.maps import edit_map
    from mapkit.texts import say

    with edit_map(map_file) as session:
        number = session.undo()
        session.save()
    talk(say("mapkit.edit.undone", number=number))


@map_commands.command(epilog=examples("mapkit map redo alps.hexmap.json"))
def redo(map_file: MapArgument) -> None:
    """Do the edit again that was taken back last."""
    from mapkit.maps import edit_map
    from mapkit.texts import say

    with edit_map(map_file) as session:
        number = session.redo()
        session.save()
    talk(say("mapkit.edit.redone", number=number))


@map_commands.command(epilog=examples("mapkit map recover alps.hexmap.json --choose replay"))
def recover(
    map_file: MapArgument,
    choose: Annotated[
        Literal["keep_file", "replay"],
        typer.Option(help="keep_file sets the journal aside; replay does its edits again."),
    ],
) -> None:
    """Choose, when another program changed a map with unsaved edits."""
    from mapkit.maps import edit_map
    from mapkit.texts import say

    with edit_map(map_file, on_conflict=choose) as session:
        unsaved = session.unsaved
        session.save()
    talk(say("mapkit.edit.recovered", map=map_file, n=unsaved))


@map_commands.command(
    epilog=examples(
        "mapkit map join west.hexmap.json east.hexmap.json -o whole.hexmap.json",
        "mapkit map join a.hexmap.json b.hexmap.json --match 2001=0101 -o ab.hexmap.json",
        "mapkit map join a.hexmap.json b.hexmap.json --match 2001=0101 --numbering keep "
        "--prefixes W,E -o ab.hexmap.json",
    )
)
def join(
    first: MapArgument,
    second: MapArgument,
    out: OutOption,
    match: Annotated[
        str | None,
        typer.Option(metavar="LABEL=LABEL", help="A hex of the first map is one of the second."),
    ] = None,
    numbering: Annotated[
        Literal["continue", "keep"],
        typer.Option(help="Continue the first map's numbers, or keep both."),
    ] = "continue",
    prefixes: Annotated[
        str, typer.Option(metavar="A,B", help="With keep: what stands before the labels.")
    ] = "A,B",
    force: ForceFlag = False,
) -> None:
    """Join two sheets; a common column is counted once.

    Without --match the second sheet's numbers must continue the first one's.
    """
    from mapkit.sheets.files import join_files

    talk(
        join_files(
            first, second, out, match=match, numbering=numbering, prefixes=prefixes, force=force
        )
    )


@map_commands.command(
    epilog=examples("mapkit map crop alps.hexmap.json --from 0101 --to 2030 -o corner.hexmap.json")
)
def crop(
    map_file: MapArgument,
    out: OutOption,
    from_: Annotated[str, typer.Option("--from", metavar="HEX", help="One corner.")],
    to: Annotated[str, typer.Option("--to", metavar="HEX", help="The corner across.")],
    force: ForceFlag = False,
) -> None:
    """Cut out the rectangle between two hexes; labels stay."""
    from mapkit.sheets.files import crop_file

    talk(crop_file(map_file, out, from_, to, force=force))


@map_commands.command(
    epilog=examples("mapkit map turn board.hexmap.json --by 180 -o turned.hexmap.json")
)
def turn(
    map_file: MapArgument,
    out: OutOption,
    by: Annotated[Literal["90", "180", "270"], typer.Option(help="Degrees, clockwise.")],
    force: ForceFlag = False,
) -> None:
    """Turn a sheet, its picture too; every hex keeps its label."""
    from mapkit.sheets.files import turn_file

    talk(turn_file(map_file, out, int(by), force=force))


@map_commands.command(
    "from-table",
    epilog=examples(
        "mapkit map from-table hexes.csv --layout flat --numbering CCRR -o alps.hexmap.json",
        "mapkit map from-table alps.xlsx --layout pointy --numbering RRCC -o alps.hexmap.json",
        "mapkit map from-table hexes.csv --hexsides sides.csv --links roads.csv "
        "--layout flat --numbering alps.toml -o alps.hexmap.json",
    ),
)
def from_table(
    *,
    hexes: Annotated[
        Path, typer.Argument(metavar="TABLE", help="The hexes: CSV, or a workbook with all sheets.")
    ],
    layout: Annotated[
        Literal["flat", "pointy"],
        typer.Option(help="Hexes with a flat top stand in columns, pointy ones in rows."),
    ],
    numbering: Annotated[
        str, typer.Option(metavar="CCRR|RRCC|FILE", help="What a label holds, or a TOML file.")
    ],
    out: OutOption,
    hexsides: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The table of hexsides.")
    ] = None,
    links: Annotated[Path | None, typer.Option(metavar="FILE", help="The table of links.")] = None,
    title: Annotated[str, typer.Option(help="The map's title.")] = "",
    shoved: Annotated[
        Literal["odd", "even"] | None,
        typer.Option(help="The columns (or rows) that stand half a hex off; else even."),
    ] = None,
    toward: Annotated[
        Literal["higher", "lower"] | None,
        typer.Option(help="Whether they stand off to higher or lower numbers; else higher."),
    ] = None,
    columns_run: Annotated[
        Wind | None, typer.Option(help="Where column numbers grow; else to the right.")
    ] = None,
    rows_run: Annotated[
        Wind | None, typer.Option(help="Where row numbers grow; else downward.")
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="What stands between column and row, as in 12.07.")
    ] = None,
    force: ForceFlag = False,
) -> None:
    """Make a map from a spreadsheet, CSV or XLSX.

    A table has one row for each hex, under the columns hex, terrain, level,
    features, name and note. Every bad cell is listed; then no map is written.
    """
    from mapkit.tables.files import load_layout, make_map

    plan = load_layout(
        numbering,
        layout,
        shoved=shoved,
        toward=toward,
        columns_run=columns_run,
        rows_run=rows_run,
        separator=separator,
    )
    for remark in make_map(
        hexes, out, plan, hexsides=hexsides, links=links, title=title, force=force
    ):
        talk(remark)


@map_commands.command(
    "to-table",
    epilog=examples(
        "mapkit map to-table alps.hexmap.json -o alps.xlsx",
        "mapkit map to-table alps.hexmap.json -o hexes.csv --hexsides sides.csv --links roads.csv",
        "mapkit map to-table alps.hexmap.json -o alps.xlsx --numbering alps.toml",
    ),
)
def to_table(
    *,
    map_file: MapArgument,
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="FILE", help="hexes.csv, or one .xlsx with hexes and all else."
        ),
    ],
    hexsides: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the hexsides to this CSV file.")
    ] = None,
    links: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the links to this CSV file.")
    ] = None,
    numbering: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the numbering too, for `map from-table`."),
    ] = None,
    force: ForceFlag = False,
) -> None:
    """Write a map's hexes, hexsides and links as a spreadsheet.

    `mapkit map from-table` reads it back. Labels are texts and keep their
    zeros; a text that a spreadsheet would run as a formula is made harmless.
    """
    from mapkit.maps import load_map
    from mapkit.tables.files import export_tables

    remarks = export_tables(
        load_map(map_file), out, hexsides=hexsides, links=links, numbering=numbering, force=force
    )
    for remark in remarks:
        talk(remark)


StyleOption = Annotated[
    str, typer.Option(metavar="NAME|FILE", help="plain, textured, antique, or a .toml file.")
]
LayersOption = Annotated[
    str,
    typer.Option(metavar="a,b,-c", help="Only these layers, or all but those with a minus."),
]


@map_commands.command(
    epilog=examples(
        "mapkit map draw alps.hexmap.json -o alps.png",
        "mapkit map draw alps.hexmap.json -o alps.svg --style antique --hex-px 120",
        "mapkit map draw alps.hexmap.json -o bare.png --layers=-names,-legend",
    )
)
def draw(
    map_file: MapArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The picture, .png or .svg.")
    ],
    style: StyleOption = "textured",
    hex_px: Annotated[float, typer.Option(help="Pixels from one hex to the next.")] = 72.0,
    layers: LayersOption = "",
    force: ForceFlag = False,
) -> None:
    """Draw a map as a picture."""
    from mapkit.drawing.drawing_files import draw_file

    with progress_shown() as on_progress:
        made = draw_file(
            map_file,
            out,
            style=style,
            hex_px=hex_px,
            layers=layers,
            force=force,
            on_progress=on_progress,
        )
    talk(made)


@map_commands.command(
    "print",
    epilog=examples(
        "mapkit map print alps.hexmap.json -o alps.pdf --paper A4 --hex-mm 16",
        "mapkit map print alps.hexmap.json -o alps.pdf --paper A3 --style antique --dpi 300",
    ),
)
def print_map(
    map_file: MapArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The pages, .pdf.")],
    paper: Annotated[
        Literal["A4", "A3", "Letter"], typer.Option(help="The paper in the printer.")
    ] = "A4",
    hex_mm: Annotated[
        float | None,
        typer.Option(help="Width of a hex between opposite sides; else the map's own, or 16."),
    ] = None,
    style: StyleOption = "textured",
    layers: LayersOption = "",
    dpi: Annotated[int, typer.Option(help="Dots per inch.")] = 200,
    overlap_mm: Annotated[
        float, typer.Option(min=0, max=60, help="How far pages overlap, to be glued.")
    ] = 10.0,
    force: ForceFlag = False,
) -> None:
    """Print a map to scale on pages that overlap, as PDF."""
    from mapkit.drawing.drawing_files import print_file

    with progress_shown() as on_progress:
        made = print_file(
            map_file,
            out,
            paper=paper,
            hex_mm=hex_mm,
            style=style,
            layers=layers,
            dpi=dpi,
            overlap_mm=overlap_mm,
            force=force,
            on_progress=on_progress,
        )
    talk(made)


@map_commands.command(
    epilog=examples(
        "mapkit map line alps.hexmap.json 0305 0709",
        "mapkit map line alps.hexmap.json 0305 0709 --json",
        "mapkit map line alps.hexmap.json 0305 0709 --picture line.png",
    )
)
def line(
    map_file: MapArgument,
    start: Annotated[str, typer.Argument(metavar="A", help="The hex it starts from.")],
    end: Annotated[str, typer.Argument(metavar="B", help="The hex it goes to.")],
    as_json: JsonFlag = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it too, .png or .svg.")
    ] = None,
    style: StyleOption = "textured",
    force: ForceFlag = False,
) -> None:
    """Tell what the line between two hexes meets, exactly.

    Positions run from 0 at A to 1 at B. No rule is applied: this is the geometry that rulings
    on line of sight rest on.
    """
    from mapkit.line_report import line_data, told_line
    from mapkit.maps import load_map

    map_ = load_map(map_file)
    a, b = map_.hex(start), map_.hex(end)
    if picture is not None:
        from mapkit.drawing.drawing_files import write_drawing
        from mapkit.line_picture import draw_line

        write_drawing(draw_line(map_, a, b, style=style, hex_px=72.0), picture, force=force)
    print_json(line_data(map_, a, b)) if as_json else tell(told_line(map_, a, b))
