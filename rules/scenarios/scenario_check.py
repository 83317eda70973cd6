"""Does a scenario's file fit its pack? Every word, hex and turn it names is looked up."""

from collections.abc import Iterable, Iterator, Mapping

from mapkit.errors import Fault, MapkitError
from mapkit.notation import parse_hexside
from rules.pack import Pack
from rules.schema.placement import Constraint, hexes_named
from rules.schema.scenario import Formation, ScenarioFile
from rules.schema.victory import DRAW, Bank, Condition, Outcome, Scoring


def faults_of_file(
    source: str,
    file: ScenarioFile,
    others: Mapping[str, ScenarioFile],
    pack: Pack,
    formations: Mapping[str, Formation],
    scoring: Scoring | None,
) -> Iterator[Fault]:
    """Yield everything in a scenario's file that its pack does not know."""
    if f"{file.id}.toml" != source:
        yield Fault("id", f"'{file.id}' is not the name of its file", f"call it {file.id}.toml")
    yield from _references(file, others)
    corps = {one.corps for one in formations.values() if one.corps}
    known = {
        "side": frozenset(pack.sides),
        "formation": frozenset(formations),
        "corps": frozenset(corps),
        "group": pack.groups,
        "nation": frozenset(one for side in pack.sides.values() for one in side.nationalities),
        "weather": frozenset(pack.weather),
        "link": pack.words("links"),
        "hexside": pack.words("hexsides"),
        "state": frozenset(pack.statuses),
        "box": frozenset(pack.boxes),
        "sudden victory": frozenset(scoring.outcomes) if scoring else frozenset[str](),
        "open question": frozenset(pack.assumptions),
        "missing part": frozenset(pack.missing),
    }
    for place, what, word in _words(file):
        if word not in known[what]:
            listed = ", ".join(sorted(known[what])) or "none"
            yield Fault(place, f"the game has no {what} '{word}'", f"there is: {listed}")
    for place, label in _hexes(file):
        yield from _parsed(place, label, pack)
    for place, turn in _turns(file):
        if turn > file.turns.count:
            yield Fault(place, f"turn {turn} is past the end", f"the last is {file.turns.count}")


def faults_of_scoring(scoring: Scoring, pack: Pack) -> Iterator[Fault]:
    """Yield every side and hex of a game's scoring that its pack does not know."""
    sides = [scoring.side, *filter(None, [scoring.less])]
    hexes = [(name, label) for name, one in scoring.objectives.items() for label in one.hexes]
    for name, outcome in scoring.outcomes.items():
        sides += [*filter(None, [outcome.winner]), *words_of_condition(outcome.when)]
        hexes += [(name, label) for label in hexes_of_condition(outcome.when)]
        if outcome.check is not None and outcome.check not in pack.checks:
            yield Fault(name, f"no check '{outcome.check}'", f"there is: {', '.join(pack.checks)}")
    sides += [side for track in scoring.tracks for side in (track.side, track.of)]
    for side in sides:
        if side not in pack.sides and side != DRAW:
            yield Fault("side", f"no side '{side}'", f"there is: {', '.join(pack.sides)}")
    for group in set(scoring.control.not_by) - pack.groups:
        yield Fault("control", f"no units '{group}'", f"there is: {', '.join(sorted(pack.groups))}")
    if scoring.feature not in pack.features:
        yield Fault("feature", f"no feature '{scoring.feature}'", "list it in pack.toml")
    for place, label in hexes:
        yield from _parsed(place, label, pack)


def words_of_condition(condition: Condition) -> tuple[str, ...]:
    """Return the sides a condition of victory names."""
    side = getattr(condition, "side", None)
    return (side,) if side else ()


def hexes_of_condition(condition: Condition) -> tuple[str, ...]:
    """Return the hexes a condition of victory names."""
    hexes = getattr(condition, "hexes", ())
    one = getattr(condition, "hex", None)
    bank: Bank | None = getattr(condition, "bank", None)
    banks = (bank.here, bank.there) if bank else ()
    return (*hexes, *((one,) if one else ()), *getattr(condition, "counts", {}), *banks)


def _references(file: ScenarioFile, others: Mapping[str, ScenarioFile]) -> Iterator[Fault]:
    used = {*file.use.placements, *file.use.trenches, *(one.scenario for one in file.borrowed)}
    used |= {file.use.objectives} if file.use.objectives else set()
    for name in sorted(used - set(others)):
        yield Fault("use", f"there is no scenario '{name}'", f"there is: {', '.join(others)}")
    for name in used & set(file.use.placements) & set(others):
        for twice in sorted(set(others[name].placements) & set(file.placements)):
            remedy = f"'{name}' has one too: give one of them another name"
            yield Fault(f"placements.{twice}", "this placement is defined twice", remedy)
    shared = {one for name in used & set(others) for one in others[name].placements}
    for exchange in file.exchanges:
        if exchange.placement not in shared | set(file.placements):
            yield Fault("exchanges", f"no placement '{exchange.placement}'", "define it")


def _words(file: ScenarioFile) -> Iterator[tuple[str, str, str]]:
    """Yield every word that must be the pack's: its place, what it is, the word."""
    for side in file.order.sides:
        yield "order", "side", side
    if file.initiative:
        yield "initiative", "side", file.initiative.side
    for name in (*file.assumptions, *(one.assumption for one in file.borrowed)):
        yield "assumptions", "open question", name
    for name in file.missing.values():
        yield "missing", "missing part", name
    for pool in file.points:
        yield "points", "side", pool.side
    for spell in file.weather.spells:
        yield "weather.spells", "weather", spell.weather
    for trench in file.trenches:
        yield "trenches", "side", trench.side
    for number, one in enumerate(file.restrictions, 1):
        place = f"restrictions.{number}"
        yield place, "side", one.side
        yield from ((place, "group", group) for group in one.groups)
        yield from ((place, "formation", name) for name in one.formations)
        yield from ((place, "corps", name) for name in (one.corps, one.except_corps) if name)
    for exchange in file.exchanges:
        yield "exchanges", "side", exchange.side
        yield from (("exchanges", "formation", name) for name in exchange.formations)
    for place, constraint in _constraints(file):
        yield from _words_of_constraint(place, constraint)
    for place, outcome in _outcomes(file):
        if outcome.winner and outcome.winner != DRAW:
            yield place, "side", outcome.winner
        yield from ((place, "side", side) for side in words_of_condition(outcome.when))
    yield from (("victory.given", "side", side) for side in file.victory.given)
    yield from (("victory.sudden", "sudden victory", name) for name in file.victory.sudden)
    yield from _further_words(file)


def _further_words(file: ScenarioFile) -> Iterator[tuple[str, str, str]]:
    for leaving in file.withdrawals:
        yield "withdrawals", "side", leaving.side
        yield from (("withdrawals", "group", word) for word in (leaving.who,) if word)
        yield from (("withdrawals", "nation", word) for word in (leaving.nationality,) if word)
    for held in file.control_at_start:
        yield "control_at_start", "side", held.side
    for place, condition in _secret_conditions(file):
        yield from ((place, "side", side) for side in words_of_condition(condition))
        yield from ((place, "state", word) for word in _states(condition))
        yield from ((place, "group", word) for word in getattr(condition, "not_by", ()))
        yield from ((place, "box", word) for word in getattr(condition, "spared_boxes", ()))
        yield from ((place, "hexside", word) for word in _hexside_words(condition))


def _words_of_constraint(place: str, constraint: Constraint) -> Iterator[tuple[str, str, str]]:
    if side := getattr(constraint, "side", None):
        yield place, "side", side
    if corps := getattr(constraint, "corps", None):
        yield place, "corps", corps
    yield from ((place, "formation", name) for name in getattr(constraint, "formations", ()))
    yield from ((place, "group", name) for name in getattr(constraint, "groups", ()))
    yield from ((place, "link", name) for name in getattr(constraint, "links", ()))


def _constraints(file: ScenarioFile) -> Iterator[tuple[str, Constraint]]:
    for one in file.area.all_of:
        yield "area", one
    for name, placement in file.placements.items():
        ways = [*placement.all_of, *(c for other in placement.or_else for c in other.all_of)]
        for one in ways:
            yield f"placements.{name}", one


def _outcomes(file: ScenarioFile) -> Iterator[tuple[str, Outcome]]:
    for number, outcome in enumerate(file.victory.outcomes, 1):
        yield f"victory.outcomes.{number}", outcome


def _secret_conditions(file: ScenarioFile) -> Iterator[tuple[str, Condition]]:
    objectives = file.victory.objectives
    for side, choices in objectives.of.items() if objectives else ():
        for number, choice in enumerate(choices, 1):
            for condition in choice.all_of:
                yield f"victory.objectives.of.{side}.{number}", condition


def _states(condition: Condition) -> tuple[str, ...]:
    word = getattr(condition, "unless", None)
    return (word,) if word else ()


def _hexside_words(condition: Condition) -> tuple[str, ...]:
    bank: Bank | None = getattr(condition, "bank", None)
    return (*(bank.hexsides if bank else ()), *getattr(condition, "crossings", ()))


def _hexes(file: ScenarioFile) -> Iterator[tuple[str, str]]:
    for place, constraint in _constraints(file):
        yield from ((place, label) for label in hexes_named(constraint))
    for trench in file.trenches:
        yield from (("trenches", label) for label in trench.hexes)
    for bridge in file.bridges_blown:
        yield "bridges_blown", bridge.hexside
    for pool in file.points:
        yield from (("points", loss.hex) for loss in pool.losses)
    for held in file.control_at_start:
        yield from (("control_at_start", label) for label in held.hexes)
    for place, outcome in _outcomes(file):
        yield from ((place, label) for label in hexes_of_condition(outcome.when))
    for place, condition in _secret_conditions(file):
        yield from ((place, label) for label in hexes_of_condition(condition))


def _parsed(place: str, label: str, pack: Pack) -> Iterable[Fault]:
    known = pack.layout.numbering()
    try:
        if "/" in label and known is not None:
            parse_hexside(label, known)
        else:  # without the layout nobody can tell which hexes touch
            for one in label.split("/"):
                pack.layout.any_numbering().parse_label(one)
    except MapkitError as error:
        return [Fault(place, str(error), "correct the hex")]
    return []


def _turns(file: ScenarioFile) -> Iterator[tuple[str, int]]:
    for pool in file.points:
        yield from (("points.gains", gain.last) for gain in pool.gains)
    yield from (("weather.spells", spell.last) for spell in file.weather.spells)
    yield from (("restrictions", one.last or one.first) for one in file.restrictions)
    yield from (("exchanges", one.free_from or one.turn) for one in file.exchanges)
    yield from (("withdrawals", one.turn) for one in file.withdrawals)
    if file.events and file.events.first_turn:
        yield "events", file.events.first_turn
