"""The command that cuts counters out of scanned sheets."""

from pathlib import Path
from typing import Annotated

import typer

from counters.model import Flip
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

slice_commands = noun("Scanned counter sheets.")


@slice_commands.command(
    name="slice",
    epilog=examples(
        "mapkit counters slice front.png back.png --auto -o sheet1 --report",
        "mapkit counters slice front.png --rows 10 --cols 14 -o sheet1 --dpi 300",
    ),
)
def slice_(
    front: Annotated[
        Path, typer.Argument(metavar="FRONT", readable=False, help="The scan of the front.")
    ],
    back: Annotated[
        Path | None, typer.Argument(metavar="BACK", readable=False, help="That of the back.")
    ] = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="The folder to write.")
    ] = Path("sliced"),
    rows: Annotated[int | None, typer.Option(metavar="R", min=1, help="Rows of counters.")] = None,
    cols: Annotated[
        int | None, typer.Option(metavar="C", min=1, help="Columns of counters.")
    ] = None,
    auto: Annotated[
        bool, typer.Option("--auto", help="Count rows and columns, in several sections.")
    ] = False,
    size_mm: Annotated[
        str | None, typer.Option(metavar="W[xH]", help="The size of a counter: 15, or 15x20.")
    ] = None,
    dpi: Annotated[
        float | None, typer.Option(metavar="N", min=20, max=4800, help="Pixels per inch.")
    ] = None,
    round_mm: Annotated[
        float | None,
        typer.Option("--round", metavar="MM", min=0, max=20, help="Cut corners round."),
    ] = None,
    units: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", readable=False, help="Units, in reading order, for names."),
    ] = None,
    flip: Annotated[
        Flip | None, typer.Option(help="How the sheet was turned over, if it cannot be proven.")
    ] = None,
    turn: Annotated[
        int, typer.Option(metavar="DEG", help="With --flip: the back lies turned right by this.")
    ] = 0,
    every_cell: Annotated[
        bool, typer.Option("--every-cell", help="Look for no copies: cut each cell.")
    ] = False,
    no_read: Annotated[bool, typer.Option("--no-read", help="Read no names and values.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Write a page to look at.")] = False,
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """Cut counters out of a scan, and prove whose back is whose.

    Give --rows and --cols, or let --auto count. Writes the pictures, sheet.toml, a table of the
    units and a contact sheet. What is not sure is refused or told, never guessed. Exit code 1
    where the back is that of another sheet; the fronts are cut all the same.
    """
    from counters.slicing.pairing import Verdict
    from counters.slicing.slice_files import SliceJob, run_slice
    from counters.slicing.slice_sheet import Wishes
    from counters.slicing.slice_words import parse_size, require_shape, require_turn
    from counters.slicing.told import slice_data, told_slice
    from mapkit.texts import say

    shape = require_shape(rows, cols, auto=auto)
    job = SliceJob(
        front,
        back,
        out,
        Wishes(shape, flip, require_turn(turn), every_cell),
        dpi=dpi,
        size_mm=parse_size(size_mm) if size_mm else None,
        round_mm=round_mm,
        units=units,
        read=not no_read,
        report=report,
    )
    with progress_shown() as on_progress:
        done = run_slice(job, force=force, on_progress=on_progress)
    for remark in done.remarks:
        talk(remark)
    talk(say("counters.slice.written", n=len(done.files), folder=out))
    if as_json:
        print_json(slice_data(done.sliced, done.naming.ids, done.dpi))
    else:
        tell("\n".join(told_slice(done.sliced, done.dpi)))
    if done.sliced.pairing and done.sliced.pairing.verdict is Verdict.FOREIGN:
        raise typer.Exit(1)
