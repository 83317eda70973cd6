"""The commands that look up rules, and keep the owner's own books and notes."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.command_line import ForceFlag, JsonFlag, examples, noun, print_json, talk, tell
from rules.combat_commands import combat_commands
from rules.field_commands import field_commands
from rules.judge_commands import judge_commands
from rules.owner_commands import owner_commands
from rules.position_commands import position_commands
from rules.protocol_commands import protocol_commands, verify_commands
from rules.retreat_commands import retreat_commands
from rules.scenario_commands import scenario_commands
from rules.task_commands import task_commands
from rules.turn_commands import turn_commands, victory_commands
from rules.watch_commands import watch_commands

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The id of a rules pack.")]

rules_commands = noun("Rule on disputes, look up rules, keep your own book and notes.")
rules_commands.add_typer(judge_commands)
rules_commands.add_typer(watch_commands)
rules_commands.add_typer(combat_commands)
rules_commands.add_typer(field_commands)
rules_commands.add_typer(retreat_commands)
rules_commands.add_typer(task_commands)
rules_commands.add_typer(owner_commands)
rules_commands.add_typer(scenario_commands)
rules_commands.add_typer(position_commands, name="position")
rules_commands.add_typer(turn_commands, name="turn")
rules_commands.add_typer(victory_commands)
rules_commands.add_typer(verify_commands)
rules_commands.add_typer(protocol_commands, name="protocol")


@rules_commands.command(
    epilog=examples(
        "mapkit rules search strafexpedition supply crags",
        "mapkit rules search strafexpedition Versorgung --json",
        "mapkit rules search strafexpedition 13.2",
    )
)
def search(
    game: GameArgument,
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS", help="Words, a phrase, or a number.")
    ],
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show at most N hits.")] = 10,
    as_json: JsonFlag = False,
) -> None:
    """Find rules by words, in any of three languages.

    What holds all the words comes first, your own notes before titles before texts. English,
    German and Italian words are understood, and slips forgiven. Several words in quotes are a
    phrase. Exit code 1 where nothing is found.
    """
    from rules.lookup.at_hand import rules_at_hand
    from rules.lookup.rules_show import found_data, told_hits, told_reading

    query = " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words)
    with rules_at_hand(game).search() as index:
        found = index.find(query, limit=limit)
    if as_json:
        print_json(found_data(found))
    elif found.hits:
        tell(told_hits(found))
    for line in told_reading(found):
        talk(line)
    raise typer.Exit(int(not found.hits))


@rules_commands.command(
    epilog=examples(
        "mapkit rules show strafexpedition 13.2.2", "mapkit rules show strafexpedition TEC --json"
    )
)
def show(
    game: GameArgument,
    number: Annotated[
        list[str], typer.Argument(metavar="NUMBER", help="Rule, table or chart: 13.2, Table 2.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Tell what a rule says, and what belongs to it.

    Our summary, your notes, the text of your own book, sub-rules and references both ways.
    """
    from rules.lookup.at_hand import rules_at_hand
    from rules.lookup.rules_show import rule_data, told_rule

    at_hand = rules_at_hand(game)
    rule = at_hand.rule(" ".join(number))
    print_json(rule_data(at_hand, rule)) if as_json else tell(told_rule(at_hand, rule))


@rules_commands.command(
    epilog=examples(
        "mapkit rules book strafexpedition rules.pdf",
        "mapkit rules book strafexpedition",
        "mapkit rules book strafexpedition --remove rules",
    )
)
def book(
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", readable=False, help="PDF or text; without it, list."),
    ] = None,
    remove: Annotated[
        str | None, typer.Option(metavar="NAME", help="Forget a book; your file stays.")
    ] = None,
    force: ForceFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a rulebook of your own, or list those you added.

    Its text is kept by rule number in your own folder of data, and nowhere else; `rules show`
    puts it beside our summary, with its page.
    """
    from mapkit.texts import say
    from rules.lookup.at_hand import rules_at_hand
    from rules.lookup.books import add_book, remove_book
    from rules.lookup.rules_show import books_data, told_books

    if file is not None and remove is not None:
        raise typer.BadParameter("either add a FILE or --remove a book")
    at_hand = rules_at_hand(game)
    if remove is not None:
        remove_book(game, remove)
        talk(say("rules.lookup.book_removed", name=remove))
    elif file is not None:
        known = tuple(entry.number for entry in at_hand.rulebook.rules)
        added = add_book(game, file, known=known, force=force)
        talk(say("rules.lookup.book_added", name=added.name, n=len(added.sections)))
    elif as_json:
        print_json(books_data(at_hand.books))
    elif at_hand.books:
        tell(told_books(at_hand.books))
    else:
        talk(say("rules.lookup.no_books", game=game))


@rules_commands.command(
    epilog=examples(
        "mapkit rules note strafexpedition 13.2.2 we play this with a range of 7",
        "mapkit rules note strafexpedition --house-rule no undo after a die roll",
        "mapkit rules note strafexpedition --remove 2",
    )
)
def note(
    game: GameArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="The note; a number first says which rule it is on."),
    ] = None,
    house_rule: Annotated[
        bool, typer.Option("--house-rule", help="Mark it as a rule of your own table.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List your notes.")] = False,
    remove: Annotated[
        int | None, typer.Option(metavar="N", help="Delete the note of this number.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep a note or house rule of your own, or list them.

    A note is found before all else and shown with its rule. A text that begins with a number is
    put in quotes.
    """
    from mapkit.texts import say
    from rules.lookup.at_hand import rules_at_hand
    from rules.lookup.notes import add_note, remove_note
    from rules.lookup.rules_show import notes_data, told_notes

    if bool(words) + listed + (remove is not None) > 1:
        raise typer.BadParameter("one at a time: a TEXT, --list or --remove")
    at_hand = rules_at_hand(game)
    if remove is not None:
        gone = remove_note(game, remove)
        talk(say("rules.lookup.note_removed", id=gone.id))
    elif words:
        rule, text = at_hand.split_note(words)
        kept = add_note(game, text, rule=rule, kind="house_rule" if house_rule else "note")
        print_json(notes_data([kept])) if as_json else talk(
            say("rules.lookup.note_kept", note=told_notes([kept]).partition("\n")[0])
        )
    elif as_json:
        print_json(notes_data(at_hand.notes))
    elif at_hand.notes:
        tell(told_notes(at_hand.notes))
    else:
        talk(say("rules.lookup.no_notes", game=game))
