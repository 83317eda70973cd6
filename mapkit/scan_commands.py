"""The commands that ask about a scanned map, take answers, and measure it against the truth."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import JsonFlag, examples, noun, print_json, talk, tell

scan_commands = noun("Check what a scan has read.")

ScannedMap = Annotated[
    Path, typer.Argument(metavar="MAP", readable=False, help="The map, *.hexmap.json.")
]


@scan_commands.command(
    epilog=examples("mapkit map doubts lugano.hexmap.json --json --count 20"),
)
def doubts(
    map_file: ScannedMap,
    count: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the N most doubtful; 20, with --json all."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List what a scan is unsure of, the most doubtful first.

    Answer the first few in a table for `mapkit map review`: they teach the most.
    """
    from mapkit.maps import load_map
    from mapkit.scan.doubts import doubts as find_doubts
    from mapkit.scan.questions import told_doubts

    map_ = load_map(map_file)
    if as_json:
        print_json([doubt.as_data(map_) for doubt in find_doubts(map_)[:count]])
    else:
        tell(told_doubts(map_, count=count))


@scan_commands.command(
    epilog=examples("mapkit map review lugano.hexmap.json --answers answers.csv"),
)
def review(
    map_file: ScannedMap,
    answers: Annotated[
        Path,
        typer.Option(metavar="FILE", readable=False, help="CSV with columns place,what,value."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Enter answers, and read again what the scan was unsure of.

    Reading again needs the picture of the map beside it; without it only the answers are entered.
    Where its style lies there too, the legend goes on teaching beside the answers.
    """
    from mapkit.maps import read_map, save_map
    from mapkit.scan.picture import load_flat_sheet
    from mapkit.scan.review import load_answers
    from mapkit.scan.review import review as review_map
    from mapkit.scan.scan_files import style_beside
    from mapkit.scan.style_pack import load_style_pack
    from mapkit.texts import say

    loaded = read_map(map_file)
    given = load_answers(answers, loaded.value)
    sheet = load_flat_sheet(loaded.value, map_file)
    if sheet is None:
        talk(say("mapkit.scan.no_picture"))
    kept = style_beside(map_file)
    style = load_style_pack(kept) if kept.exists() else None
    new = review_map(loaded.value, given, sheet, style=style)
    changed = sum(
        (new.hexes[hex_].terrain, new.hexes[hex_].level) != (ground.terrain, ground.level)
        for hex_, ground in loaded.value.hexes.items()
    )
    save_map(map_file, new, replacing=loaded.version)
    if as_json:
        print_json({"answers": len(given), "changed": changed, "again": sheet is not None})
    else:
        tell(say("mapkit.scan.reviewed", answers=len(given), changed=changed))


@scan_commands.command(
    epilog=examples("mapkit map accuracy scanned.hexmap.json true.hexmap.json --json"),
)
def accuracy(
    map_file: ScannedMap,
    truth_file: Annotated[
        Path, typer.Argument(metavar="TRUTH", readable=False, help="The same map, known right.")
    ],
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write it as a page with plots, *.html, too."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the page.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Compare a map with one that is known to be right.

    Terrain and level with what was taken for what; features, hexsides and links with
    precision, recall and F1 of every kind; and how sure the scan was of its values beside how
    often they are right. Hexes are matched by their labels.
    """
    from mapkit.maps import load_map
    from mapkit.scan.accuracy import measure
    from mapkit.scan.accuracy_page import accuracy_page
    from mapkit.scan.accuracy_report import told
    from mapkit.store.files import require_free, write_whole

    map_ = load_map(map_file)
    found = measure(map_, load_map(truth_file))
    if page is not None:
        require_free(page, force=force)
        write_whole(
            page, accuracy_page(found, map_.title or map_file.name), what="page of the comparison"
        )
    print_json(found.as_data()) if as_json else tell(told(found))
