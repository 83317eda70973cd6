"""The units of a scenario as counters: one for each printed piece, with all its values.

What our sources lack stays empty, until the owner's own table fills it by the id.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from counters.model import Colours, Face, Unit, Value
from mapkit.texts import say
from rules.errors import RulesError
from rules.pack import Pack
from rules.printed import with_printed_faces
from rules.scenarios.scenario_files import Scenario, Scenarios
from rules.schema.scenario import Formation

ALL = "all"
_BACK = "back"


@dataclass(frozen=True, slots=True)
class Filled:
    """Units with what an owner entered, and what of it found no place.

    *unknown* are ids that none of the units has; *contradictions* are values the sources state
    otherwise, as `id: front.combat`.
    """

    units: tuple[Unit, ...]
    unknown: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()


def unit_counters(scenarios: Scenarios, name: str) -> tuple[Unit, ...]:
    """Return the counters of a scenario, or with "all" those of the whole game, each once.

    Raises:
        RulesError: there is no such scenario, or our sources list no units of it.
    """
    pack = scenarios.pack
    is_whole = name.casefold() == ALL
    found = _listed(scenarios.scenarios if is_whole else (scenarios.find(name),))
    theirs = {unit.formation for unit in found}
    known = scenarios.formations.items()
    found += _of_formations(pack, {id_: one for id_, one in known if is_whole or id_ in theirs})
    if not found:
        raise RulesError(
            f"our sources list no units for '{name}' of {pack.title}; "
            f"`mapkit rules missing {pack.id}` says where they are printed"
        )
    return tuple(with_printed_faces(pack, unit) for unit in found)


def fill_units(units: Iterable[Unit], entered: Iterable[Unit]) -> Filled:
    """Fill what is empty with what an owner entered; nothing that is known changes."""
    by_id = {unit.id: unit for unit in units}
    unknown: list[str] = []
    contradictions: list[str] = []
    for one in entered:
        if one.id not in by_id:
            unknown.append(one.id)
            continue
        by_id[one.id], wrong = _filled(by_id[one.id], one)
        contradictions += wrong
    return Filled(tuple(by_id.values()), tuple(unknown), tuple(contradictions))


def told_filled(filled: Filled) -> Iterator[str]:
    """Tell what of an owner's table found no place, and what is still empty."""
    if filled.unknown:
        ids = ", ".join(filled.unknown)
        yield say("rules.units.unknown", n=len(filled.unknown), ids=ids)
    if filled.contradictions:
        listed = ", ".join(filled.contradictions)
        yield say("rules.units.contradictions", n=len(filled.contradictions), values=listed)
    values = [
        value for unit in filled.units for face in unit.faces for value in face.values.values()
    ]
    empty = sum(value is None for value in values)
    yield say("rules.units.made", n=len(filled.units), empty=empty, values=len(values))


def _listed(scenarios: Iterable[Scenario]) -> list[Unit]:
    """The units of some scenarios, each once; a value that one of them knows, all know."""
    found: dict[str, Unit] = {}
    for scenario in scenarios:
        for one in scenario.deployed:
            known = found.get(one.unit.id)
            found[one.unit.id] = one.unit if known is None else _filled(known, one.unit)[0]
    return list(found.values())


def _of_formations(pack: Pack, formations: Mapping[str, Formation]) -> Iterator[Unit]:
    """Yield the counters that every formation has, though no list names them."""
    for counter in pack.counters:
        for id_, formation in formations.items():
            if formation.kind in counter.one_for:
                class_ = counter.groups[0]
                nations = pack.sides[formation.side].nationalities
                yield Unit(
                    f"{formation.side}-{id_}-{class_.replace('_', '-')}",
                    formation.title,
                    formation.side,
                    nationality=nations[0] if len(nations) == 1 else "",
                    formation=id_,
                    class_=class_,
                )


def _second_of(unit: Unit) -> str:
    """Return what the game calls the back of a counter: a slicer of sheets knows no better word."""
    others = [face.name for face in unit.faces[1:]]
    return others[0] if len(others) == 1 else _BACK


def _filled(unit: Unit, entered: Unit) -> tuple[Unit, list[str]]:
    wrong: list[str] = []
    faces = {face.name: face for face in unit.faces}
    for face in entered.faces:
        name_there = _second_of(unit) if face.name == _BACK else face.name
        known = faces.get(name_there, Face(name_there))
        values: dict[str, Value] = dict(known.values)
        for name, value in face.known.items():
            if values.get(name) is None:
                values[name] = value
            elif values[name] != value:
                wrong.append(f"{unit.id}: {face.name}.{name}")
        faces[name_there] = Face(name_there, values, known.picture or face.picture)
    plain = unit.copies == 1
    return (
        replace(
            unit,
            steps=entered.steps if unit.steps is None else unit.steps,
            echelon=unit.echelon or entered.echelon,
            faces=tuple(faces.values()),
            symbol=unit.symbol or entered.symbol,
            badges=unit.badges or entered.badges,
            colours=Colours(
                unit.colours.ground or entered.colours.ground,
                unit.colours.ink or entered.colours.ink,
                unit.colours.bar or entered.colours.bar,
            ),
            copies=entered.copies if plain else unit.copies,
        ),
        wrong,
    )
