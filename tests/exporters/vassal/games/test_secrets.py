"""No password of a saved game reaches a position, a message, JSON or an error."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exporters.model import ExportError, GivenFile
from exporters.vassal.games.position_read import PositionReader
from exporters.vassal.metadata import metadata
from exporters.vassal.obfuscation import veil
from exporters.vassal.saves.command_tree import together
from exporters.vassal.saves.pieces import SOMEBODY
from exporters.vassal.saves.save_file import read_log
from exporters.vassal.saves.secrets import HIDDEN_WORDS, secrets_of
from exporters.vassal.sequence import TAB, join, nest
from rules.positions.position_diff import differences
from rules.positions.position_file import dump_position
from tests.exporters.vassal.foreign_modules import pack
from tests.exporters.vassal.games.small_modules import HIDE, MASK, small_known, small_module

KNOWN = small_known(small_module())
CORE = "zqx§"
passwords = st.text(st.sampled_from(CORE + "Z;,/\\'|: é1"), max_size=6).map(
    lambda text: f"{CORE}{text}"
)
RESTRICT = "restrict;Italian;true;false;"


def piece(id_, password, *, type_="", mark="it-1", spot="Field;100;85", name="1/it"):
    """A piece whose every owner is the password, by whatever trait."""
    masked = join(";", [password, join("|", ["", "1", password])])
    types = [
        type_ or HIDE.replace("side:", "player:"),
        MASK,
        RESTRICT,
        "mark;Id",
        f"piece;;;;{name}",
    ]
    states = [password, masked, password, mark, f"{spot};5;1;OldOwner;{password}"]
    return join("/", ["+", id_, nest(TAB, types), nest(TAB, states)])


def change(id_, password):
    states = [password, join(";", [password, ""]), password, "it-1", "Field;100;85;5;0"]
    return join("/", ["D", id_, nest(TAB, states), nest(TAB, states)])


def planted(password):
    """Commands of every sort that hold a password, each where the engine would write it."""
    tabbed = [
        ["PLAYER", password, "Anna", "Italian"],
        ["PYREMOVE", password],
        ["PNOTE", password, "my plans"],
        ["SNOTE", "a note", password, "true", "text", "", "Anna"],
        ["UNMASK", password, password],
        ["NOTES", f"the password is {password}"],
        ["CLOCK", password, "12"],
        ["GlobalProperty", f"x;y;{password}"],
        ["MutableProperty", password],
        ["SETUP", password],
        [f"TURN{password}", password],
        ["TURNTurnTracker0", password],
        [f"{password}BoardPicker", password, "0", "0"],
        ["FieldBoardPicker", password, "0", "0"],
        ["FieldBoardPicker", "Field", password, "0"],
    ]
    return [
        *(join(TAB, words) for words in tabbed),
        piece("1", password),
        piece("2", password, spot=f"{password};100;85"),
        piece("3", password, mark="nobody", name=f"Unit of {password.upper()}"),
        piece("4", password, mark="nobody", type_="mark;Marker").replace("it-1", password),
        piece("5", password, type_=f"emb2;;2;;;2;;;2;;;;1;false;0;0;a,b;,;true;{password}"),
        piece("6", password, type_=HIDE),
        *_open_pieces(password),
        f"+/7/stack/{password};1;2;1;@@{password}",
        join("/", ["+", "8", f"deck;{password}", f"Field;1;2;true;{password}"]),
        join("/", ["M", "1", "Field", "100", "85", "null", "Field", "1", "2", "null", password]),
        join("/", ["M", "1", password, "100", "85", password, password, "1", "2", "x", password]),
        change("1", password),
        change("2", password),
        f"-/{password}",
        f"CHAT<Anna> - {password}",
        password,
    ]


def _open_pieces(password):
    """Pieces that nobody hides, with the password in what their module calls things."""
    layer = f"emb2;;2;;;2;;;2;;;;1;false;0;0;a,b;,;true;{password};;;false;;1;1;true"
    told = [
        (["mark;Id", f"piece;;;;The {password}"], ["nobody", f"Field;100;85;{password};0"]),
        (["mark;Id", "piece;;;;x"], ["nobody", f"{password};100;85;5;0"]),
        (["mark;Id", "piece;;;;x"], ["it-2", f"{password};100;85;5;0"]),
        ([layer, "mark;Id", "piece;;;;x"], ["2", "it-3", "Field;100;85;5;0"]),
        (["mark;Marker", "piece;;;;x"], [password, "Field;100;85;5;0"]),
        (["mark;Marker,Side", "piece;;;;x"], [f"trench,{password}", "Field;100;85;5;0"]),
        (["mark;Control", "piece;;;;x"], [password, "Field;100;85;5;0"]),
    ]
    for number, (types, states) in enumerate(told, start=20):
        yield join("/", ["+", str(number), nest(TAB, types), nest(TAB, states)])


@st.composite
def games(draw):
    """A password, and a saved game or log with it in many places, some of them broken."""
    password = draw(passwords)
    all_ = planted(password)
    chosen = draw(st.lists(st.sampled_from(all_), min_size=1, max_size=16))
    broken = [draw(_broken(one)) for one in draw(st.lists(st.sampled_from(all_), max_size=3))]
    at = draw(st.integers(0, len(chosen)))
    logged = [f"LOG\t{one}" for one in draw(st.lists(st.sampled_from(all_), max_size=6))]
    commands = ["begin_save", "", all_[0], *chosen[:at], *broken, *chosen[at:], "end_save", *logged]
    text = together(commands)
    if draw(st.booleans()) and draw(st.booleans()):
        text = text[: draw(st.integers(0, len(text)))]
    name = draw(st.sampled_from(["Small", "", f"Game of {password}"]))
    about = {
        "moduledata": metadata("1.2", "", name),
        "savedata": metadata("1.2", draw(st.sampled_from(["", f"{password} at dawn"]))),
    }
    veiled = draw(st.sampled_from([veil(text), text.encode()]))
    return password, GivenFile("evening.vlog", pack({"savedGame": veiled, **about}))


def _broken(command):
    """Cut a command short, or take a sign out of it."""
    return st.integers(0, max(len(command) - 1, 0)).flatmap(
        lambda at: st.sampled_from([command[:at], command[:at] + command[at + 1 :]])
    )


def shown(file):
    """Return all that any of our commands would show or write of a file."""
    out = []
    reader, last = PositionReader(KNOWN), None
    try:
        for game in read_log(file):
            read = reader.read(game)
            out += [repr(game.secrets), dump_position(read.position).decode()]
            out += [one.told for one in read.untold]
            out += [json.dumps(dict(one.values), ensure_ascii=False) for one in read.untold]
            if last is not None:
                out += [one.told() for one in differences(last, read.position, KNOWN.pack)]
            last = read.position
    except ExportError as error:
        out.append(str(error))
    return out


@settings(max_examples=150, deadline=None)
@given(games())
@example((CORE, GivenFile("x.vsav", pack({"savedGame": veil(f"+/1/{CORE}/x")}))))
@example((CORE, GivenFile("x.vsav", pack({"savedGame": f"!VCSK{CORE}"}))))
def test_no_password_is_ever_shown(given_):
    password, file = given_
    for text in shown(file):
        assert CORE not in text.casefold(), (password, text)
        assert "\n" not in text or text.startswith("{")


@pytest.mark.parametrize("number", range(len(planted(CORE))))
def test_no_sort_of_command_shows_a_password(number):
    player, *_ = all_ = planted(CORE)
    for logged in ("", "LOG\t"):
        commands = ["begin_save", "", player, piece("1", CORE), all_[number], "end_save"]
        text = together([*commands, f"{logged}{all_[number]}"])
        file = GivenFile("x.vlog", pack({"savedGame": veil(text)}))
        assert [text for text in shown(file) if CORE in text.casefold()] == []


@given(passwords.filter(lambda text: not text.endswith("\\")))  # the engine cannot write it
def test_no_owner_stays_in_a_piece_that_was_read(password):
    commands = ["begin_save", "", f"PLAYER\t{password}\tAnna\tItalian", piece("1", password)]
    text = together([*commands, change("1", password), "end_save"])
    (game,) = read_log(GivenFile("x.vsav", pack({"savedGame": veil(text)})))
    (only,) = game.pieces
    assert [one.state for one in only.traits[:4]] == ["null", "null", "", "it-1"]
    assert repr(game.secrets) == "Secrets()"


def test_a_hidden_unit_is_hidden_from_all_but_the_side_that_hides_it():
    commands = ["begin_save", "", "PLAYER\thush\tAnna\tItalian", piece("1", "hush"), "end_save"]
    (game,) = read_log(GivenFile("x.vsav", pack({"savedGame": veil(together(commands))})))
    assert game.pieces[0].hidden_by == "Italian"
    read = PositionReader(KNOWN).read(game)
    assert read.position.pieces["it-1"].hidden_from == ("ah",)
    del commands[2]
    (game,) = read_log(GivenFile("x.vsav", pack({"savedGame": veil(together(commands))})))
    assert game.pieces[0].hidden_by == SOMEBODY
    read = PositionReader(KNOWN).read(game)
    assert read.position.pieces["it-1"].hidden_from == ("it", "ah")
    assert [one.key.rpartition(".")[2] for one in read.untold] == ["hidden", "turn"]


def test_texts_without_a_password_are_told_and_others_only_that_they_are_there():
    secrets = secrets_of(["PLAYER\tHush\tAnna\tRed", "UNMASK\tnull"])
    assert secrets.told("1st Guards") == "1st Guards"
    assert secrets.told("the hushed ones") == HIDDEN_WORDS
    assert secrets.told("nullified") == "nullified"
    assert secrets_of(["M/7/Map/1/2/null/Map/3/4/null/hush"]).told("hush") == HIDDEN_WORDS
