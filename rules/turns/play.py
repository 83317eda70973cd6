"""What the turn keeper reads: the sequence of a game, with the scenario and turn being played."""

from dataclasses import dataclass, field
from itertools import chain

from rules.errors import RulesError
from rules.pack import Pack
from rules.positions.position import Piece, Position
from rules.positions.turn_entry import fixed_initiative
from rules.registry import find_pack
from rules.scenarios.scenario_files import Scenario, Scenarios, scenarios_of
from rules.scenarios.sequences import (
    Asked,
    find_sequence,
    phases_in_play,
    steps_in_play,
    takes_place,
)
from rules.schema.sequence import Phase, Reaction, Repeat, Rounds, Sequence, Step

TOGETHER = "+"  # between formations that act together


@dataclass(frozen=True)
class Play:
    """A game being played by a sequence; without a scenario, whatever depends on it stays open."""

    pack: Pack
    sequence: Sequence
    scenarios: Scenarios = field(repr=False)
    scenario: Scenario | None = None

    def asked(self, turn: int) -> Asked:
        """Return the question for a turn, as the checklist takes it."""
        return Asked(self.scenario, turn)

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn; None where no scenario says so, or its end is open."""
        return self.scenario.file.turns.final if self.scenario else None

    @property
    def fixed_initiative(self) -> str:
        """The side that has the initiative in every turn; "" where it is won anew."""
        return fixed_initiative(self.sequence, self.scenario)

    @property
    def initiative_cite(self) -> str:
        """The rule that gives the initiative to one side for good; "" where it is won anew."""
        if self.scenario and self.scenario.file.initiative:
            return self.scenario.file.initiative.cite
        return self.sequence.initiative_cite or ""

    def phases(self, turn: int) -> tuple[Phase, ...]:
        """Return the phases that a turn has."""
        return phases_in_play(self.sequence, self.asked(turn))

    def steps(self, phase: Phase, turn: int) -> tuple[Step, ...]:
        """Return the steps that a phase has in a turn."""
        return steps_in_play(self.sequence, phase, self.asked(turn))

    def phase(self, name: str) -> Phase:
        """Return the phase of an id.

        Raises:
            RulesError: the sequence has none of that id.
        """
        for phase in self.sequence.phases:
            if phase.id == name:
                return phase
        known = ", ".join(phase.id for phase in self.sequence.phases)
        raise RulesError(f"{self.pack.title} has no phase '{name}'; there is: {known}")

    def actions(self, phase: Phase) -> Repeat | None:
        """Return what lets one formation after the other act in a phase; None where none does."""
        return next(
            (one for one in self.sequence.repeats if one.for_each and one.phases == (phase.id,)),
            None,
        )

    def early_steps(self, phase: Phase, turn: int) -> tuple[Step, ...]:
        """Return the steps that come once, before players name formations by turns."""
        steps, actions = self.steps(phase, turn), self.actions(phase)
        names = [step.id for step in steps]
        offer = actions.offer if actions else None
        return steps[: names.index(offer)] if offer in names else ()

    def action_steps(self, phase: Phase, turn: int) -> tuple[Step, ...]:
        """Return the steps of a formation's action."""
        steps, actions = self.steps(phase, turn), self.actions(phase)
        names = [step.id for step in steps]
        offer = actions.offer if actions else None
        return steps[names.index(offer) + 1 :] if offer in names else steps

    def player(self, phase: Phase, position: Position) -> str:
        """Return whose action phase it is; where players alternate, whose try."""
        actions = self.actions(phase)
        by_turns = actions is not None and actions.alternates
        active = (by_turns and position.clock.active) or phase.active or ""
        return self.side(active, position.initiative)

    def opponent(self, side: str) -> str:
        """Return the other player of a side, or of a word for one that nobody knows yet."""
        words = {"initiative": "other", "other": "initiative"}
        return words.get(side) or self.side("other", side)

    def loop(self, phase: Phase) -> Repeat | None:
        """Return the phases that take turns with this one until all pass."""
        for one in self.sequence.repeats:
            if phase.id in one.phases and "all_pass_in_a_row" in one.until:
                return one
        return None

    def rounds(self, phase: Phase, turn: int) -> Rounds | None:
        """Return how often the loop around a phase is played in full, if more than once."""
        loop = self.loop(phase)
        rounds = loop.rounds if loop else None
        sure = rounds and takes_place(rounds.when, self.asked(turn))
        return rounds if sure else None

    def reaction(self, phase: Phase) -> Reaction | None:
        """Return the rule by which the opponent reacts in a phase."""
        return next((one.reaction for one in self.sequence.steps(phase) if one.reaction), None)

    def side(self, actor: str, initiative: str) -> str:
        """Return the side that a word of the sequence means; the word itself where nobody knows."""
        first = initiative or self.fixed_initiative
        if actor == "initiative" and first:
            return first
        if actor == "other" and first in self.pack.sides:
            return next((side for side in self.pack.sides if side != first), actor)
        return actor

    def formation(self, name: str) -> str:
        """Return the id of a formation by its id, title or other name.

        Where the scenario's units are not in our sources, a name we do not know is taken as it
        is typed.

        Raises:
            RulesError: the game has no such formation.
        """
        wanted = name.strip().casefold()
        for id_, one in self.scenarios.formations.items():
            if wanted in (id_, *(known.casefold() for known in (one.title, *one.also))):
                return id_
        listed = self.scenario is not None and "units" not in self.scenario.file.missing
        if not wanted or TOGETHER in wanted or listed:
            near = [one for one in self.scenarios.formations if wanted and wanted in one]
            known = ", ".join(near or sorted(self.scenarios.formations)) or "none"
            raise RulesError(f"{self.pack.title} has no formation '{name}'; there is: {known}")
        return name.strip()

    def title(self, formation: str) -> str:
        """Return what a formation is called."""
        known = self.scenarios.formations.get(formation)
        return known.title if known else formation

    def owner(self, formation: str, position: Position) -> str:
        """Return the side of a formation; "" where nobody knows it."""
        known = self.scenarios.formations.get(formation)
        if known:
            return known.side
        pieces = (one.unit for one in position.pieces.values())
        return next((unit.side for unit in pieces if unit.formation == formation), "")


def play_of(position: Position, pack: Pack | None = None) -> Play:
    """Return what a position is played by; *pack* is the game as its owner reads it.

    Raises:
        PackError: there is no such game.
        RulesError: it has no such scenario, or our sources lack its sequence.
    """
    game = pack or find_pack(position.game)
    scenarios = scenarios_of(game)
    scenario = scenarios.find(position.scenario) if position.scenario else None
    return Play(game, find_sequence(position.game), scenarios, scenario)


def acting(position: Position) -> tuple[str, ...]:
    """Return the formations that act now."""
    formation = position.clock.formation
    return tuple(formation.split(TOGETHER)) if formation else ()


def formations_left(play: Play, position: Position, side: str) -> tuple[str, ...] | None:
    """Return the formations of a side that have not acted; None where its units are not known.

    A formation without a unit of its own on the map cannot act; units that nobody has put on
    the map yet count as there. Those that were not planned or paid for are listed all the same:
    plans are secret.
    """
    on = [one for one in play.sequence.repeats if one.phases == (position.clock.phase,)]
    kinds = set(chain.from_iterable(one.activates for one in play.sequence.repeats))
    pieces = [one for one in position.pieces.values() if one.unit.side == side]
    if not pieces or not kinds:
        return None
    over = {*position.clock.done, *acting(position)}
    turn = position.clock.turn
    here = {
        one.unit.formation
        for one in pieces
        if one.place.kind == "hex" or (one.place.kind == "unplaced" and one.due <= turn)
    }
    known = play.scenarios.formations
    strange = here - set(known) - {""}
    able = [name for name, one in known.items() if name in here and one.kind in kinds]
    left = [name for name in (*able, *sorted(strange)) if name not in over]
    return tuple(name for name in left if not on or _may_act(on[0], name, pieces))


def _may_act(actions: Repeat, formation: str, pieces: list[Piece]) -> bool:
    """Tell whether the states of a formation's units let it act in a phase."""
    own = [piece.statuses for piece in pieces if piece.unit.formation == formation]
    states = {word for statuses in own for word, n in statuses.items() if n}
    barred = not states.isdisjoint(actions.not_in)
    return not barred and (actions.only_in is None or actions.only_in in states)
