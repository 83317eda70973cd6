"""Stacking: the rules' own cases, what nobody said, and a slow second judge."""

from collections import Counter as Tally
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Unit
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.stacking import StackingJudge
from rules.project import Project
from rules.registry import find_pack
from rules.spelt_units import spelt_units
from rules.standing import Standing
from tests.boards import board
from tests.rules.judges.slow_stacking import C_CLASSES, C_GUNS, S_CLASSES, Counter, slow_stack

S, C = "strafexpedition", "caporetto-1917"


def field_of(game, word=".3"):
    return battlefield(
        Project(Path(), "x"), board(f"{word} {word}", f"{word} {word}"), find_pack(game)
    )


def ruled(game, *units, enemies=(), word=".3", **about):
    field = field_of(game, word)
    hex_ = field.hex("0101")
    ours, theirs = list(field.pack.sides)
    friends = spelt_units(field.pack, ours, hex_, units)
    names = [one.name for one in friends]
    others = spelt_units(field.pack, theirs, hex_, enemies, taken=names)
    return StackingJudge(field, (*friends, *others), **about).rule(hex_)


BN, CO = "infantry:battalion", "infantry:company"


@pytest.mark.parametrize(
    ("units", "word", "verdict"),
    [
        pytest.param([], ".3", "within", id="nobody"),
        pytest.param(["infantry", "alpini"], ".3", "within", id="two"),
        pytest.param(["infantry"] * 3, ".3", "over", id="three"),
        pytest.param(["infantry"], ".8", "within", id="one on level 8"),
        pytest.param(["infantry"] * 2, ".8", "over", id="two on level 8"),
        pytest.param(["infantry"] * 2 + ["fortress", "headquarters"], ".3", "within", id="free"),
        pytest.param(
            ["infantry", "field_artillery:fire", "infantry"], ".3", "over", id="guns count"
        ),
        pytest.param(["infantry"] * 2, "?", "unknown", id="who knows how high it is"),
        pytest.param(["infantry"], "?", "within", id="one may stand anywhere"),
        pytest.param(["infantry"] * 3, "?", "over", id="three nowhere"),
        pytest.param(["infantry", "infantry", ""], ".3", "unknown", id="a third of no class"),
        pytest.param(["infantry", ""], ".3", "within", id="whatever the second is"),
    ],
)
def test_strafexpedition(units, word, verdict):
    assert ruled(S, *units, word=word).verdict == verdict


@pytest.mark.parametrize(
    ("units", "verdict"),
    [
        pytest.param([BN, BN], "within", id="two battalions"),
        pytest.param([BN, BN, BN], "unknown", id="three: of one regiment?"),
        pytest.param([f"{BN}:7/I", f"{BN}:7/II", f"{BN}:8/I"], "over", id="of two regiments"),
        pytest.param([f"{BN}:7/I", f"{BN}:7/II", f"{BN}:7/III"], "within", id="of one regiment"),
        pytest.param([BN, *[CO] * 4], "within", id="four companies are a battalion"),
        pytest.param([f"{BN}:7/I", *[f"{CO}:8/1"] * 5], "over", id="five are two"),
        pytest.param([f"{BN}:7/I", f"{BN}:8/I", f"{CO}:9/1"], "over", id="one is one too"),
        pytest.param([BN, BN, "machine_guns"], "within", id="a free MG company"),
        pytest.param([BN, BN, "mountain_infantry:company"], "within", id="high mountain company"),
        pytest.param([BN, BN, "assault_infantry:company"], "within", id="infiltrators"),
        pytest.param(
            [f"{BN}:7/I", f"{BN}:8/I", "machine_guns", "assault_infantry:company"],
            "over",
            id="one free company, not one of each kind",
        ),
        pytest.param([BN, BN, "light_artillery:fire", "minenwerfer:fire"], "within", id="apart"),
        pytest.param(["light_artillery:fire"] * 3, "over", id="three emplaced guns"),
        pytest.param([BN, BN, "light_artillery:move"], "over", id="a gun that moves counts"),
        pytest.param([BN, BN, "light_artillery"], "unknown", id="fire side or move side?"),
        pytest.param([BN, "light_artillery"], "within", id="either way"),
        pytest.param([BN, BN, "flamethrower", "headquarters"], "within", id="flamethrower, HQ"),
        pytest.param([BN, "flamethrower", "flamethrower"], "over", id="one flamethrower in a hex"),
        pytest.param(["infantry", "infantry"], "within", id="battalions or companies"),
        pytest.param([f"{BN}:7/I", f"{BN}:8/I", "engineers"], "over", id="of any size too many"),
        pytest.param([BN, "assault_infantry", BN], "unknown", id="a free company or not"),
    ],
)
def test_caporetto_1917(units, verdict):
    assert ruled(C, *units).verdict == verdict


def test_what_is_said_of_an_overstacked_hex():
    ruling = ruled(S, "infantry", "alpini", "mountain_artillery", "fortress", "headquarters")
    side = ruling.working["sides"]["it"]
    assert side["pools"]["units"] == {"at_least": 3, "at_most": 3, "limits": [2], "too_many": 1}
    assert side["never"] == ["fortress", "headquarters"]
    assert side["due"] == ["infantry", "alpini", "mountain_artillery", "fortress"]
    assert side["disorganization"] == 1
    assert {"12.1", "12.6", "12.7"} <= set(ruling.cites)
    told = {reason.key for reason in ruling.reasons}
    assert {"rules.stacking.too_many", "rules.stacking.due_at_most"} <= told
    assert "rules.stacking.no_surrender" not in told


def test_nobody_surrenders_for_overstacking_in_caporetto():
    ruling = ruled(C, *["light_artillery:fire"] * 3)
    assert "15.4.3" in ruling.cites
    assert "rules.stacking.due_at_most" not in {reason.key for reason in ruling.reasons}


def test_of_one_regiment_only_two_fight():
    ruling = ruled(C, f"{BN}:7/I", f"{BN}:7/II", f"{BN}:7/III", "machine_guns")
    assert ruling.working["sides"]["it"]["regiment"] == "7"
    assert ruling.working["sides"]["it"]["free"] == ["machine_guns"]
    reason = next(one for one in ruling.reasons if one.key == "rules.stacking.one_regiment")
    assert reason.values["n"] == "2"


def test_the_unknown_is_asked_for():
    def missing(*units):
        return [one.key for one in ruled(C, *units).missing if one.key.startswith("rules.stack")]

    assert missing(BN, BN, "light_artillery") == ["rules.stacking.no_mode"]
    assert "rules.stacking.no_size" in missing(BN, BN, "mountain_infantry")
    assert "rules.stacking.no_class" in missing(BN, BN, "")
    assert missing(BN, BN, BN) == ["rules.stacking.no_regiment"]
    assert missing(BN, BN) == []


def test_an_assaulted_hex_holds_both_sides():
    two = [BN, BN]
    guns = ["light_artillery:fire", "medium_artillery:fire"]
    ruling = ruled(C, *two, *guns, enemies=two)
    assert (ruling.verdict, ruling.working["units"]) == ("within", 6)
    assert "11.4" in ruling.cites
    assert (
        ruled(S, "infantry", "infantry", "fortress", enemies=["infantry"] * 2).verdict == "within"
    )
    assert ruled(S, "infantry", "infantry", enemies=["infantry"] * 3).verdict == "over"
    assert ruled(S, "infantry", enemies=["infantry"], word=".8").verdict == "within"


def test_more_for_a_division_at_set_up():
    field = field_of(C)
    hex_ = field.hex("0101")
    texts = [f"{BN}:7/I", f"{BN}:8/I", f"{BN}:9/I"]
    units = spelt_units(field.pack, "ahg", hex_, texts)
    assert StackingJudge(field, units).rule(hex_).verdict == "over"
    assert StackingJudge(field, units, scenario="s1").rule(hex_).verdict == "over"
    ruling = StackingJudge(field, units, scenario="s1", set_up=True).rule(hex_)
    assert ruling.verdict == "unknown"
    assert "rules.stacking.who_is_meant" in {one.key for one in ruling.missing}
    italians = spelt_units(field.pack, "it", hex_, texts)
    assert StackingJudge(field, italians, scenario="s1", set_up=True).rule(hex_).verdict == "over"


def test_every_stack_of_a_position():
    field = field_of(S)
    a, b = field.hex("0101"), field.hex("0202")
    units = (
        *spelt_units(field.pack, "it", a, ["infantry"]),
        *spelt_units(field.pack, "it", b, ["alpini"] * 3),
    )
    rulings = StackingJudge(field, units).rule_all()
    assert {(one.working["hex"], one.verdict) for one in rulings} == {
        ("0101", "within"),
        ("0202", "over"),
    }


@pytest.mark.parametrize(
    ("game", "units", "verdict"),
    [
        (S, ["infantry"], "closed"),
        (S, ["fortress", "headquarters"], "open"),
        (C, [BN], "closed"),
        (C, ["machine_guns"] * 3 + ["flamethrower", "headquarters"], "open"),
        (C, ["light_artillery:fire"], "open"),
        (C, ["light_artillery:move"], "closed"),
        (C, ["light_artillery"], "unknown"),
    ],
)
def test_who_closes_a_road(game, units, verdict):
    field = field_of(game)
    hex_ = field.hex("0101")
    judge = StackingJudge(field, spelt_units(field.pack, "it", hex_, units))
    assert judge.rule_road(hex_, "it").verdict == verdict


def test_the_front_of_a_known_gun_is_its_fire_side():
    field = field_of(C)
    hex_ = field.hex("0101")
    unit = Unit("g", "g", "it", class_="light_artillery")
    gun = Standing("g", "it", hex_, "light_artillery", unit)
    infantry = spelt_units(field.pack, "it", hex_, [BN, BN])
    assert StackingJudge(field, (*infantry, gun)).rule(hex_).verdict == "within"
    moving = Standing("g", "it", hex_, "light_artillery", unit, {"move_mode": 1}, "move")
    assert StackingJudge(field, (*infantry, moving)).rule(hex_).verdict == "over"


def test_a_game_whose_rule_we_lack():
    field = field_of(S)
    lacking = replace(field, pack=field.pack.model_copy(update={"stacking": None}))
    ruling = StackingJudge(lacking, ()).rule(field.hex("0101"))
    assert (ruling.verdict, ruling.cites) == ("unknown", ())


def test_words_the_game_does_not_know():
    with pytest.raises(RulesError, match="has no units 'dragoons'"):
        ruled(S, "dragoons")
    with pytest.raises(RulesError, match="has no size or state 'brigade'; there is: battalion"):
        ruled(C, "infantry:brigade")


# A slow judge that tries out everything unknown.


def draw_counter(rng, game):
    classes = S_CLASSES if game == S else C_CLASSES
    common = ["infantry"] * 6 + ["machine_guns", "mountain_infantry", "assault_infantry"] * 2
    class_ = rng.choice([*classes, *common]) if game == C else rng.choice(classes)
    nameless = rng.random() < (0.04 if game == C else 0.25)
    return Counter(
        None if nameless else class_,
        rng.choice(["battalion", "battalion", "company", "company", None]),
        rng.choice(["fire", "move", "fire", "move", "fire" if nameless else None]),
        rng.choice(["7", "7", "8", "9", None]),
    )


def as_standing(field, counter, at):
    name = f"{counter.regiment}/{at}" if counter.regiment else f"u{at}"
    has_mode = counter.mode and counter.class_ in (None, *C_GUNS)
    statuses = {f"{counter.mode}_mode": 1} if has_mode else {}
    told = counter.class_ not in C_GUNS
    unit = Unit(name, name, "it", class_=counter.class_ or "", echelon=counter.size or "")
    return Standing(
        name, "it", field.hex("0101"), counter.class_ or "", unit if told else None, statuses
    )


@pytest.mark.no_cover
@pytest.mark.parametrize("game", [S, C])
def test_it_agrees_with_the_slow_judge(game):
    drawn, quarrels = Tally(), []
    words = {True: ".8", False: ".3", None: "?"} if game == S else {False: ".3", None: ".5"}
    fields = {high: field_of(game, word) for high, word in words.items()}
    sizes = (1, 2, 2, 3, 3, 4, 5)
    if game == C:
        fields[True], sizes = high_field(), (2, 3, 3, 4, 4, 5, 5, 6)
    for seed in range(3000):
        rng = Random(seed)
        high = rng.choice([*fields, *fields, False])
        counters = [draw_counter(rng, game) for _ in range(rng.choice(sizes))]
        if sum(one.class_ is None for one in counters) > (1 if game == C else 3):
            continue  # the slow judge would try for minutes
        slow = slow_stack(game, counters, high=high)
        units = [as_standing(fields[high], one, at) for at, one in enumerate(counters)]
        quick = StackingJudge(fields[high], tuple(units)).rule(fields[high].hex("0101")).verdict
        drawn[slow] += 1
        if slow != quick:
            quarrels.append(f"seed {seed}, high {high}, {counters}: {slow}, not {quick}")
    assert not quarrels, f"{len(quarrels)} of {drawn.total()}: {quarrels[0]}"
    shares = {verdict: round(100 * n / drawn.total()) for verdict, n in drawn.items()}
    assert min(shares[one] for one in ("within", "over", "unknown")) >= 20, shares


def high_field():
    map_ = board("m m", "m m")
    kinds = map_.kinds.with_ids("terrain", iter(["high_mountain"]))
    hexes = {hex_: type(here)("high_mountain", 6) for hex_, here in map_.hexes.items()}
    return battlefield(Project(Path(), "x"), replace(map_, hexes=hexes, kinds=kinds), find_pack(C))


WORDS = {
    S: [*S_CLASSES, ""],
    C: [
        *(
            f"{class_}:{size}:{regiment}/1"
            for class_ in ("infantry", "mountain_infantry")
            for size in ("battalion", "company")
            for regiment in "78"
        ),
        *(f"{gun}:{mode}" for gun in C_GUNS for mode in ("fire", "move")),
        "machine_guns",
        "flamethrower",
        "headquarters",
        "infantry",
        "light_artillery",
        "",
    ],
}


@pytest.mark.parametrize("game", [S, C])
@given(data=st.data())
def test_one_more_never_makes_a_stack_legal(game, data):
    units = data.draw(st.lists(st.sampled_from(WORDS[game]), min_size=1, max_size=6))
    before, after = ruled(game, *units[:-1]).verdict, ruled(game, *units).verdict
    order = ("within", "unknown", "over")
    assert order.index(after) >= order.index(before)
