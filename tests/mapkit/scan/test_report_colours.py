from hypothesis import given
from hypothesis import strategies as st

from mapkit.scan.report_colours import as_hex, as_rgb, distance, of_role, ramp, told_apart

colours = st.tuples(*[st.integers(0, 255)] * 3).map(as_hex)


@given(st.sets(st.integers(-5, 30), min_size=2, max_size=20))
def test_levels_grow_lighter_with_every_step(levels):
    light = [distance(colour, "#000000") for colour in ramp(list(levels)).values()]
    assert light == sorted(light)
    assert list(ramp(list(levels))) == sorted(levels)


@given(st.lists(st.none() | colours, max_size=12))
def test_no_two_kinds_are_taken_for_each_other(wished):
    given_ = list(told_apart(dict(enumerate(wished))).values())
    assert len(given_) == len(wished)
    for place, one in enumerate(given_):
        assert all(distance(one, other) > 0.05 for other in given_[:place])


def test_a_map_may_know_more_kinds_than_there_are_plain_colours():
    given_ = list(told_apart(dict.fromkeys(range(40))).values())
    nearest = min(distance(a, b) for n, a in enumerate(given_) for b in given_[:n])
    assert nearest > 0.05


def test_water_is_blue_and_keeps_its_colour():
    given_ = told_apart({"rio": of_role("river"), "bach": of_role("stream"), "muro": None})
    for name, role in (("rio", "river"), ("bach", "stream")):
        red, _, blue = as_rgb(given_[name])
        assert given_[name] == of_role(role)
        assert blue > 2 * red


@given(colours)
def test_colours_are_read_as_they_are_written(colour):
    assert as_hex(as_rgb(colour)) == colour
    assert distance(colour, colour) == 0
