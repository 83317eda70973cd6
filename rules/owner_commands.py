"""The commands around owner files: what is open, what is missing, what the owner entered."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The id of a rules pack.")]

owner_commands = noun("See what a game leaves open, and enter what is missing.")
pack_commands = noun("Check what you entered for a game.")
owner_commands.add_typer(pack_commands, name="pack")


@owner_commands.command(
    epilog=examples(
        "mapkit rules missing strafexpedition",
        "mapkit rules missing strafexpedition --json",
        "mapkit rules missing strafexpedition --template alps/alps.owner.toml",
    )
)
def missing(
    game: GameArgument,
    template: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a file to fill in: *.owner.toml.")
    ] = None,
    as_json: JsonFlag = False,
    force: ForceFlag = False,
) -> None:
    """List what our sources lack, and where it is printed.

    With --template a file is written that holds every question and every value one can enter,
    commented out.
    """
    from mapkit.texts import say
    from rules.owner_told import missing_data, owner_template, told_missing, write_template
    from rules.registry import find_pack

    pack = find_pack(game)
    if template is not None:
        write_template(template, owner_template(pack), force=force)
        talk(say("rules.owner.template_made", file=template, name=template.name))
    print_json(missing_data(pack)) if as_json else tell(told_missing(pack))


@owner_commands.command(
    epilog=examples(
        "mapkit rules assumptions strafexpedition", "mapkit rules assumptions caporetto-1917 --json"
    )
)
def assumptions(game: GameArgument, as_json: JsonFlag = False) -> None:
    """List what the rules leave open, and what we assume.

    Another answer is chosen in the owner file of a project; a ruling that rests on one says so.
    """
    from rules.owner_told import assumptions_data, told_assumptions
    from rules.registry import find_pack

    pack = find_pack(game)
    print_json(assumptions_data(pack)) if as_json else tell(told_assumptions(pack))


@pack_commands.command(
    epilog=examples(
        "mapkit rules pack check alps/alps.owner.toml",
        "mapkit rules pack check alps/alps.owner.toml --json",
        "mapkit rules pack check strafexpedition",
    )
)
def check(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", readable=False, help="An owner file, or a rules pack."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """List everything wrong with an owner file or a pack's answers.

    Exit code 1 where there are faults. What is still empty is told as well. Of a rules pack, by
    its id, each other answer to an open question is tried on the pack and its scenarios.
    """
    from rules.owner import check_owner
    from rules.owner_told import check_data, told_check
    from rules.registry import find_pack, pack_names

    if str(file) in pack_names():
        _check_answers(str(file), as_json=as_json)
    found = check_owner(file)
    title = found.owner.game if found.faults else find_pack(found.owner.game).title
    print_json(check_data(found)) if as_json else tell(told_check(title, found))
    raise typer.Exit(int(bool(found.faults)))


def _check_answers(game: str, *, as_json: bool) -> None:
    from rules.owner_told import answers_data, told_answers
    from rules.registry import find_pack, pack_folder
    from rules.scenarios.answer_check import faults_of_answers

    pack = find_pack(game)
    faults = tuple(faults_of_answers(pack_folder(game), pack))
    print_json(answers_data(pack, faults)) if as_json else tell(told_answers(pack, faults))
    raise typer.Exit(int(bool(faults)))
