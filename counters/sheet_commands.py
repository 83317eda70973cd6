"""The command that prints counters."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from mapkit.command_line import ForceFlag, examples, noun, progress_shown, talk

sheet_commands = noun("Sheets of counters to print.")


@sheet_commands.command(
    epilog=examples(
        "mapkit counters sheet units.csv -o sheet.pdf",
        "mapkit counters sheet units.csv markers.csv --size 5/8in --bleed 1 --gutter 2 -o a.pdf",
        "mapkit counters sheet sliced --paper Letter --duplex short --offset-back 0.5,-1 -o b.pdf",
        "mapkit counters sheet --offset-page -o test.pdf",
    )
)
def sheet(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PDF", help="Written there.")],
    counters: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="COUNTERS", readable=False, help="Tables, sheet.toml files, or folders of them."
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(help="1/2in, 9/16in, 15mm, 5/8in, 3/4in …; else as the sheet says, or 1/2in."),
    ] = None,
    paper: Annotated[Literal["A4", "A3", "Letter"], typer.Option(help="The paper.")] = "A4",
    duplex: Annotated[
        Literal["long", "short", "off"],
        typer.Option(help="The edge the printer turns the paper over; off: no backs."),
    ] = "long",
    gutter: Annotated[float, typer.Option(metavar="MM", help="Room between counters.")] = 0.0,
    bleed: Annotated[
        float, typer.Option(metavar="MM", help="How far colours run over the edge.")
    ] = 0.0,
    style: Annotated[
        str, typer.Option(help="How counters are drawn: a style, a game, a TOML file.")
    ] = "classic",
    title: Annotated[str, typer.Option(help="Printed at the foot of each page.")] = "",
    offset_front: Annotated[
        str, typer.Option(metavar="MM,MM", help="Move the fronts to the right and down.")
    ] = "0,0",
    offset_back: Annotated[
        str, typer.Option(metavar="MM,MM", help="Move the backs to the right and down.")
    ] = "0,0",
    offset_page: Annotated[
        bool, typer.Option("--offset-page", help="A page that tests your printer instead.")
    ] = False,
    force: ForceFlag = False,
) -> None:
    """Print counters to a PDF, fronts and mirrored backs.

    Exact to the millimetre, each counter as often as its copies say, with marks to cut by and a bar
    that must measure 100 mm. Print at 100 %, never "fit to page". Counters with pictures are
    printed as they were cut, all others drawn.
    """
    from counters.printing import parse_offset, parse_size
    from counters.printing.print_files import PrintSettings, print_counters, write_offset_page

    if bool(counters) == offset_page:
        raise typer.BadParameter("give counters to print, or --offset-page alone")
    settings = PrintSettings(
        None if size is None else parse_size(size),
        paper,
        duplex,
        gutter,
        bleed,
        {"front": parse_offset(offset_front), "back": parse_offset(offset_back)},
    )
    if offset_page:
        lines = write_offset_page(output, settings, force=force)
    else:
        with progress_shown() as on_progress:
            lines = print_counters(
                counters or [],
                output,
                settings,
                style=style,
                title=title,
                force=force,
                on_progress=on_progress,
            )
    for line in lines:
        talk(line)
