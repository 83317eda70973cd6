"""Questions to a game whose owner has entered what our sources lack, in scenes drawn by lot."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from mapkit.hexes import are_neighbours
from rules.case_maps import CaseMap, case_field
from rules.judges.command import CommandJudge
from rules.judges.movement import MovementJudge
from rules.judges.retreat import RetreatJudge
from rules.judges.rout import RoutJudge
from rules.judges.stacking import StackingJudge
from rules.judges.supply import SupplyJudge
from rules.judges.withdrawal import WithdrawalJudge
from rules.judges.zones import ZoneJudge
from rules.pack import Pack
from rules.standing import Standing
from tests.rules.custoza.scenes import (
    GAME,
    LACKING,
    Scene,
    entered_without,
    random_scene,
    random_unit,
)
from tests.rules.whole_games.desk import tried
from tests.rules.whole_games.games import Game, with_values
from tests.rules.whole_games.listings import Question
from tests.rules.whole_games.readers import made_unseen

SCENES = 12
LEGS = [{"limit": 2, "cut_by": ["enemy_unit"], "cut_cite": "20", "cite": "20"}]
MOST_KEPT = 16


def of_owners(game: Game) -> Iterator[Question]:
    """Yield questions where an owner would have entered much; *game* tells which."""
    if game.pack.id != GAME:
        return
    for seed, lacking in product(range(SCENES), LACKING):
        yield _scene(seed, lacking)
    sources = game.pack.supply.sources.hexes if game.pack.supply else {}
    for side, labels in sources.items():
        yield from (_fed(side, label) for label in labels)


def _scene(seed: int, lacking: str) -> Question:
    """Ask all judges of a scene: who has a zone, who obeys, stands, moves and retreats where."""

    def of(game: Game) -> Any:
        pack = _entered(game.pack, lacking)
        rng = Random(seed)
        scene = random_scene(rng, lacking, size=6, marsh=5, pack=pack)
        field, friends, enemies = scene.field, scene.friends, scene.enemies
        here = rng.choice(scene.free)
        unit = random_unit(rng, "it", here, 99)
        near = [hex_ for hex_ in scene.free if are_neighbours(here, hex_)]
        found = [tried(ZoneJudge(field).rule, one) for one in (*friends, *enemies)]
        found.append(tried(CommandJudge(field, "it", here, None, friends, enemies).rule_range))
        for stack in {one.hex for one in friends}:
            found.append(tried(StackingJudge(field, friends).rule, stack))
        for mode in pack.movement.modes if pack.movement else ():
            judge = MovementJudge(field, unit, 4, mode, friends, enemies)
            found.append(tried(judge.rule, None))
        for origin in near:
            beaten = RetreatJudge(field, unit, (origin,), friends, enemies)
            found += [tried(beaten.rule), tried(beaten.rule_attacker, origin)]
        return found + _leaving(scene, unit)

    return of


def _leaving(scene: Scene, unit: Standing) -> list[Any]:
    """Ask where a unit withdraws to by day and night, in Square or not, and whether it routs."""
    field, about = scene.field, (scene.friends, scene.enemies)
    found: list[Any] = []
    for light, states in product((None, "night"), ({}, {"square": 1})):
        judge = WithdrawalJudge(field, replace(unit, statuses=states), *about, light)
        found += [tried(judge.rule), tried(judge.rule_after_check)]
        found += [tried(judge.rule_reaction, enemy.hex) for enemy in scene.enemies[:1]]
    sources = (max(field.map.hexes),)
    return [*found, tried(RoutJudge(field, unit, *about, sources).rule)]


def _fed(side: str, label: str) -> Question:
    """Trace a line of communications by a made-up rule, from near a source and from far."""

    def of(game: Game) -> Any:
        pack = with_values(game.pack, {"supply.legs": LEGS})
        numbering = pack.layout.any_numbering()
        source = numbering.parse_label(label)
        far = numbering.format_label(source.step(2, 3))
        fields = (case_field(one, CaseMap(), (label, far)) for one in (game.pack, pack))
        found = []
        for field in fields:
            judge = SupplyJudge(field, side)
            for place in (label, far):
                unit = Standing("u", side, field.hex(place), "infantry")
                found += [tried(judge.rule, unit.hex), tried(judge.rule_unit, unit)]
        return found

    return of


def _entered(pack: Pack, lacking: str) -> Pack:
    """Return a pack with what its owner entered; it is asked for many times in a row."""
    if (id(pack), lacking) not in _KEPT:
        if len(_KEPT) > MOST_KEPT:
            _KEPT.clear()
        values = _whole_sections(entered_without(lacking))
        _KEPT[id(pack), lacking] = pack, with_values(pack, values)
    made = _KEPT[id(pack), lacking][1]
    found: Pack = made_unseen(("pack",), lambda: made)
    return found


def _whole_sections(values: dict[str, Any]) -> dict[str, Any]:
    """Return what was entered with each new section as one value: half a section is none."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        section, _, rest = key.partition(".")
        if section in ("zones", "movement"):
            found.setdefault(section, {})[rest] = value
        else:
            found[key] = value
    return found


_KEPT: dict[tuple[int, str], tuple[Pack, Pack]] = {}
