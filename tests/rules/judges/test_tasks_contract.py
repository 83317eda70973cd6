"""Every task of every pack: nothing in it is dead, all its words are known, all its rules exist."""

import tomllib
from dataclasses import replace

import pytest
from pydantic import BaseModel

from mapkit.hexes import Hex
from mapkit.texts import LANGUAGES, use
from rules.judges.task_situation import Situation
from rules.judges.tasks import TaskJudge, words_of
from rules.registry import find_pack, pack_folder, pack_names
from rules.scenarios.sequences import find_sequence
from rules.schema.forces import classes_in
from rules.schema.tasks import AnyOf, Bounded, Condition, Said, each_condition, said_word
from rules.standing import Standing

TASKS = [
    pytest.param(game, name, id=f"{game}: {name}")
    for game in pack_names()
    for name in find_pack(game).tasks
]
LASTING = [param for param in TASKS if find_pack(param.values[0]).tasks[param.values[1]].finish]
WITH_TASKS = sorted({param.values[0] for param in TASKS})


def unit(side, class_):
    return Standing("", side, Hex(0, 0), class_)


def doers(pack, task):
    """Every side and class that may do a task."""
    classes = classes_in(task.who, pack.classes) - classes_in(task.not_for, pack.classes)
    for side in task.sides or pack.sides:
        for class_ in sorted(classes) or [""]:
            yield side, class_


def concerned(pack, conditions, side, class_):
    """The conditions that concern a unit, by a look of its own at sides and classes."""
    for name, one in conditions.items():
        inside = not one.classes or class_ in classes_in(one.classes, pack.classes)
        outside = class_ in classes_in(one.not_for, pack.classes)
        if not one.waived and inside and not outside and side in (one.sides or pack.sides):
            yield name, one


def words_for(name, one, *, met):
    """What to say so that a condition is met, at its very edge, or just not met."""
    if isinstance(one, AnyOf):
        first, *others = one.of.items()
        said = words_for(*first, met=met)
        for other in others:
            said |= words_for(*other, met=False)
        return said
    word = said_word(name, one)
    if isinstance(one, Bounded):
        assert one.holds
        edge, off = (one.at_least, -1) if one.at_least is not None else (one.at_most, 1)
        return {word: edge if met else edge + off}
    return {word: int(one.holds == met)}


def all_met(pack, conditions, side, class_):
    said = {}
    for name, one in concerned(pack, conditions, side, class_):
        said |= words_for(name, one, met=True)
    return said


def ruled(pack, name, side, class_, said, *, finish=False):
    judge = TaskJudge(Situation(pack, unit(side, class_), said=said))
    return judge.rule_finish(name) if finish else judge.rule(name)


def states(ruling):
    return {one["condition"]: one["state"] for one in ruling.working["conditions"]}


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_every_doer_may_where_all_conditions_are_met(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    for side, class_ in doers(pack, task):
        ruling = ruled(pack, name, side, class_, all_met(pack, task.conditions, side, class_))
        assert ruling.verdict == ("depends_on_roll" if task.check else "allowed")
        assert set(states(ruling).values()) == {"fulfilled"}
        assert not any(one["assumed"] for one in ruling.working["conditions"])


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_each_condition_alone_refuses_somebody(game, name):
    """No condition is dead: for some side and class it decides by itself."""
    pack = find_pack(game)
    task = pack.tasks[name]
    alive = set()
    for side, class_ in doers(pack, task):
        said = all_met(pack, task.conditions, side, class_)
        for inner, one in concerned(pack, task.conditions, side, class_):
            broken = said | words_for(inner, one, met=False)
            ruling = ruled(pack, name, side, class_, broken)
            assert ruling.verdict == ("depends_on_roll" if one.or_roll else "not_allowed")
            assert states(ruling).pop(inner) == ("roll" if one.or_roll else "broken")
            alive.add(inner)
    assert alive == set(task.conditions)


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_any_one_of_several_is_enough(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    for inner, one in task.conditions.items():
        if not isinstance(one, AnyOf):
            continue
        for part in one.of.items():
            side, class_ = next(
                (side, class_)
                for side, class_ in doers(pack, task)
                if inner in dict(concerned(pack, task.conditions, side, class_))
                and part[0] in dict(concerned(pack, one.of, side, class_))
            )
            said = all_met(pack, task.conditions, side, class_) | words_for(inner, one, met=False)
            ruling = ruled(pack, name, side, class_, said | words_for(*part, met=True))
            assert ruling.verdict != "not_allowed"


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_nobody_else_may(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    may = set(doers(pack, task))
    side, class_ = min(may)
    said = all_met(pack, task.conditions, side, class_)
    for other in pack.classes:
        if task.who and (side, other) not in may:
            assert ruled(pack, name, side, other, said).verdict == "not_allowed"
    for other in pack.sides:
        if task.sides and other not in task.sides:
            assert ruled(pack, name, other, class_, said).verdict == "not_allowed"


@pytest.mark.parametrize(("game", "name"), LASTING)
def test_a_work_is_completed_or_broken_off_by_each_of_its_conditions(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    side, class_ = next(iter(doers(pack, task)))
    said = all_met(pack, task.finish, side, class_)
    assert ruled(pack, name, side, class_, said, finish=True).verdict == "finished"
    for inner, one in task.finish.items():
        broken = said | words_for(inner, one, met=False)
        assert ruled(pack, name, side, class_, broken, finish=True).verdict == "broken_off"


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_who_answers_what_is_asked_gets_an_answer(game, name):
    """Nothing said: whatever stays open names a word that settles it."""
    pack = find_pack(game)
    task = pack.tasks[name]
    side, class_ = next(iter(doers(pack, task)))
    parts = [one for one in each_condition(task.conditions) if not isinstance(one[1], AnyOf)]
    answers = {word: n for part in parts for word, n in words_for(*part, met=True).items()}
    said = {}
    for _ in range(len(answers) + 1):
        ruling = ruled(pack, name, side, class_, said)
        open_ = [one for one in ruling.working["conditions"] if one["state"] == "unknown"]
        assert bool(open_) == (ruling.verdict == "unknown")
        if not open_:
            break
        word = open_[0]["say"]
        assert word in words_of(task, pack)
        assert any(word in one.told() or "--turn" in one.told() for one in ruling.missing)
        said[word] = answers[word]
    assert ruling.verdict == ("depends_on_roll" if task.check else "allowed")


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_it_is_told_in_three_languages(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    side, class_ = next(iter(doers(pack, task)))
    told = set()
    try:
        for language in LANGUAGES:
            use(language)
            ruling = ruled(pack, name, side, class_, {})
            told.add("\n".join(one.told() for one in ruling.reasons))
    finally:
        use(None)
    assert len(told) == len(LANGUAGES)


def test_every_kind_of_condition_is_used():
    kinds = {
        one.kind
        for game in WITH_TASKS
        for task in find_pack(game).tasks.values()
        for _, one in (*each_condition(task.conditions), *each_condition(task.finish))
    }
    union = Condition.__args__[0]
    known = {part.model_fields["kind"].annotation.__args__[0] for part in union.__args__}
    assert kinds == known


@pytest.mark.parametrize("game", WITH_TASKS)
def test_every_fact_is_asked_for(game):
    pack = find_pack(game)
    asked = {
        said_word(name, one)
        for task in pack.tasks.values()
        for name, one in (*each_condition(task.conditions), *each_condition(task.finish))
    }
    assert set(pack.facts) <= asked


@pytest.mark.parametrize("game", WITH_TASKS)
def test_counted_facts_are_counted_and_others_said(game):
    pack = find_pack(game)
    for task in pack.tasks.values():
        for name, one in (*each_condition(task.conditions), *each_condition(task.finish)):
            if one.kind in ("said", "count"):
                assert pack.facts[said_word(name, one)].counted == (not isinstance(one, Said))


@pytest.mark.parametrize("game", WITH_TASKS)
def test_every_rule_it_cites_is_an_entry_of_the_rules_at_hand(game):
    file = pack_folder(game) / "rules.toml"
    numbers = {rule["number"] for rule in tomllib.loads(file.read_text("utf-8"))["rule"]}
    pack = find_pack(game)
    cited = {cite for part in (*pack.tasks.values(), *pack.facts.values()) for cite in cites(part)}
    assert sorted(cited - numbers) == []


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_its_phases_and_steps_are_those_of_the_sequence(game, name):
    task = find_pack(game).tasks[name]
    sequence = find_sequence(game)
    assert set(task.phases) <= {phase.id for phase in sequence.phases}
    steps = {step.id for id_ in task.phases for step in sequence.steps(sequence.phase(id_))}
    assert task.step in steps | {""}
    everywhere = {one.id for phase in sequence.phases for one in (phase, *sequence.steps(phase))}
    assert {id_ for takes in task.takes for id_ in takes.ready} <= everywhere


@pytest.mark.parametrize(("game", "name"), TASKS)
def test_in_another_phase_it_is_not_allowed(game, name):
    pack = find_pack(game)
    task = pack.tasks[name]
    side, class_ = next(iter(doers(pack, task)))
    said = all_met(pack, task.conditions, side, class_)
    now = Situation(pack, unit(side, class_), said=said)
    for phase in (*task.phases, task.step):
        assert TaskJudge(replace(now, phase=phase)).rule(name).verdict != "not_allowed"
    other = next(one.id for one in find_sequence(game).phases if one.id not in task.phases)
    assert TaskJudge(replace(now, phase=other)).rule(name).verdict == "not_allowed"


def cites(part):
    """Every cite in a model, however deep."""
    if isinstance(part, BaseModel):
        for field, value in part:
            if field.endswith("cite") and value:
                yield value
            elif field == "free_for":
                yield from value.values()
            else:
                yield from cites(value)
    elif isinstance(part, tuple | list):
        for one in part:
            yield from cites(one)
    elif isinstance(part, dict):
        for one in part.values():
            yield from cites(one)
