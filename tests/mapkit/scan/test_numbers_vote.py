"""The vote finds the numbering that most reads show, and none where they leave it open."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.errors import NumberingError
from mapkit.hexes import Hex
from mapkit.numbering import Axis, Numbering
from mapkit.scan.numbers_vote import Read, vote

COLUMNS, ROWS = 14, 12


def hexes_of(numbering, columns=range(COLUMNS), rows=range(ROWS)):
    return [numbering.hex_at(column, row) for column in columns for row in rows]


def true_reads(numbering, hexes):
    return [Read(hex_, numbering.format_label(hex_), 0.9) for hex_ in hexes]


def agree(one, two, hexes):
    return all(one.format_label(hex_) == two.format_label(hex_) for hex_ in hexes)


def an_axis(digits):
    top = 10**digits - 1 - max(COLUMNS, ROWS)
    up = st.integers(0, top).map(lambda first: Axis(first=first, digits=digits))
    down = st.integers(max(COLUMNS, ROWS), top).map(
        lambda first: Axis(first=first, step=-1, digits=digits)
    )
    return up | down


LETTERS = st.builds(
    lambda letters, first, down: Axis(
        first=first + (COLUMNS if down else 0),
        step=-1 if down else 1,
        letters=letters,
        digits=1,
    ),
    st.sampled_from(["AA BB", "AA AB"]),
    st.integers(1, 30),
    st.booleans(),
)
WRAPPED = st.integers(-12, -1).map(lambda first: Axis(first=first, wrap_from=80))
SMALL = st.integers(1, 20).map(lambda first: Axis(first=first, digits=1))
PARTS = st.one_of(
    st.tuples(an_axis(2) | WRAPPED, an_axis(2), st.just("")),
    st.tuples(LETTERS, SMALL | an_axis(2), st.just("")),
    st.tuples(SMALL, an_axis(2), st.just(".")),
    st.tuples(an_axis(3), an_axis(2), st.just("")),
)
NUMBERINGS = st.builds(
    lambda straight, order, parts, shoved, toward, q, r: Numbering(
        straight=straight,
        order=order,
        columns=parts[0],
        rows=parts[1],
        separator=parts[2],
        shoved=shoved,
        toward=toward,
        origin=Hex(q, r),
    ),
    st.sampled_from(["columns", "rows"]),
    st.sampled_from(["CCRR", "RRCC"]),
    PARTS,
    st.sampled_from(["odd", "even"]),
    st.sampled_from(["higher", "lower"]),
    st.integers(-30, 30),
    st.integers(-30, 30),
)


@settings(max_examples=25)
@given(NUMBERINGS, st.integers(0, 10_000))
def test_right_reads_give_the_numbering(numbering, seed):
    hexes = hexes_of(numbering)
    some = random.Random(seed).sample(hexes, 110)
    found = vote(true_reads(numbering, some), numbering.orientation)
    assert found.numbering is not None
    assert agree(found.numbering, numbering, some)
    assert found.standings[0].share == 1.0


@settings(max_examples=40)
@given(NUMBERINGS, st.integers(0, 10_000), st.sampled_from(["swapped", "noise", "a sign"]))
def test_thirty_wrong_reads_in_a_hundred_never_give_a_wrong_numbering(numbering, seed, how):
    dice = random.Random(seed)
    some = dice.sample(hexes_of(numbering), 100)
    reads = true_reads(numbering, some)
    for index in range(30):
        wrong = {
            "swapped": reads[dice.randrange(100)].text,
            "noise": "".join(dice.choices("0123456789", k=4)),
            "a sign": _one_sign_off(reads[index].text, dice),
        }
        reads[index] = Read(some[index], wrong[how], dice.uniform(0.5, 1.0))
    found = vote(reads, numbering.orientation)
    assert found.best is not None
    assert agree(found.best.numbering, numbering, some)
    if how == "a sign" and len(reads[-1].text) > 4:
        assert found.decided
    for disagreement in found.best.against:
        assert numbering.format_label(disagreement.hex_) == disagreement.label


def _one_sign_off(text, dice):
    at = dice.randrange(len(text))
    return text[:at] + dice.choice("0123456789") + text[at + 1 :]


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_noise_decides_nothing(seed):
    dice = random.Random(seed)
    hexes = dice.sample(hexes_of(GAME), 100)
    reads = [Read(hex_, "".join(dice.choices("0123456789", k=4)), 0.95) for hex_ in hexes]
    assert not vote(reads, "flat").decided


@settings(max_examples=20)
@given(st.integers(0, 1_000))
def test_strengths_of_units_decide_nothing(seed):
    dice = random.Random(seed)
    hexes = dice.sample(hexes_of(GAME), 25)
    reads = [Read(hex_, dice.choice(["4.2", "3.2", "3.3", "1.0", "2.3"]), 0.95) for hex_ in hexes]
    assert not vote(reads, "flat").decided


GAME = Numbering(straight="columns", columns=Axis(first=10), rows=Axis(first=1), shoved="odd")


def test_half_the_reads_wrong_leave_it_open_and_the_best_is_told():
    dice = random.Random(1)
    hexes = dice.sample(hexes_of(GAME), 60)
    noise = [Read(hex_, str(dice.randrange(1000, 9999)), 0.9) for hex_ in hexes[30:]]
    found = vote(true_reads(GAME, hexes[:30]) + noise, "flat")
    assert not found.decided
    assert found.numbering is None
    assert found.best.numbering.format_label(hexes[0]) == GAME.format_label(hexes[0])
    assert found.best.share < 0.8


def test_numbers_on_every_fifth_row_are_enough():
    hexes = hexes_of(GAME, rows=range(4, ROWS, 5))
    found = vote(true_reads(GAME, hexes), "flat")
    assert found.decided
    assert agree(found.numbering, GAME, hexes_of(GAME))


def test_every_other_column_does_not_tell_how_those_between_are_shoved():
    hexes = hexes_of(GAME, columns=range(0, COLUMNS, 2))
    found = vote(true_reads(GAME, hexes), "flat")
    assert not found.decided
    between = GAME.hex_at(3, 4)
    assert vote(
        true_reads(GAME, hexes), "flat", known=[(GAME.format_label(between), between)]
    ).decided


def test_one_row_does_not_tell_which_way_rows_count():
    assert not vote(true_reads(GAME, hexes_of(GAME, rows=[5])), "flat").decided


def test_a_handful_of_reads_is_too_few():
    hexes = [GAME.hex_at(*place) for place in ((0, 0), (1, 5), (6, 2), (9, 9), (4, 7))]
    assert not vote(true_reads(GAME, hexes), "flat").decided


def test_one_known_hex_settles_what_the_share_leaves_open():
    dice = random.Random(2)
    hexes = dice.sample(hexes_of(GAME), 60)
    noise = [Read(hex_, str(dice.randrange(1000, 9999)), 0.9) for hex_ in hexes[20:]]
    known = GAME.hex_at(7, 7)
    reads = true_reads(GAME, hexes[:20]) + noise
    assert not vote(reads, "flat").decided
    found = vote(reads, "flat", known=[(GAME.format_label(known), known)])
    assert found.decided
    assert agree(found.numbering, GAME, hexes_of(GAME))


def test_a_known_hex_outweighs_the_reads():
    shifted = replace(GAME, columns=Axis(first=20))
    known = GAME.hex_at(0, 0)
    found = vote(
        true_reads(GAME, hexes_of(GAME)), "flat", known=[(shifted.format_label(known), known)]
    )
    assert found.numbering is None or found.numbering.format_label(known) == "2001"


def test_one_known_hex_alone_settles_nothing():
    known = GAME.hex_at(0, 0)
    assert not vote((), "flat", known=[("1001", known)]).decided


def test_known_hexes_alone_settle_it_when_they_span_the_lattice():
    places = [(0, 0), (1, 0), (0, 1), (2, 3), (5, 2)]
    known = [(GAME.format_label(GAME.hex_at(*at)), GAME.hex_at(*at)) for at in places]
    found = vote((), "flat", known=known)
    assert found.decided
    assert agree(found.numbering, GAME, hexes_of(GAME))


def test_a_candidate_brings_what_reads_cannot_tell():
    skipping = replace(GAME, columns=Axis(first=10, skip=(15, 16)))
    hexes = hexes_of(skipping)
    there = [hex_.moved(Hex(7, -3)) for hex_ in hexes]
    reads = true_reads(skipping.moved(Hex(7, -3)), there)
    assert not vote(reads, "flat").decided
    found = vote(reads, "flat", candidates=[skipping])
    assert found.decided
    assert found.numbering == skipping.moved(Hex(7, -3))


def test_a_candidate_that_no_read_confirms_is_not_taken():
    other = replace(GAME, columns=Axis(first=30, step=-1), order="RRCC")
    found = vote(true_reads(GAME, hexes_of(GAME)), "flat", candidates=[other])
    assert agree(found.numbering, GAME, hexes_of(GAME))


def test_letters_on_a_geomorphic_board():
    board = Numbering(
        straight="columns", columns=Axis(letters="AA BB", digits=1), rows=Axis(digits=1)
    )
    hexes = hexes_of(board, columns=range(1, 32), rows=range(10))
    reads = [
        Read(hex_, board.format_label(hex_).replace("I", "1").replace("O", "0"), 0.9)
        for hex_ in hexes
    ]
    found = vote(reads, "flat")
    assert found.decided
    assert found.numbering.format_label(board.parse_label("BB4")) == "BB4"


def test_a_numbering_without_label_at_a_hex_is_no_error():
    found = vote(true_reads(GAME, hexes_of(GAME)), "flat")
    with pytest.raises(NumberingError):
        found.numbering.format_label(Hex(-500, 0))


def test_the_same_reads_in_another_order_give_the_same():
    reads = true_reads(GAME, hexes_of(GAME))
    assert vote(reads, "flat") == vote(reads[::-1], "flat")
