"""The owner's notes and house rules on a game: a TOML file that any editor opens."""

import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError, model_validator

from mapkit.store.files import read_if_there, write_whole
from rules.lookup.own_files import OwnFileError, OwnModel, changing, own_folder, told_faults

LIMIT_BYTES: Final = 16 * 1024 * 1024
WHAT: Final = "file of notes"

HEAD: Final = "# Your own notes and house rules, found by `mapkit rules search`.\n"

NoteKind = Literal["note", "house_rule"]


class Note(OwnModel):
    """One note: on a rule, or on the game as a whole where *rule* is empty."""

    id: Annotated[int, Field(ge=1)]
    kind: NoteKind = "note"
    rule: str = ""
    text: Annotated[str, Field(min_length=1, max_length=20_000)]


class _NotesFile(OwnModel):
    note: tuple[Note, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> "_NotesFile":
        ids = [note.id for note in self.note]
        if len(set(ids)) < len(ids):
            raise ValueError("two notes have the same id")
        return self


def notes_file(game: str) -> Path:
    """Return where the notes on a game are kept."""
    return own_folder(game) / "notes.toml"


def read_notes(game: str) -> tuple[Note, ...]:
    """Return the notes on a game in the order they were made; none where there is no file.

    Raises:
        OwnFileError: the file does not read; the message names the key.
        StoreError: the disk refuses.
    """
    path = notes_file(game)
    data = read_if_there(path, what=WHAT, limit_bytes=LIMIT_BYTES)
    if data is None:
        return ()
    try:
        return _parsed(data.decode("utf-8"))
    except ValidationError as error:
        raise told_faults(path, error) from None
    except (ValueError, RecursionError) as error:  # broken TOML, or no UTF-8
        raise OwnFileError(f"{path}: does not read: {error}; mend the file") from None


def add_note(game: str, text: str, *, rule: str = "", kind: NoteKind = "note") -> Note:
    """Keep a note and return it; its id is one higher than the highest so far.

    Raises:
        OwnFileError: the note is empty or too long, or the file does not read.
        StoreError: the disk refuses; the notes are as they were.
    """
    path = notes_file(game)
    with changing(path, what=WHAT):
        notes = read_notes(game)
        try:
            note = Note(
                id=max((old.id for old in notes), default=0) + 1,
                kind=kind,
                rule=rule,
                text=text.strip(),
            )
        except ValidationError:
            raise OwnFileError("a note is a text of 1 to 20,000 letters") from None
        _write(path, _text(path).rstrip() + "\n" + _written((note,)), (*notes, note))
    return note


def remove_note(game: str, id_: int) -> Note:
    """Delete a note and return it; the others keep their ids.

    Raises:
        OwnFileError: there is no such note, or the file does not read.
        StoreError: the disk refuses; the notes are as they were.
    """
    path = notes_file(game)
    with changing(path, what=WHAT):
        notes = read_notes(game)
        at = next((at for at, note in enumerate(notes) if note.id == id_), None)
        if at is None:
            there = ", ".join(str(note.id) for note in notes) or "none"
            raise OwnFileError(f"no note {id_} on {game}; there is: {there}")
        _write(path, _without(_text(path), at), notes[:at] + notes[at + 1 :])
    return notes[at]


def _parsed(text: str) -> tuple[Note, ...]:
    return _NotesFile.model_validate(tomllib.loads(text)).note


def _written(notes: tuple[Note, ...]) -> str:
    import tomlkit

    tables = [tomlkit.dumps(note.model_dump(exclude_defaults=True)) for note in notes]
    return "".join(f"\n[[note]]\n{table}" for table in tables)


def _without(text: str, at: int) -> str:
    import tomlkit

    try:
        document = tomlkit.parse(text)
    except ValueError:  # what Python reads and tomlkit does not: `_write` then starts anew
        return ""
    document["note"].pop(at)
    if not document["note"]:
        document.remove("note")
    return document.as_string()


def _text(path: Path) -> str:
    data = read_if_there(path, what=WHAT, limit_bytes=LIMIT_BYTES)
    return HEAD if data is None else data.decode("utf-8")


def _write(path: Path, text: str, notes: tuple[Note, ...]) -> None:
    """Write *text*, which keeps the owner's own comments; if it does not hold *notes*, only them.

    A file written by hand may have a form in which notes cannot be added or taken out in place.
    """
    try:
        fits = _parsed(text) == notes
    except ValueError:
        fits = False
    whole = text if fits else HEAD + _written(notes)
    write_whole(path, whole.encode("utf-8"), what=WHAT)
