"""What rulings on retreats share: who is in the way, room in a hex, the ways told, the frame."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mapkit.hexes import Hex
from rules.battlefield import Battlefield
from rules.errors import RulesError
from rules.judges.retreat_ways import CourseFinder, Doubt, Values, Way
from rules.judges.stacking import StackingJudge
from rules.judges.zones import ZoneJudge, lacking_zones, may_have_zone
from rules.ruling import Reason, Ruling
from rules.schema.forces import classes_in
from rules.schema.retreat import Course
from rules.standing import Standing


def require_class(field: Battlefield, unit: Standing) -> None:
    """Raise RulesError where the game has no such class of units."""
    known = field.pack.classes
    if known and unit.class_ not in known:
        raise RulesError(f"{field.pack.title} has no class '{unit.class_}': {', '.join(known)}")


def in_the_way(field: Battlefield, enemies: Iterable[Standing]) -> list[Standing]:
    """Return the enemies that a retreat minds: some units influence no movement."""
    moves = field.pack.movement
    none = classes_in(moves.no_influence if moves else (), field.pack.classes)
    return [one for one in enemies if not (one.class_ and one.class_ in none)]


def zones_in_the_way(
    field: Battlefield, enemies: Collection[Standing], weather: str | None
) -> frozenset[Hex] | None:
    """Return all hexes in enemy zones; None where our sources lack the rule and it matters."""
    if field.pack.zones is None:
        matters = any(may_have_zone(field, one) for one in enemies)
        return None if matters else frozenset()
    return ZoneJudge(field, weather).zones(enemies)


def room_beside(
    field: Battlefield,
    unit: Standing,
    friends: Collection[Standing],
    weather: str | None,
    scenario: str = "",
) -> Callable[[Hex], str]:
    """Return what tells of a hex whether a unit has room there; where nobody stands it has."""
    about = [one for one in friends if one != unit]
    held = {one.hex for one in friends}

    def fits(hex_: Hex) -> str:
        if hex_ not in held:
            return "within"
        standings = (*about, replace(unit, hex=hex_))
        return StackingJudge(field, standings, weather, scenario).rule(hex_).verdict

    return fits


def told_ways(field: Battlefield, course: Course, finder: CourseFinder) -> Iterator[Reason]:
    """Tell every way, and whom it passes where it has no room."""
    losses = field.pack.losses
    status = losses.status if losses and losses.status else ""
    for way in finder.ways:
        labels = " ".join(map(field.label, way.path))
        yield Reason("rules.retreat.way", {"way": labels}, course.cite)
        for hex_ in way.passed:
            what = status.replace("_", " ")
            passed: Values = {"hex": field.label(hex_), "n": course.passed, "what": what}
            yield Reason("rules.retreat.passes", passed, course.goes_on_cite)
    if finder.there_are_more:
        yield Reason("rules.retreat.more_ways", {"n": len(finder.ways)}, course.cite)


def told_reactions(
    field: Battlefield,
    course: Course,
    ways: Iterable[Way],
    enemies: Iterable[Standing],
    weather: str | None,
) -> Iterator[Reason]:
    """Tell whose zones the ways lead into."""
    judge, about = ZoneJudge(field, weather), list(enemies)
    for hex_ in dict.fromkeys(hex_ for way in ways for hex_ in way.path[1:]):
        names = [one.name for one in about if hex_ in judge.zone(one)]
        if names:
            values: Values = {"to": field.label(hex_), "names": ", ".join(names)}
            yield Reason("rules.retreat.reaction", values, course.reaction_cite)


def told_doubts(field: Battlefield, course: Course, doubts: Iterable[Doubt]) -> Iterator[Reason]:
    """Tell what would have to be known, and where it is printed if the pack says so."""
    for word in sorted(set(doubts)):
        if word == "zone":
            yield replace(lacking_zones(field), cite=course.cite)
        else:
            yield Reason(f"rules.retreat.doubt_{word}", {}, course.cite)


def ways_data(field: Battlefield, ways: Iterable[Way]) -> dict[str, Any]:
    """Return ways as JSON-able data: where they end, each of them, and whom they pass."""
    found = tuple(ways)
    return {
        "to": sorted({field.label(way.path[-1]) for way in found}),
        "ways": [list(map(field.label, way.path)) for way in found],
        "passed": sorted({field.label(hex_) for way in found for hex_ in way.passed}),
    }


def framed(
    field: Battlefield,
    unit: Standing,
    verdict: str,
    reasons: Iterable[Reason],
    working: Mapping[str, Any],
    *,
    barred: Mapping[Hex, Reason],
    about: Iterable[str] = (),
    missing: Iterable[Reason] = (),
    question: str = "retreat",
) -> Ruling:
    """Return the ruling on a unit that leaves its hex; *barred* are hexes that are no way."""
    told, label = tuple(reasons), field.label
    return Ruling(
        question=question,
        verdict=verdict,
        reasons=told,
        cites=tuple(dict.fromkeys(one.cite for one in told if one.cite)),
        working={
            "hex": label(unit.hex),
            "side": unit.side,
            "class": unit.class_,
            **working,
            "barred": {label(hex_): one.told() for hex_, one in barred.items()},
        },
        assumptions=field.pack.assumptions_about(*about),
        missing=tuple(missing),
    )
