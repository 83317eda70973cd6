"""Rulebooks the owner has added: their text by rule number, on the owner's disk only."""

import json
import re
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from mapkit.store.files import read_file, refusal, sha256, write_whole
from rules.lookup.book_pages import LIMIT_BYTES, BookError, read_pages
from rules.lookup.book_sections import Section, find_sections
from rules.lookup.own_files import OwnFileError, OwnModel, changing, own_folder, told_faults
from rules.lookup.rule_numbers import number_key

STORE_LIMIT_BYTES: Final = 64 * 1024 * 1024
WHAT: Final = "book"


class Book(OwnModel):
    """A rulebook as it is kept: its name, what file it came from, its numbered rules."""

    format: Literal["mapkit-book/1"] = "mapkit-book/1"
    name: str
    sha256: str
    pages: int | None = None
    sections: tuple[Section, ...]

    def section(self, number: str) -> Section | None:
        """Return the rule of a number; a section may be called 13 or 13.0."""
        key = number_key(number)
        return next((part for part in self.sections if number_key(part.number) == key), None)


def add_book(game: str, path: Path, *, known: tuple[str, ...], force: bool = False) -> Book:
    """Read a rulebook, keep its text by rule number, and return it.

    The file itself is neither copied nor changed. *known* are the numbers of the game.

    Raises:
        BookError: no rulebook that can be read, or one of that name is there already.
        StoreError: the disk refuses; what was kept before is as it was.
    """
    pages = read_pages(path)
    digest = sha256(read_file(path, what="rulebook", limit_bytes=LIMIT_BYTES))
    book = Book(
        name=path.stem.encode("utf-8", "replace").decode("utf-8"),
        sha256=digest,
        pages=len(pages) if pages[0].number else None,
        sections=find_sections(pages, known=known),
    )
    if not book.sections:
        raise BookError(f"{path}: no line in it begins with the number of a rule, such as 13.2")
    target = _file(game, book.name)
    with changing(target, what=WHAT):
        if target.exists() and not force and _load(target).sha256 != digest:
            raise BookError(
                f"{game} has another book '{book.name}' already; --force puts this one in its place"
            )
        data = json.dumps(book.model_dump(mode="json"), ensure_ascii=False, indent=1)
        write_whole(target, data.encode("utf-8"), what=WHAT)
    return book


def read_books(game: str) -> tuple[Book, ...]:
    """Return the books of a game, sorted by name.

    Raises:
        OwnFileError: a kept book does not read.
        StoreError: the disk refuses.
    """
    folder = own_folder(game)
    try:
        files = sorted(folder.glob("book-*.json"))
    except OSError as error:
        raise refusal("look for books in", folder, error) from error
    return tuple(sorted(map(_load, files), key=lambda book: book.name))


def remove_book(game: str, name: str) -> None:
    """Delete what was kept of a book; the owner's own file stays where it is.

    Raises:
        OwnFileError: there is no book of that name.
        StoreError: the disk refuses.
    """
    target = _file(game, name)
    if not target.is_file():
        there = ", ".join(book.name for book in read_books(game)) or "none"
        raise OwnFileError(f"no book '{name}' for {game}; there is: {there}")
    with changing(target, what=WHAT):
        try:
            target.unlink()
        except OSError as error:
            raise refusal("remove the book", target, error) from error


def _file(game: str, name: str) -> Path:
    """Return where a book is kept: a name that every disk takes, and one for each book."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return own_folder(game) / f"book-{plain}-{sha256(name.encode('utf-8', 'replace'))[:8]}.json"


def _load(path: Path) -> Book:
    data = read_file(path, what=WHAT, limit_bytes=STORE_LIMIT_BYTES)
    try:
        return Book.model_validate_json(data)
    except ValidationError as error:
        raise told_faults(path, error) from None
