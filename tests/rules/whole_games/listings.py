"""What Mapkit lists of a game: every sheet, calendar, checklist and list a command prints."""

from collections.abc import Callable, Iterator
from typing import Any

from counters.model import Unit
from mapkit.texts import LANGUAGES, use
from rules.case_maps import CaseMap, case_field
from rules.combat.told_tables import tables_data, told_tables
from rules.layout_check import compare_layout
from rules.lookup.at_hand import AtHand
from rules.lookup.rules_show import found_data, rule_data, told_rule
from rules.map_profile import map_profile
from rules.owner_told import assumptions_data, missing_data, owner_template
from rules.pack_state import state_of, states_data, told_states
from rules.printed import with_printed_faces
from rules.scenarios.scenario_calendar import calendar_data, told_calendar
from rules.scenarios.scenario_files import stranger
from rules.scenarios.scenario_show import list_data, scenario_data, told_list, told_sheet
from rules.scenarios.sequences import Asked, checklist_data, told_checklist
from rules.scenarios.unit_tables import unit_counters
from tests.rules.judges.battery import drawn_map, is_drawn
from tests.rules.whole_games.games import Game, game_of, scenarios_of

Question = Callable[[Game], Any]
SEARCHED = 2  # groups of synonyms that are searched for; they all go the same way


def in_all_languages(question: Question) -> Question:
    """Return a question whose answer is heard in every language."""

    def asked(game: Game) -> Any:
        try:
            return [(use(language), question(game)) for language in LANGUAGES]
        finally:
            use(None)

    return asked


def listings(game: Game) -> Iterator[Question]:
    """Yield the lists of a game; *game* only tells which there are."""
    yield lambda one: assumptions_data(one.pack)
    yield lambda one: (missing_data(one.pack), owner_template(one.pack))
    yield lambda one: (tables_data(one.pack), told_tables(one.pack))
    yield lambda one: map_profile(one.pack)
    yield lambda one: unit_counters(scenarios_of(one), "all")
    yield _counters
    yield in_all_languages(_tasks)
    yield _states
    yield lambda one: (list_data(scenarios_of(one)), told_list(scenarios_of(one)))
    for name in game.scenarios:
        yield from _of_scenario(name)
    yield _strangers
    yield from _checklists(game)
    yield _layout


def rules_at_hand(game: Game) -> Iterator[Question]:
    """Yield what `rules show` tells where a key is first set, and what a search finds."""
    first = {key: one for one in reversed(game.rulebook.rules) for key in one.model_fields_set}
    for number in dict.fromkeys(one.number for one in first.values()):
        yield _rule(number)
    for group in list(game.rulebook.words.values())[:SEARCHED]:
        for phrase in (*group.en, *group.de, *group.it):
            yield _search(phrase)


def _search(phrase: str) -> Question:
    def of(game: Game) -> Any:
        with AtHand(game.pack, game.rulebook).search() as index:
            return found_data(index.find(phrase, limit=30))

    return of


def _tasks(game: Game) -> Any:
    """The list that `rules may GAME --json` prints."""
    return [
        (name, task.told(), task.phases, task.step, task.sides, task.who, task.target, task.cite)
        for name, task in game.pack.tasks.items()
    ]


def _counters(game: Game) -> Any:
    """What the counter of each class prints, of those too that no list names."""
    pack = game.pack
    return [with_printed_faces(pack, Unit("a", "A", "", class_=name)) for name in pack.classes]


def _states(game: Game) -> Any:
    states = (state_of(game.pack.id),)
    return states_data(states), told_states(states)


def _of_scenario(name: str) -> Iterator[Question]:
    def sheet(game: Game) -> Any:
        scenarios = scenarios_of(game)
        scenario = scenarios.find(name)
        return told_sheet(scenarios, scenario, "hex")

    def data(game: Game) -> Any:
        scenarios = scenarios_of(game)
        return scenario_data(scenarios, scenarios.find(name))

    def calendar(game: Game) -> Any:
        scenarios = scenarios_of(game)
        scenario = scenarios.find(name)
        return told_calendar(scenarios, scenario), calendar_data(scenarios, scenario)

    yield from (data, calendar, sheet)


def _checklists(game: Game) -> Iterator[Question]:
    if game.sequence is None:
        return

    def asked(scenario: str | None, turn: int | None) -> Question:
        def of(one: Game) -> Any:
            found = None if scenario is None else scenarios_of(one).find(scenario)
            which = Asked(found, turn)
            assert one.sequence is not None
            told = told_checklist(one.sequence, one.pack, which)
            return told, checklist_data(one.sequence, one.pack, which)

        return of

    yield asked(None, None)
    for name, file in game.scenarios.items():
        for turn in sorted({1, 2, 3, file.turns.count - 1, file.turns.count}):
            if turn in file.turns.numbers:
                yield asked(name, turn)


def _strangers(game: Game) -> Any:
    """Which units the tables put into formations of another side: their files do not load."""
    units = (one.unit for scenario in scenarios_of(game).scenarios for one in scenario.deployed)
    return [told for unit in units if (told := stranger(unit, game.formations))]


def _layout(game: Game) -> Any:
    """What a map that is numbered as the installed pack has it says to the layout."""
    name = game.pack.id
    if is_drawn(name):
        return compare_layout(drawn_map(name, 0), game.pack)
    map_ = case_field(game_of(name).pack, CaseMap(), ("1010", "1313")).map
    return compare_layout(map_, game.pack)


def _rule(number: str) -> Question:
    def of(game: Game) -> Any:
        at_hand = AtHand(game.pack, game.rulebook)
        rule = at_hand.rule(number)
        return told_rule(at_hand, rule), rule_data(at_hand, rule)

    return of
