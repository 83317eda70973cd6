"""All pairs at once: equal to the single line on every pair; packed and read again."""

import pytest

from mapkit.errors import DocumentError, UnknownHexError
from mapkit.hexes import Hex, distance
from mapkit.sheets import crop
from mapkit.sight import (
    Obstacle,
    RangeLimit,
    Reach,
    SideObstacle,
    SightGround,
    SightPolicy,
    sight,
    sight_table,
    when,
)
from mapkit.sight.fields import Lookout, field_of_view
from mapkit.sight.packed import pack_table, unpack_table
from sample_maps.library import load
from tests.boards import board

WOODS = frozenset({"woods"})
HILL = Obstacle("hill", when("level > higher_end"))
POLICIES = {
    "the higher end": SightPolicy(
        (HILL, Obstacle("woods", when("level = higher_end"), WOODS)),
        reach=Reach(6, per_level=1),
    ),
    "either end, capped": SightPolicy(
        (
            HILL,
            Obstacle("woods", when("level = observer"), WOODS | {"town"}),
            Obstacle("woods", when("level = target"), WOODS | {"town"}),
        ),
        reach=Reach(6, per_level=1, cap=8, limits=(RangeLimit(0, level_to=1),)),
    ),
    "a slope": SightPolicy((Obstacle("hill", when("top > sight_line"), height=1),), reach=Reach(5)),
    "walls and grain": SightPolicy(
        (Obstacle("grain", ground=WOODS, hinders=1),),
        (SideObstacle("stream", frozenset({"stream", "crags"}), hinders=2),),
        reach=Reach(5),
        hindrance_blocks=3,
        touch="blocks",
    ),
}


def some_land(name):
    map_ = load(name)
    centre = sorted(map_.hexes)[len(map_.hexes) // 2]
    return crop(map_, {hex_ for hex_ in map_.hexes if distance(hex_, centre) <= 6})


@pytest.fixture(scope="module", params=["alpine", "valley", "hills"])
def land(request):
    return some_land(request.param)


@pytest.mark.parametrize("name", POLICIES)
def test_the_table_equals_the_single_line_on_every_pair(land, name):
    ground = SightGround(land, POLICIES[name])
    table, lookout = sight_table(ground), Lookout.over(ground)
    shares = {True: 0, False: 0}
    for a in land.hexes:
        field = set(lookout.field(a).clear)
        for b in land.hexes:
            if distance(a, b) <= table.reach + 1:
                clear = sight(ground, a, b).clear
                assert table.sees(a, b) == (b in field) == clear, (land.label(a), land.label(b))
                shares[clear] += 1
    assert min(shares.values()) > 0.1 * sum(shares.values())


@pytest.mark.parametrize("name", POLICIES)
def test_a_packed_table_is_the_table(land, name):
    table = sight_table(land, POLICIES[name])
    packed = pack_table(table)
    again = unpack_table(packed)
    assert pack_table(again) == packed
    assert (again.reach, again.count()) == (table.reach, table.count())
    hexes = sorted(land.hexes)[::7]
    assert all(again.sees(a, b) == table.sees(a, b) for a in hexes for b in hexes)


def test_what_the_map_does_not_know_stays_open_in_the_table():
    map_ = board(".1 .1 .1", ".1 . .1", ".1 .1 ?1")
    table = sight_table(map_, POLICIES["the higher end"])
    again = unpack_table(pack_table(table))
    verdicts = set()
    for a in map_.hexes:
        field = field_of_view(map_, a, POLICIES["the higher end"])
        for b in map_.hexes:
            verdict = sight(map_, a, b, POLICIES["the higher end"]).verdict
            verdicts.add(verdict)
            for one in (table, again):
                assert (one.sees(a, b), one.may_see(a, b)) == (
                    verdict == "clear",
                    verdict in ("clear", "unknown"),
                )
            assert (b in field.unknown) == (verdict == "unknown")
    assert {"clear", "unknown"} <= verdicts


def test_a_rule_without_limit_covers_the_whole_map_or_what_was_asked_for():
    map_ = board(*[" ".join([".1"] * 12)] * 3)
    far = SightPolicy((HILL,))
    a, b = map_.hex("0101"), map_.hex("1201")
    assert sight_table(map_, far).sees(a, b)
    near = sight_table(map_, far, within=4)
    assert near.reach == 4
    assert not near.sees(a, b)
    assert near.sees(a, map_.hex("0501"))


def test_a_hex_off_the_map_is_said():
    map_ = board(".1 .1")
    table = sight_table(map_, POLICIES["a slope"])
    with pytest.raises(UnknownHexError):
        table.sees(map_.hex("0101"), Hex(50, 50))
    with pytest.raises(UnknownHexError):
        field_of_view(map_, Hex(50, 50), POLICIES["a slope"])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: b"not a table",
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data.replace(b"mapkit-sight/1", b"mapkit-sight/9"),
        lambda data: data.replace(b'"hexes"', b'"tiles"'),
    ],
)
def test_broken_bytes_are_one_clear_error(spoil):
    packed = pack_table(sight_table(board(".1 .1 .1"), POLICIES["a slope"]))
    with pytest.raises(DocumentError, match="table of sight"):
        unpack_table(spoil(packed))


def test_progress_is_told():
    heard = []
    sight_table(
        board(".1 .1 .1"), POLICIES["a slope"], on_progress=lambda *told: heard.append(told)
    )
    assert heard
