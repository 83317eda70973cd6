"""Saved games as files: what is written comes back, and no password with it."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.model import ExportError, GivenFile
from exporters.vassal.metadata import metadata
from exporters.vassal.obfuscation import unveil, veil
from exporters.vassal.saves.command_tree import leaves, together
from exporters.vassal.saves.pieces import (
    SavedPiece,
    SavedStack,
    Spot,
    expanded,
    read_piece,
    write_piece,
)
from exporters.vassal.saves.save_file import SavedGame, read_save, write_save
from exporters.vassal.traits import Trait, mark, prototype, trait
from tests.exporters.vassal.foreign_modules import pack

BASIC = Trait("piece;;;blue.png;Blue 1/st", "")
# A piece as the running engine showed it.
SEEN = "+/null/prototype;Unit\tmark;Side\\\tpiece;;;blue.png;Blue 1st/\tBlue\\\tnull;0;0;2;0"
words = st.text(st.sampled_from("ab;,\t/'é"), max_size=5)
traits = st.builds(lambda id_, state: trait(id_ or "x", "y", state=state), words, words)


HERE = Spot("Main", 30, 40)


def piece(id_="1", spot=HERE, *more):
    return SavedPiece(id_, (*more, BASIC), spot, "5")


def saved(*commands, **more):
    files = {"savedGame": veil(together(commands)), **more}
    return GivenFile("old.vsav", pack(files))


def whole(*commands):
    return saved("begin_save", "", *commands, "end_save")


def test_a_piece_of_the_engine_reads_and_is_written_alike():
    read = read_piece(SEEN)
    assert (read.name, read.image, read.gpid, read.spot) == ("Blue 1st", "blue.png", "2", Spot())
    assert read.marks() == {"Side": "Blue"}
    assert write_piece(read) == SEEN


@given(
    st.lists(traits, max_size=4), st.integers(-5, 9000), words.filter(lambda word: "\t" not in word)
)
def test_pieces_come_back(around, x, map_name):
    given_ = SavedPiece("7", (*around, BASIC), Spot(map_name, x, 2), "5")
    read = read_piece(write_piece(given_))
    assert read.traits[:-1] == given_.traits[:-1]
    assert (read.spot.x, read.gpid, read.id) == (x, "5", "7")
    assert write_piece(read) == write_piece(given_)


def test_a_save_comes_back():
    game = SavedGame(
        "Hills",
        "1.0",
        "at dawn",
        {"Main": (("Board", 0, 0), ("East/rev", 1, 0), ("A/B", 2, 0))},
        (piece("1"), piece("2", Spot("Main", 30, 40), mark(Side="Red"))),
        (SavedStack("3", Spot("Main", 30, 40), ("1", "2"), 2),),
        turns={"TurnTracker0": "0|3;0;false;-1"},
    )
    data = write_save(game, metadata("1.0", "", "Hills"))
    read = read_save(GivenFile("x.vsav", data))
    assert read.boards == game.boards
    assert read.stacks == game.stacks
    assert [one.id for one in read.pieces] == ["1", "2"]
    assert (read.module, read.comment, read.turns) == ("Hills", "at dawn", game.turns)
    assert write_save(read, metadata("1.0", "", "Hills")) == data


def test_prototypes_are_replaced_by_their_traits_one_in_another():
    inner = SavedPiece("", (trait("delete", "x"), BASIC))
    outer = SavedPiece("", (mark(A="1"), prototype("Inner"), prototype("Outer"), BASIC))
    made = expanded(
        piece("1", Spot(), prototype("Outer"), prototype("Gone"), mark(B="2")),
        {"Inner": inner, "Outer": outer},
    )
    assert [one.type.split(";")[0] for one in made.traits] == ["mark", "delete", "mark", "piece"]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (GivenFile("x.vsav", b"no zip"), "no whole zip archive"),
        (GivenFile("x.vsav", pack({"readme": "hello"})), "no save or log"),
        (GivenFile("x.vmod", pack({"buildFile.xml": "<a/>"})), "it is a module; give a .vsav"),
        (saved("begin_save", "", "+/1/piece;;;a;b/null;0;0;1;0"), "breaks off"),
        (whole("+/1/mark;Side/Red"), "no basic piece"),
        (whole("+/1/piece;;;a;b/Main;here;0;1;0"), "no place"),
        (whole("+/"), "adds no piece"),
        (GivenFile("x.vsav", pack({"savedGame": "!VCSKzz"})), "does not read"),
    ],
)
def test_a_broken_save_is_told_in_one_line(file, why):
    with pytest.raises(ExportError, match=why) as told:
        read_save(file)
    assert file.name in str(told.value)
    assert "\n" not in str(told.value)


def test_a_save_that_unpacks_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("exporters.vassal.saves.save_file._MOST_BYTES", 1000)
    with pytest.raises(ExportError, match="unpacks to more than"):
        read_save(whole("NOTES\t" + "x" * 2000))


def test_plain_text_without_a_veil_reads_too():
    text = together(["begin_save", "", "end_save"])
    assert unveil(text.encode()) == text
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("savedGame", text)
    assert read_save(GivenFile("x.vsav", out.getvalue())).pieces == ()


def test_commands_within_commands_come_in_order():
    text = together(["a", together(["b", together(["c", "d"])]), "e"])
    assert list(leaves(text)) == ["a", "b", "c", "d", "e"]
