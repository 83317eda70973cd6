"""The owner's own rulebooks and notes: read in the right order, kept whole, refused in a line."""

import subprocess
import zlib
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from mapkit.errors import MissingExtraError, StoreError
from rules.lookup import book_pages
from rules.lookup.book_pages import BookError, Page, read_pages
from rules.lookup.book_sections import find_sections
from rules.lookup.books import add_book, read_books, remove_book
from rules.lookup.columns import Box, find_gutters, page_lines, text_lines
from rules.lookup.notes import add_note, notes_file, read_notes, remove_note
from rules.lookup.own_files import OwnFileError
from rules.lookup.rule_numbers import number_key
from tests.rules.own_game import BOOK

KNOWN = ("1.0", "2", "4", "4.1", "4.3", "4.10", "5", "5.2", "6", "Table 1")
LEFT = [f"left {n} tells of supply and bread and" for n in range(30)]
RIGHT = [f"right {n} tells of boots and mules" for n in range(30)]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MAPKIT_BOOKS", str(tmp_path / "own"))
    return tmp_path / "own" / "skirmish"


def draw_columns(canvas: Canvas, *columns: list[str], top: float = 780, drop: float = 0) -> None:
    """Draw columns line by line across the page, as some programs do: not one after the other."""
    canvas.setFont("Helvetica", 9)
    for at in range(max(map(len, columns))):
        for place, column in enumerate(columns):
            if at < len(column):
                left = 50 + place * 500 / len(columns)
                canvas.drawString(left, top - at * 12 - place * drop, column[at])


def pdf(path: Path, *pages, size=A4, **options) -> Path:
    canvas = Canvas(str(path), pagesize=size, **options)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def lines(path: Path) -> list[str]:
    return [line for page in read_pages(path) for line in page.lines if line]


# Pages.


@pytest.mark.parametrize("drop", [0, 4, 6])
def test_two_columns_are_read_one_after_the_other(tmp_path, drop):
    path = pdf(tmp_path / "two.pdf", lambda c: draw_columns(c, LEFT, RIGHT, drop=drop))
    assert lines(path) == [*LEFT, *RIGHT]


def test_three_columns(tmp_path):
    three = [[f"{name}{n} is a line of this column" for n in range(20)] for name in "abc"]
    path = pdf(tmp_path / "three.pdf", lambda c: draw_columns(c, *three))
    assert lines(path) == [*three[0], *three[1], *three[2]]


def test_one_column_stays_one(tmp_path):
    told = [f"{n}.  A unit in supply may move as far as its boots allow it to" for n in range(30)]
    path = pdf(tmp_path / "one.pdf", lambda c: draw_columns(c, told))
    assert lines(path) == [line.replace("  ", " ") for line in told]


def test_hanging_numbers_are_no_column(tmp_path):
    def draw(canvas):
        canvas.setFont("Helvetica", 9)
        for n in range(20):
            canvas.drawString(50, 780 - n * 12, f"4.{n}")
            canvas.drawString(90, 780 - n * 12, f"is a rule about something, the {n}th of many")

    found = lines(pdf(tmp_path / "hanging.pdf", draw))
    assert found[3] == "4.3 is a rule about something, the 3th of many"


def test_what_is_wide_divides_the_page(tmp_path):
    def draw(canvas):
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawCentredString(297, 800, "MOVEMENT OF BANDS AND OF THEIR MULES")
        draw_columns(canvas, LEFT[:12], RIGHT[:12], top=770)
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawCentredString(297, 600, "SUPPLY OF BANDS AND OF THEIR MULES")
        draw_columns(canvas, LEFT[12:], RIGHT[12:], top=570)

    found = lines(pdf(tmp_path / "wide.pdf", draw))
    head = "MOVEMENT OF BANDS AND OF THEIR MULES"
    middle = "SUPPLY OF BANDS AND OF THEIR MULES"
    assert found == [head, *LEFT[:12], *RIGHT[:12], middle, *LEFT[12:], *RIGHT[12:]]


def test_ragged_and_outdented_lines_stay_in_their_columns(tmp_path):
    usual, longer = "a line of middling length", "a much longer line that reaches far to the right"
    left = [usual if n % 10 else longer for n in range(30)]
    right = [f"right {n} of them stands here" for n in range(30)]

    def draw(canvas):
        draw_columns(canvas, left)
        for n in range(30):
            canvas.drawString(300 - 20 * (n % 11 == 0), 780 - n * 12, right[n])

    assert lines(pdf(tmp_path / "ragged.pdf", draw)) == [*left, *right]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_pages_that_lie_on_their_side(tmp_path, degrees):
    def draw(canvas):
        canvas.translate(297, 421)
        canvas.rotate(degrees)
        canvas.translate(-421, -297)
        draw_columns(canvas, LEFT, RIGHT, top=520)

    assert lines(pdf(tmp_path / "side.pdf", draw)) == [*LEFT, *RIGHT]


def test_a_turned_page_is_read_as_it_is_seen(tmp_path):
    def draw(canvas):
        draw_columns(canvas, LEFT, RIGHT, top=520)
        canvas.setPageRotation(90)

    assert lines(pdf(tmp_path / "turned.pdf", draw, size=landscape(A4))) == [*LEFT, *RIGHT]


def test_page_numbers_and_running_heads_are_left_out(tmp_path):
    def page(n):
        def draw(canvas):
            canvas.setFont("Helvetica", 8)
            canvas.drawString(50, 820, "Skirmish at the Ford, rules")
            canvas.drawCentredString(290, 20, f"– {n} –")
            draw_columns(canvas, LEFT, RIGHT)

        return draw

    pages = read_pages(pdf(tmp_path / "book.pdf", *map(page, range(1, 5))))
    assert [page.number for page in pages] == [1, 2, 3, 4]
    assert all([line for line in page.lines if line] == [*LEFT, *RIGHT] for page in pages)


def test_an_empty_page_has_no_gutters():
    assert find_gutters([]) == []
    assert page_lines([]) == []
    one = Box("word", 0, 0, 20, 10)
    assert page_lines([one]) == ["word"]
    assert text_lines([one]) == [[one]]


boxes = st.builds(
    lambda x, y, w, h: Box("word", x, y, x + w, y + h),
    st.floats(0, 600),
    st.floats(0, 800),
    st.floats(0, 300),
    st.floats(0, 30),
)


@given(st.lists(boxes, max_size=60))
def test_every_word_of_a_page_is_read_once(words):
    assert " ".join(page_lines(words)).split() == ["word"] * len(words)


# Files that are no rulebooks.


def refused(path: Path) -> str:
    with pytest.raises((BookError, StoreError)) as caught:
        read_pages(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_locked_pdf(tmp_path):
    path = pdf(tmp_path / "x.pdf", lambda c: draw_columns(c, LEFT), encrypt="secret")
    assert "locked by a password" in refused(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"%PDF-1.4\nnonsense", "the PDF is broken", id="broken"),
        pytest.param(b"", "there is no text in it", id="empty"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "neither PDF nor", id="picture"),
        pytest.param(b"PK\x03\x04 word/document.xml", "neither PDF nor", id="zip"),
        pytest.param("\ufeff\ud800".encode("utf-16", "surrogatepass"), "neither PDF", id="utf-16"),
    ],
)
def test_what_is_no_rulebook(tmp_path, data, message):
    path = tmp_path / "x.pdf"
    path.write_bytes(data)
    assert message in refused(path)


def test_a_pdf_cut_short(tmp_path):
    whole = pdf(tmp_path / "x.pdf", lambda c: draw_columns(c, LEFT, RIGHT)).read_bytes()
    for share in (3, 2):
        (tmp_path / "x.pdf").write_bytes(whole[: len(whole) // share])
        assert "the PDF is broken" in refused(tmp_path / "x.pdf")


def test_a_scan_without_letters(tmp_path):
    path = pdf(tmp_path / "scan.pdf", lambda c: c.rect(50, 50, 400, 600, fill=1))
    assert "there is no text in it; if it is a scan" in refused(path)


def test_too_many_pages_and_letters(tmp_path, monkeypatch):
    path = pdf(tmp_path / "x.pdf", *[lambda c: draw_columns(c, LEFT)] * 3)
    monkeypatch.setattr(book_pages, "MAX_PAGES", 2)
    assert "pages; add the part with the rules" in refused(path)
    monkeypatch.setattr(book_pages, "MAX_PAGES", 9)
    monkeypatch.setattr(book_pages, "MAX_SIGNS", 1000)
    assert "letters; add the part with the rules" in refused(path)


def test_a_file_that_is_too_big(tmp_path, monkeypatch):
    monkeypatch.setattr(book_pages, "TEXT_LIMIT_BYTES", 10)
    (tmp_path / "x.txt").write_text(BOOK, encoding="utf-8")
    assert "too big for a rulebook" in refused(tmp_path / "x.txt")
    assert "is a folder" in refused(tmp_path)
    assert "no such file" in refused(tmp_path / "nowhere.pdf")


def test_a_pdf_that_swells_like_a_zip_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(book_pages, "MEMORY_BYTES", 320 * 1024**2)
    packer = zlib.compressobj(1)
    once = b"".join(packer.compress(bytes(1 << 24)) for _ in range(32)) + packer.flush()
    path = tmp_path / "bomb.pdf"
    path.write_bytes(bare_pdf(zlib.compress(once, 9), b"[/FlateDecode/FlateDecode]"))
    assert path.stat().st_size < 50_000
    message = refused(path)
    assert "needs too much memory" in message or "no text in it" in message


def bare_pdf(stream: bytes, filters: bytes) -> bytes:
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>",
        b"<</Length %d/Filter%s>>stream\n%s\nendstream" % (len(stream), filters, stream),
    ]
    out = BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    table = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n")
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % table)
    return out.getvalue()


def test_a_reader_that_dies_or_takes_forever(tmp_path, monkeypatch):
    path = pdf(tmp_path / "x.pdf", lambda c: draw_columns(c, LEFT))
    dead = subprocess.CompletedProcess([], -11, b"", b"Segmentation fault")
    monkeypatch.setattr(book_pages.subprocess, "run", lambda *args, **options: dead)
    assert "broken or needs too much memory" in refused(path)

    def forever(*args, **options):
        raise subprocess.TimeoutExpired([], 180)

    monkeypatch.setattr(book_pages.subprocess, "run", forever)
    assert "takes longer than 180 s" in refused(path)


def test_without_the_extra_a_pdf_names_it(tmp_path, monkeypatch):
    path = pdf(tmp_path / "x.pdf", lambda c: draw_columns(c, LEFT))
    monkeypatch.setattr(book_pages, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"reading a PDF needs the optional part 'scan'"):
        read_pages(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_in_any_usual_encoding(tmp_path, encoding):
    path = tmp_path / "rules.txt"
    path.write_bytes("4.1 Höhe – Größe\r\nMulis\rBrot".encode(encoding))
    assert read_pages(path) == (Page(None, ("4.1 Höhe – Größe", "Mulis", "Brot")),)


# Numbered rules.


def test_the_rules_of_a_book(tmp_path):
    (tmp_path / "rules.txt").write_text(BOOK, encoding="utf-8")
    found = find_sections(read_pages(tmp_path / "rules.txt"), known=KNOWN)
    told = [(part.number, part.title, part.page) for part in found]
    assert told == [
        ("1", "About the game", 1),
        ("4", "Movement", 1),
        ("4.1", "Walking", 1),
        ("5", "Supply", 2),
        ("5.2", "Hungry units", 2),
        ("7.1", "Weather", 2),
    ]
    walking = found[2].text
    assert walking.startswith("4.1 Walking. Four hexes are the rule, as 5.2 will explain in due")
    assert walking.endswith("to everybody who asks.")
    assert "12 mules" in found[1].text
    assert "4.1 no longer holds" in found[4].text


@pytest.mark.parametrize("entry", ["2. Parts 1", "2. Parts .......... 1", "2 Parts . . . . 12"])
def test_the_table_of_contents_holds_no_rules(entry):
    told = ("1. About 1", entry, "3. Turns 2", "", "1. About", "Bands.", "3. Turns", "Ten.")
    assert [part.number for part in find_sections([Page(1, told)])] == ["1", "3"]


def test_a_rule_over_two_pages():
    pages = [Page(7, ("5 Supply", "Bread")), Page(8, ("and water.", "5.1 Water", "Wet."))]
    first, second = find_sections(pages)
    assert (first.page, first.last_page, second.page, second.last_page) == (7, 8, 8, 8)
    assert first.text == "5 Supply Bread and water."


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("[4.1] Walking", "4.1", "Walking"),
        ("§4.1: Walking", "4.1", "Walking"),
        ("− 4.1 Walking: far", "4.1", "Walking"),
        ("4.1) Walking", "4.1", "Walking"),
        ("4.1", "4.1", "The next line"),
    ],
)
def test_how_headings_are_printed(line, number, title):
    (found,) = find_sections([Page(1, (line, "The next line", "and one more"))])
    assert (found.number, found.title) == (number, title)


def test_a_book_without_numbers_has_no_rules():
    assert find_sections([Page(1, ("Once upon a time", "there were 12 mules"))]) == ()
    assert find_sections([]) == ()


words = st.sampled_from(["4.1", "5", "5.2", "12.10.3", "Supply", "of", "mules.", "", "99", "-"])


@given(st.lists(st.lists(words, max_size=4).map(" ".join), max_size=40))
def test_sections_rise_and_lose_no_line(told):
    found = find_sections([Page(1, tuple(line.strip() for line in told))])
    keys = [number_key(part.number) for part in found]
    assert all(one < other for one, other in pairwise(keys))
    kept = "".join("".join(part.text for part in found).split())
    whole = "".join("".join(told).split())
    if "-" not in whole:  # a hyphen at the end of a line may rightly go
        assert whole.endswith(kept)


# The owner's disk.


@pytest.fixture
def book_file(tmp_path):
    path = tmp_path / "my rules.txt"
    path.write_text(BOOK, encoding="utf-8")
    return path


def test_a_book_is_kept_and_forgotten(book_file, own_folder):
    before = book_file.read_bytes()
    added = add_book("skirmish", book_file, known=KNOWN)
    assert read_books("skirmish") == (added,)
    assert (added.name, added.pages, added.section("5.0").page) == ("my rules", 2, 2)
    assert add_book("skirmish", book_file, known=KNOWN) == added
    remove_book("skirmish", "my rules")
    assert read_books("skirmish") == ()
    assert book_file.read_bytes() == before
    assert [path.suffix for path in own_folder.iterdir()] == [".lock"]


def test_another_book_of_that_name_asks_first(book_file):
    add_book("skirmish", book_file, known=KNOWN)
    book_file.write_text("9.9 Something else\nentirely", encoding="utf-8")
    with pytest.raises(BookError, match="another book 'my rules' already; --force"):
        add_book("skirmish", book_file, known=KNOWN)
    assert len(read_books("skirmish")[0].sections) == 6
    add_book("skirmish", book_file, known=KNOWN, force=True)
    assert [part.number for part in read_books("skirmish")[0].sections] == ["9.9"]


def test_books_of_like_names_are_two(tmp_path):
    for name in ("Rules!", "rules?x", "é", "è"):
        path = tmp_path / name.replace("?", "_")
        path.write_text(BOOK, encoding="utf-8")
        add_book("skirmish", path, known=KNOWN)
    assert len(read_books("skirmish")) == 4


def test_a_kept_book_that_is_damaged_names_its_file(book_file, own_folder):
    add_book("skirmish", book_file, known=KNOWN)
    (kept,) = own_folder.glob("book-*.json")
    kept.write_text('{"format": "mapkit-book/9"}', encoding="utf-8")
    with pytest.raises(OwnFileError, match=r"book-my-rules-.*format: .*mend the file or delete it"):
        read_books("skirmish")


def test_no_numbers_no_book(tmp_path):
    (tmp_path / "x.txt").write_text("Once upon a time.", encoding="utf-8")
    with pytest.raises(BookError, match="no line in it begins with the number of a rule"):
        add_book("skirmish", tmp_path / "x.txt", known=())
    with pytest.raises(OwnFileError, match="no book 'x' for skirmish; there is: none"):
        remove_book("skirmish", "x")


def test_notes_are_kept_with_the_owners_comments(own_folder):
    assert read_notes("skirmish") == ()
    first = add_note("skirmish", "no undo", kind="house_rule")
    path = notes_file("skirmish")
    assert path.parent == own_folder
    path.write_text(path.read_text() + "# agreed on Sunday\n", encoding="utf-8")
    second = add_note("skirmish", "seven hexes", rule="4.1")
    assert read_notes("skirmish") == (first, second)
    assert (first.id, second.id) == (1, 2)
    assert "# agreed on Sunday" in path.read_text()
    assert remove_note("skirmish", 1) == first
    assert read_notes("skirmish") == (second,)
    assert remove_note("skirmish", 2) == second
    assert read_notes("skirmish") == ()
    with pytest.raises(OwnFileError, match="no note 2 on skirmish; there is: none"):
        remove_note("skirmish", 2)


def test_notes_written_another_way_are_kept_too(own_folder):
    own_folder.mkdir(parents=True)
    notes_file("skirmish").write_text('note = [{ id = 4, text = "a" }, { id = 7, text = "b" }]')
    assert add_note("skirmish", "c").id == 8
    remove_note("skirmish", 7)
    assert [note.text for note in read_notes("skirmish")] == ["a", "c"]


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4))
def test_any_text_comes_back(tmp_path_factory, texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAPKIT_BOOKS", str(tmp_path_factory.mktemp("own")))
        for text in texts:
            add_note("skirmish", text)
        assert [note.text for note in read_notes("skirmish")] == [text.strip() for text in texts]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[note]]\nid = 1\n", "note.0.text: Field required"),
        ("note = 3", "note: "),
        ("[[note]", "does not read"),
        ('[[note]]\nid=1\ntext="a"\n[[note]]\nid=1\ntext="b"', "two notes have the same id"),
    ],
)
def test_notes_that_do_not_read_name_their_file(own_folder, text, message):
    own_folder.mkdir(parents=True)
    notes_file("skirmish").write_text(text, encoding="utf-8")
    with pytest.raises(OwnFileError, match=message):
        add_note("skirmish", "one more")
    assert notes_file("skirmish").read_text() == text


def test_a_note_without_words():
    with pytest.raises(OwnFileError, match="a note is a text of 1 to 20,000 letters"):
        add_note("skirmish", "  ")
