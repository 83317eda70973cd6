"""The judge of movement against a slow one written from the rulebooks, on positions by lot."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from mapkit.errors import MapkitError
from mapkit.hexes import Hex
from mapkit.model import Feature
from rules.battlefield import Battlefield
from rules.judges.movement import MovementJudge
from rules.pack import Pack
from tests.rules.judges.positions import Lot, other_side, random_field, random_units
from tests.rules.judges.slow_reach import Chart, slow_reach
from tests.rules.judges.test_against_slow_rules import assert_agreement, each_pack, how_often

CHEAP = (1, 1, 2, 3)
RATES = (Fraction(1, 2), 1, Fraction(1, 3))


def invented(rng: Random, pack: Pack) -> tuple[Pack, Chart]:
    """Return a pack with an invented chart, the same for all classes, and the chart."""
    chart: dict[str, dict[str, Any]] = {
        "terrain": {word: rng.choice(CHEAP) for word in pack.terrain},
        "hexsides": {word: rng.choice((0, 1, 2)) for word in pack.hexsides},
        "links": {word: rng.choice(RATES) for word in pack.links},
    }
    update = {
        group: {
            word: kind.model_copy(update={"costs": dict.fromkeys(pack.classes, prices[word])})
            for word, kind in getattr(pack, group).items()
        }
        for group, prices in chart.items()
    }
    return pack.model_copy(update={**update, "stacking": None}), chart


def scattered(
    rng: Random, field: Battlefield, word: str, owner: str = "", every: int = 8
) -> Battlefield:
    """Put a feature into some hexes."""
    hexes = dict(field.ground.hexes)
    for hex_ in rng.sample(sorted(hexes), len(hexes) // every):
        there = Feature(word, owner=owner)
        hexes[hex_] = replace(hexes[hex_], features=(*hexes[hex_].features, there))
    return replace(field, ground=replace(field.ground, hexes=hexes))


@each_pack
@how_often
def test_reach(pack: Pack, times: int) -> None:
    drawn: Counter[str] = Counter()
    modes: Counter[str] = Counter()
    quarrels = []
    for seed in range(700 * times):
        rng = Random(seed)
        priced, chart = invented(rng, pack)
        field = random_field(rng, priced, Lot((4, 7), (3, 5), levels=(1, 3), crags=6))
        for word in sorted({"peak", "stream"} & set(pack.features)):
            field = scattered(rng, field, word)
        side = rng.choice(tuple(pack.sides))
        if "trench" in pack.features:
            field = scattered(rng, field, "trench", rng.choice(tuple(pack.sides)), every=3)
        enemies = random_units(rng, field, other_side(pack, side), rng.randint(0, 3), set())
        held = {enemy.hex for enemy in enemies}
        friends = random_units(rng, field, side, rng.randint(1, 5), held)
        unit, points = friends[0], rng.randint(1, 5)
        if not unit.class_:
            continue
        mode = rng.choice(("tactical", "tactical", *priced.movement.modes))
        weather = rng.choice((None, None, *pack.weather))
        about = unit, points, mode, friends, enemies, weather
        slow = slow_reach(field, *about, chart)
        quick = quick_reach(MovementJudge(field, *about))
        if slow is None or quick is None:
            quarrels += [] if slow is quick else [f"seed {seed}: {unit.class_} {mode}"]
            continue
        modes[mode] += 1
        near = [hex_ for hex_ in field.ground.hexes if hex_ != unit.hex]
        drawn.update("reached" if hex_ in slow else "not reached" for hex_ in near)
        if slow != quick:
            wrong = {h for h in {*slow, *quick} if slow.get(h) != quick.get(h)}
            told = [(field.label(h), str(slow.get(h)), str(quick.get(h))) for h in sorted(wrong)]
            quarrels.append(f"seed {seed}, {about[:3]}, {weather}: {told[:3]}")
    assert_agreement(f"reach in {pack.id}", drawn, quarrels)
    print(f"  modes: {dict(modes)}")  # noqa: T201 - for `pytest -s`
    assert min(modes.values()) >= 20


def quick_reach(judge: MovementJudge) -> dict[Hex, Fraction] | None:
    try:
        judge.rule()
    except MapkitError:
        return None
    return {one.hex: one.spent for one in judge.reach.arrivals()}
