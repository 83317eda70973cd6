"""Losses in the order of each game: who takes steps, who gives up, who is held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.combat.inputs import read_units
from rules.combat.losses import Blow, Occasion, Target, steps_of, suffer
from rules.errors import RulesError
from rules.judges.losses import rule_losses
from rules.registry import find_pack
from tests.rules.combat.invented import entered

GAMES = ("strafexpedition", "caporetto-1917")
targets = st.lists(
    st.builds(
        lambda steps, points, morale: (steps, min(points, morale - 1), morale),
        st.integers(1, 4),
        st.integers(0, 6),
        st.integers(1, 7),
    ),
    min_size=1,
    max_size=4,
).map(
    lambda told: [
        Target(f"u{n}", "infantry", steps, points, {"morale": morale})
        for n, (steps, points, morale) in enumerate(told)
    ]
)


def fates(game, units, blow, *, procedure="assault", pack=None, **more):
    pack = pack or find_pack(game)
    return suffer(pack.losses, pack.classes, units, blow, Occasion(procedure, **more))


@pytest.mark.parametrize("game", GAMES)
@given(targets, st.integers(0, 6), st.integers(0, 4), st.booleans(), st.booleans())
def test_nothing_is_lost_twice_or_forgotten(game, units, steps, points, retreat, near):
    found = fates(game, units, Blow(steps, points, retreat), enemy_adjacent=near)
    assert sum(one.steps_lost for one in found) == min(steps, sum(unit.steps for unit in units))
    for one, unit in zip(found, units, strict=True):
        morale = unit.values["morale"]
        assert one.steps_left == unit.steps - one.steps_lost >= 0
        if one.fate == "stays":
            assert one.steps_left > 0
            assert one.points == min(unit.points + points, max(morale - 1, unit.points))
            assert one.points < morale
        if one.fate == "surrendered":
            assert near
            assert retreat, "the winner of an assault never surrenders"
            assert unit.points + points >= morale
        if one.fate == "eliminated":
            assert one.steps_left == 0


@pytest.mark.parametrize("game", GAMES)
@given(targets, st.integers(0, 8))
def test_steps_are_spread_as_evenly_as_they_can_be(game, units, steps):
    found = fates(game, units, Blow(steps))
    spared = [one.steps_lost for one in found if one.steps_left]
    most = max(one.steps_lost for one in found)
    assert all(lost >= most - 1 for lost in spared)


@pytest.mark.parametrize("game", GAMES)
@given(targets, st.data())
def test_the_first_step_is_taken_from_whose_morale_was_used(game, units, data):
    name = data.draw(st.sampled_from([unit.name for unit in units]))
    found = fates(game, units, Blow(1), first=name)
    assert [one.name for one in found if one.steps_lost] == [name]
    assert find_pack(game).losses.first_from_morale_used_cite in next(
        one.cites for one in found if one.steps_lost
    )


def test_the_two_games_differ_in_the_order():
    unit = [Target("a", "infantry", 1, 0, {"morale": 2})]
    both = Blow(steps=1, points=2, retreat=True)
    assert fates("strafexpedition", unit, both)[0].fate == "eliminated"
    assert fates("caporetto-1917", unit, both)[0].fate == "surrendered"


def test_another_reading_of_the_order_changes_the_fate():
    pack = entered("caporetto-1917", {}, order_of_losses="steps-first")
    unit = [Target("a", "infantry", 1, 0, {"morale": 2})]
    both = Blow(steps=1, points=2, retreat=True)
    assert fates("caporetto-1917", unit, both, pack=pack)[0].fate == "eliminated"


def test_who_is_held_one_below_is_told_with_the_rule():
    unit = [Target("a", "infantry", 2, 1, {"morale": 3})]
    won = fates("strafexpedition", unit, Blow(points=5))[0]
    assert (won.points, won.held, won.cites) == (2, True, ("16.4.2",))
    alone = fates(
        "strafexpedition", unit, Blow(points=5), procedure="bombardment", enemy_adjacent=False
    )[0]
    assert (alone.points, alone.held, alone.cites) == (2, True, ("16.4",))


@pytest.mark.parametrize("game", GAMES)
def test_who_hangs_on_a_value_nobody_has_read_is_to_be_looked_up(game):
    read = Target("b", "infantry", 2, 0, {"morale": 3})
    units = [Target("a", "infantry", 2), read]
    unread, known = fates(game, units, Blow(steps=2, points=3, retreat=True))
    assert (unread.fate, unread.to_read, unread.points) == ("look_up", ("morale",), 3)
    assert (known.fate, known.to_read) == ("surrendered", ())
    assert fates(game, units, Blow(steps=1))[0].fate == "stays"


@pytest.mark.parametrize("game", GAMES)
def test_steps_nobody_knows_are_not_taken_for_one(game):
    units = [Target("a", "infantry", None, 0, {"morale": 5})]
    hit = fates(game, units, Blow(steps=1, points=1))[0]
    assert (hit.fate, hit.to_read) == ("look_up", ("steps",))
    assert (hit.steps_lost, hit.steps_left, hit.points) == (1, None, 1)
    assert fates(game, units, Blow(points=1))[0].fate == "stays"
    both = fates(game, [Target("a", "infantry")], Blow(steps=1, points=1))[0]
    assert set(both.to_read) == {"steps", "morale"}


def test_the_steps_of_a_class_are_those_of_its_units():
    classes = find_pack("strafexpedition").classes
    known = {name: one.steps for name, one in classes.items() if one.steps is not None}
    for name, steps in known.items():
        assert steps_of(classes, name, None) == steps
        assert steps_of(classes, name, 1) == 1
    assert steps_of(classes, "", None) is None
    assert known


def test_what_must_be_read_is_missing_in_the_ruling():
    ruling = rule_losses(
        find_pack("strafexpedition"),
        [Target("a", "infantry", 2), Target("b", "infantry", 1, 0, {"morale": 4})],
        Blow(points=1),
        Occasion("bombardment"),
    )
    assert ruling.verdict == "look_up, stays"
    assert [reason.values["what"] for reason in ruling.missing] == ["morale"]


def test_without_an_enemy_near_they_give_up_where_none_is_needed():
    pack = find_pack("strafexpedition")
    unit = [Target("a", "infantry", 2, 0, {"morale": 2})]
    far = {"procedure": "bombardment", "enemy_adjacent": False}
    assert fates("strafexpedition", unit, Blow(points=2), **far)[0].fate == "stays"
    always = pack.losses.surrender.model_copy(update={"needs": "always"})
    losses = pack.losses.model_copy(update={"surrender": always})
    assert (
        suffer(losses, pack.classes, unit, Blow(points=2), Occasion(**far))[0].fate == "surrendered"
    )


def test_the_rule_of_spreading_is_cited_where_steps_are_spread():
    pack = find_pack("caporetto-1917")
    units = [Target(name, "infantry", 2, 0, {"morale": 5}) for name in "ab"]
    spread = fates("caporetto-1917", units, Blow(2))
    assert all(pack.losses.evenly_cite in one.cites for one in spread)
    assert all(
        pack.losses.evenly_cite not in one.cites for one in fates("caporetto-1917", units, Blow(1))
    )


def test_the_unit_first_hit_is_one_of_them():
    with pytest.raises(RulesError, match="'b' is none of the units: a"):
        fates("strafexpedition", [Target("a", "infantry", 2)], Blow(steps=1), first="b")


# Units attached to others, and units of many steps.


def of(pack, *texts):
    return read_units(pack, texts)


@pytest.mark.parametrize(
    ("procedure", "steps", "texts", "fates_"),
    [
        pytest.param("defensive_fire", 1, ("a:steps=2", "f:with=a", "b:steps=2"), "x", id="hit"),
        pytest.param("defensive_fire", 1, ("a:steps=2", "f:with=b", "b:steps=2"), "-", id="other"),
        pytest.param("defensive_fire", 0, ("a:steps=2", "f:with=a"), "-", id="nobody hit"),
        pytest.param("assault", 1, ("a:steps=2", "f"), "-", id="in an assault"),
        pytest.param("assault", 1, ("a:steps=1", "f"), "x", id="its unit is gone"),
        pytest.param("assault", 1, ("a:steps=1", "f", "b:steps=1"), "?", id="whose is it"),
        pytest.param("assault", 1, ("a:morale=3", "f"), "?", id="who knows the steps of a"),
    ],
)
def test_an_attached_unit_shares_the_fate_of_its_own(procedure, steps, texts, fates_):
    pack = find_pack("caporetto-1917")
    class_ = {"a": "cyclists", "b": "cyclists", "f": "flamethrower"}
    texts = [f"{text}{',' if ':' in text else ':'}class={class_[text[0]]}" for text in texts]
    found = rule_losses(pack, of(pack, *texts), Blow(steps), Occasion(procedure, first="a"))
    fate = {"x": "eliminated", "-": "stays", "?": "look_up"}[fates_]
    assert found.working["f"]["fate"] == fate
    assert "21.4" in found.cites
    if fate == "look_up" and "b" in found.working:
        assert "rules.combat.no_host" in {one.key for one in found.missing}


def test_units_of_one_name_have_each_their_own_fate():
    pack = find_pack("caporetto-1917")
    units = [Target("a", "cyclists", 1), Target("f", "flamethrower"), Target("a", "cyclists", 2)]
    ruling = rule_losses(pack, units, Blow(1), Occasion("assault"))
    assert ruling.verdict == "eliminated, look_up, stays"  # the first takes the first step


def test_a_unit_is_not_attached_to_one_that_is_not_there():
    with pytest.raises(RulesError, match="with=c is none of the others: a"):
        of(find_pack("caporetto-1917"), "a:steps=2", "f:class=flamethrower,with=c")


@pytest.mark.parametrize(
    ("strength", "steps", "shown"),
    [(4, 1, "turned"), (4, 2, "marked"), (4, 3, "replaced"), (4, 4, None), (3, 2, "replaced")],
)
def test_the_counter_of_a_unit_with_many_steps(strength, steps, shown):
    pack = find_pack("caporetto-1917")
    units = of(pack, f"a:class=infantry,nation=german,size=battalion,combat={strength},morale=6")
    ruling = rule_losses(pack, units, Blow(steps), Occasion("bombardment"))
    assert ruling.working["a"].get("shown") == shown
    assert ruling.verdict == ("stays" if shown else "eliminated")
    keys = [one.key for one in ruling.reasons]
    assert (f"rules.combat.shown_{shown}" in keys) == bool(shown)
