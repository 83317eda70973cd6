"""Two implementations of line events that share nothing, held against each other."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapkit.grid import Grid
from mapkit.hexes import ORIGIN, Hex, disc, vertices
from mapkit.lines import LinePoint, hex_line, line_events
from tests.mapkit.second_lines import second_events

KINDS = ("through", "along", "touch", "cross", "cross_at_vertex")


def compared(first, a: LinePoint, b: LinePoint) -> Counter[str]:
    """Hold the events of one line against the second opinion; return how often each kind came.

    Events that share one point may come in any order; all else is compared in order.
    """
    given_ = [(event.kind, event.hexes, event.start, event.end) for event in first]
    places = [(start, end) for _, _, start, end in given_]
    assert places == sorted(places), f"out of order from {a} to {b}"
    mine = sorted(given_, key=lambda event: (event[2], event[3], event[0], event[1]))
    other = second_events(tuple(a), tuple(b))
    assert mine == other, f"from {a} to {b}"
    return Counter(kind for kind, *_ in mine)


def expect(counts: Counter[str], **at_least: int) -> None:
    assert set(at_least) == set(KINDS)
    for kind, least in at_least.items():
        assert counts[kind] >= least, f"{kind} came only {counts[kind]} times"


def test_every_displacement_up_to_twelve_between_centres():
    counts: Counter[str] = Counter()
    for to in disc(ORIGIN, 12):
        counts += compared(hex_line(ORIGIN, to), LinePoint.at(ORIGIN), LinePoint.at(to))
    expect(counts, through=4000, along=80, touch=80, cross=3000, cross_at_vertex=80)


@pytest.mark.parametrize("to", [Hex(40, -13), Hex(-25, 50), Hex(30, 30), Hex(27, 6)])
def test_long_lines_between_centres(to):
    compared(hex_line(Hex(3, -8), to), LinePoint.at(Hex(3, -8)), LinePoint.at(to))


def test_all_centres_and_vertices_of_a_small_disc():
    from_here = {LinePoint.at(place) for place in (ORIGIN, *vertices(ORIGIN))}
    to_there = {
        LinePoint.at(place) for hex_ in disc(ORIGIN, 3) for place in (hex_, *vertices(hex_))
    }
    counts: Counter[str] = Counter()
    for a in sorted(from_here):
        for b in sorted(to_there):
            counts += compared(line_events(a, b), a, b)
    expect(counts, through=2000, along=200, touch=2000, cross=1000, cross_at_vertex=150)


@pytest.mark.parametrize(
    ("denominators", "lines"),
    [
        pytest.param((3,), 300, id="lattice points"),
        pytest.param((2, 6), 300, id="middles of hexsides"),
        pytest.param((4, 12), 300, id="often on a hexside"),
        pytest.param((5, 7, 11), 300, id="seldom on a hexside"),
        pytest.param((997, 1009), 300, id="large numbers"),
    ],
)
def test_free_points(denominators, lines):
    """Seeded, so a difference can be found again; each family meets borders in its own way."""
    dice = random.Random(f"free points {denominators}")

    def number() -> Fraction:
        below = dice.choice(denominators)
        return Fraction(dice.randint(-2 * below, 2 * below), below)

    counts: Counter[str] = Counter()
    for _ in range(lines):
        a, b = LinePoint(number(), number()), LinePoint(number(), number())
        counts += compared(line_events(a, b), a, b)
    assert counts["through"] >= 2 * lines
    assert counts["cross"] >= lines


def test_lines_made_to_run_along_hexsides_and_through_vertices():
    """Both ends free, but on a line through two lattice points, so it is no free line."""
    dice = random.Random("aimed lines")
    places = [LinePoint.at(place) for hex_ in disc(ORIGIN, 2) for place in (hex_, *vertices(hex_))]
    counts: Counter[str] = Counter()
    for _ in range(500):
        one, other = dice.sample(places, 2)
        before, after = (Fraction(dice.randint(-9, 9), dice.choice((4, 6, 9))) for _ in range(2))
        a, b = (
            LinePoint(*(x + far * (y - x) for x, y in zip(one, other, strict=True)))
            for far in (-before, 1 + after)
        )
        counts += compared(line_events(a, b), a, b)
    expect(counts, through=1500, along=150, touch=400, cross=400, cross_at_vertex=150)


def test_lines_of_no_length():
    counts: Counter[str] = Counter()
    for q in range(-6, 7):
        for r in range(-6, 7):
            for below in (2, 3, 4, 6):
                at = LinePoint(Fraction(q, below), Fraction(r, below))
                counts += compared(line_events(at, at), at, at)
    assert counts["through"] >= 100
    assert counts["touch"] >= 300


numbers = st.fractions(-3, 3, max_denominator=12)
free = st.builds(LinePoint, numbers, numbers)


@settings(max_examples=200)
@given(free, free)
def test_any_two_points(a, b):
    compared(line_events(a, b), a, b)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_left_is_left_on_the_printed_sheet(orientation):
    grid = Grid.regular(orientation, pitch_px=60)
    seen = 0
    for to in disc(ORIGIN, 6):
        for kind, hexes, *_ in second_events((Fraction(0),) * 2, (Fraction(to.q), Fraction(to.r))):
            if kind == "along":
                (ax, ay), (bx, by) = grid.centre(ORIGIN), grid.centre(to)
                left, right = (
                    # On paper y runs down: turned clockwise is positive and to the right.
                    (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                    for x, y in map(grid.centre, hexes)
                )
                assert left < 0 < right
                seen += 1
    assert seen >= 18
