"""Rules that were looked up, in words and as data."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

from mapkit.texts import say
from rules.lookup.at_hand import AtHand, Named, RuleAtHand, tags_of
from rules.lookup.book_sections import Section
from rules.lookup.books import Book
from rules.lookup.notes import Note
from rules.lookup.search import Found, Hit, Passage

WIDTH: Final = 88
LONGEST_QUOTE: Final = 4_000
"""Of a section of the owner's book, more than this is left to the book itself."""


def told_hits(found: Found) -> str:
    """Return the hits, each with its number, title, tags and the stretch that was found."""
    return "\n\n".join("\n".join(_hit_lines(hit)) for hit in found.hits)


def told_reading(found: Found) -> list[str]:
    """Return what a player should know about how the words were taken, line by line."""
    lines = [
        say("rules.lookup.read_as", typed=typed, words=", ".join(words))
        for typed, words in found.read_as
    ]
    if not found.hits:
        lines.append(say("rules.lookup.nothing", query=found.query))
    else:
        lines += [say("rules.lookup.unknown", word=word) for word in found.unknown]
    if found.nearest:
        lines.append(say("rules.lookup.nearest", words=", ".join(found.nearest)))
    if found.total > len(found.hits):
        lines.append(say("rules.lookup.more", shown=len(found.hits), total=found.total))
    return lines


def found_data(found: Found) -> dict[str, object]:
    """Return the answer to a query as JSON-able data."""
    return {
        "query": found.query,
        "total": found.total,
        "hits": [_hit_data(hit) for hit in found.hits],
        "read_as": {typed: list(words) for typed, words in found.read_as},
        "unknown": list(found.unknown),
        "nearest": list(found.nearest),
    }


def told_rule(at_hand: AtHand, rule: RuleAtHand) -> str:
    """Return all there is on a rule: summary, own notes, the owner's book, the rules around it."""
    blocks: list[list[str]] = [_entry_lines(rule, at) for at in range(len(rule.entries))]
    if not blocks:
        title = rule.in_books[0][1].title if rule.in_books else say("rules.lookup.section")
        blocks.append([f"{rule.number}  {title}"])
    blocks[0].insert(0, at_hand.pack.title)
    blocks += [[_note_name(note), _indented(note.text)] for note in rule.notes]
    blocks += [
        [_place(book, part), _indented(_shortened(part.text))] for book, part in rule.in_books
    ]
    for key, named in _around(rule):
        blocks.append([say(key), *(f"  {one.id}  {one.title}".rstrip() for one in named)])
    return "\n\n".join("\n".join(block) for block in blocks)


def rule_data(at_hand: AtHand, rule: RuleAtHand) -> dict[str, object]:
    """Return all there is on a rule as JSON-able data."""
    return {
        "game": at_hand.pack.id,
        "number": rule.number,
        "entries": [
            {
                "id": entry.id,
                "number": entry.number,
                "title": entry.title,
                "summary": entry.summary,
                "tags": {kind: list(tags) for kind, tags in tags_of(entry)},
            }
            for entry in rule.entries
        ],
        "notes": notes_data(rule.notes),
        "books": [
            {
                "book": book.name,
                "title": part.title,
                "page": part.page,
                "last_page": part.last_page,
                "text": part.text,
            }
            for book, part in rule.in_books
        ],
        "see": [_named_data(one) for one in rule.see],
        "referred_to_by": [_named_data(one) for one in rule.referred_to_by],
        "sub_rules": [_named_data(one) for one in rule.sub_rules],
    }


def told_notes(notes: Sequence[Note]) -> str:
    """Return notes with what they are called and what they are on."""
    return "\n\n".join(f"{_note_name(note)}\n{_indented(note.text)}" for note in notes)


def notes_data(notes: Sequence[Note]) -> list[dict[str, object]]:
    """Return notes as JSON-able data."""
    return [note.model_dump() for note in notes]


def told_books(books: Sequence[Book]) -> str:
    """Return the books, one in a line."""
    return "\n".join(
        say("rules.lookup.book", name=book.name, n=len(book.sections)) for book in books
    )


def books_data(books: Sequence[Book]) -> list[dict[str, object]]:
    """Return the books as JSON-able data, without their texts."""
    return [
        {"name": book.name, "pages": book.pages, "rules": [part.number for part in book.sections]}
        for book in books
    ]


def _hit_lines(hit: Hit) -> Iterator[str]:
    passage = hit.passage
    yield f"{_passage_name(passage)}  {passage.title}".rstrip()
    yield _indented(hit.snippet.with_signs())
    if passage.kind == "book":
        yield _indented(f"[{_place_of(passage.book, passage.page, None)}]")
    elif passage.tags:
        yield _indented(f"[{', '.join(dict.fromkeys(passage.tags))}]")


def _hit_data(hit: Hit) -> dict[str, object]:
    passage = hit.passage
    return {
        "kind": passage.kind,
        "id": passage.id,
        "number": passage.number,
        "title": passage.title,
        "because": hit.because,
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
        "tags": list(passage.tags),
        "book": passage.book or None,
        "page": passage.page,
    }


def _passage_name(passage: Passage) -> str:
    if passage.kind in ("note", "house_rule"):
        return _called(passage.kind, passage.id, passage.number)
    # A glossary's id repeats its title: the number alone says where it stands.
    return passage.number


def _note_name(note: Note) -> str:
    return _called(note.kind, str(note.id), note.rule)


def _called(kind: str, id_: str, rule: str) -> str:
    if rule:
        return say(f"rules.lookup.{kind}_on", id=id_, rule=rule)
    return say(f"rules.lookup.{kind}", id=id_)


def _entry_lines(rule: RuleAtHand, at: int) -> list[str]:
    entry = rule.entries[at]
    tags = [f"  {say(f'rules.tags.{kind}')}: {', '.join(some)}" for kind, some in tags_of(entry)]
    return [f"{entry.number}  {entry.title}", _indented(entry.summary), *tags]


def _around(rule: RuleAtHand) -> Iterator[tuple[str, Sequence[Named]]]:
    if rule.sub_rules:
        yield "rules.lookup.sub_rules", rule.sub_rules
    elsewhere = [one for one in rule.see if one not in rule.sub_rules]
    if elsewhere:
        yield "rules.lookup.see", elsewhere
    if rule.referred_to_by:
        yield "rules.lookup.referred_to_by", rule.referred_to_by


def _place(book: Book, part: Section) -> str:
    return _place_of(book.name, part.page, part.last_page)


def _place_of(book: str, page: int | None, last: int | None) -> str:
    if page is None:
        return say("rules.lookup.in_book", book=book)
    if last is None or last == page:
        return say("rules.lookup.on_page", book=book, page=page)
    return say("rules.lookup.on_pages", book=book, page=page, last=last)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_QUOTE:
        return text
    return f"{text[:LONGEST_QUOTE].rsplit(' ', 1)[0]} …"


def _indented(text: str) -> str:
    parts = (part for part in text.split("\n") if part.strip())
    return "\n".join(
        fill(part, WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False)
        for part in parts
    )


def _named_data(one: Named) -> dict[str, str]:
    return {"id": one.id, "title": one.title}
