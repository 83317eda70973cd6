"""Tasks on a map, in a position and by other readings: what is seen and what has to be said."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counters.model import Face, Unit
from mapkit.hexes import Hex, Hexside, neighbours
from mapkit.kinds import UNKNOWN
from mapkit.model import Feature
from rules.battlefield import battlefield
from rules.errors import RulesError
from rules.judges.task_board import TaskBoard
from rules.judges.task_conditions import Circumstances
from rules.judges.task_situation import Situation
from rules.judges.tasks import TaskJudge
from rules.owner import OwnerFile, pack_with_owner
from rules.positions.position import Clock, Marker, Piece, Place, Position
from rules.project import Project
from rules.registry import find_pack
from rules.schema.tables import Modifier
from rules.schema.tasks import FreePath, GroundThere
from rules.standing import Standing
from rules.task_questions import TaskQuestion, situation, situation_in
from tests.boards import board

STRAFEXPEDITION = find_pack("strafexpedition")
CAPORETTO = find_pack("caporetto-1917")
PLAIN = [".3 .3 .3 .3 .3 .3"] * 5


def field(pack, *rows, **more):
    return battlefield(Project(Path(), "x"), board(*(rows or PLAIN), **more), pack)


def ask(pack, task, on=None, **said):
    return TaskJudge(situation(pack, on, TaskQuestion(task, **said))).rule(task)


def states(ruling):
    return {one["condition"]: one["state"] for one in ruling.working["conditions"]}


def keys(ruling):
    return [one.key.removeprefix("rules.task.") for one in ruling.reasons]


DIG = {"place": "0302", "side": "it", "class_": "infantry", "said": ["activated"]}


def test_the_map_shows_the_level_of_a_trench():
    plain = field(STRAFEXPEDITION)
    hex_ = plain.hex("0302")
    for value, verdict in ((2, "allowed"), (3, "not_allowed"), (None, "unknown")):
        ground = replace(plain.ground[hex_], features=(Feature("trench", value),))
        hexes = {**plain.ground.hexes, hex_: ground}
        dug = replace(plain, ground=replace(plain.ground, hexes=hexes))
        assert ask(STRAFEXPEDITION, "build_trench", dug, **DIG).verdict == verdict
    assert ask(STRAFEXPEDITION, "build_trench", plain, **DIG).verdict == "allowed"


def test_a_printed_fortress_has_to_be_asked_about():
    rows = [".3 .3 .3 .3", ".3 .3 .3 .3", ".3 .3 .F3 .3"]
    on = field(STRAFEXPEDITION, *rows)
    there = DIG | {"place": "0303"}
    asked = ask(STRAFEXPEDITION, "build_trench", on, **there)
    assert (asked.verdict, states(asked)["fortress_there"]) == ("unknown", "unknown")
    gone = ask(STRAFEXPEDITION, "build_trench", on, **there, not_said=["fortress_there"])
    assert gone.verdict == "allowed"
    stands = ask(STRAFEXPEDITION, "build_trench", on, **there, friends=["0303:fortress"])
    assert stands.verdict == "not_allowed"


def test_how_long_a_trench_takes_hangs_on_its_level():
    on = field(STRAFEXPEDITION)
    first = ask(STRAFEXPEDITION, "build_trench", on, **DIG)
    assert "takes_now" in keys(first)
    second = ask(STRAFEXPEDITION, "build_trench", on, **DIG | {"said": ["activated", "trench=1"]})
    assert "takes_later" in keys(second)
    assert "trench-speed" in second.assumptions
    nobody_knows = ask(STRAFEXPEDITION, "build_trench", side="it", class_="infantry")
    assert {"takes_later_level", "takes_now"} <= set(keys(nobody_knows))


@pytest.mark.parametrize(
    ("class_", "points", "recoveries"),
    [
        ("medium_artillery", 0, 1),
        ("heavy_artillery", 0, 3),
        ("heavy_artillery", 1, 4),
        ("light_artillery", 0, None),
    ],
)
def test_how_many_recoveries_until_a_gun_fires(class_, points, recoveries):
    ruling = ask(
        CAPORETTO, "guns_to_fire", side="it", class_=class_, said=[f"disorganization={points}"]
    )
    told = [one for one in ruling.reasons if one.key == "rules.task.takes_points"]
    assert [one.values["n"] for one in told] == ([] if recoveries is None else [recoveries])
    assert ("takes_now" in keys(ruling)) == (recoveries is None)


def test_what_is_said_wins_over_the_board():
    on = field(STRAFEXPEDITION)
    near = DIG | {"enemies": ["0303"]}
    assert ask(STRAFEXPEDITION, "build_trench", on, **near).verdict == "depends_on_roll"
    ruling = ask(STRAFEXPEDITION, "build_trench", on, **near, not_said=["enemy_zone"])
    assert ruling.verdict == "allowed"


def test_an_enemy_nobody_classed_is_taken_to_have_a_zone_and_that_is_told():
    ruling = ask(STRAFEXPEDITION, "build_trench", field(STRAFEXPEDITION), **DIG, enemies=["0303"])
    assert "rules.supply.assumed_zone" in [one.key for one in ruling.missing]


def test_the_dice_are_told_with_what_each_brings():
    ruling = ask(
        CAPORETTO,
        "react",
        side="ahg",
        class_="headquarters",
        said=["supplied", "initiative=4"],
        not_said=["with_enemy"],
    )
    rolls = [one.values["roll"] for one in ruling.reasons if one.key == "rules.task.outcome"]
    assert rolls == ["1–4", "5–6"]
    unread = ask(
        CAPORETTO,
        "react",
        side="ahg",
        class_="headquarters",
        said=["supplied"],
        not_said=["with_enemy"],
    )
    assert unread.verdict == "depends_on_roll"
    assert "rules.task.roll_on_counter" in [one.key for one in unread.missing]


def test_who_pays_for_a_repair():
    for side, key in (("it", "cost_hexes"), ("ahg", "cost_free")):
        ruling = ask(CAPORETTO, "repair_trench", side=side, class_="engineers")
        assert key in keys(ruling)


def test_a_group_of_classes_leaves_open_what_only_some_need():
    """`combat` may be engineers, and those with a white value do not assault."""
    said = ["activated", "points_left", "next_to_target", "enemy_there"]
    clear = ["crags_between", "isonzo_between"]
    ruling = ask(
        CAPORETTO,
        "declare_assault",
        side="ahg",
        class_="combat",
        said=[*said, "white_combat_value"],
        not_said=clear,
    )
    assert ruling.verdict == "unknown"
    assert states(ruling)["white_combat_value"] == "unknown"


@pytest.mark.parametrize(
    ("task", "said", "message"),
    [
        ("dig_tunnel", {"side": "it"}, "no task 'dig_tunnel'; there is: build_trench, "),
        ("rally", {"side": "it", "class_": "hussars"}, "no units 'hussars'"),
        ("rally", {"side": "french"}, "no side 'french'; there is: it, ah"),
        ("rally", {}, "whose unit is it"),
        ("rally", {"side": "it", "said": ["tired"]}, "knows no circumstance 'tired'"),
        ("rally", {"side": "it", "said": ["supplied"], "not_said": ["supplied"]}, "is said to"),
        ("rally", {"side": "it", "enemies": ["0303"]}, "on a map only"),
    ],
)
def test_what_nobody_can_ask(task, said, message):
    with pytest.raises(RulesError, match=message):
        ask(STRAFEXPEDITION, task, **said)


def test_on_a_map_a_place_and_a_target_are_needed():
    on = field(STRAFEXPEDITION)
    with pytest.raises(RulesError, match="where does the unit stand"):
        ask(STRAFEXPEDITION, "rally", on, side="it")
    there = {"place": "0302", "side": "it", "class_": "infantry"}
    with pytest.raises(RulesError, match="--target 1534"):
        ask(STRAFEXPEDITION, "declare_assault", on, **there)
    with pytest.raises(RulesError, match="name the hex it is aimed at"):
        ask(STRAFEXPEDITION, "declare_assault", on, **there, target="0302/0303")
    with pytest.raises(RulesError, match="a hex .* or a hexside"):
        ask(STRAFEXPEDITION, "declare_assault", on, **there, target="0302-0303")


def test_what_is_done_at_once_cannot_be_finished():
    now = situation(STRAFEXPEDITION, None, TaskQuestion("rally", side="it"))
    with pytest.raises(RulesError, match="done at once"):
        TaskJudge(now).rule_finish("rally")


@pytest.mark.parametrize(
    ("game", "choice", "task", "said", "verdict"),
    [
        ("strafexpedition", {}, "rally", ["forced_march"], "not_allowed"),
        (
            "strafexpedition",
            {"rally-after-forced-march": "may-rally"},
            "rally",
            ["forced_march"],
            "allowed",
        ),
        ("caporetto-1917", {}, "rally", ["out_of_command"], "not_allowed"),
        (
            "caporetto-1917",
            {"who-may-rally": "supply-alone"},
            "rally",
            ["out_of_command"],
            "allowed",
        ),
        ("caporetto-1917", {"who-may-rally": "command-alone"}, "rally", [], "allowed"),
        ("caporetto-1917", {}, "lower_hexside_trench", ["trench=1", "beside"], "allowed"),
        (
            "caporetto-1917",
            {"lowest-trench": "never"},
            "lower_hexside_trench",
            ["trench=1", "beside"],
            "not_allowed",
        ),
    ],
)
def test_another_reading_gives_another_answer(game, choice, task, said, verdict):
    pack = pack_with_owner(game, OwnerFile("an owner file", game, choice))
    rally = task == "rally"
    more = ["disorganization=1", *(["supplied"] if "command-alone" not in choice.values() else [])]
    near = "next_to_enemy" if game == "strafexpedition" else "enemy_zone"
    ruling = ask(
        pack,
        task,
        side="it",
        class_="infantry",
        said=[*said, *(more if rally else ())],
        not_said=[near] if rally else (),
    )
    assert ruling.verdict == verdict


def test_a_question_is_only_raised_where_its_answer_could_matter():
    quiet = {"side": "it", "class_": "infantry", "not_said": ["next_to_enemy"]}
    said = ["disorganization=1", "supplied"]
    plain = ask(STRAFEXPEDITION, "rally", **quiet, said=said)
    assert "rally-after-forced-march" not in plain.assumptions
    marched = ask(STRAFEXPEDITION, "rally", **quiet, said=[*said, "forced_march"])
    assert "rally-after-forced-march" in marched.assumptions


# What lies on the map.

ASSAULT = {
    "place": "0302",
    "side": "ahg",
    "class_": "infantry",
    "target": "0303",
    "said": ["activated", "points_left"],
    "enemies": ["0303:infantry"],
}


def test_a_road_leads_an_assault_through_crags():
    crags = {"crags": "0302/0303"}
    barred = ask(CAPORETTO, "declare_assault", field(CAPORETTO, hexsides=crags), **ASSAULT)
    assert states(barred)["crags_between"] == "broken"
    road = field(CAPORETTO, hexsides=crags, links={"road": "0302-0303"})
    assert ask(CAPORETTO, "declare_assault", road, **ASSAULT).verdict == "allowed"


def with_side(on, place, *features):
    """The battlefield with something on a hexside."""
    side = Hexside.between(*map(on.hex, place.split("/")))
    return replace(on, ground=replace(on.ground, hexsides={side: features}))


SAPPERS = {"place": "0302", "side": "it", "class_": "engineers", "target": "0302/0303", "turn": 3}


@pytest.mark.parametrize(
    ("task", "state", "verdict"),
    [
        ("blow_bridge", "", "depends_on_roll"),
        ("blow_bridge", "blown", "not_allowed"),
        ("repair_bridge", "", "not_allowed"),
        ("repair_bridge", "blown", "allowed"),
    ],
)
def test_a_bridge_that_stands_and_one_that_is_blown(task, state, verdict):
    on = with_side(field(CAPORETTO), "0302/0303", Feature("bridge", state=state), Feature("river"))
    assert ask(CAPORETTO, task, on, **SAPPERS).verdict == verdict


@pytest.mark.parametrize(("level", "verdict"), [(2, "allowed"), (1, "allowed"), (0, "not_allowed")])
def test_the_level_of_a_trench_on_a_hexside(level, verdict):
    on = with_side(field(CAPORETTO), "0302/0303", Feature("trench", level))
    asked = SAPPERS | {"class_": "infantry"}
    assert ask(CAPORETTO, "lower_hexside_trench", on, **asked).verdict == verdict


PREPARE = {
    "place": "0101",
    "class_": "heavy_artillery",
    "target": "0403",
    "said": ["range=9"],
    "turn": 1,
    "scenario": "s2",
}


@pytest.mark.parametrize(
    ("more", "enemies", "verdict"),
    [
        ({}, [], "unknown"),
        ({"links": {"rail": "0403-0404"}}, [], "allowed"),
        ({"hexsides": {"footbridge": "0403/0404"}}, [], "allowed"),
        ({"hexsides": {"crags": "0403/0404"}}, [], "unknown"),
        ({}, ["0403:light_artillery"], "allowed"),
        ({}, ["0403:infantry"], "unknown"),
        ({}, ["0404:light_artillery"], "unknown"),
    ],
)
def test_what_counts_as_observed_in_the_preparation(more, enemies, verdict):
    on = field(CAPORETTO, **more)
    ruling = ask(CAPORETTO, "preparatory_bombardment", on, **PREPARE, enemies=enemies)
    assert ruling.verdict == verdict


def test_headquarters_trouble_nobody():
    on = field(STRAFEXPEDITION)
    said = {"place": "0302", "side": "it", "class_": "infantry"}
    words = ["disorganization=1", "supplied"]
    for enemy, verdict in (("0303:headquarters", "allowed"), ("0303", "not_allowed")):
        ruling = ask(STRAFEXPEDITION, "rally", on, **said, said=words, enemies=[enemy])
        assert ruling.verdict == verdict


# A unit of a position: who stands where and in what state is known.


def piece(id_, side, at, class_="infantry", formation="", statuses=None, **values):
    faces = (Face("front", values),)
    unit = Unit(id_, id_, side, formation=formation, class_=class_, faces=faces)
    return Piece(unit, Place("hex", at), statuses or {})


def played(game, *pieces, markers=(), turn=2):
    return Position(
        game,
        "s1",
        Clock(turn=turn),
        pieces={one.unit.id: one for one in pieces},
        markers=tuple(markers),
    )


def in_position(pack, position, task, unit, **said):
    on = field(pack, ".3 .3 .3 .3 .3 .3", ".3 .3 .3 .3 .3 .S3", links={"road": "0102-0201-0302"})
    now = situation_in(position, on, TaskQuestion(task, unit, **said))
    return TaskJudge(now).rule(task)


def test_the_states_of_a_unit_in_a_position_need_not_be_said():
    tired = piece("a", "it", "0101", statuses={"disorganization": 2})
    fresh = piece("b", "it", "0201")
    foe = piece("c", "ah", "0602")
    game = played("strafexpedition", tired, fresh, foe)
    assert in_position(STRAFEXPEDITION, game, "rally", "a", said=["supplied"]).verdict == "allowed"
    refused = in_position(STRAFEXPEDITION, game, "rally", "b", said=["supplied"])
    assert states(refused)["disorganization"] == "broken"
    marched = replace(tired, statuses={"disorganization": 2, "forced_march": 1})
    late = played("strafexpedition", marched, foe)
    refused = in_position(STRAFEXPEDITION, late, "rally", "a", said=["supplied"])
    assert states(refused)["forced_march"] == "broken"


def test_a_value_on_the_counter_need_not_be_said():
    for guns, verdict in ((2, "allowed"), (0, "not_allowed"), (None, "unknown")):
        mg = piece("a", "ahg", "0101", "machine_guns", statuses={"activated": 1}, machine_guns=guns)
        ruling = in_position(
            CAPORETTO,
            played("caporetto-1917", mg),
            "support_fire",
            "a",
            target="0201",
            said=["target_assaulted"],
        )
        assert ruling.verdict == verdict


def test_terrain_nobody_knows_may_be_the_ground_that_is_asked_for():
    plain = field(STRAFEXPEDITION)
    hex_ = plain.hex("0302")
    now = situation(STRAFEXPEDITION, plain, TaskQuestion("build_trench", **DIG))

    def found(words, terrain, *features):
        here = replace(plain.ground[hex_], terrain=terrain, features=features)
        ground = replace(plain.ground, hexes={**plain.ground.hexes, hex_: here})
        on = replace(plain, ground=ground)
        condition = GroundThere(kind="ground", words=words, cite="1.0")
        return Circumstances(replace(now, battlefield=on)).known("there", condition).is_so

    assert found(("woods",), "woods") is True
    assert found(("woods",), "clear") is False
    assert found(("woods",), UNKNOWN) is None
    assert found(("trench",), UNKNOWN) is False  # no terrain of the game
    assert found(("woods", "trench"), UNKNOWN, Feature("trench")) is True


def test_points_nobody_has_told_are_not_nought():
    ruling = ask(CAPORETTO, "guns_to_fire", side="it", class_="medium_artillery")
    told = next(one for one in ruling.reasons if one.key == "rules.task.takes_unsaid")
    assert (told.values["word"], told.values["below"]) == ("disorganization", 2)
    for points, turns in ((0, 1), (2, 3)):
        said = [f"disorganization={points}"]
        ruling = ask(CAPORETTO, "guns_to_fire", side="it", class_="medium_artillery", said=said)
        told = next(one for one in ruling.reasons if one.key == "rules.task.takes_points")
        assert told.values["n"] == turns


def test_rolls_are_told_in_runs():
    check = STRAFEXPEDITION.checks["trench_in_zone"].model_copy(
        update={"die": "2d6", "outcomes": {"2": "hit", "3-11": "miss", "12": "hit"}}
    )
    pack = STRAFEXPEDITION.model_copy(
        update={"checks": {**STRAFEXPEDITION.checks, "trench_in_zone": check}}
    )
    judge = TaskJudge(
        situation(pack, None, TaskQuestion("build_trench", side="it", class_="infantry"))
    )
    told = {one.values["what"]: one.values["roll"] for one in judge._outcomes(check, None)}
    assert told == {"hit": "2, 12", "miss": "3–11"}


def test_a_roll_whose_modifier_is_unread_is_not_told():
    rain = Modifier(title="Rain", cite="1.0")
    check = STRAFEXPEDITION.checks["trench_in_zone"].model_copy(update={"drms": {"rain": rain}})
    pack = STRAFEXPEDITION.model_copy(
        update={"checks": {**STRAFEXPEDITION.checks, "trench_in_zone": check}}
    )
    asked = TaskQuestion("build_trench", side="it", class_="infantry", said=["rain"])
    told = list(TaskJudge(situation(pack, None, asked))._outcomes(check, None))
    assert [one.key for one in told] == ["rules.combat.read_shifts"]


def test_markers_of_a_position_change_the_ground():
    digger = piece("a", "it", "0101", statuses={"activated": 1})
    for level, verdict in ((2, "allowed"), (3, "not_allowed")):
        game = played("strafexpedition", digger, markers=[Marker("trench", "0101", n=level)])
        assert in_position(STRAFEXPEDITION, game, "build_trench", "a").verdict == verdict


def test_a_formation_counts_only_its_own():
    lost = piece("a", "it", "0201", formation="ivrea")
    sister = piece("b", "it", "0302", formation="ivrea")
    stranger = piece("c", "it", "0302", formation="salerno")
    said = {"said": ["eliminated", "near_town", "supplied"]}
    for comrade, state in ((sister, "fulfilled"), (stranger, "broken")):
        game = played("strafexpedition", lost, comrade)
        ruling = in_position(STRAFEXPEDITION, game, "bring_back", "a", **said)
        assert states(ruling)["formation_on_map"] == state


def test_the_turn_and_the_scenario_come_from_the_position():
    gun = piece("a", "it", "0101", "light_artillery")
    for turn, verdict in ((1, "not_allowed"), (2, "allowed")):
        game = played("caporetto-1917", gun, turn=turn)
        assert in_position(CAPORETTO, game, "guns_to_move", "a").verdict == verdict


def test_nobody_of_that_name_stands_there():
    with pytest.raises(RulesError, match="no unit 'z' stands on this map"):
        in_position(STRAFEXPEDITION, played("strafexpedition"), "rally", "z")


# A free way, against all ways written out.

HEXES = sorted(board(*PLAIN).hexes)
some = st.sampled_from(HEXES)


def ways(start, goal, length):
    """Yield every way of at most so many steps, hex by hex."""
    paths = [(start,)]
    for _ in range(length):
        yield from (path for path in paths if path[-1] == goal)
        paths = [(*path, near) for path in paths for near in neighbours(path[-1]) if near in HEXES]
    yield from (path for path in paths if path[-1] == goal)


@given(some, some, st.lists(some, max_size=3), st.lists(some, max_size=2), st.integers(1, 3))
def test_a_free_way_is_one_of_all_ways(start, other, foes, mates, length):
    on = field(CAPORETTO)
    goal = next(near for near in neighbours(other) if near in on.map)
    enemies = tuple(Standing(f"e{n}", "ahg", hex_, "infantry") for n, hex_ in enumerate(foes))
    friends = tuple(Standing(f"f{n}", "it", hex_, "infantry") for n, hex_ in enumerate(mates))
    engineer = Standing("x", "it", start, "engineers")
    now = Situation(CAPORETTO, engineer, on, Hexside.between(other, goal), friends, enemies)
    shut = {near for hex_ in foes for near in neighbours(hex_)} - set(mates) | set(foes)
    expected = any(
        shut.isdisjoint(way[1:-1]) for end in (other, goal) for way in ways(start, end, length)
    )
    rule = FreePath(kind="free_path", n=length, cite="19.2")
    assert TaskBoard(now).has_free_path(rule) == expected


def test_a_hex_without_a_map_is_never_read():
    far = Standing("x", "it", Hex(999, 999), "infantry")
    said = {"disorganization": 1, "supplied": 1, "next_to_enemy": 0}
    assert TaskJudge(Situation(STRAFEXPEDITION, far, said=said)).rule("rally").verdict == "allowed"
