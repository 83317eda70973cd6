"""Palettes of our games with few counters: of each class one for every set of faces and steps."""

from functools import cache

from lxml import etree

from counters.drawing import face_names, load_counter_style
from counters.model import Unit
from exporters.material import CounterMaterial
from exporters.vassal.palette import Palette
from mapkit.progress import ignore
from rules.registry import find_pack, pack_names
from rules.scenarios.scenario_files import scenarios_of
from rules.scenarios.unit_tables import unit_counters

GAMES = tuple(sorted(pack_names()))


@cache
def counters(game):
    """Return a unit of each kind there is, and of each class with steps nobody has seen yet."""
    pack, style = find_pack(game), load_counter_style(game)
    kinds = {}
    for unit in unit_counters(scenarios_of(pack), "all"):
        kinds.setdefault((unit.class_, unit.steps, face_names(unit, style)), unit)
    side = next(iter(pack.sides))
    more = [
        Unit(f"{class_}-{steps}", f"{class_} {steps}", side, class_=class_, steps=steps)
        for class_ in ("", *pack.classes)
        for steps in (None, 1, 4)
    ]
    return (*kinds.values(), *more)


def material(game):
    """Return what the palette of a game is made from."""
    return CounterMaterial(counters(game), load_counter_style(game), {}, {})


@cache
def palette(game, turns=6):
    """Return the palette of a game, with its window and its prototypes as elements."""
    made = Palette(56, find_pack(game), turns)
    root, prototypes = etree.Element("root"), etree.Element("prototypes")
    made.add_to(root, prototypes, material(game), 1, ignore)
    return made, root, prototypes
