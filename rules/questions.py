"""The questions of certificates: read to their end, and put to their judges again."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.certificates import Data, must_be, standing, value_of
from rules.judges.task_situation import Situation
from rules.pack import Pack
from rules.positions.position import Position
from rules.positions.position_file import dump_position, parse_position
from rules.ruling import Ruling
from rules.standing import Standing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

Asking = Callable[[], Ruling]  # a question that has been read, ready to be put to its judge
Reader = Callable[[Battlefield, Data], Asking]


def read_question(field: Battlefield, question: Data) -> Asking | None:
    """Read a question to its end, and return how to put it; None where nobody here knows it.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: it is no such question.
        MapkitError: it names what the map or the game does not have.
    """
    judge = must_be(question["judge"], str)
    reader, inputs = _READERS.get(judge, (None, frozenset()))
    if reader is None or question.keys() - inputs - {"judge", "weather"}:
        return None
    must_be(question["weather"], str, type(None))
    return reader(field, question)


def read_game_question(pack: Pack, question: Data) -> Asking | None:
    """Read a question that needs no map; None where nobody here knows it.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: it is no such question.
        RulesError: it names what the game does not have.
    """
    readers: Mapping[str, Callable[[Pack, Data], Asking]] = {
        "table": _table,
        "combat": lambda pack, asked: _combat(pack, asked, None),
        "activation": _activation,
        "task": _task_by_game,
    }
    reader = readers.get(must_be(question["judge"], str))
    return None if reader is None else reader(pack, question)


def _table(pack: Pack, question: Data) -> Asking:
    from rules.combat_questions import TableQuestion

    asked = read_texts(question, TableQuestion)
    return lambda: asked.rule(pack)


def _combat(pack: Pack, question: Data, field: Battlefield | None) -> Asking:
    from rules.combat_questions import CombatQuestion
    from rules.judges.combat_desk import Spot

    asked = read_texts(question, CombatQuestion)
    if field is None:
        return lambda: asked.rule(pack)
    sources = tuple(_hex(field, label) for label in question["from"])
    at, units = _hex(field, question["at"]), _units(field, question["units"])
    spot = Spot(field, at, sources, question["weather"], units, asked.by)
    return lambda: asked.rule(pack, spot)


def _activation(pack: Pack, question: Data) -> Asking:
    from rules.activation_questions import ActivationQuestion

    asked = read_texts(question, ActivationQuestion)
    return lambda: asked.rule(pack)


def _task_by_game(pack: Pack, question: Data) -> Asking:
    unit = question["unit"]
    side, class_ = must_be(unit["side"], str), must_be(unit["class"], str)
    return _task(pack, question, Situation(pack, Standing("", side, Hex(0, 0), class_)))


def _task_on_map(field: Battlefield, question: Data) -> Asking:
    from rules.task_questions import parse_target

    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    target = parse_target(field, must_be(question["target"], str, type(None)))
    unit = standing(field, question["unit"])
    return _task(field.pack, question, Situation(field.pack, unit, field, target, friends, enemies))


def _task(pack: Pack, question: Data, now: Situation) -> Asking:
    from rules.judges.tasks import TaskJudge

    task, finish = must_be(question["task"], str), must_be(question["finish"], bool)
    scene = replace(
        now,
        said={must_be(word, str): must_be(n, int) for word, n in question["said"].items()},
        turn=must_be(question["turn"], int, type(None)),
        scenario=must_be(question["scenario"], str, type(None)),
        phase=must_be(question["phase"], str, type(None)),
        weather=must_be(question["weather"], str, type(None)),
    )
    judge = TaskJudge(scene)
    return lambda: judge.rule_finish(task) if finish else judge.rule(task)


def read_texts(question: Data, kind: type[T]) -> T:
    """Return a question of plain words as a certificate tells it: lists are of texts.

    Raises:
        LookupError, TypeError: it is no such question.
    """
    told: dict[str, Any] = {}
    for one in fields(kind):
        value = question[one.name]
        if isinstance(value, list):
            told[one.name] = tuple(must_be(text, str) for text in value)
        else:
            told[one.name] = must_be(value, str, int, bool, type(None))
    return kind(**told)


def _sight(field: Battlefield, question: Data) -> Asking:
    from rules.judges.sight import SightJudge

    a, b = _hex(field, question["from"]), _hex(field, question["to"])
    return lambda: SightJudge(field, question["weather"]).rule(a, b)


def _field(field: Battlefield, question: Data) -> Asking:
    from rules.judges.sight import SightJudge

    a = _hex(field, question["from"])
    return lambda: SightJudge(field, question["weather"]).rule_field(a)


def _supply(field: Battlefield, question: Data) -> Asking:
    judge = _supply_judge(field, question)
    if "unit" in question:
        unit = standing(field, question["unit"])
        return lambda: judge().rule_unit(unit)
    hex_ = _hex(field, question["hex"])
    return lambda: judge().rule(hex_)


def _reach(field: Battlefield, question: Data) -> Asking:
    from rules.judges.movement import MovementJudge

    unit, to = standing(field, question["unit"]), _hex_or_none(field, question["to"])
    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    points, mode = value_of(question["points"]), must_be(question["mode"], str)
    if points is None:
        raise TypeError("no points")
    about = (points, mode, friends, enemies, question["weather"], _held(question))
    return lambda: MovementJudge(field, unit, *about).rule(to)


def _zones(field: Battlefield, question: Data) -> Asking:
    from rules.judges.zones import ZoneJudge

    unit = standing(field, question["unit"])
    return lambda: ZoneJudge(field, question["weather"]).rule(unit)


def _stack(field: Battlefield, question: Data) -> Asking:
    from rules.judges.stacking import StackingJudge

    hex_, units = _hex(field, question["hex"]), _units(field, question["units"])
    scenario, set_up = must_be(question["scenario"], str), must_be(question["set_up"], bool)
    about = (units, question["weather"], scenario, set_up)
    return lambda: StackingJudge(field, *about).rule(hex_)


def _command(field: Battlefield, question: Data) -> Asking:
    from rules.judges.command import CommandJudge

    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    side, reach = must_be(question["side"], str), value_of(question["range"])
    about = (side, _hex(field, question["hex"]), reach, friends, enemies, question["weather"])
    if question["judge"] == "placement":
        own = [_hex(field, label) for label in question["own"]]
        supply = _supply_judge(field, question)
        return lambda: CommandJudge(field, *about).rule_placement(own, supply())
    unit = _hex_or_none(field, question["unit"])
    if unit is None:
        return lambda: CommandJudge(field, *about).rule_range()
    return lambda: CommandJudge(field, *about).rule(unit)


def _retreat(field: Battlefield, question: Data) -> Asking:
    from rules.judges.retreat import RetreatJudge

    unit, origin = standing(field, question["unit"]), _hex_or_none(field, question["origin"])
    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    origins = tuple(_hex(field, label) for label in question["origins"])
    others = tuple(_hex(field, label) for label in question.get("others", ()))
    scenario = must_be(question["scenario"], str)

    def judge() -> RetreatJudge:
        weather = question["weather"]
        return RetreatJudge(field, unit, origins, friends, enemies, weather, others, scenario)

    return judge().rule if origin is None else lambda: judge().rule_attacker(origin)


def _withdrawal(field: Battlefield, question: Data) -> Asking:
    from rules.judges.withdrawal import WithdrawalJudge
    from rules.withdrawal_questions import WithdrawalQuestion

    unit, enemy = standing(field, question["unit"]), _hex_or_none(field, question["reacting_to"])
    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    markers = tuple(_hex(field, label) for label in question["markers"])
    scenario = must_be(question["scenario"], str)
    failed = must_be(question["failed_check"], bool)
    about = (friends, enemies, question["weather"], markers, scenario)
    return lambda: WithdrawalQuestion(WithdrawalJudge(field, unit, *about), enemy, failed).rule()


def _rout(field: Battlefield, question: Data) -> Asking:
    from rules.judges.rout import RoutJudge

    unit = standing(field, question["unit"])
    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    sources = tuple(_hex(field, label) for label in question["sources"])
    about = (friends, enemies, sources, question["weather"], _held(question))
    return lambda: RoutJudge(field, unit, *about).rule()


def _observers(field: Battlefield, question: Data) -> Asking:
    from rules.judges.fire_line import FireLineJudge
    from rules.judges.observers import ObserverJudge

    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    target, hq = _hex(field, question["target"]), _hex_or_none(field, question["hq"])
    reach, fire = must_be(question["range"], int, type(None)), must_be(question["fire"], str)
    side = must_be(question["side"], str)
    about = (side, friends, enemies, hq, reach, question["weather"], fire)
    if question["judge"] == "observers":
        return lambda: ObserverJudge(field, *about).rule(target)
    gun = standing(field, question["gun"])
    return lambda: FireLineJudge(field, ObserverJudge(field, *about)).rule(gun, target)


def _victory(field: Battlefield, question: Data) -> Asking:
    from rules.judges.victory import rule_victory

    position = parse_position(json.dumps(question["position"]).encode(), "the certificate")
    over = True if must_be(question["final"], bool) else None
    return lambda: rule_victory(position, [field.ground], pack=field.pack, over=over)


_ABOUT = frozenset({"side", "friends", "enemies"})
_SOURCES = frozenset({"sources", "control"})
_FIGHT = frozenset(
    {"procedure", "attack", "defend", "said", "attacker", "defender", "by", "without"}
) | {"roll", "seed", "at", "from", "units"}
_TASK = frozenset({"task", "finish", "said", "turn", "scenario", "phase"}) | {
    *("unit", "target", "friends", "enemies")
}
_GUNS = _ABOUT | {"target", "hq", "range", "fire"}
_READERS: Mapping[str, tuple[Reader, frozenset[str]]] = {  # and the inputs that each knows
    "sight": (_sight, frozenset({"from", "to"})),
    "field": (_field, frozenset({"from"})),
    "supply": (_supply, _ABOUT | _SOURCES | {"hex", "unit"}),
    "reach": (
        _reach,
        frozenset({"to", "unit", "points", "mode", "friends", "enemies", "control"}),
    ),
    "zones": (_zones, frozenset({"unit"})),
    "stack": (_stack, frozenset({"hex", "units", "scenario", "set_up"})),
    "command": (_command, _ABOUT | {"hex", "range", "unit"}),
    "placement": (_command, _ABOUT | _SOURCES | {"hex", "range", "own"}),
    "retreat": (
        _retreat,
        frozenset({"unit", "origins", "origin", "others", "friends", "enemies", "scenario"}),
    ),
    "withdrawal": (
        _withdrawal,
        frozenset({"unit", "friends", "enemies", "markers", "reacting_to"})
        | {"failed_check", "scenario"},
    ),
    "rout": (_rout, _SOURCES | {"unit", "friends", "enemies"}),
    "combat": (lambda field, asked: _combat(field.pack, asked, field), _FIGHT),
    "task": (_task_on_map, _TASK),
    "victory": (_victory, frozenset({"final", "position"})),
    "observers": (_observers, _GUNS),
    "fire_line": (_observers, _GUNS | {"gun"}),
}


def victory_question(position: Position, *, final: bool) -> dict[str, Any]:
    """Return the question who has won, with the whole position in it."""
    told = json.loads(dump_position(position))
    return {"judge": "victory", "weather": None, "final": final, "position": told}


def _supply_judge(field: Battlefield, question: Data) -> Callable[[], Any]:
    from rules.judges.supply import SupplyJudge

    friends, enemies = _units(field, question["friends"]), _units(field, question["enemies"])
    sources = tuple(_hex(field, label) for label in question["sources"])
    side, weather = must_be(question["side"], str), question["weather"]
    held, about = _held(question), (friends, enemies, sources, weather)
    return lambda: SupplyJudge(field, side, *about, control=held)


def _held(question: Data) -> dict[str, str]:
    """Return who controls which hex, where a question tells it."""
    told = question.get("control", {}).items()
    return {must_be(label, str): must_be(holder, str) for label, holder in told}


def _hex(field: Battlefield, label: Any) -> Hex:
    return field.hex(must_be(label, str))


def _hex_or_none(field: Battlefield, label: Any) -> Hex | None:
    return None if label is None else _hex(field, label)


def _units(field: Battlefield, units: Iterable[Data]) -> tuple[Standing, ...]:
    return tuple(standing(field, unit) for unit in units)
