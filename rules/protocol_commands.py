"""The referee's commands: verify a saved ruling, keep the protocol of declared shots."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell

ProtocolFile = Annotated[
    Path, typer.Argument(metavar="FILE", readable=False, help="A protocol: *.protocol.jsonl.")
]
MapOption = Annotated[
    Path | None,
    typer.Option(
        "--map", metavar="MAP", readable=False, help="The map or project it was ruled on."
    ),
]

protocol_commands = noun("Keep a log of declared shots that nobody can alter unseen.")
verify_commands = noun("Verify rulings.")


@verify_commands.command(
    epilog=examples(
        "mapkit rules verify ruling.json",
        "mapkit rules verify ruling.html --map alps",
        "mapkit rules verify ruling.json --map alps.hexmap.json --json",
    )
)
def verify(
    ruling: Annotated[
        Path, typer.Argument(metavar="RULING", readable=False, help="Saved with --save.")
    ],
    map_file: MapOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Come to a saved ruling again, without the judge who made it.

    A small verifier of its own reads map and policy as plain data; then today's rules pack is
    compared and the judge asked again. Exit code 1 where it differs or is stale.
    """
    from rules.protocol_told import told_test
    from rules.reproduction import put_to_test
    from rules.ruling_page import load_certificate

    certificate = load_certificate(ruling)
    tested = put_to_test(certificate, ruling, map_file)
    print_json(tested.as_data()) if as_json else tell(told_test(tested, certificate))
    raise typer.Exit(int(tested.outcome in ("differs", "stale")))


@protocol_commands.command(
    epilog=examples(
        "mapkit rules protocol start asiago.protocol.jsonl",
        'mapkit rules protocol start asiago.protocol.jsonl --title "Asiago, 3rd of May"',
    )
)
def start(
    file: ProtocolFile,
    title: Annotated[str, typer.Option(metavar="TEXT", help="What is played, by whom.")] = "",
) -> None:
    """Begin a protocol; rulings are declared into it.

    Ask a judge with --declare FILE, and the answer is logged and binds: the same question asked
    again has the logged answer, with its number.
    """
    from mapkit.texts import one_line, say
    from rules.protocol import start_protocol

    begun = start_protocol(file, one_line(title))
    talk(say("rules.protocol.begun", file=file, end=begun.end))


@protocol_commands.command(
    epilog=examples(
        'mapkit rules protocol roll asiago.protocol.jsonl 1d6 --for "who sees whom in 4411"',
        'mapkit rules protocol roll asiago.protocol.jsonl 2d6 --for "assault" --seed 1916 --json',
    )
)
def roll(
    file: ProtocolFile,
    dice: Annotated[str, typer.Argument(metavar="DICE", help="1d6, 2d6, 1d10.")],
    why: Annotated[str, typer.Option("--for", metavar="TEXT", help="What it decides.")],
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="A seed both agreed on; else one is drawn.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Roll dice where the rules leave it to them, and log the roll."""
    from mapkit.texts import one_line
    from rules.protocol import load_protocol
    from rules.protocol import roll as roll_dice
    from rules.protocol_told import told_roll

    entry = roll_dice(file, dice, one_line(why), seed)
    print_json(dict(entry.data)) if as_json else tell(told_roll(load_protocol(file), entry))


@protocol_commands.command(
    epilog=examples(
        "mapkit rules protocol show asiago.protocol.jsonl",
        "mapkit rules protocol show asiago.protocol.jsonl --html asiago.html",
    )
)
def show(
    file: ProtocolFile,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="OUT", help="Write one page to print.")
    ] = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Print a protocol as one page."""
    from rules.protocol import load_protocol
    from rules.protocol_told import protocol_page, told_protocol
    from rules.ruling_page import write_page

    protocol = load_protocol(file)
    if page is not None:
        write_page(page, protocol_page(protocol), force=force)
    if as_json:
        print_json([dict(entry.data) for entry in protocol.entries])
    elif page is None:
        tell(told_protocol(protocol))


@protocol_commands.command(
    epilog=examples(
        "mapkit rules protocol check asiago.protocol.jsonl",
        "mapkit rules protocol check asiago.protocol.jsonl --map alps --json",
    )
)
def check(file: ProtocolFile, map_file: MapOption = None, as_json: JsonFlag = False) -> None:
    """Check a protocol: its chain, and every ruling and roll.

    Exit code 1 where a line was changed, or something differs or is stale.
    """
    from rules.protocol import load_protocol
    from rules.protocol_told import check_data, checked, is_sound, told_check

    protocol = load_protocol(file)
    tests = checked(protocol, map_file)
    if as_json:
        print_json(check_data(protocol, tests))
    else:
        tell("\n".join(told_check(protocol, tests)))
    raise typer.Exit(int(not is_sound(protocol, tests)))
